"""What is tried: every command with each file that it reads, every reader of a format, stages.

A command's parameter that is marked `Reads()` and stands in no target fails a test (tests/test_fuzzing.py).
"""

import functools
import json
import math
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzzing import release_samples, samples
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.reading import read_lines
from textsimp.core.records import read_pairs
from textsimp.sources.config import SourceConfig
from textsimp.sources.draws import ManualDraw
from textsimp.sources.formats import FORMATS
from textsimp.sources.swipe import LinkRule

Check = Callable[[Path, str], None]


@dataclass(frozen=True, eq=False)
class Target:
    """One way to run the project on a folder of samples.

    Attributes:
        run: the arguments of `textsimp`; of a stage, its module first; or a name of `READERS` behind `reader`.
        build: fills the folder.
        reads: the files that are damaged, by the parameter that takes them; a pattern stands for several.
        writes: what may be there after it, or changed; folders with all that they hold.
        check: looks at the folder and the output of an accepted run; `AssertionError` says what makes no sense.
        weight: how often it is drawn, against 1.
        seconds: longer is a hang.
    """

    run: tuple[str, ...]
    build: Callable[[Path], None]
    reads: Mapping[str, tuple[str, ...]]
    writes: tuple[str, ...] = ()
    check: Check | None = None
    weight: float = 1.0
    seconds: float = 10.0

    @property
    def command(self) -> str:
        """The command that it runs, or the stage or reader."""
        words = self.run[1:] if self.run[0] == "textsimp" else self.run
        return " ".join(words[:2]) if words[0] in ("human", "reader") else words[0]


def aligned(output: str) -> Check:
    """The links are within range: reading them back checks each."""

    def check(folder: Path, printed: str) -> None:
        for path in sorted(folder.glob(f"{output}/*.jsonl")) or [folder / output]:
            for pair in read_pairs(path, unique=False):
                assert pair.alignments is not None, f"{pair.id!r} has no alignments"

    return check


def written_pairs(output: str) -> Check:
    """What was written can be read."""

    def check(folder: Path, printed: str) -> None:
        files = sorted(folder.glob(f"{output}/*.jsonl")) if (folder / output).is_dir() else [folder / output]
        for path in files:
            list(read_pairs(path))

    return check


def finite(folder: Path, printed: str) -> None:
    """All numbers of the printed JSON are finite, percentages within range."""
    for path, number in _numbers(json.loads(printed), ""):
        assert math.isfinite(number), f"{path} is {number}"
        name = path.rpartition(".")[2]
        if name in ("sari", "bleu", "f1", "precision", "recall") and ".estimates." in f".{path}":
            assert -1e-9 <= number <= 100 + 1e-9, f"{path} is {number}"


def _numbers(value: Any, path: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _numbers(item, f"{path}.{key}" if path else str(key))


def _of(*words: str) -> tuple[str, ...]:
    return ("textsimp", *words)


_SCORE = (
    "score",
    "--complex",
    "complex.txt",
    "--output",
    "mine.txt",
    "other.txt",
    "--reference",
    "ref0.txt",
    "ref1.txt",
)
_FEW = ("--samples", "20")
_DUMPS = {
    "complex_dumps": ("en.xml.bz2",),
    "simple_dumps": ("simple.xml",),
    "items": ("items.sql",),
    "complex_props": ("props.sql",),
    "simple_props": ("props-simple.sql",),
    "settings": ("settings.yaml",),
}
_EXTRACT = (
    *("extract-wikipedia", "out", "--settings", "settings.yaml", "--workers", "1"),
    *("--complex-props", "props.sql", "--simple-props", "props-simple.sql"),
)
_OTHER_DUMPS = {"complex_langlinks": ("langlinks.sql",), "simple_langlinks": ("langlinks-simple.sql",)}


def _alignment() -> Iterator[Target]:
    documents, jaccard = {"inputs": ("pairs.jsonl",)}, ("--system", "jaccard", "--dev", "gold.jsonl")
    write = samples.write_documents
    plain = {"inputs": ("hard.txt", "easy.txt")}
    pair = _of("pair", "hard.txt", "easy.txt", "out.jsonl")
    yield Target(
        pair, samples.write_texts_to_pair, {"texts": plain["inputs"]}, ("out.jsonl",), written_pairs("out.jsonl")
    )
    texts = _of("align", "hard.txt", "easy.txt", "out.tsv", "--html", "page.html")
    yield Target(texts, samples.write_texts_to_pair, plain, ("out.tsv", "page.html"))
    yield Target(
        _of("align", "texts", "out.jsonl", "--encoder", "none"),
        samples.write_folder_of_texts,
        {"inputs": ("texts/*", "texts")},
        ("out.jsonl",),
        aligned("out.jsonl"),
    )
    parallel = _of("align", "pairs.jsonl", "out", "--format", "parallel", "--encoder", "none")
    yield Target(parallel, write, documents, ("out.complex", "out.simple"), weight=0.5)
    yield Target(_of("align", "pairs.jsonl", "out.jsonl"), write, documents, ("out.jsonl",), aligned("out.jsonl"))
    yield from _formats_of_links()
    tuned = {**documents, "dev": ("gold.jsonl",)}
    yield Target(_of("align", "pairs.jsonl", "out.jsonl", *jaccard), write, tuned, ("out.jsonl",), aligned("out.jsonl"))
    yield Target(
        _of("align", "shards", "out.jsonl", "--workers", "1", "--encoder", "none"),
        samples.write_folder_of_documents,
        {"inputs": ("shards/part-0.jsonl", "shards")},
        ("out.jsonl",),
        aligned("out.jsonl"),
    )
    yield Target(
        _of("align", "pairs.jsonl", "out.jsonl", "--model", "model"),
        samples.write_model,
        {"model": ("model/*", "model")},
        ("out.jsonl",),
        aligned("out.jsonl"),
    )
    learned = ("--system", "lr", "--train", "train.jsonl", "--dev", "gold.jsonl", "--save", "saved")
    yield Target(
        _of("align", "pairs.jsonl", "out.jsonl", *learned),
        _with_train,
        {"train": ("train.jsonl",), "dev": ("gold.jsonl",)},
        ("out.jsonl", "saved"),
        aligned("out.jsonl"),
        0.5,
    )
    for vectors in ("glove.txt", "word2vec.txt", "word2vec.bin", "glove.txt.gz"):
        system = ("--system", "average_alignment", "--vectors", vectors, "--dev", "gold.jsonl")
        arguments = _of("align", "pairs.jsonl", "out.jsonl", *system)
        yield Target(
            arguments, samples.write_vectors, {"vectors": (vectors,)}, ("out.jsonl",), aligned("out.jsonl"), 0.5
        )
    yield Target(
        _of("align", "pairs.jsonl", "out.jsonl", "--system", "neural_crf", "--model", "aligner"),
        samples.write_aligner,
        {"model": ("aligner/*", "aligner/encoder/*", "aligner")},
        ("out.jsonl",),
        aligned("out.jsonl"),
        0.7,
    )


def _formats_of_links() -> Iterator[Target]:
    corpus = _of("corpus", "many.jsonl", "out", "--filters", "none", "--held-out", "held.txt")
    yield Target(corpus, samples.write_generated, {"inputs": ("many.jsonl",), "held_out": ("held.txt",)}, ("out",))
    for name in ("pair.jsonl", "links.bitext", "table.tsv", "table.csv"):
        command = _of("convert", name, "out.jsonl")
        yield Target(
            command, samples.write_links, {"inputs": (name,)}, ("out.jsonl",), written_pairs("out.jsonl"), weight=0.5
        )
    texts = ("hard.txt", "easy.txt")
    for name in ("links.ladder", "links.index"):
        command = _of("convert", name, *texts, "out.jsonl")
        read = {"inputs": (name, *texts)}
        yield Target(command, samples.write_links, read, ("out.jsonl",), aligned("out.jsonl"))
    for form, outputs in (("dataset", ("out",)), ("ladder", ("out",)), ("index", ("out",))):
        command = _of("convert", "pair.jsonl", "out", "--format", form, "--join", "group", "--min-probability", "0.52")
        yield Target(command, samples.write_links, {"inputs": ("pair.jsonl",)}, outputs, weight=0.5)
    command = _of("browse", "links.index", *texts, "--html", "page.html")
    yield Target(command, samples.write_links, {"aligned": ("links.index", *texts)}, ("page.html",), weight=0.5)


def _with_train(folder: Path) -> None:
    samples.write_documents(folder)
    (folder / "train.jsonl").write_bytes((folder / "gold.jsonl").read_bytes())


def _evaluation() -> Iterator[Target]:
    write = samples.write_documents
    yield Target(
        _of("evaluate-alignment", "gold.jsonl", "--predictions", "found.jsonl", "--against", "other.jsonl", "--json"),
        _with_others,
        {"gold": ("gold.jsonl",), "predictions": ("found.jsonl",), "against": ("other.jsonl",)},
        check=finite,
    )
    tuned = _of("evaluate-alignment", "gold.jsonl", "--system", "tfidf", "--dev", "dev.jsonl", "--json")
    yield Target(tuned, _with_dev, {"gold": ("gold.jsonl",), "dev": ("dev.jsonl",)}, check=finite)
    learned = ("--system", "lr", "--train", "train.jsonl", "--dev", "gold.jsonl", "--json")
    yield Target(
        _of("evaluate-alignment", "gold.jsonl", *learned),
        _with_train,
        {"train": ("train.jsonl",)},
        check=finite,
        weight=0.3,
    )
    vectors = ("--system", "cats_wavg", "--vectors", "glove.txt", "--dev", "gold.jsonl", "--json")
    yield Target(
        _of("evaluate-alignment", "gold.jsonl", *vectors),
        samples.write_vectors,
        {"vectors": ("glove.txt",)},
        check=finite,
    )
    yield Target(
        _of("evaluate-alignment", "gold.jsonl", "--model", "model", "--system", "lr", "--json"),
        samples.write_model,
        {"model": ("model/*", "model")},
        check=finite,
        weight=0.5,
    )
    yield Target(
        _of("browse", "found.jsonl", "--html", "page.html"), write, {"aligned": ("found.jsonl",)}, ("page.html",)
    )
    yield Target(
        _of("browse", "found.jsonl", "--html", "page.html", "--gold", "gold.jsonl"),
        write,
        {"aligned": ("found.jsonl",), "gold": ("gold.jsonl",)},
        ("page.html",),
    )

    annotations = {"first": ("ann.jsonl",), "second": ("ben.jsonl",), "adjudicated": ("cleo.jsonl",)}
    agree = ("agree", "ann.jsonl", "ben.jsonl", "--adjudicated", "cleo.jsonl", "--html", "page.html")
    yield Target(
        _of(*agree, "--output", "out.jsonl", "--json"),
        samples.write_annotations,
        annotations,
        ("page.html", "out.jsonl"),
        aligned("out.jsonl"),
    )
    annotate = _of("annotate", "gold.jsonl", "--html", "page.html", "--suggestions", "found.jsonl")
    yield Target(annotate, write, {"pairs": ("gold.jsonl",), "suggestions": ("found.jsonl",)}, ("page.html",))
    learned = ("--system", "lr", "--train", "gold.jsonl", "--dev", "dev.jsonl")
    reads = {"pairs": ("pairs.jsonl",), "train": ("gold.jsonl",), "dev": ("dev.jsonl",)}
    yield Target(_of("annotate", "pairs.jsonl", "--html", "page.html", *learned), _with_dev, reads, ("page.html",))
    model = _of("annotate", "pairs.jsonl", "--html", "page.html", "--model", "model", "--system", "lr")
    yield Target(model, samples.write_model, {"model": ("model/*", "model")}, ("page.html",), weight=0.5)


def _with_dev(folder: Path) -> None:
    samples.write_documents(folder)
    (folder / "dev.jsonl").write_bytes((folder / "gold.jsonl").read_bytes())


def _with_others(folder: Path) -> None:
    samples.write_documents(folder)
    (folder / "other.jsonl").write_bytes((folder / "gold.jsonl").read_bytes())


def _scores() -> Iterator[Target]:
    texts = {
        "complex_file": ("complex.txt",),
        "output": ("mine.txt", "other.txt"),
        "reference": ("ref0.txt", "ref1.txt"),
    }
    yield Target(_of(*_SCORE, *_FEW, "--json"), samples.write_outputs, texts, check=finite)
    yield Target(_of(*_SCORE, *_FEW, "--metric", "all", "--json"), samples.write_outputs, texts, check=finite)
    frequencies = ("--metric", "lexical_complexity", "--frequencies", "frequencies.txt", "--json")
    yield Target(
        _of(*_SCORE, *_FEW, *frequencies), samples.write_outputs, {"frequencies": ("frequencies.txt",)}, check=finite
    )
    rewriting = ("rewriting", "--complex", "complex.txt", "--output", "mine=mine.txt", "--output", "other=other.txt")
    read = {"complex_file": ("complex.txt",), "output": ("mine.txt", "other.txt")}
    yield Target(_of(*rewriting, *_FEW, "--json"), samples.write_outputs, read, check=finite)
    released = ("raw/turk/*", "raw/jiang2020_outputs/*", "raw")
    yield Target(
        _of("leaderboard", "--output", "mine.txt", "--releases", "raw", "--samples", "3060", "--json"),
        samples.write_leaderboard,
        {"output": ("mine.txt",), "releases": released},
        check=finite,
        weight=0.05,
        seconds=40,
    )
    named = ("--releases", "raw", "-t", "turk")
    yield Target(
        _of("score", "mine.txt", *named, "--printed", "44.15", "--json"),
        samples.write_leaderboard,
        {"files": ("mine.txt",), "releases": ("raw/turk/*", "raw")},
        weight=0.1,
        seconds=30,
    )
    yield Target(
        _of("score", "mine.txt", *named, *_FEW, "--json"),
        samples.write_leaderboard,
        {"files": ("mine.txt",), "raw": ("raw/turk/*", "raw")},
        check=finite,
        seconds=30,
    )


def _simplification() -> Iterator[Target]:
    both = {"hard": ("hard.html", "hard.md"), "easy": ("easy.docx",)}
    for hard in both["hard"]:
        yield Target(_of("review", hard, "easy.docx", "page.html"), samples.write_to_review, both, ("page.html",))
    model = ("--model", "simplifier", "--threads", "1")  # a process that was forked cannot use its parent's threads
    simplify = ("simplify", "hard.txt", "out.tsv", *model, "--checks")
    read = {"file": ("hard.txt",), "model": ("simplifier/*", "simplifier")}
    yield Target(_of(*simplify), samples.write_text_to_simplify, read, ("out.tsv",), seconds=30)
    lines = _of("simplify", "hard.txt", "out.txt", "--lines", *model)
    yield Target(
        lines, samples.write_text_to_simplify, {"file": ("hard.txt",)}, ("out.txt",), as_many_lines, seconds=30
    )


def as_many_lines(folder: Path, printed: str) -> None:
    """Every line of the input has its line in the output."""
    before, after = (len(read_lines(folder / name)) for name in ("hard.txt", "out.txt"))
    assert before == after, f"{before} lines became {after}"


_SETTINGS = {"settings": ("settings.yaml",)}


def _human() -> Iterator[Target]:
    run = "human export out --complex complex.txt --output old=old.LSTM.txt --output new=new.LSTM.txt"
    rated = {"complex_file": ("complex.txt",), "output": ("old.LSTM.txt", "new.LSTM.txt"), **_SETTINGS}
    words = _of(*run.split(), "--settings", "settings.yaml")
    yield Target(words, samples.write_texts_to_rate, rated, ("out", "out.key.json"))
    questions = {"links": ("found.jsonl",), "test_questions": ("tests.jsonl",), **_SETTINGS}
    run = "human export new --kind crowd --links one=found.jsonl --test-questions tests.jsonl --settings settings.yaml"
    yield Target(_of(*run.split()), samples.write_crowd, questions, ("new", "new.key.json"))
    model = {"model": ("aligner/*", "aligner")}
    run += " --model aligner"
    yield Target(_of(*run.split()), samples.write_crowd_and_aligner, model, ("new", "new.key.json"), weight=0.5)
    judged = {"key": ("out.key.json",), "ratings": ("ratings.csv",), **_SETTINGS}
    run = "human gold out.key.json ratings.csv found.jsonl --output x.jsonl --settings settings.yaml"
    yield Target(_of(*run.split()), samples.write_crowd, {**judged, "pairs": ("found.jsonl",)}, ("x.jsonl",))
    sheets = ("sheet1.csv", "sheet2.csv", "sheet3.csv")
    words = _of("human", "import", "key.json", *sheets, "--output", "out.csv")
    yield Target(words, samples.write_human, {"key": ("key.json",), "sheets": sheets}, ("out.csv",))
    for kind in ("alignments", "inspection"):
        yield Target(
            _of(*f"human export out --links a=gold.jsonl --links b=found.jsonl --kind {kind} --count 2".split()),
            *(samples.write_documents, {"links": ("gold.jsonl", "found.jsonl")}, ("out", "out.key.json")),
        )
    run = "human summary ratings.csv --settings settings.yaml --json"
    yield Target(_of(*run.split()), samples.write_human, {"ratings": ("ratings.csv",), **_SETTINGS}, check=finite)


def _dumps() -> Iterator[Target]:
    files = ("--complex", "en.xml.bz2", "--simple", "simple.xml", "--items", "items.sql")
    yield Target(_of(*_EXTRACT, *files), samples.write_dumps, _DUMPS, ("out",), written_pairs("out"))
    packed = ("--complex", "en.xml", "--simple", "simple.xml.gz", "--items", "items.sql.gz")
    other = {"complex_dumps": ("en.xml",), "simple_dumps": ("simple.xml.gz",), "items": ("items.sql.gz",)}
    yield Target(_of(*_EXTRACT, *packed), samples.write_dumps, other, ("out",), written_pairs("out"))
    links = (
        "--pairing",
        "langlink",
        "--complex-langlinks",
        "langlinks.sql",
        "--simple-langlinks",
        "langlinks-simple.sql",
    )
    yield Target(_of(*_EXTRACT, *files[:4], *links), samples.write_dumps, _OTHER_DUMPS, ("out",), written_pairs("out"))


def _stages() -> Iterator[Target]:
    yield Target(
        ("stages.acquire", "newsela", "--raw", "data/raw", "--audit", "data/audit.jsonl"),
        samples.write_licensed,
        {
            "newsela": (
                "newsela/article_corpus/articles_metadata.csv",
                "newsela/newsela-auto/newsela-manual/all/*",
                "newsela",
            ),
            "params": ("params.yaml",),
        },
        ("data",),
        weight=0.5,
    )
    yield Target(
        ("stages.load_splits", "newsela", "--raw", "raw", "--out", "splits"),
        samples.write_acquired,
        {"raw": ("raw/newsela-manual/all/*", "raw/articles_metadata.csv", "raw/articles/*.0.txt", "raw")},
        ("splits",),
        weight=0.5,
    )
    yield Target(
        ("stages.load_splits", "wiki", "--raw", "raw-wiki", "--out", "splits"),
        samples.write_acquired,
        {"raw": ("raw-wiki/wiki-manual/*", "raw-wiki/wiki-auto/*")},
        ("splits",),
        weight=0.5,
    )


def _formats() -> Iterator[Target]:
    for name, write in release_samples.WRITERS.items():
        yield Target(("reader", "format", name), functools.partial(raw, write), {"raw": ("raw/**/*",)}, weight=0.7)
    yield Target(("reader", "results"), samples.write_results, {"path": ("results.json",)})


def raw(write: Callable[[Path], None], folder: Path) -> None:
    (folder / "raw").mkdir()
    write(folder / "raw")


TARGETS = (*_alignment(), *_evaluation(), *_scores(), *_simplification(), *_human(), *_dumps(), *_stages(), *_formats())


def read_format(name: str) -> None:
    """All that a format can give, from the folder `raw`."""
    entry, raw, drawn = FORMATS[name], Path("raw"), ManualDraw(1, 1, 1, 3)
    rule = LinkRule(0.4, 0.75) if entry.has_edits else None
    annotation = name if entry.annotation else None
    articles = name if entry.articles else "newsela"
    config = SourceConfig("c", "released", "en", [], annotation, articles, drawn if entry.has_edits else None, rule)
    if entry.annotation:
        print({split: len(pairs) for split, pairs in entry.annotation(raw, config).items()})
    if entry.articles:
        print(len(list(entry.articles(raw, config))))
    if entry.pairs:
        print(len(entry.pairs(raw).pairs))
    if entry.benchmark:
        for split in filter(None, (entry.benchmark.dev, entry.benchmark.test)):
            print(len(entry.benchmark.read(raw / name, split)))


def read_results() -> None:
    """A file of results, read and written again."""
    from textsimp.core.results import Results

    print(Results.read(Path("results.json")).to_json())


READERS: dict[str, Callable[..., None]] = {"format": read_format, "results": read_results}


def execute(arguments: tuple[str, ...]) -> int:
    """The exit status of a run in this process and in the current folder."""
    sys.argv = list(arguments)
    try:
        if arguments[0] == "textsimp":
            from textsimp.cli.app import main

            main()
        elif arguments[0] == "reader":
            exit_on_bad_input(READERS[arguments[1]])(*arguments[2:])
        else:
            sys.modules.pop(arguments[0], None)
            runpy.run_module(arguments[0], run_name="__main__")
    except SystemExit as end:
        return int(end.code or 0) if not isinstance(end.code, str) else 1
    return 0
