"""Sentence alignment: the neural CRF aligner, every other published system, and their evaluation."""
