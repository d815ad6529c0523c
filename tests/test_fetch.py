"""Fetching one file: mirror, download from a server on this machine, digests, and what is left when it fails."""

from pathlib import Path

import pytest
from fetch_sample import BLOB, DATA, SHA256, closed_port, left, mirrored, server

from textsimp.errors import InputError
from textsimp.params import load_params
from textsimp.sources.config import ReleaseFile, SourcesConfig
from textsimp.sources.fetch import fetch

__all__ = ["server"]  # the fixture; no test calls it


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "raw" / "file.txt"


@pytest.mark.parametrize("digest", [SHA256, BLOB, None])
def test_download(server: str, target: Path, digest: str | None) -> None:
    fetch(ReleaseFile("file.txt", digest, f"{server}/whole"), target, None, 5)
    assert target.read_bytes() == DATA
    assert left(target) == ["file.txt"]


@pytest.mark.parametrize("digest", [SHA256, BLOB, None])
def test_mirror_comes_first(tmp_path: Path, target: Path, digest: str | None) -> None:
    fetch(ReleaseFile("file.txt", digest, closed_port()), target, mirrored(tmp_path / "mirror", DATA), 5)
    assert target.read_bytes() == DATA


def test_a_file_that_is_there_stays(target: Path) -> None:
    target.parent.mkdir()
    target.write_bytes(DATA)
    fetch(ReleaseFile("file.txt", SHA256, closed_port()), target, None, 5)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize("digest", [SHA256, BLOB])
@pytest.mark.parametrize("data", [b"", DATA[:-1], DATA + b"\n", b"<html>not the file</html>"])
def test_a_corrupt_mirror_file(tmp_path: Path, target: Path, digest: str, data: bytes) -> None:
    place = mirrored(tmp_path / "mirror", data)
    with pytest.raises(InputError, match=f"a_set/file.txt: corrupt, cut short or changed: {len(data)} bytes"):
        fetch(ReleaseFile("file.txt", digest, closed_port()), target, place, 5)
    assert left(target) == []


@pytest.mark.parametrize(
    ("path", "digest", "what"),
    [
        ("/whole", SHA256[:-1] + ("0" if SHA256[-1] != "0" else "1"), "corrupt, cut short or changed"),
        ("/short", SHA256, "50 of 2400 bytes came"),
        ("/short", None, "50 of 2400 bytes came"),
        ("/missing", SHA256, "cannot be downloaded .*Not Found"),
    ],
)
def test_a_bad_download(server: str, target: Path, path: str, digest: str | None, what: str) -> None:
    target.parent.mkdir()
    target.write_bytes(b"previous")
    with pytest.raises(InputError, match=what) as error:
        fetch(ReleaseFile("file.txt", digest, server + path), target, None, 5)
    assert "\n" not in str(error.value)
    assert left(target) == ["file.txt"]
    assert target.read_bytes() == b"previous"


def test_no_mirror_file_and_no_network(tmp_path: Path, target: Path) -> None:
    place = mirrored(tmp_path / "mirror")
    with pytest.raises(InputError, match="cannot be downloaded.*download it by hand to .*mirror/a_set/file.txt"):
        fetch(ReleaseFile("file.txt", SHA256, closed_port()), target, place, 5)
    with pytest.raises(InputError, match=r"set sources\.mirror"):
        fetch(ReleaseFile("file.txt", SHA256, closed_port()), target, None, 5)
    assert left(target) == []


def test_a_full_disk_leaves_the_previous_file(server: str, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target.parent.mkdir()
    target.write_bytes(b"previous")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("textsimp.sources.fetch._copy", full)
    with pytest.raises(InputError, match="No space left on device"):
        fetch(ReleaseFile("file.txt", SHA256, f"{server}/whole"), target, None, 5)
    assert target.read_bytes() == b"previous"
    assert left(target) == ["file.txt"]


@pytest.mark.parametrize(
    ("digest", "url", "what"),
    [
        ("md5:" + "0" * 32, "https://example.org/file", "neither sha256"),
        ("sha256:" + "0" * 63, "https://example.org/file", "neither sha256"),
        (SHA256, "file:///etc/passwd", "no web address"),
    ],
)
def test_a_bad_description(target: Path, digest: str, url: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        fetch(ReleaseFile("file.txt", digest, url), target, None, 5)


PARAMS = """
sources:
  mirror: null
  newsela: null
  word_vectors: null
  timeout: 5
  releases:
    a_set: {title: A set, licence: CC BY 4.0, folder: a-set, files: [{name: f, digest: null, url: "https://e.org/f"}]}
  published: {jiang2020: [a_set]}
"""


def test_params_become_a_config(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text(PARAMS, encoding="utf-8")
    sources = load_params("sources", SourcesConfig, path)
    assert sources.releases["a_set"].files == [ReleaseFile("f", None, "https://e.org/f")]
    assert sources.published == {"jiang2020": ["a_set"]}


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("licence: CC BY 4.0, ", "", r"releases\.a_set\.licence"),
        ("name: f, ", "", r"releases\.a_set\.files\[0\]\.name"),
        ("name: f, ", "name: f, size: 4, ", "size"),
        ("timeout: 5", "timeout: soon", r"sources\.timeout"),
        ("  newsela: null\n", "", "newsela"),
    ],
)
def test_a_wrong_key_fails_by_name(tmp_path: Path, old: str, new: str, key: str) -> None:
    assert old in PARAMS
    path = tmp_path / "params.yaml"
    path.write_text(PARAMS.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=key):
        load_params("sources", SourcesConfig, path)
