"""A headless Chromium for tests, driven over its DevTools pipe with the standard library alone."""

import json
import os
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

_PATIENCE = 60.0
"""Seconds for an answer of a browser that starts on a busy machine."""
_MOMENT = 1.0

_FAILURES = {"Page.javascriptDialogOpening", "Runtime.exceptionThrown", "Inspector.targetCrashed"}


class Browser:
    """One page of a Chromium; messages are JSON, each ended by NUL, through the descriptors 3 and 4."""

    def __init__(self, program: str, folder: Path) -> None:
        self.downloads = folder / "downloads"
        self.requests: list[str] = []
        self.complaints: list[Any] = []
        self._documents: set[str] = set()
        self._buffer, self._number, self._session = b"", 0, ""
        self._crashed: bool | None = None  # False while a page that was killed has not ended yet
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        flags = f"--headless --no-sandbox --disable-gpu --remote-debugging-pipe --user-data-dir={folder / 'profile'}"
        flags += " --disable-back-forward-cache --disable-features=SpareRendererForSitePerProcess"
        command = f'exec "$0" {flags} 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, program],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._attach()
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def _attach(self) -> None:
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def settle(self) -> None:
        """Wait as long as a person takes from the last key to closing the page.

        What a page writes into localStorage leaves its process a moment later, on a busy machine a longer one.
        """
        time.sleep(_MOMENT)

    def kill_page(self) -> None:
        """Kill the process of the page, as a system that is short of memory does; then there is a new, empty page."""
        self.settle()
        parents, renderers = {}, []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if b"--type=renderer" in (entry / "cmdline").read_bytes():
                    renderers.append(int(entry.name))
            except OSError:
                continue  # it has ended
        for number in renderers:
            ancestor = number
            while ancestor in parents and ancestor != self._process.pid:
                ancestor = parents[ancestor]
            if ancestor == self._process.pid:
                os.kill(number, signal.SIGKILL)
        self._crashed = False
        while not self._crashed:
            self._read()
        self._attach()

    def kill(self) -> None:
        """Kill the whole browser; its profile stays for the next one."""
        self._process.kill()
        self._process.wait(_PATIENCE)
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, **params: Any) -> Any:
        """Send a command and wait for its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session and not method.startswith("Browser."):
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def open(self, path: Path) -> None:
        """Load a file and wait until its script has run."""
        self.requests.clear()
        self.complaints.clear()
        document = self.call("Page.navigate", url=path.resolve().as_uri())["loaderId"]
        while document not in self._documents:  # the answer may come before the page before has gone
            self._read()
        self.until("document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that are visible."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})].filter((e) => e.checkVisibility())"
        texts: list[str] = self.evaluate(f"{found}.map((e) => e.textContent)")
        return texts

    def until(self, expression: str) -> None:
        """Wait for a JavaScript expression to become true."""
        end = time.monotonic() + _PATIENCE
        while not self.evaluate(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press a key, as the keyboard does: the page gets trusted events; `modifiers` has 2 for Ctrl, 8 for Shift."""
        text = {"text": key} if len(key) == 1 and not modifiers & 2 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def choose_file(self, selector: str, path: Path) -> None:
        """Give a file to an input of files, as its dialog does."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path.resolve())])

    def click(self, selector: str) -> None:
        """Click the middle of an element with the mouse."""
        place = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{place}.scrollIntoView({{block: 'center'}})")
        box = self.evaluate(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({place}.getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def resize(self, width: int, height: int) -> None:
        """Give the page a screen of this size."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def downloaded(self, name: str) -> Path:
        """A file that the page gave to download; waits for its end."""
        path, end, size = self.downloads / name, time.monotonic() + _PATIENCE, -1
        while not path.is_file() or path.stat().st_size != size:
            assert time.monotonic() < end, f"no download {name}"
            size = path.stat().st_size if path.is_file() else -1
            time.sleep(0.03)
        return path

    def close(self) -> None:
        """End the browser."""
        self._session = ""
        self.call("Browser.close")
        self._process.wait(_PATIENCE)
        os.close(self._in)
        os.close(self._out)

    def _read(self) -> dict[str, Any]:
        """The next message; addresses that the page asks for, and what the console says, are noted."""
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], _PATIENCE)
            chunk = os.read(self._in, 1 << 16) if ready else b""
            assert chunk, "Chromium gives no answer"
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        if message.get("method") == "Page.frameNavigated":
            self._documents.add(message["params"]["frame"]["loaderId"])
        if message.get("method") in ("Log.entryAdded", "Runtime.consoleAPICalled"):
            self.complaints.append(message["params"])
        if message.get("method") == "Inspector.targetCrashed" and self._crashed is False:
            self._crashed = True
        else:
            assert message.get("method") not in _FAILURES, f"the page failed: {message}"
        return message


def start(folder: Path) -> Browser:
    """A browser with its profile in the folder; the test is skipped where no Chromium is installed."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on the PATH (Debian: apt-get install chromium)")
    return Browser(program, folder)
