"""The check of committed metrics: every bound can fail, planted faults are caught, and bounds come from runs."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from alignment_sample import document_pair

from textsimp.core.errors import InputError
from textsimp.core.params import compose_values
from textsimp.core.records import write_pairs
from textsimp.core.writing import write_json
from tools import bounds as deriving
from tools import check_metrics, lexical_rows
from tools.check_metrics import Numbers, compare, leaves, processor, read_bounds, read_metrics, system_of

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "reports"
BOUNDS = read_bounds()
NEWS, WIKI = "metrics/alignment.sample_news.json:test", "metrics/alignment.sample_wiki.json:test"
TURK_LIKE = "metrics/simplification.generated.json:generated"


@pytest.fixture(scope="module")
def committed() -> Numbers:
    return read_metrics(REPORTS)


def problems_of(fresh: Numbers, committed: Numbers) -> tuple[list[str], list[str]]:
    """What the check says on the same kind of processor and on another one."""
    return compare(committed, fresh, None), compare(committed, fresh, BOUNDS)


def test_the_committed_numbers_pass_everywhere(committed: Numbers) -> None:
    assert problems_of(dict(committed), committed) == ([], [])
    assert json.loads((REPORTS / "machine.json").read_text()).keys() >= {"machine", "capability"}


def test_every_bound_can_fail(committed: Numbers) -> None:
    """No bound that every possible value keeps to: there is room below the lowest and above the highest."""
    assert len(BOUNDS.numbers) > 100 and len(BOUNDS.orders) > 10
    for place, (low, high) in BOUNDS.numbers.items():
        assert low < high, place
        if place.endswith(deriving.SCORES):
            assert low > 0, f"{place}: a score of 0 keeps to it"
        if place not in committed:
            continue
        for value in (low - 0.01, high + 0.01, "none"):
            problems = compare(committed, committed | {place: value}, BOUNDS)
            assert any(problem.startswith(place) for problem in problems), f"{place}: {value} is not caught"
    for higher, lower in BOUNDS.orders:
        if {higher, lower} <= committed.keys():
            level = committed | {higher: committed[lower]}
            assert any(f"not above {lower}" in problem for problem in compare(committed, level, BOUNDS))


def test_every_number_is_checked_somehow(committed: Numbers) -> None:
    """On another kind, a number that is neither compared nor bounded belongs to a system that did not learn, or is a
    score so near to zero that no bound could be above it."""
    free = [p for p in committed if system_of(p) in BOUNDS.varying and p not in BOUNDS.numbers]
    untrained = set(json.loads((ROOT / "tools" / "bounds.json").read_text())["untrained"])
    free = [place for place in free if system_of(place) not in untrained]
    assert len(free) <= 0.05 * len(committed), free


def plant(committed: Numbers, fault: str) -> Numbers:
    """A fresh run with a fault in it."""
    fresh = copy.deepcopy(committed)
    crf, jaccard = f"{NEWS}/neural_crf/", f"{NEWS}/jaccard/"
    if fault == "SARI down by 10":
        fresh[f"{TURK_LIKE}/editnts.new/sari"] -= 10
    elif fault == "F1 down by 5":
        fresh[f"{crf}task1.f1"] -= 5
    elif fault == "a missing row":
        fresh = {place: value for place, value in fresh.items() if not place.startswith(f"{WIKI}/massalign/")}
    elif fault == "two swapped systems":
        for measure in ("task1.f1", "task2.f1"):
            fresh[crf + measure], fresh[jaccard + measure] = fresh[jaccard + measure], fresh[crf + measure]
    elif fault == "two swapped trained systems":
        left, right = f"{WIKI}/neural_crf/task1.f1", f"{WIKI}/bert_finetune/task1.f1"
        fresh[left], fresh[right] = fresh[right], fresh[left]
    elif fault == "a constant output":
        fresh |= {f"{TURK_LIKE}/editnts.old/{name}": value for name, value in CONSTANT.items()}
    return fresh


CONSTANT = {"sari": 24.1, "bleu": 0.6, "len": 10.0, "fk": 0.1}
"""What one and the same sentence of ten words, for every complex sentence, comes to on the sample's references."""


FAULTS = ["SARI down by 10", "F1 down by 5", "a missing row", "two swapped systems", "two swapped trained systems"]


@pytest.mark.parametrize("fault", [*FAULTS, "a constant output"])
def test_planted_faults_are_caught(fault: str, committed: Numbers) -> None:
    fresh = plant(committed, fault)
    assert fresh != committed
    for kind, problems in zip(("same", "other"), problems_of(fresh, committed), strict=True):
        assert problems, f"{fault} is not caught on the {kind} kind of processor"


def test_on_the_same_kind_the_last_bit_counts(committed: Numbers) -> None:
    place = f"{NEWS}/jaccard/task1.f1"
    same, other = problems_of(committed | {place: committed[place] * (1 + 1e-15)}, committed)
    assert len(same) == 1 and "expected exactly" in same[0] and other == []
    same, other = problems_of(committed | {place: committed[place] + 0.01}, committed)
    assert len(same) == len(other) == 1


def test_texts_and_new_rows_are_compared(committed: Numbers) -> None:
    for found in problems_of(committed | {"metrics/x.json:a": 1}, committed):
        assert found == ["metrics/x.json:a: not committed"]
    text = {"metrics/x.json:recipe": "SARI|version:1"}
    for found in problems_of({**committed, "metrics/x.json:recipe": "SARI|version:2"}, {**committed, **text}):
        assert len(found) == 1 and "SARI|version:1" in found[0]


def run(**values: float) -> Numbers:
    """Metrics of one file of aligners and one of simplifiers."""
    tree = {"test": {"jaccard": {"task1.f1": 50.0}, "neural_crf": {"task1.f1": values["crf"]}}}
    outputs = {"test": {"lstm": {"bleu": values["bleu"], "sari": 20 + values["bleu"]}}}
    outputs["test"]["identity"] = {"sari": values.get("identity", 20.0), "bleu": 60.0}
    return dict([*leaves(tree, "metrics/alignment.a.json:"), *leaves(outputs, "metrics/simplification.a.json:")])


def test_recentred_bounds_keep_their_distances() -> None:
    f1 = "metrics/alignment.a.json:test/{}/task1.f1".format
    crf, jaccard, frozen, new = f1("neural_crf"), f1("jaccard"), f1("frozen_crf"), f1("lr")
    order = [crf, jaccard]
    old = {"numbers": {crf: [70.0, 81.0]}, "orders": [order], "varying": ["alignment/neural_crf"]}
    learned = frozenset({"alignment/frozen_crf"})
    aligners = deriving.trained_aligners()
    assert {"frozen_crf", "neural_crf", "bert_finetune", "esim"} < aligners and not {"lr", "bert_embedding"} & aligners
    assert deriving.learns("alignment/bert_finetune_paraalign_gold_paragraphs", [], aligners)
    assert deriving.learns("analysis/lstm.new", ["lstm"], []) and not deriving.learns("alignment/lr", ["lstm"], [])
    now: Numbers = {crf: 50.0, jaccard: 40.0, frozen: 30.0, new: 20.0}
    moved = deriving.recentre(old, {crf: 80.0, jaccard: 60.0}, now, learned)
    assert moved["numbers"] == {crf: [40.0, 50.0 + deriving.MARGIN], frozen: [20.0, 40.0]}
    assert moved["varying"] == ["alignment/frozen_crf", "alignment/neural_crf"]
    assert moved["orders"] == [order]
    sunk = deriving.recentre(old, {crf: 80.0}, {**now, crf: 9.0}, learned)
    assert crf not in sunk["numbers"] and sunk["orders"] == []


def test_bounds_come_from_the_spread_of_runs() -> None:
    """Beyond the runs by their spread, and two points at least; what never varies is exact, what never learnt free."""
    found = deriving.derive([run(crf=90.0, bleu=1.0), run(crf=93.0, bleu=2.0), run(crf=91.0, bleu=1.5)])
    place = "metrics/alignment.a.json:test/neural_crf/task1.f1"
    assert found["numbers"] == {place: [87.0, 96.0]}
    assert found["orders"] == [[place, place.replace("neural_crf", "jaccard")]]
    assert found["varying"] == ["alignment/neural_crf", "simplification/lstm"]
    assert found["untrained"] == ["simplification/lstm"]
    narrow = deriving.derive([run(crf=90.0, bleu=30.0), run(crf=90.5, bleu=31.0)])["numbers"]
    assert narrow[place] == [88.0, 92.5] and narrow["metrics/simplification.a.json:test/lstm/sari"] == [48.0, 53.0]
    beaten = deriving.derive([run(crf=90.0, bleu=1.0), run(crf=49.0, bleu=1.0)])
    assert beaten["orders"] == [] and beaten["numbers"][place] == [8.0, 131.0]


def test_a_run_may_lack_numbers() -> None:
    """Runs of the cheap stages alone count for what they have."""
    cheap = {place: value for place, value in run(crf=95.0, bleu=0.0).items() if "alignment" in place}
    found = deriving.derive([run(crf=90.0, bleu=30.0), cheap])
    assert found["numbers"] == {"metrics/alignment.a.json:test/neural_crf/task1.f1": [85.0, 100.0]}
    assert len(found["orders"]) == 1 and found["untrained"] == []


def test_of_a_system_that_varies_somewhere_nothing_is_exact() -> None:
    """The same number twice may be chance: small test sets have few values."""
    runs = [run(crf=90.0, bleu=30.0), run(crf=90.0, bleu=30.0, identity=21.0)]
    assert set(deriving.derive(runs)["numbers"]) == {
        f"metrics/simplification.a.json:test/identity/{name}" for name in ("sari", "bleu")
    }


def test_a_repeated_run_has_other_seeds_and_instructions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a clone: params.yaml composed with the seeds, the pipeline, its metrics and processor kept."""
    commands: list[tuple[list[str], dict[str, str]]] = []

    def stand_in(command: list[str], cwd: Path | None = None, env: Any = None, check: bool = False) -> None:
        commands.append((command, dict(env or {})))
        for name in deriving.FOLDERS if "tools/repro.py" in command else ():
            write_json(Path(cwd or "") / "reports" / name / "x.json", {"a": 1})
        if "tools/repro.py" in command:
            write_json(Path(cwd or "") / "reports" / "machine.json", {"machine": "here"})

    monkeypatch.setattr(deriving.subprocess, "run", stand_in)
    deriving.reproduce(tmp_path, 14, "avx2")
    clone, composed, reproduced = (command for command, _ in commands)
    assert clone[:2] == ["git", "clone"] and reproduced[1:] == ["tools/repro.py"]
    params = compose_values([part for part in composed if "=" in part])  # every seed that it names is one
    assert params["simplification_corpora"]
    assert {"aligner.encoder.seed=14", "simplifier.editnts.seed=14"} <= set(composed)
    assert all(environment["ATEN_CPU_CAPABILITY"] == "avx2" for _, environment in commands[1:])
    assert read_metrics(tmp_path) == {f"{name}/x.json:a": 1 for name in deriving.FOLDERS}
    assert json.loads((tmp_path / "run.json").read_text()) == {"seed": 14, "capability": "avx2"}


@pytest.mark.parametrize(
    ("place", "system"),
    [
        ("metrics/alignment.sample_news.json:test/neural_crf/task1.f1", "alignment/neural_crf"),
        ("corpora/sample_wiki.json:estimates/statistics/auto/aligned/value", "corpora/auto"),
        ("corpora/sample_wiki.json:schema", "corpora/schema"),
    ],
)
def test_systems_of_places(place: str, system: str) -> None:
    assert system_of(place) == system


def test_the_processor_is_told_apart(tmp_path: Path) -> None:
    here = processor()
    assert here["capability"] and here == processor()
    other = tmp_path / "cpuinfo"
    other.write_text("vendor_id\t: AnotherMaker\nmodel\t\t: 1\n")
    assert processor(other) != here


def test_no_metrics_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no metrics"):
        read_metrics(tmp_path)


def test_of_a_part_nothing_is_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--part` asks for no number that is not there, and for the others; without a processor, but for rounding."""
    write_json(tmp_path / "committed" / "published" / "x.json", {"a": 1.5, "b": 2.0})
    fresh = tmp_path / "fresh" / "published" / "x.json"
    for option, tree, status in (
        ([], {"a": 1.5}, 1),
        (["--part"], {"a": 1.5 + 1e-12}, 0),
        (["--part"], {"a": 1.6}, 1),
        (["--part"], {"a": 1.5, "c": 1.0}, 1),
    ):
        write_json(fresh, tree)
        monkeypatch.setattr("sys.argv", ["check", *option, str(tmp_path / "committed"), str(tmp_path / "fresh")])
        with pytest.raises(SystemExit) as exit_:
            check_metrics.main()
        assert exit_.value.code == status, (option, tree)


def test_lexical_rows_need_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for split, numbers in {"train": range(4), "dev": range(4, 6), "test": range(6, 8)}.items():
        write_pairs(tmp_path / "tiny" / f"{split}.jsonl", map(document_pair, numbers))
    lexical_rows.write_rows("tiny", tmp_path, tmp_path)
    rows = json.loads((tmp_path / "metrics" / "alignment.tiny.json").read_text())["test"]
    assert {"jaccard", "tfidf", "lr", "massalign"} <= set(rows)
    assert not {"neural_crf", "bert_finetune", "bertscore", "frozen_crf"} & set(rows)
    assert set(lexical_rows.lexical_systems()) <= set(rows)
