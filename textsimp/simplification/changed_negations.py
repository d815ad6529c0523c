"""What became of the negations of a sentence in another one.

A negation is kept where the other text denies a word that became of what it denies, and moved where one stands near; it
may be said by a word that implies it (`failed to`, `unable`), and such a word may be what is gone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from textsimp.simplification.compared_texts import ComparedTexts, Side
from textsimp.simplification.findings import Change, Fact, Finding
from textsimp.simplification.written_negations import (
    NEGATIONS,
    Negation,
    bare_forms,
    denials_of,
    denied,
    implied_negations,
    negations_of,
)


class Negations:
    """The negations of both texts."""

    def __init__(self, texts: ComparedTexts) -> None:
        self._texts = texts
        self._before, self._after = (negations_of(side.words, side.begins) for side in (texts.before, texts.after))

    def changed(self) -> list[Finding]:
        """Those that only one of the texts has."""
        texts = self._texts
        gone = self._gone()
        new = [n for n in self._after if not _is_kept(n, texts.input_position, texts.before, self._before)]
        for negation in list(new):
            moved = next((before for before in gone if self._is_near(before, negation)), None)
            if moved is not None:
                gone.remove(moved)
                new.remove(negation)
        findings = [Finding(Fact.NEGATION, self._severity(negation), negation.text) for negation in gone]
        findings += [Finding(Fact.NEGATION, Change.INVENTED, n.text) for n in new if not self._is_reworded(n)]
        return findings + list(dict.fromkeys([*self._prefixes(), *self._strong()]))

    def _strong(self) -> list[Finding]:
        """Words that deny what follows (`failed to pay`), where the other text says it without a denial (`paid`)."""
        texts = self._texts
        lost = self._unsaid(texts.before, texts.after, texts.output_position, self._after, self._implied_after)
        new = self._unsaid(texts.after, texts.before, texts.input_position, self._before, self._implied_before)
        return _lost_and_invented(lost, new)

    @staticmethod
    def _unsaid(
        side: Side, facing: Side, links: Mapping[int, int], negations: Sequence[Negation], implied: set[int]
    ) -> Iterator[str]:
        for negation in denials_of(side.words, side.begins):
            linked = _linked(negation.scope[:2], links)
            is_said = any(denied(facing.words, negations, position) for position in linked)
            if linked and negation.text.lower() not in facing.folded and not is_said and not implied:
                yield negation.text

    def _gone(self) -> list[Negation]:
        """Negations of the input that none of the output stands for; one stands for several where `or` joins them."""
        after, taken, gone = self._texts.after, set[int](), []
        for negation in self._before:
            linked = _linked(negation.scope, self._texts.output_position)
            covers = [
                (cover.position, position)
                for cover in self._after
                for position in linked
                if denied(after.words, [cover], position)
            ]
            if self._is_doubled(negation):
                continue
            if not covers or all(at in taken and _is_apart(after, at, position) for at, position in covers):
                gone.append(negation)
            else:
                taken.add(next((at for at, _ in covers if at not in taken), covers[0][0]))
        return gone

    def _is_doubled(self, negation: Negation) -> bool:
        """Whether it denies a denial that the output has not either: `not illegal`."""
        denial = self._texts.before.words[negation.position + 1 : negation.position + 2]
        return any(bare_forms(word.folded) and word.folded not in self._texts.after.folded for word in denial)

    def _is_near(self, before: Negation, after: Negation) -> bool:
        """Whether a negation of the input and one of the output stand among the same words."""
        linked = _linked(_around(before), self._texts.output_position)
        return not linked or any(abs(position - after.position) <= _AROUND for position in linked)

    def _severity(self, negation: Negation) -> Change:
        """What became of a negation of the input that the output has not."""
        texts = self._texts
        is_bare = bool(_linked(negation.scope, texts.output_position)) and not self._is_implied(negation)
        strands_a_verb = bool(texts.after.stranded - texts.before.stranded)
        is_cut = texts.closes(negation.position, negation.position + 1) and not self._implied_after
        lost = is_bare or strands_a_verb or (is_cut and not self._is_contrast(negation))
        return Change.LOST if lost else Change.LEFT_OUT

    def _is_implied(self, negation: Negation) -> bool:
        """Whether a word of the output says no instead: beside what is denied, or anywhere where that is reworded."""
        nearest = _linked(negation.scope[:2], self._texts.output_position)
        return _is_beside(nearest, self._implied_after) if nearest else bool(self._implied_after)

    def _is_contrast(self, negation: Negation) -> bool:
        """Whether another part is put in place of what is denied: `not a road but a network`."""
        words = self._texts.before.words[max(negation.scope, default=negation.position) :][:2]
        return any(word.folded == "but" for word in words)

    def _is_reworded(self, negation: Negation) -> bool:
        """Whether a new negation comes of a word that implied it, near it where not all that it denies is new."""
        links = self._texts.input_position
        inserted = negation.text.lower() in _ADVERBS and negation.position - 1 in links
        if not inserted and not _linked(negation.scope, links):
            return bool(self._implied_before) or negation.text.lower() == "without"
        origins = _linked(negation.scope[:2], links) or _linked(_around(negation), links)
        return _is_beside(origins, self._implied_before) or self._stands_for_implied(negation)

    def _stands_for_implied(self, negation: Negation) -> bool:
        """Whether the input implies it between the words that it stands between: `who failed to write`, `did not`."""
        links = self._texts.input_position
        left = next((links[at] for at in range(negation.position - 1, -1, -1) if at in links), -1)
        right = next((links[at] for at in negation.scope if at in links), left)
        return any(left < position < right for position in self._implied_before)

    @cached_property
    def _implied_before(self) -> set[int]:
        return implied_negations(self._texts.before.words, self._texts.after.words)

    @cached_property
    def _implied_after(self) -> set[int]:
        return implied_negations(self._texts.after.words, self._texts.before.words)

    def _prefixes(self) -> list[Finding]:
        """Words that say no by their prefix or ending, and stand without it in the other text."""
        before, after = self._texts.before, self._texts.after
        lost = _without_prefix(before, after, self._after, self._implied_after)
        new = _without_prefix(after, before, self._before, self._implied_before)
        return _lost_and_invented(lost, new)


def _lost_and_invented(lost: Iterable[str], invented: Iterable[str]) -> list[Finding]:
    changes = ((Change.LOST, lost), (Change.INVENTED, invented))
    return [Finding(Fact.NEGATION, change, word) for change, words in changes for word in words]


def _is_apart(side: Side, start: int, end: int) -> bool:
    """Whether a denial ends between these words: `cannot read and wants to`, not `cannot read or write`."""
    between = range(start + 1, end)
    words = {side.words[position].folded for position in between}
    is_ended = "and" in words or "but" in words or any(map(side.begins, between))
    return is_ended and words.isdisjoint(("or", "nor"))


def _is_kept(negation: Negation, links: Mapping[int, int], facing: Side, facing_negations: Sequence[Negation]) -> bool:
    """Whether the other text denies a word that became of what a negation denies."""
    linked = _linked(negation.scope, links)
    return any(denied(facing.words, facing_negations, position) for position in linked)


def _without_prefix(
    side: Side, facing: Side, facing_negations: Sequence[Negation], facing_implied: set[int]
) -> Iterator[str]:
    """The words of a side, such as `unable`, that the other one has without what denies them."""
    for before, word in pairwise([None, *side.words]):
        if word is None or word.folded in facing.folded or (before and before.folded in NEGATIONS):
            continue
        bare = bare_forms(word.folded)
        positions = [position for position, other_word in enumerate(facing.words) if other_word.folded in bare]
        if not positions or not bare.isdisjoint(side.folded):
            continue
        if not any(
            denied(facing.words, facing_negations, position) or _is_beside([position], facing_implied)
            for position in positions
        ):
            yield word.text


def _linked(positions: Iterable[int], links: Mapping[int, int]) -> list[int]:
    """Where the words at these positions stand in the other text, without those that it has not."""
    return [links[position] for position in positions if position in links]


def _around(negation: Negation) -> range:
    return range(negation.position - _AROUND, negation.position + _AROUND + 1)


def _is_beside(positions: Sequence[int], implied: set[int]) -> bool:
    return any(abs(position - implying) <= _NEAR for position in positions for implying in implied)


_ADVERBS = ("not", "never", "hardly")
"""Negations that can be put into a sentence whose other words stay."""
_NEAR = 3
"""Words between a word that implies a negation and one that it is said of."""
_AROUND = 5
"""Words on either side of a negation that say where it stands."""
