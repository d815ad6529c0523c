"""SWiPE: the reader, and the sentence links that edits imply, on made-up pages and on the mirror's."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Link
from textsimp.sources.sentences import split_sentences
from textsimp.sources.swipe import Edit, Edits, Group, LinkRule, derive_links, read_swipe, swipe_pairs, word_weights

RULE = LinkRule(0.4, 0.75)
ALIGNED, PARTIAL = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL
KEYS = {"=": ("equal", "text"), "+": ("insert", "insert"), "-": ("delete", "delete")}


def steps(*rows: str) -> list[dict[str, Any]]:
    """Edits from their text with a sign before it."""
    return [{"type": KEYS[row[0]][0], KEYS[row[0]][1]: row[1:], "idx": number} for number, row in enumerate(rows)]


def page(name: str = "Otter", edits: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    edits = edits or steps("=The otter swims", "-rapidly", "+fast", "=in rivers.", "-It was described by Brisson.")
    texts = {
        key: "".join(f"{edit.get('text') or edit.get(own) or ''} " for edit in edits)
        for key, own in (("r_content", "delete"), ("s_content", "insert"))
    }
    groups = [{"opis": [1, 2], "category": "lexical_generic"}]
    row = {"_id": f"id-{name}", "r_page": name, "s_page": name, "edits": edits, "annotations": groups}
    return row | texts | more


def write(folder: Path, value: Any) -> Path:
    path = folder / "swipe.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def parsed(*rows: str, groups: tuple[Group, ...] = ()) -> Edits:
    kinds = {sign: kind for sign, (kind, _) in KEYS.items()}
    return Edits(tuple(Edit(kinds[row[0]], row[1:]) for row in rows), groups)


def test_a_page_becomes_a_document_pair(tmp_path: Path) -> None:
    corpus = swipe_pairs(read_swipe(write(tmp_path, [page(), page("Beaver")])), "swipe", RULE)
    assert corpus.dropped == {}
    pair = corpus.pairs[0]
    assert (pair.id, pair.corpus, pair.group) == ("id-Otter", "swipe", "Otter")
    assert pair.complex.paragraphs == (("The otter swims rapidly in rivers.", "It was described by Brisson."),)
    assert (pair.complex.level, pair.simple.level) == (1, 0)
    assert pair.simple.sentences == ("The otter swims fast in rivers.",)
    assert pair.alignments == (Link(0, 0, ALIGNED),)


def test_lines_are_paragraphs_and_dashes_may_differ(tmp_path: Path) -> None:
    edits = steps("=The otter swims.", "=From 1914-18.")
    row = page(edits=edits, annotations=[], r_content="The otter swims.\n\n From  1914–18.\n")
    (pair,) = swipe_pairs(read_swipe(write(tmp_path, [row])), "swipe", RULE).pairs
    assert pair.complex.paragraphs == (("The otter swims.",), ("From 1914–18.",))


INHABIT = ("=Otters", "-inhabit cold rivers.", "+live in streams.")
DAMS = ("-Beavers build dams.", "=Otters swim.", "+Beavers build dams.")
GERMAN = ("-One two three.", "-Four", "=five six.", "+Eins zwei.")
LINKED: dict[str, tuple[tuple[str, ...], tuple[Group, ...], list[Link]]] = {
    "half of a sentence is all of the other one, a dropped sentence has no link": (
        ("=Otters swim", "-in cold water", "=.", "-Beavers build dams."), (), [Link(0, 0, PARTIAL)],
    ),
    "a split links both": (
        ("=Otters swim", "-and", "+.", "+They", "=eat fish."), (), [Link(0, 0, PARTIAL), Link(1, 0, PARTIAL)],
    ),
    "without a group one word of four is shared": (INHABIT, (), []),
    "a group renders deleted by inserted words": (INHABIT, (Group("lexical_generic", (1, 2)),), [Link(0, 0, ALIGNED)]),
    **{
        f"{category} renders nothing": (INHABIT, (Group(category, (1, 2)),), [])
        for category in ("semantic_deletion", "syntactic_deletion", "nonsim_extraneous_information")
    },
    "moved words link the sentences that they left and entered": (
        DAMS, (Group("discourse_reordering", (0, 2)),), [Link(0, 1, ALIGNED), Link(1, 0, ALIGNED)],
    ),
    # of the two inserted words 3/4 render the three words of sentence 0, and 1/4 the one of sentence 1: no link
    "replacements are shared out in proportion": (
        GERMAN, (Group("syntactic_sentence_fusion", (0, 1, 3)),), [Link(0, 1, PARTIAL), Link(1, 0, ALIGNED)],
    ),
    "two of three words are shared": (("=The", "-otter", "+beaver", "=of"), (), [Link(0, 0, PARTIAL)]),
    "common words weigh little": (("=THE", "-otter", "+beaver", "=OF"), (), []),
}  # fmt: skip
"""Edits, their groups, and the links between the texts that they spell; words in capitals weigh a tenth."""


@pytest.mark.parametrize("name", LINKED)
def test_links_that_edits_imply(name: str) -> None:
    rows, groups, expected = LINKED[name]
    edits = parsed(*rows, groups=groups)
    texts = (" ".join(step.text for step in edits.steps if step.kind != absent) for absent in ("insert", "delete"))
    complex_, simple = (split_sentences(text.replace(" .", ".")) for text in texts)
    words = {word for text in (*complex_, *simple) for word in text.rstrip(".").replace(".", " ").split()}
    weights = {word.casefold(): 0.1 if word.isupper() else 1.0 for word in words}
    assert derive_links(complex_, simple, edits, weights, RULE) == tuple(expected)


def test_weights_are_inverse_document_frequencies() -> None:
    weights = word_weights(["The otter.", "The beaver, the beaver.", "Otter"])
    assert weights == pytest.approx({"the": math.log(3 / 2), "otter": math.log(3 / 2), "beaver": math.log(3)})
    assert word_weights([]) == {}


def test_a_rule_is_checked() -> None:
    for thresholds in ((0.0, 0.5), (0.6, 0.5), (0.5, 1.1)):
        with pytest.raises(InputError, match="link"):
            LinkRule(*thresholds)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (page("A", s_content="The otter swims."), "edits that do not spell the two texts"),
        (page("A", s_content=" \n "), "a side without text"),
        (page("A", s_content="The otter swims fast in rivers\ufffd"), "damaged text"),
        (page("A", s_content="He smells.\n" * 3), "a sentence many times over"),
    ],
)
def test_bad_pages_are_dropped_and_counted(tmp_path: Path, row: dict[str, Any], reason: str) -> None:
    corpus = swipe_pairs(read_swipe(write(tmp_path, [row, page("B")])), "swipe", RULE)
    assert corpus.dropped == {reason: 1}
    assert [pair.group for pair in corpus.pairs] == ["B"]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({}, "not a JSON list of pages"),
        ([], "not a JSON list of pages"),
        ([5], "page 0 of the list: 'r_page' is absent"),
        ([page(), page()], "page 1 of the list: id 'id-Otter' stands here twice"),
        ([page(edits=None, r_content=7)], "'r_content' is absent or not str"),
        ([page(edits=[{"type": "move", "text": "a", "idx": 0}])], "type 'move' is none of equal, insert, delete"),
        ([page(edits=[{"type": "equal", "text": "a", "idx": 1}])], "not in order"),
        ([page(edits=[{"type": "insert", "text": "a", "idx": 0}])], "'insert' is absent"),
        ([page(annotations=[{"opis": [9], "category": "c"}])], "names edit 9; the page has edits 0 to 4"),
        ([page(annotations=[{"opis": [1]}])], "'category' is absent"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, value: Any, what: str) -> None:
    path = write(tmp_path, value)
    with pytest.raises(InputError, match=what) as error:
        read_swipe(path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)
    path.write_text('[{"_id": ', encoding="utf-8")
    with pytest.raises(InputError, match="swipe.json:1: not JSON"):
        read_swipe(path)


def test_the_mirror(mirror: Path) -> None:
    """Counts of the validation part; two of the four dropped pages are vandalised."""
    corpus = swipe_pairs(read_swipe(mirror / "swipe" / "swipe_val.json"), "swipe", RULE)
    assert corpus.dropped == {"a sentence many times over": 2, "edits that do not spell the two texts": 2}
    assert len(corpus.pairs) == len({pair.group for pair in corpus.pairs}) == 478
    labels = [link.label for pair in corpus.pairs for link in pair.alignments or ()]
    assert (labels.count(ALIGNED), labels.count(PARTIAL)) == (706, 859)
