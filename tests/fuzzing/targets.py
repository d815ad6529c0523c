"""What is tried: every command with each file that it reads, every reader of a format, stages.

What a command line reads and writes is told by the marks `Reads()` and `Writes()` of its command. A marked parameter
that stands in no target fails a test (tests/test_fuzzing.py), and so does a command that writes and is not killed.
"""

import contextlib
import functools
import inspect
import json
import runpy
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from bad_input_sample import write_good
from crowd_sample import EXPORT as CROWD
from fuzzing import samples

from textsimp.cli.app import app, main
from textsimp.cli.command import Reads, marks_of
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.reading import read_lines
from textsimp.core.records import read_pairs
from textsimp.sources.config import SourceConfig
from textsimp.sources.draws import ManualDraw
from textsimp.sources.formats import FORMATS
from textsimp.sources.swipe import LinkRule


@dataclass(frozen=True, eq=False)
class Target:
    """One way to run the project on a folder of samples.

    Attributes:
        line: what follows `textsimp`; of a stage, its module first; of a function, a name for it.
        build: fills the folder, which is the current one.
        before: a command line that leaves older output, which may be empty; None where it is neither killed nor raced.
        reads, writes: files and folders that no mark tells of.
        seconds: of the processor; more is a hang.
        weight: how often it is drawn, against 1.
    """

    line: str
    build: Callable[[Path], object]
    before: str | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    call: Callable[[], object] | None = None
    seconds: int = 10
    weight: float = 1.0

    @property
    def words(self) -> tuple[str, ...]:
        """The command line in words."""
        return tuple(shlex.split(self.line))

    @property
    def command(self) -> str:
        """The command that it runs, or the stage or function."""
        return " ".join(self.words[: 2 if self.words[0] in ("human", "format") else 1])

    @property
    def is_command(self) -> bool:
        """Whether it is a command of `textsimp`."""
        return self.call is None and not self.line.startswith("stages.")

    def inputs(self) -> list[Path]:
        """The files and folders that it reads, from the current folder."""
        marked = files_of(self.words)[0].values() if self.is_command else []
        return [*(path for paths in marked for path in paths), *map(Path, self.reads)]

    def outputs(self, words: Sequence[str]) -> list[Path]:
        """The files and folders that it writes with another command line."""
        marked: list[Path] = []
        if self.is_command:
            with contextlib.suppress(Exception):  # whatever click and the marks raise for a line that is refused
                marked = files_of(words)[1]
        return [*marked, *map(Path, self.writes)]


def command_of(words: Sequence[str]) -> tuple[Any, list[str]]:
    """The command that a command line names, as click has it, and what follows."""
    command, rest = typer.main.get_command(app), list(words)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    return command, rest


def files_of(words: Sequence[str]) -> tuple[dict[str, list[Path]], list[Path]]:
    """The files that a command line says to read, by parameter, and those that it says to write."""
    command, rest = command_of(words)
    context = command.make_context("", rest, resilient_parsing=True)
    reads, writes = dict[str, list[Path]](), list[Path]()
    for name, mark in marks_of(inspect.unwrap(command.callback)).items():
        value, source = context.params[name], context.get_parameter_source(name)
        if value is not None and source is not None and source.name == "COMMANDLINE":
            if isinstance(mark, Reads):
                reads[name] = list(mark.paths(value))
            else:
                writes += [value] if mark.is_folder else mark.files(value, context.params)
    return reads, writes


def execute(target: Target, words: Sequence[str]) -> int:
    """Run a target in this process and in the current folder, with another command line; return its exit status."""
    if f"llm:{samples.ECHO}" in words:
        samples.offer_echo()
    try:
        sys.argv = ["textsimp", *words] if target.is_command else list(words)
        if target.call is not None:
            exit_on_bad_input(target.call)()
        elif target.is_command:
            main()
        else:
            sys.modules.pop(words[0], None)
            runpy.run_module(words[0], run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def check_outputs(target: Target, printed: str) -> None:
    """Raise whatever the outputs of a run in the current folder raise, or AssertionError, where they make no sense."""
    bare, linked = ("convert", "extract-wikipedia"), ("align", "annotate", "human gold")
    has_pairs = target.command in (*bare, *linked)
    for file in (file for path in target.outputs(target.words) for file in (path, *path.rglob("*"))):
        if file.suffix == ".html":
            assert file.read_text(encoding="utf-8").rstrip().endswith("</html>"), f"{file} has no end"
        for pair in read_pairs(file, unique=False) if file.suffix == ".jsonl" and has_pairs else ():
            assert target.command in bare or pair.alignments is not None, f"{file}: {pair.id!r} has no alignments"
    if "--lines" in target.words:
        before, after = (len(read_lines(name)) for name in target.words[1:3])
        assert before == after, f"{before} lines became {after}"
    if "--json" in target.words:
        json.loads(printed, parse_constant=lambda name: int("no number"))


def read_format(name: str) -> None:
    """Read all that a format can give from the folder `raw`."""
    entry, raw, drawn = FORMATS[name], Path("raw"), ManualDraw(1, 1, 1, 3)
    rule = LinkRule(0.4, 0.75) if entry.has_edits else None
    articles, annotation = name if entry.articles else "newsela", name if entry.annotation else None
    config = SourceConfig("c", "released", "en", [], annotation, articles, drawn if entry.has_edits else None, rule)
    print(entry.annotation and entry.annotation(raw, config), entry.articles and list(entry.articles(raw, config)))
    print(entry.pairs and entry.pairs(raw))
    for split in filter(None, (entry.benchmark.dev, entry.benchmark.test)) if entry.benchmark else ():
        print(entry.benchmark and entry.benchmark.read(raw / name, split, None))


_LR = "--system lr --train train.jsonl --dev gold.jsonl"
_JACCARD = "--system jaccard --dev gold.jsonl"
_SCORE = "score --complex complex.txt --output mine.txt other.txt --reference ref0.txt ref1.txt --samples 20 --json"
_SIMPLIFY = "--model simplifier --threads 1"  # a process that was forked cannot use its parent's threads
_CROWD = "human export new " + " ".join(CROWD[2:])
_DUMPS = "extract-wikipedia out --settings settings.yaml --complex enwiki.xml.bz2 --simple simplewiki.xml --workers"
_ACQUIRE = "--raw data/raw --audit data/audit.jsonl"
_KEY = ("out.key.json", "new.key.json")
"""Written beside the folder that the mark names."""


def _alignment() -> Iterator[Target]:
    documents, links, model = samples.documents, samples.links, samples.model
    yield Target("convert hard.txt easy.txt out.jsonl", samples.texts, "convert easy.txt hard.txt out.jsonl")
    yield Target("align hard.txt easy.txt out.tsv --html page.html --encoder none", samples.texts, "")
    yield Target("align texts out.jsonl --encoder none", samples.texts)
    yield Target("align pairs.jsonl out --format parallel --encoder none", documents, "")
    yield Target("align pairs.jsonl out.jsonl", documents, f"align pairs.jsonl out.jsonl {_JACCARD}")
    yield Target("align shards out.jsonl --workers 1 --encoder none", documents)
    yield Target(f"align shards out.jsonl --workers 2 {_JACCARD}", documents, "", weight=0)
    older = f"evaluate-alignment gold.jsonl {_JACCARD} --save saved"
    yield Target(f"align pairs.jsonl out.jsonl {_LR} --save saved", documents, older)
    yield Target(f"evaluate-alignment gold.jsonl {_LR} --save saved --json", documents, older)
    yield Target("align pairs.jsonl out.jsonl --model model", model)
    yield Target("align pairs.jsonl out.jsonl --system neural_crf --model trained/model", samples.aligner)
    for name in ("glove.txt", "word2vec.txt", "word2vec.bin", "glove.txt.gz"):
        line = f"align pairs.jsonl out.jsonl --system average_alignment --dev gold.jsonl --vectors {name}"
        yield Target(line, samples.vectors, weight=0.5)
    older = "corpus fewer.jsonl out --filters none"
    yield Target("corpus many.jsonl out --filters none --held-out held.txt", documents, older)
    sides = " hard.txt easy.txt"
    for names in (f"links.ladder{sides}", f"links.index{sides}", "links.bitext", "table.tsv", "table.csv"):
        yield Target(f"convert {names} out.jsonl", links)
    for form in ("ladder", "index"):
        yield Target(f"convert pair.jsonl out --format {form} --join group --min-probability 0.52", links, weight=0.5)
    yield Target("convert gold.jsonl out.tsv --html page.html", documents, "convert gold.jsonl out.tsv --join link")
    yield Target("convert links.index hard.txt easy.txt page.html", links)


def _evaluation() -> Iterator[Target]:
    documents, outputs, evaluate = samples.documents, samples.outputs, "evaluate-alignment gold.jsonl --json"
    older = f"{evaluate} --predictions gold.jsonl --html page.html"
    yield Target(f"{evaluate} --predictions found.jsonl --against other.jsonl --html page.html", documents, older)
    yield Target(f"{evaluate} --system cats_wavg --vectors glove.txt --dev dev.jsonl", samples.vectors)
    yield Target(f"{evaluate} --model model --system lr", samples.model)
    annotate, older = "annotate pairs.jsonl --html page.html", "annotate pairs.jsonl --html page.html --blind"
    yield Target("annotate gold.jsonl --html page.html --suggestions found.jsonl", documents, older)
    yield Target(f"{annotate} --system lr --train gold.jsonl --dev dev.jsonl", documents)
    yield Target(f"{annotate} --model model --system lr", samples.model)
    agree = "annotate ann.jsonl {} --html page.html --output out.jsonl"
    line = agree.format("ben.jsonl --adjudicated cleo.jsonl --json")
    yield Target(line, samples.annotations, agree.format("cleo.jsonl"))
    yield Target(f"{_SCORE} --metric all", outputs)
    yield Target(f"{_SCORE} --metric lexical_complexity --frequencies frequencies.txt", outputs)
    page = "score --complex complex.txt --reference ref0.txt --samples 20 --html page.html --output"
    yield Target(f"{page} mine.txt other.txt", outputs, f"{page} other.txt")
    yield Target("score --complex complex.txt --output mine.txt other.txt --metric rewriting --samples 9", outputs)
    line = "leaderboard --output mine.txt --releases raw --samples 3060 --json"
    yield Target(line, samples.leaderboard, weight=0.05, seconds=40)
    yield Target("score mine.txt --releases raw -t turk --json --samples 20", samples.leaderboard, seconds=30)
    yield Target("score mine.txt --releases raw -t turk --printed 44.15", samples.leaderboard, weight=0.1, seconds=30)


def _texts() -> Iterator[Target]:
    for name in ("hard.txt", "hard.html", "hard.md"):
        older = "review easy.txt hard.txt page.html" if name == "hard.txt" else None
        yield Target(f"review {name} easy.docx page.html", samples.texts, older, seconds=30)
    written, older = samples.simplifier, f"simplify easy.txt out.txt {_SIMPLIFY}"
    yield Target(f"simplify hard.txt out.txt {_SIMPLIFY} --lines", written, older, seconds=30)
    yield Target(f"simplify hard.txt out.tsv {_SIMPLIFY} --checks", written, seconds=30)
    older = "simplify easy.docx out.docx --accepted other.txt"
    yield Target("simplify easy.docx out.docx --accepted accepted.txt", samples.texts, older)
    asked = "--prompt prompt.txt --examples examples.tsv --language de"  # answers in English are judged, slowly
    yield Target(f"simplify hard.txt out.txt --model llm:{samples.ECHO} {asked}", written)


def _people() -> Iterator[Target]:
    rate, gold = "human export out --complex complex.txt --output", "human gold out.key.json ratings.csv"
    line = f"{rate} old=old.LSTM.txt --output new=new.LSTM.txt --count 3"
    yield Target(line, samples.human, "", writes=_KEY)
    line = "human export out --links a=gold.jsonl --links b=found.jsonl --kind inspection --count 2"
    yield Target(line, samples.documents, "", writes=_KEY)
    yield Target(_CROWD, samples.crowd, writes=_KEY)
    line = f"{gold} found.jsonl --output x.jsonl"
    yield Target(line, samples.crowd, f"{gold} gold.jsonl --output x.jsonl")
    older = "human import key.json sheet1.csv --output out.csv"
    yield Target(f"{older} sheet2.csv sheet3.csv", samples.human, older)
    yield Target("human summary ratings.csv --samples 20 --json", samples.human)


def _releases() -> Iterator[Target]:
    items, packed = "--items items.sql", "--complex enwiki.xml --simple simplewiki.xml.gz --items items.sql.gz"
    yield Target(f"{_DUMPS} 1 {items}", samples.dumps, f"{_DUMPS} 1 {items}")
    yield Target(f"{_DUMPS} 2 {items}", samples.dumps, "", weight=0)
    yield Target(f"extract-wikipedia out --workers 1 {packed}", samples.dumps)
    for name, read, weight in (("newsela", ("newsela", "params.yaml"), 1), ("jiang2020", ("mirror",), 0)):
        yield Target(f"stages.acquire {name} {_ACQUIRE}", write_good, "", read, ("data",), weight=weight)
    for name, older in (("newsela", ""), ("wiki", None)):
        line = f"stages.load_splits {name} --raw raw-{name} --out splits"
        yield Target(line, write_good, older, (f"raw-{name}",), ("splits",))
    for name in FORMATS:
        build, call = functools.partial(samples.release, name), functools.partial(read_format, name)
        yield Target(f"format {name}", build, reads=("raw",), call=call)


TARGETS = (*_alignment(), *_evaluation(), *_texts(), *_people(), *_releases())
