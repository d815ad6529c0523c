"""A command in a forked process: it has the imports of this one, and may be killed."""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzzing import events
from fuzzing.cases import Contents, contents
from fuzzing.places import Run
from fuzzing.scenarios import Scenario
from fuzzing.targets import execute
from fuzzing.worker import streams

VOLATILE = ("extraction.json",)
"""Files that say how long the work took."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit status, negative for a signal, and what it said on standard error."""

    status: int
    said: str


def begin(arguments: tuple[str, ...], work: Path, scratch: Path, log: Path | None = None, kill_at: int = 0) -> int:
    """Start a command in a folder; the id of its process.

    Args:
        scratch: folder for its streams, for this process alone.
        log: where its file-system events are counted; it is killed before number `kill_at`.
    """
    scratch.mkdir(exist_ok=True)
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.chdir(work)
        if log is not None:
            here = str(Path(__file__).parent / "hook")
            path = os.pathsep.join([here, *sys.path])
            os.environ.update({events.FOLDER: str(work), events.LOG: str(log), events.NUMBER: str(kill_at)})
            os.environ["PYTHONPATH"] = path
        with streams(Run(arguments), scratch) as words:
            if log is not None:
                events.install()
            status = execute(words)
    finally:
        os._exit(status)


def end(child: int, scratch: Path) -> Ended:
    """Wait for a process."""
    _, status = os.waitpid(child, 0)
    return Ended(os.waitstatus_to_exitcode(status), (scratch / "stderr").read_text("utf-8", "replace"))


@dataclass
class Stage:
    """A scenario's folders: with its inputs and older output, and what an undisturbed run makes of them.

    Attributes:
        old, new: the folder's contents before and after it.
        events: what it did to the file system.
    """

    scenario: Scenario
    template: Path
    scratch: Path
    old: Contents
    new: Contents
    events: list[str]

    @contextlib.contextmanager
    def folder(self) -> Iterator[Path]:
        """The folder as it is before the run, always in the same place."""
        work = self.scratch / "work"
        if work.exists():
            shutil.rmtree(work)
        shutil.copytree(self.template, work, symlinks=True)
        yield work
        shutil.rmtree(work)

    def run(self, work: Path, kill_at: int = 0) -> Ended:
        """The run, in its own process."""
        log = self.scratch / "events"
        log.unlink(missing_ok=True)
        return end(begin(self.scenario.run, work, self.scratch / "streams", log, kill_at), self.scratch / "streams")


def staged(scenario: Scenario, folder: Path) -> Stage:
    """Make a scenario's samples and its older output, and run it once undisturbed."""
    template, scratch = folder / "template", folder
    template.mkdir(parents=True)
    with streams(Run(()), folder):
        scenario.build(template)
    stage = Stage(scenario, template, scratch, {}, {}, [])
    if scenario.before:
        with stage.folder() as work:
            ended = end(begin(scenario.before, work, scratch / "streams"), scratch / "streams")
            assert ended.status == 0, f"{scenario.name}: {ended.said}"
            shutil.rmtree(template)
            shutil.copytree(work, template)
    with stage.folder() as work:
        stage.old = seen(work)
        ended = stage.run(work)
        assert ended.status == 0, f"{scenario.name}: {ended.said}"
        stage.new, stage.events = seen(work), events.entries(scratch / "events")
    return stage


def seen(work: Path) -> Contents:
    """The contents of a folder, of files that change from run to run their names alone."""
    return {name: "volatile" if Path(name).name in VOLATILE else value for name, value in contents(work).items()}


def is_hidden(name: str) -> bool:
    """Whether a file, or a folder that it is in, is hidden: unfinished work."""
    return any(part.startswith(".") for part in Path(name).parts)
