"""Marks, options and texts that the commands of `textsimp` share.

Files are checked before any work, every end is one line, the last line says what was done and how long it took,
`--quiet` silences all but errors, and the help ends with examples.
"""

import functools
import inspect
import os
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, ParamSpec, get_args, get_origin

import typer
from typer import Option
from typer.core import TyperCommand, TyperGroup

from textsimp.core.errors import BAD_INPUT, InputError, bad_input, exit_on_bad_input, one_line
from textsimp.core.params import from_conf
from textsimp.core.progress import is_silent, silence
from textsimp.core.reading import STANDARD_INPUT, system_fault
from textsimp.core.results import Comparison, Estimate, Resampling
from textsimp.core.settings import structured
from textsimp.core.text_form import reading_in_form
from textsimp.core.writing import claimed, is_stream
from textsimp.sources.text_folders import check_is_lines, check_is_pairs, check_is_text

P = ParamSpec("P")
Quiet = Annotated[bool, Option("--quiet", "-q", help="Say nothing but errors.")]
AsItIs = Annotated[
    bool, Option("--raw", help="Take texts as they are: no NFC, no line ends mended, nothing invisible removed.")
]
AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Samples = Annotated[
    int | None,
    Option(min=1, max=100_000, help="Number of resamples for intervals and tests.", show_default="conf/resampling"),
]
Seed = Annotated[
    int | None, Option(min=0, max=2**63 - 1, help="Seed of the resampling.", show_default="conf/resampling")
]
Workers = Annotated[
    int | None, Option(min=1, max=1024, help="Number of processes, for much work; by default all cores.")
]

REPEATED = ("--output", "--reference", "--metric", "--name")
_STANDARD_INPUTS = tuple(map(Path, ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")))


@dataclass(frozen=True)
class Reads:
    """Marks a parameter of a command as files or folders that it reads.

    `is_named`: its values are NAME=FILE or FILE; `beside`: a pattern of values that are none, unless a file has that
    name; `check`: what is called with each file before any work, for files of texts.
    """

    is_named: bool = False
    beside: str | None = None
    check: Callable[[Path], None] | None = None

    def paths(self, value: Any) -> Iterator[Path]:
        """Yield the files and folders of a parameter's value."""
        for path in _paths(value):
            if self.is_named:
                if named := _named(str(path))[1]:
                    yield Path(named)
            elif not (self.beside and re.fullmatch(self.beside, str(path))) or path.exists():
                yield path


LINES_FILE, PAIRS_FILE, TEXT_FILE = (Reads(check=check) for check in (check_is_lines, check_is_pairs, check_is_text))
"""Marks of files with a sentence a line, of document pairs, and of texts."""


@dataclass(frozen=True)
class Writes:
    """Marks a parameter as files that the command writes.

    `is_folder`: it writes a folder. `files`: which files it writes for a value of the parameter and the values of all;
    by default the file that is named.
    """

    is_folder: bool = False
    files: Callable[[Path, dict[str, Any]], list[Path]] = lambda path, given: [path]


def _page_file(path: Path, given: dict[str, Any]) -> list[Path]:
    if is_stream(path) or path.suffix.lower() in (".html", ".htm"):
        return [path]
    raise InputError(f"{path}: a page is written here; give a name that ends with .html")


PAGE = Writes(files=_page_file)
"""Mark of a page; a name of something else is refused, lest a page replaces a document."""


class Commands(TyperGroup):
    """The commands together; a fault of the command line is one line too."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a name; a name of an earlier version is refused with the present one."""
        if cmd_name in RENAMED:
            ctx.fail(f"{cmd_name} is now `textsimp {RENAMED[cmd_name]}`")
        return super().get_command(ctx, cmd_name)

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command of the command line; see `typer.core.TyperGroup.main`."""
        try:
            status = super().main(*args, **options | {"standalone_mode": False})
        except Exception as error:
            if not hasattr(error, "format_message"):  # not of click, nor of the copy of it that newer Typer carries
                raise
            _refuse(error)
        if options.get("standalone_mode", True):
            raise SystemExit(status or 0)
        return status


RENAMED = {"pair": "convert", "browse": "convert", "agree": "annotate"}
"""Commands of earlier versions -> those that do it now."""


def examples(*lines: str) -> str:
    """The end of a command's help: examples as they are typed."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def check_typed(context: typer.Context, allowed: Collection[str], message: str) -> None:
    """Raise `InputError` with this message where a parameter was typed that is not among the allowed ones."""
    sources = (context.get_parameter_source(name) for name in context.params.keys() - set(allowed))
    if any(source and source.name == "COMMANDLINE" for source in sources):
        raise InputError(message)


def note(text: str) -> None:
    """Say something beside the result, on standard error; nothing with `--quiet`."""
    if not is_silent():
        typer.echo(text, err=True)


ABOUT: dict[Callable[..., None], dict[str, Any]] = {}
"""Arguments of `typer.Typer.command` for each command."""


def command(
    summary: str | None, *lines: str, cls: type[TyperCommand] | None = None
) -> Callable[[Callable[P, str | None]], Callable[..., None]]:
    """Make a function with marked parameters a command of `textsimp`, with the options `--quiet` and `--raw`.

    Texts are brought to one form where they are read (`core.text_form`), unless `--raw` is given. What it writes is
    checked, and kept from other runs, before it begins (`claimed`): no output may be an input of the same run. Faults
    end as `exit_on_bad_input` says. What the function returns says what was done; it is shown on standard error, with
    the seconds that it took.

    Args:
        summary: of the command in the list of all.
        lines: examples, as they are typed.
    """

    def made(main: Callable[P, str | None]) -> Callable[..., None]:
        run = _run(main)
        ABOUT[run] = {"short_help": summary, "epilog": examples(*lines), "cls": cls}
        return run

    return made


def _run(main: Callable[P, str | None]) -> Callable[..., None]:
    marks, signature = marks_of(main), inspect.signature(main, eval_str=True)

    @exit_on_bad_input
    @functools.wraps(main)
    def run(*args: Any, quiet: bool = False, raw: bool = False, **kwargs: Any) -> None:
        start = time.monotonic()
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        silence(quiet)
        values = [(mark, bound.arguments[name]) for name, mark in marks.items()]
        written = [(mark, path) for mark, value in values if isinstance(mark, Writes) for path in _paths(value)]
        files = [file for mark, path in written if not mark.is_folder for file in mark.files(path, bound.arguments)]
        folders = [path for mark, path in written if mark.is_folder]
        read = [(mark, path) for mark, value in values if isinstance(mark, Reads) for path in mark.paths(value)]
        with reading_in_form(not raw), claimed(files, folders, [path for _, path in read]):
            _check(read)
            done = main(*args, **kwargs)
        if done:
            note(f"{done} in {time.monotonic() - start:.1f} s")

    reads_texts = any(isinstance(mark, Reads) and mark.check for mark in marks.values())
    options = {"raw": AsItIs, "quiet": Quiet} if reads_texts else {"quiet": Quiet}
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
    return {
        name: item
        for name, hint in inspect.get_annotations(main, eval_str=True).items()
        for item in (get_args(hint) if get_origin(hint) is Annotated else ())
        if isinstance(item, Reads | Writes)
    }


def _check(inputs: Sequence[tuple[Reads, Path]]) -> None:
    """Raise `InputError` for an input that is absent, a stream that is given twice, or what a mark refuses."""
    seen: set[str] = set()
    for mark, path in inputs:
        try:
            if path != STANDARD_INPUT:
                path.stat()
        except OSError as error:
            raise system_fault(path, error, "check the path") from None
        if path == STANDARD_INPUT or not (path.is_file() or path.is_dir()):
            stream = str(STANDARD_INPUT) if path in (STANDARD_INPUT, *_STANDARD_INPUTS) else os.path.realpath(path)
            if stream in seen and stream != os.devnull:
                what = "given twice, but a stream can be read once"
                raise bad_input(path, None, what, "save it to a file, and give that")
            seen.add(stream)
        if mark.check:
            mark.check(path)


def _paths(value: Any) -> list[Path]:
    return [Path(item) for item in (value if isinstance(value, list | tuple) else [value]) if item is not None]


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


class ScoreCommand(TyperCommand):
    """A command whose options `REPEATED` take any number of values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse `--reference a b` as `--reference a --reference b`."""
        return super().parse_args(ctx, spread_values(args))


def spread_values(arguments: Sequence[str]) -> list[str]:
    """The arguments, with the option's name before each further value of an option in `REPEATED`."""
    spread: list[str] = []
    option, values = "", 0
    for argument in arguments:
        if argument.startswith("-") and argument != "-":
            option, values = argument.partition("=")[0], int("=" in argument)
        elif option in REPEATED:
            spread += [option] * (values > 0)
            values += 1
        spread.append(argument)
    return spread


def named_files(option: str, values: Sequence[str]) -> dict[str, Path]:
    """The `NAME=FILE` values of an option by name; that of a bare `FILE` is its own, without folder and ending.

    An `InputError` for one without a name or a file, and for a name given twice.
    """
    files: dict[str, Path] = {}
    for name, path in map(_named, values):
        if not (name.strip() and path.strip()):
            raise InputError(f"{option} '{name}={path}': expected NAME=FILE or FILE, as in mine=out.txt")
        if name in files:
            raise InputError(f"{option} {path}: the name {name!r} is given twice; give another one, as in mine={path}")
        files[name] = Path(path)
    return files


def _named(value: str) -> tuple[str, str]:
    name, mark, path = value.partition("=")
    return (name, path) if mark else (Path(value).stem, value)


def resampling_of(samples: int | None, seed: int | None) -> Resampling:
    """The resampling of conf/resampling, or the command line's values; `InputError` for a bad number."""
    given = {"samples": samples, "seed": seed}
    default = asdict(from_conf("resampling", Resampling))
    return structured(default | {key: number for key, number in given.items() if number is not None}, Resampling)


def bounds_text(bounds: Estimate | Comparison, digits: int, sign: str = "") -> str:
    """An interval such as `[35.10, 38.02]`; `-` where nothing was resampled."""
    if bounds.low is None or bounds.high is None:
        return "-"
    return f"[{bounds.low:{sign}.{digits}f}, {bounds.high:{sign}.{digits}f}]"


DIFFERENCE = ("difference", "95% interval", "p (bootstrap)", "p (randomisation)")


def difference_cells(tests: Comparison, digits: int, samples: int) -> tuple[str, ...]:
    """Return the cells of a difference under the header `DIFFERENCE`."""
    ps = (p_text(value, samples) for value in (tests.p_bootstrap, tests.p_randomisation))
    return (f"{tests.difference:+.{digits}f}", bounds_text(tests, digits, "+"), *ps)


def p_text(p: float | None, samples: int) -> str:
    """Return a p value as it is shown: not below what so many resamples, and four digits, can tell."""
    if p is None:
        return "-"
    least = max(1e-4, 1 / max(samples, 1))
    return f"< {least:.4f}" if p < least else f"{p:.4f}"


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Rows of cells as lines of text; the first `left` columns are left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    forms = [f"{'<' if column < left else '>'}{width}" for column, width in enumerate(widths)]
    return ["  ".join(map(format, row, forms)).rstrip() for row in rows]
