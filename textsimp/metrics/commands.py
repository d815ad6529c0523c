"""What `textsimp score` does: the scores of one output file, for a user's own texts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textsimp.errors import InputError
from textsimp.metrics.sari import PAPER_MAX_TOKENS
from textsimp.metrics.simplification import (
    EvaluationConfig,
    read_output,
    read_test_set,
    signatures_of,
    system_scores,
    values,
)

_STANDARD_INPUT = Path("/dev/stdin")


def score_files(
    complex_file: str | Path,
    output_file: str | Path,
    reference_files: Sequence[str | Path],
    max_tokens: int | None = PAPER_MAX_TOKENS,
) -> dict[str, Any]:
    """Scores of a system output, one sentence a line in every file.

    Args:
        complex_file: the complex sentences; `-` is standard input, for one of the files.
        output_file: the system's output.
        reference_files: the references, one file at least.
        max_tokens: see `sari_sentence`.

    Returns:
        The scores by name (`sari`, `add`, `keep`, `del`, `sari_corpus`, `sari_corpus_add`, ..., `bleu`, `fk`,
        `len`), `signatures` by metric, `lines` and `references`.

    Raises:
        InputError: a file is absent, empty or no text, or the numbers of lines differ.
    """
    given = [complex_file, output_file, *reference_files]
    if sum(str(path) == "-" for path in given) > 1:
        raise InputError("'-': standard input can be one of the files only; name the others")
    if not reference_files:
        raise InputError("--reference: no file given; SARI and BLEU need one reference at least")
    paths = [_STANDARD_INPUT if str(path) == "-" else Path(path) for path in given]
    test = read_test_set(paths[0], paths[2:])
    config = EvaluationConfig(max_tokens=max_tokens)
    scores = system_scores(test.complex, read_output(paths[1], test), test.references, config)
    return {
        **values(scores),
        "signatures": signatures_of(scores),
        "lines": len(test.complex),
        "references": len(test.references),
    }
