"""Sentence pairs of Newsela that others aligned, for who has the licence (F1).

Xu et al. 2015, `newsela_data_share-*/newsela_articles_*.aligned.sents.txt`: a line a pair, five columns parted by tabs:
document id, version of the complex side (V0, the original, to V4), version of the simple side, complex sentence,
simple sentence. NEWSELA-AUTO (Jiang et al. 2020), `newsela-auto/ACL2020/{train,valid,test}.{src,dst}`: line-aligned.

No message quotes a sentence.
"""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.records import AlignmentLabel, SentencePair
from textsimp.sources.checks import damage
from textsimp.sources.parallel import SPLITS, ParallelCorpus, read_parallel
from textsimp.textfiles import quoted, read_lines

NEWSELA_AUTO = Path("newsela-auto", "ACL2020")
NEWSELA_OLD = Path("newsela-old", "aligned.sents.txt")
"""Where acquire puts the file of Xu et al. 2015."""
XU2015 = "newsela_data_share-*/newsela_articles_*.aligned.sents.txt"
_COLUMNS = ("document", "complex version", "simple version", "complex sentence", "simple sentence")
_VERSION = re.compile(r"V([0-4])")
_REMEDY = "unpack the release again, or correct the line"


def read_newsela_aligned(
    path: str | Path, name: str, keep: Callable[[int, int], bool] = lambda complex_, simple: True
) -> ParallelCorpus:
    """The pairs of Xu et al. 2015, all as aligned: the release says no more.

    Lines that are empty or damaged on a side are left out and counted, and so are those of levels that are not kept.

    Args:
        path: the file.
        name: begins the ids: `group` is NAME:DOCUMENT, `pair_id` is NAME:DOCUMENT.COMPLEX-SIMPLE:LINE.
        keep: whether to keep pairs of (complex, simple) levels, 0 to 4. Jiang et al. 2020, section 5.1, leave out 0-1,
            1-2 and 2-3, after Zhang and Lapata 2017.

    Raises:
        InputError: the file is absent, empty or not UTF-8; a line without five columns, with an unknown version, or
            whose simple side is at no simpler version.
    """
    pairs, dropped = [], Counter[str]()
    lines = read_lines(path)
    if not lines:
        raise bad_input(path, None, "an empty file", _REMEDY)
    for number, line in enumerate(lines, 1):
        try:
            document, levels, sentences = _row(line)
        except InputError as error:
            raise bad_input(path, number, str(error), _REMEDY) from None
        fault = next((fault for sentence in sentences if (fault := damage(sentence))), None)
        if fault or not keep(*levels):
            dropped[fault.partition(" '")[0] if fault else f"levels {levels[0]}-{levels[1]}"] += 1
            continue
        group = f"{name}:{document}"
        complex_, simple = (sentence.strip() for sentence in sentences)
        pair_id = f"{group}.{levels[0]}-{levels[1]}:{number}"
        pairs.append(SentencePair(complex_, simple, AlignmentLabel.ALIGNED, pair_id, group))
    return ParallelCorpus(pairs, dict(sorted(dropped.items())))


def find_newsela_aligned(folder: str | Path) -> Path:
    """The one file of Xu et al. 2015 below a folder; `InputError` where there is none, or several."""
    found = sorted(Path(folder).glob(f"**/{XU2015}"))
    if len(found) != 1:
        what = f"{len(found)} files {XU2015} below it, not one"
        raise bad_input(folder, None, what, "give the folder of one Newsela release")
    return found[0]


def read_newsela_auto(folder: str | Path, split: str, name: str) -> ParallelCorpus:
    """The pairs of one split of NEWSELA-AUTO as the ACL 2020 paper used it.

    Args:
        folder: the folder that holds `newsela-auto/ACL2020`.
        split: train, valid or test.
        name: begins the ids.

    Raises:
        InputError: an unknown split; a file is absent, empty or not UTF-8, or the numbers of lines differ.
    """
    if split not in SPLITS:
        raise InputError(f"NEWSELA-AUTO has no split {split!r}; it is one of {', '.join(SPLITS)}")
    complex_, simple = (Path(folder) / NEWSELA_AUTO / f"{split}.{side}" for side in ("src", "dst"))
    return read_parallel(complex_, simple, name)


def _row(line: str) -> tuple[str, tuple[int, int], tuple[str, str]]:
    """Document, (complex, simple) level and sentences of a line; `InputError` without place for another form."""
    cells = line.split("\t")
    if len(cells) != len(_COLUMNS):
        raise InputError(f"{len(cells)} columns, not {len(_COLUMNS)}: {', '.join(_COLUMNS)}")
    document = cells[0].strip()
    if not re.fullmatch(r"\S+", document):
        raise InputError(f"document id {quoted(cells[0])} is empty or has a space in it")
    complex_, simple = (_level(cell) for cell in cells[1:3])
    if complex_ >= simple:
        raise InputError(f"version V{simple} is not simpler than V{complex_}")
    return document, (complex_, simple), (cells[3], cells[4])


def _level(cell: str) -> int:
    match = _VERSION.fullmatch(cell.strip())
    if not match:
        raise InputError(f"version {quoted(cell)} is none of V0 to V4")
    return int(match[1])
