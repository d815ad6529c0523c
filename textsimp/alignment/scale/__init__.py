"""Alignment of any number of document pairs, shards in, shards out: one machine or a Ray cluster, alike (F2)."""
