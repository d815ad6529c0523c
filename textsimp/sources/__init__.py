"""Where text comes from: fetching with verified digests, one reader per real format, acquisition and splits."""
