"""What better links are worth: a simplifier on as many pairs from links of each quality (Jiang et al. 2020, section 1).

    python experiments/thesis.py results.json --work FOLDER [--data data] [--seeds 1 2 3]

Training sets of the generated corpus, which `make repro` has made below --data, come from gold links, from those of two
aligners, and from gold links with noise (docs/corpora.md). What is in the work folder already is not trained again. Two
hours on a core. Kept: reports/experiments/thesis.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from textsimp.core.errors import InputError, bad_input, exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.reading import read_json
from textsimp.core.records import SIDES, DocumentPair, Link, read_pairs, write_pairs
from textsimp.core.results import Cell, Contrast, Estimate, Resampling, Results
from textsimp.core.writing import write_json, write_lines
from textsimp.corpora.build import build
from textsimp.corpora.config import BuildConfig
from textsimp.evaluation import simplification as scoring
from textsimp.metrics.links import MEASURES, alignment_scores
from textsimp.metrics.resampling import Resampled, interval, resample
from textsimp.simplification import simplifiers
from textsimp.simplification.interface import CorpusFiles, ParallelFiles, Runtime
from textsimp.simplification.transformer import TransformerConfig

CORPUS, SIMPLIFIER, GOLD, ALL = "generated", "transformer_rand", "gold", "all"
NOISE = {f"{kind}_{percent}": (kind, percent / 100) for kind in ("wrong", "missing") for percent in (10, 20, 40)}
SETS = (GOLD, "auto", "old", *NOISE)
METRICS, POINTS = ("sari", "bleu"), 10
Numbers = NDArray[np.float64]


def noisy(pairs: Sequence[DocumentPair], kind: str, share: float, seed: int) -> list[DocumentPair]:
    """Return the pairs with a share of their links, drawn in one order, dropped (`missing`) or led astray (`wrong`)."""
    draw = random.Random(seed)
    places = [(number, link) for number, pair in enumerate(pairs) for link in pair.alignments or ()]
    draw.shuffle(places)
    links = [set(pair.alignments or ()) for pair in pairs]
    left = round(share * len(places))
    for number, link in places:
        moved = (_moved(pairs[number], link, links[number], draw) if kind == "wrong" else set()) if left else None
        if moved is not None:
            links[number] = links[number] - {link} | moved
            left -= 1
    if left:
        raise InputError(f"noise: {left} links more than can be wrong, of {len(places)}; lower the share")
    return [replace(pair, alignments=tuple(sorted(changed))) for pair, changed in zip(pairs, links, strict=True)]


def _moved(pair: DocumentPair, link: Link, links: set[Link], draw: random.Random) -> set[Link] | None:
    """The link with another complex sentence, d sentences away with a probability like 1 / d; None without any."""
    partners = {known.complex for known in (*(pair.alignments or ()), *links) if known.simple == link.simple}
    others = [index for index in range(len(pair.complex.sentences)) if index not in partners]
    weights = [1 / abs(index - link.complex) for index in others]
    return {replace(link, complex=draw.choices(others, weights)[0], score=None)} if others else None


def build_sets(data: Path, work: Path, seeds: Sequence[int], config: BuildConfig) -> dict[str, Any]:
    """Write every training set, all of one size, as WORK/SET.SEED, and the test sets; return their links' quality."""
    gold, qualities, trained = list(read_pairs(data / "audit" / f"{CORPUS}.jsonl")), {}, {}
    for name in SETS:
        for seed in seeds:
            linked = noisy(gold, *NOISE[name], seed) if name in NOISE else gold
            if name in ("auto", "old"):
                found = data / "alignments" / CORPUS / f"{name}.jsonl"
                known = {pair.id: pair for pair in read_pairs(found)}
                if missing := [pair.id for pair in gold if pair.id not in known]:
                    raise bad_input(found, None, f"no document pair {missing[0]!r}, which has gold links", "align it")
                linked = [known[pair.id] for pair in gold]
            with tempfile.TemporaryDirectory() as folder:
                for alignment in ("auto", "old"):
                    write_pairs(Path(folder, f"{alignment}.jsonl"), linked)
                corpora = build(config, Path(folder), data / "raw" / CORPUS)
            trained[f"{name}.{seed}"] = corpora.training["auto"]
            scores = alignment_scores((a, b.alignments or ()) for a, b in zip(gold, linked, strict=True))["task1"]
            qualities[f"{name}.{seed}"] = [scores[measure] for measure in MEASURES]
    size = min(len(row.train) for row in trained.values())
    for run, row in trained.items():
        rows = sorted(random.Random(int(run.rpartition(".")[2])).sample(range(len(row.train)), size))
        for split, pairs in (("train", [row.train[number] for number in rows]), ("dev", row.dev)):
            _write(work / run / split, zip(SIDES, zip(*pairs, strict=True), strict=True))
    for name, test in corpora.test.items():
        references = ((f"reference.{number}", column) for number, column in enumerate(test.references))
        _write(work / "test" / name, [("complex", test.complex), *references])
    return {"pairs": size, "links": qualities}


def _write(stem: Path, columns: Iterable[tuple[str, Iterable[str]]]) -> None:
    for end, column in columns:
        write_lines(stem.with_name(f"{stem.name}.{end}"), (" ".join(text.split()) for text in column))


def train(work: Path, run: str, config: TransformerConfig) -> None:
    """Train the simplifier on a training set with the set's seed and let it simplify the test sets, unless it has."""
    folder, kind = work / run, simplifiers.simplifier_of(config.kind)
    if not (folder / "output").is_dir():
        files = [ParallelFiles(folder / f"{split}.complex", folder / f"{split}.simple") for split in ("train", "dev")]
        tests = {path.stem: path for path in (work / "test").glob("*.complex")}
        simplifiers.binarize(kind, config, CorpusFiles(files[0], files[1], tests), folder / "bin")
        simplifiers.train(kind, config, folder / "bin", folder / "model", folder / "curve.csv", Runtime("cpu", 1))
        simplifiers.generate(folder / "bin", folder / "model", folder / "output", Runtime("cpu", 1))


def evaluate(work: Path, built: Any, seeds: Sequence[int], config: Any, resampling: Resampling) -> Results:
    """Return the results; intervals of differences and of `all`: test sentences and seeds of each set drawn again."""
    results = Results(resampling=resampling, notes={"simplifier": SIMPLIFIER, "pairs": f"{built['pairs']:,}"})
    links = np.array(list(built["links"].values()))  # (runs, 3)
    for test in scoring.read_test_sets(work / "test"):
        paths = [work / run / "output" / f"{test.name}.txt" for run in built["links"]]
        systems = [scoring.output_statistics(test, scoring.read_output(path, test), config) for path in paths]
        resampled = resample(systems, resampling)
        results.signatures = scoring.signatures_of(systems[0])
        for index, name in enumerate(SETS):
            of_set = slice(index * len(seeds), (index + 1) * len(seeds))
            for measure, value in zip(MEASURES, links[of_set].mean(0).tolist(), strict=True):
                results.estimates[Cell(test.name, name, f"links.{measure}")] = Estimate(value)
            for metric in METRICS:
                values = [float(row[metric].value[0]) for row in resampled[of_set]]
                mean = Estimate(float(np.mean(values)), min(values), max(values))
                results.estimates[Cell(test.name, name, metric)] = mean
            results.estimates[Cell(test.name, name, "seeds")] = Estimate(len(seeds))
        _compare(results, test.name, links, [row["sari"] for row in resampled], resampling.seed)
    return results


def _compare(results: Results, scope: str, links: Numbers, sari: Sequence[Resampled], seed: int) -> None:
    """Write the differences to gold, and what all of them say together."""
    values = np.array([row.value[0] for row in sari])  # (sets * seeds)
    draws = np.stack([row.draws[:, 0] for row in sari if row.draws is not None], 1)  # (samples, sets * seeds)
    draws = draws.reshape(len(draws), len(SETS), -1)
    draws = np.take_along_axis(draws, np.random.default_rng(seed).integers(0, draws.shape[2], draws.shape), axis=2)
    of_sets = zip(values.reshape(len(SETS), -1).mean(1, keepdims=True), draws.mean(2).T, strict=True)
    means = [Resampled(value, drawn[:, None]) for value, drawn in of_sets]
    for name, mean in zip(SETS[1:], means[1:], strict=True):
        results.comparisons[Contrast(scope, "sari", name, GOLD)] = mean.minus(means[0])[0]
    together = _together(links, draws.reshape(len(draws), -1))
    for measure, value in _together(links, values[None]).items():
        low, high = interval(together[measure][np.isfinite(together[measure])]).tolist()
        results.estimates[Cell(scope, ALL, measure)] = Estimate(float(value[0]), low, high)


def _together(links: Numbers, sari: Numbers) -> dict[str, Numbers]:
    """Correlations and slopes of SARI, shape (samples, models), by the quality of the links, (models, 3); (samples)."""

    def pearson(x: Numbers, y: Numbers) -> Numbers:
        x, y = x - x.mean(), y - y.mean(1, keepdims=True)
        with np.errstate(invalid="ignore"):  # a sample in which all models are equal has none
            return np.asarray(y @ x / np.sqrt((x**2).sum() * (y**2).sum(1)))

    def slopes(x: Numbers) -> Numbers:
        return np.asarray(POINTS * np.linalg.pinv(x - x.mean(0)) @ sari.T)

    numbers, both, f1 = {}, links[:, :2], links[:, 2]
    if np.ptp(f1) and np.ptp(sari):
        numbers = {"correlation": pearson(f1, sari), "rank_correlation": pearson(rankdata(f1), rankdata(sari, axis=1))}
        numbers["per.f1"] = slopes(f1[:, None])[0]
    if np.linalg.matrix_rank(both - both.mean(0)) == 2:
        numbers["per.precision"], numbers["per.recall"] = slopes(both)
    return numbers


@exit_on_bad_input
def main() -> None:
    """Build, train, score, write."""
    parser = argparse.ArgumentParser(prog="python experiments/thesis.py", description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="JSON file to write")
    parser.add_argument("--work", type=Path, required=True, help="folder for training sets, models and outputs")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the pipeline's data")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="of noise, of pairs, of training")
    args = parser.parse_args()
    config = from_conf(f"simplifier.{SIMPLIFIER}", TransformerConfig)
    built, known = args.work / "sets.json", {f"{name}.{seed}" for name in SETS for seed in args.seeds}
    if not built.is_file() or set(read_json(built)["links"]) != known:
        found = build_sets(args.data, args.work, args.seeds, from_conf(f"corpus.{CORPUS}.build", BuildConfig))
        write_json(built, found, sort_keys=False)
    sets = read_json(built)
    for run in sets["links"]:
        train(args.work, run, replace(config, seed=int(run.rpartition(".")[2])))
    scored = replace(from_conf("evaluation", scoring.EvaluationConfig), metrics=list(METRICS))
    evaluate(args.work, sets, args.seeds, scored, from_conf("resampling", Resampling)).write(args.results)


if __name__ == "__main__":
    main()
