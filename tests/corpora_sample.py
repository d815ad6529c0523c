"""The corpora of conf/corpus, composed as params.yaml has them."""

from typing import Any

from composition_sample import plain_values
from newsela_sample import ROOT

CORPORA = sorted(path.stem for path in (ROOT / "conf" / "corpus").glob("[!_]*.yaml"))


def corpora() -> dict[str, Any]:
    """Every corpus by name; the caller may change it."""
    known = plain_values()["corpus"]
    more = [f"+corpus@corpus.{name}={name}" for name in CORPORA if name not in known]
    found: dict[str, Any] = plain_values(*more)["corpus"]
    return found
