"""Alignment in shards: the cut, restarts, other input and other systems; here the workers are in this process."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from alignment_sample import RUNTIME
from scale_sample import BARE, PAIRS, align, files, run_here, write_input, write_new

from textsimp.alignment.corpora import align_shard
from textsimp.alignment.shards import RECORD, cut, spread, total_pairs
from textsimp.alignment.spec import SystemSpec
from textsimp.core.errors import InputError
from textsimp.core.records import pair_line, read_pairs, write_pairs
from textsimp.metrics.links import TASKS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_input(tmp_path)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return run_here(monkeypatch)


def test_shards_are_lines_of_one_file(tmp_path: Path) -> None:
    lines = [pair_line(pair).encode() for pair in PAIRS]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b.jsonl").write_bytes(lines[5] + b"\n" + lines[6].rstrip(b"\n"))
    crlf = [line.replace(b"\n", b"\r\n") for line in lines[:5]]
    (tmp_path / "in" / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + b"".join([*crlf[:2], b"\r\n", *crlf[2:]]))
    (tmp_path / "in" / ".hidden.jsonl").write_bytes(b"no JSON")
    shards = cut(tmp_path / "in", 2)
    assert [(shard.name, shard.first_line, shard.pairs) for shard in shards] == [
        ("a-00000.jsonl", 1, 2),
        ("a-00001.jsonl", 3, 2),
        ("a-00002.jsonl", 6, 1),
        ("b-00000.jsonl", 1, 2),
    ]
    assert [pair for shard in shards for pair in shard.read()] == PAIRS
    assert total_pairs(shards) == 7
    assert cut(tmp_path / "in" / "b.jsonl", 9)[0].read() == PAIRS[5:]


def test_a_changed_file_is_not_read_on(folder: Path) -> None:
    shard = cut(folder / "in", 2)[0]
    (folder / "in" / "a.jsonl").write_text("{}\n" * 400, encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.jsonl: has changed since the work began"):
        shard.read()


@pytest.mark.parametrize(("wanted", "ids"), [(1, [6]), (3, [2, 4, 6]), (7, range(7)), (90, range(7))])
def test_spread_takes_document_pairs_from_everywhere(folder: Path, wanted: int, ids: list[int]) -> None:
    """Of 7 pairs, n is taken where (n + 1) wanted / 7 passes a whole number: for 3 at 9/7, 15/7 and 21/7."""
    assert [pair.id for pair in spread(cut(folder / "in", 2), wanted)] == [f"pair-{number}" for number in ids]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (pair_line(PAIRS[0]).encode(), r"b\.jsonl:4: document pair 'pair-0' is in .*a\.jsonl:1 already"),
        (b"{", r"b\.jsonl:4: not JSON"),
        (b"\xff", r"b\.jsonl:4: byte 0xff is not UTF-8"),
        (b"\0", r"b\.jsonl:4: holds a NUL byte"),
        (b'{"id": 3}', r"b\.jsonl:4: 'complex' is absent"),
    ],
)
def test_bad_lines_are_found_before_anything_is_written(folder: Path, line: bytes, message: str) -> None:
    with (folder / "in" / "b.jsonl").open("ab") as file:
        file.write(line)
    with pytest.raises(InputError, match=message):
        align(folder)
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dev": None}, "--dev: tfidf needs labelled"),
        ({"dev": Path("absent.jsonl")}, "absent.jsonl: no such file"),
        ({"system": "none"}, "no alignment system 'none'"),
        ({"executor": "spark"}, "executor: 'spark' is none of local, ray"),
        ({"workers": 0}, "workers: 0"),
        ({"shard_size": 0}, "shard_size: 0"),
    ],
)
def test_bad_options_write_nothing(folder: Path, options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        align(folder, **options)
    assert not (folder / "out").exists()


def test_a_folder_with_other_files_is_left_alone(folder: Path, here: list[str]) -> None:
    with pytest.raises(InputError, match="holds other things"):
        align(folder, "in")
    assert sorted(path.name for path in (folder / "in").iterdir()) == ["a.jsonl", "b.jsonl"]


def test_equals_the_plain_command(folder: Path, here: list[str]) -> None:
    """What `textsimp align` writes: the same system on the same documents."""
    found = align(folder)
    system = SystemSpec.named("tfidf", dev=folder / "dev.jsonl").load(RUNTIME, BARE)
    lines = [pair_line(replace(pair, alignments=tuple(sorted(system.align(pair))))) for pair in BARE]
    assert b"".join(text for name, text in found.items() if name != RECORD) == "".join(lines).encode()
    assert any(pair.alignments for pair in read_pairs(folder / "out" / "a-00000.jsonl"))
    assert json.loads(found[RECORD])["shards"][1] == {"file": "a-00001.jsonl", "from": "a.jsonl", "document_pairs": 2}


def test_goes_on_where_it_was_stopped(folder: Path, here: list[str]) -> None:
    whole = align(folder, "whole")
    align(folder)
    (folder / "out" / "a-00001.jsonl").unlink()
    (folder / "out" / RECORD).unlink()
    here.clear()
    assert align(folder) == whole
    assert here == ["a-00001.jsonl"]


def test_another_system_begins_anew(folder: Path, here: list[str]) -> None:
    align(folder)
    here.clear()
    assert align(folder, system="jaccard") == align(folder, "whole", system="jaccard")
    assert here[:4] == ["a-00000.jsonl", "a-00001.jsonl", "b-00000.jsonl", "b-00001.jsonl"]
    assert len(list((folder / "out" / ".work").glob("fitted.*"))) == 1


def test_bad_options_leave_finished_shards(folder: Path, here: list[str]) -> None:
    before = align(folder)
    with pytest.raises(InputError, match="--dev"):
        align(folder, system="jaccard", dev=None)
    assert files(folder / "out") == before


def test_smaller_shards_leave_no_old_ones(folder: Path, here: list[str]) -> None:
    align(folder, shard_size=1)
    assert align(folder, shard_size=4) == align(folder, "whole", shard_size=4)


@pytest.mark.parametrize("name", [".work/plan.json", "a-00000.jsonl"])
@pytest.mark.parametrize("text", ["", "{", "[]", '{"identity": null, "shards": {"../in/a.jsonl": "x"}}', "\ud800"])
def test_a_damaged_output_folder_is_mended(folder: Path, name: str, text: str) -> None:
    """Whatever became of the plan or of a shard, the next run ends with the same files."""
    whole = align(folder)
    (folder / "out" / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    (folder / "out" / ".b-00000.jsonl.tmp").write_text("{")
    assert align(folder) == whole
    assert not (folder / "out" / ".b-00000.jsonl.tmp").exists() and (folder / "in" / "a.jsonl").is_file()


@pytest.mark.parametrize(
    "name",
    [
        *("..", ".", "", "/", "../in", "sub", "sub/..", ".work", "{folder}/in", "notes.jsonl", "a-0.jsonl"),
        *("sub/a-00000.jsonl", "../in-00000.jsonl", "{folder}/in-00000.jsonl", "a-00000.jsonl/", "a-00000.jsonl\0"),
    ],
)
@pytest.mark.parametrize("digest", ["0" * 64, "x", None])
def test_a_plan_of_others_removes_nothing(folder: Path, here: list[str], name: str, digest: str | None) -> None:
    """Of a plan that was put there, only names that a run would write are believed, and of these only files go."""
    whole = align(folder, "whole")
    for kept in (
        "in-00000.jsonl",
        "out/notes.jsonl",
        "out/a-0.jsonl",
        "out/sub/a-00000.jsonl",
        "out/a-00008.jsonl/x",
        "out/.work/mine",
    ):
        (folder / kept).parent.mkdir(parents=True, exist_ok=True)
        (folder / kept).write_text("{}\n")
    before = {path for path in folder.rglob("*") if not path.is_relative_to(folder / "whole")}
    plan = {"identity": None, "shards": {"a-00008.jsonl": "0" * 64, name.format(folder=folder): digest}}
    (folder / "out" / ".work" / "plan.json").write_text(json.dumps(plan))
    found = align(folder)
    assert {file: found[file] for file in whole} == whole
    assert before <= set(folder.rglob("*"))


def test_a_folder_of_work_that_is_a_link(folder: Path, here: list[str]) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "fitted.txt").write_text("mine")
    (folder / "out").mkdir()
    (folder / "out" / ".work").symlink_to(folder / "mine")
    with pytest.raises(InputError, match=r"\.work: is a link, which no run makes; remove it"):
        align(folder)
    assert [path.name for path in (folder / "mine").iterdir()] == ["fitted.txt"]


@pytest.mark.parametrize("name", ["neural_crf", "bert_finetune", pytest.param("bertscore", marks=pytest.mark.slow)])
def test_a_shard_does_not_depend_on_those_before(folder: Path, tiny_aligner: Path, name: str) -> None:
    """To the last bit, though shards share sentences and what is in a batch moves the last bits."""
    write_new(folder)
    spec, shards, scores = SystemSpec.named(name, tiny_aligner, dev=folder / "dev.jsonl"), cut(folder / "in", 2), []
    spec.fit(folder / "fitted", RUNTIME)
    for seen in ([], shards[:2]):
        system = spec.fitted_in(folder / "fitted").load(RUNTIME)
        for shard in [*seen, shards[2]]:
            text = align_shard(system, shard)
        pairs = shards[2].read()
        scores.append((text, [system.scores(pair, task).tobytes() for pair in pairs for task in TASKS]))
    assert scores[0] == scores[1]


def test_new_input_is_added_and_old_is_kept(folder: Path, here: list[str], tiny_aligner: Path) -> None:
    """A trained aligner takes nothing from the other documents."""
    align(folder, system="neural_crf", model=tiny_aligner, dev=None)
    here.clear()
    added = [replace(pair, id=f"new {pair.id}") for pair in (BARE[0], BARE[3])]
    write_pairs(folder / "in" / "b.jsonl", [added[1], *BARE[4:]])
    write_pairs(folder / "in" / "c.jsonl", added[:1])
    found = align(folder, system="neural_crf", model=tiny_aligner, dev=None)
    assert here == ["b-00000.jsonl", "b-00001.jsonl", "c-00000.jsonl"]
    assert found == align(folder, "whole", system="neural_crf", model=tiny_aligner, dev=None)
