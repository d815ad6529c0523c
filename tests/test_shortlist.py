"""The words that a sequence model may write, copies that give way, and commas that a deletion leaves."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from simplifier_sample import small_corpus, trained

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.simplification import simplifiers
from textsimp.simplification.editnts.generation import without_stray_commas
from textsimp.simplification.fairseq_corpus import Shortlist
from textsimp.simplification.fairseq_generation import Generator, changed_first
from textsimp.simplification.fairseq_tools import SHORTLIST
from textsimp.simplification.interface import Hypothesis, Runtime
from textsimp.simplification.lstm import LstmConfig

PAIRS = [
    ("physicians use instruments .".split(), "doctors use tools .".split()),
    ("physicians left .".split(), "doctors left .".split()),
    ("instruments broke .".split(), "tools broke .".split()),
    ("surgeons left .".split(), "doctors left .".split()),
] * 2


def test_what_stands_for_a_word_and_what_is_common(tmp_path: Path) -> None:
    learnt = Shortlist.learn(PAIRS, 2, 1)
    assert list(learnt.common) == [".", "doctors"]
    assert learnt.instead == {"physicians": ["doctors"], "instruments": ["tools"], "surgeons": ["doctors"]}
    assert list(learnt.words("physicians met instruments".split())) == [
        *(".", "doctors", "physicians", "doctors", "met", "instruments", "tools"),
    ]
    (tmp_path / SHORTLIST).write_text('{"common": ["."]}')
    with pytest.raises(InputError, match=r"shortlist.json: not as it was written .*; restore the folder"):
        Shortlist.of(tmp_path)


@pytest.fixture(scope="module")
def lstm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two updates: what it writes is as good as drawn."""
    folder = tmp_path_factory.mktemp("lstm")
    config: LstmConfig = from_conf("simplifier.lstm", LstmConfig)
    sizes = {"embedding_dim": 6, "hidden_size": 8, "min_frequency": 1, "batch_size": 8, "max_tokens": 0}
    search = replace(config.search, common=3, instead=2, beam=2)
    config = replace(config, **sizes, max_updates=2, max_epochs=2, search=search)
    return trained(simplifiers.simplifier_of("lstm"), small_corpus(folder), folder, config)


def test_no_other_word_is_written(lstm: Path) -> None:
    config = from_conf("simplifier.lstm", LstmConfig)
    rows = [line.split() for line in read_lines(lstm.parent / "binary" / "tokens" / "train.complex")[:3]]
    short = Shortlist.of(lstm)
    written = {}
    for common in (3, 0):
        search = replace(config.search, common=common, beam=3, batch_size=2)
        answers = Generator(lstm, search, Runtime("cpu", 1), True)(rows, n_best=3)
        written[common] = [{token for item in row for token in item.tokens} for row in answers]
    for words, row in zip(written[3], rows, strict=True):
        assert words <= {*short.words(row), "<unk>"}
    assert any(not words <= {*short.words(row), "<unk>"} for words, row in zip(written[0], rows, strict=True))


def test_a_model_folder_says_what_it_may_write(lstm: Path) -> None:
    assert json.loads((lstm / SHORTLIST).read_text())["common"][0] in (".", ",")
    simplifier = simplifiers.load_simplifier_folder(lstm, Runtime("cpu", 1))
    assert len(simplifier.simplify(["Many badgers live."], n_best=2)[0]) == 2


def test_a_copy_gives_way_to_what_is_nearly_as_good() -> None:
    rows = [Hypothesis("a b c", -0.1), Hypothesis("a  b c", -0.2), Hypothesis("a b", -0.3), Hypothesis("a", -0.4)]
    assert [item.text for item in changed_first(rows, "a b c", 0.25, 2)] == ["a b", "a b c"]
    assert changed_first(rows, "a b c", 0.1, 2) == rows[:2]
    assert changed_first(rows, "a b c", 0.0, 1) == rows[:1]
    assert changed_first(rows[:2], "a b c", 9.0, 2) == rows[:2]
    assert changed_first(rows[2:], "a b c", 9.0, 1) == rows[2:3]


def test_commas_before_another_mark() -> None:
    assert without_stray_commas("He , too , left , .".split()) == "He , too , left .".split()
    assert without_stray_commas(["no", ","]) == ["no", ","]
    assert without_stray_commas([]) == []
