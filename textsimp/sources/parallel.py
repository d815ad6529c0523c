"""Line-aligned sentence pairs without documents (F1): EW-SEW, WIKI-AUTO as the ACL 2020 paper used it, WikiLarge.

These releases give training pairs directly: two files, the same line of each a pair. They carry no labels; all pairs
count as aligned. Lines that are empty or damaged on a side are left out and counted.
"""

import bz2
import re
import tarfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from textsimp.errors import bad_input
from textsimp.records import AlignmentLabel, SentencePair
from textsimp.sources.checks import damage
from textsimp.textfiles import quoted, read_aligned

WIKILARGE = "data-simplification.tar.bz2"
SPLITS = ("train", "valid", "test")
_MEMBER = "wikilarge/wiki.full.aner.ori.{split}.{side}"
_BRACKET = re.compile(r"\b([lr][rsc]b)\b")
_REMEDY = "fetch the release again"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class ParallelCorpus:
    """Sentence pairs, whose `pair_id` and `group` are NAME:LINE, and how many were left out for each reason."""

    pairs: list[SentencePair]
    dropped: dict[str, int]


def read_parallel(complex_: str | Path, simple: str | Path, name: str) -> ParallelCorpus:
    """The pairs of two line-aligned files (WIKI-AUTO: train.src and train.dst).

    Raises:
        InputError: a file is absent, empty or not UTF-8, or the numbers of lines differ.
    """
    rows = read_aligned([complex_, simple])
    if not rows:
        raise bad_input(complex_, None, "an empty file", _REMEDY)
    return _corpus(rows, name)


def read_ew_sew(folder: str | Path, name: str) -> ParallelCorpus:
    """The dev part of EW-SEW: `normal.dev` and `simple.dev`, lower-case Penn Treebank tokens that lost their hyphens.

    The bracket tokens `lrb` and `rrb` get their hyphens back, so that they are TURK's; words stay as they are
    (`sidebyside`). Many pairs are identical; the filter `identical` of the corpora drops those.

    Raises:
        InputError: as `read_parallel`.
    """
    corpus = read_parallel(Path(folder) / "normal.dev", Path(folder) / "simple.dev", name)
    pairs = [
        SentencePair(restore(pair.complex), restore(pair.simple), pair.label, pair.pair_id, pair.group)
        for pair in corpus.pairs
    ]
    return ParallelCorpus(pairs, corpus.dropped)


def restore(sentence: str) -> str:
    """The bracket tokens of EW-SEW as the Penn Treebank writes them."""
    return _BRACKET.sub(r"-\1-", sentence)


def read_wikilarge(archive: str | Path, split: str, name: str) -> ParallelCorpus:
    """One split of WikiLarge (Zhang and Lapata 2017), text without replaced entities, from its archive.

    Raises:
        InputError: the archive is absent, cut short or none, has a member that would leave its folder, lacks the
            split, or its two sides differ in length. Nothing is unpacked.
    """
    sides = [_member(Path(archive), _MEMBER.format(split=split, side=side)) for side in ("src", "dst")]
    if len(sides[0]) != len(sides[1]):
        what = f"{split}: {len(sides[0])} complex and {len(sides[1])} simple lines"
        raise bad_input(archive, None, what, _REMEDY)
    return _corpus(zip(*sides, strict=True), name)


def _member(archive: Path, name: str) -> list[str]:
    """The lines of a member. The archive is read to its end all the same, so that a cut one is found out."""
    lines = None
    try:
        with bz2.open(archive) as data, tarfile.open(fileobj=data, mode="r|") as tar:
            for member in tar:
                _check_member(archive, member)
                if f"/{member.name}".endswith(f"/{name}") and (file := tar.extractfile(member)):
                    lines = _lines(f"{archive}, {member.name}", file.read())
            while data.read(_CHUNK):
                pass
    except FileNotFoundError:
        raise bad_input(archive, None, "no such file", "check the path") from None
    except (tarfile.TarError, EOFError, OSError) as error:
        raise bad_input(archive, None, f"damaged or truncated archive ({error})", _REMEDY) from None
    if lines is None:
        raise bad_input(archive, None, f"no {name} in it", _REMEDY)
    return lines


def _check_member(archive: Path, member: tarfile.TarInfo) -> None:
    """No release has links, devices, or names that lead out of the folder where it is unpacked."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or not (member.isfile() or member.isdir()):
        what = f"the member {quoted(member.name)} is a link or device, or leads out of the archive"
        raise bad_input(archive, None, what, "do not use this archive; fetch the release again")


def _lines(place: str, data: bytes) -> list[str]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(place, line, f"byte {data[error.start]:#04x} is not UTF-8", _REMEDY) from None
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _corpus(rows: Iterable[tuple[str, ...]], name: str) -> ParallelCorpus:
    pairs, dropped = [], Counter[str]()
    for number, (complex_, simple) in enumerate(rows, 1):
        fault = damage(complex_) or damage(simple)
        if fault:
            dropped[fault.partition(" '")[0]] += 1
        else:
            key = f"{name}:{number}"
            pairs.append(SentencePair(complex_.strip(), simple.strip(), AlignmentLabel.ALIGNED, key, key))
    return ParallelCorpus(pairs, dict(sorted(dropped.items())))
