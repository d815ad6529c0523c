"""What `import textsimp` offers."""

from pathlib import Path

import pytest
from commands import done

import textsimp
from textsimp.alignment.fitted import DEFAULT, WITHOUT_ENCODER
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.parts import SYSTEM
from textsimp.alignment.spec import SystemSpec, load_system_config
from textsimp.alignment.systems import saved_config
from textsimp.api import document
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.metrics.registry import METRICS

ROOT = Path(__file__).resolve().parent.parent
HARD = ["The museum, which opened in 1911, houses more than 3,000 paintings.", "It closes on Mondays."]
EASY = ["Bread is baked at night.", "The museum opened in 1911."]


@pytest.mark.parametrize("folder", [DEFAULT, WITHOUT_ENCODER])
def test_the_shipped_aligners_are_those_of_the_configuration(folder: Path) -> None:
    """Their numbers are compared with those that the pipeline makes by tools/ship.py."""
    SYSTEM.check(folder)
    assert saved_config(folder) == load_system_config(folder.name)
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000_000


def test_links_have_the_sentences_and_their_places() -> None:
    link = next(link for link in textsimp.align(HARD, EASY) if link.simple_index == 1)
    assert (link.complex, link.simple) == (HARD[0], EASY[1])
    assert (link.complex_index, link.simple_index) == (0, 1)
    assert link.label in ("aligned", "partial")
    assert link.probability is not None and 0.5 < link.probability <= 1


def test_a_least_probability_goes_both_ways() -> None:
    found = {least: textsimp.align(HARD, EASY, min_probability=least) for least in (None, 0.001, 1.0)}
    assert set(found[1.0]) < set(found[None] or ()) < set(found[0.001])
    assert all((link.probability or 0) >= 0.001 for link in found[0.001])
    with pytest.raises(InputError, match="min_probability: 1.5 is no probability"):
        textsimp.align(HARD, EASY, min_probability=1.5)


def test_a_saved_system_is_an_aligner_and_a_text_its_sentences(tmp_path: Path) -> None:
    aligner = textsimp.load_aligner(DEFAULT)
    assert textsimp.align(HARD, EASY, aligner) == aligner.align(HARD, EASY) == textsimp.align(HARD, EASY)
    assert textsimp.align(" ".join(HARD), " ".join(EASY)) == textsimp.align(HARD, EASY)
    assert document("One.  Two\nlines.\n \n\nThree.").paragraphs == (("One.", "Two lines."), ("Three.",))
    with pytest.raises(InputError, match=str(tmp_path)):
        textsimp.load_aligner(tmp_path)
    with pytest.raises(InputError, match="simple: one text where a list"):
        textsimp.align("A text.", None)  # type: ignore[arg-type]


def with_repeated(*repeated: str) -> list[list[str]]:
    """A text and its simplification, of six sentences each, with a sentence that comes after every other one."""
    parts = ("The council {} the budget.", "Construction {} in May.", "The mayor {}.")
    words = (("approved", "begins", "resigned"), ("agreed to", "starts", "left"))
    return [
        [text for part, word in zip(parts, side, strict=True) for text in (part.format(word), more)]
        for side, more in zip(words, repeated, strict=True)
    ]


def ends_of(links: list[textsimp.SentenceLink]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The links of the sentences that are not repeated, and of those that are."""
    found = {(link.simple_index, link.complex_index) for link in links}
    return {ends for ends in found if not ends[0] % 2}, {ends for ends in found if ends[0] % 2}


@pytest.mark.parametrize("repeated", [("Read more.", "Read more."), ("See the notes below.", "See the notes.")])
def test_repeated_sentences_are_linked_once(repeated: tuple[str, str]) -> None:
    texts = with_repeated(*repeated)
    others, found = ends_of(textsimp.align(*texts))
    assert found == {(1, 1), (3, 3), (5, 5)} and {(0, 0), (2, 2), (4, 4)} <= others
    assert ends_of(textsimp.align(texts[0], texts[1][:4]))[1] == {(1, 1), (3, 3)}


def test_repeated_sentences_are_linked_once_by_similarities_and_in_a_review(tmp_path: Path) -> None:
    texts = with_repeated("Read more.", "Read more.")
    pair = DocumentPair("", "", "", document(texts[0]), document(texts[1]))
    SystemSpec.named("tfidf").load(Device(), [pair]).save(tmp_path / "tfidf")
    links = textsimp.load_aligner(tmp_path / "tfidf").align(*texts)
    assert ends_of(links)[1] == {(1, 1), (3, 3), (5, 5)} and {link.probability for link in links} == {None}
    files = [tmp_path / name for name in ("hard.txt", "easy.txt", "page.html")]
    for file, text in zip(files, texts, strict=False):
        file.write_text(" ".join(text))
    assert f"page.html: {len(textsimp.align(*texts))} links; " in done("review", *files).stderr


OUTPUT = ["It closes on Mondays and opens on Tuesdays.", "The museum has many old paintings."]
BY_SENTENCE = [[OUTPUT[0], "On Mondays it closes."], [OUTPUT[1], "Many old paintings are there."]]


def test_sari_is_one_of_the_scores() -> None:
    texts = ["a b c d ."], ["a b d ."], [["a b ."], ["a d ."]]
    assert textsimp.sari(*texts) == textsimp.score(*texts, ["sari", "bleu"])["sari"]
    assert set(textsimp.score(*texts)) == {name for name, metric in METRICS.items() if metric.default}
    assert textsimp.sari(OUTPUT, OUTPUT, [list(row) for row in zip(*BY_SENTENCE, strict=True)]).value > 0


@pytest.mark.parametrize(
    ("output", "references", "metric", "said"),
    [
        (OUTPUT, BY_SENTENCE, "sari", "references: a list for each sentence"),
        (["a b ."], [], "sari", "sentences; give as many of each"),
        (["a b ."], [[]], "sari", "sentences; give as many of each"),
        (["a b ."], [["a .", "b ."]], "sari", "sentences; give as many of each"),
        (["a", "b"], [["a", "b" * 100_001]], "sari", r"references\[0\]:2: a line of more than 100000 characters"),
        (["a b ."], [["a ."]], "rouge", "rouge"),
    ],
)
def test_texts_that_cannot_be_scored(output: list[str], references: list[list[str]], metric: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        textsimp.score(output, output, references, [metric])


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'summarise'"):
        _ = textsimp.summarise  # type: ignore[attr-defined]
