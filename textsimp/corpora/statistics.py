"""The statistics of Jiang et al. 2020, Tables 1 and 4; keys are the names in data/published/corpus_statistics.csv.

Lengths are in tokens of `filters.tokens` (13a: punctuation counts). A phenomenon is a connected component of a document
pair's links, named by how many complex and simple sentences it joins; docs/corpora.md says why.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from textsimp.core.records import AlignmentLabel, DocumentPair
from textsimp.corpora.filters import tokens
from textsimp.metrics.links import components

Statistics = dict[str, int | float]
TextPair = tuple[str, str]
REPHRASING = "rephrasing (1-to-1)"
COPYING = "copying (1-to-1)"
SPLITTING = "splitting (1-to-n)"
MERGING = "merging (n-to-1)"
FUSION = "fusion (m-to-n)"
DELETION = "deletion (1-to-0)"
PHENOMENA = (REPHRASING, COPYING, SPLITTING, MERGING, FUSION, DELETION)


class Tally:
    """Counts over labelled document pairs, one pass, without keeping the documents (Table 1).

    `linked` picks the column that is being counted. False: Newsela-Manual, where "sentence pairs" are all m x n pairs
    of each document pair, unique sentences those of the documents, and lengths are means over the unique ones. True:
    Newsela-Auto, where "sentence pairs" are the linked ones that are not identical (see `phenomena`), unique sentences
    those in them, and lengths are means over the pairs.
    """

    def __init__(self, linked: bool) -> None:
        self.linked = linked
        self.groups: set[str] = set()
        self.levels: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._phenomena: Counter[str] = Counter()
        self._length_of_complex_document: dict[tuple[str, str, int], int] = {}
        self._simple_documents: set[tuple[str, str, int]] = set()
        self._complex: Counter[str] = Counter()
        self._simple: Counter[str] = Counter()

    def add(self, pair: DocumentPair) -> None:
        """Count a labelled document pair."""
        self.groups.add(pair.group)
        self.levels[f"{pair.complex.level}-{pair.simple.level}"] += 1
        complex_, simple = ((pair.group, side.id, side.level) for side in (pair.complex, pair.simple))
        self._length_of_complex_document[complex_] = len(pair.complex.sentences)
        self._simple_documents.add(simple)
        self._phenomena.update(phenomena(pair))
        if not self.linked:
            self._complex.update(pair.complex.sentences)
            self._simple.update(pair.simple.sentences)
        links = pair.alignments or ()
        self._counts["all"] += len(pair.complex.sentences) * len(pair.simple.sentences)
        self._counts["linked"] += len(links)
        for link in links:
            complex_sentence, simple_sentence = pair.complex.sentences[link.complex], pair.simple.sentences[link.simple]
            if complex_sentence == simple_sentence:
                continue
            self._counts[link.label.value] += 1
            if self.linked:
                self._complex[complex_sentence] += 1
                self._simple[simple_sentence] += 1

    def statistics(self) -> Statistics:
        """Return the column: every row of Table 1.

        The original of an article set is the document that is nobody's simple side: level 0 in Newsela, the
        standard article in Wikipedia. Partial links are counted without identical ones too, and `not aligned` is
        all m x n pairs without a link.
        """
        originals = self._length_of_complex_document.keys() - self._simple_documents
        aligned, partial = (self._counts[label.value] for label in (AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL))
        return {
            "original articles": len(self.groups),
            "article pairs": sum(self.levels.values()),
            "original sentences (level 0)": sum(self._length_of_complex_document[name] for name in originals),
            "sentence pairs": aligned + partial if self.linked else self._counts["all"],
            "unique complex sentences": len(self._complex),
            "unique simple sentences": len(self._simple),
            "average length of simple sentence": self._mean(self._simple),
            "average length of complex sentence": self._mean(self._complex),
            "aligned (not identical)": aligned,
            "partially aligned": partial,
            "not aligned": self._counts["all"] - self._counts["linked"],
            **self._phenomena,
        }

    def _mean(self, sentences: Counter[str]) -> float:
        """Return the mean length; a sentence weighs as often as it stands in a pair, or once in the manual column."""
        return mean_length(sentences.elements() if self.linked else sentences)


def manual_statistics(pairs: Iterable[DocumentPair]) -> Statistics:
    """Return Table 1, left column, of the manually aligned document pairs of all splits."""
    tally = Tally(linked=False)
    for pair in pairs:
        tally.add(pair)
    return tally.statistics()


def mean_length(sentences: Iterable[str]) -> float:
    """Return the mean number of tokens; 0 for no sentences."""
    lengths = [len(tokens(sentence)) for sentence in sentences]
    return sum(lengths) / len(lengths) if lengths else 0.0


def seq2seq_statistics(
    levels: Counter[str] | None, excluded: Collection[str], train: Sequence[TextPair], n_dev: int, n_test: int
) -> Statistics:
    """Return one column of Table 4; the lengths are those of the (complex, simple) training pairs.

    `levels` counts the document pairs of each level combination (None: there are no documents); those that are not
    excluded are the "article pairs" (13k of Newsela-Auto are 1,882 sets of 7 combinations).
    """
    counted = {"article pairs": sum(count for name, count in (levels or {}).items() if name not in excluded)}
    return {
        **({} if levels is None else counted),
        "train pairs": len(train),
        "dev pairs": n_dev,
        "test pairs": n_test,
        "average length of complex sentence": mean_length(complex_side for complex_side, _ in train),
        "average length of simple sentence": mean_length(simple_side for _, simple_side in train),
    }


def phenomena(pair: DocumentPair) -> Counter[str]:
    """Return how often each of `PHENOMENA` occurs in a labelled document pair.

    - rephrasing: one complex and one simple sentence, linked only to each other, that differ
    - copying: the same, identical
    - splitting: one complex sentence and two or more simple ones
    - merging: two or more complex sentences and one simple one
    - fusion: two or more of either
    - deletion: a complex sentence without a link
    """
    complex_, simple = pair.complex.sentences, pair.simple.sentences
    links = [(link.complex, link.simple) for link in pair.alignments or ()]
    groups = components(len(complex_), len(simple), links).tolist()
    complex_groups, simple_groups = groups[: len(complex_)], groups[len(complex_) :]
    text = [dict(zip(complex_groups, complex_, strict=True)), dict(zip(simple_groups, simple, strict=True))]
    n_simple = Counter(simple_groups)
    counts: Counter[str] = Counter(dict.fromkeys(PHENOMENA, 0))
    for group, n_complex in Counter(complex_groups).items():
        if not n_simple[group]:
            counts[DELETION] += 1
        elif n_complex == n_simple[group] == 1:
            counts[COPYING if text[0][group] == text[1][group] else REPHRASING] += 1
        elif n_complex == 1:
            counts[SPLITTING] += 1
        else:
            counts[MERGING if n_simple[group] == 1 else FUSION] += 1
    return counts
