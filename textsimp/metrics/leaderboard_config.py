"""The systems and test sets of the leaderboard: section `leaderboard` of params.yaml."""

from dataclasses import dataclass

from textsimp.errors import InputError
from textsimp.metrics.text_form import checked_form

IDENTITY = "identity"
"""The key of the unchanged input."""


@dataclass(frozen=True)
class LeaderboardTestSet:
    """One test set.

    title: as printed.
    complex: the file of its complex sentences, below the folder of the releases.
    references: what the names of its reference files begin with; 0, 1, ... follows.
    form: how texts are brought to one form before they are scored, of `text_form.FORMS`.
    """

    title: str
    complex: str
    references: str
    form: str

    def __post_init__(self) -> None:
        checked_form(self.form)


@dataclass(frozen=True)
class LeaderboardSystem:
    """One released output.

    name: of the system, as printed.
    paper: where the system is from, with the year.
    released_with: the paper or package that the output was released with.
    trained_on: what its authors trained it on; null where the release does not say.
    output: the file, below the folder of the releases.
    """

    name: str
    paper: str
    released_with: str
    trained_on: str | None
    output: str


@dataclass(frozen=True)
class LeaderboardConfig:
    """Section `leaderboard` of params.yaml.

    alpha: differences with a corrected p below it are called significant.
    language: of all texts, for the kinds of rewriting; a name of `rewriting.languages.LANGUAGES`.
    test_sets, systems: by key. The key of a system stands in the JSON.
    """

    alpha: float
    language: str
    test_sets: dict[str, LeaderboardTestSet]
    systems: dict[str, LeaderboardSystem]

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise InputError(f"leaderboard.alpha: {self.alpha} is not between 0 and 1; correct it under conf/")
        if IDENTITY in self.systems:
            raise InputError(f"leaderboard.systems.{IDENTITY}: the name of the unchanged input; choose another key")

    def test_set(self, name: str) -> LeaderboardTestSet:
        """A test set by its key; `InputError` where there is none."""
        if name not in self.test_sets:
            raise InputError(f"leaderboard test set {name!r}: unknown; there is {', '.join(sorted(self.test_sets))}")
        return self.test_sets[name]
