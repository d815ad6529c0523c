"""Article pairs at two levels, their gold links, and sentences with several references."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.settings import Positive, Seed
from textsimp.sources.generated.telling import Plan, Teller, combines
from textsimp.sources.generated.world import World

CORPUS = "generated"
REFERENCES = 4
_SHARES = {"town": 8, "person": 40, "animal": 6, "building": 22, "event": 22, "craft": 2, "river": 2}
"""Of 100 articles, so many of each kind, while the world has any: there are more people than animals."""


@dataclass(frozen=True)
class GeneratorConfig:
    """Numbers of what is generated: article pairs, sentences of the dev and of the test set, and the seed."""

    articles: Positive
    dev_sentences: Positive
    test_sentences: Positive
    seed: Seed


class Benchmark(NamedTuple):
    """Complex sentences with four simplifications each, written independently of each other."""

    dev: list[tuple[str, tuple[str, ...]]]
    test: list[tuple[str, tuple[str, ...]]]


class _Told(NamedTuple):
    """A simple sentence, the complex ones that it renders (ascending), and whether it renders one in full."""

    text: str
    sources: tuple[int, ...] = ()
    whole: bool = False


def generate(config: GeneratorConfig) -> tuple[list[DocumentPair], Benchmark]:
    """Return article pairs with gold links, and dev and test sentences of other subjects; some 2,000 pairs a second.

    An article of the benchmarks is never among the pairs, so that nobody whom a test sentence is about was met before.
    """
    world = World(config.seed)
    tellers = _tellers(world, config.seed)
    pairs = [_article(f"{CORPUS}-{number:06d}", next(tellers)) for number in range(config.articles)]
    seen = {sentence for pair in pairs for side in (pair.complex, pair.simple) for sentence in side.sentences}
    parts = []
    for size in (config.dev_sentences, config.test_sentences):
        rows: list[tuple[str, tuple[str, ...]]] = []
        while len(rows) < size:
            rows += [row for row in _references(next(tellers)) if not seen & {row[0], *row[1]}][: size - len(rows)]
        parts.append(rows)
    return pairs, Benchmark(*parts)


def _tellers(world: World, seed: int) -> Iterator[Teller]:
    draw = random.Random(f"articles {seed}")
    for number in count():
        if subject := world.subject(draw.choices(tuple(_SHARES), tuple(_SHARES.values()))[0]):
            yield Teller(subject, random.Random(f"{seed} {number}"))


def _plans(teller: Teller) -> list[list[Plan]]:
    """Return what an article tells, by paragraph, a plan for each complex sentence."""
    draw = teller.draw
    paragraphs: list[list[Plan]] = []
    for facts in teller.kind.paragraphs:
        told = [(fact, draw.randrange(len(fact.complex))) for fact in facts if draw.random() < 0.75]
        if not paragraphs and (not told or told[0][0] is not facts[0]):
            told.insert(0, (facts[0], draw.randrange(len(facts[0].complex))))
        plans: list[Plan] = []
        while told:
            size = draw.choices((1, 2, 3), (45, 45, 10))[0]
            while size > 1 and not (size <= len(told) and combines(told[:size])):
                size -= 1
            form = "full" if not (paragraphs or plans) else draw.choice(("name", "description", "name", "pronoun"))
            plans.append(Plan(tuple(told[:size]), "name" if form == "pronoun" and not plans else form))
            told = told[size:]
        if plans:
            paragraphs.append(plans)
    return paragraphs


def _references(teller: Teller) -> list[tuple[str, tuple[str, ...]]]:
    """Return the complex sentences of an article, each with four tellings of its facts at the simple level."""
    rows = []
    for plan in (plan for plans in _plans(teller) for plan in plans):
        complex_ = teller.complex_sentence(plan)
        simple = (teller.simple_sentences(plan, teller.simple_form(plan.form)) for _ in range(REFERENCES))
        rows.append((complex_, tuple(" ".join(sentences) for sentences in simple)))
    return rows


def _article(name: str, teller: Teller) -> DocumentPair:
    """Return an article at two levels with its gold links."""
    draw = teller.draw
    complex_: list[list[str]] = []
    simple: list[list[_Told]] = []
    for index, plans in enumerate(_plans(teller)):
        asides = teller.kind.asides[index]
        first = sum(map(len, complex_))
        rows: list[str] = []
        told: list[list[_Told]] = []
        waiting: tuple[Plan, int] | None = None
        for number, plan in enumerate(plans, first):
            rows.append(teller.complex_sentence(plan))
            form = teller.simple_form(plan.form)
            if waiting and (text := teller.merged(waiting[0], plan, teller.simple_form(waiting[0].form))):
                told[-1] = [_Told(text, (waiting[1], number))]
                waiting = None
                continue
            sentences = teller.simple_sentences(plan, form)
            whole = len(sentences) == 1 and len(plan.facts) == 1
            if len(plan.facts) == 1 and draw.random() < 0.06 and number:
                waiting = None
                continue  # the simple article leaves it out
            told.append([_Told(sentence, (number,), whole) for sentence in sentences])
            waiting = (plan, number) if whole and draw.random() < 0.3 else None
        if asides["complex"] and draw.random() < 0.5:
            rows.append(teller.aside(draw.choice(asides["complex"]), "complex"))
        if index and len(told) > 1 and draw.random() < 0.1:
            told.append(told.pop(0))
        if asides["simple"] and draw.random() < 0.4:
            told.append([_Told(teller.aside(draw.choice(asides["simple"]), "simple"))])
        simple.append([row for group in told for row in group])
        complex_.append(rows)
    if len(simple) > 2 and draw.random() < 0.15:
        simple[1], simple[2] = simple[2], simple[1]
    links = []
    for index, sentence in enumerate(sentence for sentences in simple for sentence in sentences):
        label = AlignmentLabel.ALIGNED if sentence.whole else AlignmentLabel.PARTIAL
        links += [Link(index, source, label) for source in sentence.sources]
    standard = Document(f"{name}-complex", 1, tuple(map(tuple, complex_)))
    plain = Document(f"{name}-simple", 0, tuple(tuple(row.text for row in rows) for rows in simple if rows))
    return DocumentPair(name, CORPUS, name, standard, plain, tuple(sorted(links)))
