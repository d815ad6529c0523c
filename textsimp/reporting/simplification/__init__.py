"""Simplifiers in the report: scores, claims, kinds of rewriting, SARI over subsets."""
