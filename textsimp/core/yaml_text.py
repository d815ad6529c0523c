"""YAML as this project takes it: plain values, not too many, each key once, numbers that are finite."""

import math
import re
from pathlib import Path
from typing import Any

import yaml

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_text

SIZE_LIMIT = 1 << 22
"""Characters of a file."""
DEPTH_LIMIT = 40
"""Levels of a value; PyYAML's own limit would be Python's stack."""
VALUES_LIMIT = 500_000
"""Values of a file, those that aliases stand for counted each time: a few aliases can spell more than any memory."""
LARGEST = 1 << 63
"""No whole number of a settings file reaches it."""
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FLOAT = re.compile(
    r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    r"|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN)"
)
_TIMESTAMP, _FLOAT_TAG = "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:float"


class _Fault(InputError):
    """What is wrong, and in which line from 1."""

    def __init__(self, what: str, node: Any) -> None:
        super().__init__(what)
        self.line = node.start_mark.line + 1


def read_yaml(path: str | Path) -> Any:
    """The value of a YAML file; `InputError` as of `parse_yaml`, or where it cannot be read."""
    return parse_yaml(read_text(path), path)


def parse_yaml(text: str, path: str | Path, remedy: str = "correct the file") -> Any:
    """A value of mappings, lists, texts, numbers, booleans and null.

    As Hydra reads it: `1e-5` is a number (not in YAML 1.1), a date is a text.

    Raises:
        InputError: no YAML, or what no settings need: other types, a key that stands twice, numbers that are not
            finite or beyond `LARGEST`, half a character, more than `SIZE_LIMIT` characters, `VALUES_LIMIT` values or
            `DEPTH_LIMIT` levels. The text names file and line.
    """
    if len(text) > SIZE_LIMIT:
        raise bad_input(path, None, f"more than {SIZE_LIMIT} characters of YAML", remedy)
    line: int | None
    try:
        _check_shape(text)
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _expanded(node, {})
        return loader.construct_document(node)
    except _Fault as fault:
        line, what = fault.line, str(fault)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, what = mark.line + 1 if mark else None, f"not YAML ({error.problem or error.context})"
    except yaml.YAMLError as error:
        line, what = None, f"not YAML ({' '.join(str(error).split())})"
    except (ValueError, LookupError, ArithmeticError, AttributeError, TypeError) as error:
        # a tag does not fit its text
        line, what = None, f"not YAML ({' '.join(str(error).split())[:200]})"
    raise bad_input(path, line, what, remedy) from None


def line_of(text: str, key: str) -> int | None:
    """The line, from 1, of a dotted key such as `a.b[2].c` in good YAML, or of the last part of it that is there."""
    node, line = _Loader(text).get_single_node(), None
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
        if isinstance(node, yaml.MappingNode) and name:
            entries = [(label, value) for label, value in node.value if label.value == name]
        elif isinstance(node, yaml.SequenceNode) and index and int(index) < len(node.value):
            entries = [(node.value[int(index)],) * 2]
        else:
            break
        if not entries:
            break
        line, node = entries[0][0].start_mark.line + 1, entries[0][1]
    return line


def _check_shape(text: str) -> None:
    """Refuse what must not be built: the events of the parser come one by one, before any value is made."""
    depth = 0
    for event in yaml.parse(text, _Base):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEPTH_LIMIT:
            raise _Fault(f"nested more than {DEPTH_LIMIT} levels", event)


def _expanded(node: Any, sizes: dict[int, int], depth: int = 0) -> int:
    """How many values a node is with every alias written out; a value that holds itself is too deep."""
    if depth > DEPTH_LIMIT:
        raise _Fault(f"nested more than {DEPTH_LIMIT} levels", node)
    if id(node) not in sizes:
        parts = [part for item in node.value for part in item] if isinstance(node, yaml.MappingNode) else node.value
        within = parts if isinstance(node, yaml.CollectionNode) else ()
        sizes[id(node)] = 1 + sum(_expanded(part, sizes, depth + 1) for part in within)
        if sizes[id(node)] > VALUES_LIMIT:
            raise _Fault(f"more than {VALUES_LIMIT} values, its aliases written out", node)
    return sizes[id(node)]


class _Loader(_Base):
    """PyYAML's safe loader in C where it is there, with the number format of Hydra and the checks of `parse_yaml`."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _Fault("a key that is no text", key)
            if key.value in seen:
                raise _Fault(f"key {quoted(key.value)} stands twice", key)
            seen.add(key.value)
        value: dict[Any, Any] = super().construct_mapping(node, deep)
        return value

    def whole(self, node: Any) -> int:
        """A whole number that a settings file may have."""
        if len(node.value) > 64 or abs(number := int(super().construct_yaml_int(node))) >= LARGEST:
            raise _Fault("a whole number beyond all sense", node)
        return number

    def finite(self, node: Any) -> float:
        """A number that is one."""
        number = float(super().construct_yaml_float(node))
        if not math.isfinite(number):
            raise _Fault(f"{quoted(node.value)} is no finite number", node)
        return number

    def text(self, node: Any) -> str:
        """A text that a file in UTF-8 can hold."""
        value = str(super().construct_yaml_str(node))
        if any("\ud800" <= char <= "\udfff" or char == "\0" for char in value):
            raise _Fault("half a character (a lone surrogate), or NUL", node)
        return value

    def other(self, node: Any) -> Any:
        """Of a tag that no settings need."""
        raise _Fault(f"a value of the type {quoted(node.tag)}", node)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in (_TIMESTAMP, _FLOAT_TAG)]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_FLOAT_TAG, re.compile(rf"^(?:{_FLOAT.pattern})$"), list("-+0123456789."))
for _tag, _make in {"int": _Loader.whole, "float": _Loader.finite, "str": _Loader.text}.items():
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _make)
for _tag in ("binary", "timestamp", "omap", "pairs", "set"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _Loader.other)
_Loader.add_constructor(None, _Loader.other)
