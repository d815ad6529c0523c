"""The one road for configuration: `params.yaml` into frozen dataclasses, and its composition from `conf/`.

Stages read only `params.yaml`. `python -m textsimp.core.params [OVERRIDE ...]` composes it again from `conf/` with
Hydra; this is the only place of the package that imports Hydra, and only when it composes.
"""

import contextlib
import copy
import functools
import math
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import yaml

from textsimp.core.bounds import Bounds
from textsimp.core.composed import KEPT, keep, kept
from textsimp.core.errors import InputError, bad_input, exit_on_bad_input, none_of
from textsimp.core.reading import folder_files, quoted, read_text
from textsimp.core.writing import atomic_write
from textsimp.core.yaml_text import LARGEST, line_of, parse_yaml, read_yaml

T = TypeVar("T")
PARAMS = Path("params.yaml")
_PACKAGE = Path(__file__).resolve().parents[1]
SHIPPED = _PACKAGE if (_PACKAGE / "conf").is_dir() else _PACKAGE.parent
"""Folder of `conf` and `data/published`: the checkout, or the installed package, which carries copies (setup.py)."""
WIDTH = 118
INDENT = 2
"""Columns of a line of params.yaml, and by how many each level of the YAML is moved to the right."""
CONF = SHIPPED / "conf"
_REMEDY = "correct it under conf/ and run `make params`"
_NAMES: dict[Any, str] = {
    int: "whole number",
    float: "number",
    str: "text",
    bool: "true or false",
    list: "list",
    dict: "mapping",
}


class KeyFault(InputError):
    """A key that is missing, unknown or of another type or size; `key` is its dotted name, `what` what is wrong."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(f"{key}: {what}" if key else what)
        self.key, self.what = key, what


def load_params(section: str, kind: type[T], path: str | Path = PARAMS, changes: str | None = None) -> T:
    """One section of params.yaml as an instance of the frozen dataclass `kind`.

    Args:
        section: dotted path, such as `aligner` or `simplifier.lstm`; empty for the top level.
        kind: a dataclass all of whose fields are given; nested dataclasses, lists and dicts are checked too.
        changes: another section, whose values replace those of the first.

    Raises:
        InputError: the section or a key is missing, unknown, of another type or out of its bounds; the text names it.
    """
    node = select(section, path)
    if changes:
        node, section = _merged(node, select(changes, path)), changes
    return _checked(node, section, kind, path, _REMEDY, read_text(path))


def read_settings(path: str | Path, kind: type[T]) -> T:
    """A whole settings file, of a part that has its own, as an instance of `kind`; errors as of `load_params`."""
    return settings_from(read_yaml(path), kind, path, "correct the key")


def settings_from(value: Any, kind: type[T], path: str | Path, remedy: str, with_defaults: bool = False) -> T:
    """As `read_settings`, of what a file holds but for keys that are put in; see `structured`."""
    return _checked(value, "", kind, path, remedy, read_text(path), with_defaults)


def from_conf(section: str, kind: type[T], *overrides: str) -> T:
    """One section of what `conf/` composes by default, or with Hydra's overrides, for commands outside the pipeline."""
    return _checked(_select(_defaults(*overrides), section, CONF), section, kind, CONF, _REMEDY)


def names_from_conf(section: str) -> list[str]:
    """The sorted keys of a section of what `conf/` composes by default."""
    return sorted(map(str, _select(_defaults(), section, CONF)))


def structured(value: Any, kind: type[T], with_defaults: bool = False) -> T:
    """An instance of the frozen dataclass `kind` from a mapping.

    Args:
        with_defaults: whether keys may be left out for which the dataclass has a default.

    Raises:
        KeyFault: a key is missing, unknown, of another type or out of its bounds.
        InputError: what the dataclass itself says of its values.
    """
    instance: T = _Builder(with_defaults).build(kind, value, "")
    return instance


def select(section: str, path: str | Path = PARAMS) -> Any:
    """One section of params.yaml as plain values, which nobody changes; `InputError` where it is absent."""
    return _select(_tree(read_text(path), path), section, path)


@functools.cache
def _defaults(*overrides: str) -> Any:
    """What `conf/` composes: as it is kept, else composed once."""
    values = kept(CONF, overrides)
    return compose_values(list(overrides)) if values is None else values


@functools.cache
def _tree(text: str, path: str | Path) -> Any:
    """The values of YAML, parsed once: a stage may read many sections. Nobody changes them."""
    return parse_yaml(text, path, "run `make params` to write it again")


def _checked(
    node: Any, section: str, kind: type[T], path: str | Path, remedy: str, text: str = "", with_defaults: bool = False
) -> T:
    """A node as an instance of `kind`; `InputError` names the file and its line, and the key that does not fit."""
    try:
        return structured(node, kind, with_defaults)
    except KeyFault as fault:
        whole = KeyFault(_join(section, fault.key), fault.what)
        line = line_of(text, whole.key) if text else None
        raise bad_input(path, line, str(whole), remedy) from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _select(tree: Any, section: str, path: str | Path) -> Any:
    node = tree
    for part in section.split(".") if section else ():
        node = node.get(part) if isinstance(node, dict) else None
    if node is None and section:
        raise InputError(f"{path}: {section}: missing section; add it under conf/ and run `make params`")
    return node


def _merged(value: Any, changes: Any) -> Any:
    """A value with changes: mappings key by key, everything else as a whole."""
    if not (isinstance(value, dict) and isinstance(changes, dict)):
        return changes
    return value | {key: _merged(value.get(key), item) for key, item in changes.items()}


def select_list(section: str, path: str | Path = PARAMS) -> list[str]:
    """A list of names in params.yaml, such as `corpora`."""
    value = select(section, path)
    if not isinstance(value, list):
        raise bad_input(path, None, f"{section}: {_shown(value)} is no list", _REMEDY)
    return [str(item) for item in value]


def compose(overrides: list[str]) -> str:
    """The text of params.yaml that `conf/` and Hydra's overrides give, every interpolation resolved."""
    from omegaconf import OmegaConf

    return compact(OmegaConf.to_yaml(OmegaConf.create(compose_values(overrides))))


def compose_values(overrides: list[str]) -> dict[str, Any]:
    """The values of the text that `compose` gives."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException, OverrideParseException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    offer_systems()
    overrides = list(map(_at_home, overrides))
    try:
        with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
            config = hydra_compose(config_name="config", overrides=overrides)
        return cast(dict[str, Any], OmegaConf.to_container(config, resolve=True))
    except OverrideParseException as error:
        what = f"conf: {error.override!r} is no KEY=VALUE"
        raise InputError(f"{what}; put a value with special characters in quotes: \"KEY='VALUE'\"") from None
    except (HydraException, OmegaConfBaseException, yaml.YAMLError, RecursionError) as error:
        raise InputError(f"conf: {' '.join(str(error).split())}; see `ls conf/*` for the names") from None


def _at_home(override: str) -> str:
    """Return an override with the home folder in place of a `~` that its value begins with: Hydra cannot read it."""
    key, mark, value = override.partition("=")
    return f"{key}={Path(value).expanduser()}" if mark and value.startswith("~/") else override


def keep_composed() -> None:
    """Write conf/composed.json, unless it is of the files as they are."""
    if any(kept(CONF, overrides) is None for overrides in KEPT):
        keep(CONF, {overrides: compose_values(list(overrides)) for overrides in KEPT})


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
    name, without those that are left out and those whose variant of the aligner, or whose pair encoder, is not trained.
    `aligned` gives the corpora that a neural CRF aligns, which is trained before, or the others.
    """
    from hydra.core.config_store import ConfigStore
    from omegaconf import OmegaConf

    systems = _read_systems(CONF / "alignment_system")
    labels = {name: system.pop("printed", None) or {"label": name} for name, system in systems.items()}
    ranks = {name: label.pop("order", math.inf) for name, label in labels.items()}
    store = ConfigStore.instance()
    store.store(name="all", group="alignment_system", node=systems)
    store.store(name="alignment_systems", group="labels", node=labels)

    def systems_with(variants: Any, encoders: Any, left_out: Any) -> Any:
        if unknown := sorted({*left_out} - systems.keys()):
            raise InputError(none_of(f"left_out_systems: {unknown[0]!r} is", systems))
        variant = {name: system["strategy"]["options"].get("variant") for name, system in systems.items()}
        can_run = {
            name: variant[name] in (None, *variants) and _values_of("trained_on", system).issubset(encoders)
            for name, system in systems.items()
        }
        return OmegaConf.create([n for n in sorted(systems, key=ranks.__getitem__) if can_run[n] and n not in left_out])

    def aligned(by_trained: bool, corpora: Any, corpus: Any) -> Any:
        def is_trained(settings: Any) -> bool:
            asked = (settings["system"], settings["own"])
            return any(name and systems[name]["strategy"]["name"] == "crf" for name in asked)

        return OmegaConf.create([name for name in corpora if is_trained(corpus[name]["align"]) is by_trained])

    OmegaConf.register_new_resolver("systems_with", systems_with, replace=True)
    OmegaConf.register_new_resolver("aligned", aligned, replace=True)


def _values_of(key: str, tree: Any) -> set[Any]:
    """What a key names anywhere in a tree."""
    if isinstance(tree, list):
        return set().union(*(_values_of(key, item) for item in tree))
    if not isinstance(tree, dict):
        return set()
    return set().union({tree[key]} if key in tree else (), *(_values_of(key, item) for item in tree.values()))


def _read_systems(folder: Path) -> dict[str, dict[str, Any]]:
    """The alignment systems by name: what `_parts.yaml` says of all of them, and what its own file changes."""
    common = read_yaml(folder / "_parts.yaml")
    trees = {}
    for path in folder_files(folder, "[!_]*.yaml"):
        trees[path.stem] = tree = copy.deepcopy(_merged(common, read_yaml(path) or {}))
        for part in ("similarity", "strategy"):
            if not isinstance(tree, dict) or not isinstance(tree.get(part), dict) or tree[part].get("options") is None:
                raise bad_input(path, None, part, "give it as {name: NAME, options: {}}")
    return trees


class _Builder:
    """Makes what a type says of plain values; keys are for messages."""

    def __init__(self, with_defaults: bool) -> None:
        self.with_defaults = with_defaults

    def build(self, hint: Any, value: Any, key: str) -> Any:
        """A value as the type says, dataclasses and Enums made and their own checks run."""
        if isinstance(value, int | float) and not isinstance(value, bool) and not abs(value) < LARGEST:
            raise KeyFault(key, f"{_shown(value)} is beyond all sense")
        if hint is Any:
            return value
        origin, parts = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.bounded(parts, value, key)
        if origin in (Union, UnionType):
            return self.either(parts, value, key)
        if origin is Literal:
            if value not in parts:
                raise KeyFault(key, f"{_shown(value)} is none of {', '.join(parts)}")
            return value
        if isinstance(hint, type) and is_dataclass(hint):
            return self.made(hint, value, key)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return _member(hint, value, key)
        if origin is list and isinstance(value, list):
            return [self.build(parts[0], item, f"{key}[{number}]") for number, item in enumerate(value)]
        if origin is dict and isinstance(value, dict) and all(isinstance(name, str) for name in value):
            return {name: self.build(parts[1], item, _join(key, name)) for name, item in value.items()}
        if hint is float and type(value) is int:
            return float(value)
        if hint is str and type(value) in (int, float):
            return str(value)
        if type(value) is not hint:
            raise KeyFault(key, f"{_shown(value)} is no {_NAMES.get(origin or hint, 'value of its type')}")
        return value

    def either(self, parts: tuple[Any, ...], value: Any, key: str) -> Any:
        """A value of one of several types: the first that it fits."""
        if value is None and NoneType in parts:
            return None
        *others, last = [part for part in parts if part is not NoneType]
        for part in others:
            with contextlib.suppress(KeyFault):
                return self.build(part, value, key)
        return self.build(last, value, key)

    def bounded(self, parts: tuple[Any, ...], value: Any, key: str) -> Any:
        """A number within the bounds that its type names."""
        number = self.build(parts[0], value, key)
        for bounds in parts[1:]:
            if isinstance(bounds, Bounds) and (what := bounds.fault(number)):
                raise KeyFault(key, what)
        return number

    def made(self, kind: type[T], value: Any, key: str) -> T:
        """A dataclass from a mapping with exactly its fields, or some."""
        if not isinstance(value, Mapping):
            raise KeyFault(key, f"{_shown(value)} is no mapping")
        hints = _hints(cast(Any, kind))
        needed = _needed(cast(Any, kind)) if self.with_defaults else hints
        if missing := [name for name in needed if name not in value]:
            raise KeyFault(_join(key, missing[0]), "missing")
        if unknown := [name for name in value if name not in hints]:
            raise KeyFault(_join(key, str(unknown[0])[:80]), f"unknown; the keys are {', '.join(hints)}")
        return kind(**{name: self.build(hints[name], item, _join(key, name)) for name, item in value.items()})


@functools.cache
def _needed(kind: Any) -> list[str]:
    """The fields without a default."""
    return [row.name for row in fields(kind) if row.default is MISSING and row.default_factory is MISSING]


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _member(kind: type[Enum], value: Any, key: str) -> Enum:
    known = {member.value: member for member in kind}
    if not isinstance(value, str) or value not in known:
        raise KeyFault(key, none_of(f"{_shown(value)} is", known))
    return known[value]


def _shown(value: Any) -> str:
    """A value in a message: whole where it is short."""
    if isinstance(value, dict | list):
        return f"a {_NAMES[type(value)]}"
    return "null" if value is None else quoted(value) if isinstance(value, str) else f"{value!r:.40}"


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
    keep_composed()


if __name__ == "__main__":
    main()
