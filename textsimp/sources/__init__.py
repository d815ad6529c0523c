"""Where text comes from (F1): fetching with verified digests, one reader per real format, acquisition and splits."""
