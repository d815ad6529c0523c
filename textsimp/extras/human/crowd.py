"""A crowd aligns sentences (Jiang et al. 2020, section 3.1): candidate pairs out, among them questions whose answer is
known; gold links in, by the majority of the workers who know the answers.
"""

import math
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from textsimp.alignment.similarity.candidates import first_of_each
from textsimp.alignment.similarity.lexical import CharacterNgrams, TfIdfSimilarity
from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.extras.human import HumanConfig
from textsimp.extras.human.guidelines import CROWD
from textsimp.extras.human.ratings import Rating
from textsimp.extras.human.study import Item, Place, Study, linked_by, make_items, make_study, with_links
from textsimp.extras.human.summary import Agreement, agreement, matrix

_LABELS = (None, AlignmentLabel.PARTIAL, AlignmentLabel.ALIGNED)
"""Of the points of the scale."""
_CANDIDATE, _TEST = "candidate", "test question"
Candidate = tuple[str, str, Place, int | None]
"""Simple and complex sentence, where they stand, and the point that is known to be right."""


@dataclass(frozen=True)
class Worker:
    """How a worker did on the test questions; one below the accuracy that is asked for is left out."""

    name: str
    judgements: int
    tests: int
    right: int
    is_trusted: bool

    @property
    def accuracy(self) -> float:
        """Share of the test questions that are right."""
        return self.right / self.tests


@dataclass(frozen=True)
class Crowd:
    """What a crowd said.

    Attributes:
        labels: the label of each candidate pair that is linked, and the share of the trusted workers who link it.
        ties: candidate pairs for which no label has most votes; they get the lower one of the tied labels.
        agreement: of the trusted workers over all questions, see `summary.agreement`.
    """

    workers: tuple[Worker, ...]
    candidates: int
    labels: Mapping[Place, tuple[AlignmentLabel, float]]
    ties: tuple[str, ...]
    agreement: Agreement

    def statistics(self) -> dict[str, Any]:
        """What the paper prints of its workers, and more, as JSON has it."""
        labels = Counter(str(label) for label, _ in self.labels.values())
        return {
            "workers": [{**asdict(worker), "accuracy": worker.accuracy} for worker in self.workers],
            "candidates": self.candidates,
            "links": {str(label): labels[label] for label in _LABELS[1:]},
            "ties": list(self.ties),
            "agreement": self.agreement,
        }

    def text(self) -> str:
        """The same for a terminal."""
        lines = [
            f"{worker.name}: {worker.right} of {worker.tests} test questions right ({100 * worker.accuracy:.0f}%), "
            f"{worker.judgements} judgements, {'trusted' if worker.is_trusted else 'left out'}"
            for worker in self.workers
        ]
        kappa, alpha = self.agreement["kappa"], self.agreement["alpha_nominal"]
        if kappa is not None and alpha is not None:
            lines.append(f"agreement of the trusted: Cohen's kappa {kappa:.3f} (mean of pairs), alpha {alpha:.3f}")
        return "\n".join([*lines, f"{self.candidates} candidate pairs, {len(self.ties)} without a majority"])


def draw_crowd(links: Mapping[str, Path], tests: Path, config: HumanConfig, whole_paragraphs: bool = False) -> Study:
    """Candidate pairs of documents, one a page, and as many test questions as to have one among `test_every` pages.

    Candidates, as the paper has them for Wikipedia (section 3.2): for each simple sentence the complex ones that are
    first by character trigrams (CATS C3G) and by TF-IDF, and whatever one of the aligners links. The paper has the
    first by two more measures, of encoders: give the links of aligners that use one. As it has them for Newsela
    (section 3.1): all sentence pairs of two paragraphs that an aligner connects.

    Test questions are candidates of annotated documents, by their gold links, drawn from the three labels by turns,
    so that nobody passes who gives one answer to all.

    Args:
        links: the same document pairs with the links of each aligner.
        tests: other document pairs, with gold links.
        config: how many workers, how many of their questions are tests, and how long each page stays closed.
        whole_paragraphs: whether the candidates are those for Newsela.

    Raises:
        InputError: too few annotated candidates of a label, aligners of different documents, or nothing to ask.
    """
    first, *others = linked_by(links).values()
    proposed = {
        key: {(link.simple, link.complex) for found in (first, *others) for link in found[key].alignments or ()}
        for key in first
    }
    tasks = _different(_candidates(list(first.values()), proposed, whole_paragraphs, gold=False))
    known = _different(_candidates(list(with_links(tests)), {}, whole_paragraphs, gold=True), tasks)
    if not tasks:
        raise InputError("--links: no candidate pair; give documents with sentences that differ")
    needed = math.ceil(len(tasks) / (config.test_every - 1))
    chosen = _balanced(known, needed, config.seed, tests)
    items: list[Item] = []
    for line, (simple, complex_, places, right) in enumerate([*tasks, *chosen], 1):
        name = _CANDIDATE if right is None else _TEST
        (item,) = make_items(line, simple, [(name, complex_)], config.seed)
        items.append(replace(item, places=places, right=right))
    study = make_study(CROWD, config.seed, (_CANDIDATE, _TEST), config.raters, items)
    return replace(study, seconds=float(config.least_seconds))


def _candidates(
    pairs: Sequence[DocumentPair],
    proposed: Mapping[str, set[tuple[int, int]]],
    whole_paragraphs: bool,
    gold: bool,
) -> Iterator[Candidate]:
    measures = [] if whole_paragraphs else [measure.fit(pairs) for measure in (CharacterNgrams(3), TfIdfSimilarity())]
    for pair in pairs:
        labels = {(link.simple, link.complex): _LABELS.index(link.label) for link in pair.alignments or ()}
        linked = {*proposed.get(pair.id, ()), *(labels if gold else ())}
        if whole_paragraphs:
            chosen = _of_paragraphs(pair, linked)
        else:
            matrix_of_first = first_of_each([measure.matrix(pair) for measure in measures])
            chosen = linked | set(zip(*(found.tolist() for found in matrix_of_first.nonzero()), strict=True))
        for simple, complex_ in sorted(chosen):
            texts = pair.simple.sentences[simple], pair.complex.sentences[complex_]
            one, other = (" ".join(text.split()) for text in texts)
            if one != other:  # nobody has to be asked
                right = labels.get((simple, complex_), 0) if gold else None
                yield one, other, (pair.id, simple, complex_), right


def _of_paragraphs(pair: DocumentPair, linked: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """All sentence pairs of the paragraphs that links connect."""
    simple_of, complex_of = pair.simple.paragraph_of, pair.complex.paragraph_of
    connected = {(simple_of[simple], complex_of[complex_]) for simple, complex_ in linked}
    return {
        (simple, complex_)
        for simple, left in enumerate(simple_of)
        for complex_, right in enumerate(complex_of)
        if (left, right) in connected
    }


Question = tuple[str, str, tuple[Place, ...], int | None]
"""A candidate at all places where its sentences stand."""


def _different(candidates: Iterator[Candidate], besides: Sequence[Question] = ()) -> list[Question]:
    """Each pair of sentences once, but for those that are questions already or have several right answers."""
    taken = {question[:2] for question in besides}
    found: dict[tuple[str, str], list[tuple[Place, int | None]]] = {}
    for simple, complex_, place, right in candidates:
        if (simple, complex_) not in taken:
            found.setdefault((simple, complex_), []).append((place, right))
    return [
        (*texts, tuple(place for place, _ in places), places[0][1])
        for texts, places in found.items()
        if len({right for _, right in places}) == 1
    ]


def _balanced(known: Sequence[Question], count: int, seed: int, path: Path) -> list[Question]:
    generator = random.Random(f"{seed}/tests")
    of_label = [[question for question in known if question[3] == point] for point in range(len(_LABELS))]
    chosen: list[Question] = []
    for point, questions in enumerate(of_label):
        share = len(range(point, count, len(_LABELS)))
        if len(questions) < share:
            what = f"{len(questions)} test questions have the answer {point}, {share} are needed"
            raise bad_input(path, None, what, "give more annotated documents, or fewer to be aligned")
        chosen += generator.sample(questions, share)
    return chosen


def judge(study: Study, ratings: Sequence[Rating], least_accuracy: float, source: Path) -> Crowd:
    """The majority of the workers who are right on enough of the test questions.

    Args:
        ratings: the table of the study.
        least_accuracy: share of the test questions; the paper has .85.
        source: of the ratings, for messages.

    Raises:
        InputError: the ratings are not the study's, a worker answered no test question, or nobody is trusted.
    """
    items = {item.id: item for item in study.items}
    if unknown := next((rating.item for rating in ratings if rating.item not in items), None):
        raise bad_input(source, None, f"item {unknown!r} is not in the key", "give the key of these ratings")
    workers = []
    for name in dict.fromkeys(rating.rater for rating in ratings):
        own = [rating for rating in ratings if rating.rater == name and rating.rating is not None]
        tests = [rating for rating in own if items[rating.item].right is not None]
        if not tests:
            what = f"{name} answered none of the test questions"
            raise bad_input(source, None, what, "leave the file of this worker out of the import")
        right = sum(rating.rating == items[rating.item].right for rating in tests)
        workers.append(Worker(name, len(own), len(tests), right, right >= least_accuracy * len(tests)))
    trusted = {worker.name for worker in workers if worker.is_trusted}
    if not trusted:
        what = f"no worker has {100 * least_accuracy:g}% of the test questions right"
        raise bad_input(source, None, what, "ask others, or look at the test questions")
    kept = [rating for rating in ratings if rating.rater in trusted]
    votes: dict[str, Counter[int]] = {}
    for rating in kept:
        if rating.rating is not None and items[rating.item].right is None:
            votes.setdefault(rating.item, Counter())[rating.rating] += 1
    labels: dict[Place, tuple[AlignmentLabel, float]] = {}
    ties: list[str] = []
    for item, counted in votes.items():
        most = max(counted.values())
        tied = sorted(point for point, number in counted.items() if number == most)
        ties += [item] if len(tied) > 1 else []
        label, linking = _LABELS[tied[0]], 1 - counted[0] / counted.total()
        if label is not None:
            labels |= dict.fromkeys(items[item].places, (label, linking))
    return Crowd(tuple(workers), len(votes), labels, tuple(ties), agreement(matrix(kept, study.guidelines.keys[0])))


def aligned_by(crowd: Crowd, study: Study, pairs: Sequence[DocumentPair], source: Path) -> list[DocumentPair]:
    """The documents with the crowd's links; identical sentences are linked as aligned, since nobody was asked.

    Raises:
        InputError: a document of the study is absent, or has other sentences.
    """
    documents = {pair.id: pair for pair in pairs}
    for item in study.items:
        for key, simple, complex_ in item.places if item.right is None else ():
            pair = documents.get(key)
            sides = ((pair.simple.sentences, simple), (pair.complex.sentences, complex_)) if pair else ()
            texts = [" ".join(side[number].split()) for side, number in sides if number < len(side)]
            if texts != [item.original, item.text]:
                raise bad_input(source, None, f"document pair {key!r} is not that of the key", "give the exported file")
    linked = []
    for pair in pairs:
        same = {
            (simple, complex_): (AlignmentLabel.ALIGNED, 1.0)
            for simple, one in enumerate(pair.simple.sentences)
            for complex_, other in enumerate(pair.complex.sentences)
            if one.split() == other.split()
        }
        voted = {place[1:]: label for place, label in crowd.labels.items() if place[0] == pair.id}
        links = sorted(Link(*place, *label) for place, label in {**same, **voted}.items())
        linked.append(replace(pair, alignments=tuple(links)))
    return linked
