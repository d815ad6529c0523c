"""docx, HTML, Markdown and PDF as texts: what is read, what is written back in place, what is refused."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from commands import done, refused, run

from textsimp.core.errors import InputError
from textsimp.core.reading import lines_of
from textsimp.simplification.running_text import joined, parts_of_blocks
from textsimp.sources.documents import read_marked, read_plain
from textsimp.sources.plain import read_plain_pair
from textsimp.sources.text_folders import match_folder

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
BODY = """
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>The bee</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">Bees </w:t></w:r><w:del><w:r><w:delText>never </w:delText></w:r></w:del>
<w:ins><w:r><w:rPr><w:b/></w:rPr><w:t>make</w:t></w:r></w:ins>
<w:r><w:t xml:space="preserve"> honey. They</w:t></w:r></w:p>
<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>Gone.</w:delText></w:r></w:del></w:p>
<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t xml:space="preserve">One </w:t></w:r></w:p>
<w:p><w:r><w:t>paragraph.</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>first</w:t><w:tab/><w:t>item</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Name</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Age</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p/></w:tc></w:tr></w:tbl>
"""
HTML = """<!doctype html><html><head><title>No</title><style>p {}</style><script>alert("no")</script></head><body>
<nav><p>Menu</p></nav><h1>The <i>bee</i></h1><p>Bees <b>make</b> honey.<br>They &lt;sleep&gt;.
<script>document.write("no")</script></p><p hidden>no</p><p style="display: none">no</p>
<ul><li>one<li>two</ul>
<table><caption>一句。二句。</caption><tr><td>Name<td>Age<tr hidden><td>no<td>no<tbody hidden><tr><td>no<td>no</table>
<table><tr><td><p>In a frame.</p></table><!-- no --></body></html>"""
NOTES = """<p>In 2019<sup><a href="#n">3</a></sup> CO<sup>[1]</sup> x<a href="#n"><sup>a</sup></a> ends.<sup>1, 2</sup>
"No."<sup>*</sup> m<sup>2</sup> 10<sup>6</sup>"""
MARKDOWN = (
    "---\na: no\n---\n# The *bee*\n\nBees [make](http://x) honey.\nThey sleep.\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|\n"
)


def write_docx(path: Path, body: str = BODY, main: bytes = b"wordprocessingml.document.main") -> Path:
    """A docx with this body in place of that of python-docx's template."""
    made = io.BytesIO()
    docx.Document().save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(path, "w") as new:
        for item in old.infolist():
            xml = f"<w:document {W}><w:body>{body}</w:body></w:document>".encode()
            kept = old.read(item).replace(b"wordprocessingml.document.main", main)
            new.writestr(item, xml if item.filename == "word/document.xml" else kept)
    return path


def write_pdf(path: Path, *lines: str) -> Path:
    """A PDF of one page, or of those that `---` parts; without lines it has no text."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents "
    for text in "\n".join(lines).split("\n---\n"):
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 50 700 Td {shown}ET" if lines else "0 0 10 10 re f"
        objects += [f"<</Length {len(stream)}>>stream\n{stream}\nendstream", f"{page}{len(objects) + 1} 0 R>>"]
    kids = range(5, len(objects) + 1, 2)
    objects[1] = f"<</Type/Pages/Kids[{''.join(f'{kid} 0 R ' for kid in kids)}]/Count {len(kids)}>>"
    data = "".join(f"{number} 0 obj{item}endobj\n" for number, item in enumerate(objects, 1))
    path.write_bytes(f"%PDF-1.4\n{data}trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF".encode())
    return path


def blocks(path: Path) -> list[tuple[str, str]]:
    marked = read_marked(path)
    assert marked is not None
    return [(block.kind.value, block.text) for block in marked.blocks]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


READ = {
    "": "heading: The bee / text: Bees make honey. They / text: One paragraph. / item: first item / row: Name | Age",
    HTML: "heading: The bee / text: Bees make honey. They <sleep>. / item: one / item: two / text: 一句。二句。 / "
    "row: Name | Age / text: In a frame.",
    NOTES: 'text: In 2019 CO x ends. "No." m2 106',
    MARKDOWN: "heading: The bee / text: Bees make honey. They sleep. / item: one / item: two / row: a | b / row: 1 | 2",
    "---\n\nOne.\n\n---\n\nTwo.\n\n": "text: One. / text: Two.",
    "One.\n\n---\na: b\n\nTwo.\n\n---\n": "text: One. / text: a: b / text: Two.",
}


@pytest.mark.parametrize("source", READ)
def test_only_text_is_read(tmp_path: Path, source: str) -> None:
    """Tracked changes are accepted; scripts, menus, what is hidden, notes' marks and front matter are left out."""
    ending = "html" if source[:1] == "<" else "md"
    path = write(tmp_path / f"a.{ending}", source) if source else write_docx(tmp_path / "a.docx")
    assert " / ".join(f"{kind}: {text}" for kind, text in blocks(path)) == READ[source]


@pytest.mark.parametrize("start", ["<meta charset={}>", "<?xml version='1.0' encoding='{}'?><html>"])
@pytest.mark.parametrize("codec", ["utf-8", "iso-8859-1"])
def test_a_page_is_read_as_it_declares(tmp_path: Path, codec: str, start: str) -> None:
    (tmp_path / "a.html").write_bytes(f"{start.format(codec)}<p>Üben - nie".encode(codec))
    assert blocks(tmp_path / "a.html") == [("text", "Üben - nie")]


def test_a_pdf_is_read_as_its_lines(tmp_path: Path) -> None:
    lines = ["Bees make honey.", "They sleep."]
    assert lines_of(read_plain(write_pdf(tmp_path / "a.pdf", *lines, "12"))) == lines
    pages = "City Office/5 Main Street/Bees make honey./Page 1 of 2/---/City Office/5 Main Street/2/They sleep./1200/90"
    assert lines_of(read_plain(write_pdf(tmp_path / "a.pdf", *pages.split("/")))) == [*lines, "1200"]
    refused(run("simplify", write_pdf(tmp_path / "b.pdf"), tmp_path / "out.txt"), "b.pdf: a PDF without text ", "OCR")


def test_new_words_take_the_format_of_the_old_ones(tmp_path: Path) -> None:
    marked = read_marked(write_docx(tmp_path / "a.docx"))
    assert marked is not None
    (tmp_path / "b.docx").write_bytes(marked.with_texts({1: "Bees produce sweet honey. They sleep"}))
    made = docx.Document(str(tmp_path / "b.docx"))
    runs = [("Bees ", None), ("produce sweet", True), (" honey. They sleep", None)]
    assert [(run.text, run.bold) for run in made.paragraphs[1].runs] == runs and len(made.tables) == 1
    assert blocks(tmp_path / "b.docx")[2:] == blocks(tmp_path / "a.docx")[2:]
    assert b"w:ins" not in zipfile.ZipFile(tmp_path / "b.docx").read("word/document.xml")


def test_simplify_writes_a_docx_in_place(tmp_path: Path, told: Callable[..., None]) -> None:
    told(lambda sentence: [sentence.replace("make", "give")])
    write_docx(tmp_path / "a.docx")
    for name in ("b.docx", "c.docx"):
        said = done("simplify", tmp_path / "a.docx", tmp_path / name, "--model", tmp_path / "model").stderr
    assert "a.docx: 7 tracked changes accepted in the copy" in said
    macros = write_docx(tmp_path / "a.docm", main=b"ms-word.document.macroEnabled.main")
    refused(run("simplify", macros, tmp_path / "x.txt"), "a.docm: a Word document with macros", "save it as .docx")
    changed = [(kind, text.replace("make", "give")) for kind, text in blocks(tmp_path / "a.docx")]
    assert blocks(tmp_path / "b.docx") == changed
    assert (tmp_path / "b.docx").read_bytes() == (tmp_path / "c.docx").read_bytes()


def test_what_was_accepted_on_a_page_of_suggestions_becomes_a_docx(tmp_path: Path) -> None:
    """The page saves the text as `simplify` writes it; the paragraphs take their places again, with their formats."""
    write_docx(tmp_path / "a.docx")
    marked = read_marked(tmp_path / "a.docx")
    assert marked is not None
    parts = parts_of_blocks(marked.blocks, "en", "auto")
    saved = joined(parts, [part.text.replace("make", "give") for part in parts])
    write(tmp_path / "a.txt", saved)
    done("simplify", tmp_path / "a.docx", tmp_path / "b.docx", "--accepted", tmp_path / "a.txt")
    changed = [(kind, text.replace("make", "give")) for kind, text in blocks(tmp_path / "a.docx")]
    assert blocks(tmp_path / "b.docx") == changed != blocks(tmp_path / "a.docx")
    write(tmp_path / "a.txt", saved + "\nOne more.\n")
    refused(run("simplify", tmp_path / "a.txt", tmp_path / "c.docx"), "docx is written where the input is docx")
    for output, said in (("c.docx", "paragraphs where"), ("c.txt", "no docx or web page")):
        refused(run("simplify", tmp_path / "a.docx", tmp_path / output, "-q", "--accepted", tmp_path / "a.txt"), said)
        assert not (tmp_path / output).exists()
    typed = [["--checks"], ["--language", "en"], ["--lines", "auto"], ["--strength", "light"], ["--caution", "0"]]
    write(tmp_path / "page.html", HTML)
    cases = [("a.txt", more, "leave out the options") for more in typed]
    cases += [(name, [], "give the .txt that the page saved") for name in ("page.html", "saved.docx")]
    (tmp_path / "saved.docx").write_bytes((tmp_path / "a.docx").read_bytes())
    for accepted, more, said in cases:
        given = ("simplify", tmp_path / "a.docx", tmp_path / "c.docx", "--accepted", tmp_path / accepted, "--quiet")
        refused(run(*given, *more), said)


def test_simplify_writes_a_page_in_place(tmp_path: Path, told: Callable[..., None]) -> None:
    told(lambda sentence: [sentence.replace("make", "<give>")])
    write(tmp_path / "a.html", HTML.replace("<title>", "<meta charset=utf-8><title>"))
    done("simplify", tmp_path / "a.html", tmp_path / "b.html", "--model", tmp_path / "model")
    made = (tmp_path / "b.html").read_text()
    assert "<b>&lt;give&gt;</b> honey.<br>" in made and "<nav><p>Menu</p></nav>" in made and ">一句。二句。<" in made
    assert made.lower().count("<meta charset") == 1


def test_a_folder_may_have_every_form(tmp_path: Path) -> None:
    write_docx(tmp_path / "bee.complex.docx")
    write(tmp_path / "bee.simple.html", HTML)
    write(tmp_path / "ant.complex.md", MARKDOWN)
    write_pdf(tmp_path / "ant.simple.pdf", "Bees make honey.")
    write(tmp_path / "README.md", "A note.")
    pairs = [read_plain_pair(pair.complex, pair.simple) for pair in match_folder(tmp_path).pairs]
    assert [pair.simple.sentences[-1] for pair in pairs] == ["Bees make honey.", "In a frame."]
    write(tmp_path / "bee.complex.txt", "Bees.")
    with pytest.raises(InputError, match=r"bee.complex.docx is this text in another form"):
        match_folder(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.pdf", b"%PDF-1.4 no", "a damaged or locked PDF"),
        ("a.docx", b"PK\x03\x04 word/ no", "a damaged or locked Word document"),
        ("a.html", b"<html><p>\xff", ":1: byte 0xff is not UTF-8"),
        ("a.html", b"<html><meta charset=nowhere><p>a", "is not in 'nowhere'"),
        ("a.html", b"<html><script>1</script>", "a text without sentences"),
        ("a.odt", b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    for command in (
        ["convert", write(tmp_path / "b.txt", "One."), tmp_path / name, tmp_path / "out.jsonl"],
        ["simplify", tmp_path / name, tmp_path / "out.txt"],
    ):
        refused(run(*command), said)
