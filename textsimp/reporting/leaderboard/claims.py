"""Table 8 as claims, from the outputs that were released with it: the paper's own systems on its own test set."""

from textsimp.reporting.claims import Claim, above, best_of
from textsimp.reporting.leaderboard.results import Board, Leaderboard
from textsimp.reporting.names import PAPER, PRINTED
from textsimp.reporting.published import Published

_BOARD, _METRIC = "turk", "sari"
_BEST = ("Transformer_bert", "wiki_auto")
_NEW, _OLD = "wiki_auto", "wikilarge"


def released_claims(leaderboard: Leaderboard | None, published: Published) -> list[Claim]:
    """New data over old for each model, and Transformer_bert on new data over the best other system of the table."""
    board = next((board for board in leaderboard.boards if board.key == _BOARD), None) if leaderboard else None
    if board is None:
        return []
    rows = published.simplification("wiki", _BOARD).items()
    printed = {(name, training): float(row["sari"]) for (training, name), row in rows if row["sari"]}
    keys = {system: key for key, system in _papers(board).items() if system in printed}
    claims = [
        _claim(board, keys, printed, (name, _NEW), (name, _OLD), f"SARI: {name}, new data > old data")
        for name, training in keys
        if training == _NEW and (name, _OLD) in keys
    ]
    others = {system: printed[system] for system in keys if system != _BEST}
    if _BEST in keys and others:
        best, _ = best_of(others)
        text = f"SARI: {_BEST[0]}, new data > best other of Table 8 ({best[0]}, {PRINTED[best[1]]})"
        claims.append(_claim(board, keys, printed, _BEST, best, text))
    return claims


def _claim(
    board: Board,
    keys: dict[tuple[str, str], str],
    printed: dict[tuple[str, str], float],
    one: tuple[str, str],
    other: tuple[str, str],
    text: str,
) -> Claim:
    a, b = keys[one], keys[other]
    ours = board.systems[a].scores[_METRIC], board.systems[b].scores[_METRIC]
    return above(text, ours, (printed[one], printed[other]), board.significance.difference(_METRIC, a, b))


def _papers(board: Board) -> dict[str, tuple[str, str]]:
    """Name and training set, as the published tables write it, of the systems released with the paper, by key."""
    columns = {words: name for name, words in PRINTED.items()}
    return {
        key: (system.name, columns.get(system.trained_on, ""))
        for key, system in board.systems.items()
        if system.released_with == PAPER
    }
