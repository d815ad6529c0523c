"""The command `textsimp`: scores and aligners for a user's own files (F3)."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from textsimp.errors import exit_on_bad_input
from textsimp.metrics.commands import score_files
from textsimp.records import read_pairs, write_pairs
from textsimp.sources.plain import read_plain_pair

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Sentence alignment and evaluation for text simplification."
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Model = Annotated[Path | None, typer.Option("--model", help="Folder of a trained aligner, for the neural systems.")]
Dev = Annotated[Path | None, typer.Option("--dev", help="Labelled document pairs to tune thresholds on.")]
SystemName = Annotated[str, typer.Option("--system", help="A name of conf/alignment_system.")]


@app.command()
@exit_on_bad_input
def score(
    complex_file: Annotated[Path, typer.Option("--complex", help="Complex sentences, one a line; - is stdin.")],
    output: Annotated[Path, typer.Option("--output", help="A system's output for them, line by line.")],
    reference: Annotated[list[Path], typer.Option("--reference", help="A reference; give it once for each.")],
    as_json: AsJson = False,
) -> None:
    """SARI (per sentence and corpus-level), BLEU, FK and length of a system's output, each with its signature."""
    _show(score_files(complex_file, output, reference), as_json)


@app.command("evaluate-alignment")
@exit_on_bad_input
def evaluate_alignment(
    gold: Annotated[Path, typer.Argument(help="Labelled document pairs, JSON Lines (docs/formats.md).")],
    system: SystemName = "neural_crf",
    model: Model = None,
    dev: Dev = None,
    as_json: AsJson = False,
) -> None:
    """Precision, recall and F1 of an alignment system, in percent, identical sentence pairs left out."""
    from textsimp.alignment.own_documents import evaluate_file  # torch is slow to import

    _show(evaluate_file(gold, system, model, dev), as_json)


@app.command()
@exit_on_bad_input
def align(
    documents: Annotated[Path, typer.Argument(help="Document pairs, JSON Lines (docs/formats.md).")],
    output: Annotated[Path, typer.Argument(help="File to write: the same pairs with `alignments`.")],
    system: SystemName = "neural_crf",
    model: Model = None,
    dev: Dev = None,
) -> None:
    """Align the sentences of one's own document pairs."""
    from textsimp.alignment.own_documents import ready_system  # torch is slow to import

    pairs = list(read_pairs(documents))
    ready = ready_system(system, model, dev, pairs)
    write_pairs(output, (replace(pair, alignments=tuple(sorted(ready.align(pair)))) for pair in pairs))


@app.command()
@exit_on_bad_input
def pair(
    complex_file: Annotated[Path, typer.Argument(help="The complex text; blank lines part paragraphs.")],
    simple_file: Annotated[Path, typer.Argument(help="The simple text, likewise.")],
    output: Annotated[Path, typer.Argument(help="File to write: one document pair, to be aligned.")],
) -> None:
    """Make a document pair from two plain texts."""
    write_pairs(output, [read_plain_pair(complex_file, simple_file)])


def _show(result: dict[str, Any], as_json: bool) -> None:
    """Print JSON, or one line a value."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2))
        return
    for name, value in result.items():
        if isinstance(value, dict):
            inner = ", ".join(f"{key} {_text(item)}" for key, item in value.items())
            print(f"{name}: {inner}")
        else:
            print(f"{name}: {_text(value)}")


def _text(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def main() -> None:
    """Entry point of the installed command."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # see stages/__init__.py
    app()


if __name__ == "__main__":
    main()
