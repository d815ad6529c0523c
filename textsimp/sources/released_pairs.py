"""Training pairs that a release gives as they are, by its name in `corpus.NAME.build.released` (F1)."""

from collections.abc import Callable
from pathlib import Path

from textsimp.errors import InputError
from textsimp.records import SentencePair
from textsimp.sources.newsela_aligned import NEWSELA_OLD, read_newsela_aligned, read_newsela_auto
from textsimp.sources.parallel import WIKILARGE, ParallelCorpus, read_ew_sew, read_parallel, read_wikilarge
from textsimp.sources.unlabelled import WIKI_AUTO_VALID
from textsimp.sources.wiki_auto_valid import read_wiki_auto_valid

SIMILAR_LEVELS = ((0, 1), (1, 2), (2, 3))
"""Jiang et al. 2020, section 5.1."""


def read_released_pairs(name: str, raw: Path) -> ParallelCorpus:
    """The training pairs of an acquired release.

    Args:
        name: one of `RELEASES`.
        raw: the folder of the corpus under data/raw.

    Raises:
        InputError: an unknown name, or a file of the release that is absent or bad.
    """
    if name not in RELEASES:
        raise InputError(
            f"corpus build: released: {name!r} is none of {', '.join(RELEASES)}; correct it in conf/corpus"
        )
    return RELEASES[name](raw)


def _ew_sew(raw: Path) -> ParallelCorpus:
    return read_ew_sew(raw / "ew_sew_dev", "ew_sew_dev")


def _wikilarge(raw: Path) -> ParallelCorpus:
    return read_wikilarge(raw / "wikilarge" / WIKILARGE, "train", "wikilarge")


def _wiki_auto_acl2020(raw: Path) -> ParallelCorpus:
    folder = raw / "wiki-auto-acl2020"
    return read_parallel(folder / "train.src", folder / "train.dst", "wiki_auto_acl2020")


def _wiki_auto_valid(raw: Path) -> ParallelCorpus:
    """Every sentence pair that the authors' aligner linked."""
    pairs = []
    for pair in read_wiki_auto_valid(raw / WIKI_AUTO_VALID, "wiki_auto_valid"):
        complex_, simple = pair.complex.sentences, pair.simple.sentences
        pairs += [
            SentencePair(complex_[link.complex], simple[link.simple], link.label, pair.id, pair.group)
            for link in pair.alignments or ()
        ]
    return ParallelCorpus(pairs, {})


def _newsela_old(raw: Path) -> ParallelCorpus:
    """Xu et al. 2015 without the neighbouring levels that Zhang and Lapata 2017 left out."""
    return read_newsela_aligned(raw / NEWSELA_OLD, "newsela_old", lambda *levels: levels not in SIMILAR_LEVELS)


def _newsela_auto(raw: Path) -> ParallelCorpus:
    return read_newsela_auto(raw, "train", "newsela_auto")


RELEASES: dict[str, Callable[[Path], ParallelCorpus]] = {
    "ew_sew_dev": _ew_sew,
    "wikilarge": _wikilarge,
    "wiki_auto_acl2020": _wiki_auto_acl2020,
    "wiki_auto_valid": _wiki_auto_valid,
    "newsela_old": _newsela_old,
    "newsela_auto": _newsela_auto,
}
