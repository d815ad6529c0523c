"""The floors of docs/architecture.md, from the imports in the syntax trees, and the sizes of files and functions."""

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from project_imports import find, import_closure, imported

ROOT = Path(__file__).resolve().parent.parent

FLOORS = {
    "textsimp": 0,
    "textsimp.core": 0,
    "textsimp.sources": 1,
    "textsimp.metrics": 1,
    "textsimp.alignment": 2,
    "textsimp.corpora": 2,
    "textsimp.simplification": 2,
    "textsimp.evaluation": 3,
    "textsimp.reporting": 3,
    "textsimp.extras": 3,
    "textsimp.api": 4,
    "textsimp.cli": 4,
    "stages": 4,
}
"""Units of the project by floor; each file belongs to one by its path."""

PLUGIN = "textsimp.simplification.fairseq_plugin"
TORCH_IN_CORE = ("devices", "frozen_encoder", "resumable")
"""The first asks for a GPU, inside its function; the others are for aligners and simplifiers alike."""
ENTRY_POINTS = {"textsimp/core/errors.py", "textsimp/core/params.py", "textsimp/cli/app.py"}


def python_files(*folders: str) -> list[str]:
    """The project's Python files under the folders, relative to the root."""
    return sorted(path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*.py"))


PACKAGES = python_files("textsimp", "stages")
EVERYTHING = python_files("textsimp", "stages", "tests", "tools", "benchmarks", "experiments")


def module_name(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def unit(module: str) -> str:
    """The entry of FLOORS that a module belongs to; a clear failure where it has none."""
    parts = module.split(".")
    name = parts[0] if parts[0] == "stages" else ".".join(parts[:2])
    assert name in FLOORS, f"{module}: on no floor; give it one in FLOORS and in docs/architecture.md"
    return name


def imports(file: str) -> list[str]:
    return imported(ROOT / file, module_name(file))


def project_imports(file: str) -> list[str]:
    """The project's modules that a file imports (a name inside a module is not a module)."""
    return [name for name in imports(file) if name.split(".")[0] in ("textsimp", "stages") and find(name, ROOT)]


@functools.cache
def tree(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"), file)


def functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (child for child in ast.walk(node) if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


def test_imports_go_down_the_floors() -> None:
    """F0 to F0, upper floors to lower ones or inside their own unit, never to a sibling."""
    faults = []
    for file in PACKAGES:
        own = unit(module_name(file))
        for name in project_imports(file):
            other = unit(name)
            below = FLOORS[other] < FLOORS[own] or FLOORS[own] == FLOORS[other] == 0
            if other != own and not below:
                faults.append(f"{file} imports {name}: {own} may not import {other}")
    assert faults == []


LIBRARIES = {
    "torch": (
        "textsimp/alignment/",
        "textsimp/simplification/",
        *(f"textsimp/core/{name}.py" for name in TORCH_IN_CORE),
    ),
    "fairseq": ("textsimp/simplification/",),
    # the second takes back what fairseq's import adds to Hydra's store
    "hydra": ("textsimp/core/params.py", "textsimp/simplification/fairseq_generation.py"),
    "dvc": (),
}
"""Who alone may import a library, as beginnings of files."""


def test_libraries_are_imported_where_they_are_needed_alone() -> None:
    """Hydra inside functions; the plugin nowhere, which fairseq loads by its path: imports inside it are relative."""
    faults = []
    for file in EVERYTHING:
        for library, places in LIBRARIES.items() if file in PACKAGES else ():
            if any(name.split(".")[0] == library for name in imports(file)) and not file.startswith(places):
                faults.append(f"{file} imports {library}")
        for node in ast.walk(tree(file)):
            is_absolute = isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not node.level)
            if is_absolute and PLUGIN.rpartition(".")[2] in ast.unparse(node):
                faults.append(f"{file}:{node.lineno} imports the plugin")
    for node in tree("textsimp/core/params.py").body:
        if isinstance(node, ast.Import | ast.ImportFrom) and "hydra" in ast.unparse(node):
            faults.append(f"textsimp/core/params.py:{node.lineno} imports Hydra at module level")
    assert faults == []


def test_files_and_functions_are_short() -> None:
    """Files of 600 lines, stages of 40 without arithmetic (/ joins paths, | types), functions of 60, mostly of 15."""
    faults, lengths = [], []
    for file in EVERYTHING:
        is_stage = file.startswith("stages/") and file != "stages/__init__.py"
        lines = (ROOT / file).read_text(encoding="utf-8").count("\n")
        if lines > (40 if is_stage else 600):
            faults.append(f"{file} has {lines} lines")
        for node in ast.walk(tree(file)) if is_stage else ():
            if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Div | ast.BitOr):
                faults.append(f"{file}:{node.lineno} calculates")
        for function in functions(tree(file)):
            length = (function.end_lineno or 0) - function.lineno + 1
            if file in PACKAGES:
                lengths.append(length)
            if length > 60:
                faults.append(f"{file}:{function.lineno} {function.name} has {length} lines")
    assert faults == []
    assert sorted(lengths)[len(lengths) // 2] <= 15


BUDGETS = {
    # lines of Python, and words; a part that grows makes room elsewhere
    "textsimp": 38_850,
    "tests": 23_590,
    "tools, benchmarks, experiments": 4_710,
    "docs and README": 20_900,
}


def test_the_house_does_not_grow() -> None:
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in EVERYTHING}
    sizes = {
        part: sum(text.count("\n") for file, text in texts.items() if file.split("/")[0] in part.split(", "))
        for part in list(BUDGETS)[:3]
    }
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    sizes["docs and README"] = sum(len(page.read_text(encoding="utf-8").split()) for page in pages)
    assert {part: size for part, size in sizes.items() if size > BUDGETS[part]} == {}, BUDGETS


BORDERS = {"textsimp/core/reading.py", "textsimp/core/writing.py"}
FILE_METHODS = set(
    """open read_text read_bytes write_text write_bytes unlink rmdir rename glob rglob touch symlink_to
    hardlink_to""".split()
)
"""Methods of a path that read or change what is on disk; `iterdir`, `mkdir` and `exists` say nothing of its form."""
FILE_FUNCTIONS = set(
    """json.load json.loads csv.reader csv.DictReader yaml.safe_load yaml.load os.replace os.rename os.remove os.unlink
    shutil.copyfile shutil.copy shutil.copytree shutil.move shutil.rmtree tempfile.mkdtemp""".split()
)
PAST_THE_BORDERS = {
    # what is not a user's file, or is read by a library from a file that the border opened
    "textsimp/extras/wikidump/dumps.py": {"gzip.GzipFile"},
    "textsimp/sources/parallel.py": {"bz2.open", "tarfile.open"},
    "textsimp/sources/splitting/language.py": {"FOLDER.glob"},
    "textsimp/simplification/fairseq_tools.py": {"open"},
    "textsimp/simplification/fairseq_corpus.py": {"Path.write_bytes"},
    "textsimp/core/errors.py": {"os.open"},
    "textsimp/core/params.py": {"yaml.load"},
    "textsimp/core/checkpoint.py": {"write_text", "symlink_to", "shutil.copyfile", "folder.glob"},
    "textsimp/core/resumable.py": {"self.folder.glob", "old.unlink"},
    "textsimp/sources/fetch.py": {"open", "self.system.open", "shutil.rmtree", "os.replace", "shutil.copyfile"},
}
"""File -> calls. Dumps and archives are unpacked from a file that is open; the package's own word lists; the
log that a running program appends to; fairseq's binary form, inside a folder that is exchanged as a whole; the null
device; folders of models and of downloads, which have digests of their own."""


def name_of(node: ast.expr) -> str:
    """A called name, as `json.load`; of a call in between, what it calls (`Path(x).open` is `Path.open`)."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}".lstrip(".")
    return name_of(node.func) if isinstance(node, ast.Call) else ""


def file_calls(source: ast.AST, imported_from: set[str]) -> list[tuple[int, str]]:
    """Lines and names of calls that read or change files by themselves; methods of the project's modules are none."""
    found = []
    for node in ast.walk(source):
        name = name_of(node.func) if isinstance(node, ast.Call) else ""
        owner, _, method = name.rpartition(".")
        is_method = method in FILE_METHODS and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if name == "open" or name in FILE_FUNCTIONS or (is_method and owner not in imported_from):
            found.append((getattr(node, "lineno", 0), name))
    return found


def modules_in(source: ast.AST) -> set[str]:
    """The names by which a file knows modules of the project."""
    aliases = [alias for node in ast.walk(source) if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {alias.asname or alias.name for alias in aliases}


def test_files_pass_the_borders() -> None:
    """What a file has wrong is said in one way, what a killed run leaves is cleaned up in one place, nobody prints."""
    faults = []
    for file in PACKAGES:
        allowed = PAST_THE_BORDERS.get(file, set())
        calls = [] if file in BORDERS else file_calls(tree(file), modules_in(tree(file)))
        faults += [
            f"{file}:{line} {name}: by core/reading.py or writing.py" for line, name in calls if name not in allowed
        ]
        for call in (node for node in ast.walk(tree(file)) if isinstance(node, ast.Call)):
            if name_of(call.func) == "print" and not (file in ENTRY_POINTS or file.startswith("stages/")):
                faults.append(f"{file}:{call.lineno} prints; use logging")
    assert faults == []


def test_every_module_says_its_purpose() -> None:
    silent = [file for file in EVERYTHING if ast.get_docstring(tree(file)) is None]
    assert silent == []


def test_import_closure_agrees_with_the_interpreter() -> None:
    """What Python loads for a torch-free stage is in its closure."""
    code = "import sys, stages.build_corpus as s; print('\\n'.join(getattr(m, '__file__', None) or '' for m in "
    code += "list(sys.modules.values())))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [Path(line) for line in done.stdout.splitlines() if line]
    loaded = {path.relative_to(ROOT).as_posix() for path in paths if path.is_relative_to(ROOT)}
    loaded = {file for file in loaded if file.startswith(("textsimp/", "stages/"))}
    assert loaded and loaded <= set(import_closure("stages.build_corpus"))
