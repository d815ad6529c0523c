"""Files of published releases: from a mirror or their address, digest verified, written whole (F1)."""

import contextlib
import http.client
import logging
import os
import re
import shutil
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from tqdm import tqdm

from textsimp.errors import InputError, bad_input
from textsimp.sources.config import Release, ReleaseFile, SourcesConfig
from textsimp.sources.mirror import Mirror, MirrorFile, open_mirror
from textsimp.sources.provenance import Origin, write_provenance
from textsimp.textfiles import atomic_folder, git_blob_id, partial_folder, sha256

_CHUNK = 1 << 20
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}|gitblob:[0-9a-f]{40}")
_DIGESTS = {"sha256": sha256, "gitblob": git_blob_id}
logger = logging.getLogger(__name__)


class DownloadError(InputError):
    """A file that did not come from its address; what came before it stands, and another run goes on."""


def fetch_releases(names: Sequence[str], sources: SourcesConfig, raw: str | Path) -> dict[str, int]:
    """Fetch releases and write `raw` whole: each into its own folder, with its record in `provenance`.

    Files that are in `raw` already with the right digest are not fetched again. What a broken download leaves waits in
    the hidden folder `.NAME.partial` beside `raw`.

    Args:
        names: keys of `sources.releases`.
        sources: mirror, time limit and releases.
        raw: the folder to write.

    Returns:
        The number of files of each release.

    Raises:
        InputError: no such release; a mirror that is no folder; a file that is in neither place, is cut short or has
            another digest. `raw` is then as it was before.
    """
    raw = Path(raw)
    releases = {name: _release(name, sources) for name in names}
    work = partial_folder(raw)
    try:
        for name in releases:
            _fetch_files(name, sources, work, raw)
    except DownloadError:
        raise
    except InputError:
        shutil.rmtree(work, ignore_errors=True)
        raise
    with atomic_folder(raw) as folder:
        for name, release in releases.items():
            for file in release.files:
                (folder / release.folder / file.name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(work / release.folder / file.name, folder / release.folder / file.name)
            _record(name, release, folder)
    shutil.rmtree(work, ignore_errors=True)
    return {name: len(release.files) for name, release in releases.items()}


def fetch_release(name: str, sources: SourcesConfig, raw: str | Path) -> Path:
    """Fetch every file of `sources.releases.NAME` into its folder under `raw`, one by one; return the folder.

    A file that is already there with the right digest stays. `InputError` as for `fetch_releases`.
    """
    raw = Path(raw)
    _fetch_files(name, sources, raw, raw)
    release = _release(name, sources)
    _record(name, release, raw)
    return raw / release.folder


def _fetch_files(name: str, sources: SourcesConfig, raw: Path, earlier: Path) -> None:
    release, mirror = _release(name, sources), _mirror(sources)
    for file in release.files:
        known, target = earlier / release.folder / file.name, raw / release.folder / file.name
        if known != target and not target.is_file() and _has(known, file):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(known, target)
        fetch(file, target, mirror.file(name, file.name) if mirror else None, sources.timeout)


def _mirror(sources: SourcesConfig) -> Mirror | None:
    try:
        return open_mirror(sources.mirror)
    except InputError as error:
        raise InputError(f"sources.mirror: {error}") from None


def _record(name: str, release: Release, raw: Path) -> None:
    files = (Origin(file.name, raw / release.folder / file.name, file.url, file.digest) for file in release.files)
    write_provenance(raw, name, release.title, release.licence, files)


def fetch(file: ReleaseFile, target: Path, mirrored: MirrorFile | None, timeout: float) -> None:
    """Write one file to `target`, from `mirrored` if it exists, else from its address.

    Args:
        file: name, digest and address.
        target: where it goes; nothing is left there or beside it if this fails.
        mirrored: the place of the file in the mirror; None where no mirror is configured.
        timeout: seconds that the download may stand still.

    Raises:
        InputError: see `fetch_releases`.
    """
    _check_digest(file)
    if _has(target, file):
        return
    with _temporary(target) as temporary:
        if mirrored and mirrored.copy_to(temporary):
            _verify(file, temporary, str(mirrored), "replace it by the released file")
            return
        try:
            _download(file, temporary, mirrored, timeout)
            _verify(file, temporary, file.url, _by_hand(mirrored, file))
        except InputError as error:
            raise DownloadError(str(error)) from None


def digest_of(path: Path, like: str) -> str:
    """The digest of a file, of the kind that `like` has: `sha256:HEX` or `gitblob:HEX`."""
    kind = like.partition(":")[0]
    return f"{kind}:{_DIGESTS[kind](path)}"


def _has(path: Path, file: ReleaseFile) -> bool:
    """Whether a file is there already; where no digest is published nobody can know."""
    return file.digest is not None and path.is_file() and digest_of(path, file.digest) == file.digest


def _release(name: str, sources: SourcesConfig) -> Release:
    if name not in sources.releases:
        raise InputError(f"sources.releases.{name}: no such release; known are {', '.join(sorted(sources.releases))}")
    return sources.releases[name]


def _check_digest(file: ReleaseFile) -> None:
    if file.digest is not None and not _DIGEST.fullmatch(file.digest):
        what = f"digest {file.digest!r} is neither sha256: and 64 digits nor gitblob: and 40"
        raise InputError(f"sources: {file.name}: {what}; correct it under conf/sources")


@contextlib.contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """A file beside `target` that takes its name only when the block ends without an error."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        yield Path(name)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _download(file: ReleaseFile, temporary: Path, mirrored: MirrorFile | None, timeout: float) -> None:
    if not file.url.startswith(("https://", "http://")):
        raise InputError(f"sources: {file.name}: {file.url!r} is no web address; correct it under conf/sources")
    try:
        with urllib.request.urlopen(file.url, timeout=timeout) as answer, open(temporary, "wb") as out:
            _copy(answer, out, file.name)
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        what = f"cannot be downloaded ({' '.join(str(reason).split())})"
        raise bad_input(file.url, None, what, _by_hand(mirrored, file)) from None


def _copy(answer: http.client.HTTPResponse, out: IO[bytes], name: str) -> None:
    length = answer.headers.get("Content-Length")
    size = int(length) if length and length.isdecimal() else None
    with tqdm(desc=name, total=size, unit="B", unit_scale=True, disable=None) as bar:
        while chunk := answer.read(_CHUNK):
            out.write(chunk)
            bar.update(len(chunk))
    if size is not None and out.tell() != size:
        raise http.client.HTTPException(f"{out.tell()} of {size} bytes came")


def _verify(file: ReleaseFile, path: Path, origin: str, remedy: str) -> None:
    if file.digest is None:
        logger.warning("%s has no published digest; this copy has sha256:%s", file.name, sha256(path))
        return
    found = digest_of(path, file.digest)
    if found != file.digest:
        what = f"corrupt, cut short or changed: {path.stat().st_size} bytes with {found}, not {file.digest}"
        raise bad_input(origin, None, what, remedy)


def _by_hand(mirrored: MirrorFile | None, file: ReleaseFile) -> str:
    if mirrored:
        return f"download it by hand to {mirrored}"
    return f"set sources.mirror to a folder that has RELEASE/{file.name}"
