"""Stage evaluate_paragraphs: paragraph aligners against the gold paragraphs of one corpus."""

from pathlib import Path

from stages import stage
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.spec import labelled_pairs, tuning_file
from textsimp.core.params import load_params, select, select_list
from textsimp.core.results import Resampling
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.paragraph_aligners import documents_of, evaluate_paragraphs, fitted_systems
from textsimp.sources.onestop import ParagraphGoldConfig, read_paragraph_gold


@stage(log="")
def main(corpus: str, *, raw: Path, all_splits: Path, aligners: Path, results: Path, metrics: Path) -> None:
    """Evaluate the paragraph aligners on a corpus."""
    resampling = load_params("resampling", Resampling)
    gold = read_paragraph_gold(raw, corpus, load_params(f"corpus.{corpus}.paragraphs", ParagraphGoldConfig))
    used = select(f"corpus.{corpus}.align.aligner")
    encoder, device = load_params("aligner.encoder", EncoderConfig), load_params("runtime", Device)
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in select_list("paragraph_systems")}
    cache = Cache(documents_of(gold), load_params("word_vectors", WordVectorConfig), encoder, device)
    systems = fitted_systems(configs, cache, labelled_pairs(tuning_file(all_splits / used)))
    aligner = load_aligner(aligners / used, device)
    evaluate_paragraphs(gold, aligner, systems, resampling).write(results, metrics, ["f1"])
