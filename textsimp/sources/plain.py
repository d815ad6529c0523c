"""Two plain text files as a document pair, for a user's own articles (F1)."""

from pathlib import Path

from textsimp.records import Document, DocumentPair
from textsimp.sources.newsela import read_article
from textsimp.sources.sentences import split_sentences

CORPUS = "own"


def read_plain_pair(complex_file: str | Path, simple_file: str | Path) -> DocumentPair:
    """An unlabelled document pair; blank lines part paragraphs, sentences are split by rules.

    The files are named complex and simple by the caller; levels are 0 and 1, as for Newsela. `InputError` where a
    file is absent, empty or damaged.
    """
    complex_, simple = (
        Document(Path(path).stem, level, tuple(tuple(split_sentences(text)) for text in read_article(path)))
        for level, path in enumerate((complex_file, simple_file))
    )
    return DocumentPair(f"{complex_.id}--{simple.id}", CORPUS, complex_.id, complex_, simple)
