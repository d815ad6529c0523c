"""Settings checked by pydantic: types of numbers, and dataclasses made of the plain values that a file holds."""

import functools
import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, create_model

from textsimp.core.errors import InputError, bad_input, none_of
from textsimp.core.reading import quoted, read_json

T = TypeVar("T")

# the largest number is more than any count of the settings
Positive = Annotated[int, Field(ge=1, le=10**9)]
NonNegative = Annotated[int, Field(ge=0, le=10**9)]
# of a random generator, numpy's included
Seed = Annotated[int, Field(ge=0, lt=2**32)]
# a part of a whole, a probability or a similarity
Share = Annotated[float, Field(ge=0, le=1)]
Percent = Annotated[float, Field(ge=0, le=100)]
PositiveNumber = Annotated[float, Field(gt=0, le=10**9)]
NonNegativeNumber = Annotated[float, Field(ge=0, le=10**9)]
Number = Annotated[float, Field(ge=-(10**9), le=10**9)]
# how often something is drawn again: more would fill the memory and change no digit that is shown
Samples = Annotated[int, Field(ge=1, le=100_000)]

# keys are known ones, and nothing is converted but whole numbers to floating point
_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class KeyFault(InputError):
    """A key that is missing, unknown or of another type or size; `key` is its dotted name, `what` what is wrong."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}" if key else what)
        self.key, self.what = key, what


def structured(value: Any, kind: type[T], is_closed: bool = True) -> T:
    """Make an instance of the dataclass `kind` of a mapping; fields with a default may be left out.

    Raises:
        KeyFault: a key is missing, unknown (unless `is_closed` is false), of another type or out of its bounds.
        InputError: the `__post_init__` of a dataclass refuses its values.
    """
    try:
        instance: T = _adapter(cast(Any, kind), is_closed).validate_json(json.dumps([value], default=str))[0]
        return instance
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    if isinstance(raised := fault.get("ctx", {}).get("error"), InputError):
        raise raised
    raise KeyFault(dotted(fault["loc"][1:]), wrong(fault, kind))


def read_as(
    path: str | Path, kind: type[T], remedy: str = "restore the folder, or train again", is_closed: bool = True
) -> T:
    """Read a JSON file that has the form of a type: a dataclass, lists, dicts; raise `InputError` where it has not."""
    value = read_json(path, remedy)
    try:
        return structured(value, kind, is_closed)
    except InputError as error:
        raise bad_input(path, None, f"not as it was written ({error})", remedy) from None


def called(what: str, factory: Callable[..., T], options: Mapping[str, Any], *fixed: Any) -> T:
    """Return `factory(*fixed, **options)`, the options checked by the annotations behind the `fixed` ones.

    `InputError`, which begins with `what`, where one is unknown, missing, of another type or out of its bounds.
    """
    parameters = list(inspect.signature(factory).parameters.values())[len(fixed) :]
    wanted: dict[str, Any] = {
        one.name: (one.annotation, ... if one.default is one.empty else one.default) for one in parameters
    }
    form = create_model("Options", __config__=_STRICT, **wanted)
    try:
        form.model_validate_json(json.dumps(dict(options), default=str))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        known = f"; its options: {', '.join(wanted) or 'none'}" if fault["type"] in _NAMES else ""
        raise InputError(f"{what}: {dotted(fault['loc'])}: {wrong(fault)}{known}") from None
    return factory(*fixed, **options)


@functools.cache
def _adapter(kind: Any, is_closed: bool) -> TypeAdapter[Any]:
    config = _STRICT if is_closed else _STRICT | ConfigDict(extra="ignore")
    return TypeAdapter(tuple[kind], config=config)


# pydantic's names of what is wrong with a key, not with its value
_NAMES = {"missing": "missing", "unexpected_keyword_argument": "unknown", "extra_forbidden": "unknown"}


def wrong(fault: Any, kind: Any = None) -> str:
    """Say what pydantic found, with the known keys of the dataclass where one is unknown."""
    if fault["type"] in ("literal_error", "enum"):
        return none_of(f"{shown(fault['input'])} is", re.findall("'([^']*)'", fault["ctx"]["expected"]))
    if fault["type"] not in _NAMES:
        _, mark, rest = fault["msg"].partition(" should ")
        return f"{shown(fault['input'])} should {rest}" if mark else str(fault["msg"])
    if fault["type"] != "missing" and is_dataclass(owner := _type_at(kind, fault["loc"][1:-1])):
        return f"unknown; the keys are {', '.join(field.name for field in fields(owner))}"
    return _NAMES[fault["type"]]


def _type_at(kind: Any, path: tuple[str | int, ...]) -> Any:
    """Return the type of what is at a path below a dataclass."""
    for part in path:
        if is_dataclass(kind):
            kind = get_type_hints(kind, include_extras=True)[str(part)]
        elif get_origin(kind) in (list, tuple, dict):
            kind = get_args(kind)[-1]
        if NoneType in get_args(kind):
            kind = next(one for one in get_args(kind) if one is not NoneType)
    return kind


def dotted(path: tuple[str | int, ...]) -> str:
    """Return a path as a dotted name, such as `a.b[2].c`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part[:80]}" for part in path)
    return "".join(parts).removeprefix(".")


def shown(value: Any) -> str:
    """Return a value as a message shows it: without the texts that it may be or hold."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    return "null" if value is None else quoted(value) if isinstance(value, str) else f"{value!r:.40}"
