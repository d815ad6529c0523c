"""A trained aligner on disk: encoder (Hugging Face folder), CRF (safetensors), settings and word weights (JSON) (F2).

The encoder's outputs that training computed lie beside them, so that the next stages do not compute them again.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from omegaconf.errors import OmegaConfBaseException

from textsimp.alignment.neural.aligner import Aligner, AlignerSettings, device_of, new_network
from textsimp.alignment.neural.config import AlignerConfig, RuntimeConfig
from textsimp.alignment.neural.pair_encoder import PairEncoder
from textsimp.alignment.neural.pair_scores import PairScorer
from textsimp.alignment.neural.pruning import load_gate, save_gate
from textsimp.alignment.neural.sentence_encoder import SentenceEncoder
from textsimp.alignment.neural.training_state import load_tensors, load_weights, save_tensors
from textsimp.alignment.tfidf import TfIdf
from textsimp.errors import InputError
from textsimp.params import structured
from textsimp.textfiles import atomic_folder, read_json, sha256, write_json

_ENCODER, _NETWORK, _SETTINGS, _WORDS = "encoder", "crf.safetensors", "aligner.json", "words.json"
_WEIGHTS = "model.safetensors"
_TEXTS, _SCORES = "scored_pairs.json", "scores.safetensors"


def save_aligner(aligner: Aligner, folder: str | Path) -> None:
    """Write an aligner as a folder that replaces an older one only when it is complete."""
    with atomic_folder(folder) as target:
        aligner.scorer.encoder.save(target / _ENCODER)
        save_tensors(target / _NETWORK, aligner.network.state_dict())
        write_json(target / _WORDS, aligner.scorer.words.state())
        if aligner.scorer.gate is not None:
            save_gate(aligner.scorer.gate, target)
        texts, scores = aligner.scorer.computed()
        write_json(target / _TEXTS, texts)
        save_tensors(target / _SCORES, {"log_probabilities": torch.from_numpy(scores)})
        write_json(
            target / _SETTINGS,
            {
                "config": asdict(aligner.config),
                "settings": asdict(aligner.settings),
                "encoder_sha256": sha256(target / _ENCODER / _WEIGHTS),
            },
        )


def load_aligner(folder: str | Path, runtime: RuntimeConfig) -> Aligner:
    """Read an aligner.

    Raises:
        InputError: the folder is no aligner, a file is damaged, or its parts come from different trainings.
    """
    folder = check_is_aligner(folder)
    stored = read_json(folder / _SETTINGS)
    config = _section(stored, "config", AlignerConfig, folder)
    settings = _section(stored, "settings", AlignerSettings, folder)
    weights = folder / _ENCODER / _WEIGHTS
    if not weights.is_file() or sha256(weights) != stored.get("encoder_sha256"):
        raise InputError(f"{weights}: not the encoder that this aligner was trained with; restore it or train again")
    device, batch, length = device_of(runtime), runtime.inference_batch, config.encoder.max_length
    encoder = PairEncoder(folder / _ENCODER, length, device, batch)
    sentences = SentenceEncoder(config.encoder.name, length, device, batch)
    scorer = PairScorer(encoder, sentences, TfIdf.from_state(read_json(folder / _WORDS)), config.candidates)
    scorer.gate = load_gate(folder)
    texts, scores = read_json(folder / _TEXTS), load_tensors(folder / _SCORES)["log_probabilities"]
    scorer.keep([tuple(pair) for pair in texts], scores.numpy())
    network = new_network(config)
    load_weights(network, load_tensors(folder / _NETWORK), folder / _NETWORK)
    return Aligner(config, scorer, network, settings, stored["encoder_sha256"] + sha256(folder / _NETWORK))


def check_is_aligner(folder: str | Path) -> Path:
    """The folder, where it holds an aligner; else `InputError`."""
    if not (Path(folder) / _SETTINGS).is_file():
        raise InputError(f"{folder}: no {_SETTINGS}; give the folder of a trained aligner, such as models/aligner/CORPUS")
    return Path(folder)


def _section(stored: Any, key: str, kind: type, folder: Path) -> Any:
    try:
        return structured(stored[key], kind)
    except (KeyError, TypeError, OmegaConfBaseException) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{folder / _SETTINGS}: {key}: {reason}; the aligner is of another version, train again") from None
