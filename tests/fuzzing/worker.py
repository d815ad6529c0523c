"""Cases in a child process with limits of time and memory; a case that breaks them costs the child, not the run."""

import contextlib
import json
import logging
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from select import select

from fuzzing.cases import Case, Contents, Outcome, contents, draw_case, prepare, verdict, visible
from fuzzing.places import NOBODY, Run, can_be_nobody
from fuzzing.targets import TARGETS, Target, execute

BATCH = 60
"""Cases that one child does."""
MEMORY = 3 << 30
"""Bytes of address space that a case may add to what is there before it."""
PEAK = 1 << 30
"""Bytes of memory that a case may add before it counts as hungry."""


@dataclass(frozen=True)
class Report:
    """What is told of a case."""

    number: int
    command: str
    kind: str
    edit: str
    path: str
    arguments: str
    verdict: str
    detail: str
    seconds: float


class Templates:
    """The folders of samples, one per target, made when first asked for; and what an undamaged run leaves in each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: dict[Target, Path] = {}
        self.expected: dict[Target, Contents] = {}

    def make(self, target: Target) -> Path:
        """The folder of a target's samples; the same builder fills one for all its targets."""
        if target not in self._made:
            path = self.folder / f"template{TARGETS.index(target)}"
            path.mkdir()
            with streams(Run(()), self.folder):
                target.build(path)
            self._made[target] = path
            self.expected[target] = self._tried(target, path)
        return self._made[target]

    def _tried(self, target: Target, template: Path) -> Contents:
        work = shutil.copytree(template, self.folder / "try")
        outcome = observed(Run(target.run), work, self.folder)
        assert outcome.status == 0, f"{target.run} refuses good input: {outcome.said}"
        shutil.rmtree(work)
        return outcome.after


def reports(seed: str, numbers: Sequence[int], only: str = "") -> Iterator[Report]:
    """Every case's report, in order."""
    calm()
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        folder = Path(name)
        folder.chmod(0o755)
        templates = Templates(folder)
        waiting = list(numbers)
        while waiting:
            batch = waiting[:BATCH]
            for number in batch:
                templates.make(draw_case(seed, number, only)[0])
            done = 0
            for report in _batch(seed, batch, templates, only):
                yield report
                done += 1
            waiting = waiting[done:]


def calm() -> None:
    """Settings that make runs in one process after the other equal, and keep them off the network."""
    fixed = {
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "OMP_NUM_THREADS": "1",
        "TERM": "dumb",
        "COLUMNS": "200",
    }
    os.environ.update(fixed)
    import torch

    torch.set_num_threads(1)


def _batch(seed: str, numbers: Sequence[int], templates: Templates, only: str) -> Iterator[Report]:
    """Reports of a child until it ends, or is ended for the case that hangs."""
    sys.stdout.flush()
    source, sink = os.pipe()
    child = os.fork()
    if not child:
        os.close(source)
        _serve(seed, numbers, templates, only, sink)
    os.close(sink)
    try:
        for number in numbers:
            begun, seconds = time.monotonic(), draw_case(seed, number, only)[0].seconds
            line = _line(source, seconds)
            if line:
                yield Report(**json.loads(line))
                continue
            is_late = time.monotonic() - begun >= seconds
            yield _silent(seed, number, only, "hang" if is_late else "defect", templates)
            return
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(source)


def _line(source: int, seconds: float) -> bytes:
    data, end = b"", time.monotonic() + seconds
    while not data.endswith(b"\n"):
        left = end - time.monotonic()
        if left <= 0 or not select([source], [], [], left)[0]:
            return b""
        piece = os.read(source, 1)
        if not piece:
            return b""
        data += piece
    return data


def _silent(seed: str, number: int, only: str, what: str, templates: Templates) -> Report:
    """The report of a case whose child was ended, or ended itself."""
    target, draw = draw_case(seed, number, only)
    with _folder(templates, target):
        case = prepare(target, draw)
    detail = f"over {target.seconds:.0f} s" if what == "hang" else "the process was killed"
    return _report(number, case, what, detail, target.seconds)


def _serve(seed: str, numbers: Sequence[int], templates: Templates, only: str, sink: int) -> None:
    """Do cases and report them; never returns."""
    try:
        os.setpgid(0, 0)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * os.sysconf("SC_PAGE_SIZE") + MEMORY,) * 2)
        for number in numbers:
            report = one(seed, number, templates, only)
            os.write(sink, (json.dumps(asdict(report)) + "\n").encode())
    except BaseException:  # a fault of the fuzzer itself
        traceback.print_exc()
    finally:
        os._exit(0)


def one(seed: str, number: int, templates: Templates, only: str = "") -> Report:
    """Do one case."""
    target, draw = draw_case(seed, number, only)
    peak, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with _folder(templates, target) as work:
        case = prepare(target, draw)
        outcome = observed(case.run, work, templates.folder)
        what, detail = verdict(case, outcome, work, templates.expected[target])
    if (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) * 1024 > PEAK and what in ("accepted", "refused"):
        what, detail = "memory", f"more than {PEAK >> 20} MiB; {detail}"
    return _report(number, case, what, detail, time.monotonic() - begun)


def _report(number: int, case: Case, what: str, detail: str, seconds: float) -> Report:
    detail, arguments = (visible(text) for text in (detail, " ".join(word[:80] for word in case.run.arguments[1:])))
    return Report(
        number,
        case.target.command,
        case.kind,
        case.edit,
        visible(case.path),
        arguments,
        what,
        detail,
        round(seconds, 3),
    )


@contextlib.contextmanager
def _folder(templates: Templates, target: Target) -> Iterator[Path]:
    """A copy of a target's samples, which is the current folder inside."""
    work = templates.folder / "work"
    if work.exists():
        _unlock(work)
        shutil.rmtree(work)
    shutil.copytree(templates.make(target), work)
    before = Path.cwd()
    os.chdir(work)
    try:
        yield work
    finally:
        os.chdir(before)
        _unlock(work)
        shutil.rmtree(work)


def _unlock(work: Path) -> None:
    for folder, _, _ in os.walk(work):
        os.chmod(folder, 0o755)


def observed(run: Run, work: Path, scratch: Path) -> Outcome:
    """What a run in the current process leaves and prints."""
    before = contents(work)
    with contextlib.chdir(work), streams(run, scratch) as arguments, _as_user(run.is_denied):
        logging.getLogger().handlers.clear()
        try:
            status = execute(arguments)
        except BaseException:
            traceback.print_exc()
            status = 1
    printed, said = ((scratch / name).read_text("utf-8", "replace") for name in ("stdout", "stderr"))
    return Outcome(status, printed, said, before, contents(work))


@contextlib.contextmanager
def _as_user(is_denied: bool) -> Iterator[None]:
    if not (is_denied and can_be_nobody()):
        yield
        return
    for folder, _, files in os.walk("."):
        os.chown(folder, NOBODY, NOBODY)
        for name in files:
            os.chown(os.path.join(folder, name), NOBODY, NOBODY, follow_symlinks=False)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextlib.contextmanager
def streams(run: Run, scratch: Path) -> Iterator[tuple[str, ...]]:
    """The three standard streams in files, and the pipe of the run; yields its arguments."""
    saved = [os.dup(number) for number in range(3)]
    opened = _input(run, scratch)
    for number, name in ((1, "stdout"), (2, "stderr")):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        opened.append(os.open(scratch / name, flags, 0o666))
        os.dup2(opened[-1], number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    pipe = f"/dev/fd/{opened[1]}"
    try:
        yield tuple(word.replace("{pipe}", pipe) for word in run.arguments)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        for number, copy in enumerate(saved):
            os.dup2(copy, number)
            os.close(copy)
        for handle in opened:
            with contextlib.suppress(OSError):
                os.close(handle)


def _input(run: Run, scratch: Path) -> list[int]:
    """Standard input, and the reading end of the run's pipe."""
    source, sink = os.pipe()
    os.write(sink, run.pipe or b"")
    os.close(sink)
    (scratch / "stdin").write_bytes(run.stdin)
    handle = os.open(scratch / "stdin", os.O_RDONLY)
    os.dup2(handle, 0)
    return [handle, source]
