"""A tiny BERT and a few labelled document pairs of our own, for the aligner's tests."""

import functools
import json
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
from joblib.externals.loky.backend.reduction import dumps
from numpy.typing import NDArray
from scipy.special import softmax

from textsimp.alignment.neural.aligner_settings import (
    AlignerConfig,
    Decoding,
    Device,
    EmissionConfig,
    ParagraphConfig,
    TransitionConfig,
)
from textsimp.alignment.neural.paragraphs import ParagraphThresholds
from textsimp.core.params import from_conf
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link

_NOUNS = ["otter", "heron", "badger", "marten", "vole", "stoat", "newt", "adder", "finch", "plover"]
_VERBS = ["swims", "sleeps", "hunts", "waits", "climbs"]
_PLACES = ["river", "meadow", "forest", "quarry", "harbour"]
_FILLERS = ["the", "a", "quickly", "near", "old", "which", "often", ",", ".", "said", "that", "every"]
Matrix = NDArray[np.float64]
RUNTIME = Device(device="cpu", threads=1, batch=16, checkpoint_steps=3)


def elsewhere(make: Callable[[], Any], tasks: Iterable[Any], workers: int, environment: object = None) -> Iterator[Any]:
    """`pool.run` without its processes: what travels is pickled, and tasks are done in another order."""

    def travelled(thing: Any) -> Any:
        return pickle.loads(dumps(thing))

    work = travelled(make)()
    for task in reversed(list(tasks)):
        yield task, travelled(work(travelled(task)))


def write_bert(
    folder: Path, hidden: int = 32, words: Iterable[str] = (*_NOUNS, *_VERBS, *_PLACES, *_FILLERS), spread: float = 0.0
) -> Path:
    """A random BERT of two layers with these words, as `from_pretrained` reads it; `spread`: of what is added to it."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    BertTokenizer(vocab=str(folder / "vocab.txt"), do_lower_case=True).save_pretrained(folder)
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=hidden,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=2 * hidden,
        max_position_embeddings=64,
    )
    model = BertModel(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * spread)
    model.save_pretrained(folder)
    return folder


def document_pair(number: int) -> DocumentPair:
    """Six complex sentences in three paragraphs; the simple side drops one, splits one and renders the others."""
    facts = [(_NOUNS[(number + k) % 10], _VERBS[(2 * number + k) % 5], _PLACES[(3 * number + k) % 5]) for k in range(6)]
    complex_ = [f"The old {n} often {v} near the {p} , every {p} said ." for n, v, p in facts]
    simple = [f"The {n} {v} near the {p} ." for n, v, p in facts[:4]]
    simple += [f"The {facts[5][0]} {facts[5][1]} .", f"The {facts[5][0]} often near the {facts[5][2]} ."]
    links = [Link(k, k, AlignmentLabel.ALIGNED) for k in range(4)]
    links += [Link(4, 5, AlignmentLabel.PARTIAL), Link(5, 5, AlignmentLabel.PARTIAL)]
    sides = [
        Document(f"{name}-{number}", level, tuple(tuple(text[k : k + 2]) for k in range(0, 6, 2)))
        for name, level, text in (("c", 0, complex_), ("s", 1, simple))
    ]
    return DocumentPair(f"pair-{number}", "tiny", f"set-{number}", *sides, tuple(links))


def edited(path: Path, name: str, value: object = None) -> None:
    """Set what a JSON file has under a dotted name; without a value it is deleted."""
    stored = json.loads(path.read_text())
    *above, last = name.split(".")
    owner = functools.reduce(dict.__getitem__, above, stored)
    owner.pop(last) if value is None else owner.update({last: value})
    path.write_text(json.dumps(stored))


def path_scores(emissions: Matrix, transitions: Matrix) -> dict[tuple[int, ...], float]:
    """Psi of every alignment, from the definition (equation 2). Shapes: (S, K), (K, K)."""
    emission, transition = emissions.tolist(), transitions.tolist()
    return {
        path: sum(emission[i][a] for i, a in enumerate(path)) + sum(transition[a][b] for a, b in pairwise(path))
        for path in product(range(len(transition)), repeat=len(emission))
    }


def path_posteriors(scores: dict[tuple[int, ...], float], states: int) -> Matrix:
    """P(a_i = a) from the scores of all alignments. Shape: (S, K)."""
    marginals = np.zeros((len(next(iter(scores))), states))
    for path, share in zip(scores, softmax(list(scores.values())), strict=True):
        marginals[range(len(path)), path] += share
    return marginals


def aligner_config(encoder: Path, **changes: Any) -> AlignerConfig:
    """Small numbers for everything; `changes` replace values of the encoder."""
    config = from_conf("aligner", AlignerConfig)
    sizes: dict[str, Any] = {"max_length": 48, "learning_rate": 1e-3, "batch_size": 8, "weight_decay": 0.0, "seed": 5}
    sizes |= {"epochs": 2, "max_steps": 8, "negatives": 2.0, "evaluations": 2, "dev_pairs": 50}
    crf: dict[str, Any] = {"decoding": Decoding.POSTERIOR, "aligned_one_to_one": True, "training_pairs": 4, "seed": 5}
    crf |= {"learning_rate": 0.05, "epochs": 8, "batch_size": 2, "evaluations": 4, "paragraphs": "predicted"}
    thresholds = ParagraphThresholds(0.5, 0.5, 0.9, 0.8, 0.5)
    return replace(
        config,
        encoder=replace(config.encoder, name=str(encoder), **{**sizes, **changes}),
        candidates=3,
        emission=EmissionConfig(["encoder", "sentence", "lexical", "position"], 8),
        crf=replace(config.crf, transition=TransitionConfig(4, "tanh", 10, 5.0, False, 0), **crf),
        paragraphs=ParagraphConfig(True, 2.0, thresholds, thresholds),
    )
