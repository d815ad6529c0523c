"""SARI and BLEU: examples by hand, an independent count as oracle, and properties on random text."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from textsimp.metrics.bleu import bleu
from textsimp.metrics.ngrams import count_ngrams
from textsimp.metrics.sari import sari_corpus, sari_sentence
from textsimp.metrics.score import Score, Signature

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


def _oracle(source: str, output: str, references: list[str]) -> list[Fraction]:
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
        delete = _mean([Fraction(max(k * (i[g] - o[g]) - r[g], 0), k * (i[g] - o[g])) for g in gone])
        operations.append((add, _f1(precision, recall), delete))
    return [100 * _mean(list(column)) for column in zip(*operations, strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_sentence_level_against_an_independent_count(seed: int) -> None:
    sources, outputs, references = _corpus(seed)
    rows = [
        _oracle(source, output, list(lines))
        for source, output, *lines in zip(sources, outputs, *references, strict=True)
    ]
    expected = [float(_mean(list(column))) for column in zip(*rows, strict=True)]
    score = sari_sentence(sources, outputs, references)
    assert list(score.parts.values()) == pytest.approx(expected, abs=1e-9)
    assert score.value == pytest.approx(sum(expected) / 3, abs=1e-9)


def test_sentence_level_by_hand() -> None:
    # one token each: only order 1 has n-grams, the other three score 0, so each operation is a quarter of it
    score = sari_sentence(["a b"], ["a c"], [["a c"]])
    # add: c, rightly; keep: a, rightly; delete: b, rightly; bigrams: "a c" added rightly, "a b" deleted rightly
    assert score.parts == pytest.approx({"add": 50.0, "keep": 25.0, "del": 50.0})
    # half of the references keep `a` and `b`: keep has precision 1/2 and recall 1; del of nothing is 0
    score = sari_sentence(["a"], ["a"], [["a"], ["b"]])
    assert score.parts == pytest.approx({"add": 0.0, "keep": 100 / 4 * 2 / 3, "del": 0.0})


def test_corpus_level_by_hand() -> None:
    # unigrams over both segments: kept a of a, b; deleted b of b; added c of c
    score = sari_corpus(["a b", "a"], ["a c", "a"], [["a c", "a"]])
    assert score.parts == pytest.approx({"add": 50.0, "keep": 25.0, "del": 50.0})
    # a wrong deletion and a missed one: precision and recall of del are 0 on unigrams
    assert sari_corpus(["a b"], ["a"], [["b"]]).parts["del"] == pytest.approx(25.0)


@pytest.mark.parametrize("sari", [sari_sentence, sari_corpus])
@pytest.mark.parametrize("seed", range(3))
def test_properties(sari, seed: int) -> None:
    sources, outputs, references = _corpus(seed)
    score = sari(sources, outputs, references)
    assert sari(sources, outputs, references[::-1]) == score
    assert sari([line.upper() for line in sources], outputs, references).value == pytest.approx(score.value)
    assert all(0 <= value <= 100 for value in (score.value, *score.parts.values()))
    order = random.Random(seed).sample(range(len(sources)), len(sources))
    moved = [[lines[index] for index in order] for lines in (sources, outputs, *references)]
    assert sari(moved[0], moved[1], moved[2:]).value == pytest.approx(score.value)
    identity = sari(sources, sources, references)
    assert identity.parts["add"] == identity.parts["del"] == 0


@pytest.mark.parametrize("sari", [sari_sentence, sari_corpus])
def test_edges(sari) -> None:
    assert sari(["a b c"], [""], [["a"]]).parts["keep"] == 0
    assert sari([""], [""], [[""]]).value == 0
    assert sari(["x"], ["x"], [["x"]]).parts["keep"] == 25
    long = " ".join(f"w{number}" for number in range(1000))
    assert sari([long], [" ".join(long.split()[:80])], [[long]]).parts["add"] == 0
    with pytest.raises(ValueError, match=r"\[2, 1, 2\]"):
        sari(["a", "b"], ["a"], [["a", "b"]])
    with pytest.raises(ValueError, match="at least"):
        sari(["a"], ["a"], [])
    with pytest.raises(ValueError, match="at least"):
        sari([], [], [[]])


def test_outputs_are_cut_at_80_tokens() -> None:
    words = [f"w{number}" for number in range(120)]
    sources, cut, whole = [" ".join(words)], [" ".join(words[:80])], [" ".join(words)]
    assert sari_sentence(sources, whole, [sources]) == sari_sentence(sources, cut, [sources])
    free = sari_sentence(sources, whole, [sources], max_tokens=None)
    assert free.parts["keep"] == pytest.approx(100)
    assert str(free.signature).endswith("cut:none|nrefs:1|version:1")


def test_ngram_counts_of_segments_do_not_mix() -> None:
    counts = count_ngrams([["a", "b"], ["a"]], [["b"], ["a", "a"]], [[["a", "b"], []], [["a", "b"], ["c"]]])
    columns = (getattr(counts[0], name).tolist() for name in ("segment", "source", "output", "references"))
    rows = set(zip(*columns, strict=True))
    assert rows == {(0, 1, 0, 2), (0, 1, 1, 2), (1, 1, 2, 0), (1, 0, 0, 1)}
    assert [len(order.segment) for order in counts] == [4, 2, 0, 0]
    assert counts[1].per_segment(counts[1].references).tolist() == [2, 0]


def test_signatures() -> None:
    lines = ["a b c d"]
    assert str(sari_sentence(lines, lines, [lines] * 8).signature) == (
        "SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:8|version:1"
    )
    assert str(sari_corpus(lines, lines, [lines]).signature) == (
        "SARI|level:corpus|del:f1|tok:13a|case:lc|nrefs:1|version:1"
    )
    assert str(sari_corpus(lines, lines, [lines], legacy=True).signature) == (
        "SARI|level:corpus|del:f1|tok:13a-but-source|case:mixed|nrefs:1|version:1"
    )
    assert bleu(lines, [lines]) == Score(
        pytest.approx(100), Signature.of("BLEU", level="corpus", tok="13a", case="lc", nrefs=1)
    )


def test_bleu_refuses_what_sacrebleu_would_cut() -> None:
    with pytest.raises(ValueError, match=r"\[3, 1\]"):
        bleu(["a b c d", "e", "f"], [["a b c d"]])
    with pytest.raises(ValueError, match="at least"):
        bleu(["a"], [])
