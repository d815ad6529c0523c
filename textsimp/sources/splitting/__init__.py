"""A user's own running text in sentences: its layout (`layout`), its sentences (`boundaries`), its language."""
