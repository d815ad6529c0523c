"""`python -m fuzzing.kills`: stop every writing command before each of its file-system events, and run it again.

After the kill each output is as it was before or as it will be; after the next run the folder is, to the last byte,
what an undisturbed run leaves.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from fuzzing.cases import Contents
from fuzzing.forked import Stage, is_hidden, seen, staged
from fuzzing.scenarios import Scenario, chosen
from fuzzing.worker import calm

KILLED = -9


def faults(stage: Stage, number: int) -> Iterator[str]:
    """What is wrong after a kill before event `number`, and after the run that follows it."""
    with stage.folder() as work:
        first = stage.run(work, number)
        if first.status not in (0, KILLED):
            yield f"ends with {first.status} where it or a process of it is killed: {first.said.strip()[-300:]}"
        yield from torn(stage, seen(work))
        second = stage.run(work)
        if second.status and stage.scenario.once and "is there already" in second.said:
            yield from different(stage.new, seen(work))
        elif second.status:
            yield f"the next run ends with {second.status}: {second.said.strip()[-300:]}"
        else:
            yield from different(stage.new, seen(work))


def torn(stage: Stage, found: Contents) -> Iterator[str]:
    """What of the outputs is neither old nor new, and inputs that changed."""
    for output in stage.scenario.writes:
        now, old, new = (_below(tree, output) for tree in (found, stage.old, stage.new))
        if stage.scenario.grows:
            bad = [name for name, value in now.items() if value not in (old.get(name), new.get(name))]
        else:
            bad = [] if now in (old, new) else sorted(now.keys() ^ new.keys()) or [output]
        if bad:
            yield f"{output} is neither the old nor the new one: {', '.join(bad[:3])}"
    for name, value in stage.old.items():
        if not _is_output(name, stage.scenario.writes) and found.get(name) != value:
            yield f"the input {name} is lost or changed"


def different(wanted: Contents, found: Contents) -> Iterator[str]:
    """Differences between what an undisturbed run leaves and what is there."""
    for what, names in (("left over", found.keys() - wanted.keys()), ("missing", wanted.keys() - found.keys())):
        if names:
            yield f"{what} after the next run: {', '.join(sorted(names)[:3])}"
    changed = sorted(name for name in wanted.keys() & found.keys() if wanted[name] != found[name])
    if changed:
        yield f"other bytes after the next run: {', '.join(changed[:3])}"


def _below(tree: Contents, output: str) -> Contents:
    return {name: value for name, value in tree.items() if _is_output(name, (output,)) and not is_hidden(name)}


def _is_output(name: str, outputs: Sequence[str]) -> bool:
    return any(name == path or name.startswith(f"{path}/") for path in outputs) or is_hidden(name)


def killed(scenarios: Sequence[Scenario], seed: int, most: int) -> Iterator[tuple[str, int, int, list[str]]]:
    """For each scenario its name, its number of events, the event before which it was killed, and the faults.

    Args:
        most: kills of a scenario, drawn by the seed; 0 for all.
    """
    calm()
    for scenario in scenarios:
        with tempfile.TemporaryDirectory(prefix="kills") as folder:
            stage = staged(scenario, Path(folder).resolve())
            numbers = list(range(1, len(stage.events) + 1))
            if most and most < len(numbers):
                numbers = sorted(random.Random(f"{seed}:{scenario.name}").sample(numbers, most))
            for number in numbers:
                yield scenario.name, len(stage.events), number, list(faults(stage, number))


def main() -> None:
    """Kill, and print a line for each scenario and each fault; exit status 1 on any fault."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing.kills", description=__doc__)
    parser.add_argument("--only", default="", help="names of scenarios, separated by commas; all by default")
    parser.add_argument("--most", type=int, default=0, help="kills of each scenario; 0 for every event")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    kills = wrong = 0
    for name, number, place, found in killed(chosen(args.only), args.seed, args.most):
        kills, wrong = kills + 1, wrong + bool(found)
        for fault in found:
            print(f"{name}: killed before event {place} of {number}: {fault}", flush=True)
    print(f"{kills} kills, {wrong} with faults")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
