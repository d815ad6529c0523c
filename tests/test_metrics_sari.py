"""SARI and BLEU: examples by hand, an independent count as oracle, and properties on random text."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from textsimp.metrics.sari import (
    SariRecipe,
    corpus_recipe,
    evaluate_recipe,
    operations_by_order,
    sari,
    sari_statistics,
    sentence_recipe,
)
from textsimp.metrics.tokens import Tokenisation, tokenise

WORDS = ["a", "b", "c", "d", "é", "日本", "don't", "🙂"]


def _lines(generator: random.Random, number: int, shortest: int = 0) -> list[str]:
    return [" ".join(generator.choices(WORDS, k=generator.randint(shortest, 9))) for _ in range(number)]


def _corpus(seed: int, number: int = 12, references: int = 3) -> tuple[list[str], list[str], list[list[str]]]:
    generator = random.Random(seed)
    sources = _lines(generator, number, 1)
    return sources, _lines(generator, number), [_lines(generator, number) for _ in range(references)]


def _ngrams(
    source: str, output: str, references: list[str], order: int, tokeniser: str = "none"
) -> tuple[Counter[tuple[str, ...]], ...]:
    """Those of source and output, times the number of references, and those of all references together."""
    sides = [(source, len(references)), (output, len(references)), *((line, 1) for line in references)]
    counted = []
    for line, times in sides:
        tokens = tokenise(line, tokeniser)
        starts = range(len(tokens) - order + 1)
        counted.append(Counter([tuple(tokens[start : start + order]) for start in starts] * times))
    return counted[0], counted[1], sum(counted[2:], Counter())


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _f1(precision: Fraction, recall: Fraction) -> Fraction:
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def _oracle(*texts: Any, deletion: str = "precision", as_evaluate: bool = False) -> list[Fraction]:
    """Add, keep and del of one sentence, one n-gram at a time and in exact fractions.

    As Hugging Face's `evaluate` defines it, 0/0 is 1, and the recall of keep counts tokens.
    """

    def share(part: int, whole: int) -> Fraction:
        return Fraction(part, whole) if whole else Fraction(as_evaluate)

    def mean_share(part: Counter, whole: Counter) -> Fraction:
        return _mean([Fraction(part[ngram], whole[ngram]) for ngram in whole] or [Fraction(as_evaluate)])

    operations = []
    for order in range(1, 5):
        i, o, r = _ngrams(*texts, order)
        added, wanted = set(o) - set(i), set(r) - set(i)
        add = _f1(*(share(len(added & wanted), len(of)) for of in (added, wanted)))
        good, gone = i & o & r, i - o - r
        recall = share(good.total(), (i & r).total()) if as_evaluate else mean_share(good, i & r)
        delete = mean_share(gone, i - o)
        if deletion == "f1":
            delete = _f1(delete, mean_share(gone, i - r))
        operations.append((add, _f1(mean_share(good, i & o), recall), delete))
    return [100 * _mean(column) for column in zip(*operations, strict=True)]


@pytest.mark.parametrize("seed", range(3))
def test_the_variant_of_evaluate_against_an_independent_count(seed: int) -> None:
    sources, outputs, references = _corpus(seed)
    outputs = [line or "a" for line in outputs]
    lines = zip(sources, outputs, zip(*references, strict=True), strict=True)
    expected = _mean([_mean(_oracle(*texts, list(goals), as_evaluate=True)) for *texts, goals in lines])
    plain = Tokenisation()  # the words of this test are no text that 13a may cut
    recipe = SariRecipe("sentence", "precision", plain, plain, plain, "tokens", 1)
    assert sari(sources, outputs, references, recipe).value == pytest.approx(float(expected), abs=1e-9)


def test_the_variant_of_evaluate_by_hand_and_as_its_page_prints_it() -> None:
    """By hand: unigrams add 1, keep 1/2, del 0; bigrams 0, 0, 1; trigrams 1, 1, 1; no 4-grams: 1, 1, 1."""
    score = sari(["a b c"], ["a b"], [["a c"]], evaluate_recipe())
    assert score.parts == pytest.approx({"add": 75.0, "keep": 62.5, "del": 75.0})
    known = (
        "About 95 species are currently known.",
        "About 95 species are now accepted.",
        "95 species are now accepted.",
    )
    score = sari(
        ["About 95 species are currently accepted."], ["About 95 you now get in."], [[line] for line in known],
        evaluate_recipe(),
    )  # fmt: skip
    assert score.value == pytest.approx(26.953601953601954, abs=1e-12)


@pytest.mark.parametrize("deletion", ["precision", "f1"])
@pytest.mark.parametrize("seed", range(3))
def test_sentence_level_against_an_independent_count(seed: int, deletion: str) -> None:
    sources, outputs, references = _corpus(seed)
    rows = [
        _oracle(source, output, lines, deletion=deletion)
        for source, output, *lines in zip(sources, outputs, *references, strict=True)
    ]
    expected = [float(_mean(column)) for column in zip(*rows, strict=True)]
    score = sari(sources, outputs, references, sentence_recipe(deletion=deletion))
    assert list(score.parts.values()) == pytest.approx(expected, abs=1e-9)
    assert score.value == pytest.approx(sum(expected) / 3, abs=1e-9)
    assert f"|del:{deletion}|" in str(score.signature)


def _oracle_corpus(
    sources: list[str], outputs: list[str], references: list[list[str]], deletion: str
) -> list[list[Fraction]]:
    """Add, keep and del over the corpus for each order."""
    operations = []
    for order in range(1, 5):
        sums = np.zeros((3, 3), dtype=int)
        for source, output, *goals in zip(sources, outputs, *references, strict=True):
            i, o, r = _ngrams(source, output, goals, order, "13a")
            added, wanted = set(o) - set(i), set(r) - set(i)
            sums += [
                list(map(len, (added & wanted, added, wanted))),
                [counter.total() for counter in (i & o & r, i & o, i & r)],
                [counter.total() for counter in ((i - o) & (i - r), i - o, i - r)],
            ]
        shares = [(Fraction(a, b or 1), Fraction(a, c or 1)) for a, b, c in sums.tolist()]
        operations.append([_f1(*share) for share in shares])
        if deletion == "precision":
            operations[-1][2] = shares[2][0]
    return operations


@pytest.mark.parametrize("deletion", ["precision", "f1"])
@pytest.mark.parametrize("seed", range(3))
def test_corpus_level_against_an_independent_count(seed: int, deletion: str) -> None:
    sources, outputs, references = _corpus(seed)
    orders = _oracle_corpus(sources, outputs, references, deletion)
    expected = [100 * float(_mean(column)) for column in zip(*orders, strict=True)]
    recipe = corpus_recipe(deletion=deletion)
    score = sari(sources, outputs, references, recipe)
    assert list(score.parts.values()) == pytest.approx(expected, abs=1e-9)
    statistics = sari_statistics(sources, outputs, references, recipe)
    by_order = operations_by_order(statistics.counts.sum(0), recipe).T  # (4, 3)
    assert by_order == pytest.approx(100 * np.array(orders, dtype=float), abs=1e-9)


@pytest.mark.parametrize("recipe", [sentence_recipe(), corpus_recipe(), corpus_recipe(legacy=True)])
def test_statistics_give_sentence_scores(recipe: SariRecipe) -> None:
    sources, outputs, references = _corpus(8)
    statistics = sari_statistics(sources, outputs, references, recipe)
    for number, row in enumerate(statistics.per_segment()):
        alone = [[lines[number]] for lines in (sources, outputs, *references)]
        one = sari(alone[0], alone[1], alone[2:], recipe)
        assert row == pytest.approx([one.value, *one.parts.values()], abs=1e-9)


@pytest.mark.parametrize("recipe", [sentence_recipe(), corpus_recipe()])
def test_chunks_change_nothing_but_memory(recipe: SariRecipe, monkeypatch: pytest.MonkeyPatch) -> None:
    sources, outputs, references = _corpus(4, number=700)
    whole = sari_statistics(sources, outputs, references, recipe)
    monkeypatch.setattr("textsimp.metrics.ngrams.CHUNK_CHARACTERS", 1)
    parts = sari_statistics(sources, outputs, references, recipe)
    # an n-gram's place among others of its sentence depends on the chunk: sums of quotients differ in the last bit
    assert parts.counts == pytest.approx(whole.counts, abs=1e-12)
    if recipe.level == "corpus":
        assert (parts.counts == whole.counts).all()


def test_words_that_look_like_the_end_of_a_line() -> None:
    texts = ((["a b"], ["a"], [["a c"]]), (["a \0"], ["a"], [["a \0\0"]]))
    plain, marked = (sari(*sides, sentence_recipe()) for sides in texts)
    assert plain == marked


@pytest.mark.parametrize("recipe", [sentence_recipe(), corpus_recipe()])
def test_edges(recipe: SariRecipe) -> None:
    assert sari(["a b c"], [""], [["a"]], recipe).parts["keep"] == 0
    assert sari([""], [""], [[""]], recipe).value == 0
    assert sari(["x"], ["x"], [["x"]], recipe).parts["keep"] == 25
    long = " ".join(f"w{number}" for number in range(1000))
    assert sari([long], [" ".join(long.split()[:80])], [[long]], recipe).parts["add"] == 0
    for sides, lengths in ((("ab", "a", ["ab"]), "2, 1, 2"), (("a", "a", []), "1, 1, 0"), (("", "", [""]), "0, 0, 0")):
        with pytest.raises(ValueError, match=rf"SARI needs as many lines everywhere, one at least; got \[{lengths}\]"):
            sari(*sides, recipe)


def test_outputs_are_cut_at_80_tokens() -> None:
    words = [f"w{number}" for number in range(120)]
    sources, cut, whole = [" ".join(words)], [" ".join(words[:80])], [" ".join(words)]
    assert sari(sources, whole, [sources], sentence_recipe()) == sari(sources, cut, [sources], sentence_recipe())
    free = sari(sources, whole, [sources], sentence_recipe(max_tokens=None))
    assert free.parts["keep"] == pytest.approx(100)
    assert str(free.signature).endswith("cut:none|nrefs:1|version:1")


def test_signatures() -> None:
    signatures = {
        sentence_recipe(): "level:sentence|del:precision|tok:none|case:lc",
        corpus_recipe(): "level:corpus|del:f1|tok:13a|case:lc",
        corpus_recipe(legacy=True): "level:corpus|del:f1|tok:13a-but-source|case:mixed",
    }
    for recipe, text in signatures.items():
        assert str(recipe.signature(8)) == f"SARI|{text}|nrefs:8|version:1"
