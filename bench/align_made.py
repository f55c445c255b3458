"""Pairs of sources that are made: two catalogues of books of any size, and known sources made worse, all seeded."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator

from siteseer.alignment import Fact

SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "is", "ol")]
PUBLISHERS = 2_000


def word(rng: random.Random, least: int = 2, most: int = 4) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(least, most)))


def slip(rng: random.Random, text: str, times: int = 1) -> str:
    """Return a text with letters lost, added, changed or swapped."""
    for _ in range(times):
        if len(text) < 2:
            return text
        i, kind = rng.randrange(len(text)), rng.randrange(4)
        letter = rng.choice(string.digits if text[i].isdigit() else string.ascii_lowercase)
        text = (
            text[:i] + text[i + 1 :],
            text[:i] + letter + text[i:],
            text[:i] + letter + text[i + 1 :],
            text[:i] + text[i + 1 : i + 2] + text[i] + text[i + 2 :],
        )[kind]
    return text


def catalogues(facts: int, seed: int = 1, noise: float = 0.1) -> tuple[list[Fact], list[Fact], set[tuple[str, str]]]:
    """Return two catalogues of about so many facts each, and which of their books are the same.

    The left one tells everything of a book in one place; the right one has authors and publishers of their own.
    """
    rng = random.Random(seed)
    books = facts // 8
    authors = [(f"{word(rng)} {word(rng)}", str(rng.randint(1850, 1990))) for _ in range(books // 4 + 1)]
    publishers = [f"{word(rng)} press" for _ in range(min(PUBLISHERS, books // 10 + 1))]
    left, right, gold = [], [], set()
    used: set[int] = set()
    for k in range(books):
        author, publisher = rng.randrange(len(authors)), rng.randrange(len(publishers))
        title = " ".join(word(rng, 1, 3) for _ in range(rng.randint(2, 5)))
        values = {
            "title": title,
            "author": authors[author][0],
            "publisher": publishers[publisher],
            "year": str(rng.randint(1900, 2020)),
            "pages": str(rng.randint(50, 900)),
            "isbn": "".join(rng.choice(string.digits) for _ in range(13)),
            "language": rng.choice(("en", "fr", "de", "es")),
            "price": f"{rng.randint(300, 6000) / 100:.2f}",
        }
        where = rng.random()
        if where < 0.9:
            left += [Fact(f"l:{k}", name, value, True) for name, value in values.items()]
        if where > 0.1:
            right += list(_right(rng, k, author, publisher, values, noise))
            used.add(author)
        if 0.1 < where < 0.9:
            gold.add((f"l:{k}", f"r:{k}"))
    for author in sorted(used):
        right.append(Fact(f"r:a{author}", "label", authors[author][0], True))
        right.append(Fact(f"r:a{author}", "born", authors[author][1], True))
    return left, right, gold


def _right(
    rng: random.Random, k: int, author: int, publisher: int, values: dict[str, str], noise: float
) -> Iterator[Fact]:
    for name, other in (("title", "label"), ("year", "date"), ("pages", "extent"), ("isbn", "code"), ("price", "cost")):
        value = values[name]
        if rng.random() >= noise / 2:
            yield Fact(f"r:{k}", other, slip(rng, value) if rng.random() < noise else value, True)
    yield Fact(f"r:a{author}", "created", f"r:{k}")
    yield Fact(f"r:{k}", "imprint", values["publisher"], True)


def worse(facts: list[Fact], seed: int, slips: float, lost: float = 0.0, times: int = 1) -> list[Fact]:
    """Return facts whose texts have slips, or are lost, at these rates."""
    rng = random.Random(seed)
    out = []
    for fact in facts:
        if not fact.literal:
            out.append(fact)
        elif rng.random() >= lost:
            slipped = rng.random() < slips
            out.append(fact._replace(object=slip(rng, fact.object, rng.randint(1, times))) if slipped else fact)
    return out


def repeated(facts: list[Fact], most: int, seed: int = 7) -> tuple[list[Fact], dict[str, list[str]]]:
    """Return facts with up to so many records of a thing, for some things, and the names of the further ones."""
    rng = random.Random(seed)
    by_subject: dict[str, list[Fact]] = {}
    for fact in facts:
        by_subject.setdefault(fact.subject, []).append(fact)
    out, further = list(facts), {}
    for subject, told in by_subject.items():
        for copy in range(rng.choice([0, 0, 0, *range(1, most)])):
            name = f"{subject}x{copy}"
            out += worse([fact._replace(subject=name) for fact in told], rng.randrange(10**9), 0.2, 0.1)
            further.setdefault(subject, []).append(name)
    return out, further
