"""The lexical model of Dress-Ls: its table by hand, the mixture by hand, training from end to end, bad input."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from simplifier_sample import small_corpus, trained
from test_dress import RUNTIME, small_config

from textsimp.core.errors import InputError
from textsimp.core.params import KeyFault, from_conf, structured
from textsimp.core.writing import write_json
from textsimp.simplification import dress, simplifiers
from textsimp.simplification.dress import DressConfig, LexicalConfig
from textsimp.simplification.fairseq_generation import Generator, Lexicon, load_trained
from textsimp.simplification.interface import CorpusFiles
from textsimp.simplification.word_translations import (
    as_matrix,
    learn_translations,
    read_translations,
    write_translations,
)

KIND = simplifiers.simplifier_of("dress")
LEXICAL = LexicalConfig(0.1, 2, 0)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> CorpusFiles:
    return small_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, corpus: CorpusFiles) -> Path:
    return trained(KIND, corpus, tmp_path_factory.mktemp("ls"), replace(small_config(), lexical=LEXICAL))


def test_words_that_are_aligned_translate_each_other() -> None:
    pairs = [(["purchased", who], ["bought", who]) for who in "abcdefgh"]
    found = learn_translations(pairs, 5, 3)
    assert found["purchased"] == pytest.approx({"bought": 8 / 9, "purchased": 1 / 9})
    assert found["a"] == {"a": 1.0}


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = {"a": {"b": 0.25, "c": 0.75}, "d": {"d": 1.0}}
    write_translations(tmp_path / "table", table)
    assert read_translations(tmp_path / "table", "train again") == table


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"table: a table of word translations that is not whole; train again"),
        ("a\tb\t0.5\n", r"table: a table of word translations that is not whole"),
        ("a\tb\t1.0\na\tb", r"table:2: no two words and a probability"),
        ("a\tb\t2.0\n", r"table:1: no two words and a probability"),
        ("a\tb\tnan\n", r"table:1: no two words and a probability"),
    ],
)
def test_a_table_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "table").write_text(text)
    with pytest.raises(InputError, match=message):
        read_translations(tmp_path / "table", "train again")


def test_the_mixture_is_the_sum_over_attended_words(model: Path) -> None:
    task, network = load_trained(model)
    network.eval()
    source, target = task.source_dictionary, task.target_dictionary
    matrix = as_matrix({"otter": {"swims": 0.75, "no such word": 0.25}}, source, target)
    assert torch.allclose(matrix.to_dense().sum(0), torch.ones(len(source)))
    rows = [["the", "otter", "swims"], ["otter"]]
    batch, _ = dress._batch(task, rows, "cpu")
    before = torch.tensor([[target.eos(), target.index("the")]] * 2)
    with torch.inference_mode():
        scores, attention = network.decoder(before, network.encoder(batch["src_tokens"], batch["src_lengths"]))
        task.mix(network, matrix, 0.3)
        encoded = network.encoder.forward_torchscript(batch)
        mixed, again = network.decoder(before, encoded)
        swapped, _ = network.decoder(before, network.encoder.reorder_encoder_out(encoded, torch.tensor([1, 0])))
    assert torch.equal(attention, again)
    assert torch.allclose(swapped, mixed.flip(0), atol=1e-6)
    assert torch.allclose(mixed.exp().sum(2), torch.ones(2, 2), atol=1e-5)
    for row, words in enumerate(rows):
        for place in range(2):
            expected = 0.7 * scores[row, place].softmax(0)
            for weight, word in zip(attention[row, place].tolist(), [*words, "</s>"], strict=False):
                shares = {"swims": 0.75, "<unk>": 0.25} if word == "otter" else {word: 1.0}
                for other, share in shares.items():
                    expected[target.index(other)] += 0.3 * weight * share
            assert torch.allclose(mixed[row, place].exp(), expected, atol=1e-6)


def test_a_share_of_nothing_is_dress_and_of_everything_is_words_for_words(model: Path) -> None:
    search = replace(small_config().search, beam=3)
    rows = [["the", "otter", "swims", "near", "the", "river", "."], ["many", "badgers"]]
    table = {word: {"forest": 1.0} for row in rows for word in row}
    found = [
        Generator(model, search, RUNTIME, True, False, lexicon=lexicon)(rows, 2)
        for lexicon in (None, Lexicon(table, 0.0), Lexicon(table, 1.0))
    ]
    assert [[item.tokens for item in row] for row in found[0]] == [[item.tokens for item in row] for row in found[1]]
    assert {token for row in found[2] for item in row for token in item.tokens} <= {"forest"}


def test_from_pairs_to_text(model: Path, corpus: CorpusFiles, tmp_path: Path) -> None:
    again = trained(KIND, corpus, tmp_path, replace(small_config(), lexical=LEXICAL))
    assert (again / dress.LEXICON).read_bytes() == (model / dress.LEXICON).read_bytes()
    outputs = simplifiers.load_simplifier_folder(model, RUNTIME).simplify(["The otter swims.", ""], 2)
    assert outputs[1][0].text == "" and 1 <= len(outputs[0]) <= 2


def test_a_folder_without_its_table(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    for path in model.iterdir():
        if path.name != dress.LEXICON:
            (folder / path.name).write_bytes(path.read_bytes())
    with pytest.raises(InputError, match="translations.tsv"):
        simplifiers.load_simplifier_folder(folder, RUNTIME)
    write_json(folder / dress.LEXICON, {})
    with pytest.raises(InputError, match=r"translations.tsv:1: no two words and a probability; restore the folder"):
        KIND.load(folder, RUNTIME)


def test_settings() -> None:
    assert from_conf("simplifier.dress", DressConfig).lexical is None
    with pytest.raises(KeyFault, match="share"):
        structured({"share": 1.5, "ibm1_iterations": 1, "hmm_iterations": 0}, LexicalConfig)
