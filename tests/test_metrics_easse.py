"""Where a user has installed EASSE, its scores are compared live with ours on random sentences."""

import random

import pytest

from textsimp.metrics.readability import rule_syllables
from textsimp.metrics.sari import corpus_recipe, sari, sari_statistics

easse = pytest.importorskip("easse.sari", reason="EASSE is not installed; it is on no package index")
WORDS = "the cat , which sat on a mat ; saw 3 birds . It's not big & 1,000 U.S. well-known".split()


def _texts(seed: int, references: int = 3) -> tuple[list[str], list[str], list[list[str]]]:
    draw = random.Random(seed)

    def text() -> list[str]:
        return [" ".join(draw.choices(WORDS, k=draw.randint(1, 25))) for _ in range(30)]

    return text(), text(), [text() for _ in range(references)]


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("deletion", ["f1", "precision"])
@pytest.mark.parametrize("seed", range(5))
def test_corpus_sari_is_that_of_easse(seed: int, deletion: str, legacy: bool) -> None:
    sources, outputs, references = _texts(seed, 1 + seed)
    theirs = easse.get_corpus_sari_operation_scores(
        sources, outputs, references, legacy=legacy, use_f1_for_deletion=deletion == "f1"
    )
    ours = sari(sources, outputs, references, corpus_recipe(legacy, deletion))
    assert list(ours.parts.values()) == pytest.approx(theirs, abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_sentence_scores_of_the_corpus_recipe(seed: int) -> None:
    sources, outputs, references = _texts(seed)
    rows = sari_statistics(sources, outputs, references, corpus_recipe()).per_segment()
    for number, row in enumerate(rows):
        one = [[lines[number]] for lines in (sources, outputs, *references)]
        assert row[0] == pytest.approx(easse.corpus_sari(one[0], one[1], one[2:]), abs=1e-4)
        assert sari(one[0], one[1], one[2:], corpus_recipe()).value == pytest.approx(row[0])


def test_syllables_of_fkgl() -> None:
    text = pytest.importorskip("easse.utils.text")
    draw = random.Random(1)
    words = ["".join(draw.choices("aeiouylcmntgqsd", k=draw.randint(1, 12))) for _ in range(3000)]
    assert [rule_syllables(word) for word in words] == [text.count_syllables_in_word(word) for word in words]
