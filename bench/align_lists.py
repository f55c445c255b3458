"""Lists of people and of restaurants that are made: duplicates with many changes, and two guides of one town, seeded.

People are changed as record generators do it (Christen's Febrl): slips of the hand and of the eye, values lost, swapped
or cut, at most so many in a value and so many in a record. Guides write addresses, telephones and kinds of food otherwise.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from align_made import slip

from siteseer.alignment import Fact

Gold = set[tuple[str, str]]
STREETS = ("st.", "ave.", "blvd.", "rd.", "dr.", "pl.")
WRITTEN = {"st.": "street", "ave.": "ave", "blvd.": "boulevard", "rd.": "road", "dr.": "drive", "pl.": "place"}
KINDS = (
    "american",
    "italian",
    "french",
    "steakhouses",
    "delis",
    "chinese",
    "mexican",
    "californian",
    "seafood",
    "thai",
)
KITCHENS = ("cafe", "grill", "restaurant", "bistro", "trattoria", "steak house", "deli", "house", "bar", "chez", "la")
TOWNS = ("los angeles", "new york", "san francisco", "atlanta", "las vegas", "santa monica", "brooklyn", "pasadena")


def number(name: str) -> str:
    return re.sub(r"\D+", "", name.rpartition("-")[2])


def duplicated(
    facts: Sequence[Fact], seed: int, share: float = 0.8, most: int = 1, in_value: int = 3, in_record: int = 10
) -> tuple[list[Fact], dict[str, list[str]]]:
    """Return changed copies of some of the people, and the endings of the names of the copies by number."""
    rng, by_number = random.Random(f"people {seed}"), {}
    for fact in facts:
        by_number.setdefault(number(fact.subject), []).append(fact)
    out: list[Fact] = []
    copies: dict[str, list[str]] = {}
    for key in rng.sample(sorted(by_number), round(share * len(by_number))):
        for copy in range(rng.randint(1, most)):
            told = [_renamed(fact, f"x{copy}") for fact in by_number[key]]
            out += _changed(told, rng, in_value, rng.randint(1, in_record))
            copies.setdefault(key, []).append(f"x{copy}")
    return out, copies


def _renamed(fact: Fact, ending: str) -> Fact:
    linked = not fact.literal and "#type" not in fact.relation
    return fact._replace(subject=fact.subject + ending, object=fact.object + (ending if linked else ""))


def _changed(facts: list[Fact], rng: random.Random, in_value: int, in_record: int) -> list[Fact]:
    values = [k for k, fact in enumerate(facts) if fact.literal]
    left = in_record
    while left > 0 and values:
        k = values.pop(rng.randrange(len(values)))
        turn, times = rng.random(), rng.randint(1, min(in_value, left))
        text = facts[k].object
        if turn < 0.15:
            text = ""
        elif turn < 0.25 and values:
            other = rng.choice(values)
            text, swapped = facts[other].object, text
            facts[other] = facts[other]._replace(object=swapped)
        elif turn < 0.35:
            text = text.replace(" ", "") if " " in text else f"{text[: len(text) // 2]} {text[len(text) // 2 :]}"
        elif turn < 0.4:
            text = text[: max(len(text) // 2, 1)]
        else:
            text = slip(rng, text, times)
        facts[k] = facts[k]._replace(object=text)
        left -= times
    return [fact for fact in facts if not fact.literal or fact.object]


def guides(names: Sequence[str], seed: int, few: int = 110, many: int = 750) -> tuple[list[Fact], list[Fact], Gold]:
    """Return a small guide and a large one that has all or nearly all restaurants of the small one."""
    rng = random.Random(f"guides {seed}")
    left: list[Fact] = []
    right: list[Fact] = []
    gold: Gold = set()
    chains = [_restaurant(names, rng) for _ in range(many // 60)]
    shared = round(few * rng.uniform(0.9, 1.0))
    cities: dict[str, str] = {}
    for k in range(many + few - shared):
        name = rng.choice(chains) if rng.random() < 0.05 else _restaurant(names, rng)
        town, phone = (
            rng.choice(TOWNS),
            (rng.choice((213, 310, 212, 415, 404)), rng.randint(200, 999), rng.randrange(10**4)),
        )
        street = (rng.randint(1, 9999), rng.choice(names), rng.choice(STREETS))
        kind = rng.choice(KINDS)
        if k < few:
            left += _first(f"l:{k}", name, town, phone, street, kind, rng, cities)
        if k < shared or k >= few:
            right += _second(f"r:{k}", name, town, phone, street, kind, rng)
        if k < shared:
            gold.add((f"l:{k}", f"r:{k}"))
    return left, right, gold


def _restaurant(names: Sequence[str], rng: random.Random) -> str:
    one, kitchen = rng.choice(names), rng.choice(KITCHENS)
    return rng.choice(
        (f"{one}'s", f"{one} {kitchen}", f"{one}'s {kitchen}", f"{kitchen} {one}", f"{one} {rng.choice(names)}")
    )


def _first(key, name, town, phone, street, kind, rng, cities):  # type: ignore[no-untyped-def]
    city = cities.setdefault(town, f"l:city{len(cities)}")
    told = [(key, "name", name), (key, "category", kind), (city, "name", town)]
    told += [
        (key, "phone_number", f"{phone[0]}/{phone[1]}-{phone[2]:04d}"),
        (f"{key}a", "street", " ".join(map(str, street))),
    ]
    facts = [Fact(subject, relation, value, True) for subject, relation, value in told if value]
    return [*facts, Fact(key, "has_address", f"{key}a"), Fact(f"{key}a", "is_in_city", city)]


def _second(key, name, town, phone, street, kind, rng):  # type: ignore[no-untyped-def]
    area = phone[0] if rng.random() < 0.9 else rng.choice((818, 323, 702))
    if rng.random() < 0.25:
        name = rng.choice(
            (f"{name} restaurant", name.replace("'s", ""), f"the {name}", name.replace("deli", "delicatessen"))
        )
    name = slip(rng, name) if rng.random() < 0.05 else name
    written = rng.random()
    where = f"{street[0]} {street[1]} {street[2] if written < 0.5 else WRITTEN[street[2]]}"
    where += rng.choice((" suite 4", " at main st.", " between 5th and 6th")) if written > 0.85 else ""
    where = f"{rng.choice('nsew')}. {where}" if rng.random() < 0.05 else where
    town = town if rng.random() < 0.8 else rng.choice(("studio city", "w. hollywood", "queens", "beverly hills"))
    kind = kind if rng.random() < 0.4 else rng.choice((f"{kind} (new)", rng.choice(KINDS)))
    digits = (
        f"{area}-{phone[1]}-{phone[2]:04d}" if rng.random() < 0.97 else f"{area}-{rng.randint(200, 999)}-{phone[2]:04d}"
    )
    facts = [Fact(key, "name", name, True), Fact(key, "phone_number", digits, True)]
    facts += [
        Fact(key, "has_address", f"{key}a"),
        Fact(f"{key}a", "street", where, True),
        Fact(f"{key}a", "city", town, True),
    ]
    return [*facts, Fact(key, "has_category", f"r:c {kind}"), Fact(f"r:c {kind}", "name", kind, True)]
