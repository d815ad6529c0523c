"""`python -m fuzzing.runner N --seed SEED`: N damaged inputs, each in a forked process, and a verdict on each.

A run ends with a result that makes sense, or with exit status 2 and one line that names what is damaged. It never ends
otherwise, takes too long or too much memory, changes an input, or leaves something half-written. Exit status 1 on any
fault. A case is made again by its seed and number.
"""

import argparse
import contextlib
import importlib
import os
import re
import resource
import secrets
import select
import shutil
import signal
import stat
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.damages import Case, damaged
from fuzzing.targets import TARGETS, Target, check_outputs, execute

from textsimp.core.errors import BAD_INPUT, one_line
from textsimp.core.writing import STALE

MEMORY = 3 << 30
"""Bytes of address space that a run may add."""
SLACK, START, FIRST = 30, 30, 600
"""The clock may show so many times the seconds of the processor; what imports take in a process that is no fork, and
the first, undisturbed run of a target."""
NOBODY = 65534
NOTES = 2
"""Lines that may say what was found in a folder, before the one of the error."""
UNFINISHED = re.compile(rf"\..*\.({'|'.join((*STALE, 'partial'))})")
FINE = ("accepted", "refused")
"""Verdicts that are no faults."""
QUIET = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}
Contents = dict[str, Any]


@dataclass(frozen=True)
class Ended:
    """How a process ended: exit status, negative for a signal, None for one that took too long; and what it said."""

    status: int | None
    printed: str
    said: str


class Folders:
    """Folders of samples: one for each function that fills one, copied for each run; and what undamaged runs leave."""

    def __init__(self, root: Path) -> None:
        self.root, self._made, self._expected = root.resolve(), dict[Any, Path](), dict[Target, Contents]()
        self.root.chmod(0o755)
        os.environ.update({**QUIET, "XDG_CACHE_HOME": f"{self.root}/cache", "LLM_USER_PATH": f"{self.root}/llm"})

    def template(self, build: Callable[[Path], object]) -> Path:
        """The folder that a function fills."""
        if build not in self._made:
            folder = self._made[build] = self.root / f"template{len(self._made)}"
            folder.mkdir()
            ended = self.run(lambda: build(folder), folder, FIRST)
            assert ended.status == 0, ended.said
        return self._made[build]

    @contextlib.contextmanager
    def copy(self, template: Path) -> Iterator[Path]:
        """A copy of a folder, always in the same place, which is the current folder inside."""
        work = self.root / "work"
        shutil.copytree(template, work, symlinks=True)
        with contextlib.chdir(work):
            yield work
        for folder, _, _ in os.walk(work):
            os.chmod(folder, 0o755)
        shutil.rmtree(work)

    def expected(self, target: Target) -> Contents:
        """What an undamaged run leaves and prints; what it imports is imported here, for the runs that follow."""
        if target not in self._expected:

            def run() -> int:
                status = execute(target, target.words)
                (self.root / "modules").write_text("\n".join(sys.modules))
                return status

            with self.copy(self.template(target.build)) as work:
                ended = self.run(run, work, FIRST)
                assert ended.status == 0, f"{target.line} refuses good input: {ended.said}"
                self._expected[target] = {**contents(work), "-": ended.printed}
            for name in (self.root / "modules").read_text().split():
                with contextlib.suppress(Exception):
                    importlib.import_module(name)
        return self._expected[target]

    def run(self, action: Callable[[], object], work: Path, seconds: int, stdin: bytes = b"") -> Ended:
        """What becomes of a function in a forked process and in a folder."""
        scratch = self.root / "streams"
        return end(begin(action, work, scratch, seconds, stdin), scratch, SLACK * seconds)


def begin(action: Callable[[], object], work: Path, scratch: Path, seconds: int, stdin: bytes = b"") -> int:
    """Fork a process that calls a function in a folder, its streams in another one; return its id.

    Args:
        seconds: of the processor; a signal ends one that takes more.
    """
    scratch.mkdir(exist_ok=True)
    (scratch / "stdin").write_bytes(stdin)
    sys.stdout.flush()
    if child := os.fork():
        return child
    status = 1
    try:
        os.setpgid(0, 0)
        os.chdir(work)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND if number else os.O_RDONLY
            os.dup2(os.open(scratch / name, flags, 0o666), number)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, "w" if number else "r") for number in range(3))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + (MEMORY if seconds < FIRST else 8 * MEMORY)
        for limit, soft in ((resource.RLIMIT_AS, most), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(limit, (soft, soft + 5))  # behind the hard limit of the processor's time is SIGKILL
        status = int(action() or 0)  # type: ignore[call-overload]
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def end(child: int, scratch: Path, seconds: float) -> Ended:
    """Wait for a process; end it, and all that it started, after some seconds by the clock."""
    handle = os.pidfd_open(child)
    is_late = not select.select([handle], [], [], seconds)[0]
    os.close(handle)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    printed, said = ((scratch / name).read_text("utf-8", "replace") for name in ("stdout", "stderr"))
    return Ended(None if is_late or status == -signal.SIGXCPU else status, printed, said)


def _run_case(target: Target, case: Case) -> int:
    source, sink = os.pipe()
    os.write(sink, case.pipe)
    os.close(sink)
    words = [word.replace("{pipe}", f"/dev/fd/{source}") for word in case.words]
    if case.is_denied and os.geteuid() == 0:  # nothing is closed to root
        for folder, _, files in os.walk("."):
            for name in (folder, *(os.path.join(folder, file) for file in files)):
                os.chown(name, NOBODY, NOBODY, follow_symlinks=False)
        os.seteuid(NOBODY)
    if case.environment:
        values = os.environ | dict(
            item.split("=") for item in (f"PYTHONPATH={Path(__file__).resolve().parents[2]}", *case.environment)
        )
        arguments = [sys.executable, "-m", "textsimp.cli", *words]
        os.execve(sys.executable, arguments, {name: value for name, value in values.items() if value})
    return execute(target, words)


def contents(folder: Path) -> Contents:
    """Everything below a folder: bytes of files, targets of links, kinds of the rest; hidden ones too."""
    found: Contents = {}
    for path in folder.rglob("*"):
        mode, name = path.lstat().st_mode, str(path.relative_to(folder))
        link = os.readlink(path) if stat.S_ISLNK(mode) else stat.S_IFMT(mode)
        found[name] = path.read_bytes() if stat.S_ISREG(mode) else link
    return found


def tried(folders: Folders, target: Target, draw: Random) -> tuple[Case, str, str]:
    """Damage a copy of a target's samples and run it: the case, a verdict in a word or two, and what is to be said."""
    expected = folders.expected(target)
    with folders.copy(folders.template(target.build)) as work:
        inputs, case = _places(target.inputs()), damaged(draw, target)
        outputs, before = _places(target.outputs(case.words)), contents(work)
        seconds = target.seconds + (START if case.environment else 0)
        ended = folders.run(lambda: _run_case(target, case), work, seconds, case.stdin)
        verdict, said = judge(case, ended, before, contents(work), inputs, outputs, expected)
        if verdict == "accepted" and case.words == target.words:
            try:
                check_outputs(target, ended.printed)
            except Exception as error:  # whatever it is, the result cannot be used
                verdict, said = "senseless", f"{type(error).__name__}: {error}"[:300]
    return case, verdict, said


def _places(paths: Iterable[Path]) -> set[str]:
    return {os.path.relpath(os.path.realpath(path)) for path in paths}


def judge(
    case: Case,
    ended: Ended,
    before: Contents,
    after: Contents,
    inputs: Collection[str],
    outputs: Collection[str],
    expected: Contents,
) -> tuple[str, str]:
    """A verdict on a run, and what is to be said about it.

    Args:
        before, after: of the folder.
        inputs, outputs: files and folders that the run reads and may write.
        expected: what the undamaged input gives.
    """
    if ended.status is None:
        return "hang", ""
    if ended.status not in (0, BAD_INPUT) or "Traceback" in ended.said:
        return "defect", ended.said.strip() or f"exit status {ended.status}"
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if lost := [name for name in changed & before.keys() if is_in(name, inputs) or not is_in(name, outputs)]:
        return "input changed", ", ".join(sorted(lost)[:3])
    parents = {str(parent) for output in outputs for parent in Path(output).parents}
    whole = {name for name in changed if is_in(name, outputs) and not UNFINISHED.fullmatch(Path(name).name)} | parents
    if left := changed - (whole if ended.status == 0 else set()):
        return "left over", f"{', '.join(sorted(left)[:3])}; {ended.said.strip()[:200]}"
    if ended.status == BAD_INPUT:
        return refused(case, ended.said)
    for name in expected if case.is_good else ():
        value, found = expected[name], ended.printed if name == "-" else after.get(name)
        if is_in(name, {*outputs, "-"}) and Path(case.path).stem not in str(value) and found != value:
            return "senseless", f"{name} is not what the undamaged input gives"
    return "accepted", ""


def is_in(name: str, places: Collection[str]) -> bool:
    """Whether a file is one of some files, or in one of some folders."""
    return any(name == place or name.startswith(f"{place}/") for place in places)


def refused(case: Case, said: str) -> tuple[str, str]:
    """The verdict on what a run says that refuses its input."""
    rows = [row for row in said.splitlines() if row.strip()]
    error = rows[-1] if rows else ""
    if not error.startswith("error: ") or len(rows) > 1 + NOTES or any(row.startswith("error: ") for row in rows[:-1]):
        return "not one line", " / ".join(rows)[:300]
    if "not enough memory" in error:
        return "memory", error
    if case.is_good and case.kind != "name":
        return "good input refused", error
    paths = {*case.named, *(str(parent) for name in case.named for parent in Path(name).parents)} - {".", "", "/"}
    names = {text for name in paths for text in (one_line(name), repr(name), shown(name))}
    return ("refused" if not paths or any(name in error for name in names) else "wrong file"), error


def shown(text: str) -> str:
    """A text as UTF-8, bytes of it that are none in hexadecimal."""
    return text.encode("utf-8", "backslashreplace").decode()


def drawn(seed: str, number: int, only: str = "") -> tuple[Target, Random]:
    """The target of a case, and the numbers that its damage is drawn by."""
    begins = tuple(only.split(","))
    draw, targets = Random(f"{seed}:{number}"), [target for target in TARGETS if target.line.startswith(begins)]
    return draw.choices(targets, [target.weight for target in targets])[0], draw


def main() -> None:
    """Run the cases, print a line for each fault, and count verdicts by commands and by kinds of damage."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing.runner", description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=1000, help="how many cases")
    parser.add_argument(
        "--seed", default=str(secrets.randbelow(1 << 30)), help="a new one by default, which is printed"
    )
    parser.add_argument("--case", type=int, help="do this case alone, and show what it says")
    parser.add_argument("--only", default="", help="beginnings of command lines, separated by commas")
    args = parser.parse_args()
    counts = Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory(prefix="fuzz") as root:
        folders = Folders(Path(root))
        for number in range(args.number) if args.case is None else [args.case]:
            target, draw = drawn(args.seed, number, args.only)
            case, verdict, said = tried(folders, target, draw)
            counts.update([(target.command, verdict), (f"({case.kind})", verdict), ("all", verdict)])
            if verdict not in FINE or args.case is not None:
                words = shown(" ".join(word[:80] for word in case.words))
                print(
                    f"{verdict}: case {number}, {words}, {case.kind} {case.edit!r} {case.path!r}: {shown(said[:1000])}"
                )
    verdicts = sorted({verdict for _, verdict in counts})
    for name in ["", *sorted({name for name, _ in counts})]:
        print(f"{name:24}" + "".join(f"{counts[name, verdict] if name else verdict:>20}" for verdict in verdicts))
    print(f"{counts.total() // 3} cases, seed {args.seed}")
    sys.exit(any(verdict not in FINE for verdict in verdicts))


if __name__ == "__main__":
    main()
