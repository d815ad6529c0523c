"""Are the committed metrics reproduced? Compares the JSON files of two report folders, number by number.

Where nothing is trained the numbers have to be the same. Where a model is trained, another kind of processor adds
numbers in another order, training amplifies the last bit, and the model ends elsewhere: on the same kind every byte is
the same, on another one the sample's small test sets move by many points. The tolerances below are about one and a half
times what three kinds of processors (of two makers, with 256-bit and 512-bit vectors) were seen to change; what may not
happen on any is in `LEAST`.

    python tools/check_metrics.py COMMITTED FRESH
"""

import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, exit_on_bad_input
from textsimp.textfiles import read_json

FOLDERS = ("alignment", "audit", "corpora", "paragraphs", "simplification", "published")
ROUNDING = 1e-9
"""Relative; the order of a sum may differ between builds of numpy even where nothing is trained."""


@dataclass(frozen=True)
class Rule:
    """How far the numbers may lie apart whose place `FILE:KEY.KEY...` the pattern matches from its start.

    absolute: in the number's own unit (points of percent, tokens, grades). relative: to the larger of both.
    """

    place: str
    absolute: float
    relative: float


EXACT = r"(jaccard|tfidf|zhu|jaccard_align|massalign|cats_c3g\w*|hmm|coster_kauchak)(_gold_paragraphs)?"
"""Systems of counts alone, whose numbers have to be the same wherever they are computed."""
RULES = (
    # Small networks on few links: another order of sums ends elsewhere.
    Rule(r"alignment/\w+\.json:\w+\.(infersent|esim)\.", 30.0, 0.0),
    # The other systems that are trained or read a trained encoder. The pairs corpus has 15 aligned links in dev.
    Rule(rf"alignment/sample_wiki\.json:\w+\.(?!{EXACT}\.)\w+\.\w+\.(f1|max_f1|area)$", 30.0, 0.0),
    Rule(rf"alignment/sample_wiki\.json:\w+\.(?!{EXACT}\.)\w+\.\w+\.(precision|recall)$", 45.0, 0.0),
    Rule(rf"alignment/\w+\.json:\w+\.(?!{EXACT}\.)\w+\.\w+\.(f1|max_f1|area)$", 10.0, 0.0),
    Rule(rf"alignment/\w+\.json:\w+\.(?!{EXACT}\.)\w+\.\w+\.(precision|recall)$", 18.0, 0.0),
    # The difference to a trained aligner; how the links of the others spread over bins of a few links is not compared.
    Rule(r"alignment/\w+\.details\.json:splits\.\w+\.systems\.\w+\.differences\.", 40.0, 0.0),
    Rule(rf"alignment/\w+\.details\.json:splits\.\w+\.systems\.(?!{EXACT}\.)", 100.0, 1.0),
    # The trained aligner on articles without annotation; JaccardAlign's links are the same everywhere.
    Rule(r"audit/[^:]+:auto\.task", 15.0, 0.0),
    Rule(r"audit/[^:]+:auto\.counts\.", 20.0, 0.25),
    Rule(r"audit/[^:]+:(auto\.intervals|old\.difference)\.", 15.0, 0.0),
    # What the trained aligner aligned: counts follow it; the manual part and JaccardAlign's links do not.
    Rule(r"corpora/[^:]+:auto\.", 30.0, 0.3),
    # The old corpus leaves out the sentences of the test set that the trained aligner made.
    Rule(r"corpora/sample_news\.json:old\.", 10.0, 0.05),
    # Intervals and differences between trained simplifiers follow their outputs.
    Rule(r"simplification/\w+\.details\.json:", 100.0, 1.0),
    # The test set `auto` of the news corpus, and everything that a trained simplifier wrote.
    Rule(r"simplification/[^:]+:test_sets\.auto\.none\.", 3.0, 0.0),
    Rule(r"simplification/[^:]+:test_sets\.\w+\.(?!none\.)\w+\.\w+\.(sari|sari_corpus)$", 14.0, 0.0),
    Rule(r"simplification/[^:]+:test_sets\.\w+\.(?!none\.)", 40.0, 0.0),
)
"""The first that matches counts; a place that none matches has to be reproduced exactly."""


LEAST = {
    "alignment/sample_news.json:test.neural_crf.task1.f1": 91.0,
    "alignment/sample_news.json:test.neural_crf.task2.f1": 72.0,
    "alignment/sample_wiki.json:test.neural_crf.task1.f1": 86.0,
    "alignment/sample_wiki.json:test.neural_crf.task2.f1": 72.0,
    "alignment/sample_news.json:test.bert_finetune.task1.f1": 84.0,
    "alignment/sample_wiki.json:test.bert_finetune.task1.f1": 80.0,
}
"""What has to be reached wherever it is trained: a model that learns nothing would be far below."""


def leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Every number and text of a JSON value with its place."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, f"{place}{'' if place.endswith(':') else '.'}{key}")
    else:
        yield place, value


def read_metrics(folder: Path) -> dict[str, Any]:
    """Every number and text of the metrics under a report folder by place."""
    found = {}
    for path in sorted(path for name in FOLDERS for path in (folder / name).glob("*.json")):
        found.update(leaves(read_json(path), f"{path.relative_to(folder).as_posix()}:"))
    if not found:
        raise InputError(f"{folder}: no metrics (JSON files in {', '.join(FOLDERS)}); run `make repro` first")
    return found


def rule_of(place: str) -> Rule | None:
    """The rule for a place; None where it has to be reproduced exactly."""
    return next((rule for rule in RULES if re.match(rule.place, place)), None)


def agree(committed: Any, fresh: Any, rule: Rule | None) -> bool:
    """Whether two values are the same, or near enough under the rule."""
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in (committed, fresh)):
        return committed == fresh
    if rule is None:
        return math.isclose(committed, fresh, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return abs(committed - fresh) <= max(rule.absolute, rule.relative * max(abs(committed), abs(fresh)))


def compare(committed: dict[str, Any], fresh: dict[str, Any]) -> list[str]:
    """One line for each place that is absent on one side or does not agree."""
    problems = [f"{place}: not in the fresh run" for place in committed.keys() - fresh.keys()]
    problems += [f"{place}: not committed" for place in fresh.keys() - committed.keys()]
    for place in committed.keys() & fresh.keys():
        rule = rule_of(place)
        if not agree(committed[place], fresh[place], rule):
            allowed = "exactly" if rule is None else f"within {rule.absolute} or {rule.relative:.0%}"
            problems.append(f"{place}: committed {committed[place]}, now {fresh[place]}; expected {allowed}")
    problems += [
        f"{place}: {fresh[place]}; at least {least} is expected on any machine"
        for place, least in LEAST.items()
        if fresh.get(place, least) < least
    ]
    return sorted(problems)


@exit_on_bad_input
def main() -> None:
    """Compare the two folders that the command line names; exit status 1 where the metrics are not reproduced."""
    committed, fresh = (read_metrics(Path(folder)) for folder in sys.argv[1:3])
    problems = compare(committed, fresh)
    for problem in problems:
        print(problem)
    equal = sum(fresh.get(place) == value for place, value in committed.items())
    print(f"metrics: {len(committed)} committed, {equal} the same in the fresh run, {len(problems)} not reproduced")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
