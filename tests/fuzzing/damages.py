"""What is done to a target's folder of samples, or to its command line: one damage a case, drawn by numbers."""

import bz2
import gzip
import inspect
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from fuzzing.targets import Target, command_of, files_of

NUMBERS = "|0|-1|1|2|-0.0|0.5|2147483648|-9223372036854775809|1e400|1e-400|NaN|-Infinity|1.0|0x10|1_000|007|+1|\u0663"
NUMBERS = [*NUMBERS.split("|"), "1" + "0" * 5000]
TEXTS = (
    "| |\t|\n|a\nb|a\rb|a\u2028b|a\x0bb|a\x85b|\ufeffa|\x1b[31mred|\u202eabc|e\u0301|\U0001f600|\ud800|\x00|\ufffd|'"
)
TEXTS += '|"|\\|<script>alert(1)</script>|=1+1|.|../../etc/passwd|-|--help|%s%n|${oc.env:HOME}|???|nan|0|aligned|<!--'
TEXTS = [*f"{TEXTS}|<![CDATA[|&#xD800;|&x;|i\u0130|\r\n|<|&|\x0c".split("|"), "x" * 5000, "a " * 3000, "a" * 100_000]
VALUES = '[]|{}|[[]]|null|true|-1|1.5|"1"|{"a": 1, "a": 2}|&a|*a|!!python/object/apply:os.getpid []|2001-01-01|<<: 1'
VALUES = [*VALUES.split("|"), "[" * 100_000, "[" * 990 + "]" * 990, '{"a":' * 5000 + "1" + "}" * 5000]
BYTES = b"\0|\xef\xbb\xbf|\xff|\xed\xa0\x80|\xc0\x80|\xc3|\x85|\xff\xfe|\x1f\x8b".split(b"|")
NAMES = (
    "with space|line\nbreak|'quoted'|ümläut|a.b.c|b\udcff|*|?[a-z]|$(id)|%20|#|a;b|~|...|a\\b|\u202eabc|\x1b[31m|a=b"
)
NAMES = [*f"{NAMES}|a:1|a,b|./-dash".split("|"), "a" * 250]
"""Of files, valid on Linux; `b\\udcff` is a byte that is not UTF-8."""
BAD_NAMES = ["plain/x", "n" * 300, "d/" * 3000 + "x", "/proc/x"]
PIECES = {
    "bytes": rb"(?s).{1,40}",
    "token": rb'"(?:[^"\\\n]|\\.)*"|<[^>]*>|\d+(?:\.\d+)?|\w+|[^\w\s]',  # JSON, YAML, XML, HTML, SQL and texts alike
    "cell": rb"[^\t,\n]*[\t,\n]",
    "line": rb"[^\n]*\n",
}
"""The parts of a file of which one is damaged."""
PACKED = {".gz": (gzip.decompress, gzip.compress), ".bz2": (bz2.decompress, bz2.compress)}
FAR = {"address", "workers", "mirror", "encoder"}
"""Options that reach for the network, or start processes."""
CHOICES = "jsonl tsv csv html parallel parquet ladder simple link group de en xx nobody paragraphs text jaccard "
CHOICES += "tfidf neural_crf turk asset english none wikidata langlink newsela wiki sari ray light all 0.5 2 -1"
ENVIRONMENTS = (
    ("LC_ALL=C", "PYTHONUTF8=0", "PYTHONCOERCECLOCALE=0"),
    ("HOME=", "USER=", "LOGNAME="),
    ("HOME=/nowhere", "XDG_CACHE_HOME=/nowhere", "TMPDIR=/nowhere"),
    ("PYTHONIOENCODING=ascii", "COLUMNS=1", "TZ=nowhere", "LANG=tr_TR.UTF-8"),
)
"""Variables with other values; an empty one is not there."""
SHARES = {**dict.fromkeys(PIECES, 17), "place": 12, "name": 10, "options": 8, "environment": 2}


@dataclass(frozen=True)
class Case:
    """A damage, and how its target is run.

    Attributes:
        named: files of which a message has to name one; any message will do where there are none.
        is_good: nothing is wrong with the input, so that an output has to be that of the undamaged one.
        pipe: bytes on a pipe, whose name stands in the words as `{pipe}`.
        is_denied: run by a user who may not read or write what is closed to others.
    """

    words: tuple[str, ...]
    kind: str = ""
    edit: str = ""
    path: str = ""
    named: tuple[str, ...] = ()
    is_good: bool = False
    stdin: bytes = b""
    pipe: bytes = b""
    is_denied: bool = False
    environment: tuple[str, ...] = ()


def damaged(draw: Random, target: Target) -> Case:
    """Damage the current folder, which holds a target's samples, or its command line."""
    files = [str(item) for path in target.inputs() for item in (path, *sorted(path.rglob("*")))]
    outputs, case = (list(map(str, files_of(target.words)[1])) if target.is_command else []), None
    while case is None:
        path, kind = Path(draw.choice(files)), draw.choices(list(SHARES), list(SHARES.values()))[0]
        told = Case(target.words, kind, path=str(path), named=(str(path),))
        output = draw.choice([*outputs, *[""] * 2])  # a third of the places and names are those of outputs
        if kind in PIECES and path.is_file():
            unpack, pack = PACKED.get(path.suffix, (bytes, bytes)) if draw.random() < 0.7 else (bytes, bytes)
            path.write_bytes(pack(other_bytes(draw, kind, unpack(path.read_bytes()))))
            case = told
        elif kind == "place":
            case = _with_place(draw, told, Path(output) if output else path, path if output else None)
        elif kind == "name" and path.is_file():
            case = _with_output(draw, told, output) if output else _with_name(draw, told, path)
        elif kind == "options" and target.is_command:
            case = replace(told, named=(), words=_with_options(draw, target.words))
        elif kind == "environment" and target.is_command and "llm:" not in target.line:
            case = replace(told, named=(), is_good=True, environment=draw.choice(ENVIRONMENTS))
    return case


def other_bytes(draw: Random, kind: str, data: bytes) -> bytes:
    """A file in which a piece is left out, doubled, repeated, moved, cut or another; or that is cut or recoded."""
    found = list(re.finditer(PIECES[kind], data[:100_000])) or [re.match(b"(?s).{0,9}", data)]
    one, other, text = draw.choice(found), draw.choice(found)[0], draw.choice([*TEXTS, draw.choice(NUMBERS)])
    if kind == "token":
        text = draw.choice([json.dumps(text) if one[0].startswith(b'"') else text, draw.choice(VALUES)])
    odd = text.encode("utf-8", "surrogatepass")
    if kind == "bytes":
        odd = draw.choice([odd, draw.choice(BYTES), draw.randbytes(9)])
    start, end = data[: one.start()], data[one.end() :]
    pieces = [b"", *[odd] * 3, one[0] + odd, other, other, other + one[0], one[0] * 2, one[0] * draw.choice([30, 3000])]
    pieces += [one[0].upper(), one[0][::-1], b'"' + one[0], b"[" + one[0] + b"]"]
    changed = [*(start + piece + end for piece in pieces), start, end, data * 2]
    if draw.random() < 0.1:
        encoding, line_end = draw.choice(["utf-16", "utf-7", "cp037"]), draw.choice([b"\r", b"\r\n", b"\n\r", b"\x0b"])
        changed = [b"", data.decode("utf-8", "replace").encode(encoding, "replace"), data.replace(b"\n", line_end)]
    return draw.choice(changed)


PLACES: dict[str, Callable[[Path, Path], object]] = {
    "nothing": lambda path, other: None,
    "a folder": lambda path, other: path.mkdir(),
    "a file": lambda path, other: path.write_text("a file"),
    "a link to nothing": lambda path, other: path.symlink_to("nowhere"),
    "a link to itself": lambda path, other: path.symlink_to(path.name),
    "a link": lambda path, other: path.symlink_to(other.absolute()),
    "no end": lambda path, other: path.symlink_to("/dev/zero"),
    "no bytes": lambda path, other: path.symlink_to("/dev/null"),
    "closed": lambda path, other: other.rename(path).chmod(0),
    "in a closed folder": lambda path, other: other.rename(path).absolute().parent.chmod(0o555),
}


def _with_place(draw: Random, case: Case, path: Path, other: Path | None) -> Case:
    """Something else in the place of a file or folder; without another file, this one is somewhere else after it."""
    edit, is_output = draw.choice(list(PLACES)), other is not None
    other = other or path.rename(path.with_name(f"was {path.name}"))
    PLACES[edit](path, other)
    named = () if "folder" in edit else (*case.named, str(path))
    is_good = edit == "a link" and not is_output
    return replace(case, edit=edit, named=named, is_denied="closed" in edit, is_good=is_good)


def _renamed(case: Case, old: str, new: str) -> Case | None:
    """The case with another name for a file; None where its words do not name it."""
    words = [
        new if word == old else word[: -len(old)] + new if word.endswith(f"={old}") else word for word in case.words
    ]
    is_there = tuple(words) != case.words
    return replace(case, words=tuple(words), edit=new[:30], named=(*case.named, old, new)) if is_there else None


def _with_name(draw: Random, case: Case, path: Path) -> Case | None:
    """Another name for an input: an odd one, an impossible one, or that of a stream."""
    name, data = draw.choice([*NAMES, *BAD_NAMES, *["-", "{pipe}"] * 6]), path.read_bytes()
    renamed = _renamed(case, str(path), name)
    if renamed is None or len(data) > 60_000:
        return None
    Path("plain").write_text("a file")
    path.rename(name if name in NAMES else "elsewhere")
    if name in ("-", "{pipe}"):
        streams = (*renamed.named, "/dev/stdin", "standard input", "/dev/fd/")
        renamed = replace(renamed, named=streams, **{"stdin" if name == "-" else "pipe": data})
    return replace(renamed, is_good=name not in BAD_NAMES)


def _with_output(draw: Random, case: Case, output: str) -> Case | None:
    """Another name for an output, which may be that of an input."""
    odd = [case.path, f"./a/../{case.path}", "hard link", "plain", "new/er/out", "-", "/dev/null", "/dev/full"]
    changed = _renamed(case, output, draw.choice([*odd, *BAD_NAMES, draw.choice(NAMES)]))
    if changed is not None:
        Path("plain").write_text("a file")
        Path("a").mkdir()
        os.link(case.path, "hard link")
    return changed


def _with_options(draw: Random, words: tuple[str, ...]) -> tuple[str, ...]:
    """Words with odd values for one or two options; or one that is left out or doubled."""
    command, rest = command_of(words)
    place = draw.randrange(len(words) - len(rest), len(words))
    if draw.random() < 0.15:
        return draw.choice([words[:place] + words[place + 1 :], words[:place] + words[place - 1 :]])
    hints = inspect.get_annotations(inspect.unwrap(command.callback), eval_str=True)
    options = [item for item in command.params if item.param_type_name == "option" and item.name in hints.keys() - FAR]
    values = [item for item in options if "Path" not in str(hints[item.name])]
    for option in draw.choices(values, k=draw.choice([1, 2])):
        flag = draw.choice([*option.opts, *option.secondary_opts])
        value = draw.choice(NUMBERS if "int" in str(hints[option.name]) else [*CHOICES.split(), draw.choice(TEXTS)])
        words += (flag,) if option.is_flag else (flag, value.replace("\0", ""))
    return words
