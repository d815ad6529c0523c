"""Whole releases: mirrors of every kind, the record of their origin, restarts, and the digests of conf/sources."""

import csv
import json
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import fsspec
import pytest
import yaml
from fetch_sample import DATA, SHA256, closed_port, config, left, mirrored, server
from newsela_sample import MARKER, ROOT, write_newsela

from textsimp.errors import InputError
from textsimp.params import structured
from textsimp.sources.config import ReleaseFile, SourceConfig, SourcesConfig
from textsimp.sources.fetch import fetch, fetch_release, fetch_releases
from textsimp.sources.licensed import acquire_licensed
from textsimp.sources.mirror import open_mirror
from textsimp.textfiles import sha256

__all__ = ["server"]  # the fixture; no test calls it


def test_release_goes_into_its_folder(tmp_path: Path) -> None:
    mirrored(tmp_path / "mirror", DATA)
    folder = fetch_release("a_set", config(tmp_path / "mirror"), tmp_path / "raw")
    assert folder == tmp_path / "raw" / "a-set"
    assert (folder / "file.txt").read_bytes() == DATA


def test_releases_come_whole_with_a_record_that_names_no_place(tmp_path: Path, server: str) -> None:
    """The same bytes whether a file came from a mirror, from its address, or was there."""
    sources = config(None, f"{server}/whole")
    assert fetch_releases(["a_set"], sources, tmp_path / "one") == {"a_set": 1}
    mirrored(tmp_path / "mirror", DATA)
    assert fetch_releases(["a_set"], config(tmp_path / "mirror", f"{server}/whole"), tmp_path / "two") == {"a_set": 1}
    names = ["a-set/file.txt", "provenance/a_set.json"]
    for folder in ("one", "two"):
        found = [path for path in sorted((tmp_path / folder).rglob("*")) if path.is_file()]
        assert [path.relative_to(tmp_path / folder).as_posix() for path in found] == names
    record = (tmp_path / "one" / names[1]).read_bytes()
    assert record == (tmp_path / "two" / names[1]).read_bytes()
    row = {"name": "file.txt", "bytes": len(DATA), "sha256": SHA256[7:], "published_digest": SHA256}
    assert json.loads(record) == {
        "release": "a_set",
        "title": "A set",
        "licence": "CC BY 4.0",
        "files": [row | {"url": f"{server}/whole"}],
    }


def test_the_licensed_release_has_a_record_too(tmp_path: Path) -> None:
    given = write_newsela(tmp_path / "given")
    sources = SourcesConfig(None, str(given), None, 1.0, {}, {})
    conf = yaml.safe_load((ROOT / "conf" / "corpus" / "newsela.yaml").read_text(encoding="utf-8"))
    for name in ("one", "two"):
        acquire_licensed(sources, tmp_path / name, structured(conf["source"], SourceConfig))
    text = (tmp_path / "one" / "provenance" / "newsela.json").read_text(encoding="utf-8")
    assert text == (tmp_path / "two" / "provenance" / "newsela.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text and MARKER not in text
    files = {row["name"]: row for row in json.loads(text)["files"]}
    copied = [path for path in (tmp_path / "one").rglob("*") if path.is_file() and path.parent.name != "provenance"]
    assert set(files) == {path.relative_to(tmp_path / "one").as_posix() for path in copied}
    assert files["articles_metadata.csv"]["sha256"] == sha256(tmp_path / "one" / "articles_metadata.csv")


def test_what_is_there_is_not_fetched_again(tmp_path: Path, server: str) -> None:
    fetch_releases(["a_set"], config(None, f"{server}/whole"), tmp_path / "raw")
    (tmp_path / "raw" / "old.txt").write_text("of another release")
    fetch_releases(["a_set"], config(None, closed_port()), tmp_path / "raw")
    assert (tmp_path / "raw" / "a-set" / "file.txt").read_bytes() == DATA
    assert sorted(path.name for path in (tmp_path / "raw").iterdir()) == ["a-set", "provenance"]


def test_a_broken_download_goes_on_and_bad_input_leaves_nothing(tmp_path: Path, server: str) -> None:
    raw = tmp_path / "data" / "raw"
    with pytest.raises(InputError, match="cannot be downloaded"):
        fetch_releases(["a_set"], config(None, f"{server}/whole", closed_port()), raw)
    assert left(raw) == [".raw.partial"]
    assert fetch_releases(["a_set"], config(None, closed_port(), f"{server}/whole"), raw) == {"a_set": 2}
    assert left(raw) == ["raw"]
    mirrored(tmp_path / "mirror", DATA)
    (tmp_path / "mirror" / "a_set" / "file1.txt").write_bytes(b"other")
    with pytest.raises(InputError, match=r"file1\.txt: corrupt"):
        fetch_releases(["a_set"], config(tmp_path / "mirror", closed_port(), closed_port()), tmp_path / "new" / "raw")
    assert left(tmp_path / "new" / "raw") == []


def test_the_mirror_may_be_any_address_of_fsspec(tmp_path: Path, server: str) -> None:
    fsspec.filesystem("memory").pipe_file("/mirror/a_set/file.txt", DATA)
    with zipfile.ZipFile(tmp_path / "mirror.zip", "w") as archive:
        archive.writestr("a_set/file.txt", DATA)
    mirrored(tmp_path / "mirror", DATA)
    addresses = [
        "memory://mirror",
        f"zip://::{tmp_path}/mirror.zip",
        (tmp_path / "mirror").as_uri(),
        f"{server}/mirror",
    ]
    for number, address in enumerate(addresses):
        fetch_releases(["a_set"], config(address), tmp_path / str(number))
        assert (tmp_path / str(number) / "a-set" / "file.txt").read_bytes() == DATA, address
    for address in ("memory://mirror", f"{server}/missing"):  # a mirror without the file: its own address is asked
        sources = config(address, f"{server}/whole", f"{server}/whole")
        assert fetch_releases(["a_set"], sources, tmp_path / "raw") == {"a_set": 2}


@pytest.mark.parametrize(
    ("mirror", "what"),
    [
        ("absent", "sources.mirror: absent: the mirror is no folder"),
        ("file.txt", "sources.mirror: file.txt: the mirror is no folder"),
        ("memory://nowhere", "sources.mirror: memory://nowhere: the mirror is no folder"),
        ("nothing://bucket", "the mirror cannot be read .Protocol not known: nothing"),
        ("zip://::file.txt", "the mirror cannot be read .File is not a zip file"),
    ],
)
def test_a_mirror_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mirror: str, what: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file.txt").write_bytes(DATA)
    with pytest.raises(InputError, match=what) as error:
        fetch_releases(["a_set"], config(mirror), tmp_path / "raw")
    assert "\n" not in str(error.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.txt"]


def test_a_web_mirror_that_does_not_answer(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the mirror cannot be read"):
        fetch_releases(["a_set"], config(closed_port()), tmp_path / "raw")


def test_unknown_release(tmp_path: Path) -> None:
    for fetching in (fetch_release, lambda name, *rest: fetch_releases([name], *rest)):
        with pytest.raises(InputError, match=r"sources\.releases\.other: no such release; known are a_set"):
            fetching("other", config(None), tmp_path / "raw")


def described(root: Path) -> dict[str, tuple[str, dict[str, Any]]]:
    """Every file of conf/sources by its address: its release and its row."""
    found = {}
    for path in sorted((root / "conf" / "sources").glob("*.yaml")):
        for name, release in (yaml.safe_load(path.read_text(encoding="utf-8")).get("releases") or {}).items():
            found |= {unquote(row["url"]): (name, row) for row in release["files"]}
    return found


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_described_releases_are_what_the_mirror_has(mirror: Path, root: Path, tmp_path: Path) -> None:
    """Every digest of conf/sources whose file is mirrored; so a wrong one is found without a network."""
    here, checked = open_mirror(mirror), set()
    assert here is not None
    for name, row in described(root).values():
        if (mirror / name / row["name"]).is_file():
            fetch(ReleaseFile(**row), tmp_path / name / row["name"], here.file(name, row["name"]), 5)
            checked.add(name)
    assert checked == {path.name for path in mirror.iterdir() if path.is_dir()}


def test_every_digest_is_the_one_that_is_published(mirror: Path, root: Path) -> None:
    """Those of the mirror's list of what it has, and of its list of what it has not, where Git's blob ids stand too."""
    published = {unquote(row["url"]): f"sha256:{row['sha256']}" for row in table(mirror / "SOURCES.csv")}
    published |= {unquote(row["url"]): row["checksum"] for row in table(mirror / "NOT_MIRRORED.csv")}
    assert sum(digest.startswith("gitblob:") for digest in published.values()) == 5
    for url, (name, row) in described(root).items():
        assert url in published, f"{name}/{row['name']}: {url} is on neither list"
        assert (row["digest"] or "") == published[url], f"{name}/{row['name']}"
    assert {unquote(row["url"]) for row in table(mirror / "NOT_MIRRORED.csv")} <= set(described(root))
