"""Pages from templates: each holds its styles and its one script; a content security policy lets no other run."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.inline import html_page
from textsimp.reporting.browser import alignment_browser
from textsimp.reporting.examples import VERDICTS, Example

_WEB = Path(__file__).resolve().parent / "web"
STYLES = ("base.css", "page.css", "browser.css")
SCRIPTS = ("sections.js", "widgets.js", "browser.js", "outputs.js")


def browser_page(title: str, examples: Sequence[Example], labels: Mapping[str, str], number: int) -> str:
    """A page of an alignment browser alone (`alignment_browser`), for document pairs of one's own."""
    browser = alignment_browser("pairs", examples, labels, number)
    return rendered("browser_page.html.jinja", {}, title=title, browser=browser)


def rendered(template: str, helpers: Mapping[str, Callable[..., Any]], **values: Any) -> str:
    """A template of `reporting/web` as `html_page` makes a page of it.

    Args:
        helpers: functions that the template calls, by name.
        values: what it shows.
    """
    signs = {verdict: meaning[0] for verdict, meaning in VERDICTS.items()}
    known = {**helpers, "verdicts": VERDICTS, "signs": signs}
    return html_page(_WEB, template, STYLES, SCRIPTS, known, style_attributes=True, **values)
