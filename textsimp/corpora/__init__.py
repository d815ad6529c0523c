"""Training corpora from sentence alignments: sentence pairs, filters, splits, statistics, data card.

Jiang et al. 2020, sections 3 and 5.1, Tables 1 and 4, appendix B; docs/corpora.md tells the whole way.
"""
