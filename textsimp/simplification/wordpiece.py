"""WordPiece tokens of a BERT encoder, as fairseq's dictionary knows them (Jiang et al. 2020, appendix D.1)."""

from collections.abc import Iterable, Sequence

from textsimp.encoders import encoder_file
from textsimp.errors import InputError
from textsimp.simplification.spacing import Token

FAIRSEQ_SPECIAL = {"<s>": "[CLS]", "<pad>": "[PAD]", "</s>": "[SEP]", "<unk>": "[UNK]"}
"""The four symbols that every fairseq dictionary begins with, in its order, and BERT's words for them."""


class WordPiece:
    """The tokenizer of the encoder `name` (see `textsimp.encoders`), without its special tokens."""

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
        return [[_fairseq_name(piece) for piece in item.tokens] for item in encoded]

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
        ranked = sorted(self._vocabulary, key=lambda piece: self._vocabulary[piece])
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


def _fairseq_name(piece: str) -> str:
    return "<unk>" if piece == "[UNK]" else piece


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
