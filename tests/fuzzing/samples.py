"""Small valid input of every kind, written by us; each function fills a folder."""

import gzip
import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import annotation_sample
import crowd_sample
import numpy as np
import pytest
from alignment_sample import document_pair
from bad_input_sample import SOURCES, write_wiki
from dumps_sample import CONFIG, TITLES, article, dump, multistream, sql
from human_evaluation_sample import COMPLEX, OUTPUTS, exported, fill, write_texts
from newsela_sample import params, run, write_newsela, write_params
from simplifier_sample import write_simplifier
from typer.testing import CliRunner

from textsimp.cli.app import app
from textsimp.core.params import from_conf
from textsimp.core.records import unlabelled, write_pairs
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Resampling, Results
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig
from textsimp.extras.human.study import read_key
from textsimp.sources.generated.articles import GeneratorConfig, generate

PAIRS = [document_pair(number) for number in range(4)]
PLAIN = (
    "The otter, which Dr. Brown saw at 3.5 km, often swims near the river. It hunts at night!\n"
    "“Does it sleep?” asked Mr. Green.\n\nMany badgers live in the old forest. They dig.\n"
)
LINES = 6


def write_texts_to_pair(folder: Path) -> None:
    """Two plain texts."""
    (folder / "hard.txt").write_text(PLAIN, encoding="utf-8")
    (folder / "easy.txt").write_text("The otter swims. It hunts.\n\nBadgers dig – often.\n", encoding="utf-8")


def write_to_review(folder: Path) -> None:
    """A web page, a Markdown text and a docx."""
    import docx

    rows = "".join(f"<p>{row}</p>" for row in PLAIN.split("\n\n"))
    (folder / "hard.html").write_text(
        f"<html><body><h1>Otters</h1>{rows}<table><tr><td>a<td>b</table>", encoding="utf-8"
    )
    (folder / "hard.md").write_text(f"# Otters\n\n{PLAIN}\n- one\n- two\n", encoding="utf-8")
    text = docx.Document()
    text.add_paragraph("The otter swims. It hunts.")
    text.save(str(folder / "easy.docx"))


def write_folder_of_texts(folder: Path) -> None:
    """Two articles with both sides in one folder."""
    (folder / "texts").mkdir()
    for name in ("otter", "badger"):
        (folder / "texts" / f"{name}.complex.txt").write_text(PLAIN, encoding="utf-8")
        (folder / "texts" / f"{name}.simple.txt").write_text("The otter swims. It hunts.\n", encoding="utf-8")


def write_documents(folder: Path) -> None:
    """Document pairs without links, with gold links, and with links that a system found."""
    write_pairs(folder / "pairs.jsonl", unlabelled(PAIRS))
    write_pairs(folder / "gold.jsonl", PAIRS)
    write_pairs(folder / "found.jsonl", [replace(pair, alignments=(pair.alignments or ())[1:]) for pair in PAIRS])


def write_generated(folder: Path) -> None:
    """Document pairs of which a corpus can be made, others, and test data of elsewhere."""
    pairs, _ = generate(GeneratorConfig(articles=12, dev_sentences=1, test_sentences=1, seed=5))
    write_pairs(folder / "many.jsonl", pairs)
    write_pairs(folder / "fewer.jsonl", pairs[:8])
    write_lines(folder / "held.txt", pairs[0].complex.sentences)


def write_links(folder: Path) -> None:
    """An aligned document pair in every format that is read: with scores, as tables, and for other aligners."""
    links = tuple(replace(link, score=0.5 + place / 100) for place, link in enumerate(PAIRS[0].alignments or ()))
    write_pairs(folder / "pair.jsonl", [replace(PAIRS[0], alignments=links)])
    for side in (PAIRS[0].complex, PAIRS[0].simple):
        write_lines(folder / ("easy.txt" if side is PAIRS[0].simple else "hard.txt"), side.sentences)
    for name in ("links.ladder", "links.index", "links.bitext", "table.tsv", "table.csv"):
        result = CliRunner().invoke(app, ["convert", str(folder / "pair.jsonl"), str(folder / name)])
        assert result.exit_code == 0, result.output


def write_folder_of_documents(folder: Path) -> None:
    """Two shards in a folder."""
    (folder / "shards").mkdir()
    for number in (0, 1):
        write_pairs(folder / "shards" / f"part-{number}.jsonl", unlabelled(PAIRS[2 * number : 2 * number + 2]))


def write_vectors(folder: Path) -> None:
    """One table of word vectors in every format that is read."""
    write_documents(folder)
    words = sorted({word for pair in PAIRS for text in pair.complex.sentences for word in text.split()})
    numbers = np.random.default_rng(1).normal(size=(len(words), 4)).astype("<f4")
    rows = [f"{word} {' '.join(f'{value:.4f}' for value in row)}\n" for word, row in zip(words, numbers, strict=True)]
    head = f"{len(words)} 4\n".encode()
    text = "".join(rows).encode()
    binary = b"".join(word.encode() + b" " + row.tobytes() for word, row in zip(words, numbers, strict=True))
    files = {"glove.txt": text, "word2vec.txt": head + text, "word2vec.bin": head + binary}
    for name, data in {**files, "glove.txt.gz": gzip.compress(text, mtime=0)}.items():
        (folder / name).write_bytes(data)


def write_model(folder: Path) -> None:
    """A saved system that learns, and the documents that it was fitted on."""
    write_documents(folder)
    saved = ["--train", folder / "gold.jsonl", "--dev", folder / "gold.jsonl", "--save", folder / "model"]
    result = CliRunner().invoke(
        app, [*map(str, ["evaluate-alignment", folder / "gold.jsonl", "--system", "lr", *saved])]
    )
    assert result.exit_code == 0, result.output


def write_aligner(folder: Path) -> None:
    """A trained aligner of the tiny BERT."""
    from alignment_sample import RUNTIME, aligner_config, write_bert

    from textsimp.alignment.neural.training import train_aligner, train_encoder

    write_documents(folder)
    work = folder / "work"
    config = aligner_config(write_bert(folder / "bert"), max_steps=2)
    encoder, _ = train_encoder(PAIRS[:2], PAIRS[2:], config, RUNTIME, work / "state")
    encoder.save(work / "encoder")
    aligner, _ = train_aligner(PAIRS[:2], PAIRS[2:], "newsela", work / "encoder", config, RUNTIME)
    aligner.save(folder / "aligner")
    shutil.rmtree(work)


def write_text_to_simplify(folder: Path) -> None:
    """A plain text, and a trained simplifier."""
    write_texts_to_pair(folder)
    write_simplifier(folder)
    shutil.rmtree(folder / "work")


def write_outputs(folder: Path) -> None:
    """Line-aligned complex sentences, outputs, references, and word frequencies."""
    pairs = [
        sentences for pair in PAIRS for sentences in zip(pair.complex.sentences, pair.simple.sentences, strict=True)
    ]
    complex_, simple = zip(*pairs[:LINES], strict=True)
    write_lines(folder / "complex.txt", complex_)
    write_lines(folder / "mine.txt", simple)
    write_lines(folder / "other.txt", [line.lower() for line in complex_])
    write_lines(folder / "ref0.txt", simple[::-1])
    write_lines(folder / "ref1.txt", [f"So {line}" for line in simple])
    words = sorted({word.lower() for line in complex_ for word in line.split()})
    write_lines(folder / "frequencies.txt", [f"{word} {number}" for number, word in enumerate(words, 1)])


def write_leaderboard(folder: Path) -> None:
    """The folder of releases that the leaderboard reads, with invented texts."""
    write_outputs(folder)
    board = from_conf("leaderboard", LeaderboardConfig, "experiment=published")
    lines = {name: (folder / f"{name}.txt").read_text() for name in ("complex", "mine", "other", "ref0", "ref1")}
    texts = {name: text.lower() for name, text in lines.items()}
    for test_set in board.test_sets.values():
        numbered = test_set.references.endswith(".")
        references = [f"{test_set.references}{n}" for n in range(test_set.reference_count)] if numbered else []
        for name, text in [(test_set.complex, "complex"), *((name, "ref0") for name in references)]:
            (folder / "raw" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "raw" / name).write_text(texts[text], encoding="utf-8")
    for number, system in enumerate(board.systems.values()):
        path = folder / "raw" / system.output
        path.parent.mkdir(parents=True, exist_ok=True)
        text = texts["mine" if number % 2 else "other"]
        if path.suffix == ".jsonl":
            lines_of = [text.split("\n")[:-1] for text in (texts["complex"], text, texts["ref0"])]
            rows = [{"source": a, "model_output": b, "references": [c]} for a, b, c in zip(*lines_of, strict=True)]
            text = "".join(json.dumps(row) + "\n" for row in rows)
        path.write_text(text, encoding="utf-8")


def write_annotations(folder: Path) -> None:
    """What two annotators and an adjudicator downloaded."""
    write_documents(folder)
    annotation_sample.write_annotations(folder)


def write_crowd(folder: Path) -> None:
    """Documents of a crowd's study, its key, and the ratings of four workers."""
    crowd_sample.write_documents(folder)
    named = [word.replace("one=", f"one={folder}/") for word in crowd_sample.EXPORT]
    named[1], named[7], named[9] = (str(folder / name) for name in ("out", "tests.jsonl", "settings.yaml"))
    assert CliRunner().invoke(app, ["human", *named]).exit_code == 0
    sheets = crowd_sample.answered(read_key(folder / "out.key.json"), folder)
    arguments = ["human", "import", folder / "out.key.json", *sheets, "--output", folder / "ratings.csv"]
    assert CliRunner().invoke(app, list(map(str, arguments))).exit_code == 0
    shutil.rmtree(folder / "out")


def write_crowd_and_aligner(folder: Path) -> None:
    """The same, and a trained aligner, whose encoder is to propose candidates."""
    write_crowd(folder)
    write_aligner(folder)


def write_human(folder: Path) -> None:
    """Outputs to rate, filled sheets of three raters, their key, and the table that `import` makes of them."""
    study, sheets, _ = exported(folder)
    for rater in ("1", "2", "3"):
        (blank,) = sheets.glob(f"*{rater}.csv")
        fill(
            blank,
            folder / f"sheet{rater}.csv",
            lambda rater, item, criterion: str(1 + hash_of(rater, item, criterion) % 5),
        )
    shutil.rmtree(sheets)
    assert read_key(folder / "key.json") == study and COMPLEX and OUTPUTS
    filled = [str(folder / f"sheet{rater}.csv") for rater in (1, 2, 3)]
    arguments = ["human", "import", str(folder / "key.json"), *filled, "--output", str(folder / "ratings.csv")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    (folder / "settings.yaml").write_text(crowd_sample.SETTINGS)


def hash_of(*parts: str) -> int:
    """A number that is the same in every run."""
    return sum(ord(char) * place for place, char in enumerate("".join(parts), 1))


def write_texts_to_rate(folder: Path) -> None:
    """What `human export` takes."""
    write_texts(folder)
    (folder / "settings.yaml").write_text(crowd_sample.SETTINGS)


def write_dumps(folder: Path) -> None:
    """Dumps of two small wikis in the formats that exist, with all tables, and settings."""
    titles = TITLES[:5]
    complex_pages = [article(10 + number, f"{title} of English") for number, title in enumerate(titles)]
    simple_pages = [article(100 + number, title, "few") for number, title in enumerate(titles)]
    (folder / "en.xml.bz2").write_bytes(multistream("enwiki", complex_pages))
    (folder / "en.xml").write_text(dump("enwiki", complex_pages), encoding="utf-8")
    (folder / "simple.xml").write_text(dump("simplewiki", simple_pages), encoding="utf-8")
    (folder / "simple.xml.gz").write_bytes(gzip.compress((folder / "simple.xml").read_bytes(), mtime=0))
    sites = {"enwiki": "{} of English", "simplewiki": "{}"}
    rows = [(n, n, site, form.format(title)) for n, title in enumerate(titles, 1) for site, form in sites.items()]
    items = sql("wb_items_per_site", [(place, *row[1:]) for place, row in enumerate(rows, 1)], per_line=1)
    (folder / "items.sql").write_text(items, encoding="utf-8")
    (folder / "items.sql.gz").write_bytes(gzip.compress(items.encode(), mtime=0))
    links = [(10 + number, "simple", title) for number, title in enumerate(titles)]
    (folder / "langlinks.sql").write_text(sql("langlinks", links, per_line=1), encoding="utf-8")
    back = [(100 + number, "en", f"{title} of English") for number, title in enumerate(titles)]
    (folder / "langlinks-simple.sql").write_text(sql("langlinks", back, "simplewiki", per_line=1), encoding="utf-8")
    for name, site, number in (("props", "enwiki", 10), ("props-simple", "simplewiki", 100)):
        table = sql("page_props", [(number, "disambiguation", "", None), (number + 1, "defaultsort", "x", 1)], site, 1)
        (folder / f"{name}.sql").write_text(table, encoding="utf-8")
    (folder / "settings.yaml").write_text(json.dumps(asdict(CONFIG)), encoding="utf-8")


def write_licensed(folder: Path) -> None:
    """A release in Newsela's formats, and params.yaml."""
    write_params(folder, params(**SOURCES))
    write_newsela(folder / "newsela")


def write_acquired(folder: Path) -> None:
    """What `acquire` has made of it, and the same for WIKI-MANUAL and WIKI-AUTO."""
    write_licensed(folder)
    with pytest.MonkeyPatch.context() as patch:
        assert run(patch, folder, "stages.acquire", "newsela", "--raw", "raw", "--audit", "data/audit.jsonl") == 0
    shutil.rmtree(folder / "newsela")
    shutil.rmtree(folder / "data")
    write_wiki(folder / "raw-wiki")


def write_results(folder: Path) -> None:
    """A file of results."""
    results = Results(resampling=Resampling(100, 1), signatures={"sari": "SARI|x"}, notes={"a": "b"})
    for system in ("one", "two"):
        results.estimates[Cell("test", system, "sari")] = Estimate(31.5, 30.0, 33.0)
        results.estimates[Cell("test/level=1", system, "sari.add")] = Estimate(2)
    results.comparisons[Contrast("test", "sari", "one", "two")] = Comparison(0.1, -1.0, 1.2, 0.4, 0.5)
    results.write(folder / "results.json")
