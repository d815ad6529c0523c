"""Files of published releases: from a mirror or their address, digest verified, placed whole, their origin recorded.

The mirror is a folder, or any address that fsspec opens, with RELEASE/FILE for each file (or FOLDER/FILE, its folder
under data/raw). pooch has the others downloaded, over https from the first address to the last, within bounds of size
and time.
"""

import logging
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import pooch
import requests
import urllib3
from fsspec.core import url_to_fs
from tqdm import tqdm

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import git_blob_id, sha256
from textsimp.core.writing import atomic_folder, partial_place, write_json
from textsimp.sources.config import Release, ReleaseFile, SourcesConfig, release_files

PROVENANCE = "provenance"
"""The folder of the records; apart, because some readers take every file of a release's folder."""
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}|gitblob:[0-9a-f]{40}")
_DIGESTS = {"sha256": sha256, "gitblob": git_blob_id}
_MIRROR_REMEDY = "give a folder, or an address that fsspec opens, with RELEASE/FILE in it"
_REDIRECTS, _CHUNK = 10, 1 << 16
logger = logging.getLogger(__name__)


class DownloadError(InputError):
    """A file that did not come from its address; what came before it stays, and another run continues."""


class RefusedError(Exception):
    """A fault that no further try would change: an address that is not https, or a file beyond the bounds."""


class Limits(NamedTuple):
    """Bounds of a download: seconds without a byte, seconds and bytes of the whole file."""

    standstill: float
    seconds: float
    size: int

    def check(self, size: int, end: float) -> None:
        """Raise `RefusedError` where a file has more bytes, or the clock is beyond its end."""
        if size > self.size:
            raise RefusedError(f"more than the {self.size / 1e6:,.0f} MB of sources.megabytes")
        if time.monotonic() > end:
            raise RefusedError(f"not done within the {self.seconds:,.0f} seconds of sources.seconds")


class Mirror(NamedTuple):
    """A mirror whose files are named RELEASE/FILE: its path or address as given, its file system, its path there."""

    name: str
    system: Any
    root: str

    def address(self, file: str) -> str:
        """Return where a file is or would be, for messages."""
        return f"{self.name.rstrip('/')}/{file}"

    def path(self, file: str) -> str:
        """Return where a file is in the mirror's file system."""
        return f"{self.root.rstrip('/')}/{file}".removeprefix("" if self.root else "/")

    def exists(self, file: str) -> bool:
        """Return whether the file is there; raise `InputError` where the mirror does not answer."""
        try:
            return bool(self.system.isfile(self.path(file)))
        except Exception as error:  # fsspec has no common type of errors
            raise _unreadable(self.address(file), error) from None

    def copy(self, file: str, target: Path, limits: Limits) -> bool:
        """Copy the file; False where it is absent, `InputError` where it cannot be read or is too large."""
        try:
            if "http" in self.system.protocol:
                download(self.address(file), target, limits)
                return True
            with self.system.open(self.path(file), "rb") as source, open(target, "wb") as copy:
                while chunk := source.read(1 << 20):
                    if copy.tell() + len(chunk) > limits.size:
                        raise InputError(f"more than {limits.size >> 20} MiB")
                    copy.write(chunk)
        except FileNotFoundError:
            return False
        except Exception as error:
            raise _unreadable(self.address(file), error) from None
        return True


def open_mirror(where: str | Path | None) -> Mirror | None:
    """Return the mirror at a path or address; None where none is configured.

    Raise `InputError` where it is no folder (a web server, which lists no folders, is not asked), is reached over http
    without encryption, or fsspec does not open it.
    """
    if where is None:
        return None
    if "http://" in str(where):
        raise bad_input(where, None, "what comes over http may be anybody's", "give an https address or a folder")
    try:
        system, root = url_to_fs(str(where))
        is_there = "http" in system.protocol or system.isdir(root)
    except Exception as error:  # no such protocol, its library is not installed, no credentials, ...
        raise _unreadable(str(where), error) from None
    if not is_there:
        raise bad_input(where, None, "the mirror is no folder", _MIRROR_REMEDY)
    return Mirror(str(where), system, root)


def _unreadable(where: str, error: Exception) -> InputError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return bad_input(where, None, f"the mirror cannot be read ({reason})", _MIRROR_REMEDY)


def fetch_releases(names: Sequence[str], sources: SourcesConfig, raw: str | Path) -> dict[str, int]:
    """Fetch releases into folders of their own, and write `raw` whole, with records; return their numbers of files.

    Files that are in `raw` already with the right digest are not fetched again. What a broken download leaves waits in
    the hidden folder `.NAME.partial` beside `raw`.

    Raises:
        InputError: no such release; a mirror that is no folder; a file that is in neither place, is cut short or has
            another digest. `raw` is then as it was before.
    """
    raw = Path(raw)
    releases = {name: _release(name, sources) for name in names}
    work = partial_place(raw)
    try:
        for name in releases:
            _fetch_files(name, sources, work, raw)
    except DownloadError:
        raise
    except InputError:
        shutil.rmtree(work, ignore_errors=True)
        raise
    with atomic_folder(raw, PROVENANCE) as folder:
        for name, release in releases.items():
            for file in release_files(release):
                target = folder / release.folder / file.name
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(work / release.folder / file.name, target)
            write_provenance(folder, name, release)
    shutil.rmtree(work, ignore_errors=True)
    return {name: len(release_files(release)) for name, release in releases.items()}


def fetch_release(name: str, sources: SourcesConfig, raw: str | Path) -> Path:
    """Fetch every file of `sources.releases.NAME` into its folder under `raw`, one by one; return the folder.

    A file that is already there with the right digest stays. `InputError` as for `fetch_releases`.
    """
    raw, release = Path(raw), _release(name, sources)
    _fetch_files(name, sources, raw, raw)
    write_provenance(raw, name, release)
    return raw / release.folder


def fetch(file: ReleaseFile, target: Path, mirror: Mirror | None, release: str, sources: SourcesConfig) -> None:
    """Write a file of a release to `target`, from the mirror if it is there, else from its address.

    Nothing is left there or beside it if this fails; `InputError` as for `fetch_releases`.
    """
    if file.digest is not None and not _DIGEST.fullmatch(file.digest):
        what = f"digest {file.digest!r} is neither sha256: and 64 digits nor gitblob: and 40"
        raise InputError(f"sources: {file.name}: {what}; correct it under conf/sources")
    if ".." in Path(file.name).parts or Path(file.name).is_absolute():
        raise InputError(f"sources: {file.name}: leads out of the release's folder; correct it under conf/sources")
    if _has(target, file):
        return
    limits = Limits(sources.timeout, sources.seconds, round(sources.megabytes * 1e6))
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
        temporary = Path(folder, "file")
        name = f"{release}/{file.name}"
        if mirror and mirror.copy(name, temporary, limits):
            _verify(file, temporary, mirror.address(name), "replace it by the released file")
        else:
            remedy = f"set sources.mirror to a folder that has RELEASE/{file.name}"
            remedy = f"download it by hand to {mirror.address(name)}" if mirror else remedy
            _download(file, temporary, remedy, limits, sources.retries)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)


def digest_of(path: Path, like: str) -> str:
    """Return the digest of a file, of the kind that `like` has: `sha256:HEX` or `gitblob:HEX`."""
    kind = like.partition(":")[0]
    return f"{kind}:{_DIGESTS[kind](path)}"


def write_provenance(raw: Path, name: str, release: Release) -> None:
    """Write where raw data is from, provenance/NAME.json, with size and SHA-256 of each file as it lies in `raw`.

    The record has no date and no path of this machine, so that the same release gives the same bytes everywhere:
    whether a verified file came from a mirror or from its address makes no difference.
    """
    rows = []
    for file in release_files(release):
        path = raw / release.folder / file.name
        row = {"name": file.name, "bytes": path.stat().st_size, "sha256": sha256(path)}
        rows.append(row | {"published_digest": file.digest, "url": file.url})
    record = {"release": name, "title": release.title, "licence": release.licence, "files": rows}
    write_json(raw / PROVENANCE / f"{name}.json", record)


def _release(name: str, sources: SourcesConfig) -> Release:
    if name not in sources.releases:
        raise InputError(f"sources.releases.{name}: no such release; known are {', '.join(sorted(sources.releases))}")
    return sources.releases[name]


def _fetch_files(name: str, sources: SourcesConfig, raw: Path, earlier: Path) -> None:
    release = _release(name, sources)
    try:
        mirror = open_mirror(sources.mirror)
    except InputError as error:
        raise InputError(f"sources.mirror: {error}") from None
    for file in release_files(release):
        here, target = earlier / release.folder / file.name, raw / release.folder / file.name
        if here != target and not target.is_file() and _has(here, file):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here, target)
        fetch(file, target, mirror, mirror_folder(mirror, name, release.folder, file), sources)


def mirror_folder(mirror: Mirror | None, name: str, folder: str, file: ReleaseFile) -> str:
    """Return the folder of the mirror that has a file: the release's `name`, or its `folder` under data/raw."""
    is_elsewhere = folder != name and mirror and not mirror.exists(f"{name}/{file.name}")
    return folder if is_elsewhere and mirror and mirror.exists(f"{folder}/{file.name}") else name


def _has(path: Path, file: ReleaseFile) -> bool:
    """Return whether a file is there already; where no digest is published nobody can know."""
    return file.digest is not None and path.is_file() and digest_of(path, file.digest) == file.digest


def _download(file: ReleaseFile, target: Path, remedy: str, limits: Limits, retries: int) -> None:
    """Download and verify. pooch tries a file again that is cut short or, for a SHA-256, has another digest."""
    if not is_web_address(file.url):
        raise InputError(f"sources: {file.name}: {file.url!r} is no https address; correct it under conf/sources")
    pooch.get_logger().setLevel(logging.WARNING)
    checked = file.digest if file.digest and file.digest.startswith("sha256:") else None
    registry, urls = {target.name: checked}, {target.name: file.url}
    files = pooch.create(target.parent, "", registry=registry, urls=urls, retry_if_failed=retries)
    try:
        files.fetch(target.name, downloader=lambda url, output, _: download(url, Path(output), limits))
        _verify(file, target, file.url, remedy)
        return
    except InputError as error:
        raise DownloadError(str(error)) from None
    except (OSError, RefusedError) as error:
        what = f"cannot be downloaded ({' '.join(str(error).split())})"
    except ValueError:  # pooch: another digest
        what = f"corrupt, cut short or changed: not {file.digest}"
    raise DownloadError(str(bad_input(file.url, None, what, remedy)))


def _verify(file: ReleaseFile, path: Path, origin: str, remedy: str) -> None:
    if file.digest is None:
        logger.warning("%s has no published digest; this copy has sha256:%s", file.name, sha256(path))
    elif (digest := digest_of(path, file.digest)) != file.digest:
        what = f"corrupt, cut short or changed: {path.stat().st_size} bytes with {digest}, not {file.digest}"
        raise bad_input(origin, None, what, remedy)


def is_web_address(url: str) -> bool:
    """Return whether an address is one that is fetched: https, with a host, and without a name and password in it."""
    try:
        parts = urlsplit(url)
        return parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


def download(url: str, target: Path, limits: Limits) -> None:
    """Write what is at an address into a file; `requests` verifies the certificates.

    Raises:
        RefusedError, FileNotFoundError: no further try would change it; the server has no such file.
        requests.RequestException: the network or the server failed, or the file was cut short.
    """
    end = time.monotonic() + limits.seconds
    with requests.Session() as session, _answer(session, url, limits.standstill) as response:
        if response.status_code in (404, 410):
            raise FileNotFoundError(f"{response.status_code} {response.reason}")
        response.raise_for_status()
        announced = response.headers.get("Content-Length", "")
        total = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 19 else None
        limits.check(total or 0, end)
        done, title = 0, Path(urlsplit(response.url).path).name
        hidden = not sys.stderr.isatty()
        bar = tqdm(total=total, desc=title, unit="B", unit_scale=True, disable=hidden)
        with open(target, "wb") as file, bar:
            while chunk := _read(response):
                done += len(chunk)
                limits.check(done, end)
                file.write(chunk)
                bar.update(len(chunk))
        if total is not None and done != total:
            raise requests.ConnectionError(f"{done} bytes read, {total - done} more expected")


def _answer(session: requests.Session, url: str, standstill: float) -> requests.Response:
    """Return the answer behind all redirects, each of which has to be https."""
    # unpacked by the server's wish, a small answer could become a huge file
    headers = {"Accept-Encoding": "identity", "User-Agent": "textsimp"}
    for _ in range(_REDIRECTS):
        if not is_web_address(url):
            raise RefusedError(f"redirected to {url[:200]!r}, which is no https address")
        response = session.get(url, headers=headers, stream=True, allow_redirects=False, timeout=standstill)
        if not response.is_redirect:
            return response
        response.close()
        url = urljoin(url, response.headers["Location"])
    raise RefusedError(f"more than {_REDIRECTS} redirects")


def _read(response: Any) -> bytes:
    """Return what has come, without waiting for more: a server that drips is still seen after each drop."""
    try:
        data: bytes = response.raw.read1(_CHUNK, decode_content=False)
    except urllib3.exceptions.HTTPError as error:
        raise requests.ConnectionError(error) from None
    return data
