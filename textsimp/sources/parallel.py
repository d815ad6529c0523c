"""Line-aligned releases without documents: training pairs, and test sets with several references.

The training pairs (EW-SEW, WIKI-AUTO of the ACL 2020 paper, WikiLarge) carry no labels, so all count as aligned;
lines that are empty or damaged on a side are left out and counted. In TURK and ASSET no fault is passed over.
"""

import bz2
import re
import tarfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from textsimp.core.errors import bad_input
from textsimp.core.records import AlignmentLabel, SentencePair
from textsimp.core.textfiles import quoted, read_aligned, write_lines
from textsimp.sources.sentences import check_text, damage

WIKILARGE = "data-simplification.tar.bz2"
ASSET = Path("asset")
_MEMBER = "wikilarge/wiki.full.aner.ori.{split}.{side}"
_BRACKET = re.compile(r"\b([lr][rsc]b)\b")
_REMEDY = "fetch the release again"
_CHUNK = 1 << 20
MultiReference = tuple[str, tuple[str, ...]]  # complex sentence, its simplifications


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
    return _corpus(_read_rows(complex_, simple), name)


def _read_rows(*paths: str | Path) -> list[tuple[str, ...]]:
    rows = read_aligned(paths)
    if not rows:
        raise bad_input(paths[0], None, "an empty file", _REMEDY)
    return rows


def read_ew_sew(folder: str | Path, name: str) -> ParallelCorpus:
    """The dev part of EW-SEW: `normal.dev` and `simple.dev`, lower-case Penn Treebank tokens that lost their hyphens.

    The bracket tokens `lrb` and `rrb` get their hyphens back, so that they are TURK's; words stay as they are
    (`sidebyside`). Many pairs are identical; the filter `identical` of the corpora drops those.

    Raises:
        InputError: as `read_parallel`.
    """
    rows = _read_rows(Path(folder) / "normal.dev", Path(folder) / "simple.dev")
    return _corpus((tuple(_BRACKET.sub(r"-\1-", side) for side in row) for row in rows), name)


def read_wiki_auto_acl2020(raw: Path) -> ParallelCorpus:
    """The training pairs of WIKI-AUTO as the ACL 2020 paper used it; `InputError` as `read_parallel`."""
    folder = raw / "wiki-auto-acl2020"
    return read_parallel(folder / "train.src", folder / "train.dst", "wiki_auto_acl2020")


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


def _lines(name: str, data: bytes) -> list[str]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(name, line, f"byte {data[error.start]:#04x} is not UTF-8", _REMEDY) from None
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _corpus(rows: Iterable[tuple[str, ...]], name: str) -> ParallelCorpus:
    pairs, dropped = [], Counter[str]()
    for number, (complex_, simple) in enumerate(rows, 1):
        if fault := damage(complex_, simple):
            dropped[fault.partition(" '")[0]] += 1
        else:
            key = f"{name}:{number}"
            pairs.append(SentencePair(complex_.strip(), simple.strip(), AlignmentLabel.ALIGNED, key, key))
    return ParallelCorpus(pairs, dict(sorted(dropped.items())))


def read_references(complex_: Path, prefix: str) -> list[MultiReference]:
    """Complex sentences with the references of the files PREFIX0, PREFIX1, ... beside them.

    Raises:
        InputError: no reference or a gap in their numbers, files of different lengths, an empty or damaged line.
    """
    numbers = {path.name.removeprefix(prefix) for path in complex_.parent.glob(f"{prefix}*")}
    expected = {str(number) for number in range(len(numbers))}
    if not numbers or numbers != expected:
        what = f"references {sorted(numbers)} beside it, not 0, 1, ..."
        raise bad_input(complex_, None, what, _REMEDY)
    paths = [complex_, *(complex_.parent / f"{prefix}{number}" for number in range(len(numbers)))]
    rows = _read_rows(*paths)
    for number, row in enumerate(rows, 1):
        for path, text in zip(paths, row, strict=True):
            check_text(path, number, text)
    return [(row[0], row[1:]) for row in rows]


def read_turk(folder: str | Path, split: str) -> list[MultiReference]:
    """The sentences of one split (`tune` or `test`) with their eight references; `InputError` as `read_references`."""
    return read_references(Path(folder) / f"{split}.8turkers.tok.norm", f"{split}.8turkers.tok.turk.")


def read_asset(folder: str | Path, split: str) -> list[MultiReference]:
    """The sentences of one split (`valid` or `test`) with all their references; `InputError` as `read_references`."""
    stem = Path(folder) / f"asset.{split}"
    return read_references(Path(f"{stem}.orig"), f"{stem.name}.simp.")


def write_asset(folder: str | Path, split: str, rows: Iterable[MultiReference]) -> None:
    """Write sentences and references in ASSET's layout."""
    sentences, references = zip(*rows, strict=True)
    write_lines(Path(folder) / f"asset.{split}.orig", sentences)
    for number, column in enumerate(zip(*references, strict=True)):
        write_lines(Path(folder) / f"asset.{split}.simp.{number}", column)
