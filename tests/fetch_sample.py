"""Released files that the tests of fetching make, and a server on this machine that has them."""

import functools
import hashlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from textsimp.sources.config import Release, ReleaseFile, SourcesConfig
from textsimp.sources.mirror import MirrorFile, open_mirror

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
    """The server's address, which no proxy is asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("no_proxy", "127.0.0.1")
        yield from _serve()


def _serve() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=functools.partial(httpd.serve_forever, poll_interval=0.01))
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()
        thread.join()


def closed_port() -> str:
    """An address where nobody answers, as without a network."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{sock.getsockname()[1]}/file"


def mirrored(folder: Path, data: bytes | None = None) -> MirrorFile:
    """The place of the file in a mirror folder; the file is there if it is given bytes."""
    (folder / "a_set").mkdir(parents=True, exist_ok=True)
    if data is not None:
        (folder / "a_set" / "file.txt").write_bytes(data)
    mirror = open_mirror(folder)
    assert mirror is not None
    return mirror.file("a_set", "file.txt")


def left(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir()) if target.parent.exists() else []


def config(mirror: str | Path | None, *urls: str, digest: str | None = SHA256) -> SourcesConfig:
    """A release of one file for each address."""
    addresses = urls or (closed_port(),)
    files = [ReleaseFile(f"file{number or ''}.txt", digest, url) for number, url in enumerate(addresses)]
    release = Release("A set", "CC BY 4.0", "a-set", files)
    return SourcesConfig(str(mirror) if mirror else None, None, None, 5.0, {"a_set": release}, {})
