"""The loop over document pairs: who aligns, what a kill leaves, what counts as aligned; the stage and the command."""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alignment_sample import RUNTIME, document_pair, elsewhere, write_bert
from commands import done, refused, run
from composition_sample import composed_values
from omegaconf import OmegaConf
from scale_sample import BARE, PAIRS

from stages import align as stage
from textsimp.alignment import documents
from textsimp.alignment.documents import AutoAlignConfig, Execution, align_pairs, align_set, article_sets
from textsimp.alignment.neural.aligner_settings import EncoderConfig
from textsimp.alignment.spec import SystemSpec, load_system_config
from textsimp.core import pool, progress
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.records import DocumentPair, pair_line, read_pairs, write_pairs
from textsimp.core.settings import structured
from textsimp.core.word_vectors import WordVectorConfig

HERE = Execution(workers=1)


class Killed(BaseException):
    """Stands for a kill in the middle of the work."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_pairs("dev.jsonl", PAIRS[:3])
    return tmp_path


def tfidf() -> SystemSpec:
    return SystemSpec.named("tfidf", dev=Path("dev.jsonl"))


def aligned(spec: SystemSpec, pairs: list[DocumentPair] = BARE, who: Execution = HERE, **options: Any) -> str:
    """The JSON Lines that a run writes."""
    found: list[str] = []
    align_pairs(spec, pairs, lambda all_: found.extend(map(pair_line, all_)), RUNTIME, who, **options)
    return "".join(found)


def watch(monkeypatch: pytest.MonkeyPatch, kill_after: int | None = None) -> list[str]:
    """The ids of the pairs that are aligned from now on; ends the work when there are so many."""
    ids: list[str] = []

    def run(system, task, with_scores) -> Iterator[Any]:
        for place, links in align_set(system, task, with_scores):
            if len(ids) == kill_after:
                raise Killed
            ids.append(task.pairs[place - task.first].id)
            yield place, links

    monkeypatch.setattr(documents, "align_set", run)
    return ids


def test_the_links_of_the_system(folder: Path) -> None:
    system = tfidf().load(RUNTIME, BARE)
    assert aligned(tfidf()) == "".join(
        pair_line(replace(pair, alignments=tuple(sorted(system.align(pair))))) for pair in BARE
    )
    assert aligned(tfidf(), []) == ""


def test_sets_are_neighbours_of_one_group_whatever_is_done() -> None:
    groups = ["a"] * 18 + ["b", "c", "b", "b"]
    pairs = [replace(BARE[0], id=str(number), group=group) for number, group in enumerate(groups)]
    cut = [(task.first, len(task.pairs), len(task.open)) for task in article_sets(pairs, {})]
    assert cut == [(0, 16, 16), (16, 2, 2), (18, 1, 1), (19, 1, 1), (20, 2, 2)]
    cut = [(task.first, len(task.pairs), list(task.open)) for task in article_sets(pairs, {16: 0, 18: 0, 20: 0})]
    assert cut[1:] == [(16, 2, [1]), (19, 1, [0]), (20, 2, [1])]


@pytest.mark.parametrize(
    ("name", "run"), [("neural_crf", elsewhere), pytest.param("bert_finetune", pool.run, marks=pytest.mark.slow)]
)
def test_links_do_not_depend_on_who_aligns_and_on_sets_before(
    folder: Path, tiny_aligner: Path, name: str, run: Any
) -> None:
    """To the last bit of a score, though sets share sentences and what is in a batch moves the last bits."""
    pairs = [replace(document_pair(k), alignments=None) for k in (20, 21, 22, 23)]
    pairs.append(replace(pairs[3], id="again", group="again"))
    spec = SystemSpec.named(name, tiny_aligner, dev=Path("dev.jsonl"))
    whole = aligned(spec, pairs, with_scores=True)
    assert aligned(spec, pairs, Execution(workers=2), with_scores=True, executor=run) == whole
    alone = [aligned(spec, [pair], with_scores=True) for pair in pairs]
    assert "".join(alone) == whole and '"scores"' in whole


def test_other_processes_find_the_same_links(folder: Path) -> None:
    assert aligned(tfidf(), who=Execution(workers=2), with_scores=True) == aligned(tfidf(), with_scores=True)


def mend(change: Callable[[list[str]], list[str]]) -> Callable[[Path], None]:
    """Change the lines of a file."""
    return lambda path: path.write_text("\n".join(change(path.read_text("utf-8").split("\n"))), "utf-8")


DAMAGES: dict[str, tuple[Callable[[Path], None], int]] = {
    "nothing": (lambda path: None, 4),
    "another aligner": (mend(lambda lines: [lines[0].replace('"system": "', '"system": "x'), *lines[1:]]), 7),
    "a first line that was cut": (lambda path: os.truncate(path, 40), 7),
    "an empty file": (lambda path: os.truncate(path, 0), 7),
    "a last line that was cut": (lambda path: os.truncate(path, path.stat().st_size - 9), 5),
    "garbage": (mend(lambda lines: [*lines[:2], "{", *lines[3:]]), 5),
    "no JSON object": (mend(lambda lines: [*lines[:2], "[]", "3", *lines[3:]]), 5),
    "bytes that are no text": (lambda path: path.write_bytes(path.read_bytes().replace(b"otter", b"\xff\xfe", 1)), 5),
    "another sentence": (mend(lambda lines: [*lines[:2], lines[2].replace("The old", "The odd"), *lines[3:]]), 5),
    "another group": (mend(lambda lines: [*lines[:2], lines[2].replace("set-1", "set-9"), *lines[3:]]), 5),
    "a line twice": (mend(lambda lines: [*lines[:2], lines[1], *lines[2:]]), 4),
    "a pair that is not asked for": (mend(lambda lines: [*lines[:2], lines[2].replace("pair-1", "no"), *lines[3:]]), 5),
}


@pytest.fixture
def partial(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The unfinished file of a run that was killed after three document pairs."""
    partial = folder / ".out.partial"
    watch(monkeypatch, kill_after=3)
    with pytest.raises(Killed):
        aligned(tfidf(), unfinished=partial)
    return partial


@pytest.mark.parametrize("damage", DAMAGES)
def test_only_what_is_whole_and_the_same_counts(partial: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    found = partial.read_text().partition("\n")[2]
    change, number = DAMAGES[damage]
    change(partial)
    ids = watch(monkeypatch)
    whole = aligned(tfidf(), unfinished=partial)
    assert len(ids) == number and not partial.exists()
    assert found == "".join(whole.splitlines(True)[:3]), "in the form of the output"
    assert whole == aligned(tfidf())
    assert damage != "nothing" or ids[:number] == [pair.id for pair in BARE[3:]]


def test_words_are_counted_in_all_documents(partial: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For such a system another document changes the links of all."""
    ids = watch(monkeypatch)
    assert aligned(tfidf(), BARE[:6], unfinished=partial) == aligned(tfidf(), BARE[:6])
    assert len(ids) == 12


def test_an_encoder_that_is_trained_anew_in_its_folder_is_another(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "bert")
    spec = SystemSpec.named("bert_embedding", encoder=str(folder))
    first = spec.identity()
    assert spec.identity() == first
    with (folder / "config.json").open("a") as file:
        file.write("\n")
    assert spec.identity() != first


@pytest.mark.parametrize(
    "make",
    [lambda path: path.write_text("my notes\n"), lambda path: path.symlink_to("dev.jsonl"), Path.mkdir, os.mkfifo],
)
def test_what_others_keep_under_the_name_stays(folder: Path, make: Callable[[Path], object]) -> None:
    make(folder / ".out.partial")
    before = sorted(os.walk("."))
    with pytest.raises(InputError, match=r"\.out\.partial: is in the way, and no run wrote it; move it"):
        aligned(tfidf(), unfinished=folder / ".out.partial")
    assert sorted(os.walk(".")) == before


def test_bad_options_write_nothing(folder: Path) -> None:
    for options, message in (({"workers": 0}, "workers: 0"), ({"executor": "spark"}, "executor: 'spark' is none of")):
        with pytest.raises(InputError, match=message):
            structured(options, Execution)
    with pytest.raises(InputError, match="--dev: lr needs labelled"):
        aligned(SystemSpec.named("lr"), unfinished=folder / ".out.partial")
    assert [path.name for path in folder.iterdir()] == ["dev.jsonl"]


def test_a_pair_that_takes_minutes_is_named_before(folder: Path, monkeypatch, caplog) -> None:
    with caplog.at_level(logging.WARNING):
        aligned(tfidf(), BARE[:1])
        assert not caplog.text
        monkeypatch.setattr(documents, "_LONG", 0.08)
        aligned(tfidf(), BARE[:1])
    assert "pair-0: 6 x 6 sentences in one document pair take minutes" in caplog.text


# The command.


def test_a_killed_command_goes_on(folder: Path, root: Path) -> None:
    """A kill that nothing can catch: no output, then the same bytes; nothing is left beside them."""
    write_pairs("many.jsonl", [replace(document_pair(k), id=str(k), alignments=None) for k in range(40)])
    words = ["align", "many.jsonl", "out", "--format", "parallel", "--html", "page.html", "--encoder", "none"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "textsimp.cli", *words]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    partial, end = folder / ".out.partial", time.monotonic() + 600
    while not (partial.is_file() and partial.read_bytes().count(b"\n") > 5):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert not list(folder.glob("out*")) and not Path("page.html").exists()
    assert "many.jsonl: 40 document pairs to align\n" in done(*words).stderr
    names = ("out.complex", "out.simple", "page.html")
    first = [Path(name).read_bytes() for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(["dev.jsonl", "many.jsonl", *names])
    assert done(*words) and [Path(name).read_bytes() for name in names] == first


def test_a_full_disk_leaves_all_the_old_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of the three files it comes at."""
    command = ["align", "in.jsonl", "out", "--format", "parallel", "--html", "page.html", "--encoder", "none"]
    write_pairs("in.jsonl", BARE[:1])
    done(*command)
    write_pairs("in.jsonl", BARE[1:2])
    before = {path: path.read_bytes() for path in folder.iterdir()}
    sync = os.fsync
    for full in range(3):
        calls: list[int] = []

        def fill(handle: int, full: int = full, calls: list[int] = calls) -> None:
            calls.append(handle)
            if len(calls) > full:
                raise OSError(28, "No space left on device")
            sync(handle)

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fill)
            refused(run(*command), "no space left on device; free some space")
        assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_an_empty_text_does_not_stop_a_folder(folder: Path) -> None:
    for side, text in (("hard", "The old otter often swims."), ("easy", "The otter swims.")):
        Path(side).mkdir()
        for name in "abc":
            Path(side, f"{name}.txt").write_text("" if (side, name) == ("easy", "b") else text)
    for command in ("convert", "align"):
        stopped = run(command, "hard", "easy", "out.jsonl")
        assert stopped.exit_code == 2 and not Path("out.jsonl").exists()
        assert "easy/b.txt: a text without sentences" in stopped.stderr and "--skip-unmatched" in stopped.stderr
        options = ["--encoder", "none"] if command == "align" else []
        told = done(command, "hard", "easy", "out.jsonl", "--skip-unmatched", *options).stderr
        assert "left out: easy/b.txt: a text without sentences" in told
        assert [pair.id for pair in read_pairs("out.jsonl")] == ["a", "c"]
        Path("out.jsonl").unlink()
    for name in "ac":
        Path("hard", f"{name}.txt").write_text("\n")
    assert run("align", "hard", "easy", "out.jsonl", "--skip-unmatched").exit_code == 2


# The stage.


@pytest.fixture
def corpora(folder: Path, tiny_aligner: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, bytes]]:
    """Runs the stage; corpus `bare` has no annotation, and the aligner of `tiny` aligns it."""
    bare = [replace(document_pair(k), id=f"new-{k}", alignments=None) for k in range(20, 24)]
    splits = {"tiny": {"train": PAIRS, "dev": PAIRS[:3], "test": PAIRS[3:6], "unlabelled": bare[:2]}}
    splits["bare"] = {"train": [], "dev": [], "test": [], "unlabelled": bare}
    for corpus, parts in splits.items():
        for name, pairs in parts.items():
            write_pairs(folder / "splits" / corpus / f"{name}.jsonl", pairs)
    Path("models/aligner").mkdir(parents=True)
    Path("models/aligner/tiny").symlink_to(tiny_aligner)

    def start(corpus: str = "tiny", out: str = "out", own: str | None = None, **execution: object) -> dict[str, bytes]:
        params = composed_values()
        shared = {"system": "neural_crf", "own": own, "encoder": "tiny", "aligner": "tiny"}
        used = {"tiny": ["test", "unlabelled"], "bare": ["train", "unlabelled"]}
        params.corpus = {name: {"align": {"splits": names, **shared}} for name, names in used.items()}
        params.execution = {"executor": "local", "workers": 1, **execution}
        Path("params.yaml").write_text(OmegaConf.to_yaml(params), encoding="utf-8")
        folders = ["--splits", f"splits/{corpus}", "--all-splits", "splits", "--models", "models"]
        monkeypatch.setattr(sys, "argv", ["align", corpus, *folders, "--alignments", out])
        stage.main()
        return {path.name: path.read_bytes() for path in Path(out).iterdir()}

    return start


def test_a_stage_reads_no_gold_and_goes_on_after_a_kill(corpora, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = corpora()
    assert sorted(whole) == ["auto.jsonl", "old.jsonl"] and whole["auto.jsonl"] != whole["old.jsonl"]
    write_pairs("splits/tiny/test.jsonl", [replace(pair, alignments=()) for pair in PAIRS[3:6]])
    watch(monkeypatch, kill_after=8)
    with pytest.raises(Killed):
        corpora(out="again")
    assert [path.name for path in Path("again").iterdir()] == ["old.jsonl"] and Path(".again.auto.partial").is_file()
    (Path("again") / "old.jsonl").unlink()  # as DVC does before it runs a stage again
    Path("again").rmdir()
    ids = watch(monkeypatch)
    assert corpora(out="again") == whole and len(ids) == 5 + 2
    assert not list(Path().glob(".again.*"))


def test_a_stage_with_anothers_aligner_a_third_one_and_nothing_to_align(corpora) -> None:
    found = corpora("bare", own="frozen_crf_words")
    assert sorted(found) == ["auto.jsonl", "old.jsonl", "own.jsonl"]
    write_pairs("splits/bare/dev.jsonl", PAIRS[:3])
    assert corpora("bare", "own-dev", own="frozen_crf_words") == found, "the same labelled pairs as dev of its own"
    write_pairs("splits/bare/unlabelled.jsonl", [])
    assert corpora("bare", "none") == {"auto.jsonl": b"", "old.jsonl": b""}


@pytest.mark.parametrize(
    ("change", "execution", "message"),
    [
        (lambda: Path("models/aligner/tiny").unlink(), {}, "models/aligner/tiny: no aligner.json"),
        (lambda: write_pairs("splits/tiny/dev.jsonl", BARE), {}, "splits/tiny/dev.jsonl: no labelled document pairs"),
        (lambda: Path("splits/bare/unlabelled.jsonl").unlink(), {}, "splits/bare/unlabelled.jsonl: no such file"),
        (lambda: Path("splits/bare/train.jsonl").write_text("{"), {}, "splits/bare/train.jsonl:1: not JSON"),
        (lambda: None, {"executor": "spark"}, "executor: 'spark' is none of local, ray"),
        (lambda: None, {"workers": 0}, "execution.workers: 0 should be"),
    ],
)
def test_bad_input_of_a_stage_is_one_line(corpora, change, execution: dict, message: str, capsys) -> None:
    change()
    with pytest.raises(SystemExit) as stopped:
        corpora("bare", **execution)
    assert stopped.value.code == 2 and not Path("out").exists()
    assert message in (error := capsys.readouterr().err) and len(error.splitlines()) == 1


def test_the_papers_model_is_a_variant_of_the_corpus_aligner(tmp_path: Path) -> None:
    """New data are made by `neural_crf_paper` in every experiment that trains it, `own` by the aligner itself."""
    folders = {"auto": tmp_path / "aligner_variant" / "news" / "paper", "own": tmp_path / "aligner" / "news"}
    for path in folders.values():
        path.mkdir(parents=True)
        (path / "aligner.json").write_text("{}")
    config = AutoAlignConfig(["unlabelled"], "neural_crf_paper", "neural_crf", "sample", "news")
    common = from_conf("word_vectors", WordVectorConfig), from_conf("aligner.encoder", EncoderConfig), tmp_path
    for kind, name in config.systems.items():
        spec = config.spec(name, load_system_config(name), *common)
        assert spec.model == folders[kind] and not spec.config.strategy.options
    with pytest.raises(InputError, match="neural_crf is trained before it aligns; give the folder"):
        config.spec("neural_crf", load_system_config("neural_crf"), *common[:2], None)
    for experiment in ("sample", "paper", "newsela", "wiki"):
        params = composed_values(f"experiment={experiment}")
        made = {params.corpus[corpus].align.system for corpus in params.corpora if corpus != "generated"}
        assert made == {"neural_crf_paper"} and "paper" in params.aligner_variants


def test_spread_takes_document_pairs_from_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 7 pairs, n is taken where (n + 1) wanted / 7 passes a whole number: for 3 at 9/7, 15/7 and 21/7."""
    for wanted, ids in ((1, [6]), (3, [2, 4, 6]), (7, range(7)), (90, range(7))):
        monkeypatch.setattr(documents, "COUNT_PAIRS", wanted)
        assert [pair.id for pair in documents._spread(BARE)] == [f"pair-{number}" for number in ids]
    assert json.loads(documents._identity(SystemSpec.named("jaccard"), [], [], False))


def test_progress_off_a_terminal_is_a_line_at_a_time(folder: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(progress, "_MINUTE", 0)
    aligned(tfidf(), BARE[:3])
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("align: 3 of 3 document pairs, ") and "\r" not in "".join(lines)
