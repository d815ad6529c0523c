"""A crowd aligns sentences (Jiang et al. 2020, section 3.1): candidate pairs out, among them questions whose answer is
known; gold links in, by the majority of the workers who know the answers.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from heapq import nsmallest
from pathlib import Path
from statistics import median
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.extras.annotation.annotated import Annotated, Ends, iterate_annotated
from textsimp.extras.human import HumanConfig
from textsimp.extras.human.crowd_candidates import Cells, first_by, of_paragraphs
from textsimp.extras.human.drawing import linked_by
from textsimp.extras.human.guidelines import CROWD
from textsimp.extras.human.rater_agreement import Agreement, agreement, matrix, pooled_kappa
from textsimp.extras.human.ratings import Rating
from textsimp.extras.human.study import Item, Place, Study, make_items, make_study, rater_names

_LABELS = (None, AlignmentLabel.PARTIAL, AlignmentLabel.ALIGNED)
"""Of the points of the scale."""
_CANDIDATE, _TEST = "candidate", "test question"
PRINTED_KAPPA = 0.807
"""Section 3.1."""
Candidate = tuple[str, str, Place, int | None]
"""Simple and complex sentence, where they stand, and the point that is known to be right."""


@dataclass(frozen=True)
class Worker:
    """How a worker did on the test questions; one below the accuracy that is asked for is left out.

    Attributes:
        judgements: answers, those to the test questions among them.
        seconds: median of an answer; None where a sheet says nothing of time.
        hasty: answers in less time than a page stays closed: the file was not written by the form.
    """

    name: str
    judgements: int
    tests: int
    right: int
    is_trusted: bool
    seconds: float | None
    hasty: int

    @property
    def accuracy(self) -> float:
        """Share of the test questions that are right."""
        return self.right / self.tests

    def text(self) -> str:
        """As one line."""
        parts = [f"{self.right} of {self.tests} test questions right ({100 * self.accuracy:.0f}%)"]
        parts.append(f"{self.judgements} judgements")
        parts += [f"{self.seconds:.1f} s each (median)"] if self.seconds is not None else []
        parts += [f"{self.hasty} faster than allowed"] if self.hasty else []
        return f"{self.name}: {', '.join(parts)}, {'trusted' if self.is_trusted else 'left out'}"


@dataclass(frozen=True)
class Crowd:
    """What a crowd said.

    Attributes:
        answers: how many trusted workers answered each candidate pair; one with none is not linked.
        wanted: how many were to answer each.
        labels: the label of each candidate pair that is linked, and the share of the trusted workers who link it.
        ties: candidate pairs for which no label has most votes; they get the lower one of the tied labels.
        kappa: Cohen's, of all pairs of answers of two trusted workers to one candidate; None where it is not defined.
        agreement: of the trusted workers over the candidates, see `summary.agreement`.
    """

    workers: tuple[Worker, ...]
    answers: Mapping[str, int]
    wanted: int
    labels: Mapping[Place, tuple[AlignmentLabel, float]]
    ties: tuple[str, ...]
    kappa: float | None
    agreement: Agreement

    @property
    def trusted(self) -> int:
        """How many workers are kept."""
        return sum(worker.is_trusted for worker in self.workers)

    def statistics(self) -> dict[str, Any]:
        """What the paper prints of its workers, and more, as JSON has it."""
        labels = Counter(str(label) for label, _ in self.labels.values())
        return {
            "workers": [{**asdict(worker), "accuracy": worker.accuracy} for worker in self.workers],
            "trusted": self.trusted / len(self.workers),
            "candidates": len(self.answers),
            "links": {str(label): labels[label] for label in _LABELS[1:]},
            "ties": list(self.ties),
            "answers": dict(self.answers),
            "unanswered": [item for item, number in self.answers.items() if not number],
            "kappa": self.kappa,
            "agreement": self.agreement,
        }

    def text(self) -> str:
        """The same for a terminal."""
        lines = [worker.text() for worker in self.workers]
        share = 100 * self.trusted / len(self.workers)
        lines.append(f"kept: {self.trusted} of {len(self.workers)} workers ({share:.0f}%)")
        alpha = self.agreement["alpha_nominal"]
        if self.kappa is not None and alpha is not None:
            printed = f"the paper prints {PRINTED_KAPPA}"
            lines.append(
                f"their agreement on the candidates: Cohen's kappa {self.kappa:.3f} ({printed}), alpha {alpha:.3f}"
            )
        lines.append(f"{len(self.answers)} candidate pairs, {len(self.ties)} without a majority")
        if short := [number for number in self.answers.values() if number < self.wanted]:
            lines.append(
                f"{len(short)} candidate pairs have fewer than {self.wanted} answers of workers who are kept, "
                f"{short.count(0)} have none and are not linked: `textsimp human again` asks others"
            )
        return "\n".join(lines)


def draw_crowd(
    links: Mapping[str, Path],
    tests: Path,
    config: HumanConfig,
    whole_paragraphs: bool = False,
    model: Path | None = None,
) -> tuple[Study, str]:
    """Candidate pairs of documents, one a page, and as many test questions as to have one among `test_every` pages.

    Candidates, as the paper has them for Wikipedia (section 3.2): for each simple sentence the complex ones that are
    first by one of the four `measures`; and whatever one of the aligners links. As it has them for Newsela (section
    3.1): all sentence pairs of two paragraphs that a link connects, or that an annotator linked in the page.

    Test questions are candidates of annotated documents, by their gold links, drawn from the three labels by turns,
    so that nobody passes who gives one answer to all. Everybody has all of them; of the candidates each is for
    `judgements` of the workers, drawn at random so that all have as many, one more or less.

    Args:
        links: the same document pairs with the links of each aligner.
        tests: other document pairs, with gold links.
        config: how many workers, how many of their questions are tests, and how long each page stays closed.
        whole_paragraphs: whether the candidates are those for Newsela.
        model: see `crowd_candidates.first_by`.

    Returns:
        The study, and a sentence on its size.

    Raises:
        InputError: too few annotated candidates of a label, aligners of different documents, or nothing to ask.
    """
    by_aligner = list(linked_by(links).values())
    linked, gold = [[by_id[name] for by_id in by_aligner] for name in by_aligner[0]], list(iterate_annotated(tests))
    pairs, annotated = [first.pair for first, *_ in linked], [one.pair for one in gold]
    names = () if whole_paragraphs else config.measures
    of_pairs = _chosen(linked, first_by(names, pairs, model), whole_paragraphs)
    proposed = first_by(names, annotated, model)
    tasks = _different(_with_texts(pairs, of_pairs, is_gold=False))
    of_annotated = _chosen([[one] for one in gold], proposed, whole_paragraphs)
    known = _different(_with_texts(annotated, of_annotated, is_gold=True), tasks)
    if not tasks:
        raise InputError("--links: no candidate pair; give documents with sentences that differ")
    judgements = min(config.judgements, config.raters)
    share = math.ceil(len(tasks) * judgements / config.raters)
    chosen = _balanced(known, math.ceil(share / (config.test_every - 1)), config.seed, tests)
    items: list[Item] = []
    for line, (simple, complex_, places, right) in enumerate([*tasks, *chosen], 1):
        name = _CANDIDATE if right is None else _TEST
        (item,) = make_items(line, simple, [(name, complex_)], config.seed)
        items.append(replace(item, places=places, right=right))
    study = make_study(CROWD, config.seed, (_CANDIDATE, _TEST), config.raters, items)
    study = replace(study, seconds=float(config.least_seconds), judgements=judgements)
    study = _given_out(study, {item.id: judgements for item in _candidates(study)}, study.raters, str(config.seed))
    sentences = sum(len(pair.simple.sentences) for pair in pairs)
    size = f"{len(tasks)} candidate pairs, {sum(map(len, of_pairs)) / sentences:.2f} for each simple sentence"
    if names and (links_of_gold := sum(len(one.links) for one in gold)):
        found = sum(len(one.labels.keys() & cells) for one, cells in zip(gold, proposed, strict=True))
        recall = found / links_of_gold
        size += f" (the measures propose {100 * recall:.1f}% of the links of {tests.name})"
    of_each = f"{share + len(chosen)} questions for each of {config.raters} workers, {len(chosen)} of them tests"
    return study, f"{size}; {judgements} judgements of each; {of_each}"


def _chosen(linked: Sequence[Sequence[Annotated]], proposed: Sequence[Cells], whole_paragraphs: bool) -> list[Cells]:
    """The candidates of each document pair, by the links of all: these and what is proposed, or whole paragraphs."""
    if whole_paragraphs:
        return [of_paragraphs(all_[0].pair, set[Ends]().union(*(one.connected for one in all_))) for all_ in linked]
    return [cells.union(*(one.labels for one in all_)) for all_, cells in zip(linked, proposed, strict=True)]


def draw_again(
    study: Study, ratings: Sequence[Rating], least_accuracy: float, source: Path, raters: int | None = None
) -> tuple[Study, tuple[str, ...], str]:
    """A further round: what is wanting of the judgements of workers who are kept is asked of new ones.

    So CrowdFlower did with the judgements of a worker whom it removed. The new workers have all test questions too.

    Args:
        study, ratings, least_accuracy, source: as of `judge`; who is in the study without ratings is taken to be lost.
        raters: new workers; None: so many that none has more candidates than a worker of the rounds before.

    Returns:
        The study with both rounds in it, the new workers, and a sentence on the size of the round.

    Raises:
        InputError: the ratings are not the study's, a worker answered no test question, the key is of an older version,
            nothing is wanting, or there are too few new workers for a candidate.
    """
    answers = _answers(study, _kept(study, ratings, _workers(study, ratings, least_accuracy, source)))
    if not study.judgements or not all(item.raters for item in _candidates(study)):
        raise InputError("the key does not say how many judgements are wanted, and of whom; export the study anew")
    wanting = {item: study.judgements - number for item, number in answers.items() if number < study.judgements}
    if not wanting:
        what = f"each candidate pair has {study.judgements} answers of workers who are kept"
        raise bad_input(source, None, what, "there is nothing to ask again: `textsimp human gold` has the links")
    most = max(Counter(rater for item in _candidates(study) for rater in item.raters).values())
    count = raters or max(*wanting.values(), math.ceil(sum(wanting.values()) / most))
    if count < max(wanting.values()):
        raise InputError(f"--raters {count}: {max(wanting.values())} answers to one question are wanting; give more")
    names = rater_names(len(study.raters) + 1, count)
    both = _given_out(study, wanting, names, f"{study.seed}/{len(study.raters)}")
    tests = len(study.items) - len(answers)
    size = f"{sum(wanting.values())} answers to {len(wanting)} candidate pairs are wanting; "
    whom = f"each of {count} new workers" if count > 1 else "one new worker"
    size += f"{math.ceil(sum(wanting.values()) / count) + tests} questions for {whom}, "
    size += f"{tests} of them tests"
    return replace(both, raters=(*study.raters, *names)), names, size


def _candidates(study: Study) -> list[Item]:
    return [item for item in study.items if item.right is None]


def _given_out(study: Study, wanting: Mapping[str, int], raters: Sequence[str], seed: str) -> Study:
    """So many more workers for each candidate, those who have fewest so far, of equals at random."""
    generator = random.Random(f"{seed}/workers")
    load = [0] * len(raters)
    drawn: dict[str, tuple[str, ...]] = {}
    for item, count in wanting.items():
        keys = ((given, generator.random(), number) for number, given in enumerate(load))
        least = sorted(number for _, _, number in nsmallest(count, keys))
        for number in least:
            load[number] += 1
        drawn[item] = tuple(raters[number] for number in least)
    items = (replace(item, raters=item.raters + drawn.get(item.id, ())) for item in study.items)
    return replace(study, items=tuple(items))


def _with_texts(pairs: Sequence[DocumentPair], candidates: Sequence[Cells], is_gold: bool) -> Iterator[Candidate]:
    for pair, cells in zip(pairs, candidates, strict=True):
        labels = {(link.simple, link.complex): _LABELS.index(link.label) for link in pair.alignments or ()}
        for simple, complex_ in sorted(cells):
            sentences = pair.simple.sentences[simple], pair.complex.sentences[complex_]
            simple_text, complex_text = (" ".join(sentence.split()) for sentence in sentences)
            if simple_text != complex_text:  # nobody has to be asked
                right = labels.get((simple, complex_), 0) if is_gold else None
                yield simple_text, complex_text, (pair.id, simple, complex_), right


Question = tuple[str, str, tuple[Place, ...], int | None]
"""A candidate at all places where its sentences stand."""


def _different(candidates: Iterator[Candidate], besides: Sequence[Question] = ()) -> list[Question]:
    """Each pair of sentences once, but for those that are questions already or have several right answers."""
    taken = {question[:2] for question in besides}
    answers: dict[tuple[str, str], dict[Place, int | None]] = {}
    for simple, complex_, place, right in candidates:
        if (simple, complex_) not in taken:
            answers.setdefault((simple, complex_), {})[place] = right
    return [
        (*texts, tuple(of_place), next(iter(of_place.values())))
        for texts, of_place in answers.items()
        if len(set(of_place.values())) == 1
    ]


def _balanced(known: Sequence[Question], count: int, seed: int, path: Path) -> list[Question]:
    generator = random.Random(f"{seed}/tests")
    of_label = [[question for question in known if question[3] == point] for point in range(len(_LABELS))]
    chosen: list[Question] = []
    for point, questions in enumerate(of_label):
        share = len(range(point, count, len(_LABELS)))
        if len(questions) < share:
            what = f"{len(questions)} test questions have the answer {point}, {share} are needed"
            raise bad_input(path, None, what, "give more annotated documents, others than are to be aligned")
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
    workers = _workers(study, ratings, least_accuracy, source)
    kept = _kept(study, ratings, workers)
    if not any(worker.is_trusted for worker in workers):
        what = f"no worker has {100 * least_accuracy:g}% of the test questions right"
        raise bad_input(source, None, what, "ask others (`textsimp human again`), or look at the test questions")
    votes: dict[str, Counter[int]] = {}
    for rating in kept:
        if rating.rating is not None:
            votes.setdefault(rating.item, Counter())[rating.rating] += 1
    labels: dict[Place, tuple[AlignmentLabel, float]] = {}
    ties: list[str] = []
    for item, of_point in votes.items():
        most = max(of_point.values())
        tied = sorted(point for point, number in of_point.items() if number == most)
        ties += [item] if len(tied) > 1 else []
        label, linking = _LABELS[tied[0]], 1 - of_point[0] / of_point.total()
        if label is not None and (question := study.item(item)):
            labels |= dict.fromkeys(question.places, (label, linking))
    given, answers = matrix(kept, study.guidelines.keys[0]), _answers(study, kept)
    return Crowd(workers, answers, study.judgements, labels, tuple(ties), pooled_kappa(given), agreement(given))


def _workers(study: Study, ratings: Sequence[Rating], least_accuracy: float, source: Path) -> tuple[Worker, ...]:
    """How each did who rated; `InputError` where the ratings are not the study's."""
    if study.kind != CROWD:
        raise InputError(f"the key is of a study of {study.kind}; give that of --kind {CROWD}")
    if unknown := next((rating.item for rating in ratings if study.item(rating.item) is None), None):
        raise bad_input(source, None, f"item {unknown!r} is not in the key", "give the key of these ratings")
    right = {item.id: item.right for item in study.items if item.right is not None}
    own: dict[str, list[Rating]] = {}
    for rating in ratings:
        own.setdefault(rating.rater, []).append(rating)
    return tuple(_worker(name, study, given, right, least_accuracy, source) for name, given in own.items())


def _kept(study: Study, ratings: Sequence[Rating], workers: Sequence[Worker]) -> list[Rating]:
    """What trusted workers say of candidate pairs."""
    candidates = {item.id for item in _candidates(study)}
    trusted = {worker.name for worker in workers if worker.is_trusted}
    return [rating for rating in ratings if rating.rater in trusted and rating.item in candidates]


def _answers(study: Study, kept: Sequence[Rating]) -> dict[str, int]:
    """How many answers each candidate pair has."""
    given = Counter(rating.item for rating in kept if rating.rating is not None)
    return {item.id: given[item.id] for item in _candidates(study)}


def _worker(
    name: str,
    study: Study,
    own: Sequence[Rating],
    right: Mapping[str, int],
    least_accuracy: float,
    source: Path,
) -> Worker:
    """How one did; `InputError` where rows were cut out, or there is nothing to judge the worker by."""
    if name not in study.raters:
        raise bad_input(source, None, f"worker {name!r} is not in the key", "give the key of these ratings")
    there = {rating.item for rating in own}
    if absent := [item.id for item in study.asked(name) if item.id not in there]:
        what = f"no row for {absent[0]} by {name}"
        raise bad_input(source, None, what, "rows were cut out: run `import` again")
    answered = [rating for rating in own if rating.rating is not None]
    tests = [rating for rating in answered if rating.item in right]
    if not tests:
        what = f"{name} answered none of the test questions"
        raise bad_input(source, None, what, "leave the file of this worker out of the import")
    correct = sum(rating.rating == right[rating.item] for rating in tests)
    times = [rating.seconds for rating in answered if rating.seconds is not None]
    hasty = sum(seconds < study.seconds for seconds in times)
    is_trusted = correct >= least_accuracy * len(tests)
    return Worker(name, len(answered), len(tests), correct, is_trusted, median(times) if times else None, hasty)


def aligned_by(crowd: Crowd, study: Study, pairs: Sequence[DocumentPair], source: Path) -> list[DocumentPair]:
    """The documents with the crowd's links; identical sentences are linked as aligned, since nobody was asked.

    Raises:
        InputError: a document of the study is absent, or has other sentences.
    """
    documents = {pair.id: pair for pair in pairs}
    for item in _candidates(study):
        for name, simple, complex_ in item.places:
            pair = documents.get(name)
            sides = ((pair.simple.sentences, simple), (pair.complex.sentences, complex_)) if pair else ()
            texts = [" ".join(side[number].split()) for side, number in sides if number < len(side)]
            if texts != [item.original, item.text]:
                what = f"document pair {name!r} is {'not that of the key' if pair else 'absent'}"
                raise bad_input(source, None, what, "give the exported file")
    linked = []
    for pair in pairs:
        identical = {
            (simple, complex_): (AlignmentLabel.ALIGNED, 1.0)
            for simple, simple_text in enumerate(pair.simple.sentences)
            for complex_, complex_text in enumerate(pair.complex.sentences)
            if simple_text.split() == complex_text.split()
        }
        voted = {
            (simple, complex_): label for (name, simple, complex_), label in crowd.labels.items() if name == pair.id
        }
        links = sorted(Link(*ends, *label) for ends, label in (identical | voted).items())
        linked.append(replace(pair, alignments=tuple(links)))
    return linked
