"""What conf/ composes, once in each test process: Hydra takes seconds."""

import copy
from functools import cache
from typing import Any

from omegaconf import DictConfig, OmegaConf

from textsimp.core.params import compose, compose_values

_values = cache(lambda *overrides: compose_values([*overrides]))


@cache
def composed(*overrides: str) -> str:
    """The text of params.yaml for Hydra's overrides."""
    return compose([*overrides])


def composed_values(*overrides: str) -> DictConfig:
    """The same as values that may be changed."""
    return OmegaConf.create(_values(*overrides))


def plain_values(*overrides: str) -> dict[str, Any]:
    """The same as dictionaries and lists that may be changed."""
    return copy.deepcopy(_values(*overrides))
