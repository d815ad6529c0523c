"""The one road for configuration: `params.yaml` into frozen dataclasses, and its composition from `conf/`.

Stages read only `params.yaml`. `python -m textsimp.core.params [OVERRIDE ...]` composes it again from `conf/` with
Hydra; this is the only place of the package that imports Hydra, and only when it composes.
"""

import functools
import math
import re
import sys
from pathlib import Path
from typing import Any, TypeVar, cast

import yaml

from textsimp.core.errors import InputError, bad_input, exit_on_bad_input, none_of, one_line
from textsimp.core.reading import folder_files, read_text
from textsimp.core.settings import KeyFault, shown, structured
from textsimp.core.writing import atomic_write

T = TypeVar("T")
PARAMS = Path("params.yaml")
_PACKAGE = Path(__file__).resolve().parents[1]
# folder of `conf` and `data/published`: the checkout, or the installed package, which carries copies (setup.py)
SHIPPED = _PACKAGE if (_PACKAGE / "conf").is_dir() else _PACKAGE.parent
# columns of a line of params.yaml, and by how many each level of the YAML is moved to the right
WIDTH, INDENT = 118, 2
CONF = SHIPPED / "conf"
_REMEDY = "correct it under conf/ and run `make params`"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# the others, where a tag does not fit its text, or there is no end of brackets
_NO_YAML = yaml.YAMLError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError


class _WithoutAliases(yaml.SafeLoader):
    """YAML of a user: a few aliases can spell more than any memory."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "an alias", self.peek_event().start_mark)
        return super().compose_node(parent, index)


def load_params(section: str, kind: type[T], path: str | Path = PARAMS, changes: str | None = None) -> T:
    """Read one section of params.yaml as an instance of the frozen dataclass `kind`.

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
    return _checked(node, section, kind, path, _REMEDY)


def read_settings(path: str | Path, kind: type[T]) -> T:
    """Read the settings file of a part that has its own as an instance of `kind`; errors as of `load_params`."""
    return _checked(read_yaml(path, _WithoutAliases), "", kind, path, "correct the key")


def from_conf(section: str, kind: type[T], *overrides: str) -> T:
    """Return one section of what `conf/` composes, with Hydra's overrides, for commands outside the pipeline."""
    return _checked(_select(_defaults(section, overrides), section, CONF), section, kind, CONF, _REMEDY)


def names_from_conf(section: str) -> list[str]:
    """Return the sorted keys of a section of what `conf/` composes by default."""
    return sorted(map(str, _select(_defaults(section, ()), section, CONF)))


def _defaults(section: str, overrides: tuple[str, ...]) -> Any:
    """Return what `conf/` composes, or only the group of a section where one file has it: Hydra takes a second."""
    group = section.partition(".")[0]
    alone = None if overrides else _group(CONF, group)
    return _composed(CONF, overrides) if alone is None else {group: alone}


@functools.cache
def _group(conf: Path, group: str) -> Any:
    """Return the values of a group that needs no composition; None of another one."""
    if group == "alignment_system":
        systems = _by_name(conf / group).items()
        return {name: {key: part for key, part in system.items() if key != "printed"} for name, system in systems}
    defaults = {
        key: name for row in read_yaml(conf / "config.yaml")["defaults"] if row != "_self_" for key, name in row.items()
    }
    path = conf / group / f"{defaults.get(group)}.yaml"
    if not path.is_file() or re.search(r"^defaults:|\$\{", read_text(path), re.MULTILINE):
        return None
    return read_yaml(path)


@functools.cache
def _composed(conf: Path, overrides: tuple[str, ...]) -> Any:
    return compose_values(list(overrides))


def read_yaml(path: str | Path, loader: Any = _LOADER) -> Any:
    """Read a YAML file; raise `InputError` with the line where it is none."""
    return _parsed(read_text(path), path, "correct the file", loader)


def _parsed(text: str, path: str | Path, remedy: str, loader: Any = _LOADER) -> Any:
    try:
        return yaml.load(text, loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, what = mark.line + 1 if mark else None, error.problem or error.context
    except _NO_YAML as error:
        line, what = None, one_line(error)[:200]
    raise bad_input(path, line, f"not YAML ({what})", remedy)


def select(section: str, path: str | Path = PARAMS) -> Any:
    """Return one section of params.yaml as plain values, not to be changed; raise `InputError` where it is absent."""
    return _select(_tree(read_text(path), path), section, path)


@functools.cache
def _tree(text: str, path: str | Path) -> Any:
    """Parse YAML once: a stage may read many sections."""
    return _parsed(text, path, "run `make params` to write it again")


def _checked(node: Any, section: str, kind: type[T], path: str | Path, remedy: str) -> T:
    """Return a node as an instance of `kind`; raise `InputError` with the file and the key that does not fit."""
    try:
        return structured(node, kind)
    except KeyFault as fault:
        whole = KeyFault(".".join(filter(None, (section, fault.key))), fault.what)
        raise bad_input(path, None, str(whole), remedy) from None
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
    """Return a value with changes: mappings key by key, everything else as a whole."""
    if not (isinstance(value, dict) and isinstance(changes, dict)):
        return changes
    return value | {key: _merged(value.get(key), item) for key, item in changes.items()}


def select_list(section: str, path: str | Path = PARAMS) -> list[str]:
    """Return a list of names in params.yaml, such as `corpora`."""
    value = select(section, path)
    if not isinstance(value, list):
        raise bad_input(path, None, f"{section}: {shown(value)} is no list", _REMEDY)
    return [str(item) for item in value]


def compose(overrides: list[str]) -> str:
    """Return the text of params.yaml that `conf/` and Hydra's overrides give, every interpolation resolved."""
    from omegaconf import OmegaConf

    return compact(OmegaConf.to_yaml(OmegaConf.create(compose_values(overrides))))


def compose_values(overrides: list[str]) -> dict[str, Any]:
    """Return the values of the text that `compose` gives."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException, OverrideParseException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    offer_named()
    try:
        with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
            config = hydra_compose(config_name="config", overrides=list(map(_at_home, overrides)))
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


def compact(text: str) -> str:
    """Return the same YAML in flow style where plain values are listed or all fits on one line."""
    root = cast(yaml.MappingNode, yaml.compose(text, yaml.SafeLoader))
    for _, value in root.value:
        _flow(value, WIDTH)
    return yaml.serialize(root, Dumper=yaml.SafeDumper, width=WIDTH, allow_unicode=True)


def _flow(node: yaml.Node, room: int) -> int:
    """Put a node on one line if it fits into `room` columns; return the columns that it would take."""
    if not isinstance(node, yaml.CollectionNode):
        return len(node.value) + 2
    children = [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]
    size = 2 + sum(2 + _flow(child, room - INDENT) for child in children)
    node.flow_style = size <= room or not any(isinstance(child, yaml.CollectionNode) for child in children)
    return size


def offer_named() -> None:
    """Offer Hydra what stands in conf/ by name, several in a file: alignment systems, and releases for `sources`.

    `alignment_system: all` is what every system computes with, and `labels: alignment_systems` what it is printed as
    (its key `printed`), in a section of their own, so that no computing stage depends on a name. The resolver
    `systems_with` gives the default of `alignment_systems`: every system, in the order of `printed.order` and then by
    name, without those that are left out and those whose variant of the aligner, or whose pair encoder, is not trained.
    `aligned` gives the corpora that a neural CRF aligns, which is trained before, or the others.
    """
    from hydra.core.config_store import ConfigStore
    from omegaconf import OmegaConf

    systems = _by_name(CONF / "alignment_system")
    labels = {name: system.pop("printed", None) or {"label": name} for name, system in systems.items()}
    ranks = {name: label.pop("order", math.inf) for name, label in labels.items()}
    store = ConfigStore.instance()
    store.store(name="all", group="alignment_system", node=systems)
    store.store(name="alignment_systems", group="labels", node=labels)
    for name, release in _by_name(CONF / "sources" / "releases").items():
        store.store(name=name, group="sources", node={"releases": {name: release}})

    def systems_with(variants: Any, encoders: Any, left_out: Any) -> Any:
        if unknown := sorted({*left_out} - systems.keys()):
            raise InputError(none_of(f"left_out_systems: {unknown[0]!r} is", systems))
        there = {"variant": {None, *variants}, "trained_on": {*encoders}}
        can_run = {n for n in systems if all(_values_of(key, systems[n]) <= there[key] for key in there)}
        return OmegaConf.create(sorted(can_run - {*left_out}, key=lambda name: (ranks[name], name)))

    def aligned(by_trained: bool, corpora: Any, corpus: Any) -> Any:
        def is_trained(settings: Any) -> bool:
            asked = (settings["system"], settings["own"])
            return any(name and systems[name]["strategy"]["name"] == "crf" for name in asked)

        return OmegaConf.create([name for name in corpora if is_trained(corpus[name]["align"]) is by_trained])

    OmegaConf.register_new_resolver("systems_with", systems_with, replace=True)
    OmegaConf.register_new_resolver("aligned", aligned, replace=True)


def _values_of(key: str, tree: Any) -> set[Any]:
    """Return what a key names anywhere in a tree."""
    here = {tree[key]} if isinstance(tree, dict) and key in tree else set()
    below = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return here.union(*(_values_of(key, item) for item in below))


def _by_name(folder: Path) -> dict[str, dict[str, Any]]:
    """Return, sorted, what the files of a folder say of each name, beside what `_parts.yaml` says of all of them."""
    common = read_yaml(parts) if (parts := folder / "_parts.yaml").is_file() else {}
    found: dict[str, dict[str, Any]] = {}
    for path in folder_files(folder, "[!_]*.yaml"):
        named = _checked(read_yaml(path) or {}, "", dict[str, dict[str, Any]], path, "write NAME: {KEY: VALUE}")
        if again := sorted(named.keys() & found.keys()):
            raise bad_input(path, None, f"{again[0]}: another file has it, too", "give it another name")
        found |= {name: _merged(common, said) for name, said in named.items()}
    return dict(sorted(found.items()))


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
