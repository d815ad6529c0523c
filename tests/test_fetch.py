"""Fetching: mirror, download from a server on this machine, digests, and what is left behind when it fails."""

import functools
import hashlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from textsimp.errors import InputError
from textsimp.params import load_params
from textsimp.sources.config import Release, ReleaseFile, SourcesConfig
from textsimp.sources.fetch import fetch, fetch_release

DATA = b"Some text of a release.\n" * 100
SHA256 = "sha256:" + hashlib.sha256(DATA).hexdigest()
BLOB = "gitblob:" + hashlib.sha1(b"blob %d\0" % len(DATA) + DATA).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Serves DATA whole, cut short (with its true length announced), or not at all."""

    def do_GET(self) -> None:
        """Answer by path."""
        if self.path == "/missing":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(DATA)))
        self.end_headers()
        self.wfile.write(DATA[:50] if self.path == "/short" else DATA)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=functools.partial(httpd.serve_forever, poll_interval=0.01))
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "raw" / "file.txt"


def closed_port() -> str:
    """An address where nobody answers, as without a network."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{sock.getsockname()[1]}/file"


def left(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir()) if target.parent.exists() else []


@pytest.mark.parametrize("digest", [SHA256, BLOB, None])
def test_download(server: str, target: Path, digest: str | None) -> None:
    fetch(ReleaseFile("file.txt", digest, f"{server}/whole"), target, None, 5)
    assert target.read_bytes() == DATA
    assert left(target) == ["file.txt"]


@pytest.mark.parametrize("digest", [SHA256, BLOB, None])
def test_mirror_comes_first(tmp_path: Path, target: Path, digest: str | None) -> None:
    mirrored = tmp_path / "mirror.txt"
    mirrored.write_bytes(DATA)
    fetch(ReleaseFile("file.txt", digest, closed_port()), target, mirrored, 5)
    assert target.read_bytes() == DATA


def test_a_file_that_is_there_stays(target: Path) -> None:
    target.parent.mkdir()
    target.write_bytes(DATA)
    fetch(ReleaseFile("file.txt", SHA256, closed_port()), target, None, 5)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize("digest", [SHA256, BLOB])
@pytest.mark.parametrize("data", [b"", DATA[:-1], DATA + b"\n", b"<html>not the file</html>"])
def test_a_corrupt_mirror_file(tmp_path: Path, target: Path, digest: str, data: bytes) -> None:
    mirrored = tmp_path / "mirror.txt"
    mirrored.write_bytes(data)
    with pytest.raises(InputError, match=f"mirror.txt: corrupt, cut short or changed: {len(data)} bytes"):
        fetch(ReleaseFile("file.txt", digest, closed_port()), target, mirrored, 5)
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
    mirrored = tmp_path / "mirror" / "turk" / "file.txt"
    with pytest.raises(InputError, match="cannot be downloaded.*download it by hand to .*mirror/turk/file.txt"):
        fetch(ReleaseFile("file.txt", SHA256, closed_port()), target, mirrored, 5)
    with pytest.raises(InputError, match=r"set sources\.mirror"):
        fetch(ReleaseFile("file.txt", SHA256, closed_port()), target, None, 5)
    assert left(target) == []


def test_a_full_disk_leaves_the_previous_file(
    server: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def config(mirror: Path | None, digest: str | None = SHA256) -> SourcesConfig:
    release = Release("A set", "CC BY 4.0", "a-set", [ReleaseFile("file.txt", digest, closed_port())])
    return SourcesConfig(str(mirror) if mirror else None, None, None, 5.0, {"a_set": release}, {})


def test_release_goes_into_its_folder(tmp_path: Path) -> None:
    (tmp_path / "mirror" / "a_set").mkdir(parents=True)
    (tmp_path / "mirror" / "a_set" / "file.txt").write_bytes(DATA)
    folder = fetch_release("a_set", config(tmp_path / "mirror"), tmp_path / "raw")
    assert folder == tmp_path / "raw" / "a-set"
    assert (folder / "file.txt").read_bytes() == DATA


def test_unknown_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sources\.releases\.other: no such release; known are a_set"):
        fetch_release("other", config(None), tmp_path)


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


def test_the_described_releases_are_what_the_mirror_has(mirror: Path, root: Path, tmp_path: Path) -> None:
    """Every digest of conf/sources whose file is mirrored; so a wrong one is found without a network."""
    import yaml

    checked = 0
    for path in sorted((root / "conf" / "sources").glob("*.yaml")):
        for name, release in yaml.safe_load(path.read_text(encoding="utf-8")).get("releases", {}).items():
            for row in release["files"]:
                if (mirror / name / row["name"]).is_file():
                    fetch(ReleaseFile(**row), tmp_path / name / row["name"], mirror / name / row["name"], 5)
                    checked += 1
    assert checked == 20 + 22 + 8 + 1 + 567 + 30 + 2 + 2 + 8 + 1 + 1
