"""The kind `prompted`: any large language model that the package `llm` reaches, asked by a prompt with a few examples.

So BLESS (Kew et al. 2023) compares models. Nothing is trained: a model folder has the prompt, the examples and the
model's name. `llm` and its plugins find the model and keep the keys. Nothing is sent to a model that was not named.
What a model has answered is kept, and one of several answers is chosen.
"""

import hashlib
import importlib.util
import json
import logging
import math
import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input, one_line
from textsimp.core.params import SHIPPED, from_conf
from textsimp.core.reading import iterate_lines, read_aligned, read_text
from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive
from textsimp.core.writing import copy_file, user_cache, write_lines
from textsimp.simplification.checks import check_outputs
from textsimp.simplification.interface import (
    LLM,
    CorpusFiles,
    Epoch,
    Hypothesis,
    Runtime,
    shipped_folder,
    stored_config,
)

PROMPT, PAIRS = "prompt.txt", "examples.tsv"  # files of a binarized corpus and of a model folder
OWN_PAIRS = "conf/prompts/examples.tsv"  # of the sample corpus's dev, for who has no corpus
# Plugin of `llm` -> what it imports; the package's model is installed without (requirements-lm.txt).
_WITHOUT = {"smollm2": "llama_cpp"}
EXAMPLES, SENTENCE = "{examples}", "{sentence}"
_PLACE = re.compile(r"\{(?:examples|sentence)\}")
_LABEL = re.compile(r"^(?:simple|simplified|simplification|output|answer)(?: sentence| version| text)?:\s+", re.I)
_QUOTES = {'"': '"', "“": "”", "«": "»", "`": "`"}
_TALK = re.compile(
    r"(?:(?:sure|certainly|of course|okay)\b[,.!:]|here(?:'s|’s| is| are)\b|(?:the|a|my) (?:simplified|simpler) "
    r"(?:sentence|version|text)|i(?:'m| am) sorry|sorry\b|i can(?:'t|’t|not)\b|as an ai\b|note:)",
    re.IGNORECASE,
)
# An answer with so many times the characters of its sentence, and so many more, is no simplification of it.
_MOST, _MORE = 3, 40
Pair = tuple[str, str]
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PromptedConfig:
    """The model, what it is asked, and how often."""

    kind: str
    model: str | None  # a name or an alias that `llm models` lists; null: none, so that nothing is sent anywhere
    prompt: str  # a text file with the places {sentence} and, if it is to have examples, {examples}
    pairs: str | None  # a file of examples, `COMPLEX TAB SIMPLE` a line; null: pairs of dev
    examples: NonNegative  # so many of them
    answers: Positive  # so many are asked for each sentence, of which one is chosen
    options: dict[str, Any]  # of the model, as `llm models --options` lists them
    # of a million tokens in and of a million tokens out; null: no cost is computed
    prices: list[NonNegativeNumber] | None

    def __post_init__(self) -> None:
        """Check the number of prices."""
        if self.prices is not None and len(self.prices) != 2:
            raise InputError("simplifier: prices: give two, of a million tokens in and of a million tokens out")


def binarize(corpus: CorpusFiles, folder: Path, config: PromptedConfig) -> None:
    """Write the prompt and the examples: those of the configuration's file, else changed pairs from all over dev."""
    if config.model is None:
        raise InputError("simplifier.prompted.model: no model is named; name one that `llm models` lists")
    copy_file(_named(config.prompt), folder / PROMPT)
    _read_prompt(folder / PROMPT)
    if config.pairs is not None:
        pairs = _read_examples(_named(config.pairs))[: config.examples]
    else:
        rows = read_aligned([corpus.dev.complex, corpus.dev.simple])
        changed = sorted({(row[0], row[1]) for row in rows if row[0] != row[1] and all(text.split() for text in row)})
        pairs = changed[:: max(1, len(changed) // max(1, config.examples))][: config.examples]
    write_lines(folder / PAIRS, ("\t".join(" ".join(text.split()) for text in pair) for pair in pairs))


def _named(path: str) -> Path:
    """Return a file that a setting names: here, or of the installed package's conf/."""
    return Path(path) if Path(path).exists() else SHIPPED / path


def _read_prompt(path: Path) -> str:
    """Read a prompt; `InputError` where it has not {sentence} once, or {examples} more often."""
    text = read_text(path)
    if text.count(SENTENCE) != 1 or text.count(EXAMPLES) > 1:
        what = f"a prompt without {SENTENCE} once, and {EXAMPLES} once at most"
        raise bad_input(path, None, what, f"write {SENTENCE} where the sentence is to stand")
    return text


def _read_examples(path: Path) -> list[Pair]:
    """Read pairs, `COMPLEX TAB SIMPLE` a line; further columns, such as more references, are left out."""
    pairs = []
    for number, line in enumerate(iterate_lines(path), 1):
        row = [" ".join(cell.split()) for cell in line.split("\t")]
        if len(row) < 2 or not all(row[:2]):
            raise bad_input(path, number, "no example", "write COMPLEX TAB SIMPLE, a pair a line")
        pairs.append((row[0], row[1]))
    return pairs


def train(binary: Path, model: Path, partial: Path, config: PromptedConfig, runtime: Runtime) -> list[Epoch]:
    """Copy what the model is asked with; there is no curve."""
    for name in (PROMPT, PAIRS):
        copy_file(binary / name, model / name)
    return []


def question(prompt: str, examples: Sequence[Pair], sentence: str) -> str:
    """Return a prompt with the examples and the sentence in their places."""
    shown = "\n\n".join(f"Complex: {complex_}\nSimple: {simple}" for complex_, simple in examples)
    places = {EXAMPLES: shown, SENTENCE: sentence}
    return _PLACE.sub(lambda place: places[place[0]], prompt).strip()


def simplification(answer: str, sentence: str) -> str | None:
    """Return the simplification that an answer is; None where it has several lines, or explains, or is far too long.

    A label before it and quotation marks around it, which the sentence has not, are taken off.
    """
    text = _LABEL.sub("", answer.strip(), count=1)
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and sentence[0] != text[0]:
        text = text[1:-1].strip()
    talks = _TALK.match(text) and not _TALK.match(sentence)
    if not text or "\n" in text or talks or len(text) > _MOST * len(sentence) + _MORE:
        return None
    return " ".join(text.split())


def find_model(name: str) -> Any:
    """Return the model of `llm`; `InputError` where `llm` is not installed, or does not know it."""
    if importlib.util.find_spec("llm") is None:
        raise InputError(f"{LLM}{name}: the package llm is not installed; run `pip install 'textsimp[prompted]'`")
    import llm
    from llm.plugins import pm

    for plugin, library in _WITHOUT.items():
        if importlib.util.find_spec(library) is None:
            pm.set_blocked(plugin)
    try:
        return llm.get_model(name)
    except llm.UnknownModelError:
        what = "no model that llm knows; see `llm models`, and `llm plugins` for what brings more"
        raise InputError(f"{LLM}{name}: {what}") from None
    except Exception as error:  # plugins are imported, and raise whatever they stumble over
        raise InputError(f"{LLM}{name}: a plugin of llm fails ({_said(error)}); mend or uninstall it") from None


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {one_line(error)[:300]}"


def kept_answers(path: Path) -> sqlite3.Connection:
    """Open what models have answered, a file that a killed run leaves as it is: nothing is asked twice."""
    path.parent.mkdir(0o700, parents=True, exist_ok=True)
    try:
        answers = sqlite3.connect(path, isolation_level=None)
        answers.execute("PRAGMA synchronous = OFF")
        answers.execute("CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, answer TEXT)")
    except sqlite3.Error as error:
        raise bad_input(path, None, f"no file of answers ({error})", "remove it") from None
    return answers


@dataclass
class AskedModel:
    """A model that is asked, with its prompt."""

    config: PromptedConfig
    prompt: str
    examples: Sequence[Pair]
    runtime: Runtime
    is_judged: bool = True  # whether its answers can be compared, being English
    # what was asked: calls, answers kept from earlier ones, tokens of calls, answers of use
    count: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Find the model and the answers."""
        self._name = f"{LLM}{self.config.model}"
        self._model = find_model(str(self.config.model))
        self._answers = kept_answers(user_cache("llm-answers.sqlite"))
        self._judge: Any = None

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; scores are logarithms of a confidence, else minus the number of alarms.

        A sentence stays as it is where none of its answers is a simplification.

        Raises:
            InputError: the model cannot be reached, or no answer of it was a simplification yet.
        """
        number = max(self.config.answers, n_best)
        rows = [[Hypothesis(text, 0.0) for text in self._texts(sentence, number)] for sentence in sentences]
        if sentences and not self.count["useful"]:
            what = f"none of its {self.count['useless']} answers is a simplification; try another model or prompt"
            raise InputError(f"{self._name}: {what}")
        if self.is_judged and number > 1:
            scores = self._scores(sentences, rows)
            rows = [
                sorted((Hypothesis(item.text, found[item.text]) for item in row), key=lambda item: -item.score)
                for row, found in zip(rows, scores, strict=True)
            ]
        logger.info("%s", self.summary())
        return [row[:n_best] or [Hypothesis(text, 0.0)] for text, row in zip(sentences, rows, strict=True)]

    def summary(self) -> str:
        """Return what was asked, and what it cost."""
        count = self.count
        said = f"{self._name}: {count['calls']} calls, {count['kept']} answers from earlier ones"
        said += f", {count['tokens_in']} tokens in, {count['tokens_out']} out"
        if count["unmetered"]:
            said += f" ({count['unmetered']} calls say none)"
        if self.config.prices is not None:
            tokens = (count["tokens_in"], count["tokens_out"])
            said += f", cost {sum(map(math.prod, zip(tokens, self.config.prices, strict=True))) / 1e6:.4f}"
        return said + (f"; {count['useless']} answers were no simplifications" if count["useless"] else "")

    def _texts(self, sentence: str, number: int) -> list[str]:
        """Return the different simplifications among so many answers, in their order."""
        asked = question(self.prompt, self.examples, sentence)
        texts = [simplification(self._answer(asked, draw), sentence) for draw in range(number)]
        self.count["useless"] += texts.count(None)
        self.count["useful"] += len(texts) - texts.count(None)
        return list(dict.fromkeys(text for text in texts if text is not None))

    def _answer(self, asked: str, draw: int) -> str:
        """Return an answer, asked for where it was not before; an empty one is asked for again by the next run."""
        call = json.dumps([self._model.model_id, self.config.options, asked, draw], sort_keys=True)
        key = hashlib.sha256(call.encode()).hexdigest()
        for (known,) in self._answers.execute("SELECT answer FROM answers WHERE question = ?", (key,)):
            self.count["kept"] += 1
            return str(known)
        try:
            response = self._model.prompt(asked, stream=False, **self.config.options)
            answer, usage = response.text(), response.usage()
        except Exception as error:  # plugins raise whatever their libraries do
            remedy = "check the endpoint, the key and the options; answers so far are kept, the same command goes on"
            raise InputError(f"{self._name}: no answer ({_said(error)}); {remedy}") from None
        self.count["calls"] += 1
        self.count["tokens_in"] += usage.input or 0
        self.count["tokens_out"] += usage.output or 0
        self.count["unmetered"] += usage.input is None or usage.output is None
        if answer.strip():
            self._answers.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, answer))
        return str(answer)

    def _scores(self, sentences: Sequence[str], rows: Sequence[Sequence[Hypothesis]]) -> list[dict[str, float]]:
        """Return scores by text: of the packaged model's measures but for the likelihood, else of the checks."""
        if self._judge is None:
            self._judge = _packaged_judge(self.runtime)
        if self._judge:
            judge, weights = self._judge
            scores: list[dict[str, float]] = judge.log_confidences(sentences, rows, weights, 0.0)
            return scores
        pairs = [(sentence, item.text) for sentence, row in zip(sentences, rows, strict=True) for item in row]
        checks = iter(check_outputs(pairs))
        return [{item.text: -float(len(next(checks).alarms)) for item in row} for row in rows]


def _packaged_judge(runtime: Runtime) -> Any:
    """Return the judge of the packaged model and its weights without likelihood; an empty tuple without the model."""
    try:
        from textsimp.simplification.language_model.chosen_outputs import load as load_packaged

        packaged: Any = (folder := shipped_folder()) and load_packaged(folder, runtime)
    except (ImportError, InputError) as error:
        logger.warning("answers are chosen by the checks alone: %s", error)
        packaged = None
    return (packaged.judge, replace(packaged.config.ranking.weights, likelihood=0.0)) if packaged else ()


def load(model: Path, runtime: Runtime) -> AskedModel:
    """Load a model folder; `InputError` where `llm` does not know the model."""
    config = stored_config(model, PromptedConfig)
    return AskedModel(config, _read_prompt(model / PROMPT), _read_examples(model / PAIRS), runtime)


def load_named(
    name: str,
    runtime: Runtime,
    prompt: Path | None = None,
    pairs: Path | None = None,
    prices: Sequence[float] | None = None,
    is_judged: bool = True,
) -> AskedModel:
    """Load `llm:NAME` with the settings of conf/simplifier/prompted.yaml, and what is given in their place.

    Args:
        is_judged: whether the sentences are English.

    Raises:
        InputError: `llm` does not know the model, or a file is none of prompts or examples.
    """
    config = from_conf("simplifier.prompted", PromptedConfig)
    config = replace(config, model=name.removeprefix(LLM), prices=config.prices if prices is None else list(prices))
    examples = _read_examples(pairs or _named(config.pairs or OWN_PAIRS))[: config.examples]
    return AskedModel(config, _read_prompt(prompt or _named(config.prompt)), examples, runtime, is_judged)
