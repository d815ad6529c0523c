"""Makes a pair encoder of this project of a fine-tuned BERT that was released as a pickle.

    python tools/import_checkpoint.py FOLDER models/imported/wiki
    make repro EXPERIMENT=wiki OVERRIDES='aligner.encoder.name=models/imported/wiki aligner.encoder.max_steps=0'

FOLDER is a copy of chaojiang06/wiki-sentence-alignment or chaojiang06/newsela-sentence-alignment from the Hugging Face
hub (Jiang et al. 2020): config.json, pytorch_model.bin, vocab.txt. The weights are read without unpickling any object
but tensors, and written as safetensors. They have to have a classifier of two classes, and the configuration may name
no other head. Class 0 means linked, as the authors' list of labels begins with the good pairs. The two become three:
the probability of a link is kept, and halved between partial and aligned, which they cannot tell apart; Task 1 is then
their own, Task 2 is not to be read.
"""

import argparse
import io
import math
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.core.checkpoint import CONFIG, PAIR_ENCODER, WEIGHTS, WORDS, Checkpoint  # noqa: E402 after the path
from textsimp.core.errors import bad_input, exit_on_bad_input  # noqa: E402
from textsimp.core.reading import read_bytes, read_json, read_lines  # noqa: E402
from textsimp.core.writing import write_json, write_lines  # noqa: E402

if TYPE_CHECKING:
    from torch import Tensor

PICKLE = "pytorch_model.bin"
HEAD = ("classifier.weight", "classifier.bias")
_OLD = {".LayerNorm.gamma": ".LayerNorm.weight", ".LayerNorm.beta": ".LayerNorm.bias"}
"""What checkpoints of 2018 call them."""
_BUFFERS = (".position_ids",)
_HEADS = ("BertForSequenceClassification", "BertForMaskedLM")
"""The head that is wanted, and what the authors' own configuration names: that of the BERT which they began with."""
_REMEDY = "copy the model's folder from the hub again"


@exit_on_bad_input
def main() -> None:
    """Convert the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python tools/import_checkpoint.py", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="config.json, pytorch_model.bin and vocab.txt")
    parser.add_argument("output", type=Path, help="the folder to write")
    parser.add_argument(
        "--linked", type=int, default=0, choices=(0, 1), help="the class that means linked (default: 0, the authors')"
    )
    args = parser.parse_args()
    import_checkpoint(args.folder, args.output, args.linked)
    print(f"{args.output}: written; set aligner.encoder.name to it, and aligner.encoder.max_steps=0 to use it as it is")


def import_checkpoint(source: Path, target: Path, linked: int = 0) -> None:
    """Write `target` whole, as `textsimp.alignment.neural.bert.PairEncoder` reads it.

    Raises:
        InputError: a file is absent or damaged, holds more than tensors, has no classifier of two classes, or names
            another head.
    """
    from safetensors.torch import save_file
    from transformers import BertTokenizer

    config = read_config(source / CONFIG)
    config |= {"model_type": "bert", "architectures": ["BertForSequenceClassification"]}
    config |= {"id2label": {str(n): f"LABEL_{n}" for n in range(3)}, "label2id": {f"LABEL_{n}": n for n in range(3)}}
    weights = read_weights(source / PICKLE)
    kept = {name: tensor for name, tensor in weights.items() if name.startswith("bert.")}
    kept |= three_classes(*head(source / PICKLE, weights), linked)
    words = read_lines(source / WORDS, _REMEDY)
    with PAIR_ENCODER.written(target) as folder:
        write_lines(folder / WORDS, words)
        BertTokenizer(vocab=str(folder / WORDS), do_lower_case=True).save_pretrained(folder)
        write_json(folder / CONFIG, config)
        save_file({name: tensor.contiguous() for name, tensor in kept.items()}, folder / WEIGHTS, {"format": "pt"})
        PAIR_ENCODER.seal(folder)
        Checkpoint(folder)


def read_config(path: Path) -> dict[str, Any]:
    """The configuration of a BERT; `InputError` where it names another head than one of `_HEADS`, of two classes."""
    config = read_json(path, _REMEDY)
    if not isinstance(config, dict):
        raise bad_input(path, None, "no JSON object", _REMEDY)
    heads = config.get("architectures") or [_HEADS[0]]
    found = {
        "model_type": config.get("model_type", "bert") == "bert",
        "architectures": isinstance(heads, list) and all(head in _HEADS for head in heads),
        "problem_type": config.get("problem_type") in (None, "single_label_classification"),
        **{key: config.get(key, 2) == 2 for key in ("num_labels", "_num_labels")},
        **{key: len(config.get(key) or "ab") == 2 for key in ("id2label", "label2id")},
    }
    if wrong := [key for key, is_right in found.items() if not is_right]:
        what = f"{wrong[0]} is {str(config[wrong[0]])[:80]}: another head than {_HEADS[0]} of two classes"
        raise bad_input(path, None, what, "give a BERT that was fine-tuned to tell linked pairs from others")
    return config


def read_weights(path: Path) -> dict[str, "Tensor"]:
    """The tensors of a pickle, by their present names; `InputError` where it is damaged or holds anything else."""
    import torch

    data = io.BytesIO(read_bytes(path, _REMEDY))
    try:
        stored: Any = torch.load(data, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, EOFError, RuntimeError, ValueError, KeyError, OSError) as error:
        what = f"damaged, or more than tensors, which is never run ({' '.join(str(error).split())[:150]})"
        raise bad_input(path, None, what, _REMEDY) from None
    if not isinstance(stored, dict) or not all(isinstance(tensor, torch.Tensor) for tensor in stored.values()):
        raise bad_input(path, None, "no weights by name", _REMEDY)
    weights = {}
    for name, tensor in stored.items():
        for old, new in _OLD.items():
            name = name.removesuffix(old) + new if name.endswith(old) else name
        if not name.endswith(_BUFFERS):
            weights[name] = tensor
    return weights


def head(path: Path, weights: dict[str, "Tensor"]) -> tuple["Tensor", "Tensor"]:
    """The classifier's matrix and bias; `InputError` where there is none."""
    if missing := [name for name in HEAD if name not in weights]:
        what = f"no {missing[0]}: it was saved without the classifier, and a new one would be random"
        raise bad_input(path, None, what, "give a checkpoint that was saved with its classifier")
    weight, bias = (weights[name] for name in HEAD)
    if weight.ndim != 2 or weight.shape[0] != 2 or bias.shape != weight.shape[:1]:
        raise bad_input(path, None, f"a classifier of shape {tuple(weight.shape)}, not of two classes", _REMEDY)
    return weight, bias


def three_classes(weight: "Tensor", bias: "Tensor", linked: int) -> dict[str, "Tensor"]:
    """A classifier of not linked, partial, aligned, from one of two classes; see the module."""
    rows = [1 - linked, linked, linked]
    weight, bias = weight[rows], bias[rows].clone()
    bias[1:] -= math.log(2)
    return dict(zip(HEAD, (weight, bias), strict=True))


if __name__ == "__main__":
    main()
