"""Options of a similarity or strategy from YAML into its constructor, checked by name (F2)."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from textsimp.errors import InputError

T = TypeVar("T")


def checked_call(what: str, factory: Callable[..., T], options: Mapping[str, Any], *fixed: Any) -> T:
    """`factory(*fixed, **options)`; `InputError` names an option that it has not, or one that it lacks."""
    signature = inspect.signature(factory)
    try:
        bound = signature.bind(*fixed, **options)
    except TypeError as error:
        known = ", ".join(list(signature.parameters)[len(fixed) :]) or "none"
        raise InputError(f"{what}: {error}; its options: {known}") from None
    return factory(*bound.args, **bound.kwargs)
