"""The table that a person reads first: the paper's main claims, ours beside its numbers, and whether they hold."""

from collections.abc import Mapping

from textsimp.reporting.alignment_claims import alignment_claims
from textsimp.reporting.claims import Claim, Contest, best_of, contest
from textsimp.reporting.inputs import CorpusResults, Results
from textsimp.reporting.markdown import to_markdown
from textsimp.reporting.names import CORPUS_COLUMNS, MANUAL_CORPUS, PRINTED, TEST_SETS, simplifier_label
from textsimp.reporting.published import Published
from textsimp.reporting.simplification_tables import COMPLEX, equal_cells, main_first
from textsimp.reporting.tables import MISSING, Column, Row, Table, text_cell

_BERT = "transformer_bert"


def main_table(results: Results, published: Published) -> str:
    """The main table as Markdown, to print at the end of a run."""
    return to_markdown(summary(results, published))


def summary(results: Results, published: Published) -> Table:
    """The main table.

    Per corpus: the claims about alignment (`alignment_claims`); in SARI per sentence on the main test set new
    data against old, the best simplifier against the unchanged input, Transformer_bert against the others.
    """
    rows: list[Row] = []
    for corpus in results.corpora:
        claims = alignment_claims(corpus, published) if corpus.plan.is_annotated else []
        claims += _simplification_claims(corpus, published) if corpus.plan.is_simplified else []
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
    names = [f"{corpus.plan.name} beside {_beside(corpus)}" for corpus in results.simplified]
    if not names:
        return "Released system outputs scored again; nothing is trained."
    return (
        f"Claims of the paper, and of this project where the paper has no number. {'; '.join(names)}. Ours and the "
        "paper's numbers are of different corpora: compare the order, not the height. F1 in percent on the test split; SARI per sentence."
    )


def _beside(corpus: CorpusResults) -> str:
    kind = corpus.plan.kind
    sides = CORPUS_COLUMNS[kind]
    paper_set = TEST_SETS.get((kind, main_first(corpus.test_sets)[0]), "")
    tested = "" if paper_set in ("", sides["auto"]) else f" (tested on {PRINTED[paper_set]})"
    return f"{MANUAL_CORPUS[kind]} and {PRINTED[sides['auto']]}{tested}"


def _row(corpus: str, claim: Claim, first: bool) -> Row:
    verdict = text_cell("yes", "good") if claim.ours.holds else text_cell("no", "bad")
    cells = (text_cell(corpus), text_cell(claim.text), text_cell(str(claim.ours)), text_cell(claim.paper or MISSING))
    return Row((*cells, verdict), first)


def _simplification_claims(corpus: CorpusResults, published: Published) -> list[Claim]:
    test_set = main_first(corpus.test_sets)[0]
    scores, kind = corpus.test_sets[test_set], corpus.plan.kind
    paper_set = TEST_SETS.get((kind, test_set))
    ours = {
        training: {simplifier_label(system): found["sari"] for system, found in systems.items() if "sari" in found}
        for training, systems in scores.items()
    }
    paper = _claims_of(_paper_saris(published, kind, paper_set), COMPLEX)
    claims = _claims_of(ours, "identity")
    return [Claim(text, found, str(paper.get(text, ""))) for text, found in claims.items()]


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
        claims["SARI: best on new data > best on old data"] = Contest((best_of(new), best_of(old)))
    trained = _named_by_training({"new": new, "old": old})
    if trained and identity in saris.get("none", {}):
        unchanged = ("input", saris["none"][identity])
        claims["SARI: best simplifier > unchanged input"] = Contest((best_of(trained), unchanged))
    bert = simplifier_label(_BERT)
    if against := contest(new, bert, str):
        claims[f"SARI, new data: {bert} > best other"] = against
    return claims


def _named_by_training(sides: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {f"{system}, {side}": value for side, systems in sides.items() for system, value in systems.items()}
