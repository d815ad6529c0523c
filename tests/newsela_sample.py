"""A small release in Newsela's formats whose every sentence holds a word that stands nowhere else, and its params.yaml.

Also how the tests run a stage or the command `textsimp` in this process as the terminal would.
"""

import json
import logging
import runpy
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from composition_sample import plain_values

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.sources.draws import SPLITS
from textsimp.sources.manual import NEWSELA_MANUAL, write_manual
from textsimp.sources.newsela import Article, write_release

ROOT = Path(__file__).resolve().parent.parent
MARKER = "zwibbelfrumpt"
MANUAL = dict(zip(SPLITS, ("harbour", "glacier", "orchard"), strict=True))
UNLABELLED = tuple(f"village-{letter}" for letter in "abcdefgh")
LEVELS = (0, 1, 4)


def document(slug: str, level: int) -> Document:
    """Two paragraphs of two sentences; no sentence is that of another level or article."""
    name = slug.replace("-", " ")
    sentences = [
        f"The {MARKER} of {name} was seen {number} times by {20 - level} people at the {word} in the evening."
        for number, word in enumerate(("old stone gate", "long river bank", "market square", "wooden bridge"), 2)
    ]
    return Document(f"{slug}.en-{level}", level, (tuple(sentences[:2]), tuple(sentences[2:])))


def pair(slug: str, high: int, low: int) -> DocumentPair:
    """Two levels of an article whose sentences align one to one."""
    links = tuple(Link(number, number, AlignmentLabel.ALIGNED) for number in range(4))
    return DocumentPair(f"{slug}.en.{high}-{low}", "newsela", slug, document(slug, high), document(slug, low), links)


def write_newsela(folder: Path) -> Path:
    """Articles of all sets at three levels, and the manual annotation of three sets; returns the folder."""
    rows = [
        (
            Article(slug, "en", f"A {MARKER} title, of {slug}", 5.0, level, f"{slug}.en.{level}.txt"),
            [" ".join(paragraph) for paragraph in document(slug, level).paragraphs],
        )
        for slug in (*MANUAL.values(), *UNLABELLED)
        for level in LEVELS
    ]
    write_release(folder / "article_corpus", rows)
    for split, slug in MANUAL.items():
        pairs = [pair(slug, high, low) for high, low in pairwise(LEVELS)]
        write_manual(folder / "newsela-auto" / NEWSELA_MANUAL / f"{split}.tsv", pairs, with_gleu=False)
    return folder


def params(**sources: Any) -> dict[str, Any]:
    """Return what conf/ says of `newsela` and `wiki`, as params.yaml has it, and `sources` with other values."""
    conf = ROOT / "conf"
    corpora = plain_values("experiment=paper")["corpus"]
    tree = yaml.safe_load((conf / "sources" / "default.yaml").read_text())
    return {"corpora": ["newsela"], "published": ["jiang2020"], "corpus": corpora, "sources": tree | sources}


def write_params(folder: Path, tree: dict[str, Any]) -> None:
    """Write params.yaml; JSON is YAML."""
    (folder / "params.yaml").write_text(json.dumps(tree), encoding="utf-8")


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *command: str) -> int:
    """The exit status of `python -m COMMAND` in a folder, or of `textsimp ARGUMENTS`, in this process."""
    module = "textsimp.cli" if command[0] == "textsimp" else command[0]
    with monkeypatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", list(command))
        patch.delitem(sys.modules, module, raising=False)
        root = logging.getLogger()
        patch.setattr(root, "handlers", [])
        level = root.level
        try:
            runpy.run_module(module, run_name="__main__")
        except SystemExit as end:
            return int(end.code or 0)
        finally:
            root.setLevel(level)
    return 0
