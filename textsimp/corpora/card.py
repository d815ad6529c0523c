"""The data card of a corpus: where it comes from, how it was made, what it holds, under which terms."""

from typing import Any

from textsimp.corpora.config import BuildConfig
from textsimp.corpora.text import bleu_signature

_ALIGNERS = {"auto": "the neural CRF aligner", "old": "JaccardAlign"}
_LAYOUTS = {"asset": "ASSET", "turk": "TURK"}
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
        _leaks(report),
        _table("Statistics of the alignments (Jiang et al. 2020, Table 1)", report, "statistics"),
        _table("Statistics of the training corpora (Jiang et al. 2020, Table 4)", report, "seq2seq"),
        "Lengths are in tokens of the 13a tokenisation, punctuation counted.\n",
    ]
    return "\n".join(sections)


def _making(config: BuildConfig) -> str:
    unit = {"link": "each linked sentence pair is one pair", "simple": "each linked simple sentence is one pair"}
    aligned = [
        f"`{name}` is aligned by {aligner}" for name, aligner in _ALIGNERS.items() if name not in config.released
    ]
    made = [f"`{name}` is the release {release}" for name, release in config.released.items()]
    return (
        f"**Making.** Sentence pairs are those that an aligner linked as aligned or partially aligned; "
        f"{unit[config.join]}. {'; '.join(aligned + made)}. Dev and test: {_held_out(config)}.\n"
    )


def _held_out(config: BuildConfig) -> str:
    if config.benchmarks:
        sets = [f"{name} (layout of {_LAYOUTS[layout]})" for name, layout in config.benchmarks.items()]
        first = next(iter(config.benchmarks))
        return (
            f"benchmarks with several references: {', '.join(sets)}; dev is that of {first}; every article set trains"
        )
    return (
        f"article sets set aside: {config.dev_fraction:g} of them for dev, {config.test_fraction:g} for test "
        f"(seed {config.seed}), the same for all alignments"
    )


def _filters(config: BuildConfig, report: dict[str, Any]) -> str:
    values = {
        "config": config,
        "excluded": ", ".join(config.excluded_levels) or "(none)",
        "patterns": len(config.one_sentence_patterns),
        "signature": bleu_signature().replace("|", ", "),  # a bar would end the cell
    }
    names = _training_sets(report)
    lines = ["## Filters, in order, and the pairs that each dropped\n"]
    lines += [f"| filter | drops | {' | '.join(names)} |", "|---|---" + "|---:" * len(names) + "|"]
    for name in report[names[0]]["filters"]:
        counts = [str(report[training]["filters"][name]) for training in names]
        lines.append(f"| {name} | {_DESCRIPTIONS[name].format(**values)} | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def _leaks(report: dict[str, Any]) -> str:
    names = _training_sets(report)
    lines = ["## Training pairs left out for a sentence of a held-out set\n"]
    lines += [f"| set | {' | '.join(names)} |", "|---" + "|---:" * len(names) + "|"]
    for held_out in report[names[0]]["leaks"]:
        counts = [str(report[training]["leaks"][held_out]) for training in names]
        lines.append(f"| {held_out} | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def _table(title: str, report: dict[str, Any], key: str) -> str:
    columns = {name: report[name][key] for name in _training_sets(report) if key in report[name]}
    if key == "statistics":
        columns = {"manual": report["manual"], **columns}
    lines = [f"## {title}\n", f"| | {' | '.join(columns)} |", "|---" + "|---:" * len(columns) + "|"]
    for statistic in dict.fromkeys(name for column in columns.values() for name in column):
        cells = [_number(column[statistic]) if statistic in column else "–" for column in columns.values()]
        lines.append(f"| {statistic} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _training_sets(report: dict[str, Any]) -> list[str]:
    return [name for name in report if name != "manual"]


def _number(value: int | float) -> str:
    return f"{value:.1f}" if isinstance(value, float) else f"{value:,}"
