"""Thin entry points, one verb per file, run by DVC as `python -m stages.NAME`."""

import functools
import inspect
import logging
import os
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textsimp.core.errors import exit_on_bad_input

# Has to stand before torch is imported: threads that wait for each other spin by default, which on a machine with
# other work to do makes two threads several times slower than one.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

HELP = {
    "aligners": "folder of the trained aligners",
    "alignments": "folder of the alignments, NAME.jsonl",
    "all_splits": "folder of the splits of all corpora",
    "audit": "the gold, or another aligner's links, that the stage acquire sets aside",
    "bin": "folder of the binary files of the stage binarize",
    "corpora": "folder of the corpora, or of one",
    "corpus": "a name under `corpus` in params.yaml",
    "corpus_folder": "the corpus's folder",
    "curve": "CSV file of the training curve to write",
    "encoders": "folder of the trained pair encoders",
    "headline": "JSON file of the few numbers for `dvc metrics` to write",
    "labelled": "folder of labelled units, for the classifier of rewriting",
    "metrics": "JSON file of the headline numbers to write",
    "model": "folder of the trained model",
    "models": "folder of the trained aligners and their variants",
    "outputs": "folder of the simplifiers' outputs, TRAINING_SET/SIMPLIFIER/TEST_SET.txt",
    "published": "folder of the published tables, CSV",
    "raw": "folder of the acquired files",
    "results": "JSON file of all results to write",
    "scored": "folder of a trained aligner with the same encoder",
    "splits": "folder of the splits of the corpus, or of all corpora",
    "statistics": "JSON file to write",
    "submissions": "outputs to rank with the released ones",
    "systems": "folders of the trained systems",
    "variant": "a name under `aligner_variant` in params.yaml, whose values count first",
}
"""What arguments are, for those whose name alone does not say it."""


def stage(log: str = "%(name)s: %(message)s") -> Callable[[Callable[..., str | None]], Callable[[], None]]:
    """Make a function the entry point of its module, which `python -m` runs, with its parameters as the arguments.

    Parameters by position are named by their place, those by keyword are options, required unless they have a default.
    Bad input ends it in one line (`exit_on_bad_input`). What it returns is logged.

    Args:
        log: the form of messages; with none, those of libraries are not shown.
    """

    def made(main: Callable[..., str | None]) -> Callable[[], None]:
        name = Path(inspect.getfile(main)).stem

        @exit_on_bad_input
        @functools.wraps(main)
        def run() -> None:
            parser = ArgumentParser(prog=f"python -m stages.{name}", description=main.__globals__["__doc__"])
            for parameter in inspect.signature(main, eval_str=True).parameters.values():
                _add(parser, parameter)
            given = vars(parser.parse_args())
            if log:
                logging.basicConfig(level=logging.INFO, format=log)
            if done := main(**given):
                logging.getLogger(name).info("%s", done)

        if main.__module__ == "__main__":
            run()
        return run

    return made


def _add(parser: ArgumentParser, parameter: inspect.Parameter) -> None:
    name, kind, options = parameter.name, parameter.annotation, dict[str, Any](help=HELP.get(parameter.name))
    if kind not in (str, str | None):
        options["type"] = Path
    if kind == list[Path]:
        options["nargs"] = "+"
    if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
        parser.add_argument(name, **options)
    else:
        parser.add_argument(f"--{name.replace('_', '-')}", required=parameter.default is parameter.empty, **options)
