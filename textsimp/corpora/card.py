"""The data card of a corpus: where it comes from, how it was made, what it holds, under which terms.

A user's own data set has a short one, with the front matter that the Hugging Face hub and `datasets` read.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import yaml

from textsimp.core.records import NEW, OLD, OWN
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.filters import bleu_signature
from textsimp.corpora.pairs import table_columns
from textsimp.sources.formats import FORMATS

_ALIGNERS = {NEW: "the neural CRF aligner", OLD: "JaccardAlign", OWN: "another aligner"}
_UNITS = {
    "link": "each linked sentence pair is one pair",
    "simple": "each linked simple sentence is one pair",
    "group": "all sentences that links connect are one pair",
}
_NO_LICENCE = "**Licence.** That of the texts, which nobody said. Name it here and above before you share the data.\n"
_TABLES = {"statistics": 1, "seq2seq": 4}
_DESCRIPTIONS = {
    "levels": "level combinations {excluded} left out",
    "partial": "a pair with a partial link",
    "tokens": "a side of fewer than {config.min_tokens} tokens (13a)",
    "colon": "a side that ends with a colon",
    "one_sentence": "simple article of one sentence: {patterns} patterns, similarity below "
    "{config.one_sentence_similarity}",
    "identical": "both sides identical",
    "bleu": "BLEU below {config.bleu_low} or above {config.bleu_high} ({signature})",
    "duplicate": "the same pair again, without regard to case and punctuation",
    "size": "drawn by lot, for a set as large as another",
    "leak": "a sentence of a dev or test set in training, or of a test set in dev",
}
_SIZES = {"1K": 1_000, "10K": 10_000, "100K": 100_000, "1M": 1_000_000, "10M": 10_000_000}
"""Borders of the hub's `size_categories`."""
_COLUMNS = {
    "pair": ({"dtype": "string"}, "the document pair"),
    "label": ({"dtype": "string"}, "`aligned` (same meaning) or `partial` (one side says more)"),
    "complex_indexes": ({"list": "int32"}, "places of the complex sentences in their text, from 0"),
    "simple_index": ({"dtype": "int32"}, "place of the simple sentence in its text, from 0"),
    "simple_indexes": ({"list": "int32"}, "places of the simple sentences in their text, from 0"),
    "complex": ({"dtype": "string"}, "the complex sentence, or several joined by a space"),
    "simple": ({"dtype": "string"}, "the simple sentence, or several joined by a space"),
    "score": ({"dtype": "float64"}, "how sure the aligner was, the lowest of the joined links"),
}
"""Columns of sentence pairs: their type as `datasets` has it, and what they hold."""


def data_card(name: str, config: BuildConfig, report: dict[str, Any]) -> str:
    """Return the text of CARD.md; the report is that of `build.statistics_report`."""
    sections = [
        f"# Data card: {name}\n",
        f"**Text.** {config.provenance}\n",
        f"**Licence.** {config.licence}\n",
        _making(config, report),
        *_tables(config, report, "training corpora"),
    ]
    return "\n".join(sections)


def own_card(
    name: str, config: BuildConfig, report: dict[str, Any], sizes: Mapping[str, int], language: str | None
) -> str:
    """Return README.md of a corpus of one's own texts, whose front matter `datasets.load_dataset` reads.

    Args:
        language: code of the language; None where nobody said.
        report: as of `own.OwnCorpus.report`.
        sizes: sentence pairs of each split, by the beginning of its files' names.
    """
    files = {"validation" if split == "dev" else split: f"{split}.jsonl" for split in sizes}
    counts = ", ".join(f"{size:,} in `{split}`" for split, size in sizes.items())
    division = f"{config.dev_fraction:g} of them for dev, {config.test_fraction:g} for test (seed {config.seed})"
    return "\n".join(
        [
            _front_matter(name, table_columns(config.join), sum(sizes.values()), files, language),
            f"# {name}\n",
            f"Sentence pairs for text simplification: {counts}. {_UNITS[config.join].capitalize()}.\n",
            f"Divided by articles, all versions of one together: {division}.\n",
            _NO_LICENCE,
            *_tables(config, {"pairs": report}, "corpus"),
        ]
    )


def _front_matter(name: str, columns: Sequence[str], rows: int, files: Mapping[str, str], language: str | None) -> str:
    features = [{"name": column, **_COLUMNS[column][0]} for column in columns]
    matter: dict[str, Any] = {"pretty_name": name} | ({"language": [language]} if language else {})
    matter |= {"license": "unknown", "task_categories": ["text-generation"], "task_ids": ["text-simplification"]}
    matter |= {"size_categories": [_size(rows)], "dataset_info": {"features": features}}
    data_files = [{"split": split, "path": path} for split, path in files.items()]
    matter["configs"] = [{"config_name": "default", "data_files": data_files}]
    return f"---\n{yaml.safe_dump(matter, sort_keys=False, allow_unicode=True)}---\n"


def _size(rows: int) -> str:
    """Return the hub's category of a number of rows."""
    names, place = ["n", *_SIZES], bisect_right(list(_SIZES.values()), rows)
    if place == len(_SIZES):
        return "n>10M"
    return f"{names[place]}<{'n<' if place else ''}{names[place + 1]}"


def _making(config: BuildConfig, training: Collection[str]) -> str:
    aligned = [
        f"`{name}` is aligned by {aligner}"
        for name, aligner in _ALIGNERS.items()
        if name in training and name not in config.released
    ]
    sentences = [f"`{name}` is {_releases(config, name)}" for name in config.released]
    sentences += [
        f"`{name}` joins {' and '.join(f'`{part}`' for part in parts)}, through the filters"
        for name, parts in config.united.items()
    ]
    sentences += [f"`{name}` is drawn from `{pair[0]}`, as large as `{pair[1]}`" for name, pair in config.drawn.items()]
    return (
        f"**Making.** Sentence pairs are those that an aligner linked as aligned or partially aligned; "
        f"{_UNITS[config.join]}. {'; '.join(aligned + sentences)}. Dev and test: {_held_out(config)}.\n"
    )


def _releases(config: BuildConfig, name: str) -> str:
    releases = config.released[name]
    kind = "the release" if len(releases) == 1 else "the union of the releases"
    return f"{kind} {', '.join(releases)}{' as it is' if name in config.unfiltered else ''}"


def _held_out(config: BuildConfig) -> str:
    if config.benchmarks:
        titles = {name: FORMATS[layout].benchmark for name, layout in config.benchmarks.items()}
        sets = [f"{name} (layout of {benchmark.title})" for name, benchmark in titles.items() if benchmark]
        first = next(iter(config.benchmarks))
        return f"benchmarks: {', '.join(sets)}; dev is that of {first}; every article set trains"
    return (
        f"article sets set aside: {config.dev_fraction:g} of them for dev, {config.test_fraction:g} for test "
        f"(seed {config.seed}), the same for all alignments"
    )


def _tables(config: BuildConfig, report: dict[str, Any], what: str) -> list[str]:
    """Return the tables of filters, leaks and statistics; `what` the counts of Table 4 are of."""
    training = {name: of_set for name, of_set in report.items() if name != "manual"}
    values = {
        "config": config,
        "excluded": ", ".join(config.excluded_levels) or "(none)",
        "patterns": len(config.one_sentence_patterns),
        "signature": bleu_signature().replace("|", ", "),  # a bar would end the cell
    }
    first = next(iter(training.values()))
    filters = [
        [name, _DESCRIPTIONS[name].format(**values), *(str(of_set["filters"][name]) for of_set in training.values())]
        for name in first["filters"]
    ]
    leaks = [[name, *(str(of_set["leaks"][name]) for of_set in training.values())] for name in first["leaks"]]
    names = list(training)
    return [
        _table("Filters, in order, and the pairs that each dropped", ["filter", "drops"], names, filters),
        _table("Training pairs left out for a sentence of a held-out set", ["set"], names, leaks),
        _statistics("Statistics of the alignments", report, "statistics"),
        _statistics(f"Statistics of the {what}", report, "seq2seq"),
        "Lengths are in tokens of the 13a tokenisation, punctuation counted.\n",
    ]


def _statistics(title: str, report: dict[str, Any], key: str) -> str:
    columns = {"manual": report["manual"]} if key == "statistics" and "manual" in report else {}
    columns |= {name: of_set[key] for name, of_set in report.items() if name != "manual" and key in of_set}
    names = dict.fromkeys(name for column in columns.values() for name in column)
    rows = [
        [name, *(_number(column[name]) if name in column else "–" for column in columns.values())] for name in names
    ]
    return _table(f"{title} (Jiang et al. 2020, Table {_TABLES[key]})", [""], list(columns), rows)


def _table(title: str, head: list[str], numbers: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table under its title; `head` names the columns of text, `numbers` those of numbers."""
    lines = [[*head, *numbers], *rows]
    cells = ["| " + " | ".join(line) + " |" for line in lines]
    cells.insert(1, "|---" * len(head) + "|---:" * len(numbers) + "|")
    return "\n".join([f"## {title}\n", *(cell.replace("|  |", "| |", 1) for cell in cells)]) + "\n"


def _number(value: int | float) -> str:
    return f"{value:.1f}" if isinstance(value, float) else f"{value:,}"
