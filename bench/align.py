"""How well and how fast sources are aligned: `python bench/align.py [people] [books] [twin] [million]`, all by default.

people   the people of OAEI 2010, and the same made worse in seeded ways (needs the labelled data beside the project)
books    bookshops without ISBN: real titles, authors and publishers, the second shop written otherwise in seeded ways
twin     the vectorised rounds against the equations in plain Python: same results, and the ratio of CPU time
million  two catalogues of a million facts each: CPU time and memory
"""

from __future__ import annotations

import html
import json
import random
import re
import resource
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from align_made import catalogues, worse
from align_plain import plain

from siteseer.align import Alignment, Fact, Settings, align
from siteseer.align.evidence import Relations
from siteseer.align.functionality import edges
from siteseer.align.graph import compile_graph
from siteseer.align.iterate import rounds, sides
from siteseer.align.keyed import Keyed
from siteseer.align.literals import equal_literals
from siteseer.describe.facts import read_facts

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


def number(name: str) -> str:
    return re.sub(r"\D+", "", name.rpartition("-")[2])


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


def books() -> dict[str, dict[str, list[str]]]:
    """Return the books of real shops by ISBN."""
    found: dict[str, dict[str, list[str]]] = {}
    for name in ("index_open.jsonl", "index_deep_open.jsonl"):
        for line in labelled_files("swde/index")[name].decode().splitlines():
            row = json.loads(line)
            if row["site"].startswith("book-") and row["gold"].get("title") and row["gold"].get("isbn_13"):
                told = {key: [html.unescape(value) for value in values] for key, values in row["gold"].items()}
                found.setdefault(told["isbn_13"][0], told)
    return found


def otherwise(
    book: dict[str, list[str]], rng: random.Random, much: float, publishers: list[str]
) -> dict[str, list[str]]:
    """Return a book as another shop writes it."""
    title, authors, publisher = book["title"][0], book.get("author", []), book.get("publisher", [])
    if ":" in title and rng.random() < 0.5 * much:
        title = title.partition(":")[0]
    elif rng.random() < 0.5 * much:
        title += rng.choice((" (Paperback)", " [Hardcover]", ": A Novel", ", 2nd Edition", " (Mass Market Paperback)"))
    if title.startswith("The ") and rng.random() < 0.15 * much:
        title = f"{title[4:]}, The"
    turn = rng.random()
    if turn < 0.3 * much:
        authors = [", ".join((name.split()[-1], " ".join(name.split()[:-1]))) for name in authors]
    elif turn < 0.4 * much:
        authors = [" ".join([*(word[0] + "." for word in name.split()[:-1]), name.split()[-1]]) for name in authors]
    if len(authors) > 1 and rng.random() < 0.5:
        authors = [rng.choice(("; ", " and ")).join(authors)]
    turn = rng.random()
    if turn < 0.3 * much:
        publisher = [name.split()[0] for name in publisher]
    elif turn < 0.45 * much:
        publisher = [f"{name} Publishing Group" for name in publisher]
    elif turn < 0.6 * much:
        publisher = [rng.choice(publishers)]
    return {"title": [title], "author": authors, "publisher": publisher}


def shops(seed: int, much: float, common: float) -> tuple[list[Fact], list[Fact], Gold]:
    """Return two shops that share some of their books."""
    rng, every = random.Random(seed), books()
    publishers = sorted({name for book in every.values() for name in book.get("publisher", ())})
    left: list[Fact] = []
    right: list[Fact] = []
    gold: Gold = set()
    for isbn, book in sorted(every.items()):
        where, other = rng.random(), otherwise(book, rng, much, publishers)
        if where < (common + 1) / 2:
            left += [Fact(f"l:{isbn}", k, v, True) for k in ("title", "author", "publisher") for v in book.get(k, ())]
        if where < common or where >= (common + 1) / 2:
            names = (("title", "name"), ("author", "by"), ("publisher", "imprint"))
            right += [Fact(f"r:{isbn}", new, v, True) for k, new in names for v in other[k]]
        if where < common:
            gold.add((f"l:{isbn}", f"r:{isbn}"))
    return left, right, gold


def scores(told: Gold, gold: Gold) -> tuple[float, float, float]:
    right = len(told & gold)
    precision, recall = right / max(len(told), 1), right / len(gold)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def bench_people() -> None:
    print(f"\n{'people':36} {'P':>6} {'R':>6} {'F':>6}  rounds   (wanted: person1 F 0.99)")
    for name, left, right, gold in variants():
        found = align(left, right)
        print(f"{name:36} {' '.join(f'{figure:6.3f}' for figure in scores(of_people(found), gold))}  {found.rounds}")


def bench_books() -> None:
    print(f"\n{'bookshops without ISBN':36} {'P':>6} {'R':>6} {'F':>6}   (wanted: P 0.95 at R 0.85)")
    for much in (0.3, 0.6, 1.0):
        for common in (0.7, 0.4, 0.2):
            figures = []
            for seed in (1, 2, 3):
                left, right, gold = shops(seed, much, common)
                figures.append(scores({(m.left, m.right) for m in align(left, right).instances}, gold))
            mean = np.mean(figures, axis=0)
            name = f"written otherwise {much:.0%}, common {common:.0%}"
            print(f"{name:36} {' '.join(f'{figure:6.3f}' for figure in mean)}")


def bench_twin() -> None:
    print(f"\n{'twin':>8} {'same':>5} {'plain s':>8} {'ours s':>8} {'ratio':>6}")
    for facts in (2_000, 8_000, 32_000):
        left, right, _ = catalogues(facts)
        start = time.process_time()
        slow = plain(left, right)
        middle = time.process_time()
        one, two = compile_graph(left), compile_graph(right)
        a, b = edges(one), edges(two)
        literals = equal_literals(Keyed(one.literals, "alnum"), Keyed(two.literals, "alnum"))
        given = sides(a, b, (len(one.instances), len(two.instances)), (one.nodes, two.nodes), literals)
        flat = np.full((len(a.fun), len(b.fun)), 0.1)
        *_, last = rounds(given, Relations(flat, flat), Settings())
        end = time.process_time()
        x, y, _ = last.assigned.pairs()
        same = {one.instances[i]: two.instances[j] for i, j in zip(x, y, strict=True)} == slow.assigned
        spent = middle - start, end - middle
        print(f"{facts:8,} {same!s:>5} {spent[0]:8.2f} {spent[1]:8.2f} {spent[0] / spent[1]:6.1f}")


def bench_million(facts: int = 1_112_000) -> None:
    left, right, gold = catalogues(facts)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    start, clock = time.process_time(), time.monotonic()
    found = align(left, right)
    spent, wall = time.process_time() - start, time.monotonic() - clock
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    told = {(m.left, m.right) for m in found.instances if not m.right.startswith("r:a")}
    precision, recall, _ = scores(told, gold)
    print(
        f"\n{len(left):,} facts against {len(right):,}: {spent:.0f} s CPU, {wall:.0f} s on the clock, {found.rounds} rounds"
    )
    print(f"memory {peak:,} MB at most, {before:,} MB of it the facts   (wanted: 300 s, 4,096 MB)")
    print(f"precision {precision:.4f}, recall {recall:.4f}")


if __name__ == "__main__":
    for name in sys.argv[1:] or ("people", "books", "twin", "million"):
        globals()[f"bench_{name}"]()
