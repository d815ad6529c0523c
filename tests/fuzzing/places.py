"""Mutations of a file's place: other things under its name, other names, and outputs where none should be written."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from fuzzing.hostile import NAMES

NOBODY = 65534
"""The user without rights, for runs of root, to whom no file is closed."""


@dataclass(frozen=True)
class Run:
    """What is run on a folder.

    Attributes:
        arguments: of the command.
        named: the file that was damaged, as a message has to name it; more than one where any will do.
        stdin: bytes on standard input.
        pipe: bytes on a pipe at `/dev/fd/N`, where the arguments have `{pipe}`.
        is_denied: as a user who may not read or write what is closed to others.
        lines: first and last changed line of the damaged file; None where a message need not name one.
        is_good: nothing is wrong with the input, and the output has to be that of the undamaged one.
        is_usage: the command line itself is wrong, of which click says more than a line.
    """

    arguments: tuple[str, ...]
    named: tuple[str, ...] = ()
    stdin: bytes = b""
    pipe: bytes | None = None
    is_denied: bool = False
    lines: tuple[int, int] | None = None
    needs_line: bool = False
    is_good: bool = False
    is_usage: bool = False
    writes: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


PlaceEdit = Callable[[Random, Run, Path], Run | None]
"""Changes the current folder; None where it does not apply."""


def renamed(run: Run, old: str, new: str) -> Run:
    """The arguments with another name for a file."""
    arguments = tuple(
        new if word == old else f"{word.removesuffix(old)}{new}" if word.endswith(f"={old}") else word
        for word in run.arguments
    )
    return replace(run, arguments=arguments, named=(*run.named, new))


def _is_named(run: Run, path: Path) -> bool:
    return any(word == str(path) or word.endswith(f"={path}") for word in run.arguments[1:])


def absent(draw: Random, run: Run, path: Path) -> Run:
    """No file."""
    _away(path)
    return run


def folder(draw: Random, run: Run, path: Path) -> Run:
    """A folder, empty or not."""
    is_folder = path.is_dir()
    _away(path)
    if is_folder:
        path.write_text("a file")
        return run
    path.mkdir()
    if draw.random() < 0.5:
        (path / "x.jsonl").mkdir()
    return run


def dangling(draw: Random, run: Run, path: Path) -> Run:
    """A link to nothing."""
    _away(path)
    path.symlink_to("nowhere")
    return run


def loop(draw: Random, run: Run, path: Path) -> Run:
    """A link to itself."""
    _away(path)
    path.symlink_to(path.name)
    return run


def linked(draw: Random, run: Run, path: Path) -> Run:
    """A link to the file, which is as good as the file."""
    target = path.absolute().with_name("the file itself")
    path.rename(target)
    path.symlink_to(target)
    return replace(run, is_good=True)


def null(draw: Random, run: Run, path: Path) -> Run:
    """An empty device."""
    _away(path)
    path.symlink_to(draw.choice(["/dev/null", "/dev/full", "/dev/zero", "/dev/zero", "/dev/urandom"]))
    return run


def denied(draw: Random, run: Run, path: Path) -> Run | None:
    """A file, or the folder that it is in, that may not be read."""
    closed = path if draw.random() < 0.7 or path.parent == Path() else path.parent
    closed.chmod(0)
    return replace(run, is_denied=True, named=(*run.named, str(closed)))


def below_a_file(draw: Random, run: Run, path: Path) -> Run | None:
    """A path that leads through a file."""
    if not _is_named(run, path):
        return None
    Path("plain").write_text("a file")
    return renamed(run, str(path), f"plain/{path.name}")


def long_name(draw: Random, run: Run, path: Path) -> Run | None:
    """A name, or a path, that the system does not take."""
    if not _is_named(run, path):
        return None
    return renamed(run, str(path), draw.choice(["n" * 300, "d/" * 3000 + "x"]))


def odd_name(draw: Random, run: Run, path: Path) -> Run | None:
    """A valid file under a name that careless code stumbles over."""
    if not _is_named(run, path) or path.is_dir():
        return None
    name = draw.choice(NAMES)
    word = f"./{name}" if name.startswith("-") else name
    is_option = any("=" in other and other.endswith(str(path)) for other in run.arguments)
    path.rename(name)
    return replace(renamed(run, str(path), word), is_good="=" not in name or not is_option)


def from_pipe(draw: Random, run: Run, path: Path) -> Run | None:
    """The bytes through a pipe, as a shell's `<(...)` has them: they can be read once."""
    if not _is_named(run, path) or path.is_dir() or path.stat().st_size > 60_000:
        return None
    data = path.read_bytes()
    _away(path)
    if draw.random() < 0.5:
        return replace(
            renamed(run, str(path), "-"), stdin=data, is_good=True, named=("-", "/dev/stdin", "standard input")
        )
    return replace(renamed(run, str(path), "{pipe}"), pipe=data, is_good=True, named=("/dev/fd/",))


def _away(path: Path) -> None:
    path.rename(path.absolute().parent / f"was {path.name}")


INPUT_EDITS: tuple[PlaceEdit, ...] = (
    *(
        absent,
        folder,
        dangling,
        loop,
        linked,
        null,
        denied,
        below_a_file,
        long_name,
        odd_name,
        from_pipe,
        odd_name,
        from_pipe,
    ),
)


def output_edit(draw: Random, run: Run, output: Path, inputs: list[Path]) -> Run | None:
    """An output where none should be written, or somewhere unusual."""
    if not _is_named(run, output):
        return None
    source = draw.choice([path for path in inputs if path.is_file()] or [Path("plain")])
    kind = draw.choice(["input", "link", "hard", "disguised", "folder", "file", "below", "long", "odd", "null", "full",
                        "-", "denied", "old", "link out", "deep", "loop", "parent"])  # fmt: skip
    Path("plain").write_text("a file of others\n")
    name = str(output)
    if kind in ("link", "hard", "link out", "loop"):
        target = {"link": source, "hard": source, "link out": Path("new target"), "loop": output}[kind]
        if kind == "hard" and target.exists():
            output.hardlink_to(target)
        else:
            output.symlink_to(target)
    elif kind == "folder":
        output.mkdir()
        (output / "things").write_text("of others")
    elif kind == "file":
        output.write_text("of others")
    elif kind == "denied":
        Path("closed").mkdir(mode=0o555)
        name = "closed/out"
    elif kind == "old":
        output.write_text("old\n")
    else:
        name = {"input": str(source), "disguised": f"./a/../{source}", "below": "plain/out", "long": "n" * 300}.get(
            kind,
            {"odd": draw.choice(NAMES), "null": "/dev/null", "full": "/dev/full", "-": "-", "deep": "new/er/out"}.get(
                kind, draw.choice([".", "..", "", "/proc/x", "/dev/nowhere"])
            ),
        )
        if kind == "disguised":
            Path("a").mkdir()
        if name.startswith("-") and kind == "odd":
            name = f"./{name}"
    new = renamed(run, str(output), name)
    more = ("new target", name.removeprefix("./"), name.split("/")[0], f"{name}.key.json")
    return replace(
        new,
        is_denied=kind == "denied",
        writes=(*run.writes, *more),
        named=() if name in ("", ".", "..") else (name, str(output), str(source)),
    )


def can_be_nobody() -> bool:
    """Whether this process may go on as a user without rights."""
    return os.geteuid() == 0
