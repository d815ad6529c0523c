"""HTML pages that need no other file: JSON that no text can break out of, styles and scripts that a policy names."""

import base64
import hashlib
import json
import re
from collections.abc import MutableMapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from textsimp.core.reading import read_text

_WEB = Path(__file__).resolve().parent / "web"
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def embedded_json(value: Any) -> str:
    """Compact JSON on one line that cannot end, or open anything in, the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def html_page(
    folder: Path,
    template: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    helpers: MutableMapping[str, Any] | None = None,
    style_attributes: bool = False,
    **values: Any,
) -> str:
    """A page from a template in which all text is escaped, with its styles and its one script in it.

    A content security policy, which the template prints as `policy`, lets nothing but that script and these styles
    run, and nothing be loaded.

    Args:
        folder: where the template, the styles and the scripts are; what several pages share is in `textsimp/core/web`.
        helpers: functions and values that the templates it includes may use too.
        style_attributes: whether the template's elements may have `style`.
        values: what it shows.
    """
    style, script = (
        "".join(read_text(folder / name if (folder / name).is_file() else _WEB / name) for name in names)
        for names in (styles, scripts)
    )
    style_source = "'unsafe-inline'" if style_attributes else policy_source(style)
    policy = f"default-src 'none'; style-src {style_source}; script-src {policy_source(script)}; "
    policy += "base-uri 'none'; form-action 'none'"
    page = _environment(folder).get_template(template, globals=helpers)
    return page.render(policy=policy, style=style, script=script, **values)


@cache
def _environment(folder: Path) -> Environment:
    """Return the environment of a folder's templates, each of which is compiled once."""
    form: dict[str, Any] = {"autoescape": True, "undefined": StrictUndefined, "keep_trailing_newline": True}
    return Environment(loader=FileSystemLoader(folder), **form)


def policy_source(content: str) -> str:
    """An inline script or style, as a content security policy names it: `'sha256-...'`."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
