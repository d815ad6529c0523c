"""The loop over document pairs: here, in several processes, or on a Ray cluster, always with the same bytes.

The new training data of section 3 of Jiang et al. 2020 and its old counterpart are made so, and a user's own documents.
"""

import hashlib
import json
import logging
import math
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, groupby, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import numpy as np
from pydantic import Field
from scipy.optimize import linear_sum_assignment

from textsimp.alignment import fitted
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import CRF, Part, SystemConfig
from textsimp.alignment.spec import SystemSpec
from textsimp.alignment.systems import System
from textsimp.core import pool
from textsimp.core.devices import ONE_THREAD, one_thread, processors
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.reading import parse_json
from textsimp.core.records import (
    NEW,
    OWN,
    Document,
    DocumentPair,
    Link,
    numbered_pairs,
    pair_from_json,
    pair_line,
    unlabelled,
    write_pairs,
)
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.core.writing import growing_file, partial_place

LOCAL, RAY = "local", "ray"
MOST_WORKERS = 10_000
"""More than any machine or cluster has use for."""
COUNT_PAIRS = 2000
"""Document pairs, evenly spread, in which words are counted; more change the counts little, and every worker reads
them."""
_TOGETHER = 16
"""Document pairs of an article set that are encoded at once, as its levels share sentences; Newsela's have ten."""
_SENTENCE, _SENTENCE_PAIR = 0.007, 5e-6
"""Seconds that the default aligner takes for each, on one core of a server."""
_LONG = 30.0
"""Seconds from which on a document pair is named before it is begun; other machines and aligners are slower."""
_NEIGHBOUR = 1.0
"""What a linked neighbour is worth, where the whole length of the texts is worth 1."""
_KEY = "unfinished alignment by"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AutoAlignConfig:
    """The automatic alignment of a corpus: `corpus.NAME.align` in params.yaml.

    splits: NEWSELA-AUTO covers the articles without annotation (section 3.1), WIKI-AUTO all of them, those that
        the aligner was trained on included (section 3.2).
    system: what makes `auto`, the paper's new data: `neural_crf_paper`, another aligner that is trained for the corpus
        `aligner`, or one that travels with the package (`textsimp.alignment.fitted`), which needs no pair encoder and
        is ten times as quick.
    own: what makes a third training set `own`, such as `neural_crf`; null for none.
    encoder: the pair encoder of the corpus's aligner, a key of `encoder_corpora`.
    aligner: the corpus whose trained aligner aligns this one: itself, or another where it has no annotation.
    """

    splits: list[str]
    system: str
    own: str | None
    encoder: str
    aligner: str

    @property
    def systems(self) -> dict[str, str]:
        """Map each training set but `old` to the name of the system that aligns it."""
        return {NEW: self.system} | ({OWN: self.own} if self.own else {})

    def spec(
        self, name: str, system: SystemConfig, vectors: WordVectorConfig, encoder: EncoderConfig, models: Path | None
    ) -> SystemSpec:
        """Describe one of `systems`, trained in `models`/aligner/CORPUS or `models`/aligner_variant/CORPUS/VARIANT."""
        if system.strategy.name != CRF:
            return SystemSpec(name, system, vectors, encoder, fitted=fitted.shipped(name))
        if models is None:
            raise InputError(f"{name} is trained before it aligns; give the folder of the trained aligners, --models")
        options = dict(system.strategy.options)
        variant = options.pop("variant", None)
        model = models / "aligner_variant" / self.aligner / variant if variant else models / "aligner" / self.aligner
        return SystemSpec(name, replace(system, strategy=Part(CRF, options)), vectors, encoder, model=model)


@dataclass(frozen=True)
class Execution:
    """The workers that align; they change the speed and no result: `execution` in params.yaml.

    executor: `local`, processes of this machine, or `ray`, a Ray cluster (RAY_ADDRESS).
    workers: how many at a time; None takes all processors, or one for a GPU. A single local one works in this process.
    """

    executor: Literal["local", "ray"] = "local"
    workers: Annotated[int, Field(ge=1, le=MOST_WORKERS)] | None = None

    def number(self, device: Device) -> int:
        """Return how many workers there are on this machine."""
        is_gpu = device.device != "cpu" and device.prepare() != "cpu"
        return self.workers or (1 if is_gpu else processors())


@dataclass(frozen=True)
class ArticleSet:
    """Neighbouring document pairs of one article set, which are encoded together.

    An encoder's last bits depend on what else is in a batch. So the cut depends on the input alone, and not on who
    aligns or on what an earlier run has finished. `first` is the place of the first pair in the input, from 0, `open`
    the places in `pairs` of those that are still to be aligned.
    """

    first: int
    pairs: Sequence[DocumentPair]
    open: Sequence[int]

    def __str__(self) -> str:
        return f"document pairs {self.pairs[0].id} to {self.pairs[-1].id}"


Aligned = list[tuple[int, tuple[Link, ...]]]
"""The links of document pairs, by their places in the input."""
Executor = Callable[..., Iterator[tuple[ArticleSet, Aligned]]]
"""Who does tasks in several processes; see `textsimp.core.pool.run`, which is one."""


def align_pairs(
    spec: SystemSpec,
    pairs: Sequence[DocumentPair],
    write: Callable[[Sequence[DocumentPair]], None],
    device: Device,
    execution: Execution,
    executor: Executor = pool.run,
    unfinished: Path | None = None,
    with_scores: bool = False,
) -> None:
    """Align document pairs, and write all of them, in their order, when the last one is aligned.

    Args:
        pairs: their ids differ.
        unfinished: file in which each pair is kept as soon as it is aligned, as a line of JSON (docs/formats.md), until
            all are written. A run that finds it there aligns the others alone; another aligner, model, setting or
            text counts as not aligned. None keeps nothing.
        with_scores: each link has a score, how sure the system is of it (`System.scores` of Task 1), or none where it
            has no such number; and sentences that are repeated in both texts are linked one to one.

    Raises:
        InputError: the system cannot be made or fitted; or workers were killed again and again.
    """
    words = _spread(pairs) if spec.counts_words and pairs else []
    links: dict[int, tuple[Link, ...]] = {}
    with ExitStack() as stack:
        keep: Callable[[str], None] = lambda line: None  # noqa: E731
        if unfinished is not None:
            lines, keep = stack.enter_context(growing_file(unfinished, _identity(spec, pairs, words, with_scores)))
            links = _kept(lines, pairs)
            if lines:
                _log.warning("%d of %d document pairs were aligned by an earlier run", len(links), len(pairs))
        with progress(range(len(pairs)), initial=len(links), desc="align", unit=" document pairs", delay=0) as bar:
            tasks = list(article_sets(pairs, links))
            found = _links(spec, tasks, words, device, execution, executor, unfinished, with_scores)
            for place, found_links in stack.enter_context(closing(found)):
                links[place] = found_links
                keep(pair_line(replace(pairs[place], alignments=found_links)))
                bar.update(1)
        write([replace(pair, alignments=links[place]) for place, pair in enumerate(pairs)])


def align_files(
    spec: SystemSpec, files: Sequence[Path], output: Path, device: Device, execution: Execution, executor: Executor
) -> None:
    """Align the document pairs of JSON Lines files into one; gold links of the input are not read.

    Unfinished work waits beside the folder of the output, which DVC deletes before it runs a stage; see `align_pairs`.
    """
    unfinished = partial_place(output.parent.with_name(f"{output.parent.name}.{output.stem}"))
    write = partial(write_pairs, output)
    seen: dict[str, str] = {}  # ids of all files together
    pairs = (pair for file in files for _, pair in numbered_pairs(file, seen))
    align_pairs(spec, unlabelled(pairs), write, device, execution, executor, unfinished)


def article_sets(pairs: Sequence[DocumentPair], done: Mapping[int, object]) -> Iterator[ArticleSet]:
    """Yield the neighbours of one group, so many as are encoded at once, where one of them is not done."""
    for _, group in groupby(enumerate(pairs), key=lambda numbered: (numbered[1].corpus, numbered[1].group)):
        of_group = list(group)
        for start in range(0, len(of_group), _TOGETHER):
            part = of_group[start : start + _TOGETHER]
            if places := [index for index, (place, _) in enumerate(part) if place not in done]:
                yield ArticleSet(part[0][0], [pair for _, pair in part], places)


def align_set(system: System, task: ArticleSet, with_scores: bool = False) -> Iterator[tuple[int, tuple[Link, ...]]]:
    """Yield the links of each open document pair; the same whatever the system saw before."""
    system.prepare(task.pairs)
    for index in task.open:
        pair = task.pairs[index]
        links = _scored_links(system, pair) if with_scores else sorted(system.align(pair))
        yield task.first + index, tuple(links)


def _scored_links(system: System, pair: DocumentPair) -> list[Link]:
    """Return links with scores. A system of probabilities sees each sentence once, else they would be shared."""
    complex_, complex_places = _once(pair.complex, system.has_probabilities)
    simple, simple_places = _once(pair.simple, system.has_probabilities)
    asked = replace(pair, complex=complex_, simple=simple, alignments=None)
    links, values, found = system.align(asked), system.scores(asked, "task1"), list[Link]()
    for link in links:
        score = float(values[link.simple, link.complex])
        places = product(simple_places[link.simple], complex_places[link.complex])
        found += [Link(*place, link.label, score if math.isfinite(score) else None) for place in places]
    return each_once(pair, sorted(found))


def _once(document: Document, drops: bool) -> tuple[Document, list[list[int]]]:
    """Return a document, which `drops` sentences that it had before, and all places of each that stays."""
    places: dict[str | int, list[int]] = defaultdict(list)
    for place, text in enumerate(document.sentences):
        places[text if drops else place].append(place)
    first, numbers = {found[0] for found in places.values()}, count()
    paragraphs = (tuple(text for text in part if next(numbers) in first) for part in document.paragraphs)
    return replace(document, paragraphs=tuple(filter(None, paragraphs))), list(places.values())


def align_pair(system: System, pair: DocumentPair) -> list[Link]:
    """Return the links of one document pair with their scores, as `align_pairs` does with `with_scores`."""
    ((_, links),) = align_set(system, ArticleSet(0, [pair], [0]), with_scores=True)
    return list(links)


def each_once(pair: DocumentPair, links: Sequence[Link]) -> list[Link]:
    """Return the links, those between repeated sentences (`Read more.`) one to one.

    They stay beside linked neighbours, else in their order.
    """
    repeated: dict[tuple[str, str], list[Link]] = defaultdict(list)
    for link in links:
        texts = pair.complex.sentences[link.complex], pair.simple.sentences[link.simple]
        repeated[texts[0].lower(), texts[1].lower()].append(link)
    kept = {(link.simple, link.complex): link for link in links}
    for group in repeated.values():
        rows, columns = sorted({link.simple for link in group}), sorted({link.complex for link in group})
        if min(len(rows), len(columns)) > 1:
            for link in set(group) - _matched(pair, group, kept, rows, columns):
                del kept[link.simple, link.complex]
    return list(kept.values())


def _matched(
    pair: DocumentPair, group: list[Link], links: Mapping[tuple[int, int], Link], rows: list[int], columns: list[int]
) -> set[Link]:
    """Return the links of a group that stay."""
    worth = np.full((len(rows), len(columns)), -float(len(links) + 1))
    for link in group:
        neighbours = sum((link.simple + step, link.complex + step) in links for step in (-1, 1))
        places = link.simple / len(pair.simple.sentences), link.complex / len(pair.complex.sentences)
        value = _NEIGHBOUR * neighbours - abs(np.subtract(*places))
        worth[rows.index(link.simple), columns.index(link.complex)] = value
    chosen = {(rows[i], columns[j]) for i, j in zip(*linear_sum_assignment(worth, maximize=True), strict=True)}
    return {link for link in group if (link.simple, link.complex) in chosen}


def _links(
    spec: SystemSpec,
    tasks: Sequence[ArticleSet],
    words: Sequence[DocumentPair],
    device: Device,
    execution: Execution,
    executor: Executor,
    unfinished: Path | None,
    with_scores: bool,
) -> Generator[tuple[int, tuple[Link, ...]], None, None]:
    if not tasks:
        return
    number = min(execution.number(device), len(tasks))
    is_here = execution.executor == LOCAL and number == 1
    alone = replace(device, threads=1, passes=device.threads_alone if is_here else 1)
    # the nodes of a cluster share the folder of the output, and not that of temporary files
    shared = (unfinished or Path("output")).parent if execution.executor == RAY else None
    with TemporaryDirectory(dir=shared) as name:
        ready, corpus = spec.fitted_in(Path(name, "system"), device, words)
        if is_here:
            with one_thread():
                system = ready.load(alone, corpus)
                for task in _told(tasks):
                    yield from align_set(system, task, with_scores)
            return
        if corpus:
            ready = replace(ready, corpus=Path(name, "corpus.jsonl").resolve())
            write_pairs(Path(name, "corpus.jsonl"), corpus)
        for _, found in executor(partial(_worker, ready, alone, with_scores), _told(tasks), number, ONE_THREAD):
            yield from found


def _told(tasks: Sequence[ArticleSet]) -> Iterator[ArticleSet]:
    """Yield the tasks, each after a warning of those of its document pairs that take minutes."""
    for task in tasks:
        for pair in (task.pairs[index] for index in task.open):
            sides = len(pair.complex.sentences), len(pair.simple.sentences)
            if _SENTENCE * sum(sides) + _SENTENCE_PAIR * math.prod(sides) >= _LONG:
                _log.warning("%s: %d x %d sentences in one document pair take minutes", pair.id, *sides)
        yield task


def _worker(spec: SystemSpec, device: Device, with_scores: bool) -> Callable[[ArticleSet], Aligned]:
    """Load the system; return what aligns one article set after the other."""
    system = spec.load(device)
    return lambda task: list(align_set(system, task, with_scores))


def _identity(spec: SystemSpec, pairs: Sequence[DocumentPair], words: Sequence[DocumentPair], with_scores: bool) -> str:
    """Return a line of JSON that says all that the links of a document pair depend on, beside its sentences."""
    others = pairs if spec.config.paragraphs == "gold" else words
    digest = hashlib.sha256("".join(map(pair_line, others)).encode()).hexdigest()
    return json.dumps({_KEY: {**spec.identity(), "others": digest, "with_scores": with_scores}}, sort_keys=True)


def _kept(lines: Sequence[str], pairs: Sequence[DocumentPair]) -> dict[int, tuple[Link, ...]]:
    """Return the links that an earlier run has found, of the pairs that are still the same to the letter."""
    places = {pair.id: place for place, pair in enumerate(pairs)}
    links = {}
    for line in lines:
        try:
            found = pair_from_json(parse_json(line, "", None))
        except InputError:  # damaged since: aligned again
            continue
        place = places.get(found.id)
        if place is not None and found == replace(pairs[place], alignments=found.alignments):
            links[place] = found.alignments or ()
    return links


def _spread(pairs: Sequence[DocumentPair]) -> list[DocumentPair]:
    """Return about evenly spread document pairs, `COUNT_PAIRS` of them or all, in their order."""
    total, wanted = len(pairs), min(COUNT_PAIRS, len(pairs))
    return [pair for k, pair in enumerate(pairs) if (k + 1) * wanted // total > k * wanted // total]
