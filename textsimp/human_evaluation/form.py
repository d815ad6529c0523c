"""The rating form: one HTML file a rater, which needs no network, no server and no other file."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from textsimp.human_evaluation.guidelines import CRITERIA, RULES, SCALE
from textsimp.human_evaluation.sheets import COLUMNS, NO_TEXT
from textsimp.human_evaluation.study import Study
from textsimp.inline import embedded_json, policy_source

_HERE = Path(__file__).resolve().parent


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
        policy=f"default-src 'none'; style-src {policy_source(style)}; script-src {policy_source(script)}; "
        "base-uri 'none'; form-action 'none'",
        rater=rater,
        rules=RULES,
        criteria=CRITERIA,
        scale=SCALE,
        style=style,
        script=script,
        data=embedded_json(_data(study, rater)),
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
