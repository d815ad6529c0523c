"""Which files of the project a module really imports, found in the syntax trees without importing anything.

Used to check the dependencies that dvc.yaml gives each stage. Follows imports anywhere in a module, inside functions
too, and the `__init__.py` of every package on the way; leaves out those under `if TYPE_CHECKING:`, which never run.

    python tools/import_closure.py stages.align
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def import_closure(module: str, root: Path = ROOT) -> list[str]:
    """The files, sorted, relative to the root with forward slashes, the module's own among them.

    Args:
        module: dotted name, such as `stages.align`.
        root: the folder that holds the top-level packages.

    Raises:
        ModuleNotFoundError: the project has no such module.
    """
    if find(module, root) is None:
        raise ModuleNotFoundError(f"no module {module} under {root}")
    files: set[Path] = set()
    waiting, seen = [module], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        path = find(name, root)
        if path is None:
            continue
        files.add(path)
        waiting.extend(_parents(name))
        waiting.extend(imported(path, name))
    return sorted(path.relative_to(root).as_posix() for path in files)


def find(module: str, root: Path = ROOT) -> Path | None:
    """The file of a module or package of the project; None where it is not the project's."""
    base = root.joinpath(*module.split("."))
    for path in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def imported(path: Path, module: str) -> list[str]:
    """The dotted names that a file imports, in order; `from a import b` gives both `a` and `a.b`."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names = []
    for node in _running(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(node, package)
            names.extend([source, *(f"{source}.{alias.name}" for alias in node.names)])
        elif isinstance(node, ast.Call) and (name := _by_name(node)):
            names.append(name)
    return names


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING:`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).split(".")[-1] == "TYPE_CHECKING":
            for other in child.orelse:
                yield other
                yield from _running(other)
            continue
        yield child
        yield from _running(child)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def _by_name(node: ast.Call) -> str | None:
    """The literal module name in `importlib.import_module("...")`."""
    if not ast.unparse(node.func).endswith("import_module") or not node.args:
        return None
    name = node.args[0]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None


def main() -> None:
    """Print the closure of each module that the command line names."""
    if len(sys.argv) < 2:
        sys.exit("usage: python tools/import_closure.py MODULE ...")
    for module in sys.argv[1:]:
        try:
            files = import_closure(module)
        except ModuleNotFoundError as error:
            sys.exit(f"error: {error}")
        print("\n".join(files))


if __name__ == "__main__":
    main()
