"""Fetching: mirrors of every kind, a server on this machine, digests, records, restarts, and what failure leaves."""

import contextlib
import csv
import functools
import gzip
import hashlib
import ipaddress
import json
import socket
import ssl
import threading
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

import fsspec
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from textsimp.core import params
from textsimp.core.errors import InputError
from textsimp.core.reading import read_json
from textsimp.core.settings import structured
from textsimp.sources.acquisition import acquire_published
from textsimp.sources.config import Release, ReleaseFile, SourcesConfig, release_files
from textsimp.sources.fetch import Mirror, fetch, fetch_release, fetch_releases, mirror_folder, open_mirror
from textsimp.sources.parallel import MISSING

DATA = b"Some text of a release.\n" * 100
SHA256 = "sha256:" + hashlib.sha256(DATA).hexdigest()
BLOB = "gitblob:" + hashlib.sha1(b"blob %d\0" % len(DATA) + DATA).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Serves DATA whole, cut short (with its true length announced), from elsewhere, without end, or not at all."""

    asked: list[str] = []

    def do_GET(self) -> None:
        """Answer by path."""
        self.asked.append(self.path)
        kind, _, rest = self.path[1:].partition("/")
        whole = {"Content-Length": str(len(DATA))}
        answers: dict[str, tuple[int, dict[str, str], bytes]] = {
            "missing": (404, {}, b""),
            "moved": (302, {"Location": unquote(rest)}, b""),
            "packed": (200, {"Content-Encoding": "gzip"}, gzip.compress(bytes(10_000_000))),
            "huge": (200, {"Content-Length": str(10**15)}, b""),
            "short": (200, whole, DATA[:50]),
            "endless": (200, {}, bytes(1 << 16)),
            "dripping": (200, {}, b"x"),
        }
        status, headers, body = answers.get(kind, (200, whole, DATA))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)
            while kind in ("endless", "dripping"):
                time.sleep(0.02 if kind == "dripping" else 0.0)
                self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The https server's address, which no proxy is asked for, and whose certificate is trusted."""
    certificate = write_certificate(tmp_path_factory.mktemp("certificate") / "server.pem")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("no_proxy", "127.0.0.1")
        patch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        yield from _serve(certificate)


def write_certificate(path: Path) -> Path:
    """A certificate of 127.0.0.1 that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    start = datetime.now(UTC)
    end = start + timedelta(1)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), start, end)
    certificate = builder.add_extension(address, False).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(certificate.public_bytes(pem) + private)
    return path


def _serve(certificate: Path | None) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        httpd.daemon_threads = True
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            httpd.socket = context.wrap_socket(httpd.socket, server_side=True)
        thread = threading.Thread(target=functools.partial(httpd.serve_forever, poll_interval=0.01))
        thread.start()
        yield f"{'http' if certificate is None else 'https'}://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()
        thread.join()


def closed_port() -> str:
    """An address where nobody answers, as without a network."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return f"https://127.0.0.1:{sock.getsockname()[1]}/file"


def mirrored(folder: Path, data: bytes | None = None) -> Mirror:
    """A mirror folder of the release `a_set`; its file is there if it is given bytes."""
    (folder / "a_set").mkdir(parents=True, exist_ok=True)
    if data is not None:
        (folder / "a_set" / "file.txt").write_bytes(data)
    mirror = open_mirror(folder)
    assert mirror is not None
    return mirror


def fetch_one(digest: str | None, url: str, target: Path, mirror: Mirror | None = None, retries: int = 0) -> None:
    """Fetch `file.txt` of the release `a_set`."""
    fetch(ReleaseFile("file.txt", digest, url), target, mirror, "a_set", replace(config(None), retries=retries))


def left(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir()) if target.parent.exists() else []


def config(mirror: str | Path | None, *urls: str, digest: str | None = SHA256) -> SourcesConfig:
    """A release of one file for each address."""
    addresses = urls or (closed_port(),)
    files = [ReleaseFile(f"file{number or ''}.txt", digest, url) for number, url in enumerate(addresses)]
    release = Release("A set", "CC BY 4.0", "a-set", files)
    return SourcesConfig(str(mirror) if mirror else None, None, 5.0, 30.0, 5.0, 0, {"a_set": release}, {})


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "raw" / "file.txt"


@pytest.mark.parametrize("digest", [SHA256, BLOB, None])
def test_a_file_comes_from_the_mirror_first(server: str, tmp_path: Path, target: Path, digest: str | None) -> None:
    fetch_one(digest, f"{server}/whole", target)
    assert target.read_bytes() == DATA and left(target) == ["file.txt"]
    fetch_one(digest, closed_port(), tmp_path / "other", mirrored(tmp_path / "mirror", DATA))
    assert (tmp_path / "other").read_bytes() == DATA
    for data in (b"", DATA[:-1], DATA + b"\n") if digest else ():
        place = mirrored(tmp_path / "mirror", data)
        with pytest.raises(InputError, match=f"a_set/file.txt: corrupt, cut short or changed: {len(data)} bytes"):
            fetch_one(digest, closed_port(), tmp_path / "new" / "file", place)
    with pytest.raises(InputError, match="corrupt, cut short or changed"):
        fetch_one("sha256:" + "0" * 64, f"{server}/whole", tmp_path / "new" / "file")
    assert left(tmp_path / "new" / "file") == []


@pytest.fixture(scope="module")
def plain() -> Iterator[str]:
    """A server without encryption."""
    yield from _serve(None)


REFUSED = {
    "cut short": ("/short", "cannot be downloaded .*50 bytes read, 2350 more expected"),
    "missing": ("/missing", "cannot be downloaded .*Not Found"),
    "endless": ("/endless", "more than the 1 MB of sources.megabytes"),
    "too large": ("/huge", "more than the 1 MB of sources.megabytes"),
    "slow": ("/dripping", "not done within the 1 seconds of sources.seconds"),
    "to a file": ("/moved/file:///etc/passwd", "redirected to 'file:///etc/passwd', which is no https address"),
    "to ftp": ("/moved/ftp://127.0.0.1/file", "redirected to 'ftp://127.0.0.1/file'"),
    "in a circle": ("/moved/%2Fmoved%2F%2Fmoved", "cannot be downloaded"),
}


@pytest.mark.parametrize(("path", "what"), REFUSED.values(), ids=REFUSED)
def test_a_bad_server_leaves_what_was_there(server: str, target: Path, path: str, what: str) -> None:
    target.parent.mkdir()
    target.write_bytes(b"previous")
    sources = replace(config(None), seconds=1.0, megabytes=1.0, retries=0)
    with pytest.raises(InputError, match=what) as error:
        fetch(ReleaseFile("file.txt", None, server + path), target, None, "a_set", sources)
    assert "\n" not in str(error.value)
    assert left(target) == ["file.txt"] and target.read_bytes() == b"previous"


def test_redirects_stay_on_https(server: str, plain: str, target: Path) -> None:
    """The server without encryption is never asked, whatever the other one says."""
    Handler.asked.clear()
    with pytest.raises(InputError, match=f"redirected to '{plain}/whole', which is no https address"):
        fetch_one(SHA256, f"{server}/moved/{plain}/whole", target, retries=2)
    assert Handler.asked == [f"/moved/{plain}/whole"], "no second try either"
    fetch_one(SHA256, f"{server}/moved/{quote(server, safe='')}/moved/%2Fwhole", target)
    assert target.read_bytes() == DATA


def test_an_untrusted_certificate(server: str, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    with pytest.raises(InputError, match="cannot be downloaded .*CERTIFICATE_VERIFY_FAILED"):
        fetch_one(SHA256, f"{server}/whole", target)
    assert left(target) == []


def test_a_packed_answer_is_not_unpacked(server: str, target: Path) -> None:
    fetch_one(None, f"{server}/packed", target)
    assert target.stat().st_size < 100_000


def test_no_mirror_file_and_no_network(tmp_path: Path, target: Path) -> None:
    place = mirrored(tmp_path / "mirror")
    with pytest.raises(InputError, match="cannot be downloaded.*download it by hand to .*mirror/a_set/file.txt"):
        fetch_one(SHA256, closed_port(), target, place)
    with pytest.raises(InputError, match=r"set sources\.mirror"):
        fetch_one(SHA256, closed_port(), target)
    assert left(target) == []


@pytest.mark.parametrize(
    ("digest", "url", "what"),
    [
        ("md5:" + "0" * 32, "https://example.org/file", "neither sha256"),
        ("sha256:" + "0" * 63, "https://example.org/file", "neither sha256"),
        (SHA256, "file:///etc/passwd", "no https address"),
        (SHA256, "doi:10.1000/1/file", "no https address"),
        (SHA256, "http://example.org/file", "no https address"),
        (SHA256, "https://name:word@example.org/file", "no https address"),
        (SHA256, "https://[::1/file", "no https address"),
    ],
)
def test_a_bad_description(target: Path, digest: str, url: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        fetch_one(digest, url, target)


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
    files = [row | {"url": f"{server}/whole"}]
    assert json.loads(record) == {"release": "a_set", "title": "A set", "licence": "CC BY 4.0", "files": files}


def test_an_optional_experiment_goes_on_without_its_outputs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It says what is missing and how to get it; files that are wrong are refused all the same."""
    (tmp_path / "mirror" / "a_set").mkdir(parents=True)
    sources = replace(config(tmp_path / "mirror"), published={"table": ["a_set"]}, retries=0)
    raw = tmp_path / "raw"
    with pytest.raises(InputError, match="cannot be downloaded"):
        acquire_published("table", sources, raw)
    assert not raw.exists()
    assert acquire_published("table", replace(sources, optional=["table"]), raw) == {"a_set": 0}
    said = read_json(raw / MISSING)
    assert said["missing"] == "a_set" and f"by hand to {tmp_path}/mirror/a_set/file.txt" in said["how"]
    assert "`dvc repro --force acquire_published@table`" in said["how"]
    assert [record.getMessage() for record in caplog.records] == [said["how"].partition("; so too")[0]]
    (tmp_path / "mirror" / "a_set" / "file.txt").write_bytes(DATA[:-25])
    with pytest.raises(InputError, match="corrupt, cut short or changed"):
        acquire_published("table", replace(sources, optional=["table"]), raw)
    (tmp_path / "mirror" / "a_set" / "file.txt").write_bytes(DATA)
    assert acquire_published("table", replace(sources, optional=["table"]), raw) == {"a_set": 1}
    assert not (raw / MISSING).exists()


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
    addresses = "memory://mirror", f"zip://::{tmp_path}/mirror.zip", (tmp_path / "mirror").as_uri(), f"{server}/mirror"
    for number, address in enumerate(addresses):
        fetch_releases(["a_set"], config(address), tmp_path / str(number))
        assert (tmp_path / str(number) / "a-set" / "file.txt").read_bytes() == DATA, address
    for address in ("memory://mirror", f"{server}/missing"):  # a mirror without the file: its own address is asked
        for number, digest in enumerate((None, BLOB, SHA256)):
            raw, urls = tmp_path / f"raw{number}", (f"{server}/whole", f"{server}/whole")
            assert fetch_releases(["a_set"], config(address, *urls, digest=digest), raw) == {"a_set": 2}
            assert {path.read_bytes() for path in raw.glob("a-set/*.txt")} == {DATA}


@pytest.mark.parametrize(
    ("mirror", "what"),
    [
        ("memory://nowhere", "sources.mirror: memory://nowhere: the mirror is no folder"),
        ("nothing://bucket", "the mirror cannot be read .Protocol not known: nothing"),
        ("zip://::file.txt", "the mirror cannot be read .File is not a zip file"),
        ("zip://::large.zip", r"the mirror cannot be read \(more than 4 MiB\)"),
        ("http://127.0.0.1", r"sources\.mirror: http://127\.0\.0\.1: what comes over http"),
        ("{closed}", "the mirror cannot be read"),
        ("{server}/endless", "the mirror cannot be read"),
        ("{server}/moved/http:", "the mirror cannot be read"),
    ],
)
def test_a_mirror_that_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str, mirror: str, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file.txt").write_bytes(DATA)
    with zipfile.ZipFile("large.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a_set/file.txt", bytes(6_000_000))
    address = mirror.format(server=server, closed=closed_port())
    with pytest.raises(InputError, match=what) as error:
        fetch_releases(["a_set"], config(address), tmp_path / "raw")
    assert "\n" not in str(error.value)
    assert left(tmp_path / "raw") == ["file.txt", "large.zip"]


def test_one_release_into_its_folder_and_unknown_ones(tmp_path: Path) -> None:
    mirrored(tmp_path / "mirror", DATA)
    folder = fetch_release("a_set", config(tmp_path / "mirror"), tmp_path / "raw")
    assert folder == tmp_path / "raw" / "a-set" and (folder / "file.txt").read_bytes() == DATA
    for fetching in (fetch_release, lambda name, *rest: fetch_releases([name], *rest)):
        with pytest.raises(InputError, match=r"sources\.releases\.other: no such release; known are a_set"):
            fetching("other", config(None), tmp_path / "raw")
    for name in ("../file.txt", "/file.txt"):
        with pytest.raises(InputError, match="leads out of the release's folder"):
            fetch(ReleaseFile(name, SHA256, "https://example.org/file"), tmp_path / "x", None, "a_set", config(None))


def test_a_list_of_digests_names_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str) -> None:
    """Each file of the list, by name, after its address; a line of another form is refused."""
    monkeypatch.setattr(params, "CONF", tmp_path)
    digests = tmp_path / "sources" / "digests" / "a_set.sha256"
    digests.parent.mkdir(parents=True)
    digests.write_text(f"{SHA256[7:]}  mirror/a_set/file.txt\n{SHA256[7:]}  a b/it's.txt\n", encoding="utf-8")
    sources = config(None, f"{server}/", digest="a_set.sha256")
    sources.releases["a_set"].files[:] = [replace(sources.releases["a_set"].files[0], name="*")]
    assert release_files(sources.releases["a_set"]) == [
        ReleaseFile("a b/it's.txt", SHA256, f"{server}/a%20b/it's.txt"),
        ReleaseFile("mirror/a_set/file.txt", SHA256, f"{server}/mirror/a_set/file.txt"),
    ]
    assert fetch_releases(["a_set"], sources, tmp_path / "raw") == {"a_set": 2}
    assert (tmp_path / "raw" / "a-set" / "a b" / "it's.txt").read_bytes() == DATA
    digests.write_text(f"{SHA256[7:]} one_space.txt\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a_set\.sha256:1: not `SHA256  NAME`"):
        fetch_releases(["a_set"], sources, tmp_path / "raw")


def test_a_mirror_with_the_folder_of_data_raw(tmp_path: Path) -> None:
    mirror, file = open_mirror(tmp_path), ReleaseFile("a.txt", None, "")
    for folder in ("other", "true"):
        assert mirror_folder(mirror, "true", "other", file) == ("true" if folder == "other" else "other")
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").touch()
    assert mirror_folder(mirror, "true", "other", file) == "true" == mirror_folder(None, "true", "other", file)


def described(root: Path) -> dict[str, tuple[str, str, ReleaseFile]]:
    """Every file of conf/sources/releases by its address, with its release and that one's folder."""
    files: dict[str, tuple[str, str, ReleaseFile]] = {}
    for path in sorted((root / "conf" / "sources" / "releases").glob("*.yaml")):
        for name, release in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            described_ = structured(release, Release)
            files |= {unquote(file.url): (name, described_.folder, file) for file in release_files(described_)}
    return files


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_digest_is_the_one_that_is_published(mirror: Path, root: Path) -> None:
    """Those of the mirror's list of what it has, and of its list of what it has not, where Git's blob ids stand too."""
    published = {unquote(row["url"]): f"sha256:{row['sha256']}" for row in table(mirror / "SOURCES.csv")}
    published |= {unquote(row["url"]): row["checksum"] for row in table(mirror / "NOT_MIRRORED.csv")}
    assert sum(digest.startswith("gitblob:") for digest in published.values()) == 5
    for url, (name, _, file) in described(root).items():
        assert url in published, f"{name}/{file.name}: {url} is on neither list"
        assert (file.digest or "") == published[url], f"{name}/{file.name}"
    assert {unquote(row["url"]) for row in table(mirror / "NOT_MIRRORED.csv")} <= set(described(root))
