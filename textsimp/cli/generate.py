"""The command `textsimp generate`: article pairs of an invented world, with gold links."""

from pathlib import Path
from typing import Annotated

import typer

from textsimp.cli.command import Writes, command
from textsimp.core.records import write_pairs
from textsimp.sources.generated.articles import GeneratorConfig, generate


@command
def generate_articles(
    output: Annotated[
        Path, typer.Argument(help="File to write: document pairs with gold links (JSON Lines)."), Writes()
    ],
    articles: Annotated[int, typer.Option(min=1, max=8000, help="Number of article pairs.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Another seed, another world.")] = 1,
) -> str:
    """Write graded article pairs of an invented world: a miniature for trials of scale, no stand-in for real text."""
    pairs, _ = generate(GeneratorConfig(articles=articles, dev_sentences=1, test_sentences=1, seed=seed))
    write_pairs(output, pairs)
    return f"{output}: {len(pairs):,} article pairs, {sum(len(pair.alignments or ()) for pair in pairs):,} gold links"
