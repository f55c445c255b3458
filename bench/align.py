"""How well and how fast sources are aligned: `python bench/align.py [people] [guides] [books] [shops] [twin] [million]`.

Without arguments, all of them. The first four need the labelled data beside the project.
people   the people of OAEI 2010, and the same made worse in seeded ways, also with several copies of a person
guides   a small and a large guide to restaurants, made up
books    bookshops without ISBN: real titles, authors and publishers, the second shop written otherwise in seeded ways
shops    bookshops without ISBN, made up: series, editions, equal titles, habits of each shop, few books in common
twin     the vectorised rounds against the equations in plain Python: same results, and the ratio of CPU time
million  two catalogues of a million facts each: CPU time and memory
"""

from __future__ import annotations

import html
import json
import random
import re
import resource
import time
from collections import Counter
from functools import cache

import numpy as np
from align_lists import guides
from align_made import catalogues
from align_people import Gold, labelled_files, of_people, people, variants, with_duplicates
from align_plain import plain
from align_shops import Words, bookshops
from harness import Names, choose, run

from siteseer.alignment import Fact, Settings, align
from siteseer.alignment.fact_graph import compile_graph
from siteseer.alignment.literals.literal_keys import KeyedText
from siteseer.alignment.literals.literal_pairs import equal_literals
from siteseer.alignment.paris.fixed_point import join_sides, rounds
from siteseer.alignment.paris.functionality import edges
from siteseer.alignment.paris.instance_evidence import Relations

SEEDS = (31, 32, 33)
"""Other seeds than those that anything was tuned by."""
SHOPS = (
    ("70 % common", {"common": 0.7}),
    ("20 % common", {"common": 0.2}),
    ("20 % common, no other editions", {"common": 0.2, "more": 0.0}),
    ("10 % common, no other editions", {"common": 0.1, "more": 0.0}),
    ("20 %, a third further editions left", {"common": 0.2, "crowded": 0.3}),
    ("20 %, written otherwise throughout", {"common": 0.2, "much": 1.0}),
    ("only common books", {"common": 1.0, "much": 1.0}),
)


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


@cache
def words() -> Words:
    """Return the words of real titles, the names of people, and publishers."""
    seen = Counter(word for book in books().values() for word in re.findall(r"[a-z']{3,}", book["title"][0].lower()))
    usual = {"the", "and", "for", "with", "how"}
    titles = [word for word, count in seen.items() if word not in usual for _ in range(min(count, 3))]
    given, surname = (
        sorted({fact.object for fact in people()[0] if fact.relation.endswith(name) and fact.object.strip()})
        for name in ("given_name", "surname")
    )
    names = {name for book in books().values() for name in book.get("publisher", ())}
    publishers = sorted({re.sub(r"^(Publisher)?: ", "", name).split(";")[0].split(" (")[0] for name in names})
    return Words(titles, given, surname, publishers)


def scores(told: Gold, gold: Gold) -> tuple[float, float, float]:
    right = len(told & gold)
    precision, recall = right / max(len(told), 1), right / len(gold)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def bench_people() -> None:
    print(f"\n{'people':44} {'P':>6} {'R':>6} {'F':>6}  rounds   (wanted: person1 F 0.99)")
    for name, left, right, gold in variants():
        found = align(left, right)
        print(f"{name:44} {' '.join(f'{figure:6.3f}' for figure in scores(of_people(found), gold))}  {found.rounds}")

    for most in (1, 3):
        for in_value, in_record in ((1, 3), (3, 10)):
            figures = []
            for seed in SEEDS:
                left, right, gold = with_duplicates(seed, most, in_value, in_record)
                figures.append(scores(of_people(align(left, right)), gold))
            name = f"{most} copies at most, {in_value} changes a value, {in_record} in all"
            print(f"{name:44} {' '.join(f'{figure:6.3f}' for figure in np.mean(figures, axis=0))}")


def bench_guides() -> None:
    print(f"\n{'guides to restaurants':44} {'P':>6} {'R':>6} {'F':>6}   (wanted: F 0.93)")
    for seed in (*SEEDS, 34, 35):
        left, right, gold = guides(words().surname, seed)
        told = {(m.left, m.right) for m in align(left, right).instances if re.fullmatch(r"l:\d+", m.left)}
        print(f"{f'seed {seed}':44} {' '.join(f'{figure:6.3f}' for figure in scores(told, gold))}")


def bench_shops() -> None:
    print(
        f"\n{'bookshops of 1,500 books, made up':44} {'P':>6} {'R':>6} {'F':>6}  other editions (wanted: P 0.95 at R 0.85)"
    )
    for name, traits in SHOPS:
        figures = []
        for seed in SEEDS:
            left, right, gold, works = bookshops(words(), seed, **traits)  # type: ignore[arg-type]
            told = {(m.left, m.right) for m in align(left, right).instances}
            others = sum(works[x] == works[y] for x, y in told - gold) / max(len(told), 1)
            figures.append((*scores(told, gold), others))
        print(f"{name:44} {' '.join(f'{figure:6.3f}' for figure in np.mean(figures, axis=0))}")


def bench_books() -> None:
    print(f"\n{'bookshops without ISBN, real titles':44} {'P':>6} {'R':>6} {'F':>6}   (wanted: P 0.95 at R 0.85)")
    for much in (0.3, 0.6, 1.0):
        for common in (0.7, 0.4, 0.2, 0.1):
            figures = []
            for seed in SEEDS:
                left, right, gold = shops(seed, much, common)
                figures.append(scores({(m.left, m.right) for m in align(left, right).instances}, gold))
            mean = np.mean(figures, axis=0)
            name = f"written otherwise {much:.0%}, common {common:.0%}"
            print(f"{name:44} {' '.join(f'{figure:6.3f}' for figure in mean)}")


def bench_twin() -> None:
    print(f"\n{'twin':>8} {'same':>5} {'plain s':>8} {'ours s':>8} {'ratio':>6}")
    for facts in (2_000, 8_000, 32_000):
        left, right, _ = catalogues(facts)
        start = time.process_time()
        slow = plain(left, right)
        middle = time.process_time()
        one, two = compile_graph(left), compile_graph(right)
        a, b = edges(one), edges(two)
        literals = equal_literals(KeyedText(one.literals, "alnum"), KeyedText(two.literals, "alnum"))
        given = join_sides(a, b, (len(one.instances), len(two.instances)), (one.nodes, two.nodes), literals)
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


def main(parts: Names = ("people", "guides", "books", "shops", "twin", "million"), /) -> None:
    offered = {
        name.removeprefix("bench_"): function for name, function in globals().items() if name.startswith("bench_")
    }
    for name in choose(parts, offered):
        offered[name]()


if __name__ == "__main__":
    run(main)
