"""A small corpus with the outputs of two simplifiers, as the stages before `analyse` write them."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, write_pairs
from textsimp.core.results import Resampling
from textsimp.core.writing import write_lines
from textsimp.evaluation.rewriting_analysis import AnalysisConfig, AnalysisFolders, Plan

ROOT = Path(__file__).resolve().parent.parent
TRAINING_SETS, SIMPLIFIERS = ["auto", "old"], ["lstm", "editnts"]
MARKER = "zyxwuv"
"""A word of every sentence; no number of the analysis has it."""
_NOUNS = "river council harbour museum bridge festival library station orchard tunnel".split()
_VERBS = "closed opened moved burned flooded reopened".split()
_TAILS = ["in May", "after the war", "because of the old plan of the town", "in May and June of that very long year"]
SETTINGS: dict[str, Any] = {
    "training_sets": TRAINING_SETS,
    "simplifiers": SIMPLIFIERS,
    "evaluation": {"max_tokens": 80, "metrics": ["default"]},
    "resampling": {"samples": 50, "seed": 1},
    "analysis": {"units": 2000, "lengths": [5, 9, 12], "min_sentences": 10},
}
CONFIG = AnalysisConfig(**SETTINGS["analysis"])
PLAN = Plan(TRAINING_SETS, SIMPLIFIERS, 80, CONFIG, Resampling(50, 1))
LABELLED = ROOT / "data" / "sample" / "rewriting"


def folders(root: Path) -> AnalysisFolders:
    """Where `write_corpus` puts everything."""
    places = (root / "data" / name / "small" for name in ("corpora", "alignments", "splits", "outputs"))
    return AnalysisFolders(*places, LABELLED)


def sentences(number: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    words = (_NOUNS, _VERBS, _TAILS, _NOUNS)
    drawn = ([draw.choice(kind) for kind in words] for _ in range(number))
    return [f"The {MARKER} {noun} {verb} {tail}, and the {other} moved." for noun, verb, tail, other in drawn]


def simpler(lines: Sequence[str], seed: int) -> list[str]:
    """Each line as it is, shorter, split, or with another word."""
    draw = random.Random(seed)
    ways = (
        str,
        lambda line: line.split(",")[0] + ".",
        lambda line: line.replace(", and the", ". The"),
        lambda line: line.replace(" moved.", " went away quickly."),
    )
    return [draw.choice(ways)(line) for line in lines]


def documents(number: int, seed: int) -> list[DocumentPair]:
    """Pairs of four complex sentences: one is kept, one split, one left out, two are merged into the last one."""
    pairs = []
    for place in range(number):
        lines = sentences(5, seed + place)
        first, second = (f"{part.strip(' .')}." for part in lines[1].split(", and"))
        simple = (lines[0], first, second, lines[3])
        links = [(0, 0), (1, 1), (2, 1), (3, 3), (3, 4)]
        sides = [Document(f"{place}-{level}", level, (tuple(side),)) for level, side in enumerate((lines, simple))]
        aligned = tuple(Link(s, c, AlignmentLabel.PARTIAL) for s, c in links)
        pairs.append(DocumentPair(f"p{seed}-{place}", "small", f"g{seed}-{place}", *sides, aligned))
    return pairs


def write_corpus(root: Path, lines: int = 40, name: str = "small") -> None:
    """Splits, alignments, training pairs, one test set with two references, and outputs, under `root/data`."""
    data = root / "data"
    for split in ("train", "dev", "test"):
        write_pairs(data / "splits" / name / f"{split}.jsonl", documents(2, len(split)))
    test = sentences(lines, 7)
    write_lines(data / "corpora" / name / "test" / "both.complex", test)
    for number in range(2):
        write_lines(data / "corpora" / name / "test" / f"both.reference.{number}", simpler(test, number))
    for place, training in enumerate(TRAINING_SETS):
        write_pairs(data / "alignments" / name / f"{training}.jsonl", documents(3 + place, 100))
        for split, number in (("train", 20), ("dev", 5)):
            source = sentences(number, place)
            write_lines(data / "corpora" / name / training / f"{split}.complex", source)
            write_lines(data / "corpora" / name / training / f"{split}.simple", simpler(source, 5 + place))
        for offset, simplifier in enumerate(SIMPLIFIERS):
            output = data / "outputs" / name / training / simplifier / "both.txt"
            write_lines(output, simpler(test, 20 + 2 * place + offset))
    (root / "params.yaml").write_text(json.dumps(SETTINGS), encoding="utf-8")
