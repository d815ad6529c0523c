"""The first hour with the command: from one's own texts to sentence pairs, and what is said on the way."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import done, refused, run
from test_commands import COMMANDS

from textsimp.core.errors import InputError
from textsimp.core.records import read_pairs
from textsimp.sources.text_folders import match_folder, match_folders

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"torch", "transformers", "gensim", "hydra", "spacy", "nltk", "matplotlib", "pandas", "sklearn", "sacrebleu"}
HARD = "The old otter often swims in the cold river near the mill. It hunts fish at night.\n\nThe newt waits.\n"
EASY = "The otter swims in the river near the mill.\n\nAt night it hunts fish.\n"
DONE = re.compile(r"(.+): 1 document pair, \d sentences, \d links \(\d aligned, \d partial\) in \d+\.\d s\n")


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("hard.txt").write_text(HARD)
    Path("easy.txt").write_text(EASY)
    return tmp_path


def imported(*commands: list[str]) -> list[tuple[list[str], int, set[str]]]:
    """Commands, one after the other in a process of its own: exit statuses, and the packages imported until then."""
    code = (
        "import json, sys\nfrom textsimp.cli.app import app\n"
        "for command in json.loads(sys.argv[1]):\n    status = None\n"
        "    try:\n        app(command)\n    except SystemExit as end:\n        status = end.code\n"
        "    print('\\nimported', status, *{name.split('.')[0] for name in sys.modules})"
    )
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, json.dumps(commands)]
    shown = subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout
    rows = [line.split()[1:] for line in shown.splitlines() if line.startswith("imported ")]
    return [(given, int(status), set(names)) for given, (status, *names) in zip(commands, rows, strict=True)]


def test_what_is_heavy_is_imported_when_it_is_needed(texts: Path) -> None:
    """Nothing by help and usage errors, nor where a file is absent; torch alone by the default aligner."""
    light = HEAVY | {"numpy", "scipy"}
    helped = [["algin"], ["--help"], ["--version"], *([*name.split(), "--help"] for name in COMMANDS)]
    absent = [["align", "absent.jsonl", "out.jsonl"], ["convert", "hard.txt", "absent", "out"]]
    aligned = [["align", "hard.txt", "easy.txt", output] for output in ("out.jsonl", "out.tsv", "out.html")]
    for given, status, names in imported(*helped, *absent, *aligned):
        assert status == (2 if given in (["algin"], *absent) else 0), given
        if given in helped:
            assert names & (light | {"omegaconf", "tqdm", "rich"}) == set(), given
        assert names & (HEAVY if given in aligned else light) == ({"torch"} if given in aligned else set()), given


def test_two_texts_become_sentence_pairs(texts: Path) -> None:
    aligned = done("align", "hard.txt", "easy.txt", "out.tsv", "--html", "out.html")
    match = DONE.fullmatch(aligned.stderr)
    assert match and match[1] == "out.tsv, out.html" and aligned.stdout == ""
    header, first, *_ = [line.split("\t") for line in Path("out.tsv").read_text().splitlines()]
    assert header == ["pair", "label", "complex_indexes", "simple_index", "complex", "simple", "score"]
    assert [first[0], *first[2:4], first[5]] == ["hard--easy", "0", "0", "The otter swims in the river near the mill."]
    assert re.fullmatch(r"0\.\d{4}", first[6])
    assert "Content-Security-Policy" in Path("out.html").read_text()
    assert sorted(path.name for path in texts.iterdir()) == ["easy.txt", "hard.txt", "out.html", "out.tsv"]


def test_every_form_has_the_same_pairs(texts: Path) -> None:
    for output in (["out.jsonl"], ["out.csv"], ["out", "--format", "parallel"]):
        done("align", "hard.txt", "easy.txt", *output)
    (pair,) = read_pairs("out.jsonl")
    rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    sides = [Path(f"out.{side}").read_text().splitlines() for side in ("complex", "simple")]
    assert [(row["complex"], row["simple"]) for row in rows] == list(zip(*sides, strict=True))
    found = [(int(row["simple_index"]), int(row["complex_indexes"])) for row in rows]
    assert found == [(link.simple, link.complex) for link in pair.alignments or ()] and len(found) > 1


def test_standard_output_holds_data_alone(texts: Path) -> None:
    aligned = done("align", "hard.txt", "easy.txt", "-", "--format", "tsv")
    assert aligned.stdout.startswith("pair\tlabel") and DONE.fullmatch(aligned.stderr)
    quiet = done("align", "hard.txt", "easy.txt", "-", "--format", "tsv", "-q")
    assert quiet.stdout == aligned.stdout and quiet.stderr == ""
    pairs = done("convert", "hard.txt", "easy.txt", "-").stdout
    assert done("align", "-", "-", "--format", "tsv", text=pairs).stdout == aligned.stdout
    assert sorted(path.name for path in texts.iterdir()) == ["easy.txt", "hard.txt"]


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(HARD)
    return folder


@pytest.mark.parametrize(
    ("names", "easy", "ids"),
    [
        (["a.txt", "b/a.txt"], ["a.txt", "b/a.txt"], ["a", "b/a"]),
        (["a.complex.txt"], ["a.simple.txt"], ["a"]),
        (["a-adv.txt", "b.txt"], ["a-ele.txt", "b-easy.txt"], ["a", "b"]),
        (["x_Normal.txt"], ["x_Simple.TXT"], ["x"]),
        (["source a.txt"], ["target a.txt"], ["a"]),
        (["a.txt"], ["a-int.txt", "a-ele.txt"], ["a.ele", "a.int"]),
        (["n.en.0.txt"], ["n.en.3.txt"], ["n.en"]),
        # of one folder
        (["complex.txt", "simple.txt"], [], ["texts"]),
        (["a/complex.txt", "a/simple.txt", "b/complex.txt", "b/simple.txt"], [], ["a", "b"]),
        (["a.src.txt", "a.tgt.txt"], [], ["a"]),
        (["n.en.0.txt", "n.en.1.txt", "n.en.10.txt"], [], ["n.en.1", "n.en.10"]),
        (["n-original.txt", "n-B1.txt", "n-a2.txt"], [], ["n.B1", "n.a2"]),
        (["n.txt", "n-C1.txt"], [], ["n"]),
        (["Mu\u0308-hard.txt", "M\u00fc-easy.txt"], [], ["M\u00fc"]),
    ],
)
def test_texts_of_folders_are_matched(tmp_path: Path, names: list[str], easy: list[str], ids: list[str]) -> None:
    folder = write(tmp_path / "texts", *names)
    found = match_folders(folder, write(tmp_path / "easy", *easy)) if easy else match_folder(folder)
    assert [pair.id for pair in found.pairs] == ids and not found.alone
    assert all(pair.complex.is_relative_to(folder) for pair in found.pairs)


@pytest.mark.parametrize(
    "names", [["n.en.0", "n.en.1", "n.en.3"], ["n-original", "n-B2", "n-A1"], ["n-hard", "n-int", "n-ele"]]
)
def test_versions_of_an_article_are_one_group_with_levels(tmp_path: Path, names: list[str]) -> None:
    write(tmp_path / "texts", *(f"{name}.txt" for name in names))
    done("convert", tmp_path / "texts", tmp_path / "out.jsonl")
    pairs = list(read_pairs(tmp_path / "out.jsonl"))
    assert len({pair.group for pair in pairs}) == 1 and len({pair.complex.id for pair in pairs}) == 1
    levels = {"n.en.1": 1, "n.en.3": 3, "n-B2": 3, "n-A1": 6, "n-int": 1, "n-ele": 1}
    assert {pair.simple.id: pair.simple.level for pair in pairs} == {name: levels[name] for name in names[1:]}


def test_odd_names_of_files_become_ids_that_are_read(tmp_path: Path) -> None:
    for folder in ("hard", "easy"):
        write(tmp_path / folder, os.fsdecode(b"b\xe9 \n.txt"), "notes.odt")
    aligned = done("align", tmp_path / "hard", tmp_path / "easy", tmp_path / "out.jsonl")
    assert "2 files are no texts and ignored" in aligned.stderr
    done("align", tmp_path / "out.jsonl", tmp_path / "out.tsv")
    assert [pair.id for pair in read_pairs(tmp_path / "out.jsonl")] == ["b\ufffd  "]
    with pytest.raises(InputError, match="could both be the complex text of 'a'"):
        match_folder(write(tmp_path / "two", "a.complex.txt", "a-hard.txt", "a.simple.txt"))


def test_folders_from_the_command_line(texts: Path) -> None:
    write(texts / "hard", "a.txt", "b.txt", "sub/a.txt", "only.txt")
    write(texts / "easy", "a.txt", "b-ele.txt", "sub/a.txt")
    refused(run("align", "hard", "easy", "out.jsonl"), "hard/only.txt", "--skip-unmatched")
    aligned = done("align", "hard", "easy", "out.jsonl", "--skip-unmatched")
    assert aligned.stderr.startswith("3 pairs of texts: 2 by one name, 1 by NAME/-ele; left out: hard/only.txt\n")
    assert [pair.id for pair in read_pairs("out.jsonl")] == ["a", "b", "sub/a"]
    assert not [path for path in texts.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"PK\x03\x04....", "this is a ZIP archive; unpack it"),
        (b"\x1f\x8b\x08", "packed by gzip; unpack it"),
        (b"\xff\xfeT\x00", "UTF-16; convert it to UTF-8"),
        (b'{"id": "a", "complex": {"paragraphs": []}}', "holds document pairs already"),
        (b"\n \t\n\n", "a text without sentences; give a file with text in it"),
        (b"", "a text without sentences"),
    ],
)
def test_a_file_of_another_kind_says_what_to_do(texts: Path, head: bytes, said: str) -> None:
    Path("other").write_bytes(head)
    for command in (["convert", "other", "easy.txt", "out"], ["align", "hard.txt", "other", "out.tsv"]):
        refused(run(*command), "error: other", said)
    assert not Path("out").exists() and not list(texts.glob(".*"))


def test_a_plain_text_where_pairs_are_expected(texts: Path) -> None:
    for command in (["align", "hard.txt", "out.jsonl"], ["convert", "hard.txt", "x.html"]):
        refused(run(*command), "this is plain text", "`textsimp convert`")
    Path("empty.jsonl").write_text("")
    for empty in ("empty.jsonl", "/dev/null"):
        refused(run("align", empty, "out.jsonl"), f"error: {empty}: holds no document pairs")
    assert not Path("out.jsonl").exists() and not list(texts.glob(".*"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["algin"], "id you mean 'align'?"),
        (["align", "a", "b", "--formt", "tsv"], "--format"),
        (["align", "a"], "missing argument"),
        (["align", "a", "b", "--workers", "0"], "'--workers'"),
        (["browse", "a", "--html", "b"], "browse is now `textsimp convert`"),
        (["human", "export", "x", "--complex", "a", "--output", "a=b", "--raters", "1000000"], "'--raters'"),
        (["score", "--complex", "a", "--output", "b", "--reference", "c", "--samples", "x"], "'--samples'"),
    ],
)
def test_a_fault_of_the_command_line_is_one_line(arguments: list[str], said: str) -> None:
    refused(run(*arguments), said, "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_and_quiet_and_fits_a_terminal(name: str) -> None:
    shown = run(*name.split(), "--help").stdout
    assert re.search(rf"  Examples:\n    textsimp {name}\s", shown) and "--quiet" in shown
    body, _, lines = shown.partition("  Examples:\n")
    assert max(map(len, body.splitlines())) <= 80
    assert all(line.startswith("    textsimp ") for line in lines.splitlines())
