"""The paper's tables as claims: each number that it sets above another, printed, ours, and whether it holds."""

from collections.abc import Sequence

from textsimp.reporting.alignment.claims import table_claims as alignment_table_claims
from textsimp.reporting.claims import Claim, claims_table
from textsimp.reporting.inputs import CorpusResults, Results
from textsimp.reporting.leaderboard.claims import released_claims
from textsimp.reporting.names import MANUAL_CORPUS, PAPER, PRINTED, TEST_SETS
from textsimp.reporting.published import Published
from textsimp.reporting.simplification.claims import table_claims as simplification_table_claims
from textsimp.reporting.simplification.tables import PAPER_TABLES, main_first
from textsimp.reporting.tables import Table

_SPLITS = ("test", "dev")


def claim_tables(results: Results, published: Published) -> list[Table]:
    """Tables 2, 3, 12 and 13: the CRF aligner over the others. Tables 5 and 8: new data over old for each model."""
    tables = [_alignment(corpus, split, published) for corpus in results.annotated for split in _SPLITS]
    tables += [*_simplification(results.simplified, published), _released(results, published)]
    return [table for table in tables if table.rows]


def _alignment(corpus: CorpusResults, split: str, published: Published) -> Table:
    name, kind = corpus.plan.name, corpus.plan.kind
    printed, claims = alignment_table_claims(corpus, published, split)
    return claims_table(
        f"claims-alignment-{name}-{split}",
        f"{printed} as claims: the CRF aligner over each other system, {name} {split}",
        f"Printed: {MANUAL_CORPUS[kind]} {split} ({PAPER}, {printed}); ours: {name} {split}, another corpus. F1 in "
        "percent; paired bootstrap and randomisation over article sets.",
        [(name, claims)],
    )


def _simplification(corpora: Sequence[CorpusResults], published: Published) -> list[Table]:
    tables = []
    for corpus in corpora:
        name, kind = corpus.plan.name, corpus.plan.kind
        groups: list[tuple[str, list[Claim]]] = [
            (f"{name}, {test_set}{_beside(kind, test_set)}", simplification_table_claims(corpus, published, test_set))
            for test_set in main_first(corpus.test_sets)
        ]
        table = claims_table(
            f"claims-simplification-{name}",
            f"{PAPER_TABLES[kind]} as claims: each model on new data over the same one on old data, {name}",
            f"Printed: {PAPER}, {PAPER_TABLES[kind]}. SARI per sentence; paired bootstrap and randomisation over "
            "sentences.",
            groups,
        )
        tables.append(table)
    return tables


def _released(results: Results, published: Published) -> Table:
    return claims_table(
        "claims-released",
        "Table 8 as claims, from the outputs released with it",
        f"Printed: {PAPER}, Table 8; ours: the same outputs on the same test set. SARI per sentence; paired "
        "bootstrap and randomisation over sentences, each claim tested for itself.",
        [(PRINTED["turk"], released_claims(results.leaderboard, published))],
    )


def _beside(kind: str, test_set: str) -> str:
    paper_set = TEST_SETS.get((kind, test_set))
    return f" beside {PRINTED[paper_set]}" if paper_set else ""
