"""The configuration: every YAML of conf/ composes and loads, params.yaml is its composition, bad keys are named."""

import itertools
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from alignment_sample import RUNTIME, document_pair
from composition_sample import composed, composed_values
from omegaconf import OmegaConf

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import AlignerConfig, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.core import params
from textsimp.core.errors import InputError
from textsimp.core.params import CONF, compact, compose, load_params, read_settings, select, select_list
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.corpora.config import BuildConfig
from textsimp.evaluation.leaderboard import LeaderboardConfig
from textsimp.extras.wikidump.settings import DumpConfig
from textsimp.simplification.simplifiers import load_simplifier
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.onestop import ParagraphGoldConfig
from tools.settings import NAMED, SECTIONS, check

ROOT = Path(__file__).resolve().parent.parent
DEFAULT = "sample"
EXPERIMENTS = sorted(path.stem for path in (ROOT / "conf" / "experiment").glob("*.yaml"))


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("aligner.crf.decoding=foo", "aligner.crf.decoding: 'foo' is none of viterbi, posterior"),
        ("++aligner_variant.paper.crf.decoding=foo", "decoding: 'foo' is none of viterbi, posterior"),
        ("alignment_system.jaccard.paragraphs=foo", "alignment_system.jaccard.paragraphs: 'foo' is none of none, own"),
        ("left_out_systems=[cats]", "left_out_systems: 'cats' is none of additive, "),
        ("experiment=nonsense", "conf: .*nonsense"),
        ("aligner.no_such_key=1", "conf: .*no_such_key"),
    ],
)
def test_a_choice_that_there_is_not_is_named_before_any_stage(override: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        check(write(tmp_path, composed(override)))


def alternatives(group: str) -> list[Path]:
    """The files of a group that can be chosen; those with a line before their name are parts of others."""
    return sorted((ROOT / "conf" / group).glob("[!_]*.yaml"))


def write(folder: Path, text: str) -> Path:
    path = folder / "params.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_params_yaml_is_the_composition_of_conf() -> None:
    experiment = str(select("experiment", ROOT / "params.yaml"))
    text = (ROOT / "params.yaml").read_text(encoding="utf-8")
    assert text == compose([f"experiment={experiment}"]), f"run `make params EXPERIMENT={experiment}`"


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_composes_and_loads(experiment: str, tmp_path: Path) -> None:
    path = write(tmp_path, composed(f"experiment={experiment}"))
    assert str(select("experiment", path)) == experiment
    check(path)
    chosen = {"corpora": "corpus", "alignment_systems": "alignment_system"}
    chosen |= {"trained_systems": "alignment_system", "aligner_variants": "aligner_variant"}
    for names, group in (chosen | {"published": "sources.published"}).items():
        assert set(select_list(names, path)) <= set(select(group, path)), f"{names} names what {group} does not hold"
    sources = load_params("sources", SourcesConfig, path)
    needed = {release for name in select_list("published", path) for release in sources.published[name]}
    for name in select_list("corpora", path):
        needed |= set(load_params(f"corpus.{name}.source", SourceConfig, path).releases)
    assert needed == set(sources.releases), "override /sources in the experiment: the releases that it needs, no other"


def test_every_simplifier_loads_in_every_size(tmp_path: Path) -> None:
    for size in alternatives("simplifier/size"):
        path = write(tmp_path, composed(f"simplifier/size={size.stem}"))
        for name in select_list("simplifiers", path):
            load_simplifier(name, path)


def test_every_aligner_loads_with_every_variant(tmp_path: Path) -> None:
    names = itertools.zip_longest(alternatives("aligner"), alternatives("aligner_variant"))
    both = [[f"{file.parent.name}={file.stem}" for file in files if file] for files in names]
    values = [composed_values(*overrides) for overrides in both]
    aligners, kinds = ([one[group] for one in values] for group in ("aligner", "aligner_variant"))
    for chosen, kind in itertools.product(aligners, kinds):
        path = write(tmp_path, OmegaConf.to_yaml({"aligner": chosen, "aligner_variant": kind}))
        variants = select("aligner_variant", path)
        aligner = load_params("aligner", AlignerConfig, path)
        changed = [load_params("aligner", AlignerConfig, path, changes=f"aligner_variant.{name}") for name in variants]
        assert all(one.encoder == aligner.encoder for one in changed), "a variant shares the encoder's scores"
        assert any(one != aligner for one in changed)


def test_a_file_adds_an_alignment_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One YAML file of known parts: composed, compared by default, made, fitted, and asked for links.

    Another label of a system changes what the report reads and nothing else.
    """
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    file = tmp_path / "conf" / "alignment_system" / "lexical_aligners.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("label: MASSAlign", "label: Mass"), encoding="utf-8")
    parts = "similarity: {name: jaccard, options: {}}, strategy: {name: mst_lis, options: {}}"
    file.with_name("mine.yaml").write_text(f"in_order: {{{parts}, threshold: 0.2}}\n", encoding="utf-8")
    before = composed_values()
    monkeypatch.setattr(params, "CONF", tmp_path / "conf")
    path = write(tmp_path, compose([]))
    assert select_list("alignment_systems", path) == [*before.alignment_systems, "in_order"]
    assert select("labels.alignment_systems.in_order", path) == {"label": "in_order"}
    changed = {key for key in before if before[key] != select(key, path)}
    assert changed == {"alignment_system", "alignment_systems", "labels"}
    others = [{**select("alignment_system", path)}, OmegaConf.to_container(before.alignment_system)]
    assert others[0].pop("in_order") and others[0] == others[1]
    assert select("labels.alignment_systems.massalign.label", path) == "Mass"
    config = load_params("alignment_system.in_order", SystemConfig, path)
    pairs = [document_pair(number) for number in range(3)]
    encoder = load_params("aligner.encoder", EncoderConfig, path)
    vectors = load_params("word_vectors", WordVectorConfig, path)
    system = make_system(config, Cache(pairs, vectors, encoder, RUNTIME))
    system.fit([], pairs)
    ends = [{(link.simple, link.complex) for link in links} for links in map(system.align, pairs)]
    assert ends == [{(link.simple, link.complex) for link in pair.alignments or ()} for pair in pairs]
    for text, said in (("hmm: {}", "hmm: another file has it, too; "), ("threshold: 1", "threshold: 1 should be an ")):
        file.with_name("mine.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=f"mine.yaml: {said}"):
            compose([])


def test_one_override_gives_glove_to_all_who_have_word_vectors_or_leaves_a_system_out() -> None:
    values = composed_values("word_vectors=glove")
    assert values.simplifier.lstm.embeddings == values.simplifier.light_ls.vectors == "glove"
    assert values.word_vectors == {"pretrained": "glove"}
    every, fewer = (composed_values(f"left_out_systems={names}") for names in ("[]", "[cats_cwasa]"))
    assert [name for name in every.alignment_systems if name != "cats_cwasa"] == [*fewer.alignment_systems]
    assert len(fewer.alignment_systems) == len(every.alignment_systems) - 1


@pytest.mark.parametrize("system", ["neural_crf", "neural_crf_paper", "frozen_crf"])
def test_corpora_are_told_apart_by_who_aligns_them(system: str) -> None:
    params = composed_values(f"corpus.sample_wiki.align.system={system}")
    assert [*params.trained_alignment] == ["sample_news", *(["sample_wiki"] if system != "frozen_crf" else [])]
    assert [*params.shipped_alignment] == [name for name in params.corpora if name not in params.trained_alignment]


def test_dvc_composes_the_same_values(tmp_path: Path) -> None:
    """`dvc exp run` writes params.yaml itself: with other values, every experiment would begin with a difference."""
    target = tmp_path / "params.yaml"
    # in a process of its own: Hydra looks for plugins once
    arguments = [target, ROOT / "conf", None, "config", ROOT / "tools", ["aligner.crf.epochs=3"]]
    texts = ", ".join(repr(str(value) if isinstance(value, Path) else value) for value in arguments)
    code = f"from dvc.utils.hydra import compose_and_dump; compose_and_dump({texts})"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert OmegaConf.load(target) == composed_values("aligner.crf.epochs=3")


def changed(key: str, value: Any) -> str:
    tree = OmegaConf.load(ROOT / "params.yaml")
    if value is None:
        parent, _, last = key.rpartition(".")
        del OmegaConf.select(tree, parent)[last]
    else:
        OmegaConf.update(tree, key, value, force_add=True)
    return OmegaConf.to_yaml(tree)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("aligner.encoder.epoch", 3, "aligner.encoder.epoch: unknown; the keys are "),
        ("aligner.encoder.epochs", None, "aligner.encoder.epochs: missing"),
        ("aligner.encoder.epochs", "many", "aligner.encoder.epochs: 'many'"),
        ("aligner.encoder.epochs", 2.5, "aligner.encoder.epochs: 2.5"),
        ("aligner.emission.features", "encoder", "aligner.emission.features: "),
        ("aligner.crf", 1, "aligner.crf: "),
        ("aligner.crf.epochs", True, "aligner.crf.epochs: True"),
        ("aligner.encoder.seed", -1, "aligner.encoder.seed: -1"),
        ("aligner.encoder.learning_rate", 0, "aligner.encoder.learning_rate: 0"),
        ("runtime.threads", 10**12, "runtime.threads: 1000000000000"),
        ("analysis.lengths", [5, -10], "analysis.lengths"),
        ("simplifier.lstm.dropout", -0.1, "simplifier.lstm.dropout: -0.1"),
        ("simplifier.transformer_bert.search.beam", 0, "simplifier.transformer_bert.search.beam: 0"),
        ("corpus.sample_wiki.build.bleu_low", 2, "corpus.sample_wiki.build.bleu_low: 2"),
    ],
)
def test_a_wrong_key_is_named(key: str, value: Any, said: str, tmp_path: Path) -> None:
    path = write(tmp_path, changed(key, value))
    section, _, rest = key.partition(".")
    kinds = {**SECTIONS, "corpus": BuildConfig}
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: {re.escape(said)}"):
        if section == "simplifier":
            load_simplifier(rest.partition(".")[0], path)
        load_params("corpus.sample_wiki.build" if section == "corpus" else section, kinds[section], path)


@dataclass(frozen=True)
class Counted:
    """Settings of two numbers."""

    count: int
    raters: int


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("count: [&a 1, *a]\n", 1, "not YAML (an alias)"),
        ("[" * 100_000, None, "not YAML"),
        ("count: 1\n\traters: 2\n", 2, "not YAML"),
        ("count: .nan\n", None, "count: nan should be"),
        (f"count: {'9' * 5000}\n", None, "not YAML"),
        ('count: "\\ud83d"\n', None, "Invalid JSON"),
        ("count: !!python/object/apply:os.system [ls]\n", 1, "not YAML"),
        ("count: 2011-01-01\n", None, "count: '2011-01-01' should be a valid integer"),
        ("", None, "null should be an object"),
        ("- 1\n", None, "a list should be an object"),
    ],
)
def test_hostile_yaml_is_one_line(text: str, line: int | None, said: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_settings(path, Counted)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: " if line else f"{path}: ") and said in message, message
    assert "\n" not in message and "; " in message


def numbers_without_bounds(kind: Any, name: str) -> Iterator[str]:
    """The fields below a type that are plain numbers."""
    if kind in (int, float):
        yield name
    elif is_dataclass(kind):
        for key, hint in get_type_hints(kind, include_extras=True).items():
            yield from numbers_without_bounds(hint, f"{name}.{key}")
    elif get_origin(kind) is not Annotated:
        for part in get_args(kind):
            yield from numbers_without_bounds(part, name)


def test_every_number_of_the_settings_has_its_bounds() -> None:
    kinds: list[Any] = [*SECTIONS.values(), *(kind for parts in NAMED.values() for kind in parts.values())]
    kinds += [LeaderboardConfig, ParagraphGoldConfig, DumpConfig]
    kinds += [
        load_simplifier(name, ROOT / "params.yaml")[0].config for name in select("simplifier", ROOT / "params.yaml")
    ]
    assert [name for kind in kinds for name in numbers_without_bounds(kind, kind.__name__)] == []


def test_compact_yaml_has_the_same_values() -> None:
    """Long texts, keys and texts that look like other types, empty parts, nulls, small numbers."""
    texts = ["n", "1e-3", "null", "a: b", "", "x" * 200, "- y", "ä", "'", "two  spaces", "line\nbreak"]
    tree = {"texts": texts, "deep": [{"a": {"b": {text: [text, None, 1.0, 2e-05]}}} for text in texts], "none": {}}
    text = compact(OmegaConf.to_yaml(OmegaConf.create(tree)))
    assert OmegaConf.to_container(OmegaConf.create(text)) == tree


def test_what_one_file_says_is_what_hydra_composes() -> None:
    """Commands read a group from its file, where Hydra would change nothing in it."""
    needed = {"aligner", "alignment_system", "evaluation", "resampling", "runtime", "word_vectors"}
    for group in [*(path.name for path in CONF.iterdir() if path.is_dir()), "labels"]:
        alone = params._group(CONF, group)
        assert alone is None or alone == select(group, ROOT / "params.yaml") or select("experiment") != DEFAULT
        assert (alone is not None) >= (group in needed)
