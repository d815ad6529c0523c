"""The commands `align`, `convert` and `evaluate-alignment`, for a user's own files."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from textsimp.cli.command import (
    DIFFERENCE,
    PAGE,
    PAIRS_FILE,
    AsJson,
    Reads,
    Samples,
    Seed,
    Workers,
    Writes,
    aligned,
    bounds_text,
    check_typed,
    command,
    difference_cells,
    note,
    resampling_of,
)
from textsimp.cli.inputs import (
    DEFAULT_LINES,
    AlignedInputs,
    AlignedLines,
    Language,
    Lines,
    SkipUnmatched,
    are_texts,
    given_pairs,
    read_aligned,
    texts_of,
)
from textsimp.cli.outputs import FORMATS, JOINS, MOST_PAIRS, Target, check_number, counted, output_files
from textsimp.core.errors import InputError
from textsimp.core.params import names_from_conf
from textsimp.core.records import DocumentPair
from textsimp.core.results import Estimate, Results
from textsimp.core.settings import structured
from textsimp.core.writing import atomic_write, is_stream, partial_place
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE
from textsimp.sources.text_folders import check_is_text_or_pairs

if TYPE_CHECKING:
    from textsimp.alignment.spec import SystemSpec  # numpy and scipy are slow to import


def _systems(incomplete: str) -> list[str]:
    return [name for name in names_from_conf("alignment_system") if name.startswith(incomplete)]


Inputs = Annotated[
    list[Path],
    Argument(
        metavar="INPUTS",
        help="The complex and the simple text, or two folders of texts, or one folder with both; or document pairs "
        "(JSON Lines), or a folder of them.",
    ),
    Reads(check=check_is_text_or_pairs),
]
Output = Annotated[
    Path,
    Argument(
        help="File to write: .jsonl (document pairs with links), .tsv, .csv or .parquet (sentence pairs), .html (a "
        "page), .ladder, .bitext or .index (for other aligners); - is standard output."
    ),
    Writes(files=output_files),
]
Form = Annotated[
    str | None,
    Option(
        "--format",
        help="jsonl, tsv, csv, html, parquet, parallel (OUTPUT.complex and OUTPUT.simple, line by line), ladder, "
        "bitext or index; by default as OUTPUT ends.",
        autocompletion=lambda: list(FORMATS),
    ),
]
Join = Annotated[
    str,
    Option(
        help="Of sentence pairs: simple has a row for each simple sentence, with all its complex ones; link one for "
        "each link; group one for all sentences that links connect.",
        autocompletion=lambda: list(JOINS),
    ),
]
Page = Annotated[Path | None, Option(help="Write a page that shows the links, too."), PAGE]
MinProbability = Annotated[
    float | None,
    Option(min=0, max=1, help="Of links, from 0 to 1. To align, it may be below the aligner's own threshold."),
]
System = Annotated[
    str | None,
    Option(
        help="A name of conf/alignment_system; by default what --model is, else the aligner that the package brings.",
        autocompletion=_systems,
    ),
]
Model = Annotated[Path | None, Option(help="Folder of a trained aligner, or of a saved system."), Reads()]
Train = Annotated[Path | None, Option(help="Labelled document pairs, for systems that learn."), PAIRS_FILE]
Dev = Annotated[Path | None, Option(help="Labelled document pairs to tune thresholds on."), PAIRS_FILE]
Vectors = Annotated[
    Path | None, Option(help="glove for the packaged ones, or a file of GloVe or word2vec."), Reads(beside="glove")
]
Encoder = Annotated[
    str | None,
    Option(help="Name or folder of the encoder of sentences (a BERT of the Hugging Face hub), or none to do without."),
]
Save = Annotated[Path | None, Option(help="Folder to save the fitted system to, for --model."), Writes(is_folder=True)]
Kind = Annotated[str, Option(help="Paragraph algorithm of an aligner trained here: newsela or wiki.")]


@command(
    "Align the sentences of texts.",
    "textsimp align hard.txt easy.txt pairs.tsv",
    "textsimp align hard/ easy/ pairs.csv --skip-unmatched",
    "textsimp align hard.txt easy.txt links.html",
    "textsimp align pairs.jsonl aligned.jsonl --model models/aligner/mine",
    "textsimp align pairs.jsonl corpus --format parallel",
    "textsimp align hard/ easy/ pairs.tsv --min-probability 0.8",
)
def align(
    inputs: Inputs,
    output: Output,
    form: Form = None,
    join: Join = "simple",
    html: Page = None,
    min_probability: MinProbability = None,
    skip_unmatched: SkipUnmatched = False,
    language: Language = DEFAULT_LANGUAGE,
    lines: Lines = DEFAULT_LINES,
    system: System = None,
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    vectors: Vectors = None,
    save: Save = None,
    kind: Kind = "newsela",
    encoder: Encoder = None,
    executor: Annotated[str, Option(help="local (processes on this machine) or ray (a Ray cluster).")] = "local",
    workers: Workers = None,
    address: Annotated[str | None, Option(help="Address of the Ray cluster.")] = None,
) -> str:
    """Align the sentences of texts, or of document pairs; an interrupted run goes on where it was."""
    texts = texts_of(inputs, skip_unmatched, language, lines)
    target = Target.chosen(output, form, join, html)
    pairs = list(texts.read() if texts else given_pairs(inputs[0]))
    check_number(pairs, target.form)
    if len(pairs) > 1:
        note(f"{inputs[0]}: {len(pairs)} document pairs to align")
    from textsimp.alignment.spec import SystemSpec  # numpy and scipy are slow to import

    spec = SystemSpec.named(system, model, train, dev, vectors, save, kind, encoder)
    align_all(spec, min_probability, pairs, output, target.write, executor, workers, address)
    return target.summary


def align_all(
    spec: "SystemSpec",
    least: float | None,
    pairs: Sequence[DocumentPair],
    output: Path,
    write: Callable[[Sequence[DocumentPair]], None],
    executor: str = "local",
    workers: int | None = None,
    address: str | None = None,
) -> None:
    """Align document pairs for the command line, with the probabilities of links; see `align_pairs`."""
    from textsimp.alignment.documents import Execution, align_pairs  # numpy and scipy are slow to import
    from textsimp.alignment.neural.aligner_settings import Device
    from textsimp.extras import ray_executor

    if least is not None and not spec.config.has_probabilities:
        raise InputError(f"--min-probability: {spec.name} has similarities, no probabilities; leave the option out")
    device = Device.of_command()
    if workers is None and executor == "local":
        workers = 1  # a few documents are aligned before another process has started
    execution = structured({"executor": executor, "workers": workers}, Execution)
    run = ray_executor.executor(executor, workers, device.device != "cpu", address)
    unfinished = partial_place(output) if len(pairs) > 1 and not is_stream(output) else None
    align_pairs(replace(spec, least=least), pairs, write, device, execution, run, unfinished, with_scores=True)


@command(
    "Write texts or links in another format.",
    "textsimp convert aligned.jsonl pairs.parquet --join group",
    "textsimp convert aligned.jsonl links.html",
    "textsimp convert links.ladder hard.txt easy.txt aligned.jsonl",
    "textsimp convert hard.txt easy.txt pairs.jsonl",
    "textsimp convert hard/ easy/ pairs.jsonl --skip-unmatched",
)
def convert(
    inputs: AlignedInputs,
    output: Output,
    form: Form = None,
    join: Join = "simple",
    html: Page = None,
    min_probability: MinProbability = None,
    skip_unmatched: SkipUnmatched = False,
    language: Language = DEFAULT_LANGUAGE,
    lines: AlignedLines = None,
) -> str:
    """Write aligned documents in another format, or texts as document pairs; nothing is aligned."""
    target = Target.chosen(output, form, join, html, min_probability)
    if not are_texts(inputs):
        target.write(read_aligned(inputs, language, lines))
        return target.summary
    if target.form != "jsonl" or html or min_probability is not None:
        raise InputError(f"{output}: texts alone have no links; give a name that ends with .jsonl, or run `align`")
    texts = texts_of(inputs, skip_unmatched, language, lines or DEFAULT_LINES)
    assert texts is not None  # of inputs that are texts
    target.write(texts.read())
    return f"{output}: {target.texts}"


@command(
    "Precision, recall, F1 of an aligner.",
    "textsimp evaluate-alignment gold.jsonl --model models/aligner/mine",
    "textsimp evaluate-alignment gold.jsonl --predictions aligned.jsonl --against other.jsonl",
    "textsimp evaluate-alignment gold.jsonl --system tfidf --dev dev.jsonl --against jaccard",
    "textsimp evaluate-alignment gold.jsonl --html errors.html",
)
def evaluate_alignment(
    context: typer.Context,
    gold: Annotated[Path, Argument(help="Labelled document pairs, JSON Lines (docs/formats.md)."), PAIRS_FILE],
    system: System = None,
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    vectors: Vectors = None,
    save: Save = None,
    kind: Kind = "newsela",
    encoder: Encoder = None,
    predictions: Annotated[
        Path | None, Option(help="Score the alignments in this file instead of running a system."), PAIRS_FILE
    ] = None,
    against: Annotated[
        str | None,
        Option(help="Compare with a file of alignments, or with another system.", autocompletion=_systems),
        Reads(beside="(?s:.*)"),
    ] = None,
    html: Annotated[Path | None, Option(help="Write a page with right, wrong and missing links, too."), PAGE] = None,
    samples: Samples = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> str:
    """Precision, recall, F1, curves, breakdowns and differences of an alignment system, in percent."""
    from textsimp.alignment.spec import SystemSpec  # numpy and scipy are slow to import
    from textsimp.evaluation.own_alignment import evaluate_file

    if predictions is not None:
        system = against if against in _systems("") else None  # which then has the options of systems
        allowed = context.params.keys() - ({"system", "save"} if system else {"system", *_OF_SYSTEMS})
        check_typed(context, allowed, "--predictions: no --system is run; leave its options out")
    spec = SystemSpec.named(system, model, train, dev, vectors, save, kind, encoder)
    results, pairs, found = evaluate_file(gold, spec, resampling_of(samples, seed), predictions, against)
    if html is not None:
        from textsimp.reporting.browser import browser_page
        from textsimp.reporting.texts import Example

        rows = zip(pairs, *found.values(), strict=True)
        examples = [Example(pair, dict(zip(found, map(tuple, links), strict=True))) for pair, *links in rows]
        with atomic_write(html) as file:
            file.write(browser_page(f"Alignments of {gold.name}", examples, {}, MOST_PAIRS))
    typer.echo(results.to_json() if as_json else "\n".join(alignment_tables(results)))
    systems = counted(len(results.systems(SCOPE)), "system")
    links = results.value(f"{SCOPE}/with_identical", results.systems(SCOPE)[0], "task1.gold") or 0
    return f"{gold}: {systems} on {counted(int(links), 'gold link')}"


_OF_SYSTEMS = ("model", "train", "dev", "vectors", "save", "kind", "encoder")
SCOPE = "gold"
SCORES = ("precision", "recall", "f1")
GROUPS = {"task1": "Task 1", "task2": "Task 2", "unaligned": "unlinked"}
"""The scored tasks, by the beginning of their measures."""
_CURVE = {"max_f1": "best F1 of its curve", "area": "area under it"}
_HEADER = ("precision", "recall", "F1")
_DIGITS = 1
_LEGEND = (
    "Task 1: aligned or partial links; Task 2: aligned ones alone; unlinked: simple",
    "sentences without a link. In percent, identical sentence pairs left out.",
)


def alignment_tables(results: Results) -> list[str]:
    """Scores of each system with intervals, differences, then what it finds by kind of sentence pair; in 80 columns."""
    lines: list[str] = []
    for system in results.systems(SCOPE):
        lines += [system, *_scores(results, system), *_curve(results, system), ""]
    lines += _differences(results)
    for system in results.systems(SCOPE):
        lines += [f"{system}, by kind of sentence pair", *_breakdown(results, system), ""]
    draw = results.resampling
    drawn = [f"95% intervals: {draw.samples} resamples of the article sets, seed {draw.seed}."] if draw else []
    return [*lines, *_LEGEND, *drawn]


def _scores(results: Results, system: str) -> list[str]:
    rows: list[tuple[str, ...]] = [("", *_HEADER)]
    for group, title in GROUPS.items():
        estimates = [_estimate(results, SCOPE, system, group, score) for score in SCORES]
        if any(estimates):
            rows.append((title, *map(_with_bounds, estimates)))
    return _indented(rows)


def _curve(results: Results, system: str) -> Iterator[str]:
    for measure, title in _CURVE.items():
        by_task = [(task, results.value(SCOPE, system, f"{task}.{measure}")) for task in ("task1", "task2")]
        shown = [f"Task {task[-1]} {value:.{_DIGITS}f}" for task, value in by_task if value is not None]
        if shown:
            yield f"  {title}: {', '.join(shown)}"


def _differences(results: Results) -> Iterator[str]:
    samples = results.resampling.samples if results.resampling else 0
    bases = dict.fromkeys((contrast.system, contrast.base) for contrast in results.comparisons)
    for system, base in bases:
        rows: list[tuple[str, ...]] = [("", *DIFFERENCE)]
        for contrast, tests in results.comparisons.items():
            if (contrast.scope, contrast.system, contrast.base) == (SCOPE, system, base):
                group, _, score = contrast.measure.partition(".")
                title = f"{GROUPS.get(group, group)} {score.replace('f1', 'F1')}"
                rows.append((title, *difference_cells(tests, _DIGITS, samples)))
        yield from (f"{system} minus {base}", *_indented(rows), "")


def _breakdown(results: Results, system: str) -> list[str]:
    tasks = ("task1", "task2")
    rows = [("", "links", *(f"{score} {task[-1]}" for task in tasks for score in ("P", "R", "F1")))]
    for scope in results.scopes(SCOPE):
        cells = [_estimate(results, scope, system, task, score) for task in tasks for score in SCORES]
        links = results.value(scope, system, "task1.gold")
        if any(cells):
            name = scope.partition("/")[2].replace("_", " ").replace("=", " ")
            shown = ("-" if cell is None else f"{cell.value:.{_DIGITS}f}" for cell in cells)
            rows.append((name, f"{links or 0:.0f}", *shown))
    return _indented(rows)


def _estimate(results: Results, scope: str, system: str, group: str, score: str) -> Estimate | None:
    """A score; None where there is nothing that it could be a share of."""
    numbers = {"precision": ["predicted"], "recall": ["gold"], "f1": ["predicted", "gold"]}[score]
    counts = [results.value(scope, system, f"{group}.{number}") for number in numbers]
    return results.get(scope, system, f"{group}.{score}") if any(count != 0 for count in counts) else None


def _indented(rows: list[tuple[str, ...]]) -> list[str]:
    return [f"  {line}" for line in aligned(rows, 1)]


def _with_bounds(estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    bounds = "" if estimate.low is None else f" {bounds_text(estimate, _DIGITS)}"
    return f"{estimate.value:.{_DIGITS}f}{bounds}"
