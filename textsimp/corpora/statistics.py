"""The statistics of Jiang et al. 2020, Tables 1 and 4; keys are the names in data/published/corpus_statistics.csv.

Lengths are in tokens of `text.tokens` (13a: punctuation counts).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from textsimp.corpora.phenomena import phenomena
from textsimp.corpora.text import tokens
from textsimp.records import AlignmentLabel, DocumentPair

Statistics = dict[str, int | float]
TextPair = tuple[str, str]


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
        self._length_of_complex_document: dict[str, int] = {}
        self._simple_documents: set[str] = set()
        self._complex: Counter[str] = Counter()
        self._simple: Counter[str] = Counter()

    def add(self, pair: DocumentPair) -> None:
        """Count a labelled document pair."""
        self.groups.add(pair.group)
        self.levels[f"{pair.complex.level}-{pair.simple.level}"] += 1
        self._length_of_complex_document[pair.complex.id] = len(pair.complex.sentences)
        self._simple_documents.add(pair.simple.id)
        self._phenomena.update(phenomena(pair))
        self._count_links(pair)
        if not self.linked:
            self._complex.update(pair.complex.sentences)
            self._simple.update(pair.simple.sentences)

    def _count_links(self, pair: DocumentPair) -> None:
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
        """The column: every row of Table 1.

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
        """Mean length; a sentence weighs as often as it stands in a pair, or once in the manual column."""
        return mean_length(sentences if not self.linked else sentences.elements())


def manual_statistics(pairs: Iterable[DocumentPair]) -> Statistics:
    """Table 1, left column, of the manually aligned document pairs of all splits."""
    tally = Tally(linked=False)
    for pair in pairs:
        tally.add(pair)
    return tally.statistics()


def mean_length(sentences: Iterable[str]) -> float:
    """Mean number of tokens; 0 for no sentences."""
    lengths = [len(tokens(sentence)) for sentence in sentences]
    return sum(lengths) / len(lengths) if lengths else 0.0


def seq2seq_statistics(
    levels: Counter[str] | None, excluded: Collection[str], train: Sequence[TextPair], n_dev: int, n_test: int
) -> Statistics:
    """One column of Table 4.

    Args:
        levels: how many document pairs each level combination has.
        excluded: the combinations that are left out; the others are the "article pairs" (13k of Newsela-Auto are
            1,882 sets of 7 combinations). None for sentence pairs without documents, which are then not counted.
        train: the training pairs (complex, simple); the lengths are theirs.
        n_dev: number of dev sentences.
        n_test: number of test sentences.
    """
    counted = [count for name, count in (levels or {}).items() if name not in excluded]
    return {
        **({} if levels is None else {"article pairs": sum(counted)}),
        "train pairs": len(train),
        "dev pairs": n_dev,
        "test pairs": n_test,
        "average length of complex sentence": mean_length(complex_side for complex_side, _ in train),
        "average length of simple sentence": mean_length(simple_side for _, simple_side in train),
    }
