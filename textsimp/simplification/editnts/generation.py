"""Greedy generation: the programmer predicts an edit, the interpreter executes it, until STOP."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import torch
from torch import Tensor

from textsimp.core.resumable import load_tensors, load_weights
from textsimp.core.settings import read_as
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts.edit_examples import Example, Tagger, encode, load_tagger
from textsimp.simplification.editnts.model import Batch, EditNts, Memory, make_batches, reads, writes
from textsimp.simplification.editnts.programs import (
    DELETE,
    FIRST_WORD,
    KEEP,
    PAD,
    START,
    STOP,
    UNKNOWN,
    Vocabulary,
    execute,
    load_vocabulary,
)
from textsimp.simplification.interface import Hypothesis, Runtime, stored_config
from textsimp.simplification.spacing import capitalise, detokenise, is_tokenised, sentence_starts, tokenise

WEIGHTS, TAGGER = "model.safetensors", "tagger.json"  # files of a model folder
_BATCH_SIZE = 64
_MARKS = (".", ",", ";", ":", "!", "?", ")")


@dataclass(frozen=True)
class TrainedEditNts:
    """EditNTS in memory. It gives one hypothesis a sentence, whatever `n_best` is: generation is greedy."""

    network: EditNts
    vocabulary: Vocabulary
    tagger: Tagger
    max_added_run: int

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; the score is the mean over the edits."""
        words = [tokenise(sentence) for sentence in sentences]
        examples = [encode(row, self.vocabulary, self.tagger) for row in words]
        programs = predict_programs(self.network, examples, self.max_added_run)
        return [
            [Hypothesis(write_output(sentence, source, program, self.vocabulary), score)]
            for sentence, source, (program, score) in zip(sentences, words, programs, strict=True)
        ]


def load(folder: Path, runtime: Runtime) -> TrainedEditNts:
    """Load a model folder, on the device of `runtime`.

    Raises:
        InputError: a file is damaged, or of another vocabulary or configuration than those beside it.
    """
    torch.set_num_threads(runtime.threads)
    config, vocabulary = stored_config(folder, EditNtsConfig), load_vocabulary(folder / "vocabulary.txt")
    network, path = EditNts(vocabulary, config), folder / WEIGHTS
    load_weights(network, load_tensors(path), path)
    tagger = load_tagger(read_as(folder / TAGGER, dict[str, str])["tagger"])
    return TrainedEditNts(network.to(runtime.device), vocabulary, tagger, config.max_added_run)


def predict_programs(model: EditNts, examples: Sequence[Example], max_added_run: int) -> list[tuple[list[int], float]]:
    """Return the edit numbers that the model predicts for each example, and their mean log probability."""
    device = str(next(model.parameters()).device)
    programs: list[tuple[list[int], float]] = [([], 0.0)] * len(examples)
    model.eval()
    with torch.inference_mode():
        for batch in make_batches(examples, _BATCH_SIZE, device):
            steps, scores = greedy(model, batch, max_added_run)
            for row, edits, score in zip(batch.rows, steps.tolist(), scores.tolist(), strict=True):
                programs[row] = ([edit for edit in edits if edit != PAD], score)
    return programs


def greedy(model: EditNts, batch: Batch, max_added_run: int) -> tuple[Tensor, Tensor]:
    """Return the likeliest edits that can be executed, padded after STOP, and their mean log probability.

    Shape: (B, T), (B,).
    """
    memory = model.encode(batch.complex, batch.tags)
    pointer = torch.zeros_like(batch.complex[:, :1])  # (B, 1)
    run = torch.zeros_like(pointer)
    edit = torch.full_like(pointer, START)
    programmer, interpreter = memory.first, memory.first
    interpreted, interpreter = model.interpreter(model.embedding(edit), interpreter)  # (B, 1, D)
    program: list[Tensor] = []
    total = torch.zeros_like(pointer, dtype=torch.float)
    while not program or bool((edit != PAD).any()):
        programmed, programmer = model.programmer(model.embedding(edit), programmer)  # (B, 1, D)
        scores = model.predict(memory, programmed, interpreted, pointer)[:, 0]  # (B, V)
        scores = scores.masked_fill(impossible(scores, memory, pointer, run >= max_added_run), -torch.inf)
        score, chosen = scores.max(-1, keepdim=True)  # (B, 1)
        over = (edit == STOP) | (edit == PAD)
        edit = chosen.masked_fill(over, PAD)
        total = total + score.masked_fill(over, 0)
        program.append(edit)
        word = torch.where(edit == KEEP, batch.complex.gather(1, pointer), edit)
        new_interpreted, new_interpreter = model.interpreter(model.embedding(word), interpreter)
        wrote = writes(edit)  # (B, 1)
        interpreted = torch.where(wrote[..., None], new_interpreted, interpreted)
        hidden, cell = (torch.where(wrote[None], *pair) for pair in zip(new_interpreter, interpreter, strict=True))
        interpreter = (hidden, cell)  # (1, B, D) both
        run = torch.where(edit > STOP, run + 1, 0)
        pointer = pointer + reads(edit).long()
    steps = torch.cat(program, dim=1)  # (B, T)
    return steps, total[:, 0] / (steps != PAD).sum(1)


def impossible(scores: Tensor, memory: Memory, pointer: Tensor, run_is_full: Tensor) -> Tensor:
    """Mark symbols that are no edit, KEEP and DELETE after the last word, ADD in too long a run. Shape: (B, V)."""
    impossible = torch.zeros_like(scores, dtype=torch.bool)
    impossible[:, [PAD, UNKNOWN, START]] = True
    exhausted = memory.complex.gather(1, pointer) == STOP  # (B, 1)
    impossible[:, [KEEP, DELETE]] |= exhausted
    impossible[:, FIRST_WORD:] |= run_is_full
    return impossible


def without_stray_commas(words: Sequence[str]) -> list[str]:
    """Drop a comma that a deletion left in front of another mark: `he left , .`"""
    return [word for word, after in pairwise([*words, ""]) if word != "," or after not in _MARKS]


def write_output(text: str, source: Sequence[str], program: Sequence[int], vocabulary: Vocabulary) -> str:
    """Execute a program on the words of a text in their own case, and join the result as the text does.

    A program that leaves no word is not executed: a lone full stop simplifies nothing. Nor is one for an empty line.
    """
    edits = [edit if edit < FIRST_WORD else vocabulary.written[edit - FIRST_WORD] for edit in program]
    words = without_stray_commas(execute(vocabulary.in_sentence(source), edits))
    if not source or not any(word[:1].isalnum() for word in words):
        return text
    starts = sentence_starts(source)
    if starts and source[starts[0]][:1].isupper():
        words = capitalise(words)
    return detokenise(words, spaced=is_tokenised(text))
