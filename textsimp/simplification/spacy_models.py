"""spaCy pipelines that the configuration names: `rules` stands for those of this package, all others are trained."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textsimp.core.errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language

RULES = "rules"


def trained_pipeline(name: str, component: Sequence[str], exclude: Sequence[str]) -> "Language":
    """A trained pipeline: an installed package, or a folder that spaCy wrote.

    Args:
        component: names of components, one of which does what is wanted of it.
        exclude: components that are not needed.

    Raises:
        InputError: no such package or folder, one that cannot be loaded, or one that has none of the components.
    """
    import spacy

    path = Path(name)
    if not spacy.util.is_package(name) and not (path / "config.cfg").is_file():
        remedy = f"run `python -m spacy download {name}`, name a folder that has one, or set `{RULES}`"
        raise InputError(f"spaCy model {name!r}: not installed, and no folder of a pipeline; {remedy}")
    try:
        nlp = spacy.load(name, exclude=exclude)
    except Exception as error:  # spaCy raises many unrelated types, of its own and of the libraries below
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"spaCy model {name!r}: cannot be loaded ({reason}); install it again") from None
    if not set(component) & set(nlp.pipe_names):
        has = ", ".join(nlp.pipe_names) or "nothing"
        raise InputError(f"spaCy model {name!r}: has no {' or '.join(component)}, only {has}; name another one")
    return nlp
