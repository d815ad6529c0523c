"""Files of published releases: from a mirror folder or their address, digest verified, written whole (F1)."""

import contextlib
import http.client
import logging
import os
import re
import shutil
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tqdm import tqdm

from textsimp.errors import InputError, bad_input
from textsimp.sources.config import Release, ReleaseFile, SourcesConfig
from textsimp.textfiles import git_blob_id, sha256

_CHUNK = 1 << 20
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}|gitblob:[0-9a-f]{40}")
_DIGESTS = {"sha256": sha256, "gitblob": git_blob_id}
logger = logging.getLogger(__name__)


def fetch_release(name: str, sources: SourcesConfig, raw: str | Path) -> Path:
    """Fetch every file of `sources.releases.NAME` into its folder under `raw`; return the folder.

    A file that is already there with the right digest stays, so that an interrupted acquisition goes on.

    Raises:
        InputError: no such release; a file that is in neither place, is cut short or has another digest. What was
            there before is left as it was.
    """
    release = _release(name, sources)
    folder = Path(raw) / release.folder
    for file in release.files:
        mirrored = Path(sources.mirror, name, file.name) if sources.mirror else None
        fetch(file, folder / file.name, mirrored, sources.timeout)
    return folder


def fetch(file: ReleaseFile, target: Path, mirrored: Path | None, timeout: float) -> None:
    """Write one file to `target`, from `mirrored` if it exists, else from its address.

    Args:
        file: name, digest and address.
        target: where it goes; nothing is left there or beside it if this fails.
        mirrored: the place of the file in the mirror folder; None where no mirror is configured.
        timeout: seconds that the download may stand still.

    Raises:
        InputError: see `fetch_release`.
    """
    _check_digest(file)
    if file.digest and target.is_file() and digest_of(target, file.digest) == file.digest:
        return
    with _temporary(target) as temporary:
        if mirrored and mirrored.is_file():
            shutil.copyfile(mirrored, temporary)
            _verify(file, temporary, str(mirrored), "replace it by the released file")
        else:
            _download(file, temporary, mirrored, timeout)
            _verify(file, temporary, file.url, _by_hand(mirrored, file))


def digest_of(path: Path, like: str) -> str:
    """The digest of a file, of the kind that `like` has: `sha256:HEX` or `gitblob:HEX`."""
    kind = like.partition(":")[0]
    return f"{kind}:{_DIGESTS[kind](path)}"


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


def _download(file: ReleaseFile, temporary: Path, mirrored: Path | None, timeout: float) -> None:
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


def _by_hand(mirrored: Path | None, file: ReleaseFile) -> str:
    if mirrored:
        return f"download it by hand to {mirrored}"
    return f"set sources.mirror to a folder that has RELEASE/{file.name}"
