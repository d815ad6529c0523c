"""Parts that no stage uses, each with its own settings and, where it needs more packages, an install extra."""
