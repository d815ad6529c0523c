"""Sentence alignment, corpora and evaluation for text simplification.

Reproduces Jiang et al. 2020, *Neural CRF Model for Sentence Alignment in Text Simplification*.
The import order of the sub-packages is drawn in docs/architecture.md.
"""
