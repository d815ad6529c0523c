"""Table 8 as claims from the released outputs: which rows they take, and what they say."""

from pathlib import Path

import pytest

from textsimp.reporting.leaderboard.claims import released_claims
from textsimp.reporting.leaderboard.results import Board, Kinds, Leaderboard, RankedSystem
from textsimp.reporting.names import PAPER
from textsimp.reporting.published import Published
from textsimp.reporting.significance import Difference, Significance

PUBLISHED = Published(Path(__file__).resolve().parent.parent / "data" / "published")
SARIS = {
    "bert.new": ("Transformer_bert", "Wiki-Auto", 36.5),
    "bert.old": ("Transformer_bert", "WikiLarge", 35.0),
    "nts.new": ("EditNTS", "Wiki-Auto", 36.9),
    "lstm.new": ("LSTM", "Wiki-Auto", 34.0),
    "access": ("ACCESS", "WikiLarge", 39.0),
}


@pytest.fixture
def leaderboard() -> Leaderboard:
    """Five systems, of which ACCESS is not the paper's; all differences within one point are chance."""
    systems = {
        key: RankedSystem(name, "released", PAPER, PAPER if key != "access" else "others", trained, {"sari": sari})
        for key, (name, trained, sari) in SARIS.items()
    }
    pairs = {
        a: {
            b: Difference(d := one.scores["sari"] - systems[b].scores["sari"], d - 1, d + 1, 0.01, 0.01)
            for b in list(systems)[place + 1 :]
        }
        for place, (a, one) in enumerate(systems.items())
    }
    significance = Significance({}, {"sari": pairs})
    board = Board(
        "turk", "TURK", 359, 8, "released", {}, systems, {}, {}, significance, {}, (), (), Kinds("", {}, {}), 100, 0.05
    )
    return Leaderboard((board,))


def test_claims_of_the_released_outputs(leaderboard: Leaderboard) -> None:
    new, best = released_claims(leaderboard, PUBLISHED)
    assert new.text == "SARI: Transformer_bert, new data > old data"
    assert (str(new.ours), new.paper, new.verdict) == ("36.5 > 35.0", "36.6 > 35.3", "yes")
    assert best.text.endswith("(EditNTS, Wiki-Auto)") and best.paper == "36.6 > 36.4"
    assert str(best.ours) == "36.5 < 36.9" and best.verdict == "no, within chance"


def test_no_leaderboard_no_claims() -> None:
    assert released_claims(None, PUBLISHED) == [] and released_claims(Leaderboard(()), PUBLISHED) == []
