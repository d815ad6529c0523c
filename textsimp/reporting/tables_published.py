"""Tables of released outputs: Tables 5 and 8 again, and the leaderboard on TURK and ASSET."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from textsimp.metrics import ranking
from textsimp.metrics.sari import VARIANTS as COMPARED
from textsimp.reporting.compared_systems import UNTRAINED, Released, released
from textsimp.reporting.inputs import LEADERBOARD, Numbers, Run
from textsimp.reporting.names import NAMES, PAPERS, VARIANTS, Paper
from textsimp.reporting.table import Cell, Column, Line, Table, mark_best, printed_cell, tables, text_of, words
from textsimp.reporting.tables_rewriting import KINDS
from textsimp.reporting.tables_simplification import PRINTED_MEASURES, STUB, all_simplifiers

FORMS = {
    "released": "Texts as they were released.",
    "treebank": "All texts as lower-case Penn Treebank tokens, which the outputs are (text:ptb-lc in the signatures).",
}
_RESULTS = f"published/{LEADERBOARD}"
_SENTENCES = "Small numbers are 95% intervals (sentences resampled)."


def _printed_again(run: Run) -> list[str]:
    """The experiments that compute a printed table again."""
    return [name for name in run.plan.published if name != LEADERBOARD]


def _paper(notes: Mapping[str, str]) -> Paper:
    return PAPERS.get(notes.get("kind", ""), Paper())


def printed_again(run: Run) -> Iterator[Table]:
    """A printed table from the outputs that were released with it, cell by cell."""
    alone = "Complex sentences and references are not released, so only FK and Len of the outputs can be computed."
    for experiment in _printed_again(run):
        results = run.results(f"published/{experiment}")
        paper = _paper(results.notes)
        for scope in results.scopes():
            numbers = Numbers(results, scope)
            shown, lines = all_simplifiers(run, numbers)
            key, name = paper.test_set(scope)
            printed = run.printed(paper.simplification, test_set=key)
            names = [{"system": run.label(one.model), "train_set": paper.train_set(one.training)} for one in shown]
            columns: dict[Column, list[Cell]] = {}
            for measure, header in {"sari": "SARI", **PRINTED_MEASURES}.items():
                beside = [printed.text(measure.removeprefix("sari."), **row) for row in names]
                pairs = zip(shown, beside, strict=True)
                ours = [numbers.cell(one.system, measure, printed=text) for one, text in pairs]
                columns[Column(header, "ours", numbers.signature(measure))] = ours
                columns[Column(header, "printed")] = list(map(printed_cell, beside))
            trained_on = [paper.train_sets.get(one.training, ("", NAMES["none"]))[1] for one in shown]
            lines = [line._replace(labels=(line.labels[0], on)) for line, on in zip(lines, trained_on, strict=True)]
            text = [_counted(numbers), "" if UNTRAINED[0] in numbers.systems else alone]
            title = f"{paper.table} again, {name}, from the system outputs released with the paper"
            yield from tables(f"published-{experiment}-{scope}", title, text, STUB, lines, columns)


def _counted(numbers: Numbers) -> str:
    forms = {"equal": "", "compared": "", "printed": "", "sentences": ",.0f"}
    counts = {measure: numbers.text("table", measure, form) for measure, form in forms.items()}
    if not all(counts.values()):
        return ""
    return (
        f"Of {counts['printed']} printed cells, {counts['compared']} can be computed; {counts['equal']} of these are "
        "equal when rounded as printed. The others are red (docs/metrics.md says why, where it is known). "
        f"{counts['sentences']} sentences."
    )


def missing(run: Run) -> Iterator[Table]:
    """The printed tables that nothing stands beside, as the outputs could not be had."""
    noted = [run.results(f"published/{experiment}").notes for experiment in _printed_again(run)]
    noted = [notes for notes in noted if "missing" in notes]
    columns = {Column(header="How to get it"): [words(notes["how"], is_ours=True) for notes in noted]}
    title = "Printed tables whose released outputs are missing"
    text = "These tables cannot be computed again until the outputs are here."
    lines = [Line([_paper(notes).table, notes["missing"]]) for notes in noted]
    yield from tables("published-missing", title, text, ["Printed", "Missing"], lines, columns)


@dataclass(frozen=True)
class Board:
    """A test set of the leaderboard: its key and title, its numbers, and the systems, the best first."""

    name: str
    title: str
    numbers: Numbers
    shown: list[Released]

    @property
    def systems(self) -> list[str]:
        """The keys of the systems."""
        return [one.system for one in self.shown]

    def table(
        self,
        key: str,
        title: str,
        text: str | Sequence[str],
        columns: Mapping[Column, Sequence[Cell]],
        above: Sequence[Line] = (),
        below: Sequence[Line] = (),
        folded: bool = True,
    ) -> Iterator[Table]:
        """Yield a table about the board, with a row for each system between other lines."""
        lines = [*above, *(Line([one.model, one.training]) for one in self.shown), *below]
        yield from tables(f"{key}-{self.name}", title.format(self.title), text, STUB, lines, columns, folded)


def boards(run: Run) -> Iterator[Board]:
    """Yield the test sets of the leaderboard; TURK, for which most outputs were made, first."""
    scopes = run.results(_RESULTS).scopes() if LEADERBOARD in run.plan.published else []
    for name in sorted(scopes, key=lambda name: (name != "turk", name)):
        numbers = run.at(_RESULTS, name)
        yield Board(name, str(run.plan.boards.get(name, {}).get("title", name)), numbers, released(run, numbers))


def leaderboard(run: Run) -> Iterator[Table]:
    """The scores of all released outputs, and of people."""
    for board in boards(run):
        numbers = board.numbers
        people = Numbers(numbers.results, f"people/{board.name}")
        others = people.text("reference", "references", "")
        beside = ["reference"] if others else []
        columns = {}
        for measure, header in {**VARIANTS, "fk": "FK", "len": "Len"}.items():
            cells = numbers.cells(board.systems, measure)
            cells = [*(mark_best(cells) if measure in VARIANTS else cells), *people.cells(beside, measure)]
            columns[Column(header=header, note=numbers.signature(measure))] = cells
        last = [Line([f"People: a reference against the {others} others", ""], block="people") for _ in beside]
        title, text = "Leaderboard: released outputs on {}", [_about(board), _BEST_FIRST]
        yield from board.table("leaderboard", title, text, columns, below=last, folded=False)


_BEST_FIRST = (
    f"Sorted by SARI per sentence, the paper's variant. {_SENTENCES} The best system is bold. People are not ranked: a "
    "reference is scored against the others, one fewer than a system has."
)


def _about(board: Board) -> str:
    sentences, references = board.numbers.counts("sentences", "references")
    form = FORMS.get(board.numbers.results.notes.get(f"form.{board.name}", ""), "")
    return f"{sentences} sentences, {references} references. {form}" if sentences and references and form else ""


def places(run: Run) -> Iterator[Table]:
    """The ranks, with how sure they are."""
    text = f"The rank is 1 + the number of systems with a higher unrounded score. {_SENTENCES}"
    for board in boards(run):
        ranks = {f"{measure}.rank": header for measure, header in VARIANTS.items()}
        columns = board.numbers.columns(board.systems, ranks)
        columns[Column(header="Published")] = [words(" / ".join(one.papers)) for one in board.shown]
        yield from board.table("leaderboard-places", "Ranks on {}", text, columns)


def letters(run: Run) -> Iterator[Table]:
    """Yield which differences are significant: systems that share a letter do not differ."""
    for board in boards(run):
        alpha, columns = board.numbers.results.notes["alpha"], {}
        text = (
            "Two systems that share a letter in a column do not differ significantly by that variant; all others do. "
            f"A difference is significant if p is below {alpha} by paired bootstrap and by approximate randomisation, "
            "each corrected for all pairs (Holm)."
        )
        for measure in COMPARED:
            found = ranking.letters(board.numbers.results, board.name, measure, float(alpha))
            column = Column(header=VARIANTS[measure], note=board.numbers.signature(measure))
            columns[column] = [words(found[system], is_ours=True) for system in board.systems]
        yield from board.table("leaderboard-letters", "Which differences on {} are significant", text, columns)


def parts(run: Run) -> Iterator[Table]:
    """Why the variants disagree: add, keep and del, whose mean is SARI, and ratios of output to input."""
    ratios = {
        "compression_ratio": "length", "exact_copies": "copies", "additions": "added words",
        "deletions": "deleted words", "sentence_splits": "sentences",
    }  # fmt: skip
    for board in boards(run):
        columns: dict[Column, list[Cell]] = {}
        add = partial(board.numbers.columns, board.systems, interval=False)
        for variant in ("sari", "sari_corpus"):
            measures = {f"{variant}.{operation}": operation for operation in ("add", "keep", "del")}
            columns |= add(measures, VARIANTS[variant])
        columns |= add(ratios, "Output to input", digits=2) | add({"fkgl": "FKGL"})
        yield from board.table("leaderboard-parts", "What the outputs on {} do", text_of(parts), columns)


def kinds_of_rewriting(run: Run) -> Iterator[Table]:
    """The kinds of rewriting in released outputs and by people."""
    text = (
        "Percent of the sentences in each class, by word alignment and edit operations (docs/rewriting.md says how "
        "well). For people, all references count alike. Figure 3 of Jiang et al. 2020 sorts other outputs by hand. "
        f"{_SENTENCES}"
    )
    for board in boards(run):
        columns = board.numbers.columns(["reference", *board.systems], KINDS, recipe="rewriting")
        first = Line(["Simple (references)", ""], block="people")
        title = "Kinds of rewriting in released outputs for {}"
        yield from board.table("leaderboard-rewriting", title, text, columns, [first])


_EASSE = {
    "scores": ("scores", {
        "sari": "SARI", "sari_add": "add", "sari_keep": "keep", "sari_del": "del", "bleu": "BLEU", "fkgl": "FKGL"
    }),
    "comparisons": ("comparisons with the source", {
        "Compression ratio": "length", "Sentence splits": "sentences", "Levenshtein similarity": "similarity",
        "Exact copies": "copies", "Additions proportion": "added", "Deletions proportion": "deleted",
    }),
}  # fmt: skip


def parity(run: Run) -> Iterator[Table]:
    """Yield what EASSE printed of BLESS's runs on ASSET, and ours."""
    if LEADERBOARD not in run.plan.published:
        return
    results = run.results(_RESULTS)
    if not any(cell.scope == "easse/printed" for cell in results.estimates):
        return
    ours, theirs = Numbers(results, "easse/ours"), Numbers(results, "easse/printed")
    systems = released(run, ours)
    text = (
        "EASSE's numbers of BLESS's runs on ASSET (Kew et al. 2023), and ours. They are equal to 0.001 in "
        f"{results.notes.get('parity', '')}."
    )
    for key, (part, measures) in _EASSE.items():
        columns = {}
        for measure, header in measures.items():
            columns[Column(header, "ours")] = [
                ours.cell(one.system, measure, 4, printed=theirs.text(one.system, measure, ".4f")) for one in systems
            ]
            columns[Column(header, "EASSE")] = theirs.cells([one.system for one in systems], measure, 4)
        title, lines = f"EASSE's numbers again: {part}", [one.label for one in systems]
        yield from tables(f"parity-{key}", title, text, "System", lines, columns, folded=True)


TABLES = (printed_again, missing, leaderboard, places, letters, parts, kinds_of_rewriting, parity)
