"""A crowd aligns sentences (Jiang et al. 2020, section 3.1): candidate pairs out, among them questions whose answer is
known; gold links in, by the majority of the workers who know the answers.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from pathlib import Path
from typing import Any

import pandas as pd

from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.extras.annotation.annotated import Annotated, Ends, iterate_annotated
from textsimp.extras.human import HumanConfig
from textsimp.extras.human.crowd_candidates import Cells, first_by, of_paragraphs
from textsimp.extras.human.drawing import linked_by
from textsimp.extras.human.guidelines import CROWD
from textsimp.extras.human.rater_agreement import alpha, matrix, pair_tables
from textsimp.extras.human.study import Item, Place, Study, make_items, make_study
from textsimp.metrics.kappa import cohen_kappa

# of the points of the scale
_LABELS = (None, AlignmentLabel.PARTIAL, AlignmentLabel.ALIGNED)
_CANDIDATE, _TEST = "candidate", "test question"
# of the workers' agreement in section 3.1
PRINTED_KAPPA = 0.807
Question = tuple[str, str, list[Place], int | None]
"""Simple and complex sentence, the places where they stand, and the point that is known to be right."""


def draw_crowd(
    links: Mapping[str, Path], tests: Path, config: HumanConfig, whole_paragraphs: bool, model: Path | None
) -> tuple[Study, str]:
    """Draw the candidate pairs of documents, one a page, with a test question among every `test_every` pages.

    Candidates, as the paper has them for Wikipedia (section 3.2): for each simple sentence the complex ones that are
    first by one of the four `measures`; and whatever one of the aligners links. As it has them for Newsela (section
    3.1): all sentence pairs of two paragraphs that a link connects, or that an annotator linked in the page.

    Test questions are candidates of annotated documents, by their gold links, as many of each label, so that nobody
    passes who gives one answer to all. Everybody has all of them; of the candidates each is for `judgements` of the
    workers, drawn at random so that all have as many, one more or less.

    Args:
        links: the same document pairs with the links of each aligner.
        tests: other document pairs, with gold links.
        whole_paragraphs: whether the candidates are those for Newsela.
        model: see `crowd_candidates.first_by`.

    Returns:
        The study, and a sentence on its size.

    Raises:
        InputError: too few annotated candidates of a label, aligners of different documents, or nothing to ask.
    """
    by_aligner = list(linked_by(links).values())
    linked, gold = [[by_id[name] for by_id in by_aligner] for name in by_aligner[0]], list(iterate_annotated(tests))
    names = () if whole_paragraphs else config.measures
    candidates = _candidates(linked, first_by(names, [first.pair for first, *_ in linked], model), whole_paragraphs)
    proposed = first_by(names, [one.pair for one in gold], model)
    tasks = _questions((first.pair for first, *_ in linked), candidates, None)
    known = _candidates([[one] for one in gold], proposed, whole_paragraphs)
    tests_known = _questions((one.pair for one in gold), known, {texts[:2] for texts in tasks})
    if not tasks:
        raise InputError("--links: no candidate pair; give documents with sentences that differ")
    judgements = min(config.judgements, config.raters)
    share = math.ceil(len(tasks) * judgements / config.raters)
    chosen = _balanced(tests_known, math.ceil(share / (config.test_every - 1)), config.seed, tests)
    items: list[Item] = []
    for line, (simple, complex_, places, right) in enumerate([*tasks, *chosen], 1):
        (item,) = make_items(line, simple, [(_CANDIDATE if right is None else _TEST, complex_)], config.seed)
        items.append(replace(item, places=tuple(places), right=right))
    study = make_study(CROWD, config.seed, (_CANDIDATE, _TEST), config.raters, items)
    study = replace(_given_out(study, judgements), seconds=float(config.least_seconds))
    sentences = sum(len(first.pair.simple.sentences) for first, *_ in linked)
    size = f"{len(tasks)} candidate pairs, {sum(map(len, candidates)) / sentences:.2f} for each simple sentence"
    if names and (links_of_gold := sum(len(one.links) for one in gold)):
        found = sum(len(one.labels.keys() & cells) for one, cells in zip(gold, proposed, strict=True))
        size += f" (the measures propose {100 * found / links_of_gold:.1f}% of the links of {tests.name})"
    of_each = f"{share + len(chosen)} questions for each of {config.raters} workers, {len(chosen)} of them tests"
    return study, f"{size}; {judgements} judgements of each; {of_each}"


def _candidates(linked: Sequence[Sequence[Annotated]], proposed: Sequence[Cells], whole: bool) -> list[Cells]:
    """Return the candidates of each document pair, by the links of all aligners: these and the proposed, or whole
    paragraphs.
    """
    if whole:
        return [of_paragraphs(all_[0].pair, set[Ends]().union(*(one.connected for one in all_))) for all_ in linked]
    return [cells.union(*(one.labels for one in all_)) for all_, cells in zip(linked, proposed, strict=True)]


def _questions(
    pairs: Iterator[DocumentPair], candidates: Sequence[Cells], asked: set[tuple[str, str]] | None
) -> list[Question]:
    """Return each pair of different sentences once.

    Args:
        asked: of test questions the pairs that are asked already and left out, as are those with several right
            answers; None for candidates, whose answers nobody knows.
    """
    answers: dict[tuple[str, str], dict[Place, int | None]] = {}
    for pair, cells in zip(pairs, candidates, strict=True):
        labels = {(link.simple, link.complex): _LABELS.index(link.label) for link in pair.alignments or ()}
        for simple, complex_ in sorted(cells):
            texts = _plain(pair.simple.sentences[simple]), _plain(pair.complex.sentences[complex_])
            if texts[0] != texts[1] and texts not in (asked or ()):
                right = None if asked is None else labels.get((simple, complex_), 0)
                answers.setdefault(texts, {})[pair.id, simple, complex_] = right
    return [
        (*texts, list(by_place), next(iter(by_place.values())))
        for texts, by_place in answers.items()
        if len({*by_place.values()}) == 1
    ]


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def _balanced(known: Sequence[Question], count: int, seed: int, path: Path) -> list[Question]:
    """Return so many test questions, from the labels by turns."""
    generator = random.Random(f"{seed}/tests")
    chosen: list[Question] = []
    for point in range(len(_LABELS)):
        questions, share = [one for one in known if one[3] == point], len(range(point, count, len(_LABELS)))
        if len(questions) < share:
            what = f"{len(questions)} test questions have the answer {point}, {share} are needed"
            raise bad_input(path, None, what, "give more annotated documents, others than are to be aligned")
        chosen += generator.sample(questions, share)
    return chosen


def _given_out(study: Study, judgements: int) -> Study:
    """Return the study with so many workers for each candidate, those who have fewest so far, of equals at random."""
    generator, load, items = random.Random(f"{study.seed}/workers"), [0] * len(study.raters), []
    for item in study.items:
        if item.right is None:
            keys = ((given, generator.random(), number) for number, given in enumerate(load))
            least = sorted(number for _, _, number in nsmallest(judgements, keys))
            for number in least:
                load[number] += 1
            item = replace(item, raters=tuple(study.raters[number] for number in least))
        items.append(item)
    return replace(study, items=tuple(items))


@dataclass(frozen=True)
class Crowd:
    """What a crowd said.

    Attributes:
        workers: by name, how each did on the test questions: `tests`, `right`, `accuracy`, `is_trusted`; one below the
            accuracy that is asked for is left out. `judgements` are all answers.
        answers: how many trusted workers answered each candidate pair; one with none is not linked.
        labels: the label of each candidate pair that is linked, and the share of the trusted workers who link it.
        ties: candidate pairs for which no label has most votes; they get the lower one of the tied labels.
        kappa: Cohen's, of all pairs of answers of two trusted workers to one candidate; None where it is not defined.
        alpha: Krippendorff's nominal alpha of the same answers.
    """

    workers: pd.DataFrame
    answers: Mapping[str, int]
    labels: Mapping[Place, tuple[AlignmentLabel, float]]
    ties: tuple[str, ...]
    kappa: float | None
    alpha: float | None

    @property
    def trusted(self) -> int:
        """Return how many workers are kept."""
        return int(self.workers.is_trusted.sum())

    def statistics(self) -> dict[str, Any]:
        """Return what the paper prints of its workers, and more, as JSON has it."""
        labels = Counter(str(label) for label, _ in self.labels.values())
        return {
            "workers": self.workers.reset_index(names="name").to_dict("records"),
            "trusted": self.trusted / len(self.workers),
            "candidates": len(self.answers),
            "links": {str(label): labels[label] for label in _LABELS[1:]},
            "ties": list(self.ties),
            "answers": dict(self.answers),
            "kappa": self.kappa,
            "alpha": self.alpha,
        }

    def text(self) -> str:
        """Return the same for a terminal."""
        share = 100 * self.trusted / len(self.workers)
        lines = [self.workers.to_string(float_format="{:.2f}".format)]
        lines.append(f"kept: {self.trusted} of {len(self.workers)} workers ({share:.0f}%)")
        if self.kappa is not None and self.alpha is not None:
            kappa = f"Cohen's kappa {self.kappa:.3f} (the paper prints {PRINTED_KAPPA})"
            lines.append(f"their agreement on the candidates: {kappa}, alpha {self.alpha:.3f}")
        unanswered = sum(not number for number in self.answers.values())
        lines.append(f"{len(self.answers)} candidate pairs, {len(self.ties)} without a majority")
        return "\n".join([*lines, *([f"{unanswered} have no answer and are not linked"] if unanswered else [])])


def judge(study: Study, ratings: pd.DataFrame, least_accuracy: float, source: Path) -> Crowd:
    """Return the majority of the workers who are right on enough of the test questions.

    Args:
        ratings: the table of the study.
        least_accuracy: share of the test questions; the paper has .85.
        source: of the ratings, for messages.

    Raises:
        InputError: the ratings are not the study's, a worker answered no test question, or nobody is trusted.
    """
    if study.kind != CROWD:
        raise InputError(f"the key is of a study of {study.kind}; give that of --kind {CROWD}")
    for row in ratings[~(ratings.item.isin(study.by_id) & ratings.rater.isin(study.raters))].itertuples():
        what = f"{row.item!r} by {row.rater!r} is not in the key"
        raise bad_input(source, None, what, "give the key of these ratings")
    workers = _judged(study, ratings, least_accuracy, source)
    trusted = workers.index[workers.is_trusted]
    if trusted.empty:
        what = f"no worker has {100 * least_accuracy:g}% of the test questions right"
        raise bad_input(source, None, what, "ask others, or look at the test questions")
    candidates = [item.id for item in study.items if item.right is None]
    kept = ratings[ratings.rater.isin(trusted) & ratings.item.isin(candidates)]
    answered = kept.dropna()
    votes = {name: [0] * len(_LABELS) for name in candidates}
    for name, point in zip(answered.item, answered.rating, strict=True):
        votes[name][point] += 1
    labels: dict[Place, tuple[AlignmentLabel, float]] = {}
    ties: list[str] = []
    for name, numbers in votes.items():
        tied = [point for point, number in enumerate(numbers) if number == max(numbers) > 0]
        ties += [name] if len(tied) > 1 else []
        if tied and (label := _LABELS[tied[0]]):
            labels |= dict.fromkeys(study.by_id[name].places, (label, 1 - numbers[0] / sum(numbers)))
    answers = {name: sum(numbers) for name, numbers in votes.items()}
    given = matrix(kept, study.guidelines.keys[0])
    tables = list(pair_tables(given))
    kappa = cohen_kappa(sum(tables[1:], tables[0])) if tables else None
    return Crowd(workers, answers, labels, tuple(ties), kappa, alpha(given, "nominal"))


def _judged(study: Study, ratings: pd.DataFrame, least_accuracy: float, source: Path) -> pd.DataFrame:
    """Return `Crowd.workers`; raise `InputError` where rows were cut out, or there is nothing to judge a worker by."""
    right = pd.Series({item.id: item.right for item in study.items if item.right is not None})
    workers: dict[str, dict[str, Any]] = {}
    for name, rows in ratings.groupby("rater", sort=False):
        if absent := [item.id for item in study.asked[str(name)] if item.id not in set(rows.item)]:
            what = f"no row for {absent[0]} by {name}"
            raise bad_input(source, None, what, "rows were cut out: run `import` again")
        answers = rows.dropna().set_index("item").rating
        tests = answers[answers.index.isin(right.index)]
        if tests.empty:
            what = f"{name} answered none of the test questions"
            raise bad_input(source, None, what, "leave the file of this worker out of the import")
        correct = int((tests == right[tests.index]).sum())
        numbers = {"judgements": len(answers), "tests": len(tests), "right": correct, "accuracy": correct / len(tests)}
        workers[str(name)] = {**numbers, "is_trusted": correct >= least_accuracy * len(tests)}
    return pd.DataFrame.from_dict(workers, orient="index")


def aligned_by(crowd: Crowd, study: Study, pairs: Sequence[DocumentPair], source: Path) -> list[DocumentPair]:
    """Return the documents with the crowd's links; identical sentences are linked as aligned, since nobody was asked.

    Raises:
        InputError: a document of the study is absent, or has other sentences.
    """
    texts = {pair.id: [list(map(_plain, side.sentences)) for side in (pair.simple, pair.complex)] for pair in pairs}
    for item in study.items:
        for name, *places in item.places if item.right is None else ():
            sides = zip(texts.get(name, ()), places, strict=False)
            if [side[place] for side, place in sides if place < len(side)] != [item.original, item.text]:
                what = f"document pair {name!r} is {'not that of the key' if name in texts else 'absent'}"
                raise bad_input(source, None, what, "give the exported file")
    linked = []
    for pair in pairs:
        simple, complex_ = texts[pair.id]
        links = {
            (low, high): (AlignmentLabel.ALIGNED, 1.0)
            for low, text in enumerate(simple)
            for high, other in enumerate(complex_)
            if text == other
        }
        links |= {(low, high): label for (name, low, high), label in crowd.labels.items() if name == pair.id}
        linked.append(replace(pair, alignments=tuple(sorted(Link(*ends, *label) for ends, label in links.items()))))
    return linked
