"""The command `textsimp rewriting`: what kind of rewriting a system or a corpus does."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from textsimp.cli.command import (
    LINES_FILE,
    AsJson,
    Reads,
    Samples,
    Seed,
    command,
    named_files,
    note,
    p_text,
    resampling_of,
)
from textsimp.cli.outputs import counted
from textsimp.core.errors import bad_input
from textsimp.core.reading import read_aligned
from textsimp.core.results import Cell, Estimate, Resampling, Results
from textsimp.sources.splitting.language import foreign, other_language
from textsimp.sources.text_folders import check_is_lines

SCOPE = "test"
"""Of the results; each system has `units`, its number of lines."""


@command(
    "Kinds of rewriting in outputs or corpora.",
    "textsimp rewriting --complex test.complex --output mine=mine.txt --output people=test.ref.0",
)
def rewriting(
    complex_file: Annotated[Path, Option("--complex", help="Complex sentences, one per line."), LINES_FILE],
    output: Annotated[
        list[str],
        Option("--output", help="NAME=FILE or FILE: an output in the lines of --complex; repeat for more."),
        Reads(is_named=True, check=check_is_lines),
    ],
    samples: Samples = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> str:
    """Copies, deletions, paraphrases and splits in English texts: percent of the lines, 95 percent intervals."""
    files, resampling = named_files("--output", output), resampling_of(samples, seed)
    results = rewriting_files(complex_file, files, resampling)
    typer.echo(results.to_json() if as_json else "\n".join(_table(results)))
    return f"{complex_file}: {counted(len(output), 'output')} analysed"


def rewriting_files(complex_file: Path, outputs: Mapping[str, Path], resampling: Resampling) -> Results:
    """Kinds of rewriting in line-aligned files; a line of a simple file may hold several sentences.

    The outputs, or simple sides of a corpus, are one at least; each is compared with the first. `InputError` where a
    file is absent or empty, the numbers of lines differ, a complex line is blank, or a line is too long.
    """
    from textsimp.metrics.line_order import order_doubt
    from textsimp.metrics.resampling import score_systems  # numpy and scipy are slow to import
    from textsimp.metrics.rewriting.kinds import recipe, rewriting_statistics, rewritings
    from textsimp.metrics.rewriting.units import units_of

    results, systems = Results(resampling=resampling, signatures={"rewriting": str(recipe())}), {}
    complex_lines, *columns = _checked_columns([complex_file, *outputs.values()])
    text = "\n".join(complex_lines)
    if known := other_language(text, "en") or foreign(text):
        raise bad_input(complex_file, None, f"looks like {known}", "give English texts; the rules are for no other")
    for name, simple_lines in zip(outputs, columns, strict=True):
        if doubt := order_doubt(complex_lines, simple_lines):
            note(f"warning: {name}: {doubt}")
        units = units_of(complex_lines, simple_lines)
        systems[name] = {"": rewriting_statistics([rewritings(units)])}
    first, *others = systems
    score_systems(results, SCOPE, systems, [(name, first) for name in others], resampling, parts=True)
    for name in systems:
        results.estimates[Cell(SCOPE, name, "units")] = Estimate(len(complex_lines))
    return results


def _checked_columns(files: Sequence[Path]) -> list[tuple[str, ...]]:
    """The lines of each file, of which the first has the complex sentences; each is read once: it may be a pipe."""
    from textsimp.metrics.rewriting.word_links import LONGEST, is_too_long  # scipy is slow to import

    rows = read_aligned(files)
    if not rows:
        raise bad_input(files[0], None, "no sentence in it", "give a file with a sentence a line")
    for number, row in enumerate(rows, 1):
        if not row[0].strip():
            raise bad_input(files[0], number, "a blank line", "remove it from this file and from the outputs")
        for file, line in zip(files, row, strict=True):
            if is_too_long(line):
                raise bad_input(file, number, f"a line of more than {LONGEST} words", "give one sentence per line")
    return list(zip(*rows, strict=True))


def _table(results: Results) -> Iterator[str]:
    """One row per system and class, then rows for its word operations and its edit rates."""
    first, samples = results.systems(SCOPE)[0], results.resampling.samples if results.resampling else 0
    for name in results.systems(SCOPE):
        measures = results.measures(SCOPE, name)
        yield f"{name}: {measures['units'].value} units, {measures['aligned'].value:.1f} percent aligned"
        for measure, estimate in measures.items():
            group, _, part = measure.partition(".")
            if group in ("classes", "groups"):
                tests = results.compared(SCOPE, measure, name, first)
                beside = f"  {tests.difference:+.1f}, p {p_text(tests.p_bootstrap, samples, 3)}" if tests else ""
                yield f"  {part:28}{estimate.value:5.1f} [{estimate.low:.1f}, {estimate.high:.1f}]{beside}"
        for title, group in (("aligned with", "word_operations"), ("percent of words:", "edit_rates")):
            cells = [(m.partition(".")[2], e.value) for m, e in measures.items() if m.startswith(f"{group}.")]
            yield f"  {title} " + ", ".join(f"{part} {value:.1f}" for part, value in cells)
    yield results.signatures["rewriting"]
