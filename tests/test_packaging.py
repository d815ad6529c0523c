"""The package as others install it: what the wheel holds, and that its commands run from any folder."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import project_imports
import pytest

from textsimp import __version__
from textsimp.cli.app import EXTRAS as OPTIONAL

ROOT = Path(__file__).resolve().parent.parent
BUILT_FROM = ("textsimp", "conf", "data/published", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = {
    "docx": "python-docx",
    "hydra": "hydra-core",
    "markdown_it": "markdown-it-py",
    "ot": "POT",
    "sklearn": "scikit-learn",
    "text_to_num": "text2num",
    "thot": "sil-thot",
    "yaml": "PyYAML",
}
"""Imported names whose distribution is called otherwise."""
EXTRAS = {
    "simplification": "train",
    "simplification/language_model": "lm",
    "simplification/prompted": "prompted",
    "core/word_vectors": "glove",
    "extras/wikidump": "dumps",
    "extras/human": "human",
    "extras/ray_executor": "ray",
    "extras/ray": "ray",
    "cli/outputs.py": "parquet",
    "sources/documents.py": "documents",
}
"""Folders of the package -> the extra whose requirements they may import besides the dependencies."""
NOT_ON_AN_INDEX = {"fairseq", "fairseq_cli"}
COMPLEX, SIMPLE = "The cat perched on the mat. It slept.\n\nThen it left.\n", "The cat sat on the mat.\n\nIt left.\n"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what it is built from."""
    source = tmp_path_factory.mktemp("source")
    for name in BUILT_FROM:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (source / name).parent.mkdir(exist_ok=True)
        copy(ROOT / name, source / name)
    options = ["--no-deps", "--no-build-isolation", "--no-index", "-q", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, "-w", "wheel", "."], cwd=source, check=True)
    (built,) = (source / "wheel").glob("textsimp-*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to put on PYTHONPATH, with the wheel's contents and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A Python with the installed package, started in another folder."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONWARNINGS": "ignore", **variables}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def textsimp(installed: Path, folder: Path, arguments: str) -> str:
    """What the command prints; it has to succeed."""
    done = run(installed, folder, "-m", "textsimp.cli", *arguments.split())
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder that is no checkout, with two plain texts and an output to score."""
    lines = {"c.txt": "the cat perched on the mat .\n", "o.txt": "the cat sat .\n", "r.txt": "the cat sat down .\n"}
    for name, text in {"hard.txt": COMPLEX, "easy.txt": SIMPLE, **lines}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / "textsimp").rglob("*") if path.is_file()}
    wanted = {name for name in wanted if "__pycache__" not in name}
    for folder in ("conf", "data/published"):
        paths = (path for path in (ROOT / folder).rglob("[!.]*") if path.is_file())
        wanted |= {f"textsimp/{path.relative_to(ROOT).as_posix()}" for path in paths}
    assert held == wanted


def test_the_version_is_one(wheel: Path, installed: Path, tmp_path: Path) -> None:
    assert wheel.name.startswith(f"textsimp-{__version__}-")
    assert textsimp(installed, tmp_path, "--version") == f"textsimp {__version__}\n"


def test_import_is_light(installed: Path, tmp_path: Path) -> None:
    """Neither the package nor the command, which needs no more for its help, loads what is slow or optional."""
    heavy = ["torch", "transformers", "numpy", "scipy", "matplotlib", "hydra", "sacrebleu", "pandas", "gensim", "spacy"]
    heavy += [name for name in OPTIONAL if name not in heavy]
    code = f"import sys, textsimp.cli; print(sorted(set({heavy}) & set(sys.modules)), textsimp.__file__)"
    done = run(installed, tmp_path, "-c", code)
    assert done.stdout.startswith(f"[] {installed}"), done.stdout + done.stderr


def test_commands_run_from_any_folder(installed: Path, texts: Path) -> None:
    printed = textsimp(installed, texts, "score --complex c.txt --output o.txt --reference r.txt --samples 10")
    assert "SARI|level:sentence" in printed
    textsimp(installed, texts, "convert hard.txt easy.txt gold.jsonl")
    pair = (texts / "gold.jsonl").read_text(encoding="utf-8")
    labelled = pair.replace("}\n", ', "alignments": [[0, 0, "aligned"], [1, 2, "aligned"]]}\n')
    (texts / "gold.jsonl").write_text(labelled, encoding="utf-8")
    textsimp(installed, texts, "align gold.jsonl aligned.jsonl --system cats_c3g --dev gold.jsonl")
    textsimp(installed, texts, "convert aligned.jsonl page.html")
    assert "The cat perched on the mat." in (texts / "page.html").read_text(encoding="utf-8")


def test_the_pipeline_needs_a_checkout(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "-m", "textsimp.core.params")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1
    assert "in a checkout of the project" in done.stderr and not list(tmp_path.iterdir())


def test_shell_completion(installed: Path, tmp_path: Path) -> None:
    """Completion prints a script for the shell, and gives the commands that begin with what is typed."""
    start = "import sys; sys.argv[0] = 'textsimp'; from textsimp.cli import main; main()"
    script = run(installed, tmp_path, "-c", start, _TEXTSIMP_COMPLETE="source_bash")
    assert "_TEXTSIMP_COMPLETE=complete_bash" in script.stdout
    typed = {"_TEXTSIMP_COMPLETE": "complete_bash", "COMP_WORDS": "textsimp lea", "COMP_CWORD": "1"}
    assert run(installed, tmp_path, "-c", start, **typed).stdout.split() == ["leaderboard"]


@pytest.mark.parametrize(
    ("package", "extra", "arguments"),
    [
        ("mwparserfromhell", "dumps", "extract-wikipedia out --complex c.txt --simple c.txt"),
        ("krippendorff", "human", "human summary c.txt"),
    ],
)
def test_a_missing_extra_is_one_line(installed: Path, texts: Path, package: str, extra: str, arguments: str) -> None:
    """Without the packages of an extra, the command that needs them names it."""
    code = f"import sys; sys.modules[{package!r}] = None; sys.argv = ['textsimp', *{arguments!r}.split()]; "
    done = run(installed, texts, "-c", f"{code}from textsimp.cli import main; main()")
    said = f"error: {package} is not installed; run `pip install 'textsimp[{extra}]'`\n"
    assert (done.returncode, done.stderr) == (2, said)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


LINES = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
PINS = {normal(line.split("==")[0]): line.split("==")[1] for line in LINES if "==" in line}
"""The exact versions, by distribution; fairseq's and Ray's are in files of their own."""


def names_of(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[<>=!~\[ ]", requirement)[0]) for requirement in requirements}


def imported(path: Path) -> set[str]:
    """Names of packages that a file imports and that are neither the project's nor Python's own."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    names = {name.split(".")[0] for name in project_imports.imported(path, module)}
    return names - set(sys.stdlib_module_names) - {"textsimp", "stages"}


def test_everything_imported_is_a_dependency() -> None:
    """Each package that a file imports is a dependency, or required by the extra that its folder belongs to."""
    for path in (ROOT / "textsimp").rglob("*.py"):
        file = path.relative_to(ROOT / "textsimp").as_posix()
        allowed = names_of(PROJECT["dependencies"])
        for start, extra in EXTRAS.items():
            if file.startswith(start):
                allowed |= names_of(PROJECT["optional-dependencies"][extra])
        for name in imported(path) - NOT_ON_AN_INDEX:
            assert normal(DISTRIBUTIONS.get(name, name)) in allowed, f"{file} imports {name}"


def test_everything_imported_has_an_exact_version() -> None:
    """Every distribution that the project imports from has its version in requirements.txt."""
    folders = ("textsimp", "stages", "tools", "tests", "benchmarks")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    own = {path.name for folder in (ROOT, ROOT / "tests") for path in folder.iterdir()}
    own |= {path.stem for path in ROOT.glob("*/*.py")}
    distributions = packages_distributions()
    for name in set().union(*map(imported, paths)) - own - {"fairseq", "fairseq_cli", "ray"}:
        assert {normal(found) for found in distributions.get(name, [])} & PINS.keys(), f"{name} has no exact version"


def test_bounds_are_loose() -> None:
    """No requirement forbids a later version, and the exact versions of requirements.txt satisfy all of them."""
    from packaging.requirements import Requirement

    extras = [items for name, items in PROJECT["optional-dependencies"].items() if name != "dev"]
    for requirement in (Requirement(text) for group in (PROJECT["dependencies"], *extras) for text in group):
        assert all(specifier.operator == ">=" for specifier in requirement.specifier), requirement
        pin = PINS.get(normal(requirement.name))
        assert pin is None or pin in requirement.specifier, f"{requirement} against {pin}"
        assert pin is not None or requirement.name == "ray", f"{requirement.name} has no exact version"
