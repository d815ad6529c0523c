"""Document pairs whose paragraphs people aligned, for tests of paragraph aligners (F1)."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.errors import InputError
from textsimp.records import DocumentPair
from textsimp.sources.onestop_blocks import block_pairs
from textsimp.sources.onestop_english import read_onestop_english
from textsimp.sources.onestop_qa import AlignedParagraphs, ParagraphPair, paragraph_pairs, read_onestop_qa
from textsimp.sources.unlabelled import ONESTOP_ENGLISH

ONESTOP_QA = Path("onestop_qa")


@dataclass(frozen=True)
class ParagraphGoldConfig:
    """`corpus.NAME.paragraphs` in params.yaml: OneStopQA's paragraphs, and where they are in OneStopEnglish.

    share: how much of the vocabulary of a paragraph of OneStopEnglish its block must have, from 0 to 1.
    dev: on so many articles thresholds are tuned; the others are the test set.
    seed: of the draw.
    """

    share: float
    dev: int
    seed: int


def read_paragraph_gold(
    raw: Path, corpus: str, config: ParagraphGoldConfig
) -> dict[str, dict[str, list[ParagraphPair]]]:
    """Document pairs with gold paragraphs, by test set and split (`dev`, `test`); no article is in both splits.

    `merged`: OneStopQA's own articles, where every paragraph has one partner. `original`: the same articles in
    OneStopEnglish (`onestop_blocks`), where several paragraphs make one of OneStopQA's, and some are in none.

    Raises:
        InputError: a release is absent or bad, or has too few articles.
    """
    articles = read_onestop_qa(raw / ONESTOP_QA)
    if not 0 < config.dev < len(articles):
        what = f"{config.dev} of {len(articles)} articles leave none for dev or for test"
        raise InputError(f"corpus.{corpus}.paragraphs.dev: {what}; correct it under conf/corpus")
    original = read_onestop_english(raw / ONESTOP_ENGLISH, corpus).pairs
    found: dict[str, dict[str, list[ParagraphPair]]] = {name: {} for name in ("merged", "original")}
    drawn = random.Random(config.seed).sample(articles, len(articles))
    for split, chosen in (("dev", drawn[: config.dev]), ("test", drawn[config.dev :])):
        chosen = sorted(chosen, key=lambda article: article.slug)
        found["merged"][split] = list(paragraph_pairs(chosen, corpus))
        found["original"][split] = _original(original, chosen, config.share)
    return found


def _original(
    pairs: Sequence[DocumentPair], articles: Sequence[AlignedParagraphs], share: float
) -> list[ParagraphPair]:
    return [ParagraphPair(block.pair, block.links()) for block in block_pairs(pairs, articles, share)]
