"""How many planted errors the checks of outputs find, and how often they alarm on what people wrote.

    python -m benchmarks.output_checks [--count 500] [--references 2000] [--mirror FOLDER]

People's simplifications of the project's own sample (and of ASSET's and TURK's development sets, where a mirror has
them) are changed in one place: a number, a name or a negation that the original has too is deleted with its context
kept or exchanged for another, or one is added that it has not. Where things are planted is decided here by plain
patterns, not by the rules of the checks. A planted error is found where it gives an alarm that the simplification as
it was did not give, and reported where the checks say at least that something was left out. The share of the
simplifications as they are that alarm is the share of false alarms: some of them are true, for people err too.
"""

import argparse
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from textsimp.core.reading import read_lines
from textsimp.simplification.output_checks import check_output

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample"
NEW_NAMES = ("Tarnbury", "Oswin", "Velda", "Morcombe", "Ilsa", "Brandreth", "Quillon", "Haverly", "Pesk", "Dorran")
_WORDS = "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty".split()
_NUMBER = re.compile(rf"(?<![\w.,/-])(?:\d+(?:[.,]\d+)*|{'|'.join(_WORDS)})(?![\w/-]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*(?![\w-])")
_TITLES = frozenset("January February March April May June July August September October November December".split())
_CUES = {
    r"\b(is|was|are|were|do|does|did|has|have|had|could|would|should|must) ?n['’]t\b": r"\1",
    r"\bcannot\b": "can",
    r"\bnot (?!only|just)": "",
    r"\bnever ": "",
    r"\bno (?!longer|doubt|matter|one)(?=[a-z])": "",
    r"\bno longer\b": "still",
    r"\bwithout\b": "with",
    r"\bnobody\b": "everybody",
    r"\bnone of\b": "all of",
}
"""A negation, and what stands there when it is lost."""
_NEGATION = re.compile(r"(?i)\b(?:not|never|no|none|nobody|without|cannot|nothing|neither|nor)\b|n['’]t\b")
_VERB = re.compile(r" (?:is|was|are|were|has|have|had|can|could|will|would|should|must)(?= [a-z])")


@dataclass(frozen=True)
class Planted:
    """A simplification with an error: its kind, the original, the simplification as it was and with the error."""

    kind: str
    complex: str
    simple: str
    wrong: str


Plant = Callable[[Random, str, str], str | None]


def own_pairs() -> Iterator[tuple[str, str]]:
    """The original sentences of the sample and their simplifications by people."""
    for name in ("dev", "test"):
        for line in read_lines(SAMPLE / "multi-reference" / f"{name}.tsv"):
            complex_, *references = line.split("\t")
            yield from ((complex_, reference) for reference in references)
    for line in read_lines(SAMPLE / "rewriting" / "labelled.tsv")[1:]:
        *_, label, complex_, simple = line.split("\t")
        if label != "not aligned":
            yield complex_, simple


def released_pairs(mirror: Path, name: str) -> Iterator[tuple[str, str]]:
    """The development set of `asset` or `turk` with each of its references."""
    original, references = {
        "asset": ("asset/asset.valid.orig", [f"asset/asset.valid.simp.{number}" for number in range(10)]),
        "turk": ("turk/tune.8turkers.tok.norm", [f"turk/tune.8turkers.tok.turk.{number}" for number in range(8)]),
    }[name]
    complex_ = read_lines(mirror / original)
    for file in references:
        yield from zip(complex_, read_lines(mirror / file), strict=True)


def drawn(pairs: Sequence[tuple[str, str]], most: int, seed: int = 13) -> list[tuple[str, str]]:
    """So many of the pairs at most; the seed says which."""
    return Random(seed).sample(pairs, min(most, len(pairs)))


def planted(pairs: Sequence[tuple[str, str]], count: int, seed: int = 13) -> list[Planted]:
    """So many errors, of every kind the same number where there are places enough; the seed says which."""
    draw = Random(seed)
    kinds = list(KINDS)
    errors: list[Planted] = []
    for number, kind in enumerate(kinds):
        wanted = count // len(kinds) + (number < count % len(kinds))
        order = draw.sample(range(len(pairs)), len(pairs))
        candidates = ((pairs[index], KINDS[kind](draw, *pairs[index])) for index in order)
        made = (Planted(kind, *pair, wrong) for pair, wrong in candidates if wrong is not None)
        errors += [item for item, _ in zip(made, range(wanted), strict=False)]
    return errors


def is_found(item: Planted) -> bool:
    """Whether the checks alarm at the error."""
    before = check_output(item.complex, item.simple).alarms
    return not set(check_output(item.complex, item.wrong).alarms) <= set(before)


def is_reported(item: Planted) -> bool:
    """Whether the checks say anything of the error: an alarm, or that something was left out."""
    before, after = (check_output(item.complex, simple) for simple in (item.simple, item.wrong))
    return not {*after.alarms, *after.left_out} <= {*before.alarms, *before.left_out}


def shared(pattern: str | re.Pattern[str], complex_: str, simple: str) -> list[re.Match[str]]:
    """Places of the simplification that the original has too, and that stand once on either side."""
    return [
        match
        for match in re.finditer(pattern, simple)
        if all(len(re.findall(rf"(?<!\w){re.escape(match[0])}(?!\w)", side)) == 1 for side in (complex_, simple))
    ]


def drawn_match(draw: Random, pattern: str | re.Pattern[str], complex_: str, simple: str) -> re.Match[str] | None:
    """One of the shared places."""
    matches = shared(pattern, complex_, simple)
    return draw.choice(matches) if matches else None


def _cut(text: str, match: re.Match[str], new: str) -> str:
    return f"{text[: match.start()]}{new}{text[match.end() :]}"


def _delete(pattern: re.Pattern[str]) -> Plant:
    def plant(draw: Random, complex_: str, simple: str) -> str | None:
        match = drawn_match(draw, pattern, complex_, simple)
        if match is None or match[0].split()[0] in _TITLES:
            return None
        return re.sub(r" +(?=[ .,;:!?)])", "", _cut(simple, match, "")).strip()

    return plant


def _other_number(draw: Random, complex_: str, simple: str) -> str | None:
    match = drawn_match(draw, _NUMBER, complex_, simple)
    if match is None:
        return None
    old = match[0]
    while True:
        new = draw.choice(_WORDS) if old.isalpha() else re.sub(r"\d", lambda _: str(draw.randint(1, 9)), old)
        if new != old and not re.search(rf"(?<!\w){re.escape(new)}(?!\w)", complex_):
            return _cut(simple, match, new)


def _other_name(draw: Random, complex_: str, simple: str) -> str | None:
    match = drawn_match(draw, _NAME, complex_, simple)
    return None if match is None else _cut(simple, match, draw.choice(NEW_NAMES))


def _new(make: Callable[[Random], str]) -> Plant:
    def plant(draw: Random, complex_: str, simple: str) -> str | None:
        end = re.search(r"(?<=[a-z])(?= ?[.!?]$)", simple)
        new = make(draw)
        if complex_.islower() and not new.islower():
            return None  # a text without capitals has no names
        return None if end is None or new.split()[-1] in complex_ else _cut(simple, end, f" {new}")

    return plant


def _without_negation(draw: Random, complex_: str, simple: str) -> str | None:
    if len(_NEGATION.findall(simple)) != 1 or not _NEGATION.search(complex_):
        return None
    made = [re.sub(cue, new, simple) for cue, new in _CUES.items() if re.search(cue, simple)]
    return " ".join(made[0].split()) if made else None


def _with_negation(draw: Random, complex_: str, simple: str) -> str | None:
    verbs = list(_VERB.finditer(simple))
    if not verbs or _NEGATION.search(simple):
        return None
    verb = draw.choice(verbs)
    return _cut(simple, verb, f"{verb[0]} not")


KINDS: dict[str, Plant] = {
    "number deleted": _delete(_NUMBER),
    "number changed": _other_number,
    "number added": _new(lambda draw: f"in {draw.randint(1200, 1990)}"),
    "name deleted": _delete(_NAME),
    "name changed": _other_name,
    "name added": _new(lambda draw: f"near {draw.choice(NEW_NAMES)}"),
    "negation deleted": _without_negation,
    "negation added": _with_negation,
}


def figures(pairs: Sequence[tuple[str, str]], count: int) -> dict[str, object]:
    """Planted and found errors by kind, and the share of the simplifications as they are that alarm, in percent."""
    items = planted(pairs, count)
    alarms = sum(bool(check_output(*pair).alarms) for pair in pairs)
    counts = {kind: [item for item in items if item.kind == kind] for kind in KINDS}
    return {
        "planted": len(items),
        "reported": {kind: f"{sum(map(is_reported, made))} of {len(made)}" for kind, made in counts.items()},
        "found": {kind: f"{sum(map(is_found, made))} of {len(made)}" for kind, made in counts.items()},
        "references": len(pairs),
        "false_alarms": round(100 * alarms / len(pairs), 2),
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--references", type=int, default=2000, help="of a corpus at most, drawn by a seed")
    parser.add_argument("--mirror", type=Path, default=os.environ.get("TEXTSIMP_MIRROR"))
    arguments = parser.parse_args()
    table = {"sample": figures(list(own_pairs()), arguments.count)}
    for name in ("asset", "turk") if arguments.mirror else ():
        pairs = list(released_pairs(Path(arguments.mirror), name))
        table[name] = figures(drawn(pairs, arguments.references), arguments.count)
    print(json.dumps(table, indent=2))


if __name__ == "__main__":
    main()
