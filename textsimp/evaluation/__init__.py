"""Evaluation of systems, for the evaluating stages: run, score and compare; results as in `core.results`."""
