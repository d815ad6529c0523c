"""Kinds of rewriting that a simplification does: word alignment, edit operations, and a class for each sentence pair.

Figures 2 and 3 of Jiang et al. 2020 sort 100 sentence pairs of a corpus, or of a system's output, by hand into copies,
deletions, paraphrases, splits and their mixtures; Tables 1 and 2 of Coster and Kauchak 2011 count operations on
sentences and on words. Here both come from a monolingual word alignment (docs/rewriting.md).
"""
