"""The one road for configuration: `params.yaml` into frozen dataclasses, and its composition from `conf/`.

Stages read only `params.yaml`. `python -m textsimp.core.params [OVERRIDE ...]` composes it again from `conf/` with
Hydra; this is the only place of the package that imports Hydra, and only when it composes.
"""

import functools
import math
import sys
from dataclasses import fields, is_dataclass, make_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import yaml
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from textsimp.core.errors import InputError, bad_input, exit_on_bad_input
from textsimp.core.textfiles import atomic_write, read_text

T = TypeVar("T")
PARAMS = Path("params.yaml")
_PACKAGE = Path(__file__).resolve().parents[1]
SHIPPED = _PACKAGE if (_PACKAGE / "conf").is_dir() else _PACKAGE.parent
"""Folder of `conf` and `data/published`: the checkout, or the installed package, which carries copies (setup.py)."""
WIDTH = 118
INDENT = 2
"""Columns of a line of params.yaml, and by how many each level of the YAML is moved to the right."""
CONF = SHIPPED / "conf"


def load_params(section: str, kind: type[T], path: str | Path = PARAMS, changes: str | None = None) -> T:
    """One section of params.yaml as an instance of the frozen dataclass `kind`.

    Args:
        section: dotted path, such as `aligner` or `simplifier.lstm`; empty for the top level.
        kind: a dataclass without defaults; nested dataclasses, lists and dicts are checked too.
        changes: another section, whose values replace those of the first.

    Raises:
        InputError: the section or a key is missing, unknown or of another type; the text names it.
    """
    node = select(section, path)
    if changes:
        node, section = OmegaConf.merge(node, select(changes, path)), changes
    return _checked(node, section, kind, path)


def read_settings(path: str | Path, kind: type[T]) -> T:
    """A whole settings file, of a part that has its own, as an instance of `kind`; errors as of `load_params`."""
    try:
        return structured(_tree(read_text(path), path), kind)
    except OmegaConfBaseException as error:
        what = f"{error.full_key}: {str(error).splitlines()[0].strip()}"
        raise bad_input(path, None, what, "correct the key") from None


def from_conf(section: str, kind: type[T], *overrides: str) -> T:
    """One section of what `conf/` composes by default, or with Hydra's overrides, for commands outside the pipeline."""
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
    if missing := sorted(OmegaConf.missing_keys(merged)):
        error = OmegaConfBaseException(f"missing key '{missing[0]}'")
        error.full_key = missing[0]
        raise error
    return _build(kind, OmegaConf.to_container(merged), "")


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

    offer_systems()
    try:
        with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
            config = hydra_compose(config_name="config", overrides=overrides)
        return compact(OmegaConf.to_yaml(config, resolve=True))
    except (HydraException, OmegaConfBaseException) as error:
        raise InputError(f"conf: {' '.join(str(error).split())}; see `ls conf/*` for the names") from None


def compact(text: str) -> str:
    """The same YAML in flow style where plain values are listed or all fits on one line."""
    root = cast(yaml.MappingNode, yaml.compose(text, yaml.SafeLoader))
    for _, value in root.value:
        _flow(value, WIDTH)
    return yaml.serialize(root, Dumper=yaml.SafeDumper, width=WIDTH, allow_unicode=True)


def _flow(node: yaml.Node, room: int) -> int:
    """Write a node on one line if it fits into `room` columns; returns the columns that it would take."""
    if not isinstance(node, yaml.CollectionNode):
        return len(node.value) + 2
    children = [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]
    size = 2 + sum(2 + _flow(child, room - INDENT) for child in children)
    node.flow_style = size <= room or not any(isinstance(child, yaml.CollectionNode) for child in children)
    return size


def offer_systems() -> None:
    """Offer Hydra the files of conf/alignment_system, as configurations that conf/config.yaml names.

    `alignment_system: all` is what every file computes with, and `labels: alignment_systems` what it is printed as
    (its key `printed`), in a section of their own, so that no computing stage depends on a name. The resolver
    `systems_with` gives the default of `alignment_systems`: every system, in the order of `printed.order` and then by
    name, without those whose variant of the aligner is not trained.
    """
    from hydra.core.config_store import ConfigStore

    systems = _read_systems(CONF / "alignment_system")
    labels = {name: system.pop("printed", None) or {"label": name} for name, system in systems.items()}
    ranks = {name: label.pop("order", math.inf) for name, label in labels.items()}
    store = ConfigStore.instance()
    store.store(name="all", group="alignment_system", node=systems)
    store.store(name="alignment_systems", group="labels", node=labels)

    def systems_with(variants: Any) -> Any:
        needed = {name: system["strategy"]["options"].get("variant") for name, system in systems.items()}
        ordered = sorted(systems, key=ranks.__getitem__)
        return OmegaConf.create([name for name in ordered if needed[name] in (None, *variants)])

    OmegaConf.register_new_resolver("systems_with", systems_with, replace=True)


def _read_systems(folder: Path) -> dict[str, dict[str, Any]]:
    """The alignment systems by name: what `_parts.yaml` says of all of them, and what its own file changes."""
    common, *systems = [folder / "_parts.yaml", *sorted(folder.glob("[!_]*.yaml"))]
    trees = {path.stem: OmegaConf.merge(*(_tree(read_text(part), part) for part in (common, path))) for path in systems}
    for name, tree in trees.items():
        for part in ("similarity", "strategy"):
            if OmegaConf.select(tree, f"{part}.options") is None:
                raise InputError(f"{folder / name}.yaml: {part}: give it as {{name: NAME, options: {{}}}}")
    return {name: cast(dict[str, Any], OmegaConf.to_container(tree)) for name, tree in trees.items()}


def _mutable(kind: type) -> type:
    """A twin of a dataclass, nested ones included, that is not frozen: OmegaConf merges nothing into frozen ones."""
    hints = get_type_hints(kind)
    return make_dataclass(kind.__name__, [(field.name, _twin(hints[field.name])) for field in fields(kind)])


def _twin(hint: Any) -> Any:
    """A type with each dataclass in it replaced by its mutable twin, and each Enum by the type of its values."""
    if _is_enum(hint):
        return str
    if isinstance(hint, type) and is_dataclass(hint):
        return _mutable(hint)
    parts = get_args(hint)
    if not parts or get_origin(hint) is Literal:
        return hint
    origin = Union if isinstance(hint, UnionType) else get_origin(hint)
    return origin[tuple(_twin(part) for part in parts)]


def _build(hint: Any, value: Any, key: str) -> Any:
    """Plain values as the type says, dataclasses and Enums made and their own checks run; `key` is for messages."""
    if value is None:
        return None
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint)
        return hint(**{name: _build(hints[name], item, _join(key, name)) for name, item in value.items()})
    if _is_enum(hint):
        return _member(hint, value, key)
    parts = get_args(hint)
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return _build(next(part for part in parts if part is not type(None)), value, key)
    if isinstance(value, list) and parts:
        return [_build(parts[0], item, key) for item in value]
    if isinstance(value, dict) and len(parts) == 2:
        return {name: _build(parts[1], item, _join(key, str(name))) for name, item in value.items()}
    return value


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _member(kind: type[Enum], value: Any, key: str) -> Enum:
    known = {member.value: member for member in kind}
    if value not in known:
        error = OmegaConfBaseException(f"{value!r} is none of {', '.join(map(str, known))}")
        error.full_key = key
        raise error
    return known[value]


def _join(*parts: str) -> str:
    return ".".join(filter(None, parts))


@exit_on_bad_input
def main() -> None:
    """Compose params.yaml; the arguments are Hydra overrides, such as `experiment=paper`."""
    if SHIPPED == _PACKAGE:
        raise InputError("textsimp.core.params: composes params.yaml in a checkout of the project; run it there")
    text = compose(sys.argv[1:])
    with atomic_write(PARAMS) as file:
        file.write(text)


if __name__ == "__main__":
    main()
