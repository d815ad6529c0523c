"""The leaderboard of released outputs in the report."""
