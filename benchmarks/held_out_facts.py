"""More kinds of planted errors, in texts on which no rule of the checks was written.

    python -m benchmarks.held_out_facts --mirror FOLDER [--count 40] [--references 1000]

The texts are the aligned sentences of WIKI-AUTO's validation articles, sentences of OneStopEnglish's upper level with
the most alike one of a lower level, and D-Wikipedia's (lower-cased) likewise. The kinds are those of
`benchmarks.output_checks` and others: ordinals, percentages, money, dates, ranges, prefixes, names at the beginning or
in part, names of lower-cased text. Alarms on the pairs as they are say little of false ones: these simplifications add
facts of their own. What is printed is how many errors of each kind alarm, and are reported at all.
"""

import argparse
import ast
import csv
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.output_checks import NEW_NAMES, Plant, Planted, drawn, drawn_match, is_found, is_reported, shared
from textsimp.core.reading import read_lines
from textsimp.metrics.tokens import split_sentences
from textsimp.simplification.output_checks import check_output

_NUMBER = r"\d+(?:[.,]\d+)*"
_COUNTS = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty".split()
_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth".split()
_MONTHS = "January February March April June July August September October November December".split()
_NAME = r"(?<=[a-z,] )[A-Z][a-z]{2,}(?![\w-])(?! [A-Z])"
_LONG_NAME = r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})+(?![\w-])"
_NEGATED = re.compile(r"(?i)\b(?:not|never|no|none|nobody|without|cannot|nothing|neither|nor|hardly)\b|n['’]t\b")
_OPPOSITES = dict(
    pair.split(":")
    for pair in (
        "unable:able impossible:possible illegal:legal unknown:known unusual:usual unlikely:likely inactive:active "
        "independent:dependent unsuccessful:successful incomplete:complete invisible:visible unhappy:happy "
        "unstable:stable disagreed:agreed unemployed:employed unfair:fair irregular:regular unpopular:popular "
        "uncommon:common unclear:clear unsafe:safe unnecessary:necessary unpaid:paid incorrect:correct "
        "harmless:harmful useless:useful unconscious:conscious unarmed:armed inexpensive:expensive disliked:liked "
        "unexpected:expected disappeared:appeared immature:mature"
    ).split()
)


def wiki_auto(mirror: Path) -> Iterator[tuple[str, str]]:
    """Sentences of WIKI-AUTO's validation articles and those that the authors' aligner found for them."""
    with (mirror / "wiki_auto_valid" / "wikiauto_sents_valid.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            simple = " ".join(ast.literal_eval(row["simple"]))
            if row["label"] in ("rephrase", "ssplit", "dsplit") and _alike(row["complex"], simple) >= _LEAST:
                yield row["complex"], simple


def one_stop(mirror: Path) -> Iterator[tuple[str, str]]:
    """Sentences of the upper level of OneStopEnglish with the most alike of each lower level."""
    folder = mirror / "onestop_english"
    for path in sorted((folder / "Adv-Txt").glob("*-adv.txt")):
        for level in ("Int", "Ele"):
            easier = folder / f"{level}-Txt" / path.name.replace("-adv", f"-{level.lower()}")
            if easier.is_file():
                yield from _most_alike(
                    *(
                        [
                            sentence
                            for line in file.read_text(errors="replace").splitlines()
                            for sentence in split_sentences(line)
                        ]
                        for file in (path, easier)
                    )
                )


def d_wikipedia(mirror: Path) -> Iterator[tuple[str, str]]:
    """Sentences of D-Wikipedia's first documents with the most alike of the simple one."""
    sides = (read_lines(mirror / "d_wikipedia" / f"valid.{side}")[:_DOCUMENTS] for side in ("src", "tgt"))
    for texts in zip(*sides, strict=True):
        yield from _most_alike(*(re.split(r"(?<= \.) ", text) for text in texts))


_LEAST, _MOST, _DOCUMENTS = 0.35, 0.999, 1200


def _alike(a: str, b: str) -> float:
    first, second = (set(re.findall(r"\w+", text.lower())) for text in (a, b))
    return len(first & second) / max(1, len(first | second))


def _most_alike(complex_: Sequence[str], simple: Sequence[str]) -> Iterator[tuple[str, str]]:
    for sentence in complex_:
        best = max(simple, key=lambda easier: _alike(sentence, easier), default="")
        if _LEAST <= _alike(sentence, best) < _MOST and 6 <= len(sentence.split()) <= 60:
            yield sentence.strip(), best.strip()


def _cut(text: str, match: re.Match[str], new: str) -> str:
    return re.sub(r" +(?=[ .,;:!?)])", "", f"{text[: match.start()]}{new}{text[match.end() :]}").strip()


def _deleted(pattern: str) -> Plant:
    return _changed(pattern, lambda draw, old, complex_: "")


def _changed(pattern: str, new: Callable[[Random, str, str], str | None]) -> Plant:
    def plant(draw: Random, complex_: str, simple: str) -> str | None:
        match = drawn_match(draw, pattern, complex_, simple)
        made = None if match is None else new(draw, match[0], complex_)
        return None if match is None or made is None or made == match[0] else _cut(simple, match, made)

    return plant


def _other_digits(draw: Random, old: str, complex_: str) -> str | None:
    tried = (re.sub(r"\d", lambda _: str(draw.randint(1, 9)), old) for _ in range(20))
    return next((new for new in tried if new != old and new not in complex_), None)


def _other_of(words: Sequence[str]) -> Callable[[Random, str, str], str]:
    return lambda draw, old, complex_: draw.choice([w for w in words if w != old and w not in complex_.lower()])


def _turned(draw: Random, complex_: str, simple: str) -> str | None:
    """Two numbers that have changed their places."""
    numbers = shared(rf"(?<![\w.,/-]){_NUMBER}(?![\w/-])", complex_, simple)
    if len(numbers) < 2:
        return None
    a, b = numbers[:2]
    return f"{simple[: a.start()]}{b[0]}{simple[a.end() : b.start()]}{a[0]}{simple[b.end() :]}"


def _first_name(new: bool) -> Plant:
    def plant(draw: Random, complex_: str, simple: str) -> str | None:
        match = re.match(r"[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*(?= (?:is|was|has|had|became|won|made|died|moved)\b)", simple)
        if match is None or match[0].split()[0] in _NO_NAMES or simple.count(match[0].split()[0]) > 1:
            return None
        if not (complex_.startswith(match[0]) or re.search(rf"(?<=[a-z,] ){match[0]}(?!\w)", complex_)):
            return None
        made = _cut(simple, match, draw.choice(NEW_NAMES) if new else "")
        return made[0].upper() + made[1:]

    return plant


_NO_NAMES = frozenset(
    "The This That There These Those They She What Who Which People Many Some Most All His Her Its Each One Both Other "
    "Another And But Today Everyone Nobody Nothing Children Scientists Researchers Experts Women Men".split()
)


def _half_name(draw: Random, complex_: str, simple: str) -> str | None:
    match = drawn_match(draw, r"(?<=[a-z,] )[A-Z][a-z]{2,} [A-Z][a-z]{2,}(?![\w-])(?! [A-Z])", complex_, simple)
    return None if match is None else _cut(simple, match, draw.choice(match[0].split()))


def _denied(pattern: str, new: str) -> Plant:
    def plant(draw: Random, complex_: str, simple: str) -> str | None:
        if len(_NEGATED.findall(simple)) != 1 or not _NEGATED.search(complex_) or not re.search(pattern, simple):
            return None
        return " ".join(re.sub(pattern, new, simple).split())

    return plant


def _neither(draw: Random, complex_: str, simple: str) -> str | None:
    if not all(word in side for word in ("neither", " nor ") for side in (complex_, simple)):
        return None
    return simple.replace("neither", "both").replace(" nor ", " and ")


def _denied_newly(word: str) -> Plant:
    def plant(draw: Random, complex_: str, simple: str) -> str | None:
        verbs = list(re.finditer(r" (?:is|was|are|were|has|have|had|can|could|will|would|should)(?= [a-z])", simple))
        if not verbs or _NEGATED.search(simple):
            return None
        verb = draw.choice(verbs)
        return f"{simple[: verb.end()]} {word}{simple[verb.end() :]}"

    return plant


def _prefix(words: dict[str, str]) -> Plant:
    return _changed(rf"\b(?:{'|'.join(words)})\b", lambda draw, old, complex_: words[old])


_TURN = {"first": "second", "second": "first"}

KINDS: dict[str, Plant] = {
    "ordinal deleted": _deleted(rf"\b(?:\d+(?:st|nd|rd|th)|{'|'.join(_ORDINALS)})\b"),
    "ordinal changed": _changed(rf"\b(?:{'|'.join(_ORDINALS)})\b", _other_of(_ORDINALS)),
    "first or second changed": _changed(
        r"\b(?:first|second)\b(?! of|s)",
        lambda draw, old, complex_: None if re.search(r"(?i)first.*second|second.*first", complex_) else _TURN[old],
    ),
    "percentage changed": _changed(rf"{_NUMBER}(?= ?(?:%|percent|per cent))", _other_digits),
    "percentage deleted": _deleted(rf"{_NUMBER} ?(?:%|percent|per cent)"),
    "money deleted": _deleted(rf"[$£€] ?{_NUMBER}(?: (?:million|billion|m|bn))?"),
    "million for billion": _changed(r"\bmillion\b", lambda draw, old, complex_: "billion"),
    "date deleted": _deleted(rf"\d{{1,2}} (?:{'|'.join(_MONTHS)}) \d{{4}}|(?:{'|'.join(_MONTHS)}) \d{{1,2}}, \d{{4}}"),
    "month changed": _changed(rf"\b(?:{'|'.join(_MONTHS)})\b", _other_of(_MONTHS)),
    "year deleted": _deleted(r"(?<![\w.,–/-])(?:1\d|20)\d\d(?![\w,.–/-])"),
    "end of a range changed": _changed(r"(?<=\d[–-])\d{2,4}\b", _other_digits),
    "decimal point lost": _changed(r"\b\d+\.\d+\b", lambda draw, old, complex_: old.replace(".", "")),
    "number word deleted": _deleted(rf"\b(?:{'|'.join(_COUNTS)})\b"),
    "number word changed": _changed(rf"\b(?:{'|'.join(_COUNTS)})\b", _other_of(_COUNTS)),
    "numbers exchanged": _turned,
    "name deleted": _deleted(_NAME),
    "long name deleted": _deleted(_LONG_NAME),
    "name changed": _changed(f"{_NAME}|{_LONG_NAME}", lambda draw, old, complex_: draw.choice(NEW_NAMES)),
    "half of a name deleted": _half_name,
    "first name deleted": _first_name(new=False),
    "first name changed": _first_name(new=True),
    "not deleted": _denied(r"(?i)\bnot (?!only|just)", ""),
    "n't deleted": _denied(r"(?i)(?<!ca)(?<!wo) ?n['’]t\b", ""),
    "can for cannot": _denied(r"\bcannot\b|\bcan['’]t\b|\bcan not\b", "can"),
    "never deleted": _denied(r"\bnever\b", ""),
    "still for no longer": _denied(r"\bno longer\b", "still"),
    "no deleted": _denied(r"\bno (?!longer|doubt|matter|one)(?=[a-z])", ""),
    "with for without": _denied(r"\bwithout\b", "with"),
    "both for neither": _neither,
    "hardly deleted": _denied(r"\bhardly\b", ""),
    "denying prefix deleted": _prefix(_OPPOSITES),
    "denying prefix added": _prefix({plain: denying for denying, plain in _OPPOSITES.items()}),
    "not added": _denied_newly("not"),
    "never added": _denied_newly("never"),
}


def planted(pairs: Sequence[tuple[str, str]], count: int, lower: bool) -> dict[str, list[Planted]]:
    """So many errors of each kind where there are places; with `lower` those in names, in lower-cased text."""
    draw = Random(5)
    order = draw.sample(range(len(pairs)), len(pairs))
    by_kind: dict[str, list[Planted]] = {}
    for kind, plant in KINDS.items():
        made = ((pairs[index], plant(draw, *pairs[index])) for index in order if "name" in kind or not lower)
        items = (Planted(kind, *pair, wrong) for pair, wrong in made if wrong is not None)
        by_kind[kind] = [_lowered(item) if lower else item for item, _ in zip(items, range(count), strict=False)]
    return {kind: items for kind, items in by_kind.items() if items}


def _lowered(item: Planted) -> Planted:
    return Planted(item.kind, item.complex.lower(), item.simple.lower(), item.wrong.lower())


def figures(pairs: Sequence[tuple[str, str]], count: int, lower: bool) -> dict[str, str]:
    """Of each kind how many alarm, and how many are reported at all, of how many; the last row is their sum."""
    rows: dict[str, tuple[int, int, int]] = {}
    for kind, items in planted(pairs, count, lower).items():
        rows[kind] = sum(map(is_found, items)), sum(map(is_reported, items)), len(items)
    rows["all"] = tuple(map(sum, zip(*rows.values(), strict=True)))  # type: ignore[assignment]
    return {kind: f"{alarm} alarm, {told} reported of {number}" for kind, (alarm, told, number) in rows.items()}


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mirror", type=Path, default=os.environ.get("TEXTSIMP_MIRROR"), required=False)
    parser.add_argument("--count", type=int, default=40, help="errors of a kind at most")
    parser.add_argument("--references", type=int, default=1000)
    arguments = parser.parse_args()
    shares: dict[str, object] = {}
    for name, read in (("wiki_auto", wiki_auto), ("one_stop", one_stop), ("d_wikipedia", d_wikipedia)):
        pairs = list(read(Path(arguments.mirror)))
        shares[name] = figures(pairs, arguments.count, lower=False)
        if name != "d_wikipedia":
            shares[f"{name}, names of lower-cased text"] = figures(pairs, arguments.count, lower=True)
        some = drawn(pairs, arguments.references)
        share = sum(bool(check_output(*pair).alarms) for pair in some) / len(some)
        shares[f"{name}, pairs as they are that alarm"] = f"{share:.1%} of {len(some)}"
        print(json.dumps(shares, indent=2), flush=True)


if __name__ == "__main__":
    main()
