"""What the aligners of the package are made with, and how they are put there and judged."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from project_copy import locked_outputs

from textsimp.alignment.fitted import DEFAULT, WITHOUT_ENCODER
from textsimp.alignment.frozen.frozen_training import edited_copies
from textsimp.alignment.parts import SYSTEM
from textsimp.core.errors import InputError
from textsimp.core.reading import folder_files, read_json
from textsimp.core.records import AlignmentLabel, Document, DocumentPair
from textsimp.core.writing import write_json
from textsimp.metrics.curves import expected_calibration_error
from textsimp.metrics.links import check_links
from tools.check_metrics import MACHINE, processor
from tools.ship import ROOT, difference, ship

WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north ocean pines quart ridge"


def pair(number: int) -> DocumentPair:
    words = WORDS.split()
    sentences = tuple(" ".join(words[(start * 5 + k) % len(words)] for k in range(12)) + "." for start in range(20))
    document = Document(f"d{number}", 0, (sentences[:12], sentences[12:]))
    return DocumentPair(f"p{number}", "own", f"g{number // 2}", document, document)


def test_edited_copies_are_linked_to_what_they_were_made_of() -> None:
    pairs = [pair(number) for number in range(6)]
    copies = list(edited_copies(pairs, 7))
    assert [copy.group for copy in copies] == ["g0", "g1", "g2"] and copies == list(edited_copies(pairs, 7))
    kinds = set()
    for copy in copies:
        links = list(copy.alignments or ())
        check_links(copy, links)
        assert [link.simple for link in links] == list(range(len(copy.simple.sentences))) and 4 < len(links) < 20
        assert len({link.complex for link in links}) == len(links)
        for link in links:
            before, after = copy.complex.sentences[link.complex], copy.simple.sentences[link.simple]
            if link.label is AlignmentLabel.PARTIAL:
                assert after in before and len(after) < 0.8 * len(before)
                kinds.add("cut")
            else:
                kinds.add("kept" if before == after else "changed")
                assert len(set(before.split()) & set(after.split())) >= len(set(before.split())) - 2
    assert kinds == {"cut", "kept", "changed"}
    assert list(edited_copies(pairs, 8)) != copies


def test_the_calibration_error_is_the_mean_distance_of_the_bins() -> None:
    probabilities = np.array([0.01, 0.62, 0.68, 0.91, 0.95, 1.0])
    happened = np.array([True, True, False, True, True, True])
    expected = (abs(1.3 - 1) + abs(2.86 - 3)) / 5
    assert expected_calibration_error(probabilities, happened) == pytest.approx(expected)
    assert expected_calibration_error(np.array([0.01]), np.array([True])) == 0
    assert expected_calibration_error(np.array([0.5, 0.5]), np.array([True, False])) == 0


@pytest.mark.parametrize("shipped", [DEFAULT, WITHOUT_ENCODER], ids=lambda folder: folder.name)
def test_shipped_are_the_outputs_of_the_committed_run(shipped: Path) -> None:
    """By the digest that dvc.lock has of the stage's folder, which is one of the list of its files."""
    if processor() != read_json(ROOT / "reports" / MACHINE):
        pytest.skip("a run on this kind of processor may have other bytes")
    made = locked_outputs(f"train_default@{shipped.name}")
    found = folder_files(shipped)
    files = [{"md5": hashlib.md5(file.read_bytes()).hexdigest(), "relpath": file.name} for file in found]
    listed = json.dumps(sorted(files, key=lambda file: file["relpath"]), sort_keys=True)
    assert made[f"models/default/{shipped.name}"] == hashlib.md5(listed.encode()).hexdigest() + ".dir"


def test_the_shipped_folders_are_compared_and_replaced(tmp_path: Path) -> None:
    made, shipped = tmp_path / "made", tmp_path / "shipped"
    shutil.copytree(DEFAULT, made)
    shutil.copytree(DEFAULT, shipped)
    assert difference(made, shipped, True) is None
    write_json(made / "decision.json", {"linked": 0.5})
    SYSTEM.seal(made)
    assert difference(made, shipped, True) == "decision.json"
    assert difference(made, shipped, False) is None
    ship(made, shipped)
    assert difference(made, shipped, True) is None
    assert difference(WITHOUT_ENCODER, shipped, False) == "system.json"
    (made / "weights.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match="weights.safetensors has other bytes"):
        ship(made, shipped)
