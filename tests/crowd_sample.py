"""A crowd's study that several test files share: documents, the export, and sheets of workers who err."""

import random
from dataclasses import replace
from pathlib import Path

from human_evaluation_sample import fill

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, read_pairs, write_pairs
from textsimp.extras.human.study import Study

WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north ocean pine quay".split()
WRONG = {"rater-1": 0.02, "rater-2": 0.05, "rater-3": 0.1, "rater-4": 0.6}
"""Share of the answers that each worker gives at random."""


def document_pair(name: str, seed: int) -> DocumentPair:
    """Simple sentences that are part of a complex one (partial), the same but for a word (aligned), or new."""
    draw = random.Random(seed)
    complex_, simple, links = [], [], []
    for number in range(12):
        words = [f"{draw.choice(WORDS)}{draw.randrange(9)}" for _ in range(12)]
        complex_.append(" ".join([*words, "."]))
        if number % 3 == 0:
            simple.append(" ".join([*words[:8], "."]))
            links.append(Link(len(simple) - 1, number, AlignmentLabel.PARTIAL))
        elif number % 3 == 1:
            simple.append(" ".join([*words[1:], "."]))
            links.append(Link(len(simple) - 1, number, AlignmentLabel.ALIGNED))
        else:
            simple.append(" ".join(f"{draw.choice(WORDS)}{draw.randrange(9)}" for _ in range(9)))
    sides = (Document(f"{name}.{n}", n, (tuple(texts),)) for n, texts in ((1, complex_), (0, simple)))
    return DocumentPair(name, "own", name, *sides, tuple(links))


def write_documents(folder: Path) -> None:
    """Documents to align, as an aligner has them that finds the aligned pairs alone, and annotated ones."""
    gold = [document_pair(f"d{number}", number) for number in range(8)]
    found = [
        replace(pair, alignments=tuple(link for link in pair.alignments or () if link.label is AlignmentLabel.ALIGNED))
        for pair in gold
    ]
    write_pairs(folder / "gold.jsonl", gold)
    write_pairs(folder / "found.jsonl", found)
    write_pairs(folder / "tests.jsonl", [document_pair(f"t{number}", 100 + number) for number in range(4)])


EXPORT = "export out --kind crowd --links one=found.jsonl --test-questions tests.jsonl".split()
# without the two measures that need an encoder, which takes seconds
EXPORT += "--measures char_ngrams,tfidf --raters 4".split()


def right_answers(study: Study, gold: Path) -> dict[str, int]:
    """Of every item by the gold links."""
    labels = {
        (pair.id, link.simple, link.complex): 1 + (link.label is AlignmentLabel.ALIGNED)
        for pair in read_pairs(gold)
        for link in pair.alignments or ()
    }
    return {item.id: labels.get(item.places[0], 0) if item.right is None else item.right for item in study.items}


def answered(study: Study, folder: Path = Path()) -> list[Path]:
    """The sheets of workers who are wrong as often as `WRONG` says."""
    right, draw = right_answers(study, folder / "gold.jsonl"), random.Random(1)

    def value(rater: str, item: str, column: str) -> str:
        return str(draw.randrange(3) if draw.random() < WRONG[rater] else right[item])

    return [fill(folder / "out" / f"{rater}.csv", folder / f"{rater}.csv", value) for rater in study.raters]
