"""The corpora of conf/corpus, composed as params.yaml has them."""

import functools
from typing import Any

import yaml
from newsela_sample import ROOT

from textsimp.core.params import compose

CORPORA = sorted(path.stem for path in (ROOT / "conf" / "corpus").glob("[!_]*.yaml"))


@functools.cache
def _composed() -> dict[str, Any]:
    known = set(yaml.safe_load(compose([]))["corpus"])
    more = [f"+corpus@corpus.{name}={name}" for name in CORPORA if name not in known]
    return yaml.safe_load(compose(more))["corpus"]


def corpora() -> dict[str, Any]:
    """Every corpus by name; the caller may change it."""
    return yaml.safe_load(yaml.safe_dump(_composed()))
