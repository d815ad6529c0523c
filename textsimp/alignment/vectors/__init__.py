"""Word vectors: from a file, from skip-gram on the corpus at hand, or from an encoder's input embeddings (F2)."""

from textsimp.alignment.vectors.base import WordVectorConfig, WordVectors
from textsimp.alignment.vectors.choice import word_vectors

__all__ = ["WordVectorConfig", "WordVectors", "word_vectors"]
