"""Which files of the project a module reaches, read from the syntax trees without importing anything.

Followed are imports anywhere in a module, inside functions too, the `__init__.py` of every package on the way, and
texts that are the dotted name of one of the project's modules. Not followed: imports under `if TYPE_CHECKING:`, which
never run, and those of `textsimp/__init__.py`, which are made when somebody asks for a name of the public API.
"""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
API = "textsimp"


def import_closure(module: str, root: Path = ROOT) -> list[str]:
    """The files, sorted, relative to the root with forward slashes, the module's own among them.

    Args:
        module: dotted name, such as `stages.align`.
        root: the folder that holds the top-level packages.
    """
    files: set[str] = set()
    waiting, seen = [module], set()
    while waiting:
        name = waiting.pop()
        path = find(name, root)
        if name in seen or path is None:
            continue
        seen.add(name)
        files.add(path.relative_to(root).as_posix())
        if name != API:
            waiting += [*_parents(name), *imported(path, name), *_named(path)]
    return sorted(files)


@functools.cache
def find(module: str, root: Path = ROOT) -> Path | None:
    """The file of a module or package of the project; None if the project has none of that name."""
    base = root.joinpath(*module.split("."))
    for path in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


@functools.cache
def imported(path: Path, module: str) -> list[str]:
    """The dotted names that a file imports, in order; `from a import b` gives both `a` and `a.b`."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names = []
    for node in _running(_tree(path)):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(node, package)
            names.extend([source, *(f"{source}.{alias.name}" for alias in node.names)])
    return names


@functools.cache
def _named(path: Path) -> list[str]:
    """Texts in a file that look like the dotted name of a module."""
    texts = [node.value for node in ast.walk(_tree(path)) if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z]\w*(\.\w+)+", text)]


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING:`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).split(".")[-1] == "TYPE_CHECKING":
            for statement in child.orelse:
                yield statement
                yield from _running(statement)
            continue
        yield child
        yield from _running(child)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])
