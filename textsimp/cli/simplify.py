"""The command `simplify`, for a user's own texts."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer
from typer import Argument, Option
from typer.core import TyperCommand

from textsimp.cli.command import PAGE, TEXT_FILE, Reads, Writes, check_typed, command, note
from textsimp.cli.inputs import DEFAULT_LINES, Language, Lines
from textsimp.cli.outputs import counted, form_by_name
from textsimp.core.devices import resolve_device
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import lines_of
from textsimp.core.writing import STANDARD_OUTPUT, atomic_writes
from textsimp.simplification.interface import LLM, Runtime
from textsimp.sources.documents import DOCX, HTML, MARKDOWN, Kind, MarkedText, form_of, read_marked, read_plain
from textsimp.sources.plain import language_doubt
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE, load_language
from textsimp.sources.splitting.layout import LINES

if TYPE_CHECKING:
    from tqdm import tqdm

    from textsimp.simplification.running_text import Part
    from textsimp.simplification.simplified_text import SimplifiedPart

TEXT, TSV, JSONL = "text", "tsv", "jsonl"
FORMATS = (TEXT, TSV, JSONL, DOCX, HTML)
COLUMNS = ("line", "rank", "input", "output", "score", "alarms", "left_out", "grade_before", "grade_after", "kept")
_ENDINGS = {**dict.fromkeys(("", ".txt", ".text", ".md", ".simple"), TEXT), ".tsv": TSV, ".jsonl": JSONL}
_ENDINGS |= {".docx": DOCX, ".html": HTML, ".htm": HTML}
_ALONE = "sentences"
"""The meaning of `--lines` without a value: each line is a sentence."""
_MOST = 100
"""Outputs of a sentence that may be asked for."""
_BESIDE_ACCEPTED = (
    {"file", "output", "form", "accepted", "raw", "quiet"},
    "--accepted: the text is written as it is; leave out the options about simplifying",
)
"""Parameters that may be typed where nothing is simplified, and what is said of the rest."""


Text = Annotated[
    Path, Argument(help="Plain text, docx, HTML, Markdown or PDF; - is plain text of standard input."), TEXT_FILE
]
Target = Annotated[Path, Argument(help="File to write; by default standard output."), Writes()]
Model = Annotated[
    Path | None,
    Option(
        help="Folder of a trained simplifier, or llm:NAME, a model of the package `llm`, to which the sentences are "
        "sent; by default the simplifier that the package brings."
    ),
    Reads(beside=f"{LLM}.*"),
]
Prompt = Annotated[Path | None, Option(help="For llm:NAME: a text with the places {sentence} and {examples}."), Reads()]
Examples = Annotated[Path | None, Option(help="For llm:NAME: a file with COMPLEX TAB SIMPLE a line."), Reads()]
Prices = Annotated[
    tuple[float, float] | None,
    Option(metavar="IN OUT", min=0, help="For llm:NAME: what a million tokens cost, to say the cost."),
]
Form = Annotated[
    str | None,
    Option(
        "--format",
        help="text (the simplified text), docx or html (of a docx or a web page: the same with other sentences), tsv "
        "or jsonl (each sentence with its outputs, scores and checks); by default as OUTPUT ends.",
        autocompletion=lambda: list(FORMATS),
    ),
]
NBest = Annotated[int, Option(min=1, max=_MOST, help="Outputs of each sentence, for tsv, jsonl and --suggestions.")]
Strength = Annotated[
    str | None, Option(help="How far a language model goes: light, medium or strong.", show_default="the model's")
]
Caution = Annotated[
    float | None,
    Option(
        min=0,
        max=1,
        help="How sure a language model has to be of an output; else the sentence stays as it is. 0: all change.",
        show_default="the model's",
    ),
]
Checks = Annotated[bool, Option("--checks", help="Say what the checks found, the worst sentences as FILE:LINE.")]
KeepOnAlarm = Annotated[
    bool, Option("--keep-on-alarm", help="Leave a sentence as it was where its output has an alarm.")
]
Device = Annotated[str | None, Option(help="cpu, cuda, cuda:N or auto.", show_default="conf/runtime")]
Threads = Annotated[int | None, Option(min=1, max=1024, help="Threads on the CPU.", show_default="conf/runtime")]
BatchSize = Annotated[int | None, Option(min=1, max=65536, help="Sentences at once.", show_default="conf/runtime")]

Suggestions = Annotated[
    Path | None,
    Option(
        help="Write a page with the outputs as suggestions beside their sentences, each to accept, edit or refuse; "
        "without OUTPUT it is all that is written."
    ),
    PAGE,
]
Accepted = Annotated[
    Path | None, Option(help="Write this text, which a page of suggestions saved, as docx or web page."), TEXT_FILE
]


class SimplifyCommand(TyperCommand):
    """A command whose option `--lines` may stand without a value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse `--lines` alone as `--lines sentences`."""
        spread: list[str] = []
        for number, argument in enumerate(args, 1):
            value = "".join(args[number : number + 1])
            alone = argument == "--lines" and value not in LINES and (not value.isalnum() or Path(value).exists())
            spread += [argument, _ALONE] if alone else [argument]
        return super().parse_args(ctx, spread)


@command(
    "Simplify the sentences of a text.",
    "textsimp simplify letter.txt plain.txt --checks",
    "textsimp simplify lines.txt - --lines --model models/simplifier/generated/auto/editnts",
    "textsimp simplify letter.docx plain.docx",
    "textsimp simplify letter.docx --suggestions page.html",
    "textsimp simplify letter.docx plain.docx --accepted letter.txt",
    "textsimp simplify letter.txt outputs.tsv --n-best 3",
    "textsimp simplify - plain.txt --keep-on-alarm < letter.txt",
    cls=SimplifyCommand,
)
def simplify(
    ctx: typer.Context,
    file: Text,
    output: Target = STANDARD_OUTPUT,
    model: Model = None,
    prompt: Prompt = None,
    examples: Examples = None,
    prices: Prices = None,
    form: Form = None,
    n_best: NBest = 1,
    strength: Strength = None,
    caution: Caution = None,
    checks: Checks = False,
    keep_on_alarm: KeepOnAlarm = False,
    language: Language = DEFAULT_LANGUAGE,
    lines: Lines = DEFAULT_LINES,
    device: Device = None,
    threads: Threads = None,
    batch_size: BatchSize = None,
    suggestions: Suggestions = None,
    accepted: Accepted = None,
) -> str:
    """Simplify a text: split it into sentences, simplify each, join them again; each output is checked.

    With `--lines sentences`, or `--lines` alone, each line is one sentence, and each has its line in the output.
    """
    form, marked = form_by_name(output, form, _ENDINGS, FORMATS), read_marked(file)
    _check_form(file, output, form, marked, 1 if suggestions else n_best)
    if accepted:
        check_typed(ctx, *_BESIDE_ACCEPTED)
        return _write_accepted(file, marked, output, form, accepted)
    _check_language(language, model, "--checks" if checks else "--keep-on-alarm" if keep_on_alarm else "")
    parts = _parts(file, marked, language, lines)
    from textsimp.alignment.neural.aligner_settings import Device as Settings
    from textsimp.simplification.simplified_text import Asking, load_model, simplify_parts, summary

    runtime = Settings.of_command()
    where = Runtime(resolve_device(device or runtime.device), threads or runtime.threads)
    simplifier = load_model(model, where, strength, caution, Asking(prompt, examples, prices), language)
    number = len({part.text for part in parts if not part.kept})
    bar: tqdm[str] = progress(total=number, desc="simplify", unit=" sentences")
    with bar:
        batch = batch_size or runtime.batch
        simplified = simplify_parts(parts, simplifier, n_best, language, keep_on_alarm, batch, bar.update)
    written = [path for path in (None if suggestions and output == STANDARD_OUTPUT else output, suggestions) if path]
    with atomic_writes(*written) as files:
        if written[0] == output:
            _write(files[0], form, simplified, marked)
        if suggestions:
            from textsimp.reporting.review_page import suggestions_page

            files[-1].write(suggestions_page(file.name, simplified, language))
    for line in _notes(simplified, file, n_best):
        note(line)
    for line in summary(simplified, str(file)) if checks else ():
        note(line)
    if str(model).startswith(LLM):
        note(cast(Any, simplifier).summary())
    sentences = counted(sum(bool(item.outputs) for item in simplified), "sentence")
    return f"{', '.join(map(str, written))}: {sentences}, {sum(bool(item.alarms) for item in simplified)} with alarms"


def _check_form(file: Path, output: Path, form: str, marked: MarkedText | None, n_best: int) -> None:
    """`InputError` where the form cannot hold what is asked for; a warning of changes that a copy has accepted."""
    if n_best > 1 and form not in (TSV, JSONL):
        raise InputError(f"--n-best {n_best}: a text has one output a sentence; give --suggestions, or --format tsv")
    if form in (DOCX, HTML) and (marked is None or marked.form != form):
        raise InputError(f"{output}: {form} is written where the input is {form}; give a name that ends with .txt")
    if form == DOCX and marked and marked.changes:
        note(f"warning: {file}: {counted(marked.changes, 'tracked change')} accepted in the copy")


def _write_accepted(file: Path, marked: MarkedText | None, output: Path, form: str, accepted: Path) -> str:
    """Write a text that a page of suggestions saved: the file with its paragraphs in place of the old ones."""
    if marked is None or form not in (DOCX, HTML):
        raise InputError(f"--accepted: {output} is no docx or web page; {accepted} is the text; give a docx to write")
    if (given := form_of(accepted)) in (DOCX, HTML):
        raise bad_input(accepted, None, f"is {given}, no plain text", "give the .txt that the page saved")
    blocks = {number: block for number, block in enumerate(marked.blocks) if block.text}
    lines = [line for line in map(str.strip, lines_of(read_plain(accepted))) if line]
    if len(lines) != len(blocks):
        what = f"{counted(len(lines), 'paragraph')} where {file} has {len(blocks)}"
        raise bad_input(accepted, None, what, "give the text that the page of this file saved")
    pairs = zip(blocks.items(), lines, strict=True)
    rows = {number: line.removeprefix("- " * (block.kind is Kind.ITEM)) for (number, block), line in pairs}
    texts = {number: row for number, row in rows.items() if row != blocks[number].text}
    with atomic_writes(output) as (written,):
        cast(TextIO, written).buffer.write(marked.with_texts(texts))
    return f"{output}: {counted(len(texts), 'paragraph')} changed"


def _check_language(language: str, model: Path | None, option: str) -> None:
    if language == DEFAULT_LANGUAGE:
        return
    if option:
        raise InputError(f"{option} --language {language}: outputs are checked in English alone; leave {option} out")
    if model is None:
        load_language(language)
        what = f"--language {language}: the simplifier of the package is for English"
        raise InputError(f"{what}; give --model with the folder of one for this language")


def _parts(file: Path, marked: MarkedText | None, language: str, lines: str) -> "list[Part]":
    """The parts of the text (of Markdown with its marks); `InputError` where it is empty or damaged."""
    from textsimp.simplification.running_text import parts_of_blocks, parts_of_text
    from textsimp.sources.sentences import check_text

    if marked is None or marked.form == MARKDOWN:
        rows = lines_of(text := read_plain(file))
        parts = parts_of_text(text, language, lines)
    else:
        rows, parts = [], parts_of_blocks(marked.blocks, language, lines)
    for number, row in enumerate(rows, 1):
        check_text(file, number, " ".join(row.split()) or "-")
    if not any(part.text for part in parts):
        raise bad_input(file, None, "a text without sentences", "give a file with text in it")
    if doubt := language_doubt(" ".join(part.text for part in parts), language):
        note(f"warning: {file}: {doubt}")
    return parts


def _notes(simplified: "Sequence[SimplifiedPart]", file: Path, n_best: int) -> Iterator[str]:
    """Warnings: what was kept and why, and a model with fewer outputs than were asked for."""
    unchanged = [item.part for item in simplified if item.part.kept not in ("", "no sentence", "no words")]
    reasons = [(part.kept, part.line) for part in unchanged]
    for reason in dict.fromkeys(reason for reason, _ in reasons):
        first, *others = [line for kept, line in reasons if kept == reason]
        more = f" (and {counted(len(others), 'more place')})" if others else ""
        yield f"warning: {file}:{first}: kept as it is, {reason}{more}"
    most = max((len(item.outputs) for item in simplified), default=0)
    if 0 < most < n_best:
        yield f"warning: the model gives {counted(most, 'output')} for a sentence at most, not {n_best}"


def _write(file: IO[str], form: str, simplified: "Sequence[SimplifiedPart]", marked: MarkedText | None) -> None:
    from textsimp.simplification.running_text import joined

    if form == TEXT:
        file.write(joined([item.part for item in simplified], [item.text for item in simplified]))
    elif marked and form in (DOCX, HTML):
        blocks = groupby(simplified, lambda item: item.part.line)
        rows = ((line - 1, "".join(one.part.before.lstrip("\n-") + one.text for one in own)) for line, own in blocks)
        texts = {number: " ".join(row.split()) for number, row in rows}
        changed = {number: text for number, text in texts.items() if text != marked.blocks[number].text}
        cast(TextIO, file).buffer.write(marked.with_texts(changed))
    elif form == JSONL:
        file.writelines(json.dumps(_record(item), ensure_ascii=False) + "\n" for item in simplified if item.part.text)
    else:
        file.write("\t".join(COLUMNS) + "\n")
        file.writelines("\t".join(row) + "\n" for item in simplified if item.part.text for row in _rows(item))


def _record(item: "SimplifiedPart") -> dict[str, Any]:
    """A sentence as JSON: its outputs with their checks."""
    outputs: list[dict[str, Any]] = []
    for output in item.outputs:
        outputs.append({"text": output.text, "score": round(output.score, 4)})
        if check := output.check:
            outputs[-1] |= {
                "alarms": list(check.alarms),
                "left_out": list(check.left_out),
                "grade_before": round(check.grade_before, 2),
                "grade_after": round(check.grade_after, 2),
                "length_ratio": round(check.length_ratio, 4),
                "copy": check.is_copy,
            }
    return {"line": item.part.line, "input": item.part.text, "outputs": outputs, "kept": item.kept}


def _rows(item: "SimplifiedPart") -> Iterator[list[str]]:
    """The rows of a sentence: one for each output, or one for what was kept without any."""
    line, text = str(item.part.line), item.part.text
    if not item.outputs:
        yield [line, "", text, text, *[""] * 5, item.kept]
    for rank, output in enumerate(item.outputs, 1):
        found = [""] * 4
        if check := output.check:
            found = ["; ".join(check.alarms), "; ".join(check.left_out)]
            found += [f"{check.grade_before:.2f}", f"{check.grade_after:.2f}"]
        yield [line, str(rank), text, output.text, f"{output.score:.4f}", *found, item.kept]
