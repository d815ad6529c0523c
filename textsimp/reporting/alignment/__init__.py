"""Alignment systems in the report: results of the stages, tables, claims, curves."""
