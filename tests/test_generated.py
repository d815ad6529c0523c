"""The generator: the same bytes for the same seed, grammar, gold links, and nothing of a test in the articles."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, DocumentPair, pair_line
from textsimp.sources.generated import articles, world
from textsimp.sources.generated.articles import GeneratorConfig, generate
from textsimp.sources.generated.telling import read_kinds

Generated = tuple[list[DocumentPair], articles.Benchmark]
CONFIG = GeneratorConfig(articles=300, dev_sentences=20, test_sentences=60, seed=7)


@pytest.fixture(scope="module")
def generated() -> Generated:
    return generate(CONFIG)


def test_same_bytes_in_another_process(generated: Generated) -> None:
    code = (
        "from textsimp.core.records import pair_line\n"
        "from textsimp.sources.generated.articles import GeneratorConfig, generate\n"
        f"print(''.join(map(pair_line, generate({CONFIG!r})[0])), end='')"
    )
    environment = {"PYTHONHASHSEED": "99", "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout == "".join(map(pair_line, generated[0]))


def test_another_seed_gives_other_articles(generated: Generated) -> None:
    other, _ = generate(GeneratorConfig(articles=20, dev_sentences=1, test_sentences=1, seed=8))
    titles = {pair.complex.sentences[0] for pair in generated[0]}
    assert not titles & {pair.complex.sentences[0] for pair in other}


def test_sentences_are_whole(generated: Generated) -> None:
    pairs, benchmark = generated
    sentences = [text for pair in pairs for side in (pair.complex, pair.simple) for text in side.sentences]
    sentences += [text for rows in benchmark for row in rows for text in (row[0], *row[1])]
    for text in sentences:
        assert re.fullmatch(r"[A-Z][^{}<>\[\]|!]*\.", text), text
        assert not re.search(r"\b[Aa] [aeiou]|\b[Aa]n [^aeiouAEIOU]|  | ,| \.|,,|\.\.", text), text


def test_links_are_what_the_article_tells(generated: Generated) -> None:
    """Every linked pair shares a name, a number or a word of content; both labels and unlinked sentences occur."""
    labels, unlinked = set(), 0
    for pair in generated[0]:
        assert pair.alignments is not None and {link.simple for link in pair.alignments}
        labels |= {link.label for link in pair.alignments}
        unlinked += len(pair.simple.sentences) - len({link.simple for link in pair.alignments})
        numbers = [[set(re.findall(r"\d{4}", text)) for text in side.sentences] for side in (pair.simple, pair.complex)]
        sources: dict[int, set[str]] = {}
        for link in pair.alignments:
            sources.setdefault(link.simple, set()).update(numbers[1][link.complex])
        assert all(numbers[0][simple] <= years for simple, years in sources.items()), pair.id
    assert labels == set(AlignmentLabel) and unlinked


def test_nobody_of_the_test_is_in_an_article(generated: Generated) -> None:
    pairs, benchmark = generated
    assert [len(rows) for rows in benchmark] == [CONFIG.dev_sentences, CONFIG.test_sentences]
    sentences = {text for pair in pairs for side in (pair.complex, pair.simple) for text in side.sentences}
    tested = {text for rows in benchmark for row in rows for text in (row[0], *row[1])}
    assert not sentences & tested
    assert all(len(row[1]) == articles.REFERENCES for rows in benchmark for row in rows)


def test_facts_are_told_at_both_levels_of_subjects_that_come_once() -> None:
    for kind in read_kinds().values():
        assert all(len(fact.complex) == len(fact.simple) for facts in kind.paragraphs for fact in facts)
    drawn = world.World(3)
    names = [subject.name for _ in range(200) if (subject := drawn.subject("person"))]
    assert len(set(names)) == len(names)
    drawn._people = iter(())  # more articles than there are people: one line, not a traceback
    with pytest.raises(InputError, match="articles"):
        drawn.subject("person")
