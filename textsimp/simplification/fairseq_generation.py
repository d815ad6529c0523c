"""Generation with a model that fairseq trained: its beam search over sentences in memory.

A model folder has the weights, the network that they are of, and fairseq's two dictionaries. Fairseq is shown a network
and a task of ours, whatever the file of weights says: it evaluates some settings of a checkpoint as Python. Training
runs in a process of its own (see `fairseq_tools`); this here runs in the caller's, so that a model is loaded once for
any number of sentences.
"""

import argparse
import copy
import logging
import pickle
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from textsimp.core.batches import length_batches
from textsimp.core.errors import bad_input
from textsimp.core.records import SIDES
from textsimp.core.settings import read_as
from textsimp.simplification.fairseq_corpus import Shortlist
from textsimp.simplification.fairseq_tools import MODEL, PLUGIN, SHORTLIST, SearchConfig, no_statistics, read_network
from textsimp.simplification.interface import REMEDY, Hypothesis, Runtime, out_of_memory


@dataclass(frozen=True)
class Generated:
    """One generated sentence.

    `score` is the mean log probability (natural) of its tokens and its end. `attended` maps a position of `tokens` to
    the source position that it attends to most; empty where the model attends in several layers.
    """

    tokens: tuple[str, ...]
    score: float
    attended: Mapping[int, int]


class Generator:
    """A trained model and its search.

    Args:
        folder: with the checkpoint and the dictionaries.
        of_words: whether symbols are words, so that attention finds what stands for unknown ones; pieces spell any
            word, so that the unknown symbol is never an answer.
        groups: of the same size, of which the beam is made; -1: none. A word that earlier ones chose at this place
            costs `diversity` of its log probability, and more the longer they have agreed (Vijayakumar et al. 2018,
            with fairseq's cumulative penalty).
    """

    def __init__(
        self,
        folder: Path,
        search: SearchConfig,
        runtime: Runtime,
        of_words: bool,
        groups: int = -1,
        diversity: float = 0.0,
    ) -> None:
        import torch

        torch.set_num_threads(runtime.threads)
        self._task, self._model = load_trained(folder)
        self._model.to(runtime.device).eval()
        self._search, self._device, self._of_words = search, runtime.device, of_words
        self._groups, self._diversity = groups, diversity
        self._shortlist = read_as(folder / SHORTLIST, Shortlist) if search.common else None

    def __call__(self, rows: Sequence[Sequence[str]], n_best: int = 1) -> list[list[Generated]]:
        """Return the `n_best` sentences, best first, for each row of symbols.

        A wider beam than the configuration's is used where more answers are wanted, and where copies are avoided all
        of the beam are answered.
        """
        import torch
        from fairseq import utils

        dictionary = self._task.source_dictionary  # unknown symbols are the unknown word
        numbers = [torch.tensor([*map(dictionary.index, row), dictionary.eos()]) for row in rows]
        dataset = self._task.build_dataset_for_inference(numbers, [len(row) for row in numbers])
        n_best = max(n_best, self._search.beam) if self._search.copy_margin else n_best
        generator = self._task.build_generator([self._model], self._options(n_best))
        generated: list[list[Generated]] = [[] for _ in rows]
        with torch.inference_mode(), out_of_memory("search.batch_size", self._search.batch_size):
            for drawn in length_batches(rows, self._search.batch_size, len):
                batch = dataset.collater([dataset[index] for index in drawn])
                batch = utils.apply_to_sample(lambda part: part.to(self._device), batch)
                indexes = batch["id"].tolist()  # in the order of the batch
                batch["id"] = torch.arange(len(indexes), device=self._device)  # by which the diverse search counts
                generator.allowed = self._allowed([rows[index] for index in indexes])
                answers = self._task.inference_step(generator, [self._model], batch)
                for index, answer in zip(indexes, answers, strict=True):
                    generated[index] = [self._generated(hypothesis) for hypothesis in answer[:n_best]]
        return generated

    def _allowed(self, rows: Sequence[Sequence[str]]) -> Any:
        """Return the symbols that each row may be answered with, or None, if all. Shape: (B, V), bool."""
        import torch

        if self._shortlist is None:
            return None
        dictionary = self._task.target_dictionary
        allowed = torch.zeros(len(rows), len(dictionary), dtype=torch.bool)
        for number, row in enumerate(rows):
            symbols = {dictionary.index(symbol) for symbol in self._shortlist.words(row)}
            allowed[number, [*symbols, dictionary.eos(), dictionary.unk()]] = True
        return allowed.to(self._device)

    def _options(self, n_best: int) -> Any:
        from fairseq.dataclass.configs import GenerationConfig

        search = self._search
        return GenerationConfig(
            beam=max(search.beam, n_best),
            diverse_beam_groups=self._groups,
            diverse_beam_strength=self._diversity,
            lenpen=search.length_penalty,
            max_len_a=search.length_ratio,
            max_len_b=search.length_margin,
            no_repeat_ngram_size=search.no_repeat_ngram,
            unkpen=0 if self._of_words else 1000,
            print_alignment="hard" if self._of_words else None,
        )

    def _generated(self, hypothesis: Mapping[str, Any]) -> Generated:
        dictionary = self._task.target_dictionary
        numbers = [int(number) for number in hypothesis["tokens"] if number != dictionary.eos()]
        attended = {int(target): int(source) for source, target in hypothesis["alignment"]} if self._of_words else {}
        score = float(hypothesis["positional_scores"].mean())
        return Generated(tuple(dictionary[number] for number in numbers), score, attended)


def changed_first(hypotheses: Sequence[Hypothesis], sentence: str, margin: float, n_best: int) -> list[Hypothesis]:
    """Return the `n_best` hypotheses, the best first, but a copy behind the best changed one that is `margin` worse."""
    best = hypotheses[0]
    changed = next((item for item in hypotheses if item.text.split() != sentence.split()), best)
    if not margin or changed is best or best.score - changed.score > margin:
        return list(hypotheses[:n_best])
    return [changed, *(item for item in hypotheses if item is not changed)][:n_best]


def load_trained(folder: Path) -> tuple[Any, Any]:
    """Return fairseq's task with the folder's dictionaries, and its network with its weights, on the CPU."""
    network, weights = read_network(folder), read_weights(folder / MODEL)
    tasks = _fairseq()
    settings = {"task": "simplification", "data": str(folder), "source_lang": SIDES[0], "target_lang": SIDES[1]}
    task = tasks.setup_task(argparse.Namespace(**settings))
    model = task.build_model(argparse.Namespace(**asdict(network), criterion="cross_entropy"))
    model.load_state_dict(weights, strict=True)
    return task, model


def read_weights(path: Path) -> dict[str, Any]:
    """Read the weights that `fairseq_tools.export` wrote, without running code; `InputError` for any other file."""
    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
        reason = " ".join(str(error).split())[:100]
        raise bad_input(path, None, f"no readable checkpoint ({reason})", REMEDY) from None
    weights = state.get("model") if isinstance(state, dict) and len(state) == 1 else None
    if not isinstance(weights, dict) or not all(isinstance(tensor, torch.Tensor) for tensor in weights.values()):
        raise bad_input(path, None, "not the weights of a simplifier alone", REMEDY)
    return weights


def _fairseq() -> Any:
    """Import fairseq's tasks and the plugin; take back what that does to Hydra's store, sys.path and the log."""
    from hydra.core.config_store import ConfigStore

    store, path = ConfigStore.instance(), list(sys.path)
    known = copy.copy(store.repo)
    logging.getLogger("fairseq").setLevel(logging.WARNING)
    try:
        with no_statistics():
            from fairseq import tasks, utils

            utils.import_user_module(argparse.Namespace(user_dir=str(PLUGIN)))
    finally:
        store.repo, sys.path[:] = known, path
    return tasks
