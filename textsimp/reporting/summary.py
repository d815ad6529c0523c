"""The table that a person reads first: the paper's main claims, ours beside its numbers, and whether they hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from textsimp.reporting.inputs import CorpusResults, Results
from textsimp.reporting.markdown import to_markdown
from textsimp.reporting.names import (
    CORPUS_COLUMNS,
    CRF,
    MANUAL_CORPUS,
    ORACLE,
    PRINTED,
    TEST_SETS,
    VITERBI,
    alignment_label,
    published_alignment,
    simplifier_label,
)
from textsimp.reporting.published import Published
from textsimp.reporting.simplification_tables import COMPLEX, equal_cells, main_first
from textsimp.reporting.tables import MISSING, Column, Row, Table, number, text_cell

Named = tuple[str, float]
_TASKS = {"task1": "Task 1", "task2": "Task 2"}
_OWN = (CRF, VITERBI, ORACLE)
_BERT = "transformer_bert"


@dataclass(frozen=True)
class Contest:
    """The claim that one number is above another, in our runs or in the paper; each with a name, or none."""

    first: Named
    second: Named

    @property
    def holds(self) -> bool:
        """Whether the first is above the second, as printed."""
        return round(self.first[1], 1) > round(self.second[1], 1)

    def __str__(self) -> str:
        first, second = number(self.first[1]), number(self.second[1])
        sign = ">" if self.holds else "=" if first == second else "<"
        return f"{self._named(self.first)} {sign} {self._named(self.second)}"

    @staticmethod
    def _named(side: Named) -> str:
        return f"{number(side[1])} ({side[0]})" if side[0] else number(side[1])


def main_table(results: Results, published: Published) -> str:
    """The main table as Markdown, to print at the end of a run."""
    return to_markdown(summary(results, published))


def summary(results: Results, published: Published) -> Table:
    """The main table.

    Per corpus: the CRF aligner against the best other aligner in F1; in SARI per sentence on the main test set new
    data against old, the best simplifier against the unchanged input, Transformer_bert against the others.
    """
    rows: list[Row] = []
    for corpus in results.corpora:
        claims = [*_alignment_claims(corpus, published), *_simplification_claims(corpus, published)]
        rows += [_row(corpus.plan.name, claim, place == 0) for place, claim in enumerate(claims)]
    for name, found in results.published.items():
        equal, compared = equal_cells(found["rows"], systems_only=True)
        claim = f"Table 8 ({PRINTED['turk']}): system cells as printed"
        verdict = text_cell("yes" if equal == compared else "no", "good" if equal == compared else "bad")
        cells = (text_cell(name), text_cell(claim), text_cell(f"{equal} of {compared}"), text_cell(""), verdict)
        rows.append(Row(cells, True))
    headers = ("Corpus", "Claim", "Ours", "Paper", "Holds")
    return Table(
        "summary", "Main results", _text(results), tuple(Column("", h, numeric=False) for h in headers), tuple(rows)
    )


def _text(results: Results) -> str:
    names = [f"{corpus.plan.name} beside {_beside(corpus)}" for corpus in results.corpora]
    if not names:
        return "Released system outputs scored again; nothing is trained."
    return (
        f"Claims of the paper. {'; '.join(names)}. Ours and the paper's numbers are of different corpora: compare the "
        "order, not the height. F1 in percent on the test split; SARI per sentence."
    )


def _beside(corpus: CorpusResults) -> str:
    kind = corpus.plan.kind
    sides = CORPUS_COLUMNS[kind]
    paper_set = TEST_SETS.get((kind, main_first(corpus.test_sets)[0]), "")
    tested = "" if paper_set in ("", sides["auto"]) else f" (tested on {PRINTED[paper_set]})"
    return f"{MANUAL_CORPUS[kind]} and {PRINTED[sides['auto']]}{tested}"


def _row(corpus: str, claim: tuple[str, Contest, Contest | None], first: bool) -> Row:
    text, ours, paper = claim
    verdict = text_cell("yes", "good") if ours.holds else text_cell("no", "bad")
    cells = (text_cell(corpus), text_cell(text), text_cell(str(ours)), text_cell(str(paper or MISSING)), verdict)
    return Row(cells, first)


def _alignment_claims(corpus: CorpusResults, published: Published) -> list[tuple[str, Contest, Contest | None]]:
    claims = []
    scores, kind = corpus.alignment["test"], corpus.plan.kind
    _, printed = published.alignment(kind, "test")
    trained_on = f" ({MANUAL_CORPUS[kind]})"
    for system, words in ((CRF, "CRF aligner"), (VITERBI, "CRF aligner, Viterbi")):
        for task, name in _TASKS.items():
            ours = {other: tasks[task]["f1"] for other, tasks in scores.items() if other == system or other not in _OWN}
            contest = _contest(ours, system, alignment_label)
            if contest is None:
                continue
            paper = {other: float(tasks[task]["f1"]) for other, tasks in printed.items() if tasks[task]}
            beside = _contest(paper, published_alignment(CRF, kind), lambda label: label.replace(trained_on, ""))
            claims.append((f"{name} F1: {words} > best other", contest, beside))
    return claims


def _contest(numbers: Mapping[str, float], name: str, label: Callable[[str], str]) -> Contest | None:
    """`name` against the best of the others; None where one side is absent."""
    others = {other: value for other, value in numbers.items() if other != name}
    if name not in numbers or not others:
        return None
    best = _best(others)
    return Contest(("", numbers[name]), (label(best[0]), best[1]))


def _best(numbers: Mapping[str, float]) -> Named:
    """The highest, of equals the first."""
    return max(numbers.items(), key=lambda item: item[1])


def _simplification_claims(corpus: CorpusResults, published: Published) -> list[tuple[str, Contest, Contest | None]]:
    test_set = main_first(corpus.test_sets)[0]
    scores, kind = corpus.test_sets[test_set], corpus.plan.kind
    paper_set = TEST_SETS.get((kind, test_set))
    ours = {
        training: {simplifier_label(system): found["sari"] for system, found in systems.items() if "sari" in found}
        for training, systems in scores.items()
    }
    paper = _claims_of(_paper_saris(published, kind, paper_set), COMPLEX)
    return [(text, contest, paper.get(text)) for text, contest in _claims_of(ours, "identity").items()]


def _paper_saris(published: Published, kind: str, paper_set: str | None) -> dict[str, dict[str, float]]:
    names = {column: which for which, column in CORPUS_COLUMNS[kind].items()} | {"none": "none"}
    found: dict[str, dict[str, float]] = {}
    for (training, system), row in published.simplification(kind, paper_set).items():
        if training in names and row["sari"]:
            found.setdefault(names[training], {})[system] = float(row["sari"])
    return found


def _claims_of(saris: Mapping[str, Mapping[str, float]], identity: str) -> dict[str, Contest]:
    """The claims that these numbers allow: training set -> system -> SARI, `none` for the unchanged input."""
    claims = {}
    new, old = saris.get("auto", {}), saris.get("old", {})
    if new and old:
        claims["SARI: best on new data > best on old data"] = Contest(_best(new), _best(old))
    trained = _named_by_training({"new": new, "old": old})
    if trained and identity in saris.get("none", {}):
        unchanged = ("input", saris["none"][identity])
        claims["SARI: best simplifier > unchanged input"] = Contest(_best(trained), unchanged)
    bert = simplifier_label(_BERT)
    if contest := _contest(new, bert, str):
        claims[f"SARI, new data: {bert} > best other"] = contest
    return claims


def _named_by_training(sides: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {f"{system}, {side}": value for side, systems in sides.items() for system, value in systems.items()}
