"""Edit operations of a unit, as counts and rates, and the word operations of Coster and Kauchak 2011 (F1).

Counts are of content words unless named otherwise: light words come and go with the grammar.
"""

from dataclasses import asdict, dataclass

from textsimp.metrics.rewriting.pairs import AlignedUnit
from textsimp.metrics.rewriting.runs import Replacement, blocks, moved, replacements, split_points
from textsimp.metrics.rewriting.word_match import Match


@dataclass(frozen=True)
class EditOperations:
    """Counts of one unit, or sums over units.

    Attributes:
        complex_words, simple_words: content words of both sides.
        kept: complex words that stay, in whatever case, spelling and form; `inflected` of them in another form.
        substituted: complex words in whose place other words stand, or that became a similar word.
        deleted: complex words in whose place nothing stands; `deleted_runs` is in how many pieces.
        inserted: simple words that stand in the place of nothing; `inserted_runs` is in how many pieces.
        written: simple words that stand in the place of others, the counterpart of `substituted`.
        moved: kept words that left the common order; `moved_blocks` is how many pieces changed places.
        split_points: see `runs.split_points`.
        light_deleted, light_inserted: light words without a link.
    """

    complex_words: int = 0
    simple_words: int = 0
    kept: int = 0
    inflected: int = 0
    substituted: int = 0
    deleted: int = 0
    deleted_runs: int = 0
    inserted: int = 0
    inserted_runs: int = 0
    written: int = 0
    moved: int = 0
    moved_blocks: int = 0
    split_points: int = 0
    light_deleted: int = 0
    light_inserted: int = 0

    def __add__(self, other: "EditOperations") -> "EditOperations":
        a, b = asdict(self), asdict(other)
        return EditOperations(**{name: a[name] + b[name] for name in a})

    def rates(self) -> dict[str, float]:
        """Kept, substituted, deleted and moved per complex word; inserted and written per simple word."""
        complex_words, simple_words = max(self.complex_words, 1), max(self.simple_words, 1)
        rates = {name: getattr(self, name) / complex_words for name in ("kept", "substituted", "deleted", "moved")}
        return rates | {name: getattr(self, name) / simple_words for name in ("inserted", "written")}


@dataclass(frozen=True)
class WordOperations:
    """Which operations of Coster and Kauchak's Table 2 occur in a unit; they do not exclude each other.

    Attributes:
        rewordings: a complex word became a different simple word, another form of it included.
        deletions: a complex word has no counterpart.
        reorders: the alignment is not monotonic.
        splits: a complex word became several simple ones.
        merges: several complex words became one.
    """

    rewordings: bool = False
    deletions: bool = False
    reorders: bool = False
    splits: bool = False
    merges: bool = False


def edit_operations(unit: AlignedUnit, words_per_new: float) -> EditOperations:
    """Count the operations of one unit.

    Args:
        unit: with its words linked.
        words_per_new: so many complex words one simple word can stand for; more of them in its place were deleted.
    """
    runs = replacements(unit)
    content = unit.content_links
    reworded = sum(link.match >= Match.SIMILAR for link in content)
    replaced = [_replaced(run, words_per_new) for run in runs]
    lost = [len(run.complex) - count for run, count in zip(runs, replaced, strict=True)]
    inserted = [len(run.simple) for run in runs if not run.complex]
    order = [link.simple for link in content]
    light_links = len(unit.links) - len(content)
    return EditOperations(
        complex_words=sum(not word.light for word in unit.complex_words),
        simple_words=sum(not word.light for word in unit.simple_words),
        kept=len(content) - reworded,
        inflected=sum(link.match == Match.INFLECTION for link in content),
        substituted=reworded + sum(replaced),
        deleted=sum(lost),
        deleted_runs=sum(count > 0 for count in lost),
        inserted=sum(inserted),
        inserted_runs=len(inserted),
        written=reworded + sum(len(run.simple) for run in runs if run.complex),
        moved=moved(order),
        moved_blocks=max(blocks(order) - 1, 0),
        split_points=split_points(unit),
        light_deleted=sum(word.light for word in unit.complex_words) - light_links,
        light_inserted=sum(word.light for word in unit.simple_words) - light_links,
    )


def word_operations(unit: AlignedUnit, words_per_new: float) -> WordOperations:
    """Which of Coster and Kauchak's word operations occur (Table 2), from our alignment instead of GIZA++'s.

    Args: as for `edit_operations`.
    """
    runs = replacements(unit)
    facing = [run for run in runs if run.complex and run.simple]
    joined = [(unit.complex_words[link.complex].parts, unit.simple_words[link.simple].parts) for link in unit.links]
    return WordOperations(
        rewordings=bool(facing) or any(link.match >= Match.INFLECTION for link in unit.content_links),
        deletions=any(len(run.complex) > _replaced(run, words_per_new) for run in runs),
        reorders=moved([link.simple for link in unit.content_links]) > 0,
        splits=any(b > a for a, b in joined) or any(len(run.simple) > len(run.complex) for run in facing),
        merges=any(a > b for a, b in joined) or any(len(run.complex) > len(run.simple) for run in facing),
    )


def _replaced(run: Replacement, words_per_new: float) -> int:
    """How many of a run's complex words the simple words in their place can stand for."""
    return min(len(run.complex), int(words_per_new * len(run.simple)))
