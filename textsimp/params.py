"""The one road for configuration (F0): `params.yaml` into frozen dataclasses, and its composition from `conf/`.

Stages read only `params.yaml`. `python -m textsimp.params [OVERRIDE ...]` composes it again from `conf/` with
Hydra; this is the only place of the package that imports Hydra, and only when it composes.
"""

import functools
import sys
from dataclasses import fields, is_dataclass, make_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from textsimp.errors import InputError, exit_on_bad_input
from textsimp.textfiles import atomic_write, read_text

T = TypeVar("T")
PARAMS = Path("params.yaml")
CONF = Path(__file__).resolve().parent.parent / "conf"


def load_params(section: str, kind: type[T], path: str | Path = PARAMS, changes: str | None = None) -> T:
    """One section of params.yaml as an instance of the frozen dataclass `kind`.

    Args:
        section: dotted path, such as `aligner` or `simplifier.lstm`; empty for the top level.
        kind: a dataclass without defaults; nested dataclasses, lists and dicts are checked too.
        path: the file.
        changes: another section, whose values replace those of the first.

    Raises:
        InputError: the section or a key is missing, unknown or of another type; the text names it.
    """
    node = select(section, path)
    if changes:
        node, section = OmegaConf.merge(node, select(changes, path)), changes
    return _checked(node, section, kind, path)


def from_conf(section: str, kind: type[T], *overrides: str) -> T:
    """One section of what `conf/` composes by default, or with Hydra's overrides, for commands outside the pipeline.

    Raises:
        InputError: as `load_params`.
    """
    return _checked(_select(_tree(_composed(*overrides), CONF), section, CONF), section, kind, CONF)


def names_from_conf(section: str) -> list[str]:
    """The sorted keys of a section of what `conf/` composes by default."""
    return sorted(map(str, _select(_tree(_composed(), CONF), section, CONF)))


def structured(node: Any, kind: type[T]) -> T:
    """An instance of the frozen dataclass `kind` from a mapping.

    Raises:
        OmegaConfBaseException: a key is missing, unknown or of another type; `full_key` names it.
    """
    merged = OmegaConf.merge(OmegaConf.structured(_mutable(kind)), node)
    missing = sorted(OmegaConf.missing_keys(merged))
    if missing:
        error = OmegaConfBaseException(f"missing key '{missing[0]}'")
        error.full_key = missing[0]
        raise error
    return _build(kind, OmegaConf.to_container(merged))


def select(section: str, path: str | Path = PARAMS) -> Any:
    """One section of params.yaml as an OmegaConf node or plain value; `InputError` where it is absent."""
    return _select(_tree(read_text(path), path), section, path)


@functools.cache
def _composed(*overrides: str) -> str:
    """What `conf/` composes, composed once."""
    return compose(list(overrides))


@functools.cache
def _tree(text: str, path: str | Path) -> Any:
    """YAML as an OmegaConf tree, parsed once: a stage may read many sections. Nobody changes it."""
    try:
        return OmegaConf.create(text)
    except Exception as error:  # the YAML library raises several unrelated types
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: not YAML ({reason}); run `make params` to write it again") from None


def _checked(node: Any, section: str, kind: type[T], path: str | Path) -> T:
    """A node as an instance of `kind`; `InputError` names the key that does not fit."""
    try:
        return structured(node, kind)
    except OmegaConfBaseException as error:
        key = _join(section, error.full_key or "")
        reason = str(error).splitlines()[0].strip()
        raise InputError(f"{path}: {key}: {reason}; correct it under conf/ and run `make params`") from None


def _select(tree: Any, section: str, path: str | Path) -> Any:
    node = OmegaConf.select(tree, section) if section else tree
    if node is None:
        raise InputError(f"{path}: {section}: missing section; add it under conf/ and run `make params`")
    return node


def select_list(section: str, path: str | Path = PARAMS) -> list[str]:
    """A list of names in params.yaml, such as `corpora`."""
    value = select(section, path)
    if not OmegaConf.is_list(value):
        raise InputError(f"{path}: {section}: {value!r} is no list; correct it under conf/ and run `make params`")
    return [str(item) for item in value]


def compose(overrides: list[str]) -> str:
    """The text of params.yaml that `conf/` and Hydra's overrides give, every interpolation resolved."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException

    try:
        with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
            config = hydra_compose(config_name="config", overrides=overrides)
    except (HydraException, OmegaConfBaseException) as error:
        raise InputError(f"conf: {' '.join(str(error).split())}; see `ls conf/*` for the names") from None
    return OmegaConf.to_yaml(config, resolve=True)


@functools.cache
def _mutable(kind: type) -> type:
    """A twin of a dataclass, nested ones included, that is not frozen: OmegaConf merges nothing into frozen ones."""
    hints = get_type_hints(kind)
    return make_dataclass(kind.__name__, [(field.name, _twin(hints[field.name])) for field in fields(kind)])


def _twin(hint: Any) -> Any:
    """A type with each dataclass in it replaced by its mutable twin."""
    if is_dataclass(hint):
        return _mutable(hint)
    parts = get_args(hint)
    if not parts or get_origin(hint) is Literal:
        return hint
    origin = Union if isinstance(hint, UnionType) else get_origin(hint)
    return origin[tuple(_twin(part) for part in parts)]


def _build(hint: Any, value: Any) -> Any:
    """Plain values as the type says, dataclasses made and their own checks run."""
    if value is None:
        return None
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return hint(**{name: _build(hints[name], item) for name, item in value.items()})
    parts = get_args(hint)
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return _build(next(part for part in parts if part is not type(None)), value)
    if isinstance(value, list) and parts:
        return [_build(parts[0], item) for item in value]
    if isinstance(value, dict) and len(parts) == 2:
        return {key: _build(parts[1], item) for key, item in value.items()}
    return value


def _join(section: str, key: str) -> str:
    return ".".join(part for part in (section, key) if part)


@exit_on_bad_input
def main() -> None:
    """Compose params.yaml; the arguments are Hydra overrides, such as `experiment=paper`."""
    text = compose(sys.argv[1:])
    with atomic_write(PARAMS) as file:
        file.write(text)


if __name__ == "__main__":
    main()
