"""Golden numbers: other people's code on the TURK test set and the outputs released with Jiang et al. 2020.

The values are those of the paper's own metric script (SARI per sentence, FK, Len), of EASSE at 6a4352ec (SARI over
the corpus, quality estimates) and of sacrebleu 2.6.0, in full precision; the tests need the mirrored files.
"""

from pathlib import Path

import pytest

from textsimp.core.reading import read_lines
from textsimp.metrics.bleu import bleu_statistics
from textsimp.metrics.quality import ESTIMATES, quality_statistics
from textsimp.metrics.readability import fk_statistics, fkgl_statistics, length_statistics
from textsimp.metrics.sari import corpus_recipe, sari, sentence_recipe
from textsimp.metrics.word_overlap import simple_string_accuracy_statistics, word_f1_statistics
from textsimp.sources.parallel import read_coster_kauchak

# sari_sentence, its add, keep, del | fk, words, syllables, sentences | sari_corpus, its add, keep, del, legacy | bleu
GOLDEN = {
    "turk/test.8turkers.tok.norm": """25.931893 0.0 77.795679 0.0 | 13.363261 8117 13901 362
        | 26.341836 0.0 79.025509 0.0 27.873086 | 99.369502""",
    "jiang2020_outputs/lstm.old_train.txt": """33.812916 2.480154 65.585201 33.373394 | 11.63576 7520 12230 365
        | 36.463157 2.21381 71.489507 35.686153 37.125957 | 78.97309""",
    "jiang2020_outputs/transformer_random.old_train.txt": """33.510108 3.221114 64.146615 33.162594
        | 11.131506 6668 11202 377 | 36.030221 2.825361 68.014528 37.250776 36.652639 | 80.055548""",
    "jiang2020_outputs/editnts.old_train.txt": """35.29184 3.047741 63.894299 38.933478 | 11.11848 6722 11112 364
        | 36.264296 2.591384 70.032218 36.169287 36.937429 | 81.239518""",
    "jiang2020_outputs/transformer_bert.old_train.txt": """35.340392 4.410968 65.961026 35.649183
        | 10.871148 6653 10976 371 | 37.819361 3.94415 70.211676 39.302256 38.420124 | 84.397322""",
    "jiang2020_outputs/lstm.new_train.txt": """34.033979 2.849129 64.045381 35.207427 | 11.040021 6987 11311 362
        | 37.066491 2.664379 69.401991 39.133102 37.653277 | 77.831623""",
    "jiang2020_outputs/transformer_random.new_train.txt": """34.650689 3.294028 68.798317 31.859722
        | 11.668578 6965 11791 373 | 36.663525 2.914942 71.613721 35.461912 37.345996 | 88.470973""",
    "jiang2020_outputs/editnts.new_train.txt": """36.394269 3.642659 66.066381 39.473766 | 11.586042 7358 12030 364
        | 37.033333 3.010789 70.883268 37.205942 37.639286 | 82.238016""",
    "jiang2020_outputs/transformer_bert.new_train.txt": """36.601691 4.973779 67.5989 37.232393
        | 11.405485 6934 11580 371 | 38.891568 4.473605 72.131943 40.069156 39.463248 | 86.605509""",
    "released_outputs/Dress.lower.txt": """32.213904 2.709453 61.967442 31.964817 | 10.455219 5818 9734 360
        | 36.546387 2.388074 65.169292 42.081794 37.082101 | 77.222006""",
    "released_outputs/Dress-Ls.lower.txt": """32.12431 2.525559 63.504168 30.343204 | 10.582197 5913 9905 360
        | 36.694422 2.240502 66.766538 41.076224 37.266059 | 80.168133""",
}


# compression_ratio, sentence_splits, levenshtein_similarity,
# exact_copies, additions, deletions
QUALITY = {
    "turk/test.8turkers.tok.norm": "1.0 1.0 1.0 1.0 0.0 0.0",
    "jiang2020_outputs/lstm.old_train.txt": "0.881231 1.006964 0.857989 0.245125 0.081606 0.177566",
    "jiang2020_outputs/transformer_random.old_train.txt": "0.837363 1.004643 0.864845 0.147632 0.041197 0.191423",
    "jiang2020_outputs/editnts.old_train.txt": "0.820977 1.002553 0.817715 0.050139 0.051079 0.212776",
    "jiang2020_outputs/transformer_bert.old_train.txt": "0.83536 0.996054 0.864341 0.178273 0.046995 0.194825",
    "jiang2020_outputs/lstm.new_train.txt": "0.833744 1.0 0.842136 0.189415 0.087589 0.2114",
    "jiang2020_outputs/transformer_random.new_train.txt": "0.880282 0.995822 0.905079 0.211699 0.033709 0.148113",
    "jiang2020_outputs/editnts.new_train.txt": "0.901229 1.002786 0.818072 0.0 0.101046 0.199207",
    "jiang2020_outputs/transformer_bert.new_train.txt": "0.869959 0.996518 0.879262 0.167131 0.058675 0.172053",
    "released_outputs/Dress.lower.txt": "0.751498 0.991876 0.80594 0.214485 0.044827 0.276863",
    "released_outputs/Dress-Ls.lower.txt": "0.764648 0.991876 0.820363 0.261838 0.038048 0.259357",
}

FKGL = {
    "turk/test.8turkers.tok.norm": 9.943136,
    "jiang2020_outputs/lstm.old_train.txt": 8.327428,
    "jiang2020_outputs/transformer_random.old_train.txt": 8.274273,
    "jiang2020_outputs/editnts.old_train.txt": 7.80054,
    "jiang2020_outputs/transformer_bert.old_train.txt": 8.412995,
    "jiang2020_outputs/lstm.new_train.txt": 7.648137,
    "jiang2020_outputs/transformer_random.new_train.txt": 8.764548,
    "jiang2020_outputs/editnts.new_train.txt": 8.557614,
    "jiang2020_outputs/transformer_bert.new_train.txt": 8.42755,
    "released_outputs/Dress.lower.txt": 7.448825,
    "released_outputs/Dress-Ls.lower.txt": 7.578899,
}


@pytest.fixture(scope="module")
def turk(mirror: Path) -> tuple[list[str], list[list[str]]]:
    """The complex sentences and the eight reference sets."""
    stem = mirror / "turk" / "test.8turkers.tok"
    return read_lines(f"{stem}.norm"), [read_lines(f"{stem}.turk.{number}") for number in range(8)]


def _golden(name: str) -> list[list[float]]:
    return [[float(value) for value in part.split()] for part in GOLDEN[name].split("|")]


@pytest.mark.parametrize("name", GOLDEN)
def test_sari(name: str, mirror: Path, turk: tuple[list[str], list[list[str]]]) -> None:
    sources, references = turk
    outputs = read_lines(mirror / name)
    per_sentence, _, corpus, _ = _golden(name)
    score = sari(sources, outputs, references, sentence_recipe())
    assert [score.value, *score.parts.values()] == pytest.approx(per_sentence, abs=1e-4)
    score = sari(sources, outputs, references, corpus_recipe())
    legacy = sari(sources, outputs, references, corpus_recipe(legacy=True))
    assert [score.value, *score.parts.values(), legacy.value] == pytest.approx(corpus, abs=1e-4)


@pytest.mark.parametrize("name", GOLDEN)
def test_readability(name: str, mirror: Path) -> None:
    lines = read_lines(mirror / name)
    grade, words, syllables, sentences = _golden(name)[1]
    assert fk_statistics(lines).counts.sum(0).tolist() == [sentences, words, syllables]
    assert fk_statistics(lines).score().value == pytest.approx(grade, abs=1e-4)
    assert length_statistics(lines).score().value == pytest.approx(words / sentences, abs=1e-4)


@pytest.mark.parametrize("name", GOLDEN)
def test_bleu(name: str, mirror: Path, turk: tuple[list[str], list[list[str]]]) -> None:
    score = bleu_statistics(read_lines(mirror / name), turk[1]).score()
    assert score.value == pytest.approx(_golden(name)[3][0], abs=1e-4)


@pytest.mark.parametrize("name", FKGL)
def test_fkgl(name: str, mirror: Path) -> None:
    assert fkgl_statistics(read_lines(mirror / name)).score().value == pytest.approx(FKGL[name], abs=1e-4)


@pytest.mark.parametrize("name", QUALITY)
def test_quality(name: str, mirror: Path, turk: tuple[list[str], list[list[str]]]) -> None:
    scores = [quality_statistics(estimate, turk[0], read_lines(mirror / name)).score() for estimate in ESTIMATES]
    expected = [float(value) for value in QUALITY[name].split()]
    assert [score.value for score in scores] == pytest.approx(expected, abs=1e-4)


def test_pooled_references(turk: tuple[list[str], list[list[str]]]) -> None:
    lines = [line for lines in turk[1] for line in lines]
    assert f"{fk_statistics(lines).score().value:.2f} {length_statistics(lines).score().value:.2f}" == "11.66 20.18"


def test_one_reference_scores_of_the_input(mirror: Path, turk: tuple[list[str], list[list[str]]]) -> None:
    reference = read_lines(mirror / "turk" / "test.8turkers.tok.simp")
    overlap = word_f1_statistics(turk[0], [reference]).score().parts
    assert list(overlap.values()) == pytest.approx([79.752, 80.627], abs=5e-4)
    accuracy = simple_string_accuracy_statistics(turk[0], [reference]).score().parts
    assert list(accuracy.values()) == pytest.approx([68.693, 69.772], abs=5e-4)
    assert bleu_statistics(turk[0], [reference], "none").score().value == pytest.approx(61.474, abs=5e-4)


def test_the_unchanged_input_of_coster_and_kauchak(mirror: Path) -> None:
    """SSA as printed in their Table 3; of the other two what docs/metrics.md says."""
    rows = read_coster_kauchak(mirror / "coster_kauchak_2011", "test")
    lines, reference = [row[0] for row in rows], [row[1][0] for row in rows]
    accuracy = simple_string_accuracy_statistics(lines, [reference], floored=True).score().value
    assert f"{accuracy:.2f} {bleu_statistics(lines, [reference], 'none').score().value:.2f}" == "61.79 57.80"
    assert f"{word_f1_statistics(lines, [reference]).score().value:.2f}" == "77.21"
