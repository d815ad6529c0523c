"""What systems and corpora do to sentences, and where systems are good: the stage `analyse` (F1)."""
