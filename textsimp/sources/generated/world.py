"""The facts of the invented world: its names, and for each article the facts that it may tell.

Years follow each other (nobody dies before the wedding), a town keeps its region and its river in all articles, and a
person has one name and one gender. No two articles have the same subject.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeVar

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_lines

_Item = TypeVar("_Item")
FOLDER = Path(__file__).parent
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = re.compile(r"(?:(\w+) ([+-]) )?(\w+)(?:\.\.(\d+))?(?: x (\d+))?")
"""Base, sign, lowest number (or a slot), highest number, step: see numbers.txt."""
_PRONOUNS = {"female": ("she", "her", "her"), "male": ("he", "him", "his")}


class Person(NamedTuple):
    """A first and a last name, and `female` or `male`."""

    first: str
    last: str
    gender: str


class Place(NamedTuple):
    """A town with its river and its region."""

    name: str
    river: str
    region: str


class Subject(NamedTuple):
    """The subject of an article: its kind, its name as the first sentence has it, and the values of all slots."""

    kind: str
    name: str
    slots: dict[str, str]


@cache
def read_table(name: str) -> dict[str, list[str]]:
    """Return the rows `KEY: a; b; c` of a file beside this module; commas part words in the lexicon."""
    rows = {}
    for number, line in enumerate(read_lines(FOLDER / name), 1):
        if line and not line.startswith("#"):
            key, colon, values = line.partition(":")
            if not colon or not values.strip() or key in rows:
                raise bad_input(FOLDER / name, number, "not `KEY: values`, or a key that is there", "correct the line")
            rows[key] = [value.strip() for value in values.split(";")]
    return rows


class World:
    """All that articles are about: places shared by all of them, people and subjects that come once."""

    def __init__(self, seed: int) -> None:
        """Draw the world; the same seed gives the same one."""
        self.random = random.Random(f"world {seed}")
        names = {key: values[0].split() for key, values in read_table("names.txt").items() if key != "sea"}
        self._seas = read_table("names.txt")["sea"]
        self._countries = names["country"]
        regions = self._combined(names, "region")[:24]
        rivers = self._combined(names, "river")
        self._towns = self._combined(names, "place")
        self.places = [
            Place(town, self.random.choice(rivers), self.random.choice(regions)) for town in self._towns[:320]
        ]
        self._people = self._everybody(names)
        animals = [f"{first} {last}" for first, last in product(names["animal"], names["animal_end"])]
        self._fresh = {
            "town": iter(self._towns[320:]),
            "animal": iter(self._shuffled(animals)),
            "craft": iter(self._combined(names, "craft")),
            "river": iter(rivers),
        }
        self._used: set[str] = set()

    def _combined(self, names: Mapping[str, Sequence[str]], kind: str) -> list[str]:
        joined = [first + last for first, last in product(names[kind], names[f"{kind}_end"])]
        # no three equal letters, no vowel clash at the seam
        return self._shuffled(sorted({name for name in joined if not any(c * 3 in name.lower() for c in name.lower())}))

    def _shuffled(self, values: Sequence[_Item]) -> list[_Item]:
        return self.random.sample(values, len(values))

    def _everybody(self, names: Mapping[str, Sequence[str]]) -> Iterator[Person]:
        last = [first + end for first, end in product(names["last"], names["last_end"])]
        people = [Person(f, name, g) for g in ("female", "male") for f in names[g] for name in last]
        return iter(self._shuffled(people))

    def person(self) -> Person:
        """Somebody of whom nothing has been told yet; `InputError` where the world has no more people."""
        person = next(self._people, None)
        if person is None:
            raise InputError("generator: articles: more than the world has people for; ask for fewer, 8,000 at most")
        return person

    def subject(self, kind: str) -> Subject | None:
        """Return a subject of one kind with all its facts; None where the world has no more of that kind."""
        slots = self._drawn_values(kind)
        place, other_place = self.random.sample(self.places, 2)
        town = next(self._fresh["town"], "") if kind == "town" else place.name
        slots |= {
            "town": town, "river": place.river, "region": place.region, "other_town": other_place.name,
            "birth_town": self.random.choice(self.places).name, "country": self._country(place.region),
            "sea": self.random.choice(self._seas),
        }  # fmt: skip
        slots["country2"] = self.random.choice([c for c in self._countries if c != slots["country"]])
        self._add_people(kind, slots)
        self._add_numbers(slots)
        if kind == "river":
            slots["tributary"], slots["plain"] = place.river, f"Plain of {other_place.name}"
            slots["mountain"] = f"Mount {self.random.choice(self._towns[:320])}"
        name = self._name(kind, slots)
        if name is None or name in self._used:
            return None
        self._used.add(name)
        return Subject(kind, name, slots)

    def _name(self, kind: str, slots: dict[str, str]) -> str | None:
        if kind in ("animal", "craft", "river"):
            fresh = next(self._fresh[kind], None)
            return fresh and f"the {fresh}"
        if kind == "building":
            return f"the {self.person().last} {slots['building_kind'].title()}"
        if kind == "event":
            return f"the {slots['event_kind']} of {slots['town']}"
        return slots["town"] if kind == "town" else slots["own"]

    def _country(self, region: str) -> str:
        return self._countries[sum(map(ord, region)) % len(self._countries)]

    def _drawn_values(self, kind: str) -> dict[str, str]:
        slots: dict[str, str] = {}
        table = read_table("values.txt")
        variety = ""
        chosen_kind = {"person": "profession", "event": "event_kind", "craft": "craft_kind"}.get(kind)
        if chosen_kind:
            variety = self.random.choice(table[chosen_kind]).partition(" = ")[0]
        for key, values in table.items():
            slot, _, only = key.partition(".")
            if not only or only == variety:
                value = self.random.choice(values)
                if slot == chosen_kind:
                    value = next(v for v in values if v.partition(" = ")[0] == variety)
                complex_, _, simple = value.partition(" = ")
                simple = simple or complex_
                slots[slot] = slots[f"{slot}_c"] = complex_
                slots[f"plain_{slot}"] = slots[f"{slot}_s"] = simple
        if kind == "event":
            slots["cause_event_low"] = slots["cause_event_s"][:1].lower() + slots["cause_event_s"][1:]
        for slot in ("custom_give", "opponents", "audience"):
            slots[f"{slot}_cap"] = slots[f"plain_{slot}"][:1].upper() + slots[f"plain_{slot}"][1:]
        slots["custom_c"], slots["custom_s"] = slots["custom_give_c"], slots["custom_give_s"]
        slots["opponents_cap"] = slots["opponents_cap"].replace("Numerous", "Many").replace("Several", "Some")
        slots["animal_kind"] = "animal"
        return slots

    def _add_people(self, kind: str, slots: dict[str, str]) -> None:
        people = {role: self.person() for role in _ROLES[kind].split()}
        for role, person in people.items():
            he, him, his = _PRONOUNS[person.gender]
            slots |= {role: f"{person.first} {person.last}", f"{role}_pronoun": he.capitalize()}
            slots |= {f"{role}_he": he, f"{role}_his": his}
            if role == "own":
                slots |= {"last": person.last, "he": he, "him": him, "his": his}
                slots |= {"He": he.capitalize(), "His": his.capitalize()}
        if slots["relation"] == "wife_or_husband" and "spouse" in people:
            slots["relation"] = "wife" if people["spouse"].gender == "female" else "husband"
            slots["teacher"] = slots["spouse"]

    def _add_numbers(self, slots: dict[str, str]) -> None:
        draw = self.random.randint
        numbers: dict[str, int] = {}
        for slot, (rule,) in read_table("numbers.txt").items():
            match = _NUMBER.fullmatch(rule)
            assert match, rule
            base, sign, low, high, step = match.groups()
            number = draw(int(low), int(high)) if high else numbers.get(low) or int(low)
            numbers[slot] = numbers.get(base, 0) + (-number if sign == "-" else number)
            slots[slot] = f"{number * int(step):,}" if step else str(numbers[slot])
        for slot in ("dead", "siblings", "children", "weeks", "left", "depth", "eggs", "duration"):
            slots[slot] = _NUMBERS[draw(2, 12)]
        slots["children"] = _NUMBERS[draw(2, 6)]
        slots["siblings"] = _NUMBERS[draw(4, 9)]
        slots["dead_cap"] = slots["dead"].capitalize()
        slots["day"] = f"{draw(4, 20)}th"
        slots["century"] = f"{draw(14, 18)}th"
        slots["amount"] = _NUMBERS[draw(3, 9)]


_ROLES = {
    "town": "founder donor",
    "person": "own spouse rival teacher",
    "animal": "scientist",
    "building": "architect donor rival",
    "event": "hero rival artist",
    "craft": "inventor artist",
    "river": "architect",
}
"""Who is named in articles of each kind."""
