"""What became of the numbers, names and negations of a sentence in another one: lost, invented, left out.

What is missing comes in two severities: `lost` where the words around it are still there, `left out` where they went
with it. Where a text has a fact elsewhere, what stands beside it says whether it is still said of the same thing (`12
cats and 3 dogs`, `3 cats and 12 dogs`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textsimp.metrics.rewriting.word_links import Word
from textsimp.simplification.changed_negations import Negations
from textsimp.simplification.compared_texts import ComparedTexts, Side
from textsimp.simplification.findings import Change, Fact, Finding
from textsimp.simplification.written_names import Name, has_name, is_common, is_same_name, is_slip, names_of
from textsimp.simplification.written_numbers import MONTHS, Number, numbers_of, same_number


@dataclass(frozen=True)
class _Missing:
    """A number or a name of the input that the output has not, `end` exclusive.

    Attributes:
        by_the_way: whether it never alarms: `first`, or some of the words of a name.
    """

    fact: Fact
    start: int
    end: int
    text: str
    by_the_way: bool


def changed_facts(texts: ComparedTexts, judged: Sequence[Fact]) -> list[Finding]:
    """The facts of these kinds that the two texts do not share."""
    names = _Names(texts) if Fact.NAME in judged else None
    numbers = _Numbers(texts)
    missing = [*numbers.missing, *(names.missing if names else ())]
    missing_words = {position for gap in missing for position in range(gap.start, gap.end)}
    findings = [Finding(gap.fact, _severity(texts, gap, missing_words), gap.text) for gap in missing]
    if names and texts.dangles and not any(finding.change is Change.LOST for finding in findings):
        findings += names.repeated()
    findings += numbers.invented()
    findings += names.invented() if names else []
    return findings + (Negations(texts).changed() if Fact.NEGATION in judged else [])


def _severity(texts: ComparedTexts, missing: _Missing, missing_words: set[int]) -> Change:
    """Whether a fact was cut out, alone or with those beside it (`11 July 2006`), or went with what it is said of."""
    start, end = missing.start, missing.end
    while start - 1 in missing_words:
        start -= 1
    while end in missing_words:
        end += 1
    is_number = missing.fact is Fact.NUMBER
    may_alarm = not missing.by_the_way or (not is_number and texts.dangles)
    is_cut = texts.is_cut(missing.start, missing.end) or texts.closes(start, end)
    is_bare = is_number and texts.is_bare(missing.start, missing.end)
    return Change.LOST if may_alarm and (is_cut or is_bare) else Change.LEFT_OUT


class _Numbers:
    """The numbers of both texts."""

    def __init__(self, texts: ComparedTexts) -> None:
        self._texts = texts
        self._before, self._after = numbers_of(texts.before.words), numbers_of(texts.after.words)
        replacing = [number for number in self._after if not _is_kept_word(number, texts.before)]
        self.missing = [
            _Missing(Fact.NUMBER, number.start, number.end, number.text, number.soft)
            for number in self._before
            if (number.told or not number.soft)
            and not _is_kept_word(number, texts.after)
            and not same_number(number, replacing)
        ]

    def invented(self) -> list[Finding]:
        """The new numbers, and those that stand where another one stood."""
        replaced = [number for number in self._before if not _is_kept_word(number, self._texts.after)]
        none_missing = all(missing.by_the_way for missing in self.missing)
        new = [
            number
            for number in self._after
            if not number.soft
            and not same_number(number, replaced)
            and not self._texts.after.enumerates(number)
            and not (none_missing and self._counts(number))
        ]
        invented = [number.text for number in [*new, *self._exchanged()]]
        invented += sorted(self._texts.after.currency_signs - known if (known := self._texts.before.currencies) else ())
        return [Finding(Fact.NUMBER, Change.INVENTED, text) for text in invented]

    def _exchanged(self) -> Iterator[Number]:
        """Numbers that stand beside a word beside which the input has another one: `3 cats` for `12 cats`.

        The other one is gone, or stands where this one stood; else the words were only put in another order.
        """
        pairs = [(old, new) for old in self._before for new in self._after if not same_number(old, [new])]
        beside_one_word = [pair for pair in pairs if self._replaces(*pair)]
        for old, new in pairs:
            swapped = any(same_number(old, [after]) and same_number(new, [before]) for before, after in beside_one_word)
            replaced = (old, new) in beside_one_word and (swapped or not same_number(old, self._after))
            if replaced or self._is_turned(old, new):
                yield new

    def _is_turned(self, old: Number, new: Number) -> bool:
        """Whether two numbers changed places, each of them now between the words that were around the other one."""
        old_before, new_before = ([n for n in self._before if same_number(n, [number])] for number in (old, new))
        old_after = [number for number in self._after if same_number(number, [old])]
        if not len(old_before) == len(new_before) == len(old_after) == 1:
            return False
        before, after = self._texts.before, self._texts.after
        around_old, around_new = _between(before, old), _between(before, new_before[0])
        now_around_old, now_around_new = _between(after, old_after[0]), _between(after, new)
        turned = _agree(around_old, now_around_new) + _agree(around_new, now_around_old)
        unturned = _agree(around_old, now_around_old) + _agree(around_new, now_around_new)
        return turned >= 3 and unturned <= 1

    def _replaces(self, old: Number, new: Number) -> bool:
        """Whether a number of the output stands beside the same content word as another one of the input."""
        texts = self._texts
        if (old.soft and not old.told) or (new.soft and not new.told) or _is_kept_word(new, texts.before):
            return False
        beside_old = {(side, texts.output_position.get(position)) for side, position in _beside(texts.before, old)}
        return not beside_old.isdisjoint(_beside(texts.after, new))

    def _counts(self, number: Number) -> bool:
        """Whether a new number word may say how many things the input lists, no number of the input being missing."""
        before = self._texts.before
        joints = sum(word.folded in ("and", "or") for word in before.words) + "".join(before.marks).count(",")
        return not number.digits and all(2 <= float(value) <= joints + 1 for value in number.values)


def _is_kept_word(number: Number, other_side: Side) -> bool:
    """Whether a number is only said by the way, by a word that both sides have: it stands for no other number."""
    return number.soft and number.text.lower() in other_side.folded


class _Names:
    """The names of both texts."""

    def __init__(self, texts: ComparedTexts) -> None:
        self._texts, self._cased = texts, texts.cased
        before, after = texts.before, texts.after
        self._before = names_of(before.words, before.begins, after.words, texts.cased)
        self._after = names_of(after.words, after.begins, before.words, texts.cased)
        self.missing = [missing for name in self._before for missing in self._missing(name)]

    def _missing(self, name: Name) -> Iterator[_Missing]:
        input_words, output_words = self._texts.before.words, self._texts.after.words
        if _is_month_in_digits(name, numbers_of(output_words)):
            return
        missing = [word for word in name.words if not has_name(word, input_words, output_words, self._cased)]
        if len(missing) == len(name.words):
            yield _Missing(Fact.NAME, name.start, name.end, name.text, False)
        elif told := [word.text for word in missing if not is_common(word)]:
            yield _Missing(Fact.NAME, name.start, name.end, " ".join(told), True)

    def repeated(self) -> list[Finding]:
        """Names that the output has less often, where it has a hole that no other fact explains."""
        texts = self._texts
        return [
            Finding(Fact.NAME, Change.LOST, name.text)
            for name in self._before
            if not any(position in texts.output_position for position in range(name.start, name.end))
            and all(self._count(word, texts.before.words) > self._count(word, texts.after.words) for word in name.words)
        ]

    def _count(self, name: Word, words: Sequence[Word]) -> int:
        return sum(is_same_name(name, word, self._cased) for word in words)

    def invented(self) -> list[Finding]:
        """The new names."""
        before, after = self._texts.before, self._texts.after
        return [
            Finding(Fact.NAME, Change.INVENTED, word.text)
            for name in self._after
            for word in name.words
            if not has_name(word, after.words, before.words, self._cased)
            and not is_common(word)
            and (self._cased or not is_slip(word.folded, before.folded))
        ]


def _is_month_in_digits(name: Name, numbers: Sequence[Number]) -> bool:
    """Whether a month stands as a number in the other text: 9/22 for September 22."""
    in_digits = [number for number in numbers if number.digits]
    return any(same_number(month, in_digits) for month in numbers_of(name.words))


def _beside(side: Side, number: Number) -> Iterator[tuple[int, int]]:
    """The content words next to a number, as direction and position, a light word aside; no month or number is one."""
    around = [*side.words[max(0, number.start - 1) : number.start], *side.words[number.end : number.end + 1]]
    if any(word.folded in MONTHS for word in around):
        return
    if number.end < len(side.words) and not side.begins(number.end) and _says_what(side.words[number.end]):
        yield 1, number.end
    for position in (number.start - 1, number.start - 2):
        if position < 0 or side.begins(position + 1) or side.words[position].folded == "between":
            return
        if not side.words[position].light:
            if _says_what(side.words[position]):
                yield -1, position
            return


def _between(side: Side, number: Number) -> tuple[str, str]:
    """The words before and behind a number, `.` for a mark."""
    before = "." if side.begins(number.start) else side.words[number.start - 1].folded
    return before, side.follows(number.end - 1)


def _agree(around: tuple[str, str], now_around: tuple[str, str]) -> int:
    return sum(word == now for word, now in zip(around, now_around, strict=True))


def _says_what(word: Word) -> bool:
    return not word.light and not word.number and word.folded not in MONTHS
