"""The command `textsimp leaderboard`, and the public releases, in a folder, a mirror or a cache."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from textsimp.cli.command import (
    LINES_FILE,
    AsJson,
    Reads,
    Samples,
    ScoreCommand,
    Seed,
    aligned,
    bounds_text,
    command,
    note,
    resampling_of,
)
from textsimp.core.errors import InputError, check_choice
from textsimp.core.params import from_conf
from textsimp.core.reading import read_sentences
from textsimp.core.results import Estimate, Results
from textsimp.core.writing import user_cache

if TYPE_CHECKING:
    from textsimp.evaluation.leaderboard import LeaderboardConfig

EXPERIMENT = "published"
"""The experiment of conf/ that names the releases."""

Mirror = Annotated[
    str | None, Option(envvar="TEXTSIMP_MIRROR", help="Mirror of the releases, tried before the network.")
]
Releases = Annotated[Path | None, Option(help="Folder that has the releases already; nothing is fetched."), Reads()]
_FEW = 0.05
"""Share of lines that may differ from Treebank tokens without a word about it."""


@command(
    "Rank outputs among the released ones.",
    "textsimp leaderboard --output mine.txt",
    "textsimp leaderboard --output a.txt b.txt --name A B --test-set asset --mirror /data/releases",
    cls=ScoreCommand,
)
def leaderboard(
    output: Annotated[
        list[Path], Option("--output", help="Your outputs, one simplification per line of the test set."), LINES_FILE
    ],
    name: Annotated[
        list[str] | None, Option("--name", help="Names of the outputs, in order; by default those of the files.")
    ] = None,
    test_set: Annotated[str, Option("--test-set", "-t", help="Test set: turk, asset or coster_kauchak.")] = "turk",
    form: Annotated[str | None, Option(help="Form of all texts: released or treebank.")] = None,
    mirror: Mirror = None,
    releases: Releases = None,
    samples: Samples = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> str:
    """Rank your outputs among the released ones: every variant of SARI, with intervals and significance."""
    from textsimp.evaluation.leaderboard import LeaderboardConfig, add_leaderboard  # numpy, scipy are slow to import
    from textsimp.metrics.sari import PAPER_MAX_TOKENS
    from textsimp.metrics.tokens import RELEASED, TREEBANK

    if form is not None:
        check_choice("--form", form, (RELEASED, TREEBANK))
    board = from_conf("leaderboard", LeaderboardConfig, f"experiment={EXPERIMENT}")
    submissions, form = _named(output, name), form or board.test_set(test_set).form
    resampling, pairs = resampling_of(samples, seed), math.comb(len(system_labels(board, test_set, submissions)), 2)
    if pairs >= board.alpha * (resampling.samples + 1):  # the smallest p, corrected
        few = f"--samples {resampling.samples}: too few to tell {pairs} pairs apart"
        raise InputError(f"{few}; give {int(pairs / board.alpha)} at least")
    results = Results(resampling=resampling, notes={"alpha": str(board.alpha)})
    folder = release_folder(board.folders(test_set), mirror, releases)
    add_leaderboard(results, folder, test_set, submissions, board, PAPER_MAX_TOKENS, resampling, form)
    if form == RELEASED:
        _warn_of_form(submissions)
    typer.echo(results.to_json() if as_json else "\n".join(leaderboard_text(results, test_set, board, submissions)))
    return f"{test_set}: {len(submissions)} of your outputs among {len(board.made_for(test_set)) + 1} systems"


def leaderboard_text(
    results: Results, scope: str, board: "LeaderboardConfig", submissions: Mapping[str, Path]
) -> list[str]:
    """The printed text: the table, then for each of the user's outputs which systems it beats or loses to."""
    from textsimp.metrics.ranking import RANKED
    from textsimp.metrics.registry import REFERENCE

    labels = system_labels(board, scope, submissions)
    sentences, references = (results.value(scope, REFERENCE, number) for number in ("sentences", "references"))
    lines = [f"{board.test_sets[scope].title}: {sentences} sentences, {references} references", ""]
    lines += [*_table(results, scope, labels, submissions), ""]
    for key in submissions:
        lines += [*_own(results, scope, key, labels, board.alpha), ""]
    lines += [f"{metric}: {results.signatures[f'{metric}@{scope}']}" for metric in (*RANKED, "fk", "len")]
    lines.append(f"kinds of rewriting: {results.signatures['rewriting']}")
    if draw := results.resampling:
        lines.append(f"intervals of scores and ranks: 95 percent, {draw.samples} resamples, seed {draw.seed}")
    tests = f"p below {board.alpha} by paired bootstrap and approximate randomisation"
    return [*lines, f"beats, loses: {tests}, each corrected for {math.comb(len(labels), 2)} pairs (Holm)"]


def system_labels(board: "LeaderboardConfig", test_set: str, submissions: Mapping[str, Path]) -> dict[str, str]:
    """The name of each system of a test set; where several share one, with the training data, else the paper."""
    from textsimp.metrics.registry import IDENTITY

    origins = {IDENTITY: ("Complex (input)", "identity"), **{key: (key, "yours") for key in submissions}}
    for key, system in board.made_for(test_set).items():
        origins[key] = (system.name, system.trained_on or system.paper)
    number = Counter(name for name, _ in origins.values())
    return {key: f"{name} ({origin})" if number[name] > 1 else name for key, (name, origin) in origins.items()}


def _named(outputs: Sequence[Path], names: Sequence[str] | None) -> dict[str, Path]:
    names = names or [path.stem for path in outputs]
    if len(names) != len(outputs):
        raise InputError(f"--name: {len(names)} names for {len(outputs)} outputs; give one for each, or none")
    for name, number in Counter(names).items():
        if number > 1 or not name.strip():
            raise InputError(f"--name {name!r}: names of rows are distinct and not empty; give --name for each output")
    return dict(zip(names, outputs, strict=True))


def _warn_of_form(outputs: Mapping[str, Path]) -> None:
    """Say where an output is not the lower-case tokens that the released files are."""
    from textsimp.metrics.tokens import lines_of_other_form

    for name, path in outputs.items():
        lines = read_sentences(path)
        changed = lines_of_other_form(lines)
        if changed > _FEW * len(lines):
            note(
                f"note: {name}: {changed} of {len(lines)} lines are not lower-case Treebank tokens as the released "
                "files; SARI per sentence splits at spaces. --form treebank brings all texts to that form"
            )


def _table(results: Results, scope: str, labels: Mapping[str, str], submissions: Mapping[str, Path]) -> list[str]:
    """Scores with ranks, the best by the paper's variant first; the user's rows are marked, people have no rank."""
    from textsimp.evaluation.leaderboard import people_scope
    from textsimp.metrics.ranking import RANKED
    from textsimp.metrics.registry import REFERENCE

    def row(mark: str, label: str, measures: Mapping[str, Estimate]) -> tuple[str, ...]:
        ranks = {metric: measures.get(f"{metric}.rank") for metric in RANKED}
        ranked = (f"{measures[name].value:.2f} ({rank.value if rank else '-'})" for name, rank in ranks.items())
        return (mark, label, *ranked, *(f"{measures[metric].value:.2f}" for metric in ("fk", "len")))

    found = {key: results.measures(scope, key) for key in labels}
    rows: list[tuple[str, ...]] = [("", "system", *RANKED, "fk", "len")]
    for key in sorted(labels, key=lambda key: (-found[key][RANKED[0]].value, key)):
        rows.append(row(">" if key in submissions else "", labels[key], found[key]))
    if people := results.measures(people_scope(scope), REFERENCE):
        rows.append(row("", f"People (a reference against {people['references'].value} others)", people))
    return aligned(rows, 2)


def _own(results: Results, scope: str, key: str, labels: Mapping[str, str], alpha: float) -> Iterator[str]:
    """One of the user's outputs under every variant, and what it does to the sentences."""
    from textsimp.metrics.ranking import differ
    from textsimp.metrics.registry import REFERENCE
    from textsimp.metrics.rewriting.kinds import CLASSES
    from textsimp.metrics.sari import VARIANTS

    measures = results.measures(scope, key)
    rows: list[tuple[str, ...]] = [(labels[key], "score", "95% interval", "rank", "95% of ranks")]
    for metric in VARIANTS:
        score, rank = measures[metric], measures[f"{metric}.rank"]
        ranks = (f"{rank.value} of {len(labels)}", f"{rank.low} to {rank.high}")
        rows.append((metric, f"{score.value:.2f}", bounds_text(score, 2), *ranks))
    yield from aligned(rows, 1)
    for metric in VARIANTS:
        outcomes: dict[bool, list[str]] = {True: [], False: []}
        for rival in labels:
            tests = results.compared(scope, metric, key, rival)
            if tests and differ(results, scope, metric, key, rival, alpha):
                outcomes[tests.difference > 0].append(labels[rival])
        beaten, better = (", ".join(sorted(names, key=str.lower)) or "none" for names in outcomes.values())
        yield f"{metric}: beats {beaten}; loses to {better}"
    rows = [("percent of the sentences", *CLASSES)]
    for label, system in ((labels[key], key), ("people", REFERENCE)):
        shares = results.measures(scope, system)
        rows.append((label, *(f"{shares[f'classes.{name}'].value:.1f}" for name in CLASSES)))
    yield from ("", *aligned(rows, 1))


def release_folder(folders: Sequence[str], mirror: str | None, raw: Path | None) -> Path:
    """Return the folder that holds the folders of some releases: `raw`, or the user's cache, after fetching what lacks.

    `InputError` where neither the mirror nor the network has a file.
    """
    if raw is not None:
        return raw
    from textsimp.sources.config import SourcesConfig
    from textsimp.sources.fetch import fetch_release

    sources = from_conf("sources", SourcesConfig, f"experiment={EXPERIMENT}")
    sources = replace(sources, mirror=mirror or sources.mirror)
    cache = user_cache("releases")
    for name, release in sources.releases.items():
        if release.folder in folders:
            try:
                fetch_release(name, sources, cache)
            except InputError as error:  # it names the setting of the pipeline, where a command has an option
                message = str(error).replace("set sources.mirror to", "give --mirror")
                raise InputError(message.replace("sources.mirror:", "--mirror:")) from None
    return cache


def files_of_test_set(
    board: "LeaderboardConfig", test_set: str, mirror: str | None, raw: Path | None
) -> tuple[Path, list[Path]]:
    """Return the sentences and the references of a test set; `InputError` where there is none, or no release of it."""
    described = board.test_set(test_set)
    folders = [Path(file).parts[0] for file in (described.complex, described.references)]
    return described.files(release_folder(folders, mirror, raw))
