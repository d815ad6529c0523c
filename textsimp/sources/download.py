"""One file from a web server: over https from the first address to the last, within bounds of size and time."""

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from tqdm import tqdm

from textsimp.core.errors import InputError

_REDIRECTS = 10
_CHUNK = 1 << 16
_MEGABYTE = 1_000_000


class RefusedError(Exception):
    """What no further try would change: an address that is not https, or a file beyond the bounds."""


class AbsentError(RefusedError):
    """The server has no such file."""


@dataclass(frozen=True)
class Limits:
    """Bounds of a download.

    Attributes:
        standstill: seconds without a byte.
        seconds: of the whole file.
        size: bytes of the file.
    """

    standstill: float
    seconds: float
    size: int


def is_web_address(url: str) -> bool:
    """Whether an address is one that is fetched: https, with a host, and without a name and password in it."""
    try:
        parts = urlsplit(url)
        return parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


@dataclass(frozen=True)
class Downloader:
    """Fetches a file as pooch wants it; `requests` verifies the certificates.

    Raises:
        RefusedError: see there.
        requests.RequestException: the network or the server failed, or the file was cut short.
    """

    limits: Limits

    def __call__(self, url: str, output_file: str | os.PathLike[str], pooch: object = None) -> None:
        """Write what is at an address into a file."""
        end = time.monotonic() + self.limits.seconds
        with requests.Session() as session:
            response = self._answer(session, url)
            with response:
                if response.status_code in (404, 410):
                    raise AbsentError(f"{response.status_code} {response.reason}")
                response.raise_for_status()
                with open(output_file, "wb") as file:
                    self._write(response, file, end)

    def _answer(self, session: requests.Session, url: str) -> requests.Response:
        for _ in range(_REDIRECTS):
            if not is_web_address(url):
                raise RefusedError(f"redirected to {url[:200]!r}, which is no https address")
            # unpacked by the server's wish, a small answer could become a huge file
            headers = {"Accept-Encoding": "identity", "User-Agent": "textsimp"}
            response = session.get(
                url, headers=headers, stream=True, allow_redirects=False, timeout=self.limits.standstill
            )
            if not response.is_redirect:
                return response
            response.close()
            url = urljoin(url, response.headers["Location"])
        raise RefusedError(f"more than {_REDIRECTS} redirects")

    def _write(self, response: requests.Response, file: Any, end: float) -> None:
        announced = response.headers.get("Content-Length", "")
        total = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 19 else None
        self._check(total or 0, end)
        done, title = 0, Path(urlsplit(response.url).path).name
        with tqdm(total=total, desc=title, unit="B", unit_scale=True, disable=not sys.stderr.isatty()) as bar:
            while chunk := self._read(response):
                done += len(chunk)
                self._check(done, end)
                file.write(chunk)
                bar.update(len(chunk))
        if total is not None and done != total:
            raise requests.ConnectionError(f"{done} bytes read, {total - done} more expected")

    @staticmethod
    def _read(response: requests.Response) -> bytes:
        """What has come, without waiting for more: a server that drips is still seen after each drop."""
        import urllib3

        try:
            data: bytes = response.raw.read1(_CHUNK, decode_content=False)
        except urllib3.exceptions.HTTPError as error:
            raise requests.ConnectionError(error) from None
        return data

    def _check(self, size: int, end: float) -> None:
        if size > self.limits.size:
            raise RefusedError(f"more than the {self.limits.size / _MEGABYTE:,.0f} MB of sources.megabytes")
        if time.monotonic() > end:
            raise RefusedError(f"not done within the {self.limits.seconds:,.0f} seconds of sources.seconds")


def download(url: str, target: Path, limits: Limits) -> bool:
    """Fetch one file without further tries, into a folder that the caller removes.

    Returns:
        False where the server has no such file.

    Raises:
        InputError: it cannot be had.
    """
    try:
        Downloader(limits)(url, target)
    except AbsentError:
        return False
    except (RefusedError, requests.RequestException) as error:
        raise InputError(f"cannot be downloaded ({error})") from None
    return True
