"""Alignment over seeds of training: what a run does, how it goes on, and what is gathered."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from composition_sample import composed, composed_values
from omegaconf import OmegaConf

from textsimp.core.errors import InputError
from textsimp.core.params import select_list
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.results import Resampling, Results
from textsimp.evaluation.aligners import write_articles
from textsimp.metrics.links import alignment_scores, link_statistics
from textsimp.reporting.plan import SETTINGS, alignment_settings, seed_scope, seeds_file
from tools import seeds as running

SEED = 14


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of a run, of which the clone and the composition alone leave something."""
    done: list[list[str]] = []

    class Done:
        def __init__(self, stdout: str = "", returncode: int = 0) -> None:
            self.stdout, self.returncode = stdout, returncode

    def stand_in(command: list[str], cwd: Path | None = None, **options: Any) -> Done:
        if command[0] == "git" and "rev-parse" in command:
            return Done("0123456789\n")
        done.append(command)
        if command[:2] == ["git", "clone"]:
            Path(command[-1]).mkdir()
            (Path(command[-1]) / "dvc.yaml").write_text((running.ROOT / "dvc.yaml").read_text())
        if "textsimp.core.params" in command and cwd:
            (cwd / "params.yaml").write_text(composed(*command[3:]))
        return Done()

    monkeypatch.setattr(running.subprocess, "run", stand_in)
    return done


def test_a_run_trains_and_aligns_with_another_seed(commands: list[list[str]], tmp_path: Path) -> None:
    running.run(tmp_path, SEED)
    clone = tmp_path / str(SEED)
    params = OmegaConf.load(clone / "params.yaml")
    assert [OmegaConf.select(params, key) for key in running.SEEDS] == [SEED] * len(running.SEEDS)
    assert set(params.corpora) == set(params.annotated_corpora) and not params.simplification_corpora
    systems = set(params.alignment_systems)
    assert {"neural_crf_paper", "bert_finetune", "bert_finetune_paraalign", "neural_crf"} <= systems
    assert not {"jaccard", "massalign", "frozen_crf"} & systems
    stages = [command[2] for command in commands[2:]]
    assert list(dict.fromkeys(stages)) == [
        *(f"stages.{name}" for name in ("acquire", "load_splits", "train_encoder", "train_aligner", "train_system")),
        "stages.evaluate_alignment",
    ]
    assert stages.count("stages.evaluate_alignment") == len(params.annotated_corpora)
    assert not any("${" in part for command in commands for part in command)
    assert alignment_settings(clone / "params.yaml") == alignment_settings(running.ROOT / "params.yaml")


def test_a_run_goes_on_where_it_ended(commands: list[list[str]], tmp_path: Path) -> None:
    running.run(tmp_path, SEED)
    (tmp_path / str(SEED) / "models" / "encoder" / "sample").mkdir(parents=True)
    del commands[:]
    running.run(tmp_path, SEED)
    assert not any(command[:2] == ["git", "clone"] or "stages.train_encoder" in command for command in commands)
    assert any("stages.train_aligner" in command for command in commands)


def test_a_run_of_another_commit_is_not_gone_on_with(
    commands: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.run(tmp_path, SEED)
    monkeypatch.setattr(running, "_commit", lambda folder: "a" * 40 if folder == running.ROOT else "b" * 40)
    with pytest.raises(InputError, match="14: a run of commit bbbbbbb, here is aaaaaaa; remove it"):
        running.run(tmp_path, SEED)


def pair(name: str, group: str, links: list[tuple[int, int]]) -> DocumentPair:
    sides = [Document(f"{name}{level}", level, (tuple(f"{name} {level} {i}" for i in range(3)),)) for level in (0, 1)]
    return DocumentPair(name, "x", group, *sides, tuple(Link(i, j, AlignmentLabel.ALIGNED) for i, j in links))


def test_links_are_counted_by_article_set(tmp_path: Path) -> None:
    pairs = [pair("a", "y", [(0, 0), (1, 1)]), pair("b", "x", [(0, 0)]), pair("c", "y", [(2, 2)])]
    found = [[Link(0, 0, AlignmentLabel.ALIGNED)], [], [Link(1, 2, AlignmentLabel.PARTIAL)]]
    write_articles(tmp_path / "a.csv", {"dev": pairs}, {"dev": {"s": link_statistics(pairs, found)}})
    articles = running.read_articles(tmp_path / "a.csv")
    assert articles["dev", "s", "task1"].tolist() == [[0, 0, 1], [1, 2, 3]]  # x, then y
    assert articles["dev", "s", "task2"].tolist() == [[0, 0, 1], [1, 1, 3]]
    sums = articles["dev", "s", "task1"].sum(0)
    assert running.precision_recall_f1(sums)[2] == alignment_scores(zip(pairs, found, strict=True))["task1"]["f1"]
    (tmp_path / "a.csv").write_text("split,system,task,article,correct,predicted,gold\ndev,s,task1,x,1,2,many\n")
    with pytest.raises(InputError, match=r"a\.csv:2: a count is no whole number"):
        running.read_articles(tmp_path / "a.csv")


def articles(**correct: list[int]) -> running.Articles:
    """Counts of two article sets with ten predicted and ten gold links each."""
    return {
        ("test", system, task): np.array([[count, 10.0, 10.0] for count in counts])
        for system, counts in correct.items()
        for task in ("task1", "task2")
    }


def test_the_mean_over_seeds_is_tested_over_article_sets() -> None:
    runs = {13: articles(crf=[9, 9], other=[6, 8]), 14: articles(crf=[7, 9])}
    found = running.over_seeds(runs, 13, ["crf"], ["other"], Resampling(1000, 1))
    assert [found.value(seed_scope("test", seed), "crf", "task1.f1") for seed in runs] == [90.0, 80.0]
    assert found.value("test", "other", "task1.f1") == 70.0 and found.systems(seed_scope("test", 14)) == ["crf"]
    assert found.value("test", "crf", "task1.f1") == 85.0
    gap = found.compared("test", "task1.f1", "crf", "other")
    assert gap is not None and (gap.difference, gap.low, gap.high) == (15.0, 10.0, 20.0)  # 8.5 and 9 of ten, 6 and 8
    assert gap.p_randomisation is not None and gap.p_randomisation > 0.4  # of two sets
    assert found.scopes() == ["test"]
    with pytest.raises(InputError, match="seed 14: other was not evaluated on test"):
        running.over_seeds(runs, 13, ["crf", "other"], [], Resampling(10, 1))


def write_run(folder: Path, seed: int, **changes: int) -> None:
    """What a run leaves that is gathered; `changes` by dotted keys."""
    params = composed_values("experiment=sample")
    params.seeds = [13, 14, 15, 16, 17]
    for key, value in {running.OWN: seed, "resampling.samples": 20, **changes}.items():
        OmegaConf.update(params, key, value)
    folder.mkdir(parents=True, exist_ok=True)
    text = yaml.dump(OmegaConf.to_container(params), Dumper=yaml.CSafeDumper)
    (folder / "params.yaml").write_text(text)
    systems = select_list("alignment_systems", folder / "params.yaml")
    for corpus in select_list("annotated_corpora", folder / "params.yaml"):
        path = folder / running.ARTICLES.format(corpus)
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [f"test,{name},task{task},x,{seed},20,20" for name in systems for task in (1, 2)]
        path.write_text("\n".join(["split,system,task,article,correct,predicted,gold", *rows]) + "\n")


def test_all_seeds_are_gathered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, runs = tmp_path / "root", tmp_path / "runs"
    write_run(root, 13)
    monkeypatch.setattr(running, "ROOT", root)
    with pytest.raises(InputError, match=r"14: no run; `python tools/seeds.py run --seed 14` first"):
        running.gather(runs)
    for seed in (14, 15, 16, 17):
        write_run(runs / str(seed), seed)
    for corpus in ("sample_news", "sample_wiki"):
        Results(notes={"gold_paragraphs": "x"}).write(root / "reports" / "alignment" / f"{corpus}.json")
    running.gather(runs)
    found = Results.read(seeds_file(root / "reports", "sample", "sample_news"))
    assert found.value("test", "neural_crf_paper", "task1.f1") == 75.0  # 15 of 20
    assert found.value(seed_scope("test", 17), "bert_finetune", "task2.f1") == 85.0
    assert found.value("test", "jaccard", "task1.f1") == 65.0  # of the pipeline's run: no seed changes it
    assert found.notes["seeds"] == "13 14 15 16 17" and found.notes["gold_paragraphs"] == "x"
    assert found.notes[SETTINGS] == alignment_settings(root / "params.yaml")
    assert found.compared("test", "task1.f1", "neural_crf_paper", "jaccard") is not None
    write_run(runs / "16", 16, **{"aligner.crf.epochs": 1})
    with pytest.raises(InputError, match="16: a run with other settings"):
        running.gather(runs)
    write_run(root, 99)
    with pytest.raises(InputError, match=r"the pipeline's own, aligner.encoder.seed: 99, has to be one of them"):
        running.gather(runs)
