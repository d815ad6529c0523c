"""Translation with paraphrase rules: the rules of both formats, their features, tuning for SARI, folders, bad input."""

import gzip
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from simplifier_sample import CPU, learnt

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.writing import write_lines
from textsimp.simplification import paraphrase, simplifiers
from textsimp.simplification.paraphrase import FEATURES, ParaphraseConfig, Simplicity, paraphrase_table
from textsimp.simplification.phrase_decoder import FURTHER, Output
from textsimp.simplification.ppdb_rules import Corpus, Rule, read_rules
from textsimp.simplification.weight_tuning import Tuning, tune
from textsimp.simplification.word_forms import form, is_inflection, with_articles

NOUNS = "farmer baker council sailor school neighbour doctor king teacher painter".split()
SIMPLE = [f"the {noun} bought an old house and a {other} in the town .".split() for noun in NOUNS for other in NOUNS]
COMPLEX = [[{"bought": "purchased", "old": "ancient"}.get(word, word) for word in row] for row in SIMPLE]
CORPUS = Corpus(COMPLEX, SIMPLE, {"rome"})
FIRST = "[VBD] ||| purchased ||| bought ||| p(LHS|e)=0.1 p(e|f)=1.5 p(f|e)=2 ||| 0-0"
SECOND = "[VBD] ||| Purchased ||| bought ||| PPDB2.0Score=4.5 -logp(e1|e2)=3 -logp(e2|e1)=1.25 ||| 0-0 ||| Equivalence"


def _file(folder: Path, *lines: str) -> Path:
    write_lines(folder / "rules", lines)
    return folder / "rules"


@pytest.mark.parametrize("packed", [False, True])
def test_rules_of_both_versions_of_ppdb(tmp_path: Path, packed: bool) -> None:
    slots = "[VP] ||| purchased [NP,1] ||| bought [NP,1] ||| p(e|f)=1 p(f|e)=1 ||| 0-0 1-1"
    opposed = SECOND.replace("bought", "town").replace("Equivalence", "Exclusion")
    others = [FIRST.replace("bought", "acquired"), FIRST.replace("bought", "bought the old house in")]
    last = "[X] ||| to purchase a ||| a ||| p(e|f)=0 p(f|e)=9 |||"
    path = _file(tmp_path, FIRST, SECOND, slots, opposed, *others, last)
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))
    # of the same words the likelier; `acquired` is no word of the simple side, the last but one too long
    found = [Rule("purchased", "bought", -1.25, -3, 4.5), Rule("to purchase a", "a", 0, -9, 0)]
    assert read_rules(path, 4, CORPUS) == found


def test_pairs_of_words_have_the_shares_of_the_training_pairs(tmp_path: Path) -> None:
    lines = ("purchased bought", "bought purchased", "house houses", "Rome town", "purchased town")
    (rule,) = read_rules(_file(tmp_path, *lines), 3, CORPUS)  # others: forms of one word, a name, another form
    assert rule[:2] == ("purchased", "bought") and math.exp(rule.forward) > 0.9
    mutual = {rule[:2]: rule for rule in read_rules(_file(tmp_path, "town house"), 3, CORPUS)}
    assert set(mutual) == {("town", "house"), ("house", "town")}  # never seen: as seldom as words are replaced here
    assert all(math.exp(rule.forward) < 0.01 for rule in mutual.values())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a b c", ":2: 'a b c' is neither a rule of PPDB nor two words"),
        ("[X] ||| a ||| b", ":2: not a rule"),
        ("[X] ||| a ||| ||| p(e|f)=1 p(f|e)=1 ||| 0-0", ":2: not a rule"),
        ("[X] ||| a ||| b ||| p(e|f)=1 ||| 0-0", r":2: has neither p\(f\|e\) nor -logp\(e1\|e2\)"),
        ("[X] ||| a ||| b ||| p(e|f)=x p(f|e)=1 ||| 0-0", r":2: p\(e\|f\)=x is not a negative log probability"),
        ("[X] ||| a ||| b ||| p(e|f)=nan p(f|e)=1 ||| 0-0", r":2: p\(e\|f\)=nan is not a negative log probability"),
        ("", ": damaged gzip data"),
        (None, ": no rule of up to 3 words whose simple side the training corpus has"),
    ],
)
def test_files_of_no_use(tmp_path: Path, line: str | None, message: str) -> None:
    path = _file(
        tmp_path, *([FIRST if line and "|||" in line else "purchased bought", line] if line else ["unseen unknown"])
    )
    if line == "":
        path.write_bytes(gzip.compress(b"purchased bought\n" * 1000)[:-30])
    with pytest.raises(InputError, match=f"rules{message}"):
        read_rules(path, 3, CORPUS)


def test_features_are_those_of_the_simple_side_minus_those_of_the_complex_one() -> None:
    simplicity = Simplicity({"purchased": 8, "bought": 1}, {"bought": 8}, 1)
    table = paraphrase_table([Rule("purchased", "bought", -0.5, -0.25, 3.0)], simplicity, 5)
    rows = dict(table["purchased"])
    assert rows["purchased"] == (0.0,) * len(FEATURES)
    found = dict(zip(FEATURES, rows["bought"], strict=True))
    assert found["log p(simple|complex)"] == -0.5 and found["PPDB score"] == 3 and found["changed"] == 1
    assert found["characters / 10"] == pytest.approx(-0.3) and found["syllables"] == -1 and found["common words"] == 1
    assert found["frequency on the simple side"] == pytest.approx(math.log(9), abs=1e-4)  # 8 + 1 to 0 + 1
    assert found["frequency on the simple by the complex side"] == pytest.approx(math.log(9 * 9 / 2), abs=1e-4)
    rules = [Rule("a b", word, -number, 0.0, 0.0) for number, word in enumerate("xyz")]
    table = paraphrase_table(rules, Simplicity({"a": 1}, {"x": 1}, 1), 1)
    assert [simple for simple, _ in table["a b"]] == ["x", "y"]  # a phrase of words need not stay as it is


def test_forms_inflections_and_articles() -> None:
    forms = {"solving": "ing", "needed": "ed", "went": "ed", "men": "s", "studies": "s", "larger": "er"}
    for word, expected in (forms | {"bring": "", "teacher": ""}).items():
        assert form(word, {"solve", "need", "study", "teach", "large", "largest"}) == expected
    assert is_inflection("ran", "running") and is_inflection("colour", "colors") and not is_inflection("house", "home")
    source = "he saw an automobile and a u.s. ship .".split()
    assert with_articles("He saw an car and a u.s. ship .".split(), source)[2] == "a"
    assert with_articles("An car , a u.s. ship".split(), source) == "A car , a u.s. ship".split()
    assert with_articles("an car".split(), "an car".split()) == ["an", "car"]  # as the writer has it


def test_ranking_learns_the_feature_and_keeps_signs() -> None:
    """Only the second feature tells better from worse; the first would help by the sign that it must not have."""

    def decode(_: object) -> list[list[Output]]:
        good, bad = (tuple("a b x d".split()), (-1.0, 2.0)), (tuple("a b c d".split()), (1.0, -2.0))
        return [[Output(words, 0.0, features) for words, features in (bad, good)]] * 3

    settings, sources = Tuning("sari_sentence", "pro", 4), ["a b c d"] * 3
    rounds = list(tune(sources, [["a b x d", "a b y d"]] * 3, settings, decode, (0.5, 0.5)))
    last = rounds[-1].weights
    assert last[0] >= 0 and last[1] > 0.9 and rounds[-1].expected > rounds[0].reached
    assert np.abs(last).sum() == pytest.approx(1, abs=1e-5)


def test_fewer_references_are_repeated_in_turn() -> None:
    def decode(_: object) -> list[list[Output]]:
        return [[Output(("a", "x"), 0.0, (1.0,))], [Output(("a", "b"), 0.0, (1.0,))]]

    few = next(tune(["a b"] * 2, [["a x"], ["a b", "a b"]], Tuning("sari_sentence", "mert", 0), decode, (1.0,)))
    many = next(tune(["a b"] * 2, [["a x"] * 2, ["a b"] * 2], Tuning("sari_sentence", "mert", 0), decode, (1.0,)))
    assert few == many


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> ParaphraseConfig:
    rules = tmp_path_factory.mktemp("rules") / "pairs.txt"
    write_lines(rules, ["purchased bought", "ancient old", "house town", "town house"])
    conf = from_conf("simplifier.paraphrase", ParaphraseConfig)
    return replace(conf, rules=str(rules), tuning_rounds=3, tuning_n_best=10)


def _trained(folder: Path, config: ParaphraseConfig) -> Path:
    rows = [(" ".join(a), " ".join(b)) for a, b in zip(COMPLEX, SIMPLE, strict=True)]
    dev = [*rows[::7], *((a, b.replace("an old", "a big")) for a, b in rows[::7])]  # two references each
    return learnt("paraphrase", folder, rows, dev, config)


def test_what_is_learnt(tmp_path: Path, config: ParaphraseConfig) -> None:
    model = _trained(tmp_path, config)
    simplifier = simplifiers.load_simplifier_folder(model, CPU)
    found = simplifier.simplify(["The Dane purchased an ancient house in the town.", ""], n_best=3)
    assert found[0][0].text == "The Dane bought an old house in the town." and found[1][0].text == ""
    assert len({item.text for item in found[0]}) == len(found[0]) == 3
    assert len(paraphrase.load(model, CPU).decoder.weights) == len(FEATURES) + FURTHER
    with pytest.raises(InputError, match=r"simplifier.paraphrase.rules is not set; give a file of PPDB"):
        _trained(tmp_path, replace(config, rules=None))
