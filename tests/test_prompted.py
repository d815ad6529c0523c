"""The kind `prompted` and `--model llm:NAME`: what is asked, kept, counted and chosen; bad input."""

import importlib.util
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from simplifier_sample import CPU, PAIRS, small_corpus, trained
from typer.testing import CliRunner, Result

from textsimp.cli.app import app
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.reading import read_lines
from textsimp.simplification import prompted, simplifiers
from textsimp.simplification.prompted import (
    PromptedConfig,
    find_model,
    kept_answers,
    load_named,
    question,
    simplification,
)

llm = pytest.importorskip("llm")
Say = Callable[[str, int], str]


def failing(error: BaseException) -> str:
    raise error


class Local(llm.Model):  # type: ignore[misc, name-defined]
    """A model that says what a function of the sentence and the number of the call says."""

    model_id = "local"

    def __init__(self, say: Say) -> None:
        self.say, self.asked = say, list[str]()

    @llm.hookimpl  # type: ignore[untyped-decorator]
    def register_models(self, register: Callable[[Any], None]) -> None:
        register(self)

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:
        self.asked.append(prompt.prompt)
        response.set_usage(input=100, output=10)
        yield self.say(prompt.prompt.rpartition("Complex: ")[2].removesuffix("\nSimple:"), len(self.asked))


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Local]:
    """Give `llm` a model `local` that repeats the sentence; answers are kept in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path / "llm"))
    monkeypatch.setattr(prompted, "shipped_folder", lambda: None)
    model = Local(lambda sentence, call: sentence)
    llm.plugins.pm.register(model, name="local")
    yield model
    llm.plugins.pm.unregister(name="local")


def run(folder: Path, *options: object, text: str = "The cat, which was old, slept.\n") -> Result:
    (folder / "letter.txt").write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["simplify", str(folder / "letter.txt"), "--model", "llm:local", *map(str, options)])


def test_a_letter_with_examples_count_and_cost(tmp_path: Path, local: Local) -> None:
    local.say = lambda sentence, call: "The old cat slept."
    result = run(tmp_path, "--prices", 2, 5)
    assert result.exit_code == 0, result.output
    assert result.stdout == "The old cat slept.\n"
    assert "llm:local: 3 calls, 0 answers from earlier ones, 300 tokens in, 30 out, cost 0.0008" in result.stderr
    (own,) = set(local.asked)
    assert own.endswith("Complex: The cat, which was old, slept.\nSimple:") and own.count("Complex: ") == 6
    run(tmp_path)
    assert len(local.asked) == 3, "nothing is asked twice"
    dev = [line.split("\t") for line in read_lines("data/sample/multi-reference/dev.tsv")]
    rows = [line.split("\t") for line in read_lines("conf/prompts/examples.tsv")]
    assert len(rows) == 5 and all(any(row[0] == own[0] and row[1] in own[1:] for own in dev) for row in rows)


def test_a_killed_run_goes_on(tmp_path: Path, local: Local) -> None:
    """Killed in the middle: each sentence is asked once in both runs together."""
    sentences = [f"Sentence {number} stays." for number in range(20)]
    local.say = lambda sentence, call: failing(KeyboardInterrupt()) if call == 11 else sentence
    asked = load_named("llm:local", CPU, is_judged=False)
    asked.config = replace(asked.config, answers=1)
    with pytest.raises(KeyboardInterrupt):
        asked.simplify(sentences)
    local.say = lambda sentence, call: sentence
    again = replace(asked, count=Counter())
    assert [row[0].text for row in again.simplify(sentences)] == sentences
    assert (again.count["kept"], again.count["calls"]) == (10, 10)


def test_the_answer_with_the_fewest_alarms_is_chosen(tmp_path: Path, local: Local) -> None:
    """The first loses a number, the second explains, the third is chosen; the order of answers is kept else."""
    said = ["The cat is seven years old.", "Here is a simpler one:\nThe cat is 12.", "The cat is 12 years old."]
    local.say = lambda sentence, call: said[(call - 1) % 3]
    result = run(tmp_path, "--format", "tsv", "--n-best", 3, text="The cat is now exactly 12 years of age.\n")
    assert [line.split("\t")[3] for line in result.stdout.splitlines()[1:]] == [said[2], said[0]]
    assert "1 answers were no simplifications" in result.stderr


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("  Simple: The cat\tslept. ", "The cat slept."),
        ('"The cat slept."', "The cat slept."),
        ("Here is the simplified sentence: The cat slept.", None),
        ("The cat slept.\n\nI removed the clause.", None),
        ("", None),
        ("The cat slept. " * 20, None),
    ],
)
def test_an_answer_that_explains_is_no_simplification(answer: str, text: str | None) -> None:
    assert simplification(answer, "The cat, which was old, slept.") == text
    assert simplification("Here is the cat.", "Here is, as you see, the cat.") == "Here is the cat."
    assert question("{examples}|{sentence}", [("{sentence}", "b")], "c") == "Complex: {sentence}\nSimple: b|c"


@pytest.mark.parametrize(
    ("say", "options", "said"),
    [
        (lambda sentence, call: " \n", (), "none of its 3 answers is a simplification"),
        (lambda sentence, call: "Here is one:\n\nA cat.", (), "none of its 3 answers is a simplification"),
        (
            lambda sentence, call: failing(ConnectionError("nobody\nlistens")),
            (),
            "no answer (ConnectionError: nobody listens)",
        ),
        (None, ("--prompt", "no.txt"), "no.txt: a prompt without {sentence} once"),
        (None, ("--examples", "no.txt"), "no.txt:1: no example"),
        (None, ("--strength", "light"), "no strength"),
        (None, ("--model", "llm:nobody"), "llm:nobody: no model that llm knows"),
        (None, ("--prices", "1", "1", "--model", "."), "--prompt, --examples and --prices are for"),
    ],
)
def test_bad_input_is_one_line(
    say: Say | None, options: tuple[str, ...], said: str, tmp_path: Path, local: Local
) -> None:
    local.say = say or local.say
    (tmp_path / "no.txt").write_text("Make it simple.\n", encoding="utf-8")
    result = run(tmp_path, *(str(tmp_path / item) if item == "no.txt" else item for item in options))
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1, result.output
    assert said in result.stderr
    assert say is not None or not local.asked, "nothing is sent before all is checked"


def test_without_llm_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'textsimp\[prompted\]'"):
        find_model("local")
    (tmp_path / "answers").write_bytes(b"no table" * 200)
    with pytest.raises(InputError, match="no file of answers"):
        kept_answers(tmp_path / "answers")


def test_the_stages_know_it(tmp_path: Path, local: Local) -> None:
    local.say = lambda sentence, call: f"{sentence} It is so."
    kind, config = simplifiers.simplifier_of("prompted"), from_conf("simplifier.prompted", PromptedConfig)
    with pytest.raises(InputError, match="no model is named"):
        trained(kind, small_corpus(tmp_path), tmp_path, config)
    folder = trained(kind, small_corpus(tmp_path), tmp_path, replace(config, model="local", answers=1))
    assert set(read_lines(folder / "examples.tsv")) == {"\t".join(pair) for pair in PAIRS}
    simplifiers.generate(tmp_path / "binary", folder, tmp_path / "outputs", CPU)
    assert read_lines(tmp_path / "outputs" / "test.txt")[1] == "An otter's hat. It is so."
    assert len(local.asked) == 4, "three sentences of dev, and one that is none of them"
