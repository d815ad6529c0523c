"""The raw data of a corpus, by its origin, and the document pairs of its splits (sections 3.1 and 3.2).

The licensed Newsela release and NEWSELA-MANUAL are found below the user's folder, checked and copied. Nothing of them
enters Git: data/raw is an output of DVC and ignored, and no message quotes their text.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import files_below
from textsimp.core.records import DocumentPair, write_pairs
from textsimp.core.writing import atomic_folder, copy_file, write_json
from textsimp.sources.config import Release, ReleaseFile, SourceConfig, SourcesConfig
from textsimp.sources.draws import SPLITS, UNLABELLED
from textsimp.sources.fetch import PROVENANCE, DownloadError, fetch_releases, write_provenance
from textsimp.sources.formats import DOCUMENT_PAIRS, annotated_pairs, released_alignments, unlabelled_pairs
from textsimp.sources.generated.articles import generate
from textsimp.sources.manual import NEWSELA_LEVELS, NEWSELA_MANUAL
from textsimp.sources.newsela import ARTICLES, METADATA, NEWSELA_AUTO, NEWSELA_OLD, XU2015, read_metadata
from textsimp.sources.parallel import ASSET, MISSING, write_asset
from textsimp.sources.sample import acquire_sample

TITLE = "Newsela articles and NEWSELA-MANUAL (Xu et al. 2015; Jiang et al. 2020)"
LICENCE = "Newsela's research licence; the text may not be passed on"
URL = "https://newsela.com/data"
logger = logging.getLogger("acquire")


def acquire(
    config: SourceConfig, sources: SourcesConfig, sample: str | None, raw: str | Path, audit: str | Path | None
) -> dict[str, int]:
    """Write the raw data of a corpus to `raw`, and to `audit` what its automatic alignment can be held against.

    That is the gold of the sample's unlabelled article sets, or the alignments that a release has of its articles.
    No stage that aligns or trains reads this file. It is empty where there is nothing of the kind.

    `sample` is the folder of the sample corpus. Returns counts for the log; `InputError` for absent or bad data.
    """
    if config.origin == "sample":
        if sample is None or audit is None:
            raise InputError(f"corpus {config.name}: its origin is the sample; give --sample and --audit")
        return acquire_sample(sample, raw, audit, config)
    if config.origin == "generated":
        return acquire_generated(config, raw, audit)
    if config.origin == "licensed":
        counts = {"articles": acquire_licensed(sources, raw, config)}
    else:
        counts = fetch_releases(config.releases, sources, raw)
    if audit is not None:
        write_pairs(audit, released_alignments(Path(raw), config))
    return counts


def acquire_generated(config: SourceConfig, raw: str | Path, audit: str | Path | None) -> dict[str, int]:
    """Write generated article pairs and the dev and test sentences to `raw`, the pairs with gold links to `audit`."""
    assert config.generator is not None  # SourceConfig checks it
    pairs, benchmark = generate(config.generator)
    with atomic_folder(raw, DOCUMENT_PAIRS) as folder:
        write_pairs(folder / DOCUMENT_PAIRS, (replace(pair, alignments=None) for pair in pairs))
        for split, rows in (("valid", benchmark.dev), ("test", benchmark.test)):
            write_asset(folder / ASSET, split, rows)
    if audit is not None:
        write_pairs(audit, pairs)
    return {"article pairs": len(pairs), "dev": len(benchmark.dev), "test": len(benchmark.test)}


def acquire_published(name: str, sources: SourcesConfig, raw: str | Path) -> dict[str, int]:
    """Fetch the releases that the zero-training experiment `name` scores; return the number of files of each.

    Where a file of an optional experiment cannot be downloaded, `raw` has `MISSING` alone, and a warning says why.
    """
    if name not in sources.published:
        raise InputError(f"sources.published.{name}: missing; known are {', '.join(sorted(sources.published))}")
    needed = sources.published[name]
    try:
        return fetch_releases(needed, sources, raw)
    except DownloadError as error:
        if name not in sources.optional:
            raise
        logger.warning("%s", error)
        again = f"dvc repro --force acquire_published@{name}"
        how = f"{error}; so too the other files of conf/sources/ of that name; then `{again}` and `make repro`"
        with atomic_folder(raw, PROVENANCE) as folder:
            write_json(folder / MISSING, {"missing": ", ".join(needed), "how": how})
        return dict.fromkeys(needed, 0)


def acquire_licensed(sources: SourcesConfig, raw: str | Path, config: SourceConfig) -> int:
    """Copy what `licensed_files` names for the corpus's language to `raw`, byte by byte; return the number of articles.

    `InputError` where `sources.newsela` is not set, or the release below it is not complete.
    """
    if sources.newsela is None:
        what = "the Newsela release is licensed and its folder is not set"
        raise InputError(f"sources.newsela: {what}; ask for it at newsela.com/data, then set sources.newsela=FOLDER")
    folder = Path(sources.newsela)
    if not folder.is_dir():
        raise InputError(f"sources.newsela: {folder}: no such folder; set it to the folder of the release")
    files = licensed_files(folder, config.language)
    count = sum(name.startswith(f"{ARTICLES}/") for name in files)
    if not count:
        what = f"names no article in {config.language!r} at levels {NEWSELA_LEVELS[0]} to {NEWSELA_LEVELS[-1]}"
        remedy = f"correct corpus.{config.name}.source.language, or give another release"
        raise bad_input(files[METADATA], None, what, remedy)
    with atomic_folder(raw, PROVENANCE) as copy:
        for name, path in files.items():
            copy_file(path, copy / name)
        write_provenance(copy, "newsela", Release(TITLE, LICENCE, "", [ReleaseFile(n, None, URL) for n in files]))
    return count


def licensed_files(folder: Path, language: str | None = None) -> dict[str, Path]:
    """Return the files of the licensed release, which is anywhere below a folder, by their name in data/raw/CORPUS.

    These are the articles in a language (None: all), the metadata, the manual TSVs and, where the folder has them, the
    sentence pairs of Xu et al. 2015 and NEWSELA-AUTO. Their text is not read. `InputError` where there is not one
    release below the folder, or a file of it is absent.
    """
    metadata = _only(folder, METADATA)
    manual = _only(folder, f"{NEWSELA_MANUAL}/train.tsv").parent
    files = {METADATA: metadata}
    for row in read_metadata(metadata):
        if row.version in NEWSELA_LEVELS and language in (None, row.language):
            name = f"{ARTICLES}/{row.filename}"
            files[name] = metadata.parent / name
            if not files[name].is_file():
                what = f"{name}: named by the release, but not there"
                raise bad_input(metadata, row.line, what, "unpack the release again, or drop the row")
    for split in SPLITS:
        path = manual / f"{split}.tsv"
        if not path.is_file():
            raise bad_input(path, None, "not there, though train.tsv is", "unpack the release again")
        files[(NEWSELA_MANUAL / path.name).as_posix()] = path
    if files_below(folder, XU2015):
        files[NEWSELA_OLD.as_posix()] = _only(folder, XU2015)
    for path in files_below(folder, f"{NEWSELA_AUTO}/*"):
        if path.suffix in (".src", ".dst"):
            files[(NEWSELA_AUTO / path.name).as_posix()] = path
    return files


def _only(folder: Path, pattern: str) -> Path:
    paths = files_below(folder, pattern)
    if len(paths) != 1:
        what = f"{len(paths)} files {pattern} below it, not one"
        raise bad_input(folder, None, what, "set sources.newsela to the folder of one release")
    return paths[0]


def load_splits(raw: str | Path, out: str | Path, config: SourceConfig) -> dict[str, int]:
    """Write OUT/{train,dev,test,unlabelled}.jsonl from the releases under `raw`; return the pairs in each.

    The manual annotation is split by article set, never by sentence; article sets that it does not have are the
    unlabelled ones. `InputError` where a file is absent or bad, or an article set stands in two splits.
    """
    labelled = annotated_pairs(Path(raw), config)
    groups = {split: {pair.group for pair in pairs} for split, pairs in labelled.items()}
    for (first, left), (second, right) in combinations(groups.items(), 2):
        if common := sorted(left & right):
            what = f"article set {common[0]!r} is in {first} and in {second} ({len(common)} such)"
            raise bad_input(raw, None, what, "splits are made by article set: remove it from one of them")
    unlabelled = unlabelled_pairs(Path(raw), set().union(*groups.values()), config)
    counts = Counter(dict.fromkeys((*labelled, UNLABELLED), 0))
    with atomic_folder(out, f"{UNLABELLED}.jsonl") as folder:
        for split, pairs in {**labelled, UNLABELLED: unlabelled}.items():
            write_pairs(folder / f"{split}.jsonl", _counted(split, pairs, counts))
    return dict(counts)


def _counted(split: str, pairs: Iterable[DocumentPair], counts: Counter[str]) -> Iterator[DocumentPair]:
    for pair in pairs:
        counts[split] += 1
        yield pair
