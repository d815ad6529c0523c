"""The claims about sentence alignment: the order of the systems, two chains against one, the ensemble emission."""

from textsimp.reporting.alignment.names import (
    BERT,
    CRF,
    LEXICAL,
    ONE_CHAIN,
    ORACLE,
    PRECISE,
    VITERBI,
    emission_pair,
    is_crf,
    published_alignment,
)
from textsimp.reporting.alignment.results import Alignment
from textsimp.reporting.claims import Claim, Contest, above, best_of, contest
from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import MANUAL_CORPUS
from textsimp.reporting.published import Published

_TASKS = {"task1": "Task 1", "task2": "Task 2"}
_SPLIT = "test"


def alignment_claims(corpus: CorpusResults, published: Published) -> list[Claim]:
    """The claims that the systems of a corpus allow.

    The CRF aligner against the best other system, variants of it and systems with gold paragraphs left out; the order
    of tables 2, 3 and 13; and the two claims that are ours: what the second chain and the ensemble emission bring.
    """
    return [
        *_against_others(corpus, published),
        *_order(corpus, published),
        *_two_chains(corpus.alignment),
        *_emission(corpus.alignment),
    ]


def _against_others(corpus: CorpusResults, published: Published) -> list[Claim]:
    claims, kind, alignment = [], corpus.plan.kind, corpus.alignment
    oracle = published_alignment(ORACLE, kind)
    for system, words in ((CRF, "CRF aligner"), (VITERBI, "CRF aligner, Viterbi")):
        for task, name in _TASKS.items():
            others = {other: f1 for other, f1 in _f1(corpus, task).items() if not is_crf(other)}
            if system not in alignment.fair(_SPLIT) or not others:
                continue
            best, value = best_of(others)
            ours = Contest((("", alignment.score(_SPLIT, system, task, "f1")), (alignment.labels[best], value)))
            paper = {other: f1 for other, f1 in _paper_f1(published, kind, _SPLIT, task).items() if other != oracle}
            beside = contest(paper, published_alignment(CRF, kind) or "", lambda other: _short(other, kind))
            tested = alignment.difference(_SPLIT, system, best, task)
            claims.append(Claim(f"{name} F1: {words} > best other", ours, str(beside or ""), (tested,)))
    return claims


def _order(corpus: CorpusResults, published: Published) -> list[Claim]:
    """CRF over BERT finetune over the best lexical system."""
    claims, alignment = [], corpus.alignment
    for task, name in _TASKS.items():
        f1 = _f1(corpus, task)
        lexical = {system: value for system, value in f1.items() if system in LEXICAL}
        if CRF in f1 and BERT in f1 and lexical:
            best, value = best_of(lexical)
            ours = Contest((("", f1[CRF]), ("", f1[BERT]), (alignment.labels[best], value)))
            paper = _paper_order(published, corpus.plan.kind, task)
            tested = tuple(alignment.difference(_SPLIT, *pair, task) for pair in ((CRF, BERT), (BERT, best)))
            claims.append(Claim(f"{name} F1: CRF aligner > BERT finetune > best lexical", ours, paper, tested))
    return claims


def _paper_order(published: Published, kind: str, task: str) -> str:
    """In one table, or (Newsela) lexical systems from the table about test, BERT finetune from the one about dev."""
    crf, bert = (published_alignment(system, kind) or "" for system in (CRF, BERT))
    names = {published_alignment(system, kind) for system in LEXICAL}
    test, dev = (_paper_f1(published, kind, split, task) for split in (_SPLIT, "dev"))
    lexical = {name: value for name, value in test.items() if name in names}
    if crf not in test or not lexical:
        return ""
    best, value = best_of(lexical)
    if bert in test:
        return str(Contest((("", test[crf]), ("", test[bert]), (best, value))))
    found = str(Contest((("", test[crf]), (best, value))))
    if crf in dev and bert in dev:
        found += f"; on dev {Contest((('', dev[crf]), (_short(bert, kind), dev[bert])))}"
    return found


def _two_chains(alignment: Alignment) -> list[Claim]:
    """The second chain finds more and is wrong no more often, where it is as precise as one chain on dev."""
    if not {PRECISE, ONE_CHAIN} <= alignment.scores[_SPLIT].keys():
        return []
    claims = []
    for measure, sign in (("recall", ">"), ("precision", "≥")):
        sides = tuple(("", alignment.score(_SPLIT, system, "task1", measure)) for system in (PRECISE, ONE_CHAIN))
        text = f"Task 1 {measure}: two chains, as precise on dev {sign} one chain"
        claims.append(Claim(text, Contest(sides, strict=sign == ">")))
    return claims


def _emission(alignment: Alignment) -> list[Claim]:
    pair = emission_pair(alignment.scores[_SPLIT])
    if pair is None:
        return []
    encoder, ensemble = pair
    return [
        above(
            f"{name} F1: CRF aligner, ensemble emission > encoder emission",
            (alignment.score(_SPLIT, ensemble, task, "f1"), alignment.score(_SPLIT, encoder, task, "f1")),
            None,
            alignment.difference(_SPLIT, ensemble, encoder, task),
        )
        for task, name in _TASKS.items()
    ]


def table_claims(corpus: CorpusResults, published: Published, split: str) -> tuple[str, list[Claim]]:
    """The CRF aligner over each other system of the paper's table about a split, whatever ours has of them.

    Returns:
        The table's name, and the claims: none where the CRF aligner is not compared.
    """
    kind, alignment = corpus.plan.kind, corpus.alignment
    table, _ = published.alignment(kind, split)
    claims = []
    for task, name in _TASKS.items():
        paper = _paper_f1(published, kind, split, task)
        crf = published_alignment(CRF, kind) or ""
        for system in alignment.fair(split):
            printed = published_alignment(system, kind) or ""
            if system == CRF or CRF not in alignment.fair(split) or not {crf, printed} <= paper.keys():
                continue
            ours = alignment.score(split, CRF, task, "f1"), alignment.score(split, system, task, "f1")
            tested = alignment.difference(split, CRF, system, task)
            text = f"{name} F1: CRF aligner > {alignment.labels[system]}"
            claims.append(above(text, ours, (paper[crf], paper[printed]), tested))
    return table, claims


def _f1(corpus: CorpusResults, task: str) -> dict[str, float]:
    """Our systems that see no gold paragraphs."""
    alignment = corpus.alignment
    return {system: alignment.score(_SPLIT, system, task, "f1") for system in alignment.fair(_SPLIT)}


def _paper_f1(published: Published, kind: str, split: str, task: str) -> dict[str, float]:
    _, printed = published.alignment(kind, split)
    return {system: float(tasks[task]["f1"]) for system, tasks in printed.items() if tasks[task].get("f1")}


def _short(name: str, kind: str) -> str:
    """A printed name without the corpus that the system is trained on."""
    return name.replace(f" ({MANUAL_CORPUS[kind]})", "")
