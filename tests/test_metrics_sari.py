"""SARI and BLEU: examples by hand, an independent count as oracle, and properties on random text."""

import random
from collections import Counter
from fractions import Fraction

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
    return (
        _lines(generator, number, 1),
        _lines(generator, number),
        [_lines(generator, number) for _ in range(references)],
    )


def _ngrams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


def _f1(precision: Fraction, recall: Fraction) -> Fraction:
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def _oracle(source: str, output: str, references: list[str], deletion: str = "precision") -> list[Fraction]:
    """Add, keep and del of one sentence, one n-gram at a time and in exact fractions."""
    operations = []
    for order in range(1, 5):
        i, o = _ngrams(source.split(), order), _ngrams(output.split(), order)
        r = sum((_ngrams(line.split(), order) for line in references), Counter())
        k = len(references)
        added, right, wanted = set(o) - set(i), (set(o) & set(r)) - set(i), set(r) - set(i)
        add = _f1(Fraction(len(right), len(added) or 1), Fraction(len(right), len(wanted) or 1))
        good = {g: min(k * i[g], k * o[g], r[g]) for g in i}
        precision = _mean([Fraction(good[g], k * min(i[g], o[g])) for g in i if o[g]])
        recall = _mean([Fraction(good[g], min(k * i[g], r[g])) for g in i if r[g]])
        gone = [g for g in i if i[g] > o[g]]
        right = {g: max(k * (i[g] - o[g]) - r[g], 0) for g in i}
        delete = _mean([Fraction(right[g], k * (i[g] - o[g])) for g in gone])
        if deletion == "f1":
            delete = _f1(delete, _mean([Fraction(right[g], k * i[g] - r[g]) for g in i if k * i[g] > r[g]]))
        operations.append((add, _f1(precision, recall), delete))
    return [100 * _mean(list(column)) for column in zip(*operations, strict=True)]


def _quotient(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(1)


def _oracle_evaluate(source: str, output: str, references: list[str]) -> Fraction:
    """SARI of one sentence as Hugging Face's `evaluate` defines it: 0/0 is 1, and the recall of keep counts tokens."""
    operations = []
    for order in range(1, 5):
        i, o = _ngrams(source.split(), order), _ngrams(output.split(), order)
        r = sum((_ngrams(line.split(), order) for line in references), Counter())
        k = len(references)
        old, new, people = set(i), set(o), set(r)
        add = _f1(*(_quotient(len(new & people - old), len(of)) for of in (new - old, people - old)))
        good = {g: min(k * i[g], k * o[g], r[g]) for g in old & new}
        precision = _mean([Fraction(good[g], k * min(i[g], o[g])) for g in good]) if good else Fraction(1)
        recall = _quotient(sum(good.values()), sum(min(k * i[g], r[g]) for g in i))
        gone = [Fraction(max(k * (i[g] - o[g]) - r[g], 0), k * (i[g] - o[g])) for g in i if i[g] > o[g]]
        operations.append(_mean([add, _f1(precision, recall), _mean(gone) if gone else Fraction(1)]))
    return 100 * _mean(operations)


@pytest.mark.parametrize("seed", range(3))
def test_the_variant_of_evaluate_against_an_independent_count(seed: int) -> None:
    sources, outputs, references = _corpus(seed)
    outputs = [line or "a" for line in outputs]
    lines = zip(sources, outputs, zip(*references, strict=True), strict=True)
    expected = _mean([_oracle_evaluate(source, output, list(goals)) for source, output, goals in lines])
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
        _oracle(source, output, list(lines), deletion)
        for source, output, *lines in zip(sources, outputs, *references, strict=True)
    ]
    expected = [float(_mean(list(column))) for column in zip(*rows, strict=True)]
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
        sums = [[0, 0, 0] for _ in range(3)]
        for source, output, *lines in zip(sources, outputs, *references, strict=True):
            i, o = (_ngrams(tokenise(line, "13a"), order) for line in (source, output))
            r = sum((_ngrams(tokenise(line, "13a"), order) for line in lines), Counter())
            k = len(lines)
            add = (set(o) & set(r)) - set(i), set(o) - set(i), set(r) - set(i)
            keep = [sum(min(k * i[g], *(side[g] for side in sides)) for g in i) for sides in _sides(k, o, r)]
            gone = [{g: max(k * i[g] - side[g], 0) for g in i} for side in _sides(k, o, r)[0]]
            delete = [sum(map(min, *(one.values() for one in gone))), *(sum(one.values()) for one in gone)]
            for column, counts in zip(sums, (list(map(len, add)), keep, delete), strict=True):
                column[:] = [old + new for old, new in zip(column, counts, strict=True)]
        shares = [(Fraction(a, b or 1), Fraction(a, c or 1)) for a, b, c in sums]
        operations.append([_f1(*share) for share in shares])
        if deletion == "precision":
            operations[-1][2] = shares[2][0]
    return operations


def _sides(times: int, output: Counter, references: Counter) -> list[list[Counter]]:
    """Both sides, the output, the references; the output times the number of references."""
    scaled = Counter({ngram: times * count for ngram, count in output.items()})
    return [[scaled, references], [scaled], [references]]


@pytest.mark.parametrize("deletion", ["precision", "f1"])
@pytest.mark.parametrize("seed", range(3))
def test_corpus_level_against_an_independent_count(seed: int, deletion: str) -> None:
    sources, outputs, references = _corpus(seed)
    orders = _oracle_corpus(sources, outputs, references, deletion)
    expected = [100 * float(_mean(list(column))) for column in zip(*orders, strict=True)]
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
