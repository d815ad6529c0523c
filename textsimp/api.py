"""The interface of `import textsimp` (docs/python.md): no checkout, no training and no configuration are needed."""

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeAlias, overload

from textsimp.alignment.fitted import DEFAULT
from textsimp.core.errors import InputError
from textsimp.core.records import Document, DocumentPair
from textsimp.core.text_form import line_form, text_form
from textsimp.evaluation.simplification import check_lengths
from textsimp.evaluation.text_traits import form_for, in_domain, language_of
from textsimp.metrics.line_order import misplaced
from textsimp.metrics.registry import MetricOptions, Texts, checked_names, metric_statistics, with_form
from textsimp.metrics.scores import Score
from textsimp.metrics.tokens import CHARACTERS, in_form
from textsimp.sources.plain import split_text
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE

if TYPE_CHECKING:
    from textsimp.alignment.systems import System
    from textsimp.simplification.interface import TrainedSimplifier

    Model: TypeAlias = TrainedSimplifier | str | Path | None

_FILE = re.compile(r"\S+\.(?:txt|text|md|html?|docx?|odt|rtf|pdf|jsonl?|tsv|csv|complex|simple)|(?:\.{0,2}/)\S+", re.I)
"""A text that can only be the name of a file."""
Text: TypeAlias = str | Sequence[str]
"""Plain text, its paragraphs separated by blank lines; or the sentences of one paragraph."""


@dataclass(frozen=True)
class SentenceLink:
    """One link between two sentences.

    Attributes:
        complex, simple: the sentences.
        label: `aligned` (same meaning) or `partial` (one of them says something of weight that the other does not).
        complex_index, simple_index: their places in the texts, from 0.
        probability: how sure the aligner is that the two are linked, from 0 to 1; None where it has similarities alone.
    """

    complex: str
    simple: str
    label: str
    complex_index: int
    simple_index: int
    probability: float | None = None


class LoadedAligner:
    """An alignment system that is ready for any text; made by `load_aligner`."""

    def __init__(self, ready: Callable[[DocumentPair], "System"]) -> None:
        self._ready = ready

    def align(
        self,
        complex: Text,
        simple: Text,
        language: str = DEFAULT_LANGUAGE,
        lines: str = "auto",
        min_probability: float | None = None,
    ) -> list[SentenceLink]:
        """The links between the sentences of two texts; arguments and errors as of `align`."""
        from textsimp.alignment.documents import align_pair  # numpy and scipy are slow to import
        from textsimp.alignment.systems import with_least

        documents = document(complex, "complex", language, lines), document(simple, "simple", language, lines)
        pair = DocumentPair("", "", "", *documents)
        sides = pair.complex.sentences, pair.simple.sentences
        system = with_least(self._ready(pair), min_probability)
        links = []
        for link in align_pair(system, pair):
            i, j = link.simple, link.complex
            score = round(link.score, 4) if system.has_probabilities and link.score is not None else None
            links.append(SentenceLink(sides[0][j], sides[1][i], link.label.value, j, i, score))
        return links


def align(
    complex: Text,
    simple: Text,
    aligner: LoadedAligner | None = None,
    language: str = DEFAULT_LANGUAGE,
    lines: str = "auto",
    min_probability: float | None = None,
) -> list[SentenceLink]:
    """The links between the sentences of two texts, in the order of the simple text.

    Args:
        complex, simple: plain text, paragraphs separated by blank lines; or lists of sentences.
        aligner: what `load_aligner` gives. By default the trained aligner that comes with the package
            (docs/aligners.md), which is loaded once.
        language: whose rules split plain text into sentences: de, en, es, fr, it or pt.
        lines: what the end of a line means in plain text: `auto` (guessed), `wrapped` (nothing) or `sentences` (a
            sentence ends); docs/formats.md has the rules.
        min_probability: of a link, from 0 to 1, above or below the aligner's own threshold.

    Raises:
        InputError: a text has no sentences, language or lines are unknown, or the aligner has no probabilities.
    """
    return (aligner or _default()).align(complex, simple, language, lines, min_probability)


@functools.cache
def _default() -> LoadedAligner:
    return load_aligner(DEFAULT)


def load_aligner(folder: str | Path) -> LoadedAligner:
    """A trained neural aligner, as `make repro` leaves them in models/aligner, or a saved system (docs/aligners.md).

    Raises:
        InputError: the folder holds neither, or a damaged one.
    """
    from textsimp.alignment.neural.aligner_settings import Device
    from textsimp.alignment.spec import SystemSpec

    device, spec = Device.of_command(), SystemSpec.named(None, Path(folder))
    if spec.counts_words:
        return LoadedAligner(lambda pair: spec.load(device, [pair]))
    system = spec.load(device)
    return LoadedAligner(lambda pair: system)


def document(text: Text, name: str = "text", language: str = DEFAULT_LANGUAGE, lines: str = "auto") -> Document:
    """A text as a document of paragraphs of sentences; plain text is split into sentences by rules.

    Raises:
        InputError: there is no sentence, an empty one, or language or lines are unknown.
    """
    given = _text(name, text)
    paragraphs = split_text(given, language, lines) if isinstance(given, str) else (tuple(given),) if given else ()
    if not paragraphs:
        raise InputError(f"{name}: no sentences; give a text or a list of sentences")
    if empty := [index for index, sentence in enumerate(paragraphs[0]) if not sentence.strip()]:
        raise InputError(f"{name}: sentence {empty[0]} (from 0) is empty; leave it out")
    return Document(name, 0, paragraphs)


def _text(name: str, text: Text) -> Text:
    """Return a text, or sentences, in the form of all texts; raise `InputError` for the name of a file."""
    if isinstance(text, PurePath) or (isinstance(text, str) and _FILE.fullmatch(text)):
        raise InputError(f"{name}: {str(text)!r} is the name of a file; give its text, as Path(...).read_text('utf-8')")
    return text_form(text) if isinstance(text, str) else _sentences(name, text)


def _sentences(name: str, sentences: Sequence[str]) -> list[str]:
    """Return sentences in the form of all texts; raise `InputError` for what is no list of texts."""
    is_list = isinstance(sentences, Iterable) and not isinstance(sentences, str)
    if not is_list or not all(isinstance(sentence, str) for sentence in sentences):
        raise InputError(f"{name}: one text where a list of sentences is expected, or something that is no text")
    return [line_form(sentence) for sentence in sentences]


def load_simplifier(
    folder: str | Path | None = None, strength: str | None = None, caution: float | None = None
) -> "TrainedSimplifier":
    """Return a trained simplifier, as `make repro` leaves them in models/simplifier; by default that of the package.

    Args:
        strength: how far a language model goes: `light`, `medium`, `strong`, or what its configuration names.
        caution: how sure a language model has to be of an output, from 0 to 1; else the sentence stays as it is.

    Raises:
        InputError: the folder holds none, or a damaged one, or one without strength and caution; or the package has
            none.
    """
    from textsimp.alignment.neural.aligner_settings import Device
    from textsimp.core.devices import resolve_device
    from textsimp.simplification.interface import Runtime
    from textsimp.simplification.simplified_text import load_model

    runtime = Device.of_command()
    where = Runtime(resolve_device(runtime.device), runtime.threads)
    return load_model(None if folder is None else Path(folder), where, strength, caution)


@overload
def simplify(  # type: ignore[overload-overlap]  # a text is a sequence of texts, too
    text: str, model: "Model" = None, language: str = DEFAULT_LANGUAGE, lines: str = "auto"
) -> str: ...


@overload
def simplify(
    text: Sequence[str], model: "Model" = None, language: str = DEFAULT_LANGUAGE, lines: str = "auto"
) -> list[str]: ...


def simplify(
    text: Text, model: "Model" = None, language: str = DEFAULT_LANGUAGE, lines: str = "auto"
) -> str | list[str]:
    """A text with each of its sentences simplified, its paragraphs, lists and headings in their places.

    Args:
        text: plain text; or a list of sentences, which gives a list of as many.
        model: what `load_simplifier` gives, or its folder; by default the simplifier that comes with the package.
        language, lines: as for `align`, of plain text.

    Raises:
        InputError: the text has no sentences, language or lines are unknown, or there is no such simplifier.
    """
    from textsimp.simplification.running_text import joined, parts_of_lines, parts_of_text
    from textsimp.simplification.simplified_text import answers

    text = _text("text", text)
    parts = parts_of_text(text, language, lines) if isinstance(text, str) else parts_of_lines(text, language)
    if not parts:
        raise InputError("text: no sentences; give a text or a list of sentences")
    simplifier = load_simplifier(model) if model is None or isinstance(model, str | Path) else model
    outputs = answers([part.text for part in parts if not part.kept], simplifier)
    made = [part.text if part.kept else outputs[part.text][0].text for part in parts]
    return joined(parts, made) if isinstance(text, str) else made


def sari(complex: Sequence[str], output: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    """SARI as the paper computes it (Xu et al. 2016): per sentence, in percent, with its parts add, keep and del.

    Args:
        complex: N complex sentences, tokens separated by spaces.
        output: a system's N outputs for them.
        references: R sets of N reference sentences.

    Raises:
        InputError: the numbers of sentences differ, or are 0.
    """
    return score(complex, output, references, ["sari"])["sari"]


def score(
    complex: Sequence[str], output: Sequence[str], references: Sequence[Sequence[str]], metrics: Sequence[str] = ()
) -> dict[str, Score]:
    """Scores of one system's outputs, each with its parts and its signature, which says exactly what was computed.

    Args:
        complex, output, references: as in `sari`.
        metrics: names from docs/metrics.md, or `all`; by default those of the paper's tables and corpus SARI, as far as
            they say something about texts in such a language.

    Raises:
        InputError: the numbers of sentences differ or are 0, one is too long, or a metric is unknown or about English.
    """
    complex, output = _sentences("complex", complex), _sentences("output", output)
    references = [_sentences(f"references[{number}]", lines) for number, lines in enumerate(references)]
    lengths = [len(complex), len(output), *map(len, references)]
    if not references or len(set(lengths)) > 1 or not lengths[0]:
        raise InputError(f"complex, output and references have {lengths} sentences; give as many of each, 1 at least")
    for number, column in enumerate((complex, output, *references)):
        check_lengths(("complex", "output")[number] if number < 2 else f"references[{number - 2}]", column)
    _check_order(complex, references)
    language = language_of(complex, output)
    form = form_for(language, None)
    options = MetricOptions(max_tokens=None) if form == CHARACTERS else MetricOptions()
    _, names = in_domain(checked_names(metrics, options), metrics, language)
    old, new, *goals = (in_form(lines, form) for lines in (complex, output, *references))
    statistics = metric_statistics(names, Texts(old, new, goals), options)
    scores = {name: statistics[name].score() for name in names}
    return {name: replace(score, signature=with_form(score.signature, form)) for name, score in scores.items()}


def _check_order(complex: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Raise `InputError` where as many references as sentences stand in lists by sentence, not by set."""
    if len(references) == len(complex) > 1:
        turned = list(zip(*references, strict=True))
        own, other = (sum(misplaced(complex, lines) for lines in sets) for sets in (references, turned))
        if own > other + 0.5:
            raise InputError("references: a list for each sentence; give a list for each set of references")
