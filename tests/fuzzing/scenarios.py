"""Every command and stage that writes, for the kills and the races."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bad_input_sample import SOURCES, write_good
from newsela_sample import params, write_params

from fuzzing import samples


@dataclass(frozen=True)
class Scenario:
    """A run that writes.

    Attributes:
        before: a run that leaves older output of the same kind in the same place; none where it is empty.
        writes: files and folders that it writes.
        once: it refuses to replace what is there already.
        grows: the output folder is filled piece by piece, so that each file in it is whole, but not all are there.
    """

    name: str
    run: tuple[str, ...]
    build: Callable[[Path], None]
    writes: tuple[str, ...]
    before: tuple[str, ...] = ()
    grows: bool = False
    once: bool = False


def _of(line: str) -> tuple[str, ...]:
    return ("textsimp", *line.split())


_FILES = "--settings settings.yaml --complex en.xml.bz2 --simple simple.xml --items items.sql"
_OLDER = "1 --complex-props props.sql"
_DUMPS = f"extract-wikipedia out {_FILES} --workers"
_EXPORT = "human export out --complex complex.txt --output old=old.LSTM.txt --settings settings.yaml"
_IMPORT = "human import key.json sheet1.csv sheet2.csv --output out.csv"
_AGREE = "agree ann.jsonl ben.jsonl --html page.html --output out.jsonl"
_LR = "--system lr --train gold.jsonl --dev gold.jsonl"
_FOLDER = "align shards out.jsonl --system jaccard --dev gold.jsonl --workers"


def _documents(folder: Path) -> None:
    samples.write_documents(folder)
    samples.write_folder_of_documents(folder)


def _released(folder: Path) -> None:
    write_good(folder)
    write_params(folder, params(**SOURCES))


SCENARIOS = (
    Scenario(
        *("pair", _of("pair hard.txt easy.txt out.jsonl"), samples.write_texts_to_pair, ("out.jsonl",)),
        _of("pair easy.txt hard.txt out.jsonl"),
    ),
    Scenario(
        *("align", _of("align pairs.jsonl out.jsonl"), _documents, ("out.jsonl",)),
        _of("align pairs.jsonl out.jsonl --system jaccard --dev gold.jsonl"),
    ),
    Scenario(
        "align to a table and a page",
        _of("align hard.txt easy.txt out.tsv --html page.html --encoder none"),
        samples.write_texts_to_pair,
        ("out.tsv", "page.html"),
    ),
    Scenario(
        "align to parallel files",
        _of("align pairs.jsonl out --format parallel --encoder none"),
        _documents,
        ("out.complex", "out.simple"),
    ),
    Scenario(
        *("convert", _of("convert gold.jsonl out.tsv --html page.html"), _documents, ("out.tsv", "page.html")),
        _of("convert gold.jsonl out.tsv --join link"),
    ),
    Scenario(
        *("corpus", _of("corpus many.jsonl out --filters none"), samples.write_generated, ("out",)),
        _of("corpus fewer.jsonl out --filters none"),
    ),
    Scenario(
        *("generate", _of("generate out.jsonl --articles 20"), _documents, ("out.jsonl",)),
        _of("generate out.jsonl --articles 30"),
    ),
    Scenario("align in two processes", _of(f"{_FOLDER} 2"), _documents, ("out.jsonl",)),
    Scenario(
        *("align and save", _of(f"align pairs.jsonl out.jsonl {_LR} --save saved"), _documents, ("out.jsonl", "saved")),
        _of("evaluate-alignment gold.jsonl --system jaccard --dev gold.jsonl --save saved"),
    ),
    Scenario(
        *("evaluate and save", _of(f"evaluate-alignment gold.jsonl {_LR} --save saved"), _documents, ("saved",)),
        _of("evaluate-alignment gold.jsonl --system jaccard --dev gold.jsonl --save saved"),
    ),
    Scenario(
        *("browse", _of("browse found.jsonl --html page.html"), _documents, ("page.html",)),
        _of("browse gold.jsonl --html page.html"),
    ),
    Scenario(
        *("review", _of("review hard.txt easy.txt page.html"), samples.write_texts_to_pair, ("page.html",)),
        _of("review easy.txt hard.txt page.html"),
    ),
    Scenario(
        *("annotate", _of("annotate gold.jsonl --html page.html --blind"), _documents, ("page.html",)),
        _of("annotate pairs.jsonl --html page.html --blind"),
    ),
    Scenario(
        *("agree", _of(f"{_AGREE} --adjudicated cleo.jsonl"), samples.write_annotations, ("page.html", "out.jsonl")),
        _of(_AGREE.replace("ben", "cleo")),
    ),
    Scenario(
        "simplify",
        _of("simplify hard.txt out.txt --model simplifier --threads 1"),
        samples.write_text_to_simplify,
        ("out.txt",),
        _of("simplify easy.txt out.txt --model simplifier --threads 1"),
    ),
    Scenario("export", _of(_EXPORT), samples.write_texts_to_rate, ("out", "out.key.json"), once=True),
    Scenario(
        *("export-links", _of("human export out --links a=gold.jsonl --kind inspection --count 2"), _documents),
        *(("out", "out.key.json"), None),
        once=True,
    ),
    Scenario(
        *("import", _of(_IMPORT), samples.write_human, ("out.csv",)),
        _of(_IMPORT.replace(" sheet2.csv", "")),
    ),
    Scenario(
        *("crowd", _of("human gold out.key.json ratings.csv found.jsonl --output x.jsonl"), samples.write_crowd),
        *(("x.jsonl",), _of("human gold out.key.json ratings.csv gold.jsonl --output x.jsonl")),
    ),
    Scenario("extract", _of(f"{_DUMPS} 1"), samples.write_dumps, ("out",), _of(f"{_DUMPS} {_OLDER}")),
    Scenario("extract, two processes", _of(f"{_DUMPS} 2"), samples.write_dumps, ("out",)),
    Scenario(
        "acquire",
        ("stages.acquire", "newsela", "--raw", "data/raw", "--audit", "data/audit.jsonl"),
        samples.write_licensed,
        ("data",),
        grows=True,
    ),
    Scenario(
        *("fetch", ("stages.acquire", "jiang2020", "--raw", "data/raw", "--audit", "data/audit.jsonl"), _released),
        ("data",),
        grows=True,
    ),
    Scenario(
        "load_splits",
        ("stages.load_splits", "newsela", "--raw", "raw", "--out", "splits"),
        samples.write_acquired,
        ("splits",),
        grows=True,
    ),
)


def chosen(names: str) -> list[Scenario]:
    """The scenarios of these names, separated by commas; all for an empty text. KeyError for an unknown name."""
    known = {scenario.name: scenario for scenario in SCENARIOS}
    return [known[name.strip()] for name in names.split(",")] if names else list(SCENARIOS)
