"""What the paper says, and what this project adds, as claims: each contest once, with the paper's own model."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from textsimp.reporting.claims import Claim, Side, claim, claims_table, headline
from textsimp.reporting.compared_systems import (
    Released,
    Simplifier,
    fair,
    new_and_old,
    released,
    released_as,
    simplifiers,
    unmatched,
)
from textsimp.reporting.inputs import Numbers, PrintedTable, Run
from textsimp.reporting.names import ABOUT, TASKS
from textsimp.reporting.plan import CorpusPlan
from textsimp.reporting.table import Table, text_of
from textsimp.reporting.tables_alignment import SPLITS, prefix, printed_beside
from textsimp.reporting.tables_published import boards

PAPER_MODEL, ENCODER = "neural_crf_paper", "bert_finetune"
_OLD_DATA = {"old": "old data", "old_equal": "old data, as many", "all": "new and old data, filtered"}
_MODEL = "transformer_bert"
_BY_MODEL = "SARI per sentence; tests resample sentences. Marks and verdicts are those of the first table."


def of_the_paper(run: Run) -> list[Claim]:
    """Return the claims that the answer counts: each table of the paper that has the CRF aligner, and SARI."""
    found = [one for corpus in run.annotated for split in SPLITS for one in _alignment(run, corpus, split)]
    for corpus in run.simplified:
        found += [one for test_set in run.test_sets(corpus.name)[:1] for one in _simplification(run, corpus, test_set)]
    return found + list(_table_8(run))


def _alignment(run: Run, corpus: CorpusPlan, split: str) -> Iterator[Claim]:
    """Yield what a table prints: the CRF and the encoder above the best others, paragraphs above none."""
    numbers, printed = run.at(run.aligned(corpus.name), split), printed_beside(run, corpus, split)
    group = f"{run.label(corpus.name)} {split}" + (f" ({printed.name})" if printed.name else "")

    def side(task: str, system: str, name: str = "", beside: str = "") -> Side:
        beside = beside or run.of_aligner(system, "jiang2020", corpus.kind)
        return Side(system, name, printed.number(f"{prefix(task)}_f1", system=beside))

    def others(task: str, *without: str) -> list[Side]:
        """The systems of the table, ours and the paper's alone, but for those whose names begin so."""
        ours = [side(task, name, run.label(name)) for name in fair(run, numbers)]
        found = [one for one in ours if one.printed is not None]
        found += [side(task, name, name, name) for name in unmatched(run, numbers, printed, corpus.kind)]
        return [one for one in found if not one.system.startswith(without)]

    def contest(task: str, text: str, system: str, rivals: Sequence[Side]) -> list[Claim]:
        sides = [side(task, system)], rivals
        claims = claim(numbers, f"{task}.f1", group, f"{TASKS[task]} F1: {text}", sides, run)
        return [one for one in claims if one.paper]

    for task in TASKS:
        rivals = others(task, "neural_crf", "Neural CRF")
        yield from contest(task, "CRF aligner > best other of the table", PAPER_MODEL, rivals)
    for task in TASKS:
        rivals = others(task, "neural_crf", "Neural CRF", "bert_finetune", "BERT finetune")
        yield from contest(task, "BERT finetune > best other not built on it", ENCODER, rivals)
    rivals = [side("task1", ENCODER)]
    yield from contest("task1", "BERT finetune + ParaAlign > BERT finetune", f"{ENCODER}_paraalign", rivals)


def _simplification(run: Run, corpus: CorpusPlan, test_set: str) -> Iterator[Claim]:
    """Yield what SARI on the main test set says of data and models."""
    numbers = run.at(f"simplification/{corpus.name}", test_set)
    side = partial(_simplifier, run, corpus, test_set)
    contest = partial(claim, numbers, "sari", run.label(corpus.name), run=run)
    new, old, trained = (simplifiers(run, numbers, which) for which in ("new", "old", "trained"))
    best = [[side(one, "{model}") for one in ones] for ones in (new, old)]
    yield from contest("SARI: best on new data > best on old data", best)
    unchanged = side(Simplifier.of("identity"), "input")
    both = [side(one, "{model}, {side}") for one in trained], [unchanged]
    yield from contest("SARI: best simplifier > unchanged input", both)
    bert, rand = (side(Simplifier.of(f"{model}.new")) for model in (_MODEL, "transformer_rand"))
    yield from contest("SARI, new data: Transformer_bert > Transformer_rand", [[bert], [rand]])
    others = [side(one, "{model}") for one in new if one.model != _MODEL]
    yield from contest("SARI, new data: Transformer_bert > best other", [[bert], others])


def _simplifier(run: Run, corpus: CorpusPlan, test_set: str, one: Simplifier, name: str = "") -> Side:
    """A simplifier, named by a form of its model and side, with the SARI of Table 5 or 8."""
    paper, label = corpus.paper, run.label(one.model)
    printed = run.printed(paper.simplification, test_set=paper.test_set(test_set)[0])
    number = printed.number("sari", system=label, train_set=paper.train_set(one.training))
    return Side(one.system, name.format(model=label, side=one.side), number)


def _table_8(run: Run) -> Iterator[Claim]:
    """Yield what Table 8 says, by the outputs that were released with it."""
    keys = {"Wiki-Auto": "wiki_auto", "WikiLarge": "wikilarge"}
    best = released_as(run, f"{_MODEL}.new_train")
    for board in boards(run):
        printed = run.printed("simplification_turk.csv", test_set=board.name)

        def side(one: Released, name: str = "", printed: PrintedTable = printed) -> Side:
            number = printed.number("sari", system=one.model, train_set=keys.get(one.training, ""))
            return Side(one.system, name, number)

        shown = released(run, board.numbers, "Jiang et al. 2020")
        by_data = {(one.model, keys.get(one.training, "")): one for one in shown}
        contest = partial(claim, board.numbers, "sari", board.title, run=run)
        claims = []
        for model, training in sorted(by_data):
            new, old = by_data[model, training], by_data.get((model, "wikilarge"))
            if training == "wiki_auto" and old:
                claims += contest(f"SARI: {model}, new data > old data", [[side(new)], [side(old)]])
        rivals = [side(one, f"{one.model}, {one.training}") for one in shown if one.system != best.system]
        text = "SARI: Transformer_bert, new data > best other of Table 8"
        claims += contest(text, [[side(best)], rivals])
        yield from (one for one in claims if one.paper)


def _of_all(run: Run, numbers: Numbers, *without: str) -> list[Side]:
    return [Side(name, run.label(name)) for name in fair(run, numbers) if not name.startswith(without)]


def summary(run: Run) -> tuple[Table, list[Claim]] | None:
    """The CRF aligner is neural_crf_paper, the paper's model; its rivals are the systems of the named table. F1 in
    percent; SARI per sentence on the main test set. Numbers and tests are of the mean over the training seeds, where
    there are several. "By how much" has the 95% interval (†: it excludes 0; ‡: a randomisation test also finds
    p < 0.05). "Test set": how many times larger it would have to be to decide the claim, if the difference is as large
    as it seems (power 80%). "Seeds": with how many the claim holds, with the smallest and the largest margin. A claim
    holds if the mean has the paper's order with ‡, and every seed has this order. Systems that have not learned (see
    the tables of outputs) are no side of a claim. JaccardAlign, MASSAlign, CATS and HMM have a threshold from dev here;
    in the paper only similarities have one.
    """
    claims = of_the_paper(run)
    if not claims:
        return None
    miniatures = [run.label(corpus.name) for corpus in run.simplified if corpus.name in ABOUT]
    return claims_table("summary", "Main results", text_of(summary), claims, headline(claims, miniatures)), claims


def beyond(run: Run) -> Iterator[Table]:
    """The paper prints no such claims, so the answer above does not count them. F1 in percent on the test split."""
    claims = []
    for corpus in run.annotated:
        numbers = run.at(run.aligned(corpus.name), "test")
        lexical = [one for one in _of_all(run, numbers) if run.of_aligner(one.system, "lexical")]
        contests = [
            ("CRF aligner > best of all other systems", PAPER_MODEL, _of_all(run, numbers, "neural_crf", "frozen_crf")),
            ("BERT finetune > best lexical system", ENCODER, lexical),
        ]
        claims += [one for contest in contests for task in TASKS for one in _f1(run, corpus, task, *contest)]
        for task, other in product(TASKS, ("bertscore", "bert_embedding")):
            text = f"BERT finetune > {run.label(other)}"
            claims += _f1(run, corpus, task, text, ENCODER, [Side(other)])
    if claims:
        title = "The paper's model among all systems here: claims of this project"
        yield claims_table("beyond", title, text_of(beyond), claims)


def _f1(run: Run, corpus: CorpusPlan, task: str, text: str, system: str, rivals: Sequence[Side]) -> list[Claim]:
    """A claim about F1 on the test split that the paper does not print."""
    numbers, group = run.at(run.aligned(corpus.name), "test"), run.label(corpus.name)
    return claim(numbers, f"{task}.f1", group, f"{TASKS[task]} F1: {text}", [[Side(system)], rivals], run)


def improvements(run: Run) -> Iterator[Table]:
    """neural_crf adds a second chain, posterior decoding, and lexical and sentence features. The answer above does not
    count these claims. Test split; in percent. Recall and precision are not tested.
    """
    claims = []
    for corpus in run.annotated:
        numbers, group = run.at(run.aligned(corpus.name), "test"), run.label(corpus.name)
        for text, rivals in (
            ("neural_crf > the paper's model", [Side(PAPER_MODEL)]),
            ("neural_crf > best other system", _of_all(run, numbers, "neural_crf", "frozen_crf")),
        ):
            claims += [one for task in TASKS for one in _f1(run, corpus, task, text, "neural_crf", rivals)]
        chains = [[Side("neural_crf_precise")], [Side("neural_crf_one_chain")]]
        for part, sign in {"recall": ">", "precision": "≥"}.items():
            text = f"Task 1 {part}: two chains, as precise on dev {sign} one chain"
            claims += claim(numbers, f"task1.{part}", group, text, chains, run, strict=part == "recall")
    if claims:
        yield claims_table("improvements", "What this project adds to the paper's model", text_of(improvements), claims)


def simplification_claims(run: Run) -> Iterator[Table]:
    """Each model on new data over the same one on old data."""
    for corpus in run.simplified:
        claims = []
        for test_set in run.test_sets(corpus.name):
            numbers, (_, name) = run.at(f"simplification/{corpus.name}", test_set), corpus.paper.test_set(test_set)
            group = f"{run.label(corpus.name)}, {test_set}" + (f" beside {name}" if name else "")
            for new, old in new_and_old(run, numbers):
                text = f"SARI: {run.label(new.model)}, new data > {_OLD_DATA.get(old.training, '')}"
                pair = [[_simplifier(run, corpus, test_set, one)] for one in (new, old)]
                claims += claim(numbers, "sari", group, text, pair, run)
        if not claims:
            continue
        table = corpus.paper.table
        parts = [ABOUT.get(corpus.name, ""), table and f"Printed: Jiang et al. 2020, {table}.", _BY_MODEL]
        title = f"Each model on new data over the same one on old data, {run.label(corpus.name)}"
        title += f" ({table} as claims)" if table else ""
        yield claims_table(f"claims-simplification-{corpus.name}", title, " ".join(filter(None, parts)), claims)


TABLES = (beyond, improvements, simplification_claims)
