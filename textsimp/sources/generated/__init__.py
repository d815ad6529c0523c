"""Graded article pairs of an invented world, in any number: the same facts told at two levels, aligned by construction.

An honest miniature: a grammar of some 150 statements over names and words that are drawn with a seed. It has what
simplification does (splitting, leaving out, plainer words, explaining, reordering, moving) and none of what makes real
text hard. Sequence models learn on it in minutes; what they reach says nothing about real text.
"""
