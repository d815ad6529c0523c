"""Benchmark of the sentence splitter of plain text: time in the length of a text, and hand-made cases by language.

Run from the repository's root:

    python -m benchmarks.splitting [--length 1000000] [--text FILE ...] [--language en] [--libraries]

`seconds` is the time for a text of `--length` characters that repeats one part, `ratio` that to the time for half of
it: 2 is linear, 4 quadratic. Each `--text` is repeated to that length too. `cases` are those of tests/sentence_cases:
F1 of sentence ends, and how many texts are split exactly right, for each language and part; with `--libraries` also for
those of pysbd, syntok and sentencex that are installed, which get the text as it is and, as NAME+layout, the pieces
that `textsimp.sources.splitting.layout` finds.
"""

import argparse
import importlib
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from textsimp.sources.plain import split_text
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE, load_language
from textsimp.sources.splitting.layout import text_paragraphs

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from splitting_cases import LANGUAGES, Case, cases  # noqa: E402

Splitter = Callable[[str, str], list[str]]
"""From text and language to sentences."""
PARTS_OF_CASES = ("dev", "test", "further")
PARTS = {
    "letters": "a", "words": "word ", "full stops": ".", "spaced full stops": ". ", "brackets": "(", "quotes": '"',
    "letters and stops": "a.b.c.", "initials": "J. ", "abbreviations": "z. B. ", "ordinals": "3. ",
    "questions": "?' A ", "open brackets": "(a. B ", "open quotes": "„a. B ", "lines": "a\n",
    "wrapped lines": "word word word word word word word word word word\n", "bullets": "- a\n",
    "empty bullets": "- \n", "numbers": "1. a\n", "rules": "a\n---\n", "tabs": "a\t", "pipes": "|", "emoji": "! 😀",
    "elisions": ". [...]", "footnotes": ".[1]", "Chinese": "中文。", "soft hyphens": "a\u00ad\n",
    "sentences": "Dr. Hill came on Monday, he said. Nobody (not one) was there at 5 p.m. on that day. ",
}  # fmt: skip


def seconds(text: str, language: str) -> float:
    """How long a text takes."""
    begin = time.perf_counter()
    split_text(text, language)
    return time.perf_counter() - begin


def times(texts: dict[str, str], length: int, language: str) -> dict[str, dict[str, float]]:
    """Seconds for each part repeated to a length in characters, and their ratio to those for half of it."""
    rows = {}
    for name, part in texts.items():
        text = (part * (length // len(part) + 1))[:length]
        half, whole = seconds(text[: length // 2], language), seconds(text, language)
        rows[name] = {"seconds": whole, "ratio": whole / half}
    return rows


def ends(sentences: Iterable[str]) -> set[int]:
    """After how many letters and digits of the text its sentences end, but for the last."""
    ends, letters = set(), 0
    for sentence in sentences:
        letters += sum(char.isalnum() for char in sentence)
        ends.add(letters)
    return ends - {0, letters}


def own(text: str, language: str) -> list[str]:
    """The project's splitter."""
    return [sentence for paragraph in split_text(text, language) for sentence in paragraph]


def libraries() -> dict[str, Splitter]:
    """Those that are installed."""
    splitters: dict[str, Splitter] = {}
    for name in ("pysbd", "syntok.segmenter", "sentencex"):
        try:
            module: Any = importlib.import_module(name)
        except ImportError:
            continue
        splitter = _adapted(name, module)
        splitters[name.split(".")[0]] = splitter
        splitters[f"{name.split('.')[0]}+layout"] = _with_layout(splitter)
    return splitters


def _adapted(name: str, module: Any) -> Splitter:
    if name == "pysbd":  # has no Portuguese
        segmenters = {code: module.Segmenter("es" if code == "pt" else code, clean=False) for code in LANGUAGES}
        return lambda text, language: list(segmenters[language].segment(text))
    if name == "sentencex":
        return lambda text, language: list(module.segment(language, text))
    return lambda text, language: [
        "".join(token.spacing + token.value for token in sentence)
        for paragraph in module.analyze(text)
        for sentence in paragraph
    ]


def _with_layout(splitter: Splitter) -> Splitter:
    def split(text: str, language: str) -> list[str]:
        pieces = [piece for paragraph in text_paragraphs(text, load_language(language)) for piece in paragraph]
        return [
            sentence
            for piece in pieces
            for sentence in ([piece.text] if piece.whole else splitter(piece.text, language))
        ]

    return split


def scores(splitter: Splitter, chosen: list[Case]) -> dict[str, float]:
    """F1 of sentence ends, in percent, and how many texts are split exactly right."""
    right = wrong = missed = exact = 0
    for case in chosen:
        gold = [sentence for paragraph in case.paragraphs for sentence in paragraph]
        split = [" ".join(sentence.split()) for sentence in splitter(case.text, case.language)]
        split = [sentence for sentence in split if sentence in gold or any(char.isalnum() for char in sentence)]
        right += len(ends(gold) & ends(split))
        wrong += len(ends(split) - ends(gold))
        missed += len(ends(gold) - ends(split))
        exact += split == gold
    return {"f1": 200 * right / (2 * right + wrong + missed), "exact": exact, "texts": len(chosen)}


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--length", type=int, default=1_000_000)
    parser.add_argument("--text", type=Path, nargs="*", default=[])
    parser.add_argument("--language", default=DEFAULT_LANGUAGE)
    parser.add_argument("--libraries", action="store_true")
    arguments = parser.parse_args()
    texts = PARTS | {path.name: path.read_text(encoding="utf-8") for path in arguments.text}
    splitters = {"textsimp": own, **(libraries() if arguments.libraries else {})}
    result: dict[str, Any] = {
        "times": times(texts, arguments.length, arguments.language),
        "cases": {
            name: {
                f"{code} {part}": scores(splitter, [case for case in cases(code) if case.part == part])
                for code in LANGUAGES
                for part in PARTS_OF_CASES
            }
            for name, splitter in splitters.items()
        },
    }
    for part, row in result["times"].items():
        print(f"{part:20} {row['seconds']:7.2f} s  ratio {row['ratio']:.2f}")
    for splitter_name, by_part in result["cases"].items():
        cells = (f"{where} {row['f1']:5.1f} {row['exact']}/{row['texts']}" for where, row in by_part.items())
        print(f"{splitter_name:18}", " | ".join(cells))


if __name__ == "__main__":
    main()
