"""Files of published releases: from a mirror or their address, digest verified, placed whole, their origin recorded.

The mirror is a folder, or any address that fsspec opens, with RELEASE/FILE for each file (or FOLDER/FILE, its folder
under data/raw); pooch downloads the others.
"""

import logging
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pooch
from fsspec.core import url_to_fs

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import git_blob_id, sha256
from textsimp.core.writing import atomic_folder, partial_place, write_json
from textsimp.sources.config import Release, ReleaseFile, SourcesConfig, release_files
from textsimp.sources.download import AbsentError, Limits, RefusedError, download, is_web_address

PROVENANCE = "provenance"
"""The folder of the records; apart, because some readers take every file of a release's folder."""
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}|gitblob:[0-9a-f]{40}")
_DIGESTS = {"sha256": sha256, "gitblob": git_blob_id}
_MIRROR_REMEDY = "give a folder, or an address that fsspec opens, with RELEASE/FILE in it"
logger = logging.getLogger(__name__)


class DownloadError(InputError):
    """A file that did not come from its address; what came before it stays, and another run continues."""


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
        except (FileNotFoundError, AbsentError):
            return False
        except Exception as error:
            raise _unreadable(self.address(file), error) from None
        return True


def open_mirror(where: str | Path | None) -> Mirror | None:
    """Return the mirror at a path or address; None where none is configured.

    Raises:
        InputError: it is no folder (a web server, which lists no folders, is not asked), it is reached over http
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
    """Fetch releases and write `raw` whole: each into its own folder, with its record in `provenance`.

    Files that are in `raw` already with the right digest are not fetched again. What a broken download leaves waits in
    the hidden folder `.NAME.partial` beside `raw`.

    Returns:
        The number of files of each release.

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
