"""Reproduces the pipeline as `dvc repro` does, with as many stages side by side as there are processors.

    python tools/repro.py [--jobs N] [--plain OPTION ...] [--single STAGE ...]

DVC runs one stage after the other, though few need each other. Here every stage that has all it needs is started, the
one with the most work behind it first; what one stage after another needs alone (binarize, train, simplify) runs in one
process. Each stage computes with `runtime.threads` threads, so the numbers are the same with any N. On a GPU, N is 1.
Where a stage has run, reports/machine.json says afterwards on what kind of processor (see tools/check_metrics.py).
"""

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.devices import processors, resolve_device  # noqa: E402 the root has to be on the path first
from textsimp.core.errors import InputError, exit_on_bad_input  # noqa: E402
from textsimp.core.params import select  # noqa: E402
from textsimp.core.writing import atomic_write, write_json  # noqa: E402
from tools.check_metrics import MACHINE, processor  # noqa: E402

SECONDS = {"train_encoder": 900, "evaluate_alignment": 300, "train": 150, "align": 100}
"""Of a stage whose name begins so, roughly; all others take few. Only the order in which stages start depends on it."""
FEW = 5

Needs = Mapping[str, frozenset[str]]
"""Stage -> the stages whose outputs it reads."""

LOCK = Path("dvc.lock")


@exit_on_bad_input
def main() -> None:
    """Run what has changed; ends with DVC's status where a stage fails."""
    parser = argparse.ArgumentParser(prog="python tools/repro.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, help="stages at a time; default: one for each processor, 1 on a GPU")
    parser.add_argument("--plain", nargs=argparse.REMAINDER, help="only run `dvc repro` with these options")
    parser.add_argument(
        "--single", nargs="+", help="only run these stages, as `dvc repro --single-item` does, but sooner"
    )
    args = parser.parse_args()
    if args.single:
        sys.exit(run_single(args.single))
    on_cpu = resolve_device(str(select("runtime.device"))) == "cpu"
    jobs = args.jobs or (processors() if on_cpu else 1)
    if not args.plain and jobs > 1:
        sys.exit(reproduce(jobs))
    before = LOCK.read_bytes() if LOCK.is_file() else b""
    status = subprocess.run([sys.executable, "-m", "dvc", "repro", *(args.plain or [])]).returncode
    if LOCK.is_file() and LOCK.read_bytes() != before:
        _record_processor()
    sys.exit(status)


def reproduce(jobs: int, environment: Mapping[str, str] | None = None) -> int:
    """Run all stages that have changed, `jobs` at a time; DVC's status, and no new stage after one that failed."""
    needs, changed = pipeline_state()
    if not changed:
        print("Data and pipelines are up to date.")
        return 0
    behind, waiting = work_behind(needs), needed_runs(needs, changed)
    total, status = len(waiting), 0
    print(f"{total} of {len(needs)} stages to run, {jobs} at a time", flush=True)
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[tuple[int, str, float]], list[str]] = {}
        while waiting or running:
            while waiting and len(running) < jobs and not status:
                busy = {stage for stages in running.values() for stage in stages}
                chain = next_chain(needs, behind, waiting, busy)
                if not chain:
                    break
                waiting -= {*chain}
                running[pool.submit(_run, chain, environment)] = chain
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                chain = running.pop(future)
                failed, output, seconds = future.result()
                status = status or failed
                left = len(waiting) + sum(map(len, running.values()))
                print(f"{output.strip()}\n[{total - left} of {total}; {seconds:.0f} s] {' '.join(chain)}\n", flush=True)
    _record_processor()
    return status


def _record_processor() -> None:
    write_json(Path("reports") / MACHINE, processor())


def run_single(stages: Sequence[str]) -> int:
    """`dvc repro --single-item`, which spends most of its time on YAML that has not changed; DVC's status."""
    from dvc.cli import main as dvc_main

    with _quick_yaml():
        return dvc_main(["--wait-for-lock", "repro", "--single-item", *stages])


def pipeline_state() -> tuple[Needs, Collection[str]]:
    """The graph of `dvc dag`, and what `dvc status` names, in less than half of its time."""
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    try:
        with Repo() as repo, _quick_yaml():
            changed, graph = repo.status(), repo.index.graph
            needs = {
                stage.addressing: frozenset(before.addressing for before in graph.successors(stage)) for stage in graph
            }
            return needs, changed
    except DvcException as error:
        raise InputError(f"dvc status: {str(error).splitlines()[0]}") from error


@contextlib.contextmanager
def _quick_yaml() -> Iterator[None]:
    """DVC parses params.yaml for every stage, here once; and writes all of dvc.lock anew, here the stage that ran."""
    from dvc.dependency import param
    from dvc.dvcfile import Lockfile
    from dvc.stage import serialize
    from dvc.utils.serialize import dumps_yaml

    load_once = cache(param.load_path)

    def dump_stages(lock: Any, stages: Any, **kwargs: Any) -> None:
        entries = [{name: entry} for stage in stages for name, entry in serialize.to_lockfile(stage, **kwargs).items()]
        path = Path(lock.path)
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        after = lock_with(before, [dumps_yaml({"stages": entry}).partition("\n")[2] for entry in entries])
        with atomic_write(path) as file:
            file.write(after)
        lock.repo.scm_context.track_file(lock.relpath)

    with patch.object(param, "load_path", load_once), patch.object(Lockfile, "dump_stages", dump_stages):
        yield


def lock_with(text: str, entries: Sequence[str]) -> str:
    """The text of dvc.lock with other entries of some stages, each as DVC writes it below `stages:`."""
    head, *blocks = re.split(r"^(?=  \S)", text or "schema: '2.0'\nstages:\n", flags=re.MULTILINE)
    return head + "".join({block.partition("\n")[0]: block for block in (*blocks, *entries)}.values())


def needed_runs(needs: Needs, changed: Collection[str]) -> set[str]:
    """The stages that have changed, and all that read what these write."""
    needed = {stage for stage in needs if stage in changed}
    while more := {stage for stage, before in needs.items() if before & needed} - needed:
        needed |= more
    return needed


def next_chain(
    needs: Needs, behind: Mapping[str, int], waiting: Collection[str], running: Collection[str]
) -> list[str]:
    """The stage to start with the most work behind it, and those after it that nothing else holds up; or none."""
    unfinished = {*waiting, *running}
    ready = [stage for stage in needs if stage in waiting and not needs[stage] & unfinished]
    if not ready:
        return []
    chain = [max(ready, key=behind.__getitem__)]
    while True:
        rest = unfinished - {*chain}
        after = [stage for stage in needs if stage in waiting and chain[-1] in needs[stage]]
        if len(after) != 1 or needs[after[0]] & rest:
            return chain
        chain += after


def work_behind(needs: Needs) -> dict[str, int]:
    """The seconds of the longest way from each stage to the end, by `SECONDS`."""

    @cache
    def length(stage: str) -> int:
        after = (length(later) for later, before in needs.items() if stage in before)
        own = next((seconds for name, seconds in SECONDS.items() if stage.startswith(name)), FEW)
        return own + max(after, default=0)

    return {stage: length(stage) for stage in needs}


def _run(chain: Sequence[str], environment: Mapping[str, str] | None) -> tuple[int, str, float]:
    """DVC's status, output and seconds for stages that are run one after the other."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        command = [sys.executable, str(ROOT / "tools" / "repro.py"), "--single", *chain]
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment).returncode
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return status, text, time.monotonic() - start


if __name__ == "__main__":
    main()
