"""Metrics: every score of the papers with its signature; numpy and sacrebleu, but no torch."""
