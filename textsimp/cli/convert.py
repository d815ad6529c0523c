"""The command `textsimp convert`: aligned documents from one format into another."""

from textsimp.cli.aligned_files import NUMBERED, AlignedInputs, AlignedLines, read_aligned
from textsimp.cli.alignment import Form, Join, MinProbability, Output, Page
from textsimp.cli.command import command
from textsimp.cli.outputs import Target
from textsimp.cli.texts import Language
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE


@command
def convert(
    inputs: AlignedInputs,
    output: Output,
    form: Form = None,
    join: Join = "simple",
    html: Page = None,
    min_probability: MinProbability = None,
    language: Language = DEFAULT_LANGUAGE,
    lines: AlignedLines = NUMBERED,
) -> str:
    """Write aligned documents in another format, nothing aligned anew; ladders and index lists need their texts."""
    target = Target.chosen(output, form, join, html, min_probability, None)
    target.write(read_aligned(inputs, language, lines))
    return target.summary
