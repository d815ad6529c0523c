"""Where a user has installed EASSE, its corpus SARI is compared live with ours on random sentences."""

import random

import pytest

from textsimp.metrics.sari import sari_corpus

easse = pytest.importorskip("easse.sari", reason="EASSE is not installed; it is on no package index")
WORDS = "the cat , which sat on a mat ; saw 3 birds . It's not big".split()


@pytest.mark.parametrize("seed", range(5))
def test_corpus_sari_is_that_of_easse(seed: int) -> None:
    draw = random.Random(seed)

    def text() -> list[str]:
        return [" ".join(draw.choices(WORDS, k=draw.randint(1, 25))) for _ in range(30)]

    sources, outputs, references = text(), text(), [text() for _ in range(3)]
    theirs = easse.corpus_sari(
        orig_sents=sources, sys_sents=outputs, refs_sents=references, lowercase=True, tokenizer="13a"
    )
    assert sari_corpus(sources, outputs, references).value == pytest.approx(theirs, abs=1e-4)
