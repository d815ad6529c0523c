"""Table 3 of Coster and Kauchak 2011 on their own test set: the unchanged input, phrase-based translation, its oracle.

Run from the repository's root, some ten minutes on an idle core:

    python experiments/coster_kauchak.py --mirror FOLDER --work FOLDER [--pairs N] [--deletion]

The 124,000 training pairs of the paper are not to be had. Training pairs here: the tuning pairs of the same release but
500 of them, on which the weights are tuned, and Kauchak 2013, without pairs that have a sentence of the test set on
either side, and without repeats. The oracle takes of the 1,000 best hypotheses that with the best BLEU of the sentence.
Scores are those of `textsimp.metrics` that docs/metrics.md names; differences by paired bootstrap, as in the paper.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabulate import tabulate

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.progress import progress
from textsimp.core.results import Resampling, Results
from textsimp.core.writing import write_lines
from textsimp.corpora.filters import comparable
from textsimp.metrics.bleu import bleu_statistics
from textsimp.metrics.registry import MetricOptions, Texts, metric_statistics
from textsimp.metrics.resampling import score_systems
from textsimp.simplification import simplifiers
from textsimp.simplification.interface import CorpusFiles, ParallelFiles, Runtime
from textsimp.simplification.phrase_based import PhraseBasedConfig
from textsimp.sources.parallel import read_coster_kauchak, read_kauchak, read_parallel, read_turk

NONE, OURS, ORACLE = "NONE", "Moses-like PBSMT", "Moses-like PBSMT, oracle"
MEASURES = {"bleu_as_tokenised": "BLEU, as tokenised", "word_f1": "word F1", "ssa_floor": "SSA, floor 0"}
DEV, N_BEST, SAMPLE = 500, 1000, 100
PairOfTexts = tuple[str, str]


def training_pairs(mirror: Path) -> tuple[list[PairOfTexts], list[PairOfTexts]]:
    """The pairs to train on and those to tune on."""
    test = read_coster_kauchak(mirror / "coster_kauchak_2011", "test")
    held_out = {comparable(text) for text, references in test for text in (text, *references)}
    stem = mirror / "coster_kauchak_2011" / "wiki.tuning"
    tuning = read_parallel(f"{stem}.complex", f"{stem}.simple", "tuning").pairs
    own = list(other_pairs(((pair.complex, pair.simple) for pair in tuning), held_out))
    dev = [own[number * len(own) // DEV] for number in range(DEV)]
    more = [(pair.complex, pair.simple) for pair in read_kauchak(mirror / "kauchak_2013", "kauchak_2013").pairs]
    kept = held_out | {comparable(complex_) for complex_, _ in dev}
    return list(other_pairs([*own, *more], kept)), dev


def held_out_sentences(mirror: Path) -> set[str]:
    """Return what may not be trained on: the test sets of TURK and of Coster and Kauchak, and the tuning pairs."""
    tests = read_turk(mirror / "turk", "test"), read_coster_kauchak(mirror / "coster_kauchak_2011", "test")
    texts = [text for rows in tests for source, references in rows for text in (source, *references)]
    return {comparable(text) for text in (*texts, *(text for pair in training_pairs(mirror)[1] for text in pair))}


def other_pairs(pairs: Iterable[PairOfTexts], held_out: set[str]) -> Iterator[PairOfTexts]:
    """The different pairs that have no held-out sentence."""
    seen = set()
    for pair in pairs:
        sides = tuple(map(comparable, pair))
        if held_out.isdisjoint(sides) and sides not in seen:
            seen.add(sides)
            yield pair


def translation() -> PhraseBasedConfig:
    """The system of the papers; the default experiment's is smaller, and tuned on 100 pairs."""
    return from_conf("simplifier.phrase_based", PhraseBasedConfig, "simplifier/size=paper")


def trained(mirror: Path, work: Path, most: int | None, config: PhraseBasedConfig) -> Path:
    """The folder of the model, trained where it is not there yet."""
    model = work / "model"
    if not model.is_dir():
        train, dev = training_pairs(mirror)
        print(f"train: {len(train[:most])} pairs\ndev: {len(dev)} pairs", flush=True)
        start = time.process_time()
        train_in(work, train[:most], dev, config)
        print(f"trained and tuned in {time.process_time() - start:.0f} s of processor time", flush=True)
    return model


def train_in(work: Path, train: Sequence[PairOfTexts], dev: Sequence[PairOfTexts], config: Any) -> Path:
    """Train and tune in a folder that keeps the pairs, too, by the configuration of any kind; the model's folder."""
    kind = simplifiers.simplifier_of(config.kind)
    files = [ParallelFiles(work / f"{split}.complex", work / f"{split}.simple") for split in ("train", "dev")]
    for file, pairs in zip(files, (train, dev), strict=True):
        for path, column in zip((file.complex, file.simple), zip(*pairs, strict=True), strict=True):
            write_lines(path, column)
    simplifiers.binarize(kind, config, CorpusFiles(files[0], files[1], {}), work / "binary")
    simplifiers.train(kind, config, work / "binary", work / "model", work / "curve.csv", Runtime("cpu", 1))
    return work / "model"


def simplified(model: Path, complex_: Sequence[str], references: Sequence[str]) -> dict[str, list[str]]:
    """The outputs by system."""
    simplifier = simplifiers.load_simplifier_folder(model, Runtime("cpu", 1))
    start = time.process_time()
    simplifier.simplify(complex_[:SAMPLE])
    print(f"{SAMPLE / (time.process_time() - start):.0f} sentences a second of processor time", flush=True)
    outputs: dict[str, list[str]] = {NONE: list(complex_), OURS: [], ORACLE: []}
    for sentence, reference in progress(list(zip(complex_, references, strict=True)), desc="lists"):
        candidates = [item.text for item in simplifier.simplify([sentence], N_BEST)[0]]
        outputs[OURS].append(candidates[0])
        outputs[ORACLE].append(candidates[best_by_bleu(candidates, reference)])
    print(f"all lists in {time.process_time() - start:.0f} s of processor time", flush=True)
    return outputs


def best_by_bleu(outputs: Sequence[str], reference: str) -> int:
    """The number of the output with the best smoothed BLEU of the sentence, the first of equals; tokens as they are.

    The oracle of Coster and Kauchak 2011 (section 5) takes it from a list of hypotheses.
    """
    return int(bleu_statistics(outputs, [[reference] * len(outputs)], "none").per_segment()[:, 0].argmax())


def report(outputs: Mapping[str, Sequence[str]], references: Sequence[str], resampling: Resampling) -> str:
    """The systems with their scores, neighbours with their differences and p values, and the signatures."""
    statistics = {
        name: metric_statistics(list(MEASURES), Texts(outputs[NONE], lines, [references]), MetricOptions())
        for name, lines in outputs.items()
    }
    results = Results()
    score_systems(results, "test", statistics, [(OURS, NONE), (ORACLE, OURS)], resampling)
    scores = [[name, *(row[measure].score().value / 100 for measure in MEASURES)] for name, row in statistics.items()]
    tests = [
        (
            f"{contrast.system} - {contrast.base}",
            MEASURES[contrast.measure],
            test.difference / 100,
            test.p_bootstrap,
        )
        for contrast, test in results.comparisons.items()
        if contrast.measure in MEASURES
    ]
    parts = [
        tabulate(scores, ["system", *MEASURES.values()], floatfmt=".4f"),
        tabulate(tests, ["difference", "of", "", "p (bootstrap)"], floatfmt=".4f"),
        *(str(statistics[NONE][measure].signature) for measure in MEASURES),
    ]
    return "\n\n".join(parts[:2]) + "\n\n" + "\n".join(parts[2:])


@exit_on_bad_input
def main() -> None:
    """Train, tune, decode, score, print."""
    parser = argparse.ArgumentParser(prog="python experiments/coster_kauchak.py", description=__doc__.splitlines()[0])
    parser.add_argument("--mirror", metavar="FOLDER", type=Path, required=True, help="where the releases lie")
    parser.add_argument("--work", metavar="FOLDER", type=Path, required=True, help="for the model and the outputs")
    parser.add_argument("--pairs", metavar="N", type=int, help="train on the first so many; the tuning pairs are first")
    parser.add_argument("--deletion", action="store_true", help="phrases may be left out")
    args = parser.parse_args()
    config = replace(translation(), deletion=args.deletion)
    rows = read_coster_kauchak(args.mirror / "coster_kauchak_2011", "test")
    complex_, references = [row[0] for row in rows], [row[1][0] for row in rows]
    outputs = simplified(trained(args.mirror, args.work, args.pairs, config), complex_, references)
    for name, lines in outputs.items():
        write_lines(args.work / f"{name}.txt", lines)
    print(report(outputs, references, from_conf("resampling", Resampling)))


if __name__ == "__main__":
    main()
