"""Which pages are no articles, and why (F1; appendix B: "we removed the meta-page and disambiguation pages")."""

import re
from collections.abc import Mapping, Sequence

from textsimp.sources.dumps.pages import Page

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<nowiki>.*?</nowiki>", re.DOTALL)


class PageFilters:
    """The filters by name, in the order in which they are asked; the first that applies drops the page.

    `namespace` (not an article: talk, templates, categories), `redirect`, `model` (not wikitext), `empty`, then
    those of the settings.
    """

    def __init__(self, titles: Mapping[str, str], templates: Mapping[str, Sequence[str]]):
        self.titles = {name: re.compile(pattern) for name, pattern in titles.items()}
        self.templates = {name: _template_pattern(names) for name, names in templates.items() if names}

    def reason(self, page: Page) -> str | None:
        """The name of the filter that drops a page; None for an article."""
        if page.namespace != 0:
            return "namespace"
        if page.redirect:
            return "redirect"
        if page.model != "wikitext":
            return "model"
        if not page.text.strip():
            return "empty"
        found = (name for name, pattern in self.titles.items() if pattern.search(page.title))
        return next(found, None) or self._template(page.text)

    def _template(self, text: str) -> str | None:
        used = [name for name, pattern in self.templates.items() if pattern.search(text)]
        if used:
            text = _HIDDEN.sub("", text)
        return next((name for name in used if self.templates[name].search(text)), None)


def _template_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """{{Name}} or {{name|...}}: the first letter in either case, spaces or underscores between words."""
    return re.compile(r"\{\{\s*(?:" + "|".join(map(_name_pattern, sorted(names))) + r")\s*(?:\||\}\})")


def _name_pattern(name: str) -> str:
    words = "[ _]+".join(map(re.escape, re.split(r"[ _]+", name.strip())))
    first = name.strip()[0]
    return f"[{re.escape(first.upper())}{re.escape(first.lower())}]{words[len(re.escape(first)) :]}"
