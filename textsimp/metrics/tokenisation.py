"""How text becomes the tokens that SARI and BLEU count: lower-casing, spaces, and mteval-v13a."""

from functools import lru_cache

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

TOKENISERS = ("none", "13a")


@lru_cache(maxsize=1)
def _mteval() -> Tokenizer13a:
    return Tokenizer13a()


def tokenise(text: str, tokeniser: str = "none", lowercase: bool = True) -> list[str]:
    """Tokens of one line.

    Args:
        text: the line.
        tokeniser: `none` splits at white space only; `13a` first separates punctuation as mteval-v13a does.
        lowercase: whether the line is lower-cased first.
    """
    if tokeniser not in TOKENISERS:
        raise ValueError(f"tokeniser {tokeniser!r} is none of {TOKENISERS}")
    text = text.lower() if lowercase else text
    return (_mteval()(text) if tokeniser == "13a" else text).split()
