"""Alignment in shards by processes and by Ray: equal bytes, killed workers, killed drivers."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from alignment_sample import document_pair
from scale_sample import SlowSetup, align, run_here, slow_shards, train_model, write_input, write_new

from textsimp.alignment.own_documents import Given
from textsimp.alignment.scale import run as run_module
from textsimp.alignment.scale.cluster import run_ray
from textsimp.alignment.scale.ledger import RECORD
from textsimp.alignment.scale.local import run_local
from textsimp.alignment.scale.shards import cut
from textsimp.errors import InputError
from textsimp.records import write_pairs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_input(tmp_path)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return run_here(monkeypatch)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_model(tmp_path_factory.mktemp("aligner"))


def test_processes_give_the_same_bytes(folder: Path, here: list[str], model: Path, monkeypatch) -> None:
    write_new(folder)
    given = Given(model=model)
    whole = align(folder, "whole", system="neural_crf", given=given)
    monkeypatch.setattr(run_module, "run_local", run_local)
    assert align(folder, system="neural_crf", given=given, workers=2) == whole
    assert len(here) == 4, "the second time no shard was aligned here"


def test_a_killed_worker_is_replaced_and_its_shard_begun_again(tmp_path: Path) -> None:
    shards = slow_shards(tmp_path, ["fine", "dies once", "fine", "fine"])
    found = list(run_local(SlowSetup(), shards, 1))
    assert sorted(shard.name for shard, _ in found) == [shard.name for shard in shards]
    assert (tmp_path / "mark").exists()


@pytest.mark.slow
def test_a_shard_that_kills_each_worker_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x-00001\.jsonl .* line 2\): its worker was killed 3 times"):
        list(run_local(SlowSetup(), slow_shards(tmp_path, ["fine", "dies"]), 1))


def test_an_error_of_ones_own_is_no_kill(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="its traceback is above"):
        list(run_local(SlowSetup(), slow_shards(tmp_path, ["fails"]), 1))


DRIVER = """
import sys
from pathlib import Path
from textsimp.alignment.own_documents import Given
from textsimp.alignment.scale.run import align_shards
root = Path(sys.argv[1])
align_shards(root / "in", root / "out", "tfidf", Given(dev=root / "dev.jsonl"), workers=2, shard_size=1)
"""


def wait_for(condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def test_a_killed_driver_leaves_finished_shards_and_no_workers(folder: Path, here: list[str]) -> None:
    write_pairs(folder / "in" / "a.jsonl", [replace(document_pair(k), id=str(k), alignments=None) for k in range(400)])
    whole, total = align(folder, "whole", shard_size=1), len(here)
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(folder)], stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: len(list((folder / "out").glob("*.jsonl"))) >= 5)
        workers = psutil.Process(driver.pid).children()
    finally:
        driver.kill()
        driver.wait()
    finished = {path.name for path in (folder / "out").glob("*.jsonl")}
    assert not (folder / "out" / RECORD).exists(), "killed in the middle of the work"
    wait_for(lambda: not any(process.is_running() for process in workers))
    here.clear()
    assert align(folder, shard_size=1) == whole
    assert set(here).isdisjoint(finished) and len(here) + len(finished) == total


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """A Ray of two nodes with a processor each."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    pytest.importorskip("ray", reason="Ray is optional: requirements-ray.txt")
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    cluster.wait_for_nodes()
    yield cluster
    cluster.shutdown()


@pytest.mark.slow
def test_two_ray_nodes_give_the_same_bytes(folder: Path, here: list[str], model: Path, cluster) -> None:
    write_new(folder)
    for system in ("neural_crf", "tfidf"):
        given = Given(model=model if system == "neural_crf" else None, dev=folder / "dev.jsonl")
        whole = align(folder, f"whole.{system}", system=system, given=given)
        options = {"system": system, "given": given, "executor": "ray", "address": cluster.address}
        assert align(folder, f"ray.{system}", workers=2, **options) == whole
        (folder / f"ray.{system}" / "b-00000.jsonl").unlink()
        assert align(folder, f"ray.{system}", **options) == whole
    with pytest.raises(InputError, match="--workers: 3, but the Ray cluster has 2"):
        align(folder, "many", executor="ray", address=cluster.address, workers=3)


@pytest.mark.slow
def test_ray_begins_the_shard_of_a_killed_worker_again(tmp_path: Path, cluster) -> None:
    shards = slow_shards(tmp_path, ["fine", "dies once", "fine"])
    found = list(run_ray(SlowSetup(), shards, 2, cluster.address))
    assert sorted(shard.name for shard, _ in found) == [shard.name for shard in shards]
    with pytest.raises(InputError, match="killed 3 times"):
        list(run_ray(SlowSetup(), slow_shards(tmp_path, ["dies"]), 1, cluster.address))


def test_ray_is_asked_for_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="Ray is not installed"):
        list(run_ray(SlowSetup(), cut(folder / "in", 2), 1))
