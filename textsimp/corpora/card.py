"""The data card of a corpus: where it comes from, how it was made, what it holds, under which terms."""

from typing import Any

from textsimp.corpora.config import BuildConfig
from textsimp.corpora.text import bleu_signature

_ALIGNERS = {"auto": "neural CRF aligner", "old": "JaccardAlign"}
_DESCRIPTIONS = {
    "levels": "level combinations {excluded} left out",
    "tokens": "a side of fewer than {config.min_tokens} tokens (13a)",
    "colon": "a side that ends with a colon",
    "one_sentence": "simple article of one sentence: {patterns} patterns, similarity below "
    "{config.one_sentence_similarity}",
    "identical": "both sides identical",
    "bleu": "BLEU below {config.bleu_low} or above {config.bleu_high} ({signature})",
    "duplicate": "the same pair again, without regard to case and punctuation",
    "leak": "a sentence of a dev or test set in training, or of a test set in dev",
}


def data_card(name: str, config: BuildConfig, report: dict[str, Any]) -> str:
    """The text of CARD.md.

    Args:
        name: of the corpus.
        config: how it was built.
        report: its statistics, as `output.statistics_report` gives them.
    """
    sections = [
        f"# Data card: {name}\n",
        f"**Text.** {config.provenance}\n",
        f"**Licence.** {config.licence}\n",
        _making(config),
        _filters(config, report),
        _table("Statistics of the alignments (Jiang et al. 2020, Table 1)", report, "statistics"),
        _table("Statistics of the training corpora (Jiang et al. 2020, Table 4)", report, "seq2seq"),
        "Lengths are in tokens of the 13a tokenisation, punctuation counted.\n",
    ]
    return "\n".join(sections)


def _making(config: BuildConfig) -> str:
    unit = {"link": "each linked sentence pair is one pair", "simple": "each linked simple sentence is one pair"}
    held_out = {
        "groups": f"article sets set aside: {config.dev_fraction:g} of them for dev, {config.test_fraction:g} for test "
        f"(seed {config.seed}), the same for both alignments",
        "asset": "a benchmark with several references in ASSET's layout; every article set is for training",
        "turk": "TURK, with eight references; every article set is for training",
    }
    return (
        f"**Making.** Sentence pairs are those that an aligner linked as aligned or partially aligned; "
        f"{unit[config.join]}. `auto` is aligned by the {_ALIGNERS['auto']}, `old` by {_ALIGNERS['old']}, "
        f"from the same documents. Dev and test: {held_out[config.evaluation]}.\n"
    )


def _filters(config: BuildConfig, report: dict[str, Any]) -> str:
    values = {
        "config": config,
        "excluded": ", ".join(config.excluded_levels) or "(none)",
        "patterns": len(config.one_sentence_patterns),
        "signature": bleu_signature().replace("|", ", "),  # a bar would end the cell
    }
    lines = ["## Filters, in order, and the pairs that each dropped\n"]
    lines += [f"| filter | drops | {' | '.join(_ALIGNERS)} |", "|---|---" + "|---:" * len(_ALIGNERS) + "|"]
    for name in report["auto"]["filters"]:
        counts = [str(report[alignment]["filters"][name]) for alignment in _ALIGNERS]
        lines.append(f"| {name} | {_DESCRIPTIONS[name].format(**values)} | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def _table(title: str, report: dict[str, Any], key: str) -> str:
    columns = [report[alignment][key] for alignment in _ALIGNERS]
    names = list(_ALIGNERS)
    if key == "statistics":
        columns, names = [report["manual"], *columns], ["manual", *names]
    lines = [f"## {title}\n", f"| | {' | '.join(names)} |", "|---" + "|---:" * len(names) + "|"]
    for statistic in columns[0]:
        lines.append(f"| {statistic} | {' | '.join(_number(column[statistic]) for column in columns)} |")
    return "\n".join(lines) + "\n"


def _number(value: int | float) -> str:
    return f"{value:.1f}" if isinstance(value, float) else f"{value:,}"
