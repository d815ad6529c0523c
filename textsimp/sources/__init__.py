"""The sources of text: fetching with verified digests, one reader per real format, acquisition and splits."""
