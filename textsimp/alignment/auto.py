"""Alignment of unlabelled articles: the new training data of section 3 and its old counterpart (F2)."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from textsimp.alignment.chunked import Align, align_in_chunks
from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.neural.config import RuntimeConfig
from textsimp.alignment.resources import Resources
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.records import DocumentPair, Link
from textsimp.textfiles import partial_folder


@dataclass(frozen=True)
class AutoAlignConfig:
    """What is aligned automatically: `corpus.NAME.align` in params.yaml.

    splits: NEWSELA-AUTO covers the articles without annotation (section 3.1), WIKI-AUTO all of them, those that
        the aligner was trained on included (section 3.2).
    old_system: the lexical system that makes the old training data; the paper's old corpora come from other
        releases, aligned by Jaccard similarity (section 5.1).
    encoder: the pair encoder of the corpus's aligner, a key of `encoder_corpora`.
    """

    splits: list[str]
    old_system: str
    encoder: str


def unlabelled(pairs: Iterable[DocumentPair]) -> list[DocumentPair]:
    """The pairs without their gold links, so that nothing downstream can read them."""
    return [replace(pair, alignments=None) for pair in pairs]


def align_auto(pairs: Sequence[DocumentPair], aligner: Aligner, output: Path, runtime: RuntimeConfig) -> None:
    """Align by the trained aligner, restartable after a kill."""

    def chunk(part: Sequence[DocumentPair]) -> list[list[Link]]:
        aligner.scorer.forget()
        aligner.scorer.prepare(part)
        return [aligner.align(pair) for pair in part]

    identity = json.dumps([asdict(aligner.settings), aligner.digest])
    _run(pairs, chunk, output, runtime, identity, "align with the neural CRF")


def align_old(dev: Sequence[DocumentPair], config: SystemConfig, resources: Resources, output: Path) -> None:
    """Align the documents of `resources` by a lexical system whose thresholds are tuned on labelled dev pairs."""
    system = make_system(config, SharedSimilarities(resources))
    system.fit([], dev)

    def chunk(part: Sequence[DocumentPair]) -> list[list[Link]]:
        system.forget()
        return [system.align(pair) for pair in part]

    identity = json.dumps(asdict(config))
    _run(resources.corpus, chunk, output, resources.runtime, identity, "align lexically")


def _run(
    pairs: Sequence[DocumentPair], align: Align, output: Path, runtime: RuntimeConfig, identity: str, title: str
) -> None:
    align_in_chunks(pairs, align, output, partial_folder(output), runtime.chunk_pairs, identity, title)
