"""What `import textsimp` offers."""

import json
from pathlib import Path

import pytest

import textsimp
from textsimp.alignment.fitted import DEFAULT
from textsimp.api import document
from textsimp.core.errors import InputError
from textsimp.core.params import load_params
from textsimp.core.records import read_pairs, write_pairs
from textsimp.metrics.registry import METRICS
from textsimp.sources.acquisition import acquire
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.splits import load_splits

ROOT = Path(__file__).resolve().parent.parent
HARD = ["The museum, which opened in 1911, houses more than 3,000 paintings.", "It closes on Mondays."]
EASY = ["Bread is baked at night.", "The museum opened in 1911."]


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The annotated pairs of train and dev of both sample corpora in one file."""
    folder, pairs = tmp_path_factory.mktemp("sample"), []
    params = ROOT / "params.yaml"
    for corpus in ("sample_news", "sample_wiki"):
        source = load_params(f"corpus.{corpus}.source", SourceConfig, params)
        raw, splits = folder / "raw" / corpus, folder / "splits" / corpus
        sources = load_params("sources", SourcesConfig, params)
        acquire(source, sources, str(ROOT / "data" / "sample"), str(raw), str(folder / f"{corpus}.jsonl"))
        load_splits(str(raw), str(splits), source)
        pairs += [pair for split in ("dev", "train") for pair in read_pairs(splits / f"{split}.jsonl")]
    write_pairs(folder / "annotated.jsonl", pairs)
    return folder / "annotated.jsonl"


def test_the_default_is_what_the_sample_corpora_give(annotated: Path, tmp_path: Path) -> None:
    from textsimp.alignment.neural.aligner_settings import Device
    from textsimp.alignment.spec import SystemSpec

    SystemSpec.named("cats_c3g", dev=annotated, save=tmp_path / "fitted").load(Device())
    fitted, shipped = (json.loads((path / "system.json").read_text()) for path in (tmp_path / "fitted", DEFAULT))
    assert fitted["config"] == shipped["config"]
    for task, row in fitted["chosen"].items():
        assert row["threshold"] == pytest.approx(shipped["chosen"][task]["threshold"], abs=1e-9)


def test_links_have_the_sentences_and_their_places() -> None:
    (link,) = textsimp.align(HARD, EASY)
    assert (link.complex, link.simple) == (HARD[0], EASY[1])
    assert (link.complex_index, link.simple_index) == (0, 1)
    assert link.label in ("aligned", "partial")


def test_a_saved_system_is_an_aligner() -> None:
    aligner = textsimp.load_aligner(DEFAULT)
    assert textsimp.align(HARD, EASY, aligner) == aligner.align(HARD, EASY) == textsimp.align(HARD, EASY)


def test_texts_and_lists_of_sentences_are_the_same() -> None:
    assert textsimp.align(" ".join(HARD), " ".join(EASY)) == textsimp.align(HARD, EASY)


def test_blank_lines_separate_paragraphs() -> None:
    assert document("One.  Two\nlines.\n \n\nThree.").paragraphs == (("One.", "Two lines."), ("Three.",))


@pytest.mark.parametrize("empty", ["", "\n \n", []])
def test_a_text_without_sentences(empty: str | list[str]) -> None:
    with pytest.raises(InputError, match="simple: no sentences"):
        textsimp.align(HARD, empty)


def test_a_folder_without_an_aligner(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=str(tmp_path)):
        textsimp.load_aligner(tmp_path)


def test_sari_is_one_of_the_scores() -> None:
    texts = ["a b c d ."], ["a b d ."], [["a b ."], ["a d ."]]
    assert textsimp.sari(*texts) == textsimp.score(*texts, ["sari", "bleu"])["sari"]
    assert set(textsimp.score(*texts)) == {name for name, metric in METRICS.items() if metric.default}


@pytest.mark.parametrize("references", [[], [[]], [["a .", "b ."]]])
def test_numbers_of_sentences_differ(references: list[list[str]]) -> None:
    with pytest.raises(InputError, match="sentences; give as many of each"):
        textsimp.sari(["a b ."], ["a ."], references)


def test_a_long_sentence_and_an_unknown_metric() -> None:
    with pytest.raises(InputError, match=r"references\[0\]:2: a line of more than 100000 characters"):
        textsimp.score(["a", "b"], ["a", "b"], [["a", "b" * 100_001]])
    with pytest.raises(InputError, match="rouge"):
        textsimp.score(["a b ."], ["a ."], [["a ."]], ["rouge"])


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'simplify'"):
        _ = textsimp.simplify  # type: ignore[attr-defined]
