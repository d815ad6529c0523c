"""The phrase-based simplifier: extraction, language model, search and tuning, by brute force; folders; bad input."""

import itertools
import math
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from simplifier_sample import CPU, contents, learnt

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.simplification import phrase_based, simplifiers, weight_tuning
from textsimp.simplification.backoff_model import UNKNOWN, LanguageModel
from textsimp.simplification.phrase_based import PhraseBasedConfig
from textsimp.simplification.phrase_decoder import DELETIONS, Decoder, Output
from textsimp.simplification.phrase_table import build_table, phrase_pairs, read_table
from textsimp.simplification.weight_tuning import START, Tuning, tune

KIND = simplifiers.simplifier_of("phrase_based")
NOUNS = "farmer baker council sailor school neighbour doctor king teacher painter".split()
THINGS = "house boat bridge garden horse wheel table road".split()
RNG = random.Random(7)
# Sentences of which some words have a simpler one, and one is always left out.
PAIRS = [
    (f"The {who} subsequently purchased a {what} and an old {other}.", f"The {who} bought a {what} and an old {other}.")
    for who, what, other in ((RNG.choice(NOUNS), RNG.choice(THINGS), RNG.choice(THINGS)) for _ in range(130))
]


@pytest.fixture(scope="module")
def config() -> PhraseBasedConfig:
    conf = from_conf("simplifier.phrase_based", PhraseBasedConfig)
    return replace(conf, tuning_pairs=12, tuning_rounds=2, tuning_n_best=10)


def _trained(folder: Path, config: PhraseBasedConfig) -> Path:
    return learnt("phrase_based", folder, PAIRS[:100], PAIRS[100:], config)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, config: PhraseBasedConfig) -> Path:
    return _trained(tmp_path_factory.mktemp("phrases"), config)


def test_phrases_are_all_those_that_no_link_leaves() -> None:
    rng = random.Random(3)
    for _ in range(60):
        complex_, simple = "abcde"[: rng.randint(1, 5)], "vwxyz"[: rng.randint(1, 5)]
        cells = list(itertools.product(range(len(complex_)), range(len(simple))))
        links = sorted(rng.sample(cells, rng.randint(0, min(5, len(cells)))))
        expected = []
        for start, first in cells:
            for end, last in itertools.product(range(start, min(len(complex_), start + 3)), range(len(simple))):
                inside = [start <= i <= end for i, _ in links]
                outside = [first <= j <= last for _, j in links]
                if first <= last < first + 3 and any(inside) and inside == outside:
                    expected.append((" ".join(complex_[start : end + 1]), " ".join(simple[first : last + 1])))
        assert sorted(phrase_pairs(complex_, simple, links, 3, False)) == sorted(expected)
    for longest, deleted in ((3, {("b c d", "")}), (2, set())):  # whole runs of unaligned words
        args = ("abcde", "ve", [(0, 0), (4, 1)], longest)
        assert set(phrase_pairs(*args, True)) - set(phrase_pairs(*args, False)) == deleted


def test_a_phrase_table_by_hand() -> None:
    rows = [("very big".split(), ["large"], [(1, 0)]), (["big"], ["big"], [(0, 0)])]
    table = build_table(rows, 2, 1, 10, True)
    # big: large and big, and big once more as itself; very: nothing, and itself
    assert {simple: round(math.exp(f[0]), 4) for simple, f in table["big"]} == {"big": 0.6667, "large": 0.3333}
    assert {simple: round(math.exp(f[0]), 4) for simple, f in table["very"]} == {"": 0.5, "very": 0.5}
    assert [simple for simple, _ in table["very big"]] == ["large"]
    lexical = dict(table["very big"])["large"]
    assert math.exp(lexical[2]) == pytest.approx(1 / 3, abs=1e-4)  # large is written for one of three `big`
    assert math.exp(lexical[3]) == pytest.approx(1 * 1 / 1, abs=1e-4)  # `very` from no word, `big` from `large`


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_language_model_sums_to_one_and_is_read_as_it_was_written(tmp_path: Path, order: int) -> None:
    sentences = [line.split() for line in ("a b a c", "b a c c a b", "c", "a b b")]
    model = LanguageModel.learn(sentences, order)
    words = [gram[0] for gram in model.probabilities if len(gram) == 1]
    for history in itertools.chain([()], itertools.product(["<s>", "a", "c", "x"], repeat=order - 1)):
        assert sum(math.exp(model.step(history, word)[0]) for word in words) == pytest.approx(1)
    model.write(tmp_path / "lm")
    read = LanguageModel.of(tmp_path / "lm")
    assert read.order == order
    assert read.sentence(["a", "c", "x"]) == pytest.approx(model.sentence(["a", "c", "x"]), abs=1e-4)
    assert model.step((), "x")[0] == model.probabilities[(UNKNOWN,)]


def _brute_force(decoder: Decoder, words: Sequence[str], longest: int) -> list[tuple[tuple[str, ...], float]]:
    """Every sentence with its best score, the best first."""

    def ways(start: int) -> Iterator[list[tuple[tuple[str, ...], tuple[float, ...]]]]:
        if start == len(words):
            yield []
        for end in range(start + 1, min(len(words), start + longest) + 1):
            for simple, features in decoder.table.get(" ".join(words[start:end]), []):
                for rest in ways(end):
                    yield [(tuple(simple.split()), features), *rest]

    best: dict[tuple[str, ...], float] = {}
    for way in ways(0):
        output = tuple(itertools.chain.from_iterable(simple for simple, _ in way))
        features = [sum(column) for column in zip(*(row for _, row in way), strict=True)]
        language = decoder.model.words(decoder.model.begin, [*output, "</s>"])
        features += [language, len(output), len(way), sum(not simple for simple, _ in way)]
        score = sum(w * f for w, f in zip(decoder.weights, features, strict=True))
        best[output] = max(score, best.get(output, -math.inf))
    best.pop((), None)
    return sorted(best.items(), key=lambda item: -item[1])


def test_the_search_finds_what_trying_everything_finds() -> None:
    rng = random.Random(5)
    simples = ["x", "y", "z", "x y", ""]
    language = LanguageModel.learn(["x y x z".split(), "y z y x".split(), "z x".split()], 3)
    for _ in range(15):
        table = {
            phrase: [(simple, tuple(rng.uniform(-3, 0) for _ in range(4))) for simple in rng.sample(simples, 3)]
            for phrase in ("a", "b", "a b", "b a", "a b b")
        }
        decoder = Decoder(table, language, [rng.uniform(0, 1) for _ in START], 3, beam=1000)
        words = [rng.choice("ab") for _ in range(5)]
        expected, found = _brute_force(decoder, words, 3), decoder.decode(words, 40)
        assert [path.score for path in found] == pytest.approx([score for _, score in expected[:40]])
        assert [path.score for path in found] == pytest.approx([dict(expected)[path.words] for path in found])
        assert len({path.words for path in found}) == len(found)
        for path in found:
            assert sum(w * f for w, f in zip(decoder.weights, path.features, strict=True)) == pytest.approx(path.score)


def test_unknown_words_stay_and_no_sentence_is_left_out_as_a_whole() -> None:
    language = LanguageModel.learn([["x"]], 2)
    narrow = Decoder({"a": [("x", (-0.1,) * 4)]}, language, START, 3, beam=1)
    assert narrow.decode(["a", "new", "a"], 5)[0].words == ("x", "new", "x")
    empty = Decoder({"a": [("", (0.0,) * 4)]}, language, START, 3, beam=5)
    assert empty.decode(["a"], 3) == [Output(("a",), 0.0, (0.0,) * len(START))]


def test_tuning_finds_the_feature_that_tells_right_from_wrong() -> None:
    """The right sentence is worse by every feature but the third, which START weighs too little."""
    right, wrong = (-5.0, -5.0, -0.1, -5.0, -9.0, 4, 1, 0), (-1.0, -1.0, -6.0, -1.0, -5.0, 4, 1, 0)
    sources = ["a b c d", "d c b a"]

    def decode(weights: Sequence[float]) -> list[list[Output]]:
        lists = []
        for source in sources:
            both = [(tuple(source.split()), right), (tuple("wxyz"), wrong)]
            paths = [Output(words, sum(w * f for w, f in zip(weights, row, strict=True)), row) for words, row in both]
            lists.append(sorted(paths, key=lambda path: -path.score))
        return lists

    rounds = list(tune(sources, [[line] for line in sources], Tuning("bleu", "mert", 3), decode))
    assert rounds[0].reached < 1 and rounds[-1].reached == pytest.approx(100)
    assert rounds[1].expected == pytest.approx(rounds[1].reached)


def test_what_is_learnt(model: Path) -> None:
    simplifier = simplifiers.load_simplifier_folder(model, CPU)
    sentence = "The Painter subsequently purchased a wheel and an old boat."
    apart = "the king subsequently purchased a boat and an old wheel ."
    found = simplifier.simplify([sentence, "", sentence, apart], n_best=5)
    assert found[0][0].text == "The Painter bought a wheel and an old boat." and found[2] == found[0]
    assert found[1][0].text == "" and found[3][0].text == "the king bought a boat and an old wheel ."
    assert len({item.text for item in found[0]}) == len(found[0]) > 1
    assert [len(row) for row in simplifier.simplify([sentence])] == [1] and found[0][0].score <= 0
    with pytest.raises(InputError, match="n_best: 0 is below 1"):
        simplifier.simplify(["A sentence."], n_best=0)


def test_the_same_bytes_after_a_kill(
    tmp_path: Path, model: Path, config: PhraseBasedConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(weight_tuning, "tune", killed)
        with pytest.raises(KeyboardInterrupt):
            _trained(tmp_path, config)
        patch.undo()
        patch.setattr(phrase_based, "align_words", killed)  # what is there is not made again
        simplifiers.train(KIND, config, tmp_path / "binary", tmp_path / "model", tmp_path / "curve.csv", CPU)
    assert contents(tmp_path / "model") == contents(model)


def test_options_leave_phrases_out_and_tuning_away(tmp_path: Path, config: PhraseBasedConfig) -> None:
    folder = _trained(tmp_path, replace(config, deletion=True, min_count=1, tuning_pairs=0))
    assert "" in {simple for row in read_table(folder / "phrases.tsv").values() for simple, _ in row}
    decoder = phrase_based.load(folder, CPU).decoder
    assert decoder.weights == START
    counted = {path.features[DELETIONS] for path in decoder.decode("the king purchased a boat .".split(), 200)}
    assert max(counted) >= 1 and min(counted) == 0


@pytest.mark.parametrize("split", ["train", "dev"])
def test_a_corpus_without_pairs(tmp_path: Path, config: PhraseBasedConfig, split: str) -> None:
    rows = {"train": PAIRS[:5], "dev": PAIRS[:5], split: [("", "")]}
    with pytest.raises(InputError, match=rf"{split}.complex: no pair of sentences with 1 to 80 words"):
        learnt("phrase_based", tmp_path, rows["train"], rows["dev"], config)
    assert not (tmp_path / "binary").exists()


def test_files_that_do_not_fit_each_other_are_told_in_one_line(model: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(model, tmp_path / "model"))
    (folder / "simple.arpa").write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match="was changed after it was written: simple.arpa has other bytes"):
        simplifiers.load_simplifier_folder(folder, CPU)
    simplifiers.MODEL.seal(folder)
    with pytest.raises(InputError, match="its files do not fit each other"):
        simplifiers.load_simplifier_folder(folder, CPU)
