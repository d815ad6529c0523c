"""What the tests of EditNTS share: a small configuration and random sentences."""

import random
from typing import Any

from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts.edit_examples import TAGS, Example
from textsimp.simplification.editnts.programs import Vocabulary, edit_program

WORDS: dict[str, Any] = {"min_frequency": 1, "min_add_frequency": 1, "max_words": 1000, "max_length": 40}
SIZES: dict[str, Any] = {"embeddings": None, "embedding_size": 24, "tag_size": 4, "hidden_size": 24, "tagger": "spacy"}
TRAINING: dict[str, Any] = {"dropout": 0.1, "word_dropout": 0.1, "learning_rate": 0.01, "weight_decay": 0.0}
TRAINING |= {"clip_norm": 1.0, "batch_size": 4, "max_updates": 1000, "max_epochs": 3, "patience": 0}
LOSS: dict[str, Any] = {"balance": 0.5, "keep_weight": 1.0, "delete_weight": 1.0, "add_weight": 1.0}
LOSS |= {"selection": "sari", "precision": "fp32"}
CONFIG = EditNtsConfig("editnts", 3, **WORDS, **SIZES, **TRAINING, **LOSS, max_added_run=4)


def random_vocabulary() -> Vocabulary:
    words = tuple(f"w{number}" for number in range(12))
    return Vocabulary(words, words, addable=8)


def random_examples(count: int, seed: int) -> list[Example]:
    """Random sentences with the programs between them; some ADDs of words that may not be added."""
    source, vocabulary = random.Random(seed), random_vocabulary()
    examples = []
    for _ in range(count):
        sides = [source.choices((*vocabulary.words, "unheard"), k=source.randint(1, 9)) for _ in range(2)]
        tags = [source.randrange(len(TAGS)) for _ in sides[0]]
        edits = vocabulary.edit_numbers(edit_program(*sides))
        examples.append(Example(vocabulary.word_numbers(sides[0]), tags, edits))
    return examples
