"""The reader of WIKI-AUTO's JSON, on made-up articles."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import Document
from textsimp.sources.wiki_auto import read_wiki_auto, write_wiki_auto


def side(name: str, page: Any, sentences: dict[str, str]) -> dict[str, Any]:
    content = {f"{name}-{page}-{position}": text for position, text in sentences.items()}
    return {"id": page, "title": "A boat", "url": "https://example.org", "content": content}


def entry(**more: Any) -> dict[str, Any]:
    return {
        "normal": side("normal", "41", {"0-0": "A boat floats – mostly.", "0-1": "It drifts.", "2-0": '{It} "sank".'}),
        "simple": side("simple", "7", {"0-0": "A boat sank."}),
    } | more


def write(folder: Path, value: Any) -> Path:
    path = folder / "part-1.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def test_entries_with_and_without_alignment(tmp_path: Path) -> None:
    aligned = entry(
        paragraph_alignment=[["simple-7-0", "normal-41-2"]], sentence_alignment=[["simple-7-0-0", "normal-41-2-0"]]
    )
    first, second = read_wiki_auto(write(tmp_path, {"10": entry(), "11": aligned}))
    assert (first.key, first.page, first.links) == ("10", "7", None)
    assert first.complex == Document("normal-41", 1, (("A boat floats – mostly.", "It drifts."), ('{It} "sank".',)))
    assert first.simple == Document("simple-7", 0, (("A boat sank.",),))
    assert second.links == ((0, 2),)


def test_page_ids_may_be_numbers_and_ids_in_any_order(tmp_path: Path) -> None:
    content = {"1-0": "Third.", "0-1": "Second.", "0-0": "First."}
    value = entry(simple=side("simple", 7, content))
    (pair,) = read_wiki_auto(write(tmp_path, {"10": value}))
    assert pair.page == "7"
    assert pair.simple.sentences == ("First.", "Second.", "Third.")


def test_is_read_as_it_was_written(tmp_path: Path) -> None:
    (pair,) = read_wiki_auto(write(tmp_path, {"10": entry()}))
    same_page = replace(pair, complex=replace(pair.complex, id="normal-7"))
    write_wiki_auto(tmp_path / "out.json", [same_page])
    assert list(read_wiki_auto(tmp_path / "out.json")) == [same_page]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([], "an opening brace is missing"),
        ({"10": 5}, "pair '10': 'normal' is absent"),
        ({"10": {"normal": entry()["normal"]}}, "pair '10': 'simple' is absent"),
        ({"10": entry(simple={"id": "7"})}, "'content' is absent"),
        ({"10": entry(simple={"content": {}})}, "'id' is absent"),
        ({"10": entry(simple=side("simple", "8", {}) | {"content": {"simple-7-0-0": "A."}})}, "is not simple-8-"),
        ({"10": entry(simple=side("simple", "7", {"0": "A."}))}, "is not simple-7-PARAGRAPH-SENTENCE"),
        ({"10": entry(simple=side("simple", "7", {"0-0": 5}))}, "is no text"),
        ({"10": entry(sentence_alignment=[["simple-7-0-9", "normal-41-0-0"]])}, "names no simple and normal"),
        ({"10": entry(sentence_alignment=[["simple-7-0-0"]])}, "names no simple and normal"),
        ({"10": entry(sentence_alignment=[[["x"], "normal-41-0-0"]])}, "names no simple and normal"),
    ],
)
def test_a_bad_entry_names_file_and_pair(tmp_path: Path, value: Any, what: str) -> None:
    path = write(tmp_path, value)
    with pytest.raises(InputError, match=what) as error:
        list(read_wiki_auto(path))
    assert str(error.value).startswith(f"{path}:1: ")


def test_a_truncated_absent_or_binary_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, {str(number): entry() for number in range(3)})
    data = path.read_bytes()
    for share in (0.05, 0.3, 0.6, 0.97):
        path.write_bytes(data[: int(len(data) * share)])
        with pytest.raises(InputError, match="truncated JSON|not UTF-8"):
            list(read_wiki_auto(path))
    with pytest.raises(InputError, match="no such file"):
        list(read_wiki_auto(tmp_path / "none.json"))
    (tmp_path / "bad.json").write_bytes(b'{"10\xe9": 1}')
    with pytest.raises(InputError, match="not UTF-8"):
        list(read_wiki_auto(tmp_path / "bad.json"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"10": ' + "[" * 100_000, "lists inside lists without end"),
        ('{"10": ' + "9" * 5000 + "}", "a number of thousands of digits"),
        ('{"10": {"a": 1, "a": 2}}', "key 'a' stands twice"),
        ('{"10": NaN}', "NaN is no JSON number"),
        ('{"10": 1e999}', "a number too large"),
    ],
)
def test_json_that_no_release_has(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "part.json").write_text("\n" + text)
    with pytest.raises(InputError, match=rf"part\.json:2: {what}"):
        list(read_wiki_auto(tmp_path / "part.json"))
