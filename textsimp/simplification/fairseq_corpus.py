"""The parts of binarization that the kinds share which run in fairseq: reading, WordPieces, length limits, fairseq's
binary form, and the short list of words that an output may have."""

import json
import logging
import struct
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.errors import InputError, bad_input
from textsimp.core.pretrained import encoder_file
from textsimp.core.reading import read_aligned, read_json, read_lines
from textsimp.core.records import SIDES
from textsimp.core.writing import write_json, write_lines
from textsimp.simplification.fairseq_tools import SHORTLIST, TOKENS, SearchConfig
from textsimp.simplification.interface import ParallelFiles
from textsimp.simplification.spacing import Token

logger = logging.getLogger(__name__)
Tokens = Sequence[str]
SPLITS = {"train": "train", "dev": "valid"}  # our names of the splits and fairseq's
# The four symbols that every fairseq dictionary begins with, in its order, and BERT's words for them.
FAIRSEQ_SPECIAL = {"<s>": "[CLS]", "<pad>": "[PAD]", "</s>": "[SEP]", "<unk>": "[UNK]"}
_IBM1, _HMM = 4, 0  # iterations of the word alignment


def read_parallel(files: ParallelFiles) -> tuple[list[str], list[str]]:
    """Read the complex and the simple sentences; `InputError` where the sides differ in length or there is nothing."""
    rows = read_aligned([files.complex, files.simple])
    if not rows:
        raise bad_input(files.complex, None, "no sentence pair", "the corpus needs some; check its filters")
    return [row[0] for row in rows], [row[1] for row in rows]


def write_split(folder: Path, split: str, complex: Sequence[Tokens], simple: Sequence[Tokens], limit: int) -> int:
    """Write a split's tokens without the pairs of which a side exceeds `limit` tokens; return how many these are."""
    pairs = [pair for pair in zip(complex, simple, strict=True) if all(0 < len(tokens) <= limit for tokens in pair)]
    for index, side in enumerate(SIDES):
        write_lines(folder / TOKENS / f"{split}.{side}", [" ".join(pair[index]) for pair in pairs])
    return len(complex) - len(pairs)


def tokenised_pairs(folder: Path, split: str) -> list[tuple[list[str], list[str]]]:
    """Return the pairs of a split as `write_split` left them: complex tokens, simple tokens."""
    rows = read_aligned([folder / TOKENS / f"{split}.{side}" for side in SIDES])
    return [(complex_.split(), simple.split()) for complex_, simple in rows]


def count_tokens(*columns: Sequence[Tokens]) -> Counter[str]:
    """Return how often each token occurs."""
    return Counter(token for column in columns for tokens in column for token in tokens)


def cut(rows: Sequence[Tokens], limit: int, unit: str) -> list[Tokens]:
    """Cut rows to `limit` tokens, as the model has learnt nothing about positions beyond; a warning counts the cut."""
    if long := sum(len(row) > limit for row in rows):
        logger.warning("%d of %d sentences are cut after %d %s, as long as the model's", long, len(rows), limit, unit)
    return [row[:limit] for row in rows]


def write_binary(folder: Path, dictionaries: Mapping[str, Sequence[tuple[str, int]]], search: SearchConfig) -> None:
    """Write what fairseq reads, and where the search asks for it the short list of the training pairs.

    That is, side -> (symbol, count) as fairseq's dictionaries, and the numbers of the tokens in its mmap form. The
    bytes are those of fairseq-preprocess, without the seconds that its start takes.
    """
    for side, counts in dictionaries.items():
        write_lines(folder / f"dict.{side}.txt", [f"{symbol} {count}" for symbol, count in counts])
        symbols = [*FAIRSEQ_SPECIAL, *(symbol for symbol, _ in counts)]
        numbers = {symbol: number for number, symbol in enumerate(symbols)}
        for split in SPLITS:
            lines = read_lines(folder / TOKENS / f"{split}.{side}")
            rows = [[numbers.get(token, numbers["<unk>"]) for token in (*line.split(), "</s>")] for line in lines]
            _write_rows_of_numbers(folder / f"{SPLITS[split]}.complex-simple.{side}", rows, len(numbers))
    if search.common:
        shortlist = Shortlist.learn(tokenised_pairs(folder, "train"), search.common, search.instead)
        write_json(folder / SHORTLIST, vars(shortlist))


def _write_rows_of_numbers(stem: Path, rows: Sequence[Sequence[int]], symbols: int) -> None:
    """Write fairseq's MMapIndexedDataset, version 1: the numbers (.bin); their type, lengths and starts (.idx)."""
    code, kind = (8, np.dtype("<u2")) if symbols < 65500 else (9, np.dtype("<u4"))
    lengths = np.array([len(row) for row in rows], dtype="<i4")
    starts = (np.cumsum(lengths, dtype="<i8") - lengths) * kind.itemsize
    header = b"MMIDIDX\0\0" + struct.pack("<QBQ", 1, code, len(rows))
    Path(f"{stem}.bin").write_bytes(np.array([number for row in rows for number in row], dtype=kind).tobytes())
    Path(f"{stem}.idx").write_bytes(header + lengths.tobytes() + starts.tobytes())


@dataclass(frozen=True)
class Shortlist:
    """The words that an output may have: those of its sentence, what stands for them in training pairs, common ones.

    A sequence model that has seen few sentences puts any word in the place of one that it does not know, such as
    another name. Here it chooses among a short list for each sentence (Jean et al. 2015, section 3.2; L'Hostis et al.
    2016).
    """

    common: Sequence[str]  # simple symbols that any output may have
    instead: Mapping[str, Sequence[str]]  # those that may stand for a complex symbol

    @classmethod
    def learn(cls, pairs: Sequence[tuple[Tokens, Tokens]], common: int, instead: int) -> "Shortlist":
        """Take the `common` most frequent simple symbols, and for each complex one the `instead` likeliest links."""
        from textsimp.simplification.phrase_table import align_words

        linked: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for (complex_, simple), links in zip(pairs, align_words(pairs, _IBM1, _HMM), strict=True):
            for i, j in links:
                linked[complex_[i]][simple[j]] += 1
        frequent = Counter(word for _, simple in pairs for word in simple)
        ranked = sorted(frequent, key=lambda word: (-frequent[word], word))
        likeliest = {
            word: sorted(counts.keys() - {word}, key=lambda simple: (-counts[simple], simple))[:instead]
            for word, counts in sorted(linked.items())
        }
        return cls(ranked[:common], {word: simple for word, simple in likeliest.items() if simple})

    def words(self, sentence: Tokens) -> Iterator[str]:
        """Yield what an output for these complex symbols may have."""
        yield from self.common
        for word in dict.fromkeys(sentence):
            yield word
            yield from self.instead.get(word, ())


class WordPiece:
    """A BERT's tokenizer, without its special tokens.

    Args:
        path: of its `tokenizer.json`.
        name: of the encoder, for messages.
        kept: if given, the only pieces of more than one character that are used; words are spelt with these.
    """

    def __init__(self, path: Path, name: str, kept: Container[str] | None = None) -> None:
        from tokenizers import Tokenizer

        settings = read_json(path, f"fetch the encoder {name!r} again")
        try:
            if kept is not None:
                vocabulary = settings["model"]["vocab"]
                always = {*FAIRSEQ_SPECIAL.values()}
                chosen = {piece: row for piece, row in vocabulary.items() if piece in always or _spells(piece, kept)}
                settings["model"]["vocab"] = chosen
                settings["added_tokens"] = [row for row in settings["added_tokens"] if row["content"] in chosen]
            self.settings = settings
            self._tokenizer = Tokenizer.from_str(json.dumps(settings))
        except Exception as error:  # the library raises bare Exception
            raise InputError(f"{path}: no tokenizer ({error}); fetch the encoder {name!r} again") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True  # the text "[CLS]" in a sentence is text
        self._vocabulary = self._tokenizer.get_vocab()
        for piece in FAIRSEQ_SPECIAL.values():
            if piece not in self._vocabulary:
                raise InputError(f"{path}: its vocabulary has no {piece}; {name!r} is no BERT")

    @classmethod
    def of_encoder(cls, name: str, kept: Container[str] | None = None) -> "WordPiece":
        """Return the tokenizer of an encoder (see `textsimp.core.pretrained`)."""
        return cls(encoder_file(name, "tokenizer.json"), name, kept)

    def _encoded(self, sentences: Sequence[str]) -> Any:
        return self._tokenizer.encode_batch(list(sentences), add_special_tokens=False)

    def pieces(self, sentences: Sequence[str]) -> list[list[str]]:
        """Return the WordPieces of each sentence, BERT's unknown piece spelt as fairseq does."""
        rows = (item.tokens for item in self._encoded(sentences))
        return [["<unk>" if piece == "[UNK]" else piece for piece in row] for row in rows]

    def words(self, sentences: Sequence[str]) -> list[tuple[list[Token], list[str]]]:
        """Return the words that the pieces of each sentence make up, and the same words as the sentence writes them."""
        rows = []
        for sentence, item in zip(sentences, self._encoded(sentences), strict=True):
            words: list[Token] = []
            spans: list[tuple[int, int]] = []
            for piece, (start, stop) in zip(item.tokens, item.offsets, strict=True):
                if words and _continues(piece):
                    words[-1] = Token(words[-1].text + piece[2:], words[-1].spaced)
                    spans[-1] = spans[-1][0], stop
                else:
                    words.append(Token(piece, bool(spans) and start > spans[-1][1]))
                    spans.append((start, stop))
            rows.append((words, [sentence[start:stop] for start, stop in spans]))
        return rows

    def piece_ids(self, symbols: Iterable[str]) -> list[int]:
        """Return each dictionary symbol's row in BERT's embedding table."""
        return [self._vocabulary[FAIRSEQ_SPECIAL.get(symbol, symbol)] for symbol in symbols]

    def vocabulary(self) -> list[str]:
        """Return all pieces but the four that fairseq has already, in BERT's order."""
        ranked = sorted(self._vocabulary, key=self._vocabulary.__getitem__)
        return [piece for piece in ranked if piece not in FAIRSEQ_SPECIAL.values()]


def _spells(piece: str, kept: Container[str]) -> bool:
    """Return whether a piece is used, or is a letter, digit or mark that any text may have."""
    character = piece.removeprefix("##")
    is_plain = len(character) == 1 and (character.isascii() or unicodedata.category(character)[0] in "PS")
    return is_plain or piece in kept


def join_pieces(pieces: Iterable[str]) -> list[str]:
    """Return words of WordPieces: a piece that begins with ## continues the word before it."""
    words: list[str] = []
    for piece in pieces:
        if words and _continues(piece):
            words[-1] += piece[2:]
        else:
            words.append(piece)
    return words


def _continues(piece: str) -> bool:
    return piece.startswith("##") and len(piece) > 2
