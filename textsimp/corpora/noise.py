"""Links made worse on purpose, so that what better links are worth can be seen alone (Jiang et al. 2020, section 1).

Both kinds of noise are drawn over the links of all articles together, whatever their type, and in one order for each
seed: the links that 10 percent of noise changes are among those that 20 percent changes, and the same for both kinds.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from textsimp.core.bounds import Bounds
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair, Link


@dataclass(frozen=True)
class Noise:
    """What is done to a share of the links.

    kind: `wrong`: the simple sentence of the link gets another complex sentence of its article; one that is d
        sentences away from the right one with a probability in proportion to 1 / d. The right one loses it. `missing`:
        the link is dropped, so that a sentence that was split loses a part, and a sentence with one link its pair.
    share: of all links, rounded to whole ones.
    """

    kind: Literal["wrong", "missing"]
    share: Annotated[float, Bounds(0, 1, above=True)]


def noisy(pairs: Sequence[DocumentPair], noise: Noise, seed: int) -> list[DocumentPair]:
    """The labelled document pairs with other links.

    Raises:
        InputError: too few of the links can get a wrong partner, since every sentence of their articles is a right one.
    """
    draw = random.Random(seed)
    places = [(number, link) for number, pair in enumerate(pairs) for link in pair.alignments or ()]
    draw.shuffle(places)
    links = [set(pair.alignments or ()) for pair in pairs]
    left = round(noise.share * len(places))
    for number, link in places:
        if not left:
            break
        moved = _moved(pairs[number], link, links[number], draw) if noise.kind == "wrong" else ()
        if moved is not None:
            links[number] = links[number] - {link} | {*moved}
            left -= 1
    if left:
        raise InputError(f"noise: {left} links more than can be wrong, of {len(places)}; lower the share")
    return [replace(pair, alignments=tuple(sorted(changed))) for pair, changed in zip(pairs, links, strict=True)]


def _moved(pair: DocumentPair, link: Link, links: set[Link], draw: random.Random) -> tuple[Link] | None:
    """The link with a wrong complex sentence; None where there is none to be had."""
    partners = {known.complex for known in (*(pair.alignments or ()), *links) if known.simple == link.simple}
    others = [index for index in range(len(pair.complex.sentences)) if index not in partners]
    if not others:
        return None
    weights = [1 / abs(index - link.complex) for index in others]
    return (replace(link, complex=draw.choices(others, weights)[0], score=None),)
