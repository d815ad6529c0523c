"""Pages from templates: each holds its styles and its one script; a content security policy lets no other run."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from textsimp.core.inline import policy_source
from textsimp.core.reading import read_text
from textsimp.reporting.browser import alignment_browser
from textsimp.reporting.examples import VERDICTS, Example

_WEB = Path(__file__).resolve().parent / "web"
STYLES = ("page.css", "browser.css")
SCRIPTS = ("sections.js", "widgets.js", "links.js", "browser.js", "outputs.js")


def browser_page(title: str, examples: Sequence[Example], labels: Mapping[str, str], number: int) -> str:
    """A page of an alignment browser alone (`alignment_browser`), for document pairs of one's own."""
    browser = alignment_browser("pairs", examples, labels, number)
    return rendered("browser_page.html.jinja", {}, title=title, browser=browser)


def rendered(template: str, helpers: Mapping[str, Callable[..., Any]], **values: Any) -> str:
    """A template with the styles and the script, which its content security policy names by digest.

    Args:
        helpers: functions that the template calls, by name.
        values: what it shows.
    """
    environment = Environment(
        loader=FileSystemLoader(_WEB), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    style, script = ("".join(read_text(_WEB / name) for name in names) for names in (STYLES, SCRIPTS))
    signs = {verdict: meaning[0] for verdict, meaning in VERDICTS.items()}
    environment.globals.update(helpers, verdicts=VERDICTS, signs=signs)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {policy_source(script)}; base-uri 'none'"
    return environment.get_template(template).render(policy=policy, style=style, script=script, **values)
