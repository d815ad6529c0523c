"""Document pairs aligned on a Ray cluster: equal bytes, killed workers; Ray of our own is on the loopback alone."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from alignment_sample import RUNTIME
from scale_sample import BARE, PAIRS
from test_pool import do

from textsimp.alignment.documents import Execution, align_pairs
from textsimp.alignment.spec import SystemSpec
from textsimp.core import pool
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair, pair_line, write_pairs
from textsimp.extras.ray_executor import executor, run_ray, start_options


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
def test_two_ray_nodes_give_the_same_bytes(tmp_path: Path, tiny_aligner: Path, cluster) -> None:
    write_pairs(tmp_path / "dev.jsonl", PAIRS[:3])
    for name in ("neural_crf", "tfidf"):
        model = tiny_aligner if name == "neural_crf" else None
        found: list[list[str]] = []
        for who, run in (
            (Execution(workers=1), pool.run),
            (Execution("ray", 2), executor("ray", 2, False, cluster.address)),
            (Execution("ray"), executor("ray", None, False, cluster.address)),
        ):
            spec = SystemSpec.named(name, model, dev=tmp_path / "dev.jsonl")
            lines: list[str] = []

            def write(pairs: Sequence[DocumentPair], lines: list[str] = lines) -> None:
                lines.extend(map(pair_line, pairs))

            align_pairs(spec, BARE, write, RUNTIME, who, run, tmp_path / ".out.partial")
            found.append(lines)
        assert found[0] == found[1] == found[2]
    with pytest.raises(InputError, match="--workers: 3, but the Ray cluster has 2"):
        list(executor("ray", 3, False, cluster.address)(pool.always(do), ["a"], 1))


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
