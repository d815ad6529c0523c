"""How commands print nested results."""

import json
from collections.abc import Iterator
from typing import Any

import typer


def show(result: dict[str, Any], as_json: bool) -> None:
    """Print JSON, or one line per value or group of values."""
    if as_json:
        typer.echo(json.dumps(result, ensure_ascii=False, indent=2))
        return
    for line in _lines(result, ""):
        typer.echo(line)


def _lines(value: dict[str, Any], prefix: str) -> Iterator[str]:
    """The values of nested groups, each group of plain values on a line of its own."""
    plain = {key: item for key, item in value.items() if not isinstance(item, dict | list)}
    if prefix and plain:
        yield f"{prefix}: {', '.join(f'{key} {_text(item)}' for key, item in plain.items())}"
    elif plain:
        yield from (f"{key}: {_text(item)}" for key, item in plain.items())
    for key, item in value.items():
        for number, part in enumerate(item if isinstance(item, list) else [item]):
            if isinstance(part, dict):
                name = f"{key} {number + 1}" if isinstance(item, list) else key
                yield from _lines(part, f"{prefix}, {name}" if prefix else name)


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
