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
from scale_sample import align, run_here, write_input, write_new
from test_pool import do

from textsimp.alignment.shards import RECORD
from textsimp.core import pool
from textsimp.core.errors import InputError
from textsimp.core.records import write_pairs
from textsimp.extras.ray_executor import executor, run_ray, start_options


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_input(tmp_path)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return run_here(monkeypatch)


def test_processes_give_the_same_bytes(folder: Path, here: list[str], tiny_aligner: Path) -> None:
    write_new(folder)
    whole = align(folder, "whole", system="neural_crf", model=tiny_aligner, dev=None)
    assert align(folder, system="neural_crf", model=tiny_aligner, dev=None, workers=2) == whole
    assert len(here) == 4, "the second time no shard was aligned here"


DRIVER = """
import sys
from pathlib import Path
from textsimp.alignment.corpora import Execution, align_corpus
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.spec import SystemSpec
if __name__ == "__main__":
    root = Path(sys.argv[1])
    spec = SystemSpec.named("tfidf", dev=root / "dev.jsonl")
    execution = Execution(workers=2, shard_size=1)
    align_corpus(spec, root / "in", root / "out", Device(threads=1), execution, in_shards=True)
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
def test_two_ray_nodes_give_the_same_bytes(folder: Path, here: list[str], tiny_aligner: Path, cluster) -> None:
    write_new(folder)
    for system in ("neural_crf", "tfidf"):
        options = {"system": system, "model": tiny_aligner if system == "neural_crf" else None}
        whole = align(folder, f"whole.{system}", **options)
        for workers in (2, None):
            ray = executor("ray", workers, False, cluster.address)
            assert align(folder, f"ray.{system}", run=ray, workers=2, **options) == whole
            (folder / f"ray.{system}" / "b-00000.jsonl").unlink()
    with pytest.raises(InputError, match="--workers: 3, but the Ray cluster has 2"):
        align(folder, "many", run=executor("ray", 3, False, cluster.address), workers=2)


@pytest.mark.restart
def test_ray_begins_the_task_of_a_killed_worker_again(tmp_path: Path, cluster) -> None:
    tasks = ["a", f"die once {tmp_path / 'mark'}", "b"]
    results = list(run_ray(pool.always(do), tasks, 2, number=2, address=cluster.address))
    assert sorted(results) == sorted((task, task) for task in tasks)
    with pytest.raises(pool.KilledError, match="killed 3 times"):
        list(run_ray(pool.always(do), ["die"], 1, address=cluster.address))


LISTENERS = """
from pathlib import Path
from textsimp.extras.ray_executor import run_ray
class Work:
    def __call__(self, task):
        rows = [line.split() for file in ("tcp", "tcp6") for line in Path("/proc/net", file).read_text().splitlines()]
        return sorted(row[1] for row in rows if row[3] == "0A")
before = Work()(None)
(_, after), = run_ray(Work, ["listeners"], 1, number=1)
new = set(after) - set(before)
print(len(new), sorted(address for address in new if not address.split(":")[0].endswith("0100007F")))
"""


def test_ray_without_an_address_listens_on_the_loopback_alone(root: Path) -> None:
    """Nobody else can reach it: whoever does may run code."""
    pytest.importorskip("ray", reason="Ray is optional: requirements-ray.txt")
    environment = {key: value for key, value in os.environ.items() if key != "RAY_ADDRESS"}
    done = subprocess.run(
        [sys.executable, "-c", LISTENERS], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    number, _, beyond = done.stdout.strip().splitlines()[-1].partition(" ")
    assert int(number) > 2 and beyond == "[]"


def test_ray_starts_its_own_only_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    own = start_options(None)
    assert own["address"] == "local" and own["include_dashboard"] is False
    assert start_options("10.0.0.1:6379")["address"] == "10.0.0.1:6379"
    monkeypatch.setenv("RAY_ADDRESS", "10.0.0.1:6379")
    assert start_options(None)["address"] is None, "Ray reads the variable itself"


def test_ray_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert executor("local", 1, False) is pool.run
    with pytest.raises(InputError, match="Ray is not installed"):
        list(executor("ray", 1, False)(pool.always(do), ["a"], 1))
