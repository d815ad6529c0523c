"""Edits as text: capitals, spaces, articles and marks as a reader expects them."""

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from textsimp.simplification.edit_tagger.edit_candidates import Edit
from textsimp.simplification.edit_tagger.edit_words import EditWord
from textsimp.simplification.edit_tagger.word_classes import BE, CONJUNCTIONS, PAST_VERBS, PREPOSITIONS, VERBS
from textsimp.simplification.word_forms import article_before

_Pairs = Set[tuple[str, str]]
"""Neighbours of the original, folded: what stood together before is right."""
_ENDS = (".", "!", "?")
_CLOSERS = (",", ";", ":", *_ENDS)
_NO_NOUN_PHRASE = BE | CONJUNCTIONS | (PREPOSITIONS - {"about", "around", "over", "under"})
"""Before these an `a` is a letter, as in `league a and league b`."""


def edited(words: Sequence[EditWord], edits: Sequence[Edit]) -> str:
    """The sentence after edits that do not overlap, in the casing and spacing of the original."""
    upper = any(word.text != word.text.lower() for word in words if word.folded.isalpha())
    shouted = upper and all(word.text.isupper() for word in words if len(word.folded) > 1 and word.folded.isalpha())
    spaced = any(word.spaced for word in words if word.folded in (",", "."))
    by_start = {edit.start: edit for edit in edits}
    result: list[EditWord] = []
    index = 0
    while index < len(words):
        edit = by_start.get(index)
        if edit is None:
            result.append(words[index])
            index += 1
            continue
        written = _written(edit, words, upper, spaced)
        result.extend(replace(word, text=word.text.upper()) if shouted else word for word in written)
        index = edit.end
    if not edits:
        return _joined(result)
    met = {("", words[0].folded), *((word.folded, following.folded) for word, following in pairwise(words))}
    result = _articles(_marks(result, spaced, met), met)
    return _joined(_capitals(result, met) if upper else result)


def _written(edit: Edit, words: Sequence[EditWord], upper: bool, spaced: bool) -> list[EditWord]:
    first = words[edit.start]
    written = []
    for number, text in enumerate(edit.target):
        shown = text[0].upper() + text[1:] if upper and number == 0 and first.text[0].isupper() else text
        apart = spaced if text in _CLOSERS else number > 0 or first.spaced
        written.append(EditWord(shown, text, apart))
    return written


def _marks(words: Sequence[EditWord], spaced: bool, met: _Pairs) -> list[EditWord]:
    """Without marks that deletion left: two in a row, a comma at the beginning, inside a bracket or before a stop."""
    kept: list[EditWord] = []
    for index, word in enumerate(words):
        if kept and (kept[-1].folded, word.folded) in met:
            kept.append(word)
            continue
        behind = words[index + 1].folded if index + 1 < len(words) else ""
        if word.folded == "," and kept and kept[-1].folded == "," and behind in VERBS | PAST_VERBS:
            if sum(earlier.folded == "," for earlier in kept) == 1:  # `the jury, however, was`
                kept.pop()
            continue
        if word.folded in (",", ";", ":") and (not kept or kept[-1].folded in ("(", "[", ",", ";", ":", *_ENDS)):
            continue
        if word.folded in (*_ENDS, ")", "]") and kept and kept[-1].folded in (",", ";", ":"):
            kept.pop()
        if word.folded == "." and kept and kept[-1].folded in _ENDS:
            continue
        if word.folded in (")", "]") and kept and kept[-1].folded in ("(", "["):
            kept.pop()
            continue
        if word.folded in _CLOSERS and not spaced and word.spaced and kept and kept[-1].is_word:
            word = EditWord(word.text, word.folded, False)
        kept.append(word)
    return kept


def _articles(words: Sequence[EditWord], met: _Pairs) -> list[EditWord]:
    """With `a` or `an` as the next word asks for, where the two did not meet in the original."""
    result = list(words)
    for index, (article, following) in enumerate(pairwise(words)):
        is_new = (article.folded, following.folded) not in met
        is_article = article.folded in ("a", "an") and following.folded not in _NO_NOUN_PHRASE
        if is_article and is_new and following.folded[0].isalpha():
            right = article_before(following.folded)
            if right != article.folded:
                shown = right.capitalize() if article.text[0].isupper() else right
                result[index] = EditWord(shown, right, article.spaced)
    return result


def _capitals(words: Sequence[EditWord], met: _Pairs) -> list[EditWord]:
    """With a capital at the beginning of the text and of what a new full stop begins."""
    result = list(words)
    for index, word in enumerate(result):
        before = result[index - 1].folded if index else ""
        if word.folded[0].isalnum() and before in ("", *_ENDS) and (before, word.folded) not in met:
            result[index] = EditWord(word.text[0].upper() + word.text[1:], word.folded, word.spaced)
    return result


def _joined(words: Sequence[EditWord]) -> str:
    return "".join(" " * (word.spaced and index > 0) + word.text for index, word in enumerate(words))
