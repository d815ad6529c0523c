"""Pre-trained word vectors for the embedding (Dong et al. 2019 begin with 100-dimensional GloVe)."""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from torch import Tensor

from textsimp.errors import bad_input
from textsimp.simplification.editnts.vocabulary import Vocabulary

FILE = "vectors.safetensors"


def save_vectors(source: str | None, binary: Path, vocabulary: Vocabulary, size: int) -> None:
    """Take the vectors of the known words from a text file (a word and its numbers a line) into the folder.

    Args:
        source: the file; None writes nothing.
        size: how many numbers a vector has.

    Raises:
        InputError: the file is absent, or has no vector of that size for any known word.
    """
    if source is None:
        return
    found: dict[int, list[float]] = {}
    try:
        with open(source, encoding="utf-8", errors="replace") as file:
            for line in file:
                fields = line.rstrip().split(" ")
                number = vocabulary.numbers.get(" ".join(fields[:-size]))
                if number is not None and (vector := _numbers(fields[-size:])) is not None:
                    found.setdefault(number, vector)
    except OSError:
        raise bad_input(source, None, "no such file of word vectors", "correct `embeddings`, or set null") from None
    if not found:
        what = f"no vector of {size} numbers for any of {len(vocabulary.words)} known words"
        raise bad_input(source, None, what, "give a text file of word vectors of embedding_size numbers")
    rows = np.array(sorted(found), dtype=np.int32)
    vectors = np.array([found[row] for row in rows.tolist()], dtype=np.float32)
    save_file({"rows": rows, "vectors": vectors}, binary / FILE)


def load_vectors(binary: Path, embedding: Tensor) -> None:
    """Overwrite the rows of the known words in place; nothing where the folder has no vectors. Shape: (N, E)."""
    if not (binary / FILE).exists():
        return
    arrays = load_file(binary / FILE)
    with torch.no_grad():
        embedding[torch.from_numpy(arrays["rows"]).long()] = torch.from_numpy(arrays["vectors"])


def _numbers(fields: list[str]) -> list[float] | None:
    try:
        return [float(field) for field in fields]
    except ValueError:
        return None
