"""One file from a web server: over https from the first address to the last, within bounds of size and time."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from tqdm import tqdm

_REDIRECTS = 10
_CHUNK = 1 << 16
_MEGABYTE = 1_000_000


class RefusedError(Exception):
    """What no further try would change: an address that is not https, or a file beyond the bounds."""


class AbsentError(RefusedError):
    """The server has no such file."""


@dataclass(frozen=True)
class Limits:
    """Bounds of a download: seconds without a byte, seconds and bytes of the whole file."""

    standstill: float
    seconds: float
    size: int

    def check(self, size: int, end: float) -> None:
        """Raise `RefusedError` where a file has more bytes, or the clock is beyond its end."""
        if size > self.size:
            raise RefusedError(f"more than the {self.size / _MEGABYTE:,.0f} MB of sources.megabytes")
        if time.monotonic() > end:
            raise RefusedError(f"not done within the {self.seconds:,.0f} seconds of sources.seconds")


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
        RefusedError: see there.
        requests.RequestException: the network or the server failed, or the file was cut short.
    """
    end = time.monotonic() + limits.seconds
    with requests.Session() as session, _answer(session, url, limits.standstill) as response:
        if response.status_code in (404, 410):
            raise AbsentError(f"{response.status_code} {response.reason}")
        response.raise_for_status()
        announced = response.headers.get("Content-Length", "")
        total = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 19 else None
        limits.check(total or 0, end)
        done, title = 0, Path(urlsplit(response.url).path).name
        hidden = not sys.stderr.isatty()
        with (
            open(target, "wb") as file,
            tqdm(total=total, desc=title, unit="B", unit_scale=True, disable=hidden) as bar,
        ):
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
    import urllib3

    try:
        data: bytes = response.raw.read1(_CHUNK, decode_content=False)
    except urllib3.exceptions.HTTPError as error:
        raise requests.ConnectionError(error) from None
    return data
