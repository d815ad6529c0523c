"""What `textsimp doctor` prints for a person: first the experiments, then the sources (F1)."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from textsimp.sources.doctor import Need, Verdict, verdicts
from textsimp.sources.holdings import PRESENT, Holding

_WIDTH = 110


def readable(needs: Sequence[Need], sources: Mapping[str, Holding]) -> Iterator[str]:
    """Lines of at most 110 characters, addresses and long file names apart.

    Args:
        needs: what the experiments need, as `examine` gives it.
        sources: the catalogue; what else the experiments need (encoders) is added to it.
    """
    yield "EXPERIMENTS (make repro EXPERIMENT=NAME)"
    for verdict in verdicts(needs):
        yield ""
        yield from _experiment(verdict, [need for need in needs if need.experiment == verdict.experiment])
    more = {need.source: need.holding for need in needs if need.source not in sources}
    yield ""
    yield "SOURCES"
    for name, holding in (more | dict(sources)).items():
        users = list(dict.fromkeys(need.experiment for need in needs if need.source == name))
        yield ""
        yield from _source(name, holding, users)


def _experiment(verdict: Verdict, needs: Sequence[Need]) -> Iterator[str]:
    yield f"{verdict.experiment}: {_answer(verdict)}"
    for part in dict.fromkeys(need.part for need in needs):
        own = [need for need in needs if need.part == part]
        here = [need.source for need in own if need.state == PRESENT]
        yield from _item(part, f"present: {', '.join(here) or 'nothing'}")
        for state in dict.fromkeys(need.state for need in own if need.state != PRESENT):
            names = [need.source for need in own if need.state == state]
            yield from _item("", f"{state}: {', '.join(names)} (see below how to get {_it(names)})")
    if verdict.instead:
        commands = ", ".join(f"make repro EXPERIMENT={name}" for name in verdict.instead)
        yield from _item("without them", f"{commands} does what can be done of it")
    elif verdict.blocked and verdict.ready:
        yield from _item("without them", f"{', '.join(verdict.ready)} can run, but no experiment has that alone")
    elif verdict.blocked:
        yield from _item("without them", "nothing of it; make repro, the experiment sample, needs no other data")


def _answer(verdict: Verdict) -> str:
    if not verdict.blocked:
        return "runs, its sources are all here"
    return f"does not run, for {', '.join(verdict.blocked)} {'lacks' if len(verdict.blocked) == 1 else 'lack'} sources"


def _it(names: Sequence[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _source(name: str, holding: Holding, users: Sequence[str]) -> Iterator[str]:
    yield f"{name}: {holding.state.upper() if holding.state != PRESENT else holding.state}, {holding.detail}"
    yield from _item("what", holding.title)
    yield from _item("size", holding.size)
    yield from _item("licence", holding.licence)
    yield from _item("obtain", holding.obtain)
    yield from _item("used by", ", ".join(users) or "no experiment")


def _item(name: str, text: str) -> Iterator[str]:
    """A name in a column of its own, and the text beside it, on as many lines as it takes."""
    first, rest = f"  {name:<20}", " " * 22
    yield from textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
