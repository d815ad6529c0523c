"""The rating form: one HTML file a rater, which needs no network, no server and no other file."""

import base64
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from textsimp.human_evaluation.guidelines import CRITERIA, RULES, SCALE
from textsimp.human_evaluation.sheets import COLUMNS, NO_TEXT
from textsimp.human_evaluation.study import Study

_HERE = Path(__file__).resolve().parent
_IN_JSON = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def rating_form(study: Study, rater: str) -> str:
    """The form of one rater, with the sentences and outputs in the order of his sheet.

    Texts reach the page as JSON in which no mark-up can start, and the script writes them as text. A content security
    policy allows the page's own script and style by their digests and nothing else, no network access either.
    """
    style, script = ((_HERE / name).read_text(encoding="utf-8") for name in ("form.css", "form.js"))
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.get_template("form.html.jinja").render(
        policy=f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'",
        rater=rater,
        rules=RULES,
        criteria=CRITERIA,
        scale=SCALE,
        style=style,
        script=script,
        data=_as_json(_data(study, rater)),
    )


def _data(study: Study, rater: str) -> dict[str, Any]:
    """What the script needs; no system's name is among it."""
    sentences = [
        {"complex": items[0].complex, "outputs": [{"id": item.id, "text": item.text or NO_TEXT} for item in items]}
        for items in study.order(rater)
    ]
    return {
        "study": study.name,
        "rater": rater,
        "columns": list(COLUMNS),
        "criteria": [asdict(criterion) for criterion in CRITERIA],
        "scale": list(SCALE),
        "sentences": sentences,
    }


def _as_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(_IN_JSON.get(character, character) for character in text)


def _source(content: str) -> str:
    """An inline script or style, as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
