"""The command `textsimp rewriting`: what kind of rewriting a system or a corpus does."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from textsimp.errors import InputError, exit_on_bad_input
from textsimp.metrics.resampling import Resampling
from textsimp.metrics.rewriting.commands import named_files, rewriting_files


@exit_on_bad_input
def rewriting(
    complex_file: Annotated[Path, typer.Option("--complex", help="Complex sentences, one a line.")],
    output: Annotated[
        list[str], typer.Option("--output", help="NAME=FILE: an output for them, line by line; once for each.")
    ],
    language: Annotated[str, typer.Option(help="Of the texts: english, or none for any other.")] = "english",
    samples: Annotated[int, typer.Option(help="Bootstrap samples of the intervals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Copies, deletions, paraphrases and splits in outputs or corpora: percent of the lines, 95 percent intervals."""
    if samples < 1 or seed < 0:
        raise InputError(f"--samples {samples} --seed {seed}: expected one sample at least and no negative seed")
    result = rewriting_files(complex_file, named_files(output), language, Resampling(samples, seed))
    text = json.dumps(result, ensure_ascii=False, indent=2) if as_json else "\n".join(_table(result))
    typer.echo(text)


def _table(result: dict[str, Any]) -> Iterator[str]:
    """A line for each system and class, then one for its operations."""
    for name, found in result["systems"].items():
        yield f"{name}: {found['units']} units, {found['aligned']} aligned"
        for kind, share in found["classes"].items():
            changes = result["differences"].get(name, {}).get(kind)
            beside = f"  {changes['difference']:+.1f}, p {changes['p']:.3f}" if changes else ""
            yield f"  {kind:24}{share['share']:5.1f} [{share['low']:.1f}, {share['high']:.1f}]{beside}"
        yield "  aligned with " + ", ".join(f"{key} {value:.1f}" for key, value in found["word_operations"].items())
        yield "  rates: " + ", ".join(f"{key} {value:.2f}" for key, value in found["edit_rates"].items())
    yield result["signature"]
