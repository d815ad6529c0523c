"""TURK: `{tune,test}.8turkers.tok.norm` and `.turk.N`, lower-case Penn Treebank tokens, line-aligned (F1)."""

from pathlib import Path

from textsimp.sources.references import MultiReference, read_references

SPLITS = ("tune", "test")


def read_turk(folder: str | Path, split: str) -> list[MultiReference]:
    """The sentences of one split (`tune` or `test`) with their eight references, in the order of the files.

    The text is left as it is: lower-case tokens, `-lrb-` for brackets.

    Raises:
        InputError: a file is absent, damaged, or has another number of lines than the sentences.
    """
    return read_references(Path(folder) / f"{split}.8turkers.tok.norm", f"{split}.8turkers.tok.turk.")
