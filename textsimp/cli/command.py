"""What every command of `textsimp` has in common.

Files are checked before any work, every end is one line, the last line says what was done and how long it took,
`--quiet` silences all but errors, and the help ends with examples.
"""

import functools
import inspect
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, ParamSpec, get_args, get_origin

import typer
from typer.core import TyperGroup

from textsimp.core.errors import BAD_INPUT, bad_input, exit_on_bad_input, one_line
from textsimp.core.progress import silence
from textsimp.core.reading import STANDARD_INPUT, system_fault
from textsimp.core.text_form import reading_in_form
from textsimp.core.writing import claimed

P = ParamSpec("P")
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
AsItIs = Annotated[
    bool, typer.Option("--raw", help="Take texts as they are: no NFC, no line ends mended, nothing invisible removed.")
]
_QUIET, _RAW = "quiet", "raw"
_STANDARD_INPUTS = tuple(map(Path, ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")))
_state = {_QUIET: False}


@dataclass(frozen=True)
class Reads:
    """Marks a parameter of a command as files or folders that it reads.

    `is_named`: its values are NAME=FILE; `may_be_name`: a value may be something else than a file; `beside`: what
    values begin with that are none; `check`: what is called with each file before any work, for files of texts.
    """

    is_named: bool = False
    may_be_name: bool = False
    beside: str | None = None
    check: Callable[[Path], None] | None = None

    def paths(self, value: Any) -> Iterator[Path]:
        """The files and folders of a parameter's value."""
        for path in _paths(value):
            if self.is_named:
                if named := str(path).partition("=")[2]:
                    yield Path(named)
            elif not (self.may_be_name or self.beside and str(path).startswith(self.beside)) or path.exists():
                yield path


@dataclass(frozen=True)
class Writes:
    """Marks a parameter as files that the command writes.

    `is_folder`: it writes a folder. `files`: which files it writes for a value of the parameter and the values of all;
    by default the file that is named.
    """

    is_folder: bool = False
    files: Callable[[Path, dict[str, Any]], list[Path]] = lambda path, given: [path]


class Commands(TyperGroup):
    """The commands together; a fault of the command line is one line too."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command of the command line; see `typer.core.TyperGroup.main`."""
        try:
            status = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except Exception as error:
            if not hasattr(error, "format_message"):  # not of click, nor of the copy of it that newer Typer carries
                raise
            _refuse(error)
        if standalone_mode:
            raise SystemExit(status or 0)
        return status


def examples(*lines: str) -> str:
    """The end of a command's help: examples as they are typed."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def note(text: str) -> None:
    """Say something beside the result, on standard error; nothing with `--quiet`."""
    if not _state[_QUIET]:
        typer.echo(text, err=True)


def command(main: Callable[P, str | None]) -> Callable[..., None]:
    """Make a function with marked parameters a command of `textsimp`, with the options `--quiet` and `--raw`.

    Texts are brought to one form where they are read (`core.text_form`), unless `--raw` is given. What it writes is
    checked, and kept from other runs, before it begins (`claimed`): no output may be an input of the same run. Faults
    end as `exit_on_bad_input` says. What the function returns says what was done; it is shown on standard error, with
    the seconds that it took.
    """
    marks = marks_of(main)
    signature = inspect.signature(main, eval_str=True)

    @exit_on_bad_input
    @functools.wraps(main)
    def run(*args: Any, quiet: bool = False, raw: bool = False, **kwargs: Any) -> None:
        start = time.monotonic()
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        _be_quiet(quiet)
        claim = claimed(*_outputs(marks, bound.arguments), _inputs(marks, bound.arguments))
        with reading_in_form(not raw), claim:
            _check(marks, bound.arguments)
            done = main(*args, **kwargs)
        if done:
            note(f"{done} in {time.monotonic() - start:.1f} s")

    reads_texts = any(isinstance(mark, Reads) and mark.check for mark in marks.values())
    options = {_RAW: AsItIs, _QUIET: Quiet} if reads_texts else {_QUIET: Quiet}
    own = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=kind)
        for name, kind in options.items()
    ]
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *own], return_annotation=None
    )
    run.__annotations__ = {**main.__annotations__, **options, "return": None}
    return run


def marks_of(main: Callable[..., Any]) -> dict[str, Reads | Writes]:
    """The marked parameters of a command's function."""
    hints = inspect.get_annotations(main, eval_str=True)
    marks = {
        name: [item for item in get_args(hint)[1:] if isinstance(item, Reads | Writes)]
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
    }
    return {name: items[0] for name, items in marks.items() if items}


def _inputs(marks: dict[str, Reads | Writes], given: dict[str, Any]) -> list[Path]:
    return [path for name, mark in marks.items() if isinstance(mark, Reads) for path in mark.paths(given[name])]


def _check(marks: dict[str, Reads | Writes], given: dict[str, Any]) -> None:
    seen: set[str] = set()
    for name, mark in marks.items():
        if isinstance(mark, Reads):
            for path in mark.paths(given[name]):
                _check_is_there(path)
                _check_can_be_read(path, seen)
                if mark.check:
                    mark.check(path)


def _check_can_be_read(path: Path, seen: set[str]) -> None:
    """Raise `InputError` where a stream, which can be read once, is given twice."""
    if str(path) == str(STANDARD_INPUT) or not (path.is_file() or path.is_dir()):
        stream = str(STANDARD_INPUT) if path in (STANDARD_INPUT, *_STANDARD_INPUTS) else os.path.realpath(path)
        if stream in seen and stream != os.devnull:
            raise bad_input(
                path, None, "given twice, but a stream can be read once", "save it to a file, and give that"
            )
        seen.add(stream)


def _check_is_there(path: Path) -> None:
    """`InputError` where there is no such file or folder: found before what is slow to import."""
    try:
        if str(path) != str(STANDARD_INPUT):
            path.stat()
    except OSError as error:
        raise system_fault(path, error, "check the path") from None


def _outputs(marks: dict[str, Reads | Writes], given: dict[str, Any]) -> tuple[list[Path], list[Path]]:
    """The files and the folders that a command will write."""
    files: list[Path] = []
    folders: list[Path] = []
    for name, mark in marks.items():
        if isinstance(mark, Writes):
            for path in _paths(given[name]):
                if mark.is_folder:
                    folders.append(path)
                else:
                    files.extend(mark.files(path, given))
    return files, folders


def _paths(value: Any) -> Iterator[Path]:
    for item in value if isinstance(value, list | tuple) else [value]:
        if item is not None:
            yield Path(item)


def _be_quiet(quiet: bool) -> None:
    _state[_QUIET] = quiet
    silence(quiet)
    logging.disable(logging.WARNING if quiet else logging.NOTSET)


def _refuse(error: Any) -> NoReturn:
    """Say what is wrong with the command line, in one line."""
    message = one_line(error.format_message()).rstrip(".")
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message(), err=True)
    else:
        what = f"{message[:1].lower()}{message[1:]}"
        typer.echo(f"error: {what}; see `{context.command_path if context else 'textsimp'} --help`", err=True)
    raise SystemExit(BAD_INPUT)
