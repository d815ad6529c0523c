"""What programs write into pages: tables between two marks, and pages that a table or a picture is the whole of."""

from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def between(text: str, start: str, end: str, part: str) -> str:
    """A page with something else between two marks, each on a line of its own."""
    before, rest = text.split(start)
    return f"{before}{start}\n{part}{end}{rest.split(end)[1]}"


def stale(fresh: Mapping[str, str], root: Path = ROOT, write: bool = False) -> list[str]:
    """The pages that differ from their fresh texts; `write` updates them."""
    pages = []
    for page, text in fresh.items():
        path = root / page
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            pages.append(page)
            if write:
                path.write_text(text, encoding="utf-8")
    return pages
