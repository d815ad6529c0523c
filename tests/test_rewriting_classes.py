"""Classes, their shares, and the agreement with the labelled units."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest

from textsimp.metrics.rewriting.kinds import Rewriting, RewritingConfig, decide, features
from textsimp.metrics.rewriting.labelled import agreement, read_labelled
from textsimp.metrics.rewriting.units import Unit, align_unit
from tools import rewriting_agreement
from tools.rewriting_agreement import FILES, FOLDER, PAGE, page, read_halves, report

CONFIG = RewritingConfig()


@pytest.fixture(scope="module")
def found() -> Iterator[dict[str, Any]]:
    """The agreement, computed anew; of the grid, only the neighbours of what was chosen are tried."""
    chosen, grid = asdict(RewritingConfig()), rewriting_agreement.GRID
    near = {name: row[max(0, row.index(chosen[name]) - 1) :][:3] for name, row in grid.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rewriting_agreement, "GRID", near)
        yield report()


@pytest.mark.parametrize(
    ("complex_text", "simple", "kind"),
    [
        ("The club closed in May.", "the club closed in may .", Rewriting.COPY),
        ("It was so.", "It was so.", Rewriting.COPY),
        ("Paris lies in France.", "Paris lies in France.", Rewriting.COPY),
        ("The club, which was old, closed suddenly in May.", "The club closed in May.", Rewriting.DELETION),
        ("The club closed in May.", "The club shut in May.", Rewriting.PARAPHRASE),
        ("In May the old club closed.", "The old club closed in May.", Rewriting.PARAPHRASE),
        ("The club closed in May, and Vale left.", "The club closed in May. Vale left.", Rewriting.SPLITTING),
        ("The old club near the sea ceased to exist in May.", "The club shut in May.", Rewriting.DELETION_PARAPHRASE),
        ("It shut in May, and Vale departed.", "It shut in May. Vale went abroad.", Rewriting.SPLITTING_PARAPHRASE),
        ("The club closed in May.", "Penguins feed their chicks.", Rewriting.NOT_ALIGNED),
        ("The club closed in May.", "", Rewriting.NOT_ALIGNED),
        ("", "", Rewriting.NOT_ALIGNED),
        ("Sales in Ost rose by 12 percent.", "Sales in Molt rose by 30 percent.", Rewriting.NOT_ALIGNED),
    ],
)
def test_classes(complex_text: str, simple: str, kind: Rewriting) -> None:
    unit = Unit(complex_text, (simple,) if simple else ())
    assert decide(features(align_unit(unit)), CONFIG) == kind


def test_each_threshold_decides() -> None:
    """A unit on each side of every threshold."""

    def kind(complex_text: str, simple: str, **changes: float) -> Rewriting:
        config = replace(CONFIG, **changes)  # type: ignore[arg-type]
        return decide(features(align_unit(Unit(complex_text, (simple,)))), config)

    little = ("Rude guests annoyed some hosts.", "Bad visitors made hosts very angry.")
    assert kind(*little, min_coverage=0.2) != Rewriting.NOT_ALIGNED == kind(*little, min_coverage=0.3)
    names = ("Voters chose Ruth Quill.", "Old farmers like Ruth Quill.")
    assert kind(*names, name_weight=0.0) == Rewriting.NOT_ALIGNED != kind(*names, name_weight=1.0)
    numbers = ("The tower has 12 bells.", "The tower has 13 bells.")
    assert kind(*numbers, max_conflicts=0) == Rewriting.NOT_ALIGNED != kind(*numbers, max_conflicts=1)
    order = ("In May the old club closed.", "The old club closed in May.")
    assert kind(*order, min_moved=0.25) == Rewriting.PARAPHRASE != kind(*order, min_moved=0.3)
    short = ("The club ceased operating entirely in May.", "The club shut in May.")
    assert kind(*short, words_per_new=1.0) == Rewriting.DELETION_PARAPHRASE != kind(*short, words_per_new=3.0)
    assert kind(*short, min_deleted=0.4) == Rewriting.DELETION_PARAPHRASE != kind(*short, min_deleted=0.41)


def test_the_thresholds_are_those_chosen_for_development(found: dict[str, Any]) -> None:
    assert found["thresholds"] == asdict(RewritingConfig())


def test_the_page_shows_the_agreement(found: dict[str, Any]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, found) == text
    assert f"| {found['agreement']['test']['kappa']:.3f} |" in text


def test_the_labelled_units_are_balanced_and_apart() -> None:
    halves = read_halves(FOLDER)
    for half in ("dev", "test"):
        labels = [unit.label for unit in halves[half]]
        assert {labels.count(kind) for kind in Rewriting} == {12}
    texts = [(unit.unit.complex, unit.unit.simple) for units in halves.values() for unit in units]
    assert len(set(texts)) == len(texts) == 328
    assert [len(halves[half]) for half in ("drawn-test", "drawn-dev")] == [100, 60]


def test_agreement_of_a_few() -> None:
    units = [unit for unit in read_labelled(FOLDER / FILES[0]) if unit.label == Rewriting.COPY][:4]
    statistics, kappa = agreement(units, [Rewriting.COPY] * 3 + [Rewriting.DELETION])
    assert statistics.score().value == 0.75 and kappa == 0
