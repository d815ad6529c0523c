"""What the stage `acquire` does for each origin of a corpus (F1)."""

from pathlib import Path

from textsimp.errors import InputError
from textsimp.records import write_pairs
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.fetch import fetch_release
from textsimp.sources.licensed import acquire_licensed
from textsimp.sources.sample_release import acquire_sample


def acquire(
    config: SourceConfig, sources: SourcesConfig, sample: str | None, raw: str | Path, audit: str | Path | None
) -> dict[str, int]:
    """Write the raw data of a corpus to `raw`, and the gold of its unlabelled article sets to `audit`.

    Only the sample has such gold: with real data the audit file is empty.

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
        counts = _fetch_all(config.releases, sources, raw)
    if audit is not None:
        write_pairs(audit, [])
    return counts


def acquire_published(name: str, sources: SourcesConfig, raw: str | Path) -> dict[str, int]:
    """Fetch the releases that the zero-training experiment `name` scores; return the number of files of each."""
    if name not in sources.published:
        raise InputError(f"sources.published.{name}: missing; known are {', '.join(sorted(sources.published))}")
    return _fetch_all(sources.published[name], sources, raw)


def _fetch_all(releases: list[str], sources: SourcesConfig, raw: str | Path) -> dict[str, int]:
    return {name: len(list(fetch_release(name, sources, raw).iterdir())) for name in releases}
