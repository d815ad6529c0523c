"""What the stage `acquire` does for each origin of a corpus (F1)."""

from pathlib import Path

from textsimp.errors import InputError
from textsimp.records import write_pairs
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.fetch import fetch_releases
from textsimp.sources.licensed import acquire_licensed
from textsimp.sources.sample_release import acquire_sample
from textsimp.sources.unlabelled import released_alignments


def acquire(
    config: SourceConfig, sources: SourcesConfig, sample: str | None, raw: str | Path, audit: str | Path | None
) -> dict[str, int]:
    """Write the raw data of a corpus to `raw`, and to `audit` what its automatic alignment can be held against.

    That is the gold of the sample's unlabelled article sets, or the alignments that a release has of its articles.
    No stage that aligns or trains reads this file. It is empty where there is nothing of the kind.

    Args:
        config: which corpus, and its origin.
        sources: mirror, licensed folder and releases.
        sample: the folder of the sample corpus; None where the origin is another.
        raw: the folder to write.
        audit: the file to write; None for none.

    Returns:
        Counts for the log.

    Raises:
        InputError: the data is absent, incomplete or bad.
    """
    if config.origin == "sample":
        if sample is None or audit is None:
            raise InputError(f"corpus {config.name}: its origin is the sample; give --sample and --audit")
        return acquire_sample(sample, raw, audit, config)
    if config.origin == "licensed":
        counts = {"articles": acquire_licensed(sources, raw, config)}
    else:
        counts = fetch_releases(config.releases, sources, raw)
    if audit is not None:
        write_pairs(audit, released_alignments(Path(raw), config))
    return counts


def acquire_published(name: str, sources: SourcesConfig, raw: str | Path) -> dict[str, int]:
    """Fetch the releases that the zero-training experiment `name` scores; return the number of files of each."""
    if name not in sources.published:
        raise InputError(f"sources.published.{name}: missing; known are {', '.join(sorted(sources.published))}")
    return fetch_releases(sources.published[name], sources, raw)
