"""`python -m fuzzing.kills`: end every writing command before each of its file-system events, and run several at once.

After a kill each output is as it was before or as it will be; after the next run the folder is, to the last byte, what
an undisturbed run leaves. Of several runs at once one works, each other one after it or not at all, in one line.
"""

import argparse
import os
import random
import runpy
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fuzzing.damages import Case
from fuzzing.runner import Contents, Folders, begin, contents, end, is_in, refused
from fuzzing.targets import TARGETS, Target, execute

HOOK = Path(__file__).parent / "hook"
VOLATILE = "extraction.json"
"""A file that says how long the work took."""
KILLED = -9
SECONDS = 60


class Stage:
    """A target's folder with older output, and what an undisturbed run makes of it.

    Attributes:
        old, new: the folder's contents before and after that run.
        events: how often it changes the file system.
    """

    def __init__(self, target: Target, folders: Folders) -> None:
        self.target, self.folders, self.log = target, folders, folders.root / "events"
        folders.expected(target)
        with folders.copy(folders.template(target.build)) as work:
            self.outputs = [str(path) for path in target.outputs(target.words)]
            if target.before:
                older = Target(target.before, target.build)
                ended = folders.run(lambda: execute(older, older.words), work, SECONDS)
                assert ended.status == 0, ended.said
            self.template = Path(shutil.copytree(work, tempfile.mkdtemp(dir=folders.root), dirs_exist_ok=True))
            self.old, status, self.new = seen(work), self.run(work)[0], seen(work)
        assert status == 0 and self.new != self.old
        self.events = self.log.read_bytes().count(b"\n")

    def run(self, work: Path, kill_at: int = 0) -> tuple[int | None, str]:
        """Run the target, and end it before an event; return its exit status and what it said."""

        def hooked() -> int:
            os.environ.update(FUZZ_FOLDER=str(work), FUZZ_LOG=str(self.log), FUZZ_NUMBER=str(kill_at))
            os.environ["PYTHONPATH"] = os.pathsep.join([str(HOOK), *sys.path])
            runpy.run_path(str(HOOK / "sitecustomize.py"))
            return execute(self.target, self.target.words)

        self.log.unlink(missing_ok=True)
        ended = self.folders.run(hooked, work, SECONDS)
        return ended.status, ended.said.strip()[-300:]

    def killed(self, number: int) -> Iterator[str]:
        """What is wrong after a kill before an event, and after the run that follows it."""
        with self.folders.copy(self.template) as work:
            status, said = self.run(work, number)
            if status not in (0, KILLED):
                yield f"ends with {status} where it or a process of it is killed: {said}"
            yield from self.torn(seen(work))
            status, said = self.run(work)
            if status and "is there already" not in said:
                yield f"the next run ends with {status}: {said}"
            yield from self.different(seen(work))

    def raced(self, number: int) -> Iterator[str]:
        """What is wrong after several runs at once."""
        places = [self.folders.root / f"streams{place}" for place in range(number)]
        with self.folders.copy(self.template) as work:
            run = [begin(lambda: execute(self.target, self.target.words), work, place, SECONDS) for place in places]
            ends = [end(child, place, 2 * SECONDS) for child, place in zip(run, places, strict=True)]
            yield from self.different(seen(work))
        for ended in ends:
            if ended.status and refused(Case(()), ended.said)[0] != "refused":
                yield f"ends with {ended.status}: {ended.said.strip()[-300:]}"
        if all(ended.status for ended in ends):
            yield f"none of {number} works: {ends[0].said.strip()[-200:]}"

    def torn(self, found: Contents) -> Iterator[str]:
        """Outputs that are neither old nor new, and inputs that changed; a stage fills its folder file by file."""
        for output in self.outputs:
            now, old, new = (
                {name: tree[name] for name in tree if _is_of(name, [output])} for tree in (found, self.old, self.new)
            )
            by_file = all(now[name] in (old.get(name), new.get(name)) for name in now)
            if now not in (old, new) and (self.target.is_command or not by_file):
                yield f"{output} is neither the old nor the new one"
        for name, value in self.old.items():
            if not is_in(name, self.outputs) and found.get(name) != value:
                yield f"the input {name} is lost or changed"

    def different(self, found: Contents) -> Iterator[str]:
        """Differences between what an undisturbed run leaves and what is there."""
        for name in sorted(self.new.keys() | found.keys()):
            if self.new.get(name) != found.get(name):
                what = "left over" if name not in self.new else "changed" if name in found else "missing"
                yield f"{name} is {what} after the next run"


def seen(work: Path) -> Contents:
    """The contents of a folder, but for those of a file that change from run to run."""
    return {name: value if Path(name).name != VOLATILE else VOLATILE for name, value in contents(work).items()}


def _is_of(name: str, outputs: list[str]) -> bool:
    return is_in(name, outputs) and not any(part.startswith(".") for part in Path(name).parts)


def main() -> None:
    """Kill and race, and print a line for each fault; exit status 1 on any."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing.kills", description=__doc__)
    parser.add_argument("--only", default="", help="beginnings of command lines, separated by commas")
    parser.add_argument("--kills", type=int, help="of each target; by default before every event")
    parser.add_argument("--races", type=int, default=5, help="of each target, of two and of eight runs at once")
    args = parser.parse_args()
    runs = wrong = 0
    for target in TARGETS:
        if target.before is not None and target.line.startswith(tuple(args.only.split(","))):
            with tempfile.TemporaryDirectory(prefix="kills") as root:
                stage = Stage(target, Folders(Path(root)))
                numbers = range(1, stage.events + 1)
                chosen = random.Random(1).sample(numbers, min(stage.events, args.kills or stage.events))
                faults = [(f"killed before event {event} of {stage.events}", stage.killed(event)) for event in chosen]
                faults += [(f"{number} at once", stage.raced(number)) for number in (2, 8) for _ in range(args.races)]
                for what, found in faults:
                    said = list(found)
                    runs, wrong = runs + 1, wrong + bool(said)
                    if said:
                        print(f"{target.line}: {what}: {'; '.join(said)}", flush=True)
    print(f"{runs} kills and races, {wrong} with faults")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
