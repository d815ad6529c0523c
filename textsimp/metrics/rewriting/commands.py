"""What `textsimp rewriting` does: kinds of rewriting in system outputs, for a user's own texts (F1)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, bad_input
from textsimp.metrics.resampling import Resampling
from textsimp.metrics.rewriting.classes import RewritingConfig
from textsimp.metrics.rewriting.distribution import compare, rewritings, signature
from textsimp.metrics.rewriting.pairs import unit_aligner, units_of
from textsimp.textfiles import read_aligned


def rewriting_files(
    complex_file: Path,
    outputs: Mapping[str, Path],
    language: str = "english",
    resampling: Resampling | None = None,
) -> dict[str, Any]:
    """Kinds of rewriting in line-aligned files; a line of a simple file may hold several sentences.

    Args:
        complex_file: the complex sentences, one a line.
        outputs: by name, system outputs or the simple side of a corpus; one at least.
        language: a name of `languages.LANGUAGES`.
        resampling: for the intervals; 1000 samples by default.

    Returns:
        What `compare` gives, `units` and the `signature`.

    Raises:
        InputError: a file is absent or empty, the numbers of lines differ, a complex line is blank, or the language is
            unknown.
    """
    aligner, config = unit_aligner(language), RewritingConfig()
    systems = {}
    for name, path in outputs.items():
        rows = read_aligned([complex_file, path])
        if not rows:
            raise bad_input(complex_file, None, "no sentence in it", "give a file with a sentence a line")
        blank = next((number for number, row in enumerate(rows, 1) if not row[0].strip()), None)
        if blank is not None:
            raise bad_input(complex_file, blank, "a blank line", "remove it from this file and from the outputs")
        systems[name] = rewritings(units_of([a for a, _ in rows], [b for _, b in rows]), aligner, config)
    return {
        **compare(systems, resampling or Resampling(1000, 1)),
        "units": len(rows),
        "signature": str(signature(language, config)),
    }


def named_files(values: Sequence[str]) -> dict[str, Path]:
    """`NAME=FILE` values by name; `InputError` for one without a name or a file, and for a name given twice."""
    found: dict[str, Path] = {}
    for value in values:
        name, mark, path = value.partition("=")
        if not (mark and name.strip() and path.strip()):
            raise InputError(f"--output {value!r}: expected NAME=FILE; give the output a name, as in mine=out.txt")
        if name in found:
            raise InputError(f"--output {value!r}: the name {name!r} is given twice; names part the systems")
        found[name] = Path(path)
    if not found:
        raise InputError("--output: no file given; name one at least, as in mine=out.txt")
    return found
