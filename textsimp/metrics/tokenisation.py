"""How text becomes the tokens that SARI and BLEU count: lower-casing, spaces, and mteval-v13a."""

from dataclasses import dataclass, replace
from functools import lru_cache

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

TOKENISERS = ("none", "13a")


@dataclass(frozen=True)
class Tokenisation:
    """How lines become tokens: the arguments of `tokenise`, and after how many tokens a line is cut (None: never)."""

    tokeniser: str = "none"
    lowercase: bool = True
    max_tokens: int | None = None

    @property
    def words(self) -> "Tokenisation":
        """The same for single words, which nothing is cut from."""
        return replace(self, max_tokens=None)


@lru_cache(maxsize=1)
def _mteval() -> Tokenizer13a:
    return Tokenizer13a()


def tokenise(text: str, tokeniser: str = "none", lowercase: bool = True) -> list[str]:
    """Tokens of one line.

    No tokeniser looks past white space: the tokens of a line are those of its words between spaces.

    Args:
        text: the line.
        tokeniser: `none` splits at white space only; `13a` first separates punctuation as mteval-v13a does.
        lowercase: whether the line is lower-cased first.
    """
    if tokeniser not in TOKENISERS:
        raise ValueError(f"tokeniser {tokeniser!r} is none of {TOKENISERS}")
    text = text.lower() if lowercase else text
    if tokeniser == "13a" and not text.isalnum():
        text = _mteval()(text)
    return text.split()
