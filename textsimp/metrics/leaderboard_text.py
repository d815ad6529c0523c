"""What `textsimp leaderboard` prints: the table, then for each of the user's outputs what it beats and loses to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from textsimp.metrics.leaderboard_files import SUBMISSION
from textsimp.metrics.leaderboard_rewriting import CLASSES
from textsimp.metrics.leaderboard_tests import RANKED, VARIANTS
from textsimp.metrics.score_table import aligned, bounds_text

_MARK = ">"
_COLUMNS = (*RANKED, "fk", "len")
_SORTED_BY = VARIANTS[0]


def leaderboard_text(board: Mapping[str, Any]) -> list[str]:
    """The lines to print.

    Args:
        board: see `leaderboard.leaderboard`, with its `title`, the `resampling` and `alpha`.
    """
    resampling = board["resampling"]
    labels = system_labels(board["systems"])
    mine = [key for key, system in board["systems"].items() if system["kind"] == SUBMISSION]
    pairs = len(labels) * (len(labels) - 1) // 2
    lines = [f"{board['title']}: {board['sentences']} sentences, {board['references']} references", ""]
    lines += [*_table(board, labels), ""]
    for key in mine:
        lines += [*_own(board, key, labels), ""]
    lines += [f"{metric}: {board['signatures'][metric]}" for metric in _COLUMNS]
    lines.append(f"kinds of rewriting: {board['rewriting']['signature']}")
    return [
        *lines,
        f"intervals of scores and ranks: 95 percent, {resampling['samples']} resamples, seed {resampling['seed']}",
        f"beats, loses: p below {board['alpha']} by paired bootstrap and approximate randomisation, each corrected for "
        f"{pairs} pairs (Holm)",
    ]


def system_labels(systems: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The name of each system, with its training data or else its paper where several have the same name."""
    number = Counter(system["name"] for system in systems.values())
    return {
        key: f"{system['name']} ({_origin(system)})" if number[system["name"]] > 1 else system["name"]
        for key, system in systems.items()
    }


def _origin(system: Mapping[str, Any]) -> str:
    """What tells a system from others of its name."""
    return "yours" if system["kind"] == SUBMISSION else system["trained_on"] or system["paper"] or system["kind"]


def _table(board: Mapping[str, Any], labels: Mapping[str, str]) -> list[str]:
    """Scores with ranks, the best by the paper's variant first; the user's rows are marked."""
    rows: list[tuple[str, ...]] = [("", "system", *_COLUMNS)]
    systems = board["systems"]
    for key in sorted(labels, key=lambda key: (-systems[key]["scores"][_SORTED_BY], key)):
        mark = _MARK if systems[key]["kind"] == SUBMISSION else ""
        scores = systems[key]["scores"]
        cells = (f"{scores[metric]:.2f} ({board['ranks'][metric][key]['rank']})" for metric in RANKED)
        rows.append((mark, labels[key], *cells, *(f"{scores[metric]:.2f}" for metric in _COLUMNS[len(RANKED) :])))
    return aligned(rows, 2)


def _own(board: Mapping[str, Any], key: str, labels: Mapping[str, str]) -> Iterator[str]:
    """One of the user's outputs under every variant, and what it does to the sentences."""
    system, total = board["systems"][key], len(labels)
    rows: list[tuple[str, ...]] = [(labels[key], "score", "95% interval", "rank", "95% of ranks", "beats", "loses to")]
    outcomes = {metric: _outcomes(board["pairs"][metric], key, board["alpha"]) for metric in VARIANTS}
    for metric in VARIANTS:
        rank = board["ranks"][metric][key]
        score = f"{system['scores'][metric]:.2f}"
        bounds = bounds_text(*board["intervals"][key][metric], 2)
        counts = map(str, map(len, outcomes[metric]))
        rows.append((metric, score, bounds, f"{rank['rank']} of {total}", f"{rank['low']} to {rank['high']}", *counts))
    yield from aligned(rows, 1)
    for metric, (beaten, better) in outcomes.items():
        yield f"{metric}: beats {_listed(beaten, labels)}; loses to {_listed(better, labels)}"
    kinds = board["rewriting"]
    rows = [("percent of the sentences", *CLASSES)]
    for label, shares in ((labels[key], kinds["systems"][key]), ("people", kinds["references"])):
        rows.append((label, *(f"{shares[name]['value']:.1f}" for name in CLASSES)))
    yield from ("", *aligned(rows, 1))


def _outcomes(
    pairs: Mapping[str, Mapping[str, Mapping[str, float]]], key: str, alpha: float
) -> tuple[list[str], list[str]]:
    """The systems that one is significantly better than, and those that are better than it."""
    beaten, better = [], []
    for one, others in pairs.items():
        for other, tests in others.items():
            if key in (one, other) and tests["p_holm"] < alpha:
                ahead, behind = (one, other) if tests["difference"] > 0 else (other, one)
                (beaten if ahead == key else better).append(behind if ahead == key else ahead)
    return beaten, better


def _listed(keys: Sequence[str], labels: Mapping[str, str]) -> str:
    return ", ".join(sorted((labels[key] for key in keys), key=str.lower)) or "none"
