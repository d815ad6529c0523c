"""A small release of every format in `sources.formats.FORMATS`, with sentences of ours."""

import json
from collections.abc import Callable
from pathlib import Path

from bad_input_sample import UNPACK, member, wiki_pair, write_wiki
from newsela_sample import MANUAL, pair, write_newsela

from textsimp.core.records import write_pairs
from textsimp.sources.formats import DOCUMENT_PAIRS
from textsimp.sources.manual import NEWSELA_MANUAL, WIKI_MANUAL, write_manual
from textsimp.sources.newsela import NEWSELA_AUTO, NEWSELA_OLD
from textsimp.sources.parallel import WIKILARGE
from textsimp.sources.swipe import SWIPE
from textsimp.sources.wiki_auto import VALID, WIKI_AUTO_VALID

COMPLEX, SIMPLE = "The old otter , which swims , eats fish .", "Otters swim ."


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _sides(folder: Path, *names: str) -> None:
    for name, text in zip(names, (COMPLEX, SIMPLE), strict=True):
        _write(folder / name, f"{text}\n" * 3)


def newsela(raw: Path) -> None:
    """Articles as `acquire` leaves them."""
    write_newsela(raw / "release")
    for path in (raw / "release" / "article_corpus").iterdir():
        path.rename(raw / path.name)


def newsela_manual(raw: Path) -> None:
    """The three TSVs of the manual annotation."""
    for split, slug in MANUAL.items():
        write_manual(raw / NEWSELA_MANUAL / f"{split}.tsv", [pair(slug, 0, 1), pair(slug, 1, 4)], with_gleu=False)


def newsela_old(raw: Path) -> None:
    """The sentence pairs of Xu et al. 2015."""
    rows = [f"DOC{n}\tV0\tV{level}\t{COMPLEX}\t{SIMPLE}\n" for n in (1, 2) for level in (2, 3)]
    _write(raw / NEWSELA_OLD, "".join(rows))


def wiki_manual(raw: Path) -> None:
    """The three TSVs of the manual annotation."""
    for number, split in enumerate(("train", "dev", "test")):
        write_manual(raw / WIKI_MANUAL / f"{split}.tsv", [wiki_pair(number)], with_gleu=True)


def wiki_auto_valid(raw: Path) -> None:
    """The sentences of the validation part."""
    rows = ["title,pair_id,sent_id,complex,label,simple"]
    rows += [
        f"Otter {n},{n},{sent},{f'Otters {sent} swim'},1,\"['Otters {sent}.']\"" for n in (1, 2) for sent in (0, 1)
    ]
    _write(raw / WIKI_AUTO_VALID / VALID, "\n".join(rows) + "\n")


def swipe(raw: Path) -> None:
    """Five pages with edits."""
    pages = []
    for number in range(5):
        edits = [
            ("equal", "text", f"The otter {number} swims"),
            ("delete", "delete", "rapidly"),
            ("insert", "insert", "fast"),
        ]
        edits += [("equal", "text", "in rivers."), ("delete", "delete", "It was described by Brisson.")]
        steps = [{"type": kind, key: text, "idx": place} for place, (kind, key, text) in enumerate(edits)]
        texts = {
            side: "".join(f"{text} " for kind, _, text in edits if kind in ("equal", own))
            for side, own in (("r_content", "delete"), ("s_content", "insert"))
        }
        names = {"_id": f"id-{number}", "r_page": f"Otter {number}", "s_page": f"Otter {number}"}
        pages.append(
            {**names, **texts, "edits": steps, "annotations": [{"opis": [1, 2], "category": "lexical_generic"}]}
        )
    _write(raw / SWIPE, json.dumps(pages))


def onestop(raw: Path) -> None:
    """Two articles at three levels."""
    texts = {
        "Adv": "Otters, which are mammals, swim rapidly.  They devour fish.\n\nBeavers construct dams. \n",
        "Int": "Intermediate \n\nOtters swim fast.\nThey eat fish.\nBeavers build dams.\n",
        "Ele": "ELEMENTARY\nOtters swim. They eat fish.\nBeavers build dams.",
    }
    for level, text in texts.items():
        for name in ("Two animals", "Zebra"):
            _write(raw / "onestop_english" / f"{level}-Txt" / f"{name}-{level.lower()}.txt", text)


def benchmark(raw: Path, complex_: str, references: str, number: int) -> None:
    """A test set with several references."""
    _write(raw / complex_, f"{COMPLEX}\n{COMPLEX} \n")
    for reference in range(number):
        _write(raw / f"{references}{reference}", f"{SIMPLE}\nOtters eat fish .\n")


def archive(raw: Path) -> None:
    """WikiLarge's archive."""
    path = raw / "wikilarge" / WIKILARGE
    path.parent.mkdir(parents=True)
    path.write_bytes(member("data-simplification/README")())
    assert UNPACK


def _turk(raw: Path) -> None:
    for split in ("tune", "test"):
        benchmark(raw / "turk", f"{split}.8turkers.tok.norm", f"{split}.8turkers.tok.turk.", 8)


def _asset(raw: Path) -> None:
    for split in ("valid", "test"):
        benchmark(raw / "asset", f"asset.{split}.orig", f"asset.{split}.simp.", 10)


def _kauchak(raw: Path) -> None:
    for part in ("valid", "test"):
        _sides(raw / "kauchak_2013", f"src_{part}.txt", f"tgt_{part}.txt")


def _labelled(raw: Path) -> None:
    for part in ("valid", "test"):
        _write(
            raw / "kauchak_2013_labelled" / f"{part}.txt", f"text:{COMPLEX}\tlabels:{SIMPLE}\tepisode_done:True\n" * 3
        )


def _coster_kauchak(raw: Path) -> None:
    for folder in ("coster_kauchak_2011", "coster_kauchak"):
        for part in ("tuning", "test"):
            _sides(raw / folder, f"wiki.{part}.complex", f"wiki.{part}.simple")


def _document_pairs(raw: Path) -> None:
    write_pairs(raw / DOCUMENT_PAIRS, [wiki_pair(number) for number in range(2)])


WRITERS: dict[str, Callable[[Path], None]] = {
    "newsela": newsela,
    "newsela_manual": newsela_manual,
    "newsela_old": newsela_old,
    "newsela_auto": lambda raw: _sides(raw / NEWSELA_AUTO, "train.src", "train.dst"),
    "wiki_manual": wiki_manual,
    "wiki_auto": write_wiki,
    "wiki_auto_valid": wiki_auto_valid,
    "wiki_auto_acl2020": lambda raw: _sides(raw / "wiki-auto-acl2020", "train.src", "train.dst"),
    "swipe": swipe,
    "onestop_english": onestop,
    "document_pairs": _document_pairs,
    "kauchak_2013": _kauchak,
    "kauchak_2013_labelled": _labelled,
    "kauchak_2013_tenth": lambda raw: _sides(raw / "ew_sew_dev", "normal.dev", "simple.dev"),
    "coster_kauchak": _coster_kauchak,
    "wikilarge_part": lambda raw: _sides(
        raw / "wikilarge_part", *(f"wikilarge_chunk.train.{side}.txt" for side in ("complex", "simple"))
    ),
    "d_wikipedia": lambda raw: _sides(raw / "d_wikipedia", "valid.src", "valid.tgt"),
    "wikilarge": archive,
    "asset": _asset,
    "turk": _turk,
}
"""By the name of the format; a test fails where one is missing."""
