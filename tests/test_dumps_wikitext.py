"""Paragraphs and sentences from wikitext: what stays, what goes, and what never closes."""

import time
from dataclasses import replace

import pytest
from dumps_sample import CONFIG

from textsimp.extras.wikidump.wikitext import Reader

SPACES = {-2: "Medium", 0: "", 4: "Wikipedia", 6: "Datei", 12: "Hilfe", 14: "Kategorie"}


def reader(**changes: object) -> Reader:
    text = {"lang": [2], "nowrap": [1], "convert": [1, 2]}
    return Reader(replace(CONFIG, template_text=text, **changes), SPACES)


def paragraphs(text: str, **changes: object) -> list[str]:
    return reader(**changes).paragraphs(text)


KEPT = {
    "paragraphs in order, lines joined, titles dropped": (
        "One\ntwo.\n\n== Title [[x]] ==\nThree.\n=== Deeper ===\n\n\nFour.",
        ["One two.", "Three.", "Four."],
    ),
    "links": (
        "[[A]] [[b|c ''d'']] [[e f]]s [[:Kategorie:G]] [[Hilfe:H|h]] [http://i.j k [[l]]] [http://m] [[N#o|p]].",
        ["A c d e fs Kategorie:G h k l p."],
    ),
    "files, categories, other languages": (
        "a[[File:x.png|thumb|A [[b]] c {{d}}.]][[image:y.png]][[Datei:z.png|mini|f [[g|h]]]][[Kategorie:I]] j"
        "[[fr:Paris]][[zh-min-nan:Paris]][[Medium:k.ogg]] l",
        ["a j l"],
    ),
    "templates, nested, with links and tables in them": (
        "a {{b|c={{d|[[e]]|{{f}}}}\n|g=\n{| class=x\n| h\n|}\n}}i {{{j|k}}} l",
        ["a i l"],
    ),
    "templates that stand for text": (
        "{{lang|fr|''le {{nowrap|[[bon|beau]] jour}}''}} {{Lang|fr}} {{convert|5|km|mi}} {{other|x}}.",
        ["le beau jour 5 km."],
    ),
    "what templates leave behind": (
        "Paris ({{IPA|x}}; {{y}}) and Rome ({{IPA|x}}, born 1950; {{z}}) are it {{sfn}}.",
        ["Paris and Rome (born 1950) are it."],
    ),
    "tables, nested, of both kinds": (
        "a\n{| class=w\n|-\n! b !! c\n| [[d]] || {{e}}\n{|\n| f\n|}\n| g\n|}\nh\n<table><tr><td>i</td></tr></table>j",
        ["a", "h", "j"],
    ),
    "references": (
        'a<ref>b</ref> c<ref name="d" /> e<ref name=f>{{cite|g=[http://h]}}\n\nx</ref>.<references/>\n<REF>i</REF>',
        ["a c e."],
    ),
    "comments, also on lines of their own, also open": (
        "a<!-- b\n\nc -->d\n<!-- e -->\nf\n\ng <!-- h\n\ni",
        ["ad f", "g"],
    ),
    "inline tags go, their text stays": (
        "H<sub>2</sub>O<br/>a <span style='x'>b</span> <small>c</small> <div class=d>e</div>f<p>g<p>h",
        ["H2O a b c", "e", "f", "g", "h"],
    ),
    "content that is no text": (
        "a <math>x_{[[}</math>b<source lang=c>if (a<b) {{</source>c\n<gallery>\nx.png|[[d]]\n</gallery>",
        ["a bc"],
    ),
    "apostrophes": ("''a'' '''b''' '''''c''''' ''''d'''' it's rock 'n' roll", ["a b c 'd' it's rock 'n' roll"]),
    "entities and signs": (
        "a &amp; b&nbsp;c &lt;d&gt; 1 < 2 > 1 <e@f.g> &#233; &bogus; x",
        ["a & b c <d> 1 < 2 > 1 <e@f.g> é &bogus; x"],
    ),
    "switches and lines": ("__NOTOC__a\n----\n__INHALTSVERZEICHNIS__\nb_c__", ["a", "b_c__"]),
    "right to left": (
        "'''בראשית''' ([[ערך|מילה]])<ref>ה</ref>.\u200f\n\nمرحبا {{ر}} بالعالم؟",
        ["בראשית (מילה).\u200f", "مرحبا بالعالم؟"],
    ),
    "other line separators are spaces": ("a\u2028b\u0085c\u3000d", ["a b c d"]),
    "lists": ("a\n* b\n** c [[d]]\n# e\n:f\n;g : h\n<ul><li>i</li><li>j</ul>k", ["a", "k"]),
    "nothing": ("{{a}}<!-- b -->[[Kategorie:C]]", []),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_stays(name: str) -> None:
    text, expected = KEPT[name]
    assert paragraphs(text) == paragraphs(text.replace("\n", "\r\n")) == expected


OPEN = {
    "template": ("{{Box\n| a = b\n| c = {{d}}\nText.\n\nNext.", ["{{Box Text.", "Next."]),
    "link": ("a [[b. c\n\nd [[e]] f", ["a [[b. c", "d e f"]),
    "reference": ("a<ref>b {{c}}\n\nd<ref>e</ref>", ["a<ref>b", "d"]),
    "table": ("a\n{| class=x\n|-\n! b !! c\n| d\ne\n\nf\n{|\n| g\n|}\nh", ["a {| class=x e", "f", "h"]),
    "comment": ("a\n\nb <!-- c", ["a", "b"]),
    "nowiki": ("a <nowiki>[[b]] c", ["a <nowiki>b c"]),
    "external link": ("a [http://b c\n\nd]", ["a [http://b c", "d]"]),
    "closers": ("a}} b]]\n|}\n\nc</ref> d</div> e", ["a}} b]]", "c</ref> d</div> e"]),
    "crossed": ("a {{b [[c}} d]] <ref>{{e</ref> f", ["a {{b [[c}} d]] f"]),
}


@pytest.mark.parametrize("name", OPEN)
def test_what_never_closes_is_kept_in_its_place_and_harms_nothing_after_it(name: str) -> None:
    text, expected = OPEN[name]
    assert paragraphs(text) == expected
    sentences = [sentence for paragraph in reader(min_tokens=1).sentences(text) for sentence in paragraph]
    assert not any(mark in sentence for sentence in sentences for mark in ("{{", "[[", "<", "{|", "[http"))


@pytest.mark.parametrize(
    "part", ["{{", "[[", "{{a|", "<ref>x ", "<b>x ", "<nowiki>", "{|\n| a\n", "[http://a ", "{{{a|"]
)
def test_hostile_pages_are_refused_before_the_parser(part: str) -> None:
    """Each takes the parser minutes or more."""
    start = time.process_time()
    for text in (part * 30_000, "}}" * 30_000 + part * 30_000 + "]]" * 30_000):
        with pytest.raises(ValueError, match="more than the parser can read"):
            paragraphs(text)
    assert time.process_time() - start < 5


def test_the_limits_are_those_of_the_settings() -> None:
    assert paragraphs("a [[b " * 3, max_unclosed=3) == ["a [[b a [[b a [[b"]
    for changes in ({"max_unclosed": 2}, {"max_characters": 17}):
        with pytest.raises(ValueError, match="more than the parser can read"):
            paragraphs("a [[b " * 3, **changes)


def test_sentence_filters_of_appendix_b() -> None:
    read = reader()
    text = (
        "See also that.\n\nToo few. Here are the three:\n\nA [[mark is in here. This one is fine.\n\nIt has ]] in it."
    )
    assert read.sentences(text) == (("See also that.",), ("This one is fine.",))
    assert read.counts == {"kept": 2, "short": 1, "ending": 1, "markup": 2}
