"""Small valid input of every kind, written by us; each function fills a folder, which is the current one."""

import bz2
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import crowd_sample
import numpy as np
from alignment_sample import document_pair
from annotation_sample import write_annotations
from bad_input_sample import wiki_pair, wikilarge, write_wiki
from dumps_sample import CONFIG, write_dumps
from human_evaluation_sample import exported, fill
from newsela_sample import write_newsela
from simplifier_sample import write_simplifier
from typer.testing import CliRunner

from textsimp.cli.app import app
from textsimp.core.params import from_conf
from textsimp.core.records import pair_line, unlabelled, write_pairs
from textsimp.evaluation.leaderboard import LeaderboardConfig
from textsimp.extras.human.study import read_key
from textsimp.sources.formats import DOCUMENT_PAIRS
from textsimp.sources.generated.articles import GeneratorConfig, generate
from textsimp.sources.newsela import NEWSELA_AUTO, NEWSELA_OLD
from textsimp.sources.parallel import WIKILARGE
from textsimp.sources.swipe import SWIPE
from textsimp.sources.wiki_auto import VALID, VALID_COLUMNS, WIKI_AUTO_VALID

PAIRS = [document_pair(number) for number in range(4)]
PLAIN = (
    "The otter, which Dr. Brown saw at 3.5 km, often swims near the river. It hunts at night!\n"
    "“Does it sleep?” asked Mr. Green.\n\nMany badgers live in the old forest. They dig.\n"
)
EASY = "The otter swims. It hunts.\n\nBadgers dig – often.\n"
ECHO = "local"
COMPLEX, SIMPLE = "The old otter , which swims , eats fish .", "Otters swim ."


def put(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files by their names."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def textsimp(*words: object) -> None:
    """Run a command that has to work."""
    result = CliRunner().invoke(app, list(map(str, words)))
    assert result.exit_code == 0, result.output


def texts(folder: Path) -> None:
    """Two texts in every form, and a folder of texts."""
    import docx

    rows = "".join(f"<p>{row}</p>" for row in PLAIN.split("\n\n"))
    page = f"<html><body><h1>Otters</h1>{rows}<table><tr><td>a<td>b</table>"
    put(folder, {"hard.txt": PLAIN, "hard.html": page, "hard.md": f"# Otters\n\n{PLAIN}\n- one\n", "easy.txt": EASY})
    put(folder, {"accepted.txt": "Otters swim. They hunt.\n", "other.txt": "Otters swim.\n"})
    for name in ("otter", "badger"):
        put(folder, {f"texts/{name}.complex.txt": PLAIN, f"texts/{name}.simple.txt": EASY})
    text = docx.Document()
    text.add_paragraph("The otter swims. It hunts.")
    text.save(str(folder / "easy.docx"))


def documents(folder: Path) -> None:
    """Document pairs without links, with gold links, and with links that a system found; enough for a corpus."""
    write_pairs(folder / "pairs.jsonl", unlabelled(PAIRS))
    for name in ("gold", "train", "dev", "other"):
        write_pairs(folder / f"{name}.jsonl", PAIRS)
    write_pairs(folder / "found.jsonl", [replace(pair, alignments=(pair.alignments or ())[1:]) for pair in PAIRS])
    (folder / "shards").mkdir()
    for number in (0, 1):
        write_pairs(folder / "shards" / f"part-{number}.jsonl", unlabelled(PAIRS[2 * number : 2 * number + 2]))
    pairs, _ = generate(GeneratorConfig(articles=12, dev_sentences=1, test_sentences=1, seed=5))
    write_pairs(folder / "many.jsonl", pairs)
    write_pairs(folder / "fewer.jsonl", pairs[:8])
    put(folder, {"held.txt": "".join(f"{sentence}\n" for sentence in pairs[0].complex.sentences)})


def links(folder: Path) -> None:
    """An aligned document pair in every format that is read, as `convert` writes it."""
    documents(folder)
    scored = tuple(replace(link, score=0.5 + place / 100) for place, link in enumerate(PAIRS[0].alignments or ()))
    write_pairs(folder / "pair.jsonl", [replace(PAIRS[0], alignments=scored)])
    for name, side in (("hard.txt", PAIRS[0].complex), ("easy.txt", PAIRS[0].simple)):
        put(folder, {name: "".join(f"{sentence}\n" for sentence in side.sentences)})
    for name in ("links.ladder", "links.index", "links.bitext", "table.tsv", "table.csv"):
        textsimp("convert", "pair.jsonl", name)


def vectors(folder: Path) -> None:
    """One table of word vectors in every format that is read, and documents."""
    documents(folder)
    words = sorted({word for pair in PAIRS for text in pair.complex.sentences for word in text.split()})
    table = list(zip(words, np.random.default_rng(1).normal(size=(len(words), 4)).astype("<f4"), strict=True))
    text = "".join(f"{word} {' '.join(f'{value:.4f}' for value in row)}\n" for word, row in table)
    head = f"{len(words)} 4\n"
    binary = head.encode() + b"".join(word.encode() + b" " + row.tobytes() for word, row in table)
    put(folder, {"glove.txt": text, "word2vec.txt": head + text, "word2vec.bin": binary})
    put(folder, {"glove.txt.gz": gzip.compress(text.encode(), mtime=0)})


def model(folder: Path) -> None:
    """A saved system that learns, and the documents that it was fitted on."""
    documents(folder)
    textsimp(
        "evaluate-alignment", "gold.jsonl", *"--system lr --train gold.jsonl --dev gold.jsonl --save model".split()
    )


def aligner(folder: Path) -> None:
    """A trained aligner of a tiny BERT, and documents."""
    from scale_sample import train_model

    documents(folder)
    train_model(folder / "trained")


def offer_echo() -> None:
    """Give the package `llm`, in this process, a model that always says the same."""
    import llm
    from test_prompted import Local

    llm.plugins.pm.register(Local(lambda sentence, call: "So it is."), name=ECHO)


def simplifier(folder: Path) -> None:
    """Texts, a trained simplifier, and what a model is asked with."""
    texts(folder)
    write_simplifier(folder)
    prompt = "Make it simple.\n{examples}\n\nComplex: {sentence}\nSimple:"
    put(folder, {"prompt.txt": prompt, "examples.tsv": f"{COMPLEX}\t{SIMPLE}\nThey dig often.\tThey dig.\n"})


def outputs(folder: Path) -> None:
    """Line-aligned complex sentences, outputs, references, and word frequencies."""
    hard = [text for pair in PAIRS for text in pair.complex.sentences][:6]
    easy = [text for pair in PAIRS for text in pair.simple.sentences][:6]
    files = {"complex": hard, "mine": easy, "other": [line.lower() for line in hard]}
    files |= {"ref0": easy[::-1], "ref1": [f"So {line}" for line in easy]}
    words = sorted({word.lower() for line in hard for word in line.split()})
    files["frequencies"] = [f"{word} {number}" for number, word in enumerate(words, 1)]
    put(folder, {f"{name}.txt": "".join(f"{line}\n" for line in lines) for name, lines in files.items()})


def leaderboard(folder: Path) -> None:
    """The folder of releases that the leaderboard reads, with these outputs in the systems' places."""
    outputs(folder)
    board = from_conf("leaderboard", LeaderboardConfig, "experiment=published")
    hard, mine, easy = ((folder / f"{name}.txt").read_text().lower() for name in ("complex", "mine", "ref0"))
    for test_set in board.test_sets.values():
        numbers = range(test_set.reference_count if test_set.references.endswith(".") else 0)
        put(
            folder,
            {f"raw/{test_set.complex}": hard, **{f"raw/{test_set.references}{place}": easy for place in numbers}},
        )
    rows = zip(*(text.splitlines() for text in (hard, mine, easy)), strict=True)
    records = [{"source": row[0], "model_output": row[1], "references": [row[2]]} for row in rows]
    table = "".join(json.dumps(record) + "\n" for record in records)
    for system in board.systems.values():
        put(folder, {f"raw/{system.output}": table if system.output.endswith(".jsonl") else mine})


def annotations(folder: Path) -> None:
    """What two annotators and an adjudicator downloaded."""
    documents(folder)
    write_annotations(folder)


def crowd(folder: Path) -> None:
    """Documents of a crowd's study, its key, the ratings of four workers."""
    crowd_sample.write_documents(folder)
    textsimp("human", *crowd_sample.EXPORT)
    sheets = crowd_sample.answered(read_key(folder / "out.key.json"), folder)
    textsimp("human", "import", "out.key.json", *sheets, "--output", "ratings.csv")


def human(folder: Path) -> None:
    """Outputs to rate, filled sheets of three raters, their key, and the table that `import` makes of them."""
    _, sheets, _ = exported(folder)
    for rater in (1, 2, 3):
        blank = next(sheets.glob(f"*{rater}.csv"))
        fill(blank, folder / f"sheet{rater}.csv", lambda rater, item, criterion: str(1 + sum(map(ord, item)) % 5))
    textsimp("human", "import", "key.json", "sheet1.csv", "sheet2.csv", "sheet3.csv", "--output", "ratings.csv")


def dumps(folder: Path) -> None:
    """Dumps of two small wikis, packed and not, Wikidata's table, and settings."""
    write_dumps(folder)
    for name, packed, change in (
        ("enwiki.xml", "enwiki.xml.bz2", bz2.decompress),
        ("items.sql", "items.sql.gz", gzip.decompress),
        ("simplewiki.xml.gz", "simplewiki.xml", gzip.compress),
    ):
        put(folder, {name: change((folder / packed).read_bytes())})
    put(folder, {"settings.yaml": json.dumps(asdict(CONFIG))})


def _sides(complex_: str, simple: str) -> dict[str, str]:
    return {complex_: f"{COMPLEX}\n" * 3, simple: f"{SIMPLE}\n" * 3}


def _benchmark(first: str, splits: Sequence[str], complex_: str, references: str, number: int) -> dict[str, str]:
    sides = (complex_, *(f"{references}.{place}" for place in range(number)))
    return {f"{first}{split}.{side}": f"{COMPLEX}\n{SIMPLE}\n" for split in splits for side in sides}


def _swipe_page(number: int) -> dict[str, object]:
    edits = [("equal", "text", f"The otter {number} swims"), ("delete", "delete", "rapidly")]
    edits += [("insert", "insert", "fast"), ("equal", "text", "in rivers."), ("delete", "delete", "It is old.")]
    page: dict[str, object] = {"_id": f"id-{number}", "r_page": f"Otter {number}", "s_page": f"Otter {number}"}
    for side, own in (("r_content", "delete"), ("s_content", "insert")):
        page[side] = "".join(f"{text} " for kind, _, text in edits if kind in ("equal", own))
    page["edits"] = [{"type": kind, key: text, "idx": place} for place, (kind, key, text) in enumerate(edits)]
    return page | {"annotations": [{"opis": [1, 2], "category": "lexical_generic"}]}


_LEVELS = (("Adv", ""), ("Int", "Intermediate \n\n"), ("Ele", "ELEMENTARY\n"))
_ONESTOP = "Otters, which are mammals, swim fast.  They eat fish.\n\nBeavers build dams. \n"
_LABELLED = f"text:{COMPLEX}\tlabels:{SIMPLE}\tepisode_done:True\n" * 3
_OLD = [f"DOC{n}\tV0\tV{level}\t{COMPLEX}\t{SIMPLE}\n" for n in (1, 2) for level in (2, 3)]
_VALID = [f"Otter {n},{n},{k},Otters {k} swim,1,\"['Otters {k}.']\"\n" for n in (1, 2) for k in (0, 1)]
RELEASES: dict[str, Mapping[str, str | bytes]] = {
    **dict.fromkeys(("newsela", "newsela_manual", "wiki_manual", "wiki_auto"), {}),
    "newsela_old": {str(NEWSELA_OLD): "".join(_OLD)},
    "newsela_auto": _sides(f"{NEWSELA_AUTO}/train.src", f"{NEWSELA_AUTO}/train.dst"),
    "wiki_auto_valid": {f"{WIKI_AUTO_VALID}/{VALID}": "".join([",".join(VALID_COLUMNS), "\n", *_VALID])},
    "wiki_auto_acl2020": _sides("wiki-auto-acl2020/train.src", "wiki-auto-acl2020/train.dst"),
    "swipe": {str(SWIPE): json.dumps([_swipe_page(number) for number in range(5)])},
    "onestop_english": {
        f"onestop_english/{level}-Txt/Zebra-{level.lower()}.txt": f"{head}{_ONESTOP}" for level, head in _LEVELS
    },
    "document_pairs": {DOCUMENT_PAIRS: "".join(pair_line(wiki_pair(number)) for number in range(2))},
    "kauchak_2013": _sides("kauchak_2013/src_valid.txt", "kauchak_2013/tgt_valid.txt")
    | _sides("kauchak_2013/src_test.txt", "kauchak_2013/tgt_test.txt"),
    "kauchak_2013_labelled": {f"kauchak_2013_labelled/{part}.txt": _LABELLED for part in ("valid", "test")},
    "kauchak_2013_tenth": _sides("ew_sew_dev/normal.dev", "ew_sew_dev/simple.dev"),
    "coster_kauchak": _sides("coster_kauchak_2011/wiki.tuning.complex", "coster_kauchak_2011/wiki.tuning.simple")
    | _sides("coster_kauchak/wiki.test.complex", "coster_kauchak/wiki.test.simple"),
    "wikilarge_part": _sides(*(f"wikilarge_part/wikilarge_chunk.train.{side}.txt" for side in ("complex", "simple"))),
    "d_wikipedia": _sides("d_wikipedia/valid.src", "d_wikipedia/valid.tgt"),
    "wikilarge": {f"wikilarge/{WIKILARGE}": wikilarge([COMPLEX] * 9, [SIMPLE] * 9)},
    "asset": _benchmark("asset/asset.", ("valid", "test"), "orig", "simp", 10),
    "turk": _benchmark("turk/", ("tune", "test"), "8turkers.tok.norm", "8turkers.tok.turk", 8),
}
"""A release of every format in `sources.formats.FORMATS`: its files; none for those of articles."""


def release(name: str, folder: Path) -> None:
    """Write the release of a format into the folder `raw`."""
    raw = folder / "raw"
    put(raw, RELEASES[name])
    if not RELEASES[name]:
        write_wiki(raw)
        write_newsela(raw)
        for path in (*raw.glob("article_corpus/*"), raw / "newsela-auto" / "newsela-manual"):
            path.rename(raw / path.name)
