"""Mutations of a command's options and arguments."""

import inspect
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, get_args

import typer

from fuzzing.places import Run
from textsimp.cli.app import app

_NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "1000000000000",
    "9223372036854775808",
    "-9223372036854775809",
    "1" + "0" * 5000,
    "NaN",
    "1e3",
    "",
)
_WORDS = (
    "",
    " ",
    "nobody",
    "x" * 5000,
    "a\nb",
    "\t",
    "../..",
    "-",
    "--",
    "ümläut",
    "\udcff",
    "'",
    "None",
    "all",
    "0",
    "*",
    "{",
    "${a}",
)
_CHOICES = (
    *("jaccard", "tfidf", "neural_crf", "hmm", "turk", "asset", "treebank", "released", "english", "none"),
    *("wikidata", "title", "langlink", "newsela", "wiki", "sari", "bleu", "ray"),
)
_SKIPPED = {
    "address",
    "shard_size",
    "workers",
    "mirror",
    "encoder",
    "install_completion",
    "show_completion",
    "help",
    "name",
}
"""They reach for the network, or start processes."""


def commands(group: Any = None, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every command of `textsimp` by its name, sub-commands too."""
    group = group or typer.main.get_command(app)
    for name, command in getattr(group, "commands", {}).items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def option_edit(draw: Random, run: Run, name: str) -> Run | None:
    """Another value for one or two options, or arguments that are left out, doubled or exchanged."""
    command = dict(commands()).get(name)
    if command is None:
        return None
    words = list(run.arguments)
    head = 1 + len(name.split())
    if draw.random() < 0.15:
        place, other = draw.randrange(head, len(words)), draw.randrange(head, len(words))
        kind = draw.randrange(3)
        if kind == 0:
            del words[place]
        elif kind == 1:
            words.insert(other, words[place])
        else:
            words[place], words[other] = words[other], words[place]
        return replace(run, arguments=tuple(words), is_usage=True)
    hints = inspect.get_annotations(inspect.unwrap(command.callback), eval_str=True)
    options = [item for item in command.params if item.param_type_name == "option" and item.name not in _SKIPPED]
    options = [item for item in options if item.name in hints and "Path" not in str(hints[item.name])]
    for option in draw.sample(options, min(len(options), draw.choice([1, 1, 2]))):
        flag = draw.choice([*option.opts, *option.secondary_opts])
        if option.is_flag:
            words.append(flag)
        else:
            is_number = "int" in str(get_args(hints[option.name])[0])
            value = draw.choice(_NUMBERS if is_number else (*_WORDS, *_CHOICES, *_CHOICES))
            words += [flag, value] if draw.random() < 0.7 else [f"{flag}={value}"]
    return replace(run, arguments=tuple(words), is_usage=True)
