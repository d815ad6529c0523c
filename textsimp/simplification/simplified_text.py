"""The sentences of a text simplified by a trained model, each output checked against its sentence."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from textsimp.core.errors import InputError
from textsimp.simplification.checks import LANGUAGE, OutputCheck, check_outputs
from textsimp.simplification.interface import LLM, Hypothesis, Runtime, TrainedSimplifier, out_of_memory, shipped_folder
from textsimp.simplification.running_text import Part
from textsimp.simplification.simplifiers import load_simplifier_folder

BATCH = 64  # sentences that a model is given at once, where nobody says another number


@dataclass(frozen=True)
class Output:
    """One output for a sentence: its text, the model's score, and what the checks found, of English alone."""

    text: str
    score: float
    check: OutputCheck | None


@dataclass(frozen=True)
class SimplifiedPart:
    """A part of a text and what the model made of it."""

    part: Part  # the sentence, or what is no sentence and was kept
    outputs: tuple[Output, ...]  # the best first; none for what was kept
    kept: str  # why the text stays as it was; empty where it does not

    @property
    def text(self) -> str:
        """Return what stands in the simplified text."""
        return self.part.text if self.kept else self.outputs[0].text

    @property
    def alarms(self) -> tuple[str, ...]:
        """Return the alarms of the best output."""
        check = self.outputs[0].check if self.outputs else None
        return check.alarms if check else ()


class Asking(NamedTuple):
    """Files and prices for an `llm:NAME`, in place of the package's own; see `PromptedConfig`."""

    prompt: Path | None = None
    pairs: Path | None = None
    prices: Sequence[float] | None = None


_NOTHING = Asking()


def load_model(
    model: Path | None,
    runtime: Runtime,
    strength: str | None = None,
    caution: float | None = None,
    asking: Asking = _NOTHING,
    language: str = LANGUAGE,
) -> TrainedSimplifier:
    """Return the simplifier of a folder, or `llm:NAME` (`prompted`), by default that of the package.

    Args:
        strength, caution: see `load_simplifier_folder`.
        asking, language: for `llm:NAME`, whose answers can be compared in English alone.

    Raises:
        InputError: there is none, it cannot be used, or it has not what is given.
    """
    if str(model).startswith(LLM):
        from textsimp.simplification.prompted import load_named

        if (strength, caution) != (None, None):
            raise InputError(f"{model}: a model that is asked has no strength and no caution; leave them out")
        return load_named(str(model), runtime, *asking, is_judged=language == LANGUAGE)
    if asking != _NOTHING:
        raise InputError("--prompt, --examples and --prices are for --model llm:NAME; leave them out")
    folder = model or shipped_folder()
    if folder is None:
        what = "no simplifier comes with this version of the package"
        raise InputError(f"{what}; give --model: `make repro` leaves some in models/simplifier/CORPUS/DATA/NAME")
    return load_simplifier_folder(folder, runtime, strength, caution)


def answers(
    sentences: Sequence[str],
    model: TrainedSimplifier,
    n_best: int = 1,
    batch: int = BATCH,
    advance: Callable[[int], object] = lambda number: None,
) -> dict[str, list[Hypothesis]]:
    """Return what the model gives for each distinct sentence; see `simplify_parts`."""
    distinct = sorted(set(sentences), key=lambda sentence: (len(sentence.split()), sentence))
    by_sentence: dict[str, list[Hypothesis]] = {}
    for start in range(0, len(distinct), batch):
        chunk = distinct[start : start + batch]
        with out_of_memory("--batch-size", batch):
            by_sentence |= zip(chunk, model.simplify(chunk, n_best), strict=True)
        advance(len(chunk))
    return by_sentence


def simplify_parts(
    parts: Sequence[Part],
    model: TrainedSimplifier,
    n_best: int = 1,
    language: str = "en",
    keep_on_alarm: bool = False,
    batch: int = BATCH,
    advance: Callable[[int], object] = lambda number: None,
) -> list[SimplifiedPart]:
    """Return each part with its outputs, in order.

    Args:
        n_best: how many outputs at most; a model may have fewer.
        language: of the text, for the checks.
        keep_on_alarm: whether a sentence stays as it was where its best output has an alarm.
        batch: distinct sentences that the model is given at once, those of like length together.
        advance: called with the number of distinct sentences that are done.
    """
    found = answers([part.text for part in parts if not part.kept], model, n_best, batch, advance)
    by_sentence = {
        sentence: [Hypothesis(" ".join(item.text.split()), item.score) for item in row]
        for sentence, row in found.items()
    }
    pairs = [(sentence, item.text) for sentence, row in by_sentence.items() for item in row]
    checks = dict(zip(pairs, check_outputs(pairs), strict=True)) if language == LANGUAGE else {}
    simplified = []
    for part in parts:
        row = [] if part.kept else by_sentence[part.text]
        outputs = tuple(Output(item.text, item.score, checks.get((part.text, item.text))) for item in row)
        item = SimplifiedPart(part, outputs, part.kept)
        simplified.append(replace(item, kept="alarm") if keep_on_alarm and item.alarms else item)
    return simplified


def summary(simplified: Sequence[SimplifiedPart], file: str, most: int = 10) -> Iterator[str]:
    """Yield what the checks of English found in all, then the `most` sentences with most alarms as FILE:LINE."""
    sentences = [item for item in simplified if item.outputs]
    checks = [check for item in sentences if (check := item.outputs[0].check)]
    alarming = [item for item in sentences if item.alarms]
    counts = Counter(finding[:2] for check in checks for finding in check.findings)
    kinds = ", ".join(f"{number} {kind}s {change}" for (kind, change), number in sorted(counts.items()))
    yield f"checks: {len(alarming)} of {len(sentences)} sentences have alarms" + (f" ({kinds})" if kinds else "")
    if checks:
        before = sum(check.grade_before for check in checks) / len(checks)
        after = sum(check.grade_after for check in checks) / len(checks)
        copies, empty = sum(check.is_copy for check in checks), sum(check.is_empty for check in checks)
        yield f"checks: mean grade {before:.1f} before, {after:.1f} after; {copies} copies, {empty} empty outputs"
    for item in sorted(alarming, key=lambda item: -len(item.alarms))[:most]:
        yield f"{file}:{item.part.line}: {'; '.join(item.alarms)}"
    if len(alarming) > most:
        yield f"checks: {len(alarming) - most} more sentences with alarms; --format tsv lists them all"
