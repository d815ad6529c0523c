"""Sentence alignment, corpora and evaluation for text simplification, after Jiang et al. 2020.

The functions are those of `textsimp.api`, which is imported when one of them is first used: `import textsimp` is fast,
and a stage, which imports this package too, does not depend on them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textsimp.api import SentenceLink, align, load_aligner, load_simplifier, sari, score, simplify

__version__ = "0.1.0"
__all__ = ["SentenceLink", "align", "load_aligner", "load_simplifier", "sari", "score", "simplify"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(".api", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
