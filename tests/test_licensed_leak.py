"""Licensed text stays in the folders that Git ignores: in no other file, no message, no report, unless asked for.

A release whose every sentence holds a marker goes through the real stages in a folder with the project's own
`.gitignore` files. The alignments and the simplifiers' outputs are made by hand, as training is not what is tested.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import reporting_run
from analysis_sample import SETTINGS
from newsela_sample import MARKER, ROOT, UNLABELLED, document, pair, params, run, write_newsela, write_params
from omegaconf import OmegaConf

from textsimp.core.records import read_pairs, write_pairs
from textsimp.core.writing import write_lines
from textsimp.evaluation.aligners import write_examples
from textsimp.evaluation.released import TABLES, read_table

STAND_IN = "sample_news"
SPLITS = "stages.load_splits newsela --raw data/raw/newsela --out data/splits/newsela"
BUILD = (
    "stages.build_corpus newsela --splits data/splits/newsela --alignments data/alignments/newsela"
    " --raw data/raw/newsela --corpora data/corpora/newsela"
    " --statistics reports/corpora/newsela.json"
)
ANALYSE = (
    "stages.analyse newsela --corpora data/corpora/newsela --alignments data/alignments/newsela"
    " --splits data/splits/newsela --outputs data/outputs/newsela --results reports/analysis/newsela.json"
    f" --metrics reports/metrics/analysis.newsela.json --labelled {ROOT / 'data' / 'sample' / 'rewriting'}"
)
REPORT = (
    "stages.report --reports reports --published published --corpora data/corpora --outputs data/outputs"
    " --markdown reports/results.md --html reports/index.html --json reports/results.json"
)
SCORE = (
    "stages.score_published jiang2020_newsela --raw data/raw/jiang2020_newsela --published published"
    " --submissions data/submissions --results reports/published/jiang2020_newsela.json"
    " --metrics reports/metrics/published.jiang2020_newsela.json"
)
SECTIONS = ("evaluation", "resampling")
ACQUIRE = "stages.acquire newsela --raw data/raw/newsela --audit data/audit/newsela.jsonl"


def settings(given: Path, show: bool) -> dict[str, object]:
    """params.yaml of the corpus `newsela` for all the stages that run here."""
    text = reporting_run.params([STAND_IN], [], origin="licensed", show=show).replace(STAND_IN, "newsela")
    report, tree = json.loads(text), params(newsela=str(given))
    source = tree["corpus"]["newsela"]
    source["build"] |= {"dev_fraction": 0.25, "test_fraction": 0.25, "excluded_levels": []}
    source["build"] |= {"released": {}, "unfiltered": []}  # the release here has no pairs of Xu et al. 2015
    analysis = {key: SETTINGS[key] for key in ("evaluation", "analysis", "resampling")}
    return {**report, **analysis, "corpus": {"newsela": source}, "sources": tree["sources"], "published": []}


def repository(folder: Path) -> None:
    """A Git repository with the project's ignore files, and the printed tables."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "*.gitignore"], capture_output=True, check=True)
    for name in listed.stdout.decode().splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    shutil.copytree(ROOT / "data" / "published", folder / "published")


def prepare(folder: Path, given: Path, show: bool) -> None:
    """A repository, and what the stages that train would have reported."""
    repository(folder)
    write_params(folder, settings(given, show))
    reporting_run.write_run(folder, [STAND_IN])
    for path in sorted(folder.rglob(f"*{STAND_IN}*"), reverse=True):
        path.rename(path.with_name(path.name.replace(STAND_IN, "newsela")))
    shutil.rmtree(folder / "data" / "corpora" / "newsela")


def align(folder: Path) -> None:
    """Write what the stages align, simplify and evaluate_alignment would, where they do, with the licensed text."""
    for name in ("auto", "old"):
        pairs = [pair(slug, high, low) for slug in UNLABELLED for high, low in ((0, 1), (0, 4), (1, 4))]
        write_pairs(folder / "data" / "alignments" / "newsela" / f"{name}.jsonl", pairs)
    test = list(read_pairs(folder / "data" / "splits" / "newsela" / "test.jsonl"))
    links = [labelled.alignments or () for labelled in test]
    write_examples(folder / "reports" / "examples" / "alignment.newsela.jsonl", test, {"neural_crf": links})


def simplify(folder: Path) -> None:
    """Simplifiers that copy the test sentences."""
    for output in (folder / "data" / "outputs" / "newsela").rglob("*.txt"):
        shutil.copyfile(folder / "data" / "corpora" / "newsela" / "test" / f"{output.stem}.complex", output)


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The licensed release, outside of the repository."""
    return write_newsela(tmp_path_factory.mktemp("licensed"))


def pipeline(patch: pytest.MonkeyPatch, folder: Path, given: Path, show: bool) -> None:
    """From the release to the report."""
    prepare(folder, given, show)
    for command, before in ((ACQUIRE, None), (SPLITS, None), (BUILD, align), (ANALYSE, simplify), (REPORT, None)):
        if before:
            before(folder)
        assert run(patch, folder, *command.split()) == 0, command


def marked(paths: list[Path]) -> list[str]:
    return sorted(path.name for path in paths if MARKER.encode() in path.read_bytes())


def in_reach_of_git(folder: Path) -> list[Path]:
    """Every file that `git add .` would take."""
    command = ["git", "-C", str(folder), "ls-files", "-z", "--others", "--exclude-standard"]
    names = subprocess.run(command, capture_output=True, check=True).stdout.split(b"\0")
    return [folder / name.decode() for name in names if name]


@pytest.mark.parametrize("show", [False, True])
def test_text_is_where_it_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], given: Path, show: bool
) -> None:
    pipeline(monkeypatch, tmp_path, given, show)
    everything = [path for path in tmp_path.rglob("*") if path.is_file() and ".git" not in path.parts]
    inside = marked(everything)
    assert {"auto.complex", "auto.jsonl", "harbour.en.0.txt", "test.jsonl", "train.tsv", "auto.txt"} <= set(inside)
    assert ("index.html" in inside) == show and marked(in_reach_of_git(tmp_path)) == []
    reached = {path.name for path in in_reach_of_git(tmp_path)}
    assert {"results.md", "newsela.json", "params.yaml"} <= reached
    printed = capfd.readouterr()
    assert MARKER not in printed.out + printed.err and "load_splits: newsela: " in printed.err


def test_of_released_outputs_only_numbers_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The text of the outputs on Newsela's test sets stays in data/raw, and no error quotes it."""
    repository(tmp_path)
    name, table = "jiang2020_newsela", TABLES["jiang2020_newsela"]
    sections = {key: OmegaConf.to_container(OmegaConf.load(ROOT / f"conf/{key}/default.yaml")) for key in SECTIONS}
    write_params(tmp_path, json.loads(reporting_run.params([], [name])) | sections)
    raw, rows = tmp_path / "data" / "raw" / name, read_table(ROOT / "data" / "published" / table.file)
    for described in table.test_sets.values():
        files = {described.outputs.format(row.file) for row in rows if row.file and row.test_set == described.printed}
        for file in files | {described.complex, *described.references, *described.others.values()} - {None}:
            write_lines(raw / file, [f"the {MARKER} was {number} days old ." for number in range(9)])
    for command in (SCORE, REPORT):
        assert run(monkeypatch, tmp_path, *command.split()) == 0, command
    reached = {path.name for path in in_reach_of_git(tmp_path)}
    assert {"results.md", "published.jiang2020_newsela.json"} <= reached and marked(in_reach_of_git(tmp_path)) == []
    assert MARKER not in (tmp_path / "reports" / "index.html").read_text(encoding="utf-8")
    for file in ("lstm.old_train_old_test.txt", "lstm.old_train_new_test.txt"):
        path = raw / "jiang2020_newsela_outputs" / file
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        assert run(monkeypatch, tmp_path, *SCORE.split()) == 2
        path.write_bytes(whole)
    printed = capfd.readouterr()
    assert MARKER not in printed.out + printed.err and printed.err.count("error: data/raw/") == 2


def rewrite(name: str, change: Callable[[str], str], encoding: str = "utf-8") -> Callable[[Path], None]:
    """Damage a file by a function of its text."""

    def damage(folder: Path) -> None:
        path = folder / name
        path.write_bytes(change(path.read_text(encoding="utf-8")).encode(encoding))

    return damage


def moved(*order: int) -> Callable[[str], str]:
    """The columns of a TSV in another order."""
    return lambda text: "".join(
        "\t".join(line.split("\t")[column] for column in order) + "\n" for line in text.splitlines()
    )


def pairs_with(side: Callable[[dict], dict]) -> Callable[[str], str]:
    """Document pairs whose complex side is changed."""

    def change(text: str) -> str:
        rows = [json.loads(line) for line in text.splitlines()]
        return "".join(json.dumps(row | {"complex": side(row["complex"])}) + "\n" for row in rows)

    return change


SENTENCE = document("harbour", 0).sentences[0]
TSV, METADATA = "data/raw/newsela/newsela-manual/all/dev.tsv", "data/raw/newsela/articles_metadata.csv"
ALIGNED = "data/alignments/newsela/auto.jsonl"
DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a sentence for the label": (rewrite(TSV, moved(3, 1, 2, 0, 4)), SPLITS),
    "mojibake in a sentence": (rewrite(TSV, lambda text: text.replace("gate", "gâ€™te")), SPLITS),
    "a title for the grade": (rewrite(METADATA, lambda text: text.replace("5.0", f'"{SENTENCE}"')), SPLITS),
    "an open quotation mark": (rewrite(METADATA, lambda text: text + f'x,en,"{SENTENCE}\n'), SPLITS),
    "text for paragraphs": (rewrite(ALIGNED, pairs_with(lambda side: side | {"paragraphs": SENTENCE})), BUILD),
    "text for a link": (rewrite(ALIGNED, lambda text: text.replace("[0, 0, ", f'["{SENTENCE}", 0, ')), BUILD),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, given: Path) -> Path:
    """A folder after all the stages."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        pipeline(patch, folder, given, False)
    return folder


@pytest.mark.parametrize("name", DAMAGES)
def test_no_error_quotes_a_sentence(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    damage, command = DAMAGES[name]
    folder = shutil.copytree(finished, tmp_path / "copy")
    damage(folder)
    assert run(monkeypatch, folder, *command.split()) == 2
    printed = capfd.readouterr()
    assert printed.err.startswith("error: data/") and printed.err.count("\n") == 1
    assert MARKER not in printed.out + printed.err
    assert marked(in_reach_of_git(folder)) == []
