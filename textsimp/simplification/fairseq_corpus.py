"""The parts of binarization that the kinds share which run in fairseq: reading, WordPieces, length limits, fairseq's
binary form, test sets laid end to end."""

import json
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.errors import InputError, bad_input
from textsimp.core.pretrained import encoder_file
from textsimp.core.reading import read_aligned, read_json, read_json_lines, read_lines
from textsimp.core.writing import write_lines
from textsimp.simplification.fairseq_tools import TOKENS
from textsimp.simplification.interface import TESTS, CorpusFiles, ParallelFiles
from textsimp.simplification.spacing import Token

Tokens = Sequence[str]
SPLITS = {"train": "train", "dev": "valid", "test": "test"}
"""Our names of the splits and fairseq's."""
FAIRSEQ_SPECIAL = {"<s>": "[CLS]", "<pad>": "[PAD]", "</s>": "[SEP]", "<unk>": "[UNK]"}
"""The four symbols that every fairseq dictionary begins with, in its order, and BERT's words for them."""


def read_parallel(files: ParallelFiles) -> tuple[list[str], list[str]]:
    """The complex and the simple sentences; `InputError` where the sides differ in length or there is nothing."""
    rows = read_aligned([files.complex, files.simple])
    if not rows:
        raise bad_input(files.complex, None, "no sentence pair", "the corpus needs some; check its filters")
    return [row[0] for row in rows], [row[1] for row in rows]


def read_tests(corpus: CorpusFiles) -> list[str]:
    """The complex sentences of all test sets, one after the other in the order of the names."""
    return [sentence for name in sorted(corpus.tests) for sentence in read_lines(corpus.tests[name])]


def split_outputs(outputs: Sequence[str], binary: Path) -> dict[str, list[str]]:
    """Outputs for all test sets laid end to end, by test set."""
    remaining = iter(outputs)
    return {name: list(islice(remaining, size)) for name, size in sorted(read_json(binary / TESTS).items())}


def write_split(folder: Path, split: str, complex: Sequence[Tokens], simple: Sequence[Tokens], limit: int) -> int:
    """Write a split's tokens without the pairs of which a side exceeds `limit` tokens; returns how many these are."""
    pairs = [pair for pair in zip(complex, simple, strict=True) if all(0 < len(tokens) <= limit for tokens in pair)]
    for index, side in enumerate(("complex", "simple")):
        write_lines(folder / TOKENS / f"{split}.{side}", [" ".join(pair[index]) for pair in pairs])
    return len(complex) - len(pairs)


def write_test(folder: Path, complex: Sequence[Tokens], limit: int) -> int:
    """Write the test sentences' tokens, cut at `limit`; returns how many were cut.

    The side that is to be generated gets a placeholder, so that fairseq-preprocess too could read the folder.
    """
    write_lines(folder / TOKENS / "test.complex", [" ".join(tokens[:limit]) for tokens in complex])
    write_lines(folder / TOKENS / "test.simple", ["<unk>"] * len(complex))
    return sum(len(tokens) > limit for tokens in complex)


def count_tokens(*columns: Sequence[Tokens]) -> Counter[str]:
    """How often each token occurs."""
    return Counter(token for column in columns for tokens in column for token in tokens)


def write_binary(folder: Path, dictionaries: Mapping[str, Sequence[tuple[str, int]]]) -> None:
    """Write side -> (symbol, count) as fairseq's dictionaries, and the numbers of the tokens in its mmap form.

    The bytes are those of fairseq-preprocess, without the seconds that its start takes.
    """
    for side, counts in dictionaries.items():
        write_lines(folder / f"dict.{side}.txt", [f"{symbol} {count}" for symbol, count in counts])
        symbols = [*FAIRSEQ_SPECIAL, *(symbol for symbol, _ in counts)]
        numbers = {symbol: number for number, symbol in enumerate(symbols)}
        for split in SPLITS if side == "complex" else ("train", "dev"):
            lines = read_lines(folder / TOKENS / f"{split}.{side}")
            rows = [[numbers.get(token, numbers["<unk>"]) for token in (*line.split(), "</s>")] for line in lines]
            _write_rows_of_numbers(folder / f"{SPLITS[split]}.complex-simple.{side}", rows, len(numbers))


def _write_rows_of_numbers(stem: Path, rows: Sequence[Sequence[int]], symbols: int) -> None:
    """Fairseq's MMapIndexedDataset, version 1: STEM.bin holds the numbers, STEM.idx their type, lengths and starts."""
    code, kind = (8, np.dtype("<u2")) if symbols < 65500 else (9, np.dtype("<u4"))
    lengths = np.array([len(row) for row in rows], dtype="<i4")
    starts = (np.cumsum(lengths, dtype="<i8") - lengths) * kind.itemsize
    header = b"MMIDIDX\0\0" + struct.pack("<QBQ", 1, code, len(rows))
    Path(f"{stem}.bin").write_bytes(np.array([number for row in rows for number in row], dtype=kind).tobytes())
    Path(f"{stem}.idx").write_bytes(header + lengths.tobytes() + starts.tobytes())


def write_rows(path: Path, rows: Sequence[object]) -> None:
    """JSON Lines."""
    write_lines(path, [json.dumps(row, ensure_ascii=False) for row in rows])


def read_rows(path: Path) -> list[Any]:
    """JSON Lines."""
    return [row for _, row in read_json_lines(path, "run the stage binarize again")]


class WordPiece:
    """The tokenizer of the encoder `name` (see `textsimp.core.pretrained`), without its special tokens."""

    def __init__(self, name: str) -> None:
        from tokenizers import Tokenizer

        path = encoder_file(name, "tokenizer.json")
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare Exception
            raise InputError(f"{path}: no tokenizer ({error}); fetch the encoder {name!r} again") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True  # the text "[CLS]" in a sentence is text
        self._vocabulary = self._tokenizer.get_vocab()
        self.name = name
        for piece in FAIRSEQ_SPECIAL.values():
            if piece not in self._vocabulary:
                raise InputError(f"{path}: its vocabulary has no {piece}; {name!r} is no BERT")

    def pieces(self, sentences: Sequence[str]) -> list[list[str]]:
        """The WordPieces of each sentence, BERT's unknown piece spelt as fairseq does."""
        encoded = self._tokenizer.encode_batch(list(sentences), add_special_tokens=False)
        return [["<unk>" if piece == "[UNK]" else piece for piece in item.tokens] for item in encoded]

    def words(self, sentences: Sequence[str]) -> list[list[Token]]:
        """The words that the pieces make up, each with whether a space precedes it in the sentence."""
        encoded = self._tokenizer.encode_batch(list(sentences), add_special_tokens=False)
        return [_words(item.tokens, item.offsets) for item in encoded]

    def piece_ids(self, symbols: Iterable[str]) -> list[int]:
        """The row of each dictionary symbol in BERT's embedding table; `InputError` for a symbol that has none."""
        rows = []
        for symbol in symbols:
            row = self._vocabulary.get(FAIRSEQ_SPECIAL.get(symbol, symbol))
            if row is None:
                raise InputError(f"encoder {self.name!r}: its vocabulary has no {symbol!r}; binarize with this encoder")
            rows.append(row)
        return rows

    def vocabulary(self) -> list[str]:
        """All pieces but the four that fairseq has already, in BERT's order."""
        ranked = sorted(self._vocabulary, key=self._vocabulary.__getitem__)
        return [piece for piece in ranked if piece not in FAIRSEQ_SPECIAL.values()]


def join_pieces(pieces: Iterable[str]) -> list[str]:
    """Words from WordPieces: a piece that begins with ## continues the word before it."""
    words: list[str] = []
    for piece in pieces:
        if piece.startswith("##") and len(piece) > 2 and words:
            words[-1] += piece[2:]
        else:
            words.append(piece)
    return words


def _words(pieces: list[str], offsets: list[tuple[int, int]]) -> list[Token]:
    words: list[Token] = []
    end = None
    for piece, (start, stop) in zip(pieces, offsets, strict=True):
        if piece.startswith("##") and len(piece) > 2 and words:
            words[-1] = Token(words[-1].text + piece[2:], words[-1].spaced)
        else:
            words.append(Token(piece, end is not None and start > end))
        end = stop
    return words
