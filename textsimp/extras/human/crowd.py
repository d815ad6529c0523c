"""A crowd aligns sentences (Jiang et al. 2020, section 3.1): candidate pairs out, among them questions whose answer is
known; gold links in, by the majority of the workers who know the answers.
"""

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device
from textsimp.alignment.parts import Part
from textsimp.alignment.similarity.similarity import Matrix, first_of_each
from textsimp.alignment.spec import SystemSpec
from textsimp.core.errors import InputError, bad_input
from textsimp.core.params import from_conf
from textsimp.core.progress import progress
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.extras.annotation.annotated import Annotated, iterate_annotated
from textsimp.extras.human.drawing import linked_by
from textsimp.extras.human.guidelines import CROWD
from textsimp.extras.human.study import Item, Place, Study, make_items, make_study
from textsimp.extras.human.summary import matrix, pair_tables
from textsimp.metrics.kappa import cohen_kappa

# all of section 3.1: one question in so many is a test, workers with a lower share of right answers to these are left
# out, seconds before a question takes an answer, workers for each candidate pair, and the kappa of the paper's workers
TEST_EVERY, LEAST_ACCURACY, LEAST_SECONDS, JUDGEMENTS, PRINTED_KAPPA = 5, 0.85, 10.0, 5, 0.807
# of the points of the scale
_LABELS = (None, AlignmentLabel.PARTIAL, AlignmentLabel.ALIGNED)
_CANDIDATE, _TEST = "candidate", "test question"
# section 3.2; the last is an alignment probability, the others are named as in `alignment.similarity`
ALIGNER = "aligner"
MEASURES: Mapping[str, Part | None] = {
    "char_ngrams": Part("char_ngrams", {"n": 3}),
    "tfidf": Part("tfidf", {"scope": "corpus"}),
    "bert_embedding": Part("bert_embedding", {}),
    ALIGNER: None,
}
Cells = set[tuple[int, int]]
"""Simple and complex sentence, from 0."""
Question = tuple[str, str, list[Place], int | None]
"""Simple and complex sentence, the places where they stand, and the point that is known to be right."""


def draw_crowd(
    links: Mapping[str, Path], tests: Path, measures: Sequence[str], whole_paragraphs: bool, seed: int, raters: int
) -> tuple[Study, str]:
    """Draw the candidate pairs of documents, one a page, with a test question among every `TEST_EVERY` pages.

    Candidates, as the paper has them for Wikipedia (section 3.2): for each simple sentence the complex ones that are
    first by one of the four measures; and whatever one of the aligners links. As it has them for Newsela (section
    3.1): all sentence pairs of two paragraphs that a link connects, or that an annotator linked in the page.

    Test questions are candidates of annotated documents, by their gold links, as many of each label, so that nobody
    passes who gives one answer to all. Everybody has all of them; of the candidates each is for `JUDGEMENTS` of the
    workers, those who have fewest so far.

    Args:
        links: the same document pairs with the links of each aligner.
        tests: other document pairs, with gold links.
        measures: keys of `MEASURES`.
        whole_paragraphs: whether the candidates are those for Newsela.

    Returns:
        The study, and a sentence on its size.

    Raises:
        InputError: too few annotated candidates of a label, aligners of different documents, or nothing to ask.
    """
    linked = [list(opinions) for opinions in zip(*linked_by(links).values(), strict=True)]
    gold = [[one] for one in iterate_annotated(tests)]
    names = [] if whole_paragraphs else measures
    proposed, known = (first_by(names, [first.pair for first, *_ in each]) for each in (linked, gold))
    candidates = _candidates(linked, proposed, whole_paragraphs)
    tasks = _questions(linked, candidates, None)
    if not tasks:
        raise InputError("--links: no candidate pair; give documents with sentences that differ")
    asked = {texts[:2] for texts in tasks}
    judgements = min(JUDGEMENTS, raters)
    share = math.ceil(len(tasks) * judgements / raters)
    questions = _questions(gold, _candidates(gold, known, whole_paragraphs), asked)
    chosen = _balanced(questions, math.ceil(share / (TEST_EVERY - 1)), seed, tests)
    items: list[Item] = []
    for line, (simple, complex_, places, right) in enumerate([*tasks, *chosen], 1):
        (item,) = make_items(line, simple, [(_CANDIDATE if right is None else _TEST, complex_)], seed)
        items.append(replace(item, places=tuple(places), right=right))
    study = make_study(CROWD, seed, (_CANDIDATE, _TEST), raters, items)
    study = replace(_given_out(study, judgements), seconds=LEAST_SECONDS)
    sentences = sum(len(first.pair.simple.sentences) for first, *_ in linked)
    size = f"{len(tasks)} candidate pairs, {sum(map(len, candidates)) / sentences:.2f} for each simple sentence"
    if names and (total := sum(len(one.links) for (one,) in gold)):
        found = sum(len(one.labels.keys() & cells) for (one,), cells in zip(gold, known, strict=True))
        size += f" (the measures propose {100 * found / total:.1f}% of the links of {tests.name})"
    of_each = f"{share + len(chosen)} questions for each of {raters} workers, {len(chosen)} of them tests"
    return study, f"{size}; {judgements} judgements of each; {of_each}"


def first_by(names: Sequence[str], pairs: Sequence[DocumentPair]) -> list[Cells]:
    """Return of each document pair the sentence pairs that one of the measures puts first for its simple sentence.

    The names are keys of `MEASURES`, `InputError` for another. `aligner` is P(aligned or partial) by the aligner that
    the package brings.
    """
    if unknown := sorted(set(names) - MEASURES.keys()):
        raise InputError(f"--measures: no {unknown[0]!r}; known: {', '.join(MEASURES)}")
    if not names:
        return [set() for _ in pairs]
    device, encoder = from_conf("runtime", Device), from_conf("aligner", AlignerConfig).encoder
    cache = Cache(pairs, from_conf("word_vectors", WordVectorConfig), encoder, device, None)
    measures: list[Callable[[DocumentPair], Matrix]] = []
    for name in names:
        if part := MEASURES[name]:
            measures.append(cache.similarity(part).matrix)
        else:
            measures.append(partial(SystemSpec.named(None).load(device, pairs).scores, task="task1"))
    shown = progress(pairs, desc="propose candidates", unit=" document pairs")
    chosen = (first_of_each([matrix_of(pair) for matrix_of in measures]) for pair in shown)
    return [{(simple, complex_) for simple, complex_ in np.argwhere(cells).tolist()} for cells in chosen]


def _candidates(linked: Iterable[Sequence[Annotated]], proposed: Iterable[Cells], whole: bool) -> list[Cells]:
    """Return the candidates of each document pair: those proposed and the links of all aligners, or, of whole
    paragraphs, all sentence pairs of paragraphs that one of them connects.
    """
    if not whole:
        return [cells.union(*(one.labels for one in each)) for each, cells in zip(linked, proposed, strict=True)]
    found = []
    for pair, connected in ((each[0].pair, {ends for one in each for ends in one.connected}) for each in linked):
        ends = product(enumerate(pair.simple.paragraph_of), enumerate(pair.complex.paragraph_of))
        found.append({(simple, other) for (simple, left), (other, right) in ends if (left, right) in connected})
    return found


def _questions(
    linked: Iterable[Sequence[Annotated]], candidates: Sequence[Cells], asked: set[tuple[str, str]] | None
) -> list[Question]:
    """Return each pair of different sentences once.

    Of test questions, pairs that are asked already or that have several right answers are left out; `asked` is None for
    candidates, whose answers nobody knows.
    """
    answers: dict[tuple[str, str], dict[Place, int | None]] = {}
    for (one, *_), cells in zip(linked, candidates, strict=True):
        pair = one.pair
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
    generator, load, items = random.Random(f"{study.seed}/workers"), dict.fromkeys(study.raters, 0), []
    for item in study.items:
        if item.right is None:
            turns = {rater: (given, generator.random()) for rater, given in load.items()}
            least = sorted(load, key=turns.__getitem__)[:judgements]
            load |= {rater: load[rater] + 1 for rater in least}
            item = replace(item, raters=tuple(rater for rater in study.raters if rater in least))
        items.append(item)
    return replace(study, items=tuple(items))


@dataclass(frozen=True)
class Crowd:
    """The answers of a crowd.

    Attributes:
        workers: by name, how each did on the test questions: `tests`, `right`, `accuracy`, `is_trusted` (the others are
            left out); `judgements` are all answers.
        votes: how many trusted workers gave each point to each candidate pair.
        labels: the label of each candidate pair that is linked, and the share of the trusted workers who link it.
        kappa: Cohen's, of all pairs of answers of two trusted workers to one candidate; None where it is not defined.
    """

    workers: pd.DataFrame
    votes: Mapping[str, Sequence[int]]
    labels: Mapping[Place, tuple[AlignmentLabel, float]]
    kappa: float | None

    @property
    def trusted(self) -> int:
        """Return how many workers are kept."""
        return int(self.workers.is_trusted.sum())

    def text(self) -> str:
        """Return what the paper prints of its workers, and more."""
        ties = sum(max(numbers) > 0 and [*numbers].count(max(numbers)) > 1 for numbers in self.votes.values())
        lines = [self.workers.to_string(float_format="{:.2f}".format)]
        lines.append(f"kept: {self.trusted} of {len(self.workers)} workers")
        if self.kappa is not None:
            lines.append(f"their Cohen's kappa on the candidates: {self.kappa:.3f} (the paper prints {PRINTED_KAPPA})")
        lines.append(f"{len(self.votes)} candidate pairs, {ties} without a majority")
        if unanswered := sum(not any(numbers) for numbers in self.votes.values()):
            lines.append(f"{unanswered} have no answer and are not linked")
        return "\n".join(lines)


def judge(study: Study, ratings: pd.DataFrame, source: Path) -> Crowd:
    """Return the majority of the workers who are right on enough of the test questions; of tied labels the lower one.

    Raises:
        InputError: the ratings, which are of the file `source`, are not the study's, or nobody is trusted.
    """
    if study.kind != CROWD:
        raise InputError(f"the key is of a study of {study.kind}; give that of --kind {CROWD}")
    by_name = {item.id: item for item in study.items}
    for row in ratings[~(ratings.item.isin(by_name) & ratings.rater.isin(study.raters))].itertuples():
        what = f"{row.item!r} by {row.rater!r} is not in the key"
        raise bad_input(source, None, what, "give the key of these ratings")
    right = {item.id: item.right for item in study.items if item.right is not None}
    workers = {}
    for name, answers in ratings.dropna().groupby("rater", sort=False):
        tests = answers[answers.item.isin(right)]
        correct = int((tests.rating == tests.item.map(right)).sum())
        accuracy = correct / len(tests) if len(tests) else 0.0
        numbers = {"judgements": len(answers), "tests": len(tests), "right": correct, "accuracy": accuracy}
        workers[str(name)] = {**numbers, "is_trusted": accuracy >= LEAST_ACCURACY}
    judged = pd.DataFrame.from_dict(workers, orient="index")
    if judged.empty or not judged.is_trusted.any():
        what = f"no worker has {100 * LEAST_ACCURACY:g}% of the test questions right"
        raise bad_input(source, None, what, "ask others, or look at the test questions")
    candidates = [item.id for item in study.items if item.right is None]
    kept = ratings[ratings.rater.isin(judged.index[judged.is_trusted]) & ratings.item.isin(candidates)]
    counts = kept.groupby(["item", "rating"]).size()
    votes = {name: [int(counts.get((name, point), 0)) for point in range(len(_LABELS))] for name in candidates}
    labels: dict[Place, tuple[AlignmentLabel, float]] = {}
    for name, given in votes.items():
        if label := _LABELS[given.index(max(given))]:
            labels |= dict.fromkeys(by_name[name].places, (label, 1 - given[0] / sum(given)))
    tables = list(pair_tables(matrix(kept, study.guidelines.keys[0])))
    return Crowd(judged, votes, labels, cohen_kappa(np.sum(tables, axis=0)) if tables else None)


def aligned_by(crowd: Crowd, study: Study, pairs: Sequence[DocumentPair], source: Path) -> list[DocumentPair]:
    """Return the documents of which the crowd was asked, with its links, and identical sentences linked as aligned.

    Raises:
        InputError: a document of the study is absent, or has other sentences.
    """
    texts = {pair.id: [list(map(_plain, side.sentences)) for side in (pair.simple, pair.complex)] for pair in pairs}
    asked = [(item, *place) for item in study.items if item.right is None for place in item.places]
    for item, name, *places in asked:
        sides = zip(texts.get(name, ()), places, strict=False)
        if [side[place] for side, place in sides if place < len(side)] != [item.original, item.text]:
            what = f"document pair {name!r} is {'not that of the key' if name in texts else 'absent'}"
            raise bad_input(source, None, what, "give the exported file")
    linked, names = [], {name for _, name, *_ in asked}
    for pair in (pair for pair in pairs if pair.id in names):
        simple, complex_ = texts[pair.id]
        same = [(low, high) for low, text in enumerate(simple) for high, other in enumerate(complex_) if text == other]
        links = dict.fromkeys(same, (AlignmentLabel.ALIGNED, 1.0))
        links |= {(low, high): label for (name, low, high), label in crowd.labels.items() if name == pair.id}
        linked.append(replace(pair, alignments=tuple(sorted(Link(*ends, *label) for ends, label in links.items()))))
    return linked
