"""The people of OAEI 2010 (person1) with their gold, and the same made worse in seeded ways; labelled data is needed."""

from __future__ import annotations

import random
import re
import tarfile
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from align_lists import duplicated, number
from align_made import worse

from siteseer.alignment import Alignment, Fact
from siteseer.collection.rdf.rdf_reader import read_facts

LABELLED = Path(__file__).parents[1] / ".." / "shared" / "data" / "labelled.tar.xz"
Gold = set[tuple[str, str]]
STATES = {"nsw": "new south wales", "vic": "victoria", "qld": "queensland", "wa": "western australia"}


@cache
def labelled_files(pattern: str) -> dict[str, bytes]:
    """Return the files of the labelled data whose path has the pattern, by their names."""
    found: dict[str, bytes] = {}
    with tarfile.open(LABELLED, "r|xz") as archive:
        for member in archive:
            if member.isfile() and re.search(pattern, member.name):
                stored = archive.extractfile(member)
                found[Path(member.name).name] = stored.read() if stored else b""
            elif found and not re.search(pattern.partition("/")[0], member.name):
                break
    return found


@cache
def people() -> tuple[tuple[Fact, ...], tuple[Fact, ...], frozenset[tuple[str, str]]]:
    """Return both sides of OAEI's person1 and its gold; names are compared in lower case, as the gold has other cases."""
    files = labelled_files("oaei_im/.*person1/")
    sides_: list[tuple[Fact, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("person11.rdf", "person12.rdf"):
            path = Path(folder) / name
            path.write_bytes(files[name])
            sides_.append(tuple(fact._replace(subject=fact.subject.lower()) for fact in _lower(read_facts(path))))
    text = files["dataset11_dataset12_goldstandard_person.xml"].decode()
    names = [re.findall(rf"entity{k} rdf:resource='([^']+)'", text) for k in (1, 2)]
    return sides_[0], sides_[1], frozenset((x.lower(), y.lower()) for x, y in zip(*names, strict=True))


def _lower(facts: Iterator[Fact]) -> Iterator[Fact]:
    for fact in facts:
        is_link = not fact.literal and "#type" not in fact.relation
        yield fact._replace(object=fact.object.lower()) if is_link else fact


def of_people(found: Alignment) -> Gold:
    return {(m.left, m.right) for m in found.instances if "-person" in m.left}


def part(facts: tuple[Fact, ...], share: float, seed: int) -> list[Fact]:
    """Return what is told of some people, their addresses, suburbs and states."""
    numbers = sorted({number(fact.subject) for fact in facts})
    kept = set(random.Random(seed).sample(numbers, round(share * len(numbers))))
    return [fact for fact in facts if number(fact.subject) in kept]


def other_formats(facts: tuple[Fact, ...], seed: int) -> list[Fact]:
    """Return facts with telephone numbers in other formats, states written out and words in another order."""
    rng, out = random.Random(seed), []
    for fact in facts:
        value = fact.object
        if fact.literal and "phone" in fact.relation and rng.random() < 0.6:
            digits = re.sub(r"\D", "", value)
            value = rng.choice((f"({digits[:2]}) {digits[2:6]}-{digits[6:]}", f"+61 {digits[1:]}", digits))
        elif fact.literal and value in STATES:
            value = STATES[value]
        elif fact.literal and " " in value and rng.random() < 0.3:
            first, _, rest = value.partition(" ")
            value = f"{rest}, {first}"
        out.append(fact._replace(object=value))
    return out


def clusters(facts: list[Fact], most: int) -> tuple[list[Fact], dict[str, list[str]]]:
    """Return facts with several records of some people, addresses included."""
    rng = random.Random(7)
    by_number: dict[str, list[Fact]] = {}
    for fact in facts:
        by_number.setdefault(number(fact.subject), []).append(fact)
    out = list(facts)
    further: dict[str, list[str]] = {}
    for key, told in sorted(by_number.items()):
        for copy in range(rng.choice([0] * 5 + list(range(1, most)))):
            new = [
                fact._replace(
                    subject=f"{fact.subject}x{copy}",
                    object=fact.object if fact.literal or "#type" in fact.relation else f"{fact.object}x{copy}",
                )
                for fact in told
            ]
            out += worse(new, rng.randrange(10**9), 0.3, 0.1)
            further.setdefault(key, []).append(f"x{copy}")
    return out, further


def variants() -> Iterator[tuple[str, Any, Any, Gold]]:
    left, right, gold = people()
    yield "person1", left, right, set(gold)
    yield "slips in 30 %, 10 % lost", left, worse(list(right), 1, 0.3, 0.1), set(gold)
    yield "up to 2 slips in 50 %, 20 % lost", left, worse(list(right), 2, 0.5, 0.2, 2), set(gold)
    yield "up to 3 slips in 60 %, 30 % lost", left, worse(list(right), 9, 0.6, 0.3, 3), set(gold)
    yield "other formats, slips in 30 %", left, worse(other_formats(right, 3), 3, 0.3, 0.1), set(gold)
    some, others = part(left, 0.8, 6), part(right, 0.8, 5)
    both = {number(fact.subject)[:-1] for fact in some} & {number(fact.subject)[:-1] for fact in others}
    common = {(x, y) for x, y in gold if number(x)[:-1] in both}
    yield "80 % of each side, slips in 30 %", some, worse(others, 4, 0.3, 0.1), common
    copied, further = clusters(some, 3)
    more = common | {(x + copy, y) for x, y in common for copy in further.get(number(x), ())}
    yield "up to 3 records of a person", copied, worse(others, 8, 0.3, 0.1), more


def with_duplicates(seed: int, most: int, in_value: int, in_record: int) -> tuple[list[Fact], list[Fact], Gold]:
    """Return nine tenths of the people, and up to so many changed copies of each of three quarters of all."""
    left = people()[0]
    some = part(left, 0.9, seed)
    copied, copies = duplicated(left, seed, 0.75, most, in_value, in_record)
    persons = {fact.subject for fact in some if re.search(r"-person\d+$", fact.subject)}
    return some, copied, {(x, x + ending) for x in persons for ending in copies.get(number(x), ())}
