"""`python -m fuzzing.races`: the same writing command several times at once in one place, and readers beside a writer.

One of them works; each other one works after it, or says in one line that it does not. The folder is then what one run
alone leaves. Who reads a file that is written meanwhile sees the old one or the new one.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from fuzzing import samples
from fuzzing.forked import Stage, begin, end, seen, staged
from fuzzing.kills import different, torn
from fuzzing.scenarios import Scenario, chosen
from fuzzing.worker import calm
from textsimp.core.errors import BAD_INPUT
from textsimp.core.records import read_pairs

_LOOKS = 400


def faults(stage: Stage, runs: int) -> Iterator[str]:
    """What is wrong after several runs at once."""
    with stage.folder() as work:
        folders = [stage.scratch / f"streams{number}" for number in range(runs)]
        children = [begin(stage.scenario.run, work, folder) for folder in folders]
        ends = [end(child, folder) for child, folder in zip(children, folders, strict=True)]
        yield from torn(stage, seen(work))
        for ended in ends:
            lines = [line for line in ended.said.splitlines() if "error: " in line or "Traceback" in line]
            if ended.status == BAD_INPUT and (len(lines) != 1 or not lines[0].startswith("error: ")):
                yield f"refused with {len(lines)} lines: {ended.said.strip()[-300:]}"
            if ended.status not in (0, BAD_INPUT):
                yield f"ends with {ended.status}: {ended.said.strip()[-300:]}"
        if not any(ended.status == 0 for ended in ends):
            yield f"none of {runs} works: {ends[0].said.strip()[-200:]}"
        yield from different(stage.new, seen(work))


def raced(scenarios: Sequence[Scenario], times: int, runs: Sequence[int]) -> Iterator[tuple[str, int, list[str]]]:
    """For each scenario and number of runs its name, the number, and the faults."""
    calm()
    for scenario in scenarios:
        with tempfile.TemporaryDirectory(prefix="races") as folder:
            stage = staged(scenario, Path(folder).resolve())
            for number in runs:
                for _ in range(times):
                    yield scenario.name, number, list(faults(stage, number))


def half_seen(times: int) -> list[str]:
    """Faults of readers of a file that is written again and again."""
    with tempfile.TemporaryDirectory(prefix="races") as name:
        folder = Path(name).resolve()
        samples.write_texts_to_pair(folder)
        run = ("textsimp", "pair", "hard.txt", "easy.txt", "out.jsonl")
        turned = ("textsimp", "pair", "easy.txt", "hard.txt", "out.jsonl")
        allowed = set()
        for arguments in (run, turned):
            assert end(begin(arguments, folder, folder / "s"), folder / "s").status == 0
            allowed.add((folder / "out.jsonl").read_bytes())
        found = []
        for number in range(times):
            child = begin((run, turned)[number % 2], folder, folder / "s")
            for _ in range(_LOOKS):
                list(read_pairs(folder / "out.jsonl"))
                if (folder / "out.jsonl").read_bytes() not in allowed:
                    found.append("out.jsonl was seen half-written")
            end(child, folder / "s")
        shutil.rmtree(folder / "s")
        return found


def main() -> None:
    """Race, and print a line for each fault; exit status 1 on any."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing.races", description=__doc__)
    parser.add_argument("--only", default="", help="names of scenarios, separated by commas; all by default")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--runs", type=int, nargs="*", default=[2, 8], help="how many at once")
    args = parser.parse_args()
    races = wrong = 0
    for name, number, found in raced(chosen(args.only), args.times, args.runs):
        races, wrong = races + 1, wrong + bool(found)
        for fault in found:
            print(f"{name}, {number} at once: {fault}", flush=True)
    for fault in half_seen(args.times):
        print(fault)
        wrong += 1
    print(f"{races} races, {wrong} with faults")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
