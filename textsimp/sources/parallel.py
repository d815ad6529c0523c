"""Line-aligned releases without documents: training pairs, and test sets with several references.

The training pairs (Coster and Kauchak 2011, Kauchak 2013, WIKI-AUTO of the ACL 2020 paper, WikiLarge) carry no labels,
so all count as aligned; lines that are empty or damaged on a side are left out and counted. In TURK, ASSET and the
test part of Coster and Kauchak no fault is passed over.
"""

import bz2
import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import decoded, folder_files, lines_of, opened, read_aligned
from textsimp.core.records import AlignmentLabel, SentencePair
from textsimp.core.writing import write_lines
from textsimp.sources.sentences import check_text, damage

WIKILARGE = "data-simplification.tar.bz2"
ASSET = Path("asset")
TURK_REFERENCES, ASSET_REFERENCES = 8, 10
"""How many references the releases have of every sentence."""
_MEMBER = "wikilarge/wiki.full.aner.ori.train.{side}"
_BRACKET = re.compile(r"\b([lr][rsc]b)\b")
_LABELLED = re.compile(r"text:([^\t]*)\tlabels:([^\t]*)\tepisode_done:True")
_REMEDY = "fetch the release again"
_CHUNK = 1 << 20
MISSING = Path("provenance", "missing.json")
"""What `acquire` writes in raw data in place of optional releases that cannot be had: `missing` and `how` to get it."""
MultiReference = tuple[str, tuple[str, ...]]  # complex sentence, its simplifications


@dataclass(frozen=True)
class ParallelCorpus:
    """Sentence pairs, whose `pair_id` and `group` are NAME:LINE, and how many were left out for each reason."""

    pairs: list[SentencePair]
    dropped: dict[str, int]


def read_parallel(complex_: str | Path, simple: str | Path, name: str) -> ParallelCorpus:
    """Return the pairs of two line-aligned files (WIKI-AUTO: train.src and train.dst); `InputError` as `read_rows`."""
    return _corpus(read_rows(complex_, simple), name, complex_)


def read_rows(*paths: str | Path) -> list[tuple[str, ...]]:
    """Read line-aligned files; `InputError` where one is absent, empty or not UTF-8, or the numbers of lines differ."""
    rows = read_aligned(paths)
    if not rows:
        raise bad_input(paths[0], None, "an empty file", _REMEDY)
    return rows


def read_kauchak_tenth(raw: Path) -> ParallelCorpus:
    """Return a tenth of Kauchak 2013 (`normal.dev`, `simple.dev`): lower-case Penn Treebank tokens without hyphens.

    The bracket tokens `lrb` and `rrb` get their hyphens back, so that they are TURK's; words stay as they are
    (`sidebyside`). Three in ten pairs are identical. `InputError` as `read_rows`.
    """
    folder = raw / "ew_sew_dev"
    rows = read_rows(folder / "normal.dev", folder / "simple.dev")
    return _corpus((tuple(_BRACKET.sub(r"-\1-", side) for side in row) for row in rows), "kauchak_2013_tenth", folder)


def read_kauchak(folder: str | Path, name: str) -> ParallelCorpus:
    """Return two further tenths of Kauchak 2013, cased tokens; `InputError` as `read_rows`."""
    folder = Path(folder)
    sides = [[folder / f"{side}_{part}.txt" for side in ("src", "tgt")] for part in ("valid", "test")]
    return _corpus([row for paths in sides for row in read_rows(*paths)], name, folder)


def read_kauchak_labelled(raw: Path) -> ParallelCorpus:
    """Return the pairs of Kauchak 2013 in lines `text:COMPLEX<TAB>labels:SIMPLE<TAB>episode_done:True`, of two files.

    `InputError` as `read_rows`, or where a line has another form.
    """
    folder, rows = raw / "kauchak_2013_labelled", []
    for path in (folder / "valid.txt", folder / "test.txt"):
        for number, (line,) in enumerate(read_rows(path), 1):
            match = _LABELLED.fullmatch(line)
            if not match:
                raise bad_input(path, number, "not `text:COMPLEX<TAB>labels:SIMPLE<TAB>episode_done:True`", _REMEDY)
            rows.append(match.groups())
    return _corpus(rows, folder.name, folder)


def read_coster_kauchak(folder: str | Path, split: str, number: int | None = 1) -> list[MultiReference]:
    """Return the pairs of one split (`tuning` or `test`) of Coster and Kauchak 2011, one reference each.

    `InputError` as `read_rows`, or for an empty or damaged line.
    """
    stem = Path(folder) / f"wiki.{split}"
    return _references([Path(f"{stem}.complex"), Path(f"{stem}.simple")])


def read_wikilarge(raw: Path) -> ParallelCorpus:
    """Return the training pairs of WikiLarge (Zhang and Lapata 2017), text without replaced entities.

    Nothing is unpacked. `InputError` where the archive is absent, cut short or none, lacks a side, or its sides differ
    in length.
    """
    archive = raw / "wikilarge" / WIKILARGE
    complex_, simple = (_member(archive, _MEMBER.format(side=side)) for side in ("src", "dst"))
    if len(complex_) != len(simple):
        what = f"train: {len(complex_)} complex and {len(simple)} simple lines"
        raise bad_input(archive, None, what, _REMEDY)
    return _corpus(zip(complex_, simple, strict=True), "wikilarge", archive)


def _member(archive: Path, name: str) -> list[str]:
    """Return the lines of a member. The archive is read to its end all the same, so that a cut one is found out."""
    lines = None
    with opened(archive) as file:
        try:
            with bz2.open(file) as data, tarfile.open(fileobj=data, mode="r|") as tar:
                for member in tar:
                    if f"/{member.name}".endswith(f"/{name}") and (inner := tar.extractfile(member)):
                        where = f"{archive}, {member.name}"
                        lines = lines_of(decoded(inner.read(), where, 1))
                while data.read(_CHUNK):
                    pass
        except InputError:
            raise
        except (tarfile.TarError, EOFError, OSError, zlib.error, ValueError) as error:
            raise bad_input(archive, None, f"damaged or truncated archive ({error})", _REMEDY) from None
    if lines is None:
        raise bad_input(archive, None, f"no {name} in it", _REMEDY)
    return lines


def _corpus(rows: Iterable[tuple[str, ...]], name: str, path: str | Path) -> ParallelCorpus:
    pairs, dropped = [], Counter[str]()
    for number, (complex_, simple) in enumerate(rows, 1):
        if fault := damage(complex_, simple):
            dropped[fault.partition(" '")[0]] += 1
        else:
            key = f"{name}:{number}"
            pairs.append(SentencePair(complex_.strip(), simple.strip(), AlignmentLabel.ALIGNED, key, key))
    if not pairs:
        what = f"no line is a pair of sentences (left out: {dict(sorted(dropped.items()))})"
        raise bad_input(path, None, what, _REMEDY)
    return ParallelCorpus(pairs, dict(sorted(dropped.items())))


def reference_files(prefix: Path, number: int | None = None) -> list[Path]:
    """Return the files PREFIX0, PREFIX1, ...: `number` of them, or as many as there are.

    `InputError` where there is none, one is missing, or there is one too many.
    """
    present = {path.name.removeprefix(prefix.name) for path in folder_files(prefix.parent, f"{prefix.name}*", _REMEDY)}
    expected = [str(count) for count in range(number or max(len(present), 1))]
    paths = [prefix.with_name(f"{prefix.name}{count}") for count in expected]
    for path, count in zip(paths, expected, strict=True):
        if count not in present:
            what = "no such file" if number is None else f"no such file, and the release has {number} references"
            raise bad_input(path, None, what, _REMEDY)
    if more := sorted(present - set(expected)):
        what = f"no reference of the release, which has {len(expected)}"
        raise bad_input(f"{prefix}{more[0]}", None, what, "move it elsewhere")
    return paths


def _references(paths: list[Path]) -> list[MultiReference]:
    rows = read_rows(*paths)
    for number, row in enumerate(rows, 1):
        for path, text in zip(paths, row, strict=True):
            check_text(path, number, text)
    return [(row[0], row[1:]) for row in rows]


def read_turk(folder: str | Path, split: str, number: int | None = TURK_REFERENCES) -> list[MultiReference]:
    """Return the sentences of one split (`tune` or `test`) with their references.

    There have to be `number` of them, or as many as there are for None. `InputError` as `reference_files` and
    `read_rows`, or for an empty or damaged line.
    """
    stem = Path(folder) / f"{split}.8turkers.tok"
    return _references([Path(f"{stem}.norm"), *reference_files(Path(f"{stem}.turk."), number)])


def read_asset(folder: str | Path, split: str, number: int | None = ASSET_REFERENCES) -> list[MultiReference]:
    """Return the sentences of one split (`valid` or `test`) with their references, as `read_turk` does."""
    stem = Path(folder) / f"asset.{split}"
    return _references([Path(f"{stem}.orig"), *reference_files(Path(f"{stem}.simp."), number)])


def write_asset(folder: str | Path, split: str, rows: Iterable[MultiReference]) -> None:
    """Write sentences and references in ASSET's layout."""
    sentences, references = zip(*rows, strict=True)
    write_lines(Path(folder) / f"asset.{split}.orig", sentences)
    for number, column in enumerate(zip(*references, strict=True)):
        write_lines(Path(folder) / f"asset.{split}.simp.{number}", column)
