"""Metrics: every score of the papers with its signature; numpy, sacrebleu and NLTK, but no torch."""
