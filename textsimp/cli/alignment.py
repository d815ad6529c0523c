"""The commands `align` and `evaluate-alignment`, for a user's own files."""

from pathlib import Path
from typing import Annotated

import typer

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.results import Resampling

app = typer.Typer()

SystemName = Annotated[str, typer.Option("--system", help="A name of conf/alignment_system.")]
Model = Annotated[Path | None, typer.Option("--model", help="Folder of a trained aligner, or of a saved system.")]
Train = Annotated[Path | None, typer.Option("--train", help="Labelled document pairs, for systems that learn.")]
Dev = Annotated[Path | None, typer.Option("--dev", help="Labelled document pairs to tune thresholds on.")]
Vectors = Annotated[Path | None, typer.Option("--vectors", help="GloVe, word2vec or fastText vectors, text or binary.")]
Save = Annotated[Path | None, typer.Option("--save", help="Folder to save the fitted system to, for --model.")]
Kind = Annotated[str, typer.Option("--kind", help="Paragraph algorithm of an aligner trained here: newsela or wiki.")]


@app.command("evaluate-alignment")
@exit_on_bad_input
def evaluate_alignment(
    gold: Annotated[Path, typer.Argument(help="Labelled document pairs, JSON Lines (docs/formats.md).")],
    system: SystemName = "neural_crf",
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    vectors: Vectors = None,
    save: Save = None,
    kind: Kind = "newsela",
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", help="Score the alignments in this file instead of running a system."),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="Compare with a file of alignments, or with another system.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Precision, recall, F1, curves, breakdowns and differences of an alignment system, in percent."""
    from textsimp.alignment.spec import SystemSpec  # torch is slow to import
    from textsimp.evaluation.own_alignment import alignment_lines, evaluate_file

    spec = SystemSpec.named(system, model, train, dev, vectors, save, kind)
    results = evaluate_file(gold, spec, from_conf("resampling", Resampling), predictions, against)
    typer.echo(results.to_json() if as_json else "\n".join(alignment_lines(results)))


@app.command()
@exit_on_bad_input
def align(
    documents: Annotated[Path, typer.Argument(help="JSON Lines file of document pairs, or a folder of them.")],
    output: Annotated[Path, typer.Argument(help="File to write, or with --shard-size a folder of shards.")],
    system: Annotated[
        str | None, typer.Option("--system", help="A name of conf/alignment_system; by default what --model is.")
    ] = None,
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    vectors: Vectors = None,
    save: Save = None,
    kind: Kind = "newsela",
    shard_size: Annotated[int | None, typer.Option(help="Write shards of this many document pairs.")] = None,
    executor: Annotated[str, typer.Option(help="local (processes on this machine) or ray (a Ray cluster).")] = "local",
    workers: Annotated[
        int | None, typer.Option(help="Number of processes; with --shard-size by default all cores.")
    ] = None,
    address: Annotated[str | None, typer.Option(help="Address of the Ray cluster.")] = None,
) -> None:
    """Align the sentences of any number of document pairs; an interrupted run resumes."""
    from textsimp.alignment.corpora import Execution, align_corpus  # torch is slow to import
    from textsimp.alignment.neural.aligner_settings import Device
    from textsimp.alignment.spec import SystemSpec
    from textsimp.extras import ray_executor

    spec, device = SystemSpec.named(system, model, train, dev, vectors, save, kind), from_conf("runtime", Device)
    in_shards = shard_size is not None
    if workers is None and not in_shards and executor == "local":
        workers = 1  # a few documents are aligned before another process has started
    execution = Execution(executor, workers) if shard_size is None else Execution(executor, workers, shard_size)
    run = ray_executor.executor(executor, workers, device.device != "cpu", address)
    align_corpus(spec, documents, output, device, execution, run, in_shards)
