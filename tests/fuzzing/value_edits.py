"""Mutations of values: JSON, JSON Lines and YAML (JSON is YAML)."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import yaml

from fuzzing.hostile import DEPTHS, NUMBERS, TEXTS


@dataclass(frozen=True)
class Raw:
    """Text that stands in a file as it is."""

    text: str


@dataclass(frozen=True)
class Pairs:
    """An object whose keys may stand twice."""

    items: tuple[tuple[str, Any], ...]


Place = tuple[Any, Any]
"""A list or dict, and an index or key of it."""
ValueEdit = Callable[[Random, Place], None]


def written(value: Any) -> str:
    """JSON of a value that may hold `Raw` and `Pairs`."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Pairs | dict):
        items = value.items if isinstance(value, Pairs) else value.items()
        return "{" + ", ".join(f"{json.dumps(str(key))}: {written(item)}" for key, item in items) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def places(value: Any) -> Iterator[Place]:
    """Every place of a tree."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from places(item)


def hostile_value(draw: Random) -> Any:
    """A value that no reader expects."""
    kind = draw.randrange(5)
    if kind == 0:
        return Raw(draw.choice([number for number in NUMBERS if number and number.isascii()]))
    if kind == 1:
        return draw.choice(TEXTS)
    if kind == 2:
        depth, (left, right) = draw.choice(DEPTHS), draw.choice(["[]", ('{"a":', "}")])
        return Raw(left * depth + ("1" if left != "[" else "") + right * depth)
    return draw.choice(
        [[], {}, [[]], [None], {"": None}, True, False, None, 0, -1, 1.5, "1", [1, 2], {"a": 1}, "x" * 3000]
    )


def replace(draw: Random, place: Place) -> None:
    """A hostile value in the place of one."""
    place[0][place[1]] = hostile_value(draw)


def as_another_type(draw: Random, place: Place) -> None:
    """The same, as a neighbour of its type: 1 as true, "1" or 1.0; a text as a list of its characters."""
    value = place[0][place[1]]
    others: list[Any] = [str(value), [value], {"value": value}, None, True, False]
    if isinstance(value, int | float) and not isinstance(value, bool):
        others += [
            float(value),
            Raw(f"{value}.0"),
            Raw(f"{value}e0"),
            -value,
            value + 1,
            value - 1,
            value * 10**30,
            value + 0.5,
        ]
    if isinstance(value, str):
        others += [
            value[::-1],
            value + " ",
            " " + value,
            value.upper(),
            value + "\n",
            list(value),
            value * 2,
            value[:-1],
            len(value),
        ]
    if isinstance(value, list):
        others += [
            value[::-1],
            value[:-1],
            value[1:],
            value * 2,
            value + [None],
            value + [[]],
            dict(enumerate(value)),
            len(value),
        ]
    place[0][place[1]] = draw.choice(others)


def hostile_text(draw: Random, place: Place) -> None:
    """A hostile text in the place of any value."""
    place[0][place[1]] = draw.choice(TEXTS)


def drop(draw: Random, place: Place) -> None:
    """One key or item less."""
    del place[0][place[1]]


def double(draw: Random, place: Place) -> None:
    """An item twice."""
    container, key = place
    if isinstance(container, list):
        container.insert(key, container[key])
    else:
        container[f"{key}2"] = container[key]


def rename(draw: Random, place: Place) -> None:
    """Another key."""
    container, key = place
    value = container.pop(key)
    if isinstance(container, dict):
        container[draw.choice([str(key).upper(), f"{key} ", "", f"{key}s", "__class__", "id", draw.choice(TEXTS)])] = (
            value
        )


def add(draw: Random, place: Place) -> None:
    """A key or item that no reader asks for, with a hostile value."""
    container = place[0]
    if isinstance(container, list):
        container.insert(draw.randrange(len(container) + 1), hostile_value(draw))
    else:
        container[draw.choice(["comment", "_", "x", "notes"])] = hostile_value(draw)


def exchange(draw: Random, place: Place) -> None:
    """Two neighbours in each other's place."""
    container, key = place
    other = draw.choice(list(container) if isinstance(container, dict) else range(len(container)))
    container[key], container[other] = container[other], container[key]


def key_twice(draw: Random, place: Place) -> None:
    """A key that stands twice in an object."""
    container, key = place
    value = container[key]
    if isinstance(value, dict) and value:
        again = draw.choice(list(value))
        container[key] = Pairs((*value.items(), (str(again), draw.choice([value[again], hostile_value(draw)]))))
    else:
        container[key] = Pairs((("id", value), ("id", value)))


EDITS: tuple[ValueEdit, ...] = (replace, as_another_type, hostile_text, drop, double, rename, add, exchange, key_twice)


def edit_json(draw: Random, data: bytes) -> bytes:
    """One to three mutations of a JSON value."""
    return _edited(draw, json.loads(data), draw.choice([1, 1, 1, 3])).encode()


def edit_json_lines(draw: Random, data: bytes) -> bytes:
    """Mutations of one line's value; or lines that are left out, doubled or in another order."""
    rows = data.decode().splitlines()
    place = draw.randrange(len(rows))
    kind = draw.randrange(8)
    if kind == 0:
        rows.insert(draw.randrange(len(rows) + 1), rows[place])
    elif kind == 1:
        del rows[place]
    elif kind == 2:
        draw.shuffle(rows)
    else:
        rows[place] = _edited(draw, json.loads(rows[place]), draw.choice([1, 1, 1, 3]))
    return "".join(f"{row}\n" for row in rows).encode()


def edit_yaml(draw: Random, data: bytes) -> bytes:
    """Mutations of a settings file's value, or a form that YAML alone has."""
    if draw.random() < 0.8:
        return _edited(draw, yaml.safe_load(data), draw.choice([1, 1, 1, 3])).encode()
    laughs = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]\n" for n in range(9))
    odd = [laughs, "- a\n", "a: &a\n  b: *a\n", "? [a, b]\n: c\n", "a: !!python/object/apply:os.getpid []\n", "\t- a\n"]
    odd += [
        "seed: 2001-01-01\n",
        "seed: 0o17\n",
        "seed: ???\n",
        "seed: ${seed}\n",
        "seed: ${oc.env:HOME}\n",
        "%YAML 3.0\n---\n",
    ]
    odd += [
        "---\n---\n",
        "seed: 1\nseed: 2\n",
        "on: off\n",
        "1: 2\n",
        "null: 1\n",
        "a: b: c\n",
        "@a\n",
        "'a\n",
        "<<: 1\n",
    ]
    return data + draw.choice(odd).encode() if draw.random() < 0.6 else draw.choice(odd).encode() + data


def _edited(draw: Random, value: Any, times: int) -> str:
    root = [value]
    for _ in range(times):
        every = list(places(root))
        if not every:
            break
        draw.choice(EDITS)(draw, draw.choice(every))
    return written(root[0]) if root else ""
