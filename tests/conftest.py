"""Fixtures that several test files share."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from browser_driver import Browser, start

from textsimp.core.params import from_conf
from textsimp.core.records import write_pairs
from textsimp.core.results import Results

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before torch is imported: test processes run side by side

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def _shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compose conf/ once, whichever process asks first."""
    import composition_sample

    base = tmp_path_factory.getbasetemp()
    composition_sample.shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder of mirrored public data; a test that needs it is skipped where it is absent."""
    folder = os.environ.get("TEXTSIMP_MIRROR")
    if folder is None:
        pytest.skip("no mirror of the public data: set TEXTSIMP_MIRROR to its folder")
    if not (Path(folder) / "SOURCES.csv").is_file():
        pytest.fail(f"TEXTSIMP_MIRROR={folder}: no mirror, for it has no SOURCES.csv")
    return Path(folder)


@pytest.fixture(scope="session")
def tiny_aligner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny trained aligner, which no test changes."""
    from scale_sample import train_model  # torch is slow to import

    return train_model(tmp_path_factory.mktemp("aligner"))


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], Sequence[str]]], None]:
    """Give `simplify --model model` a simplifier that says what a function says."""
    from simplifier_sample import Told

    from textsimp.simplification import simplified_text

    (tmp_path / "model").mkdir()
    return lambda say: monkeypatch.setattr(simplified_text, "load_simplifier_folder", lambda *_: Told(say))


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Invented releases, of which commands are told in place of conf/'s, and beside them an output `mine.txt`."""
    from leaderboard_sample import BOARD, RESAMPLING, write_releases

    from textsimp.cli import command, leaderboard_command, score

    for module in (score, leaderboard_command):
        monkeypatch.setattr(module, "from_conf", lambda s, *a: BOARD if s == "leaderboard" else from_conf(s, *a))
    monkeypatch.setattr(command, "from_conf", lambda section, kind, *overrides: RESAMPLING)
    monkeypatch.chdir(tmp_path)
    folder = write_releases(tmp_path / "raw")
    shutil.copyfile(folder / "outputs" / "middle.txt", "mine.txt")
    return folder


@pytest.fixture(scope="session")
def analysis_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small corpus of the analysis, which no test changes."""
    from analysis_sample import write_corpus

    folder = tmp_path_factory.mktemp("analysis")
    write_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def analysis(analysis_root: Path) -> Results:
    """The analysis of that corpus."""
    from analysis_sample import PLAN, folders

    from textsimp.evaluation.rewriting_analysis import analyse

    return analyse(folders(analysis_root), PLAN)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests of a file; what a test must not see of those before, it clears itself."""
    found = start(tmp_path_factory.mktemp("browser"))
    yield found
    found.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Browser:
    """The annotation page of gold.jsonl with its links as suggestions, as nobody has seen it before."""
    from annotation_browser import PAIRS, annotate, fresh

    write_pairs(tmp_path / "gold.jsonl", PAIRS)
    annotate(tmp_path / "gold.jsonl", "--suggestions", tmp_path / "gold.jsonl", "--html", tmp_path / "page.html")
    return fresh(browser, tmp_path / "page.html")
