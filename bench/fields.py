"""Authors and days of extracted objects against the truth of a capture: how many are found, how many given are wrong.

    python bench/fields.py NAME objects.jsonl

Objects and true texts are matched as the captures' own scorer does (2-gram F1 of at least 0.9, one to one). *Found* is
the share of the authors (days) that pages show which an object has; *wrong* the share of those given that are others
than the page shows, or are given where it shows none. An object that is no true text and has an author has a wrong one.
"""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness import run
from records import SITES, grams

Thing = dict[str, Any]
FIELDS = {"author": "author", "day": "published"}


def matched(texts: Sequence[Thing], objects: Sequence[Thing]) -> Iterator[tuple[Thing | None, Thing | None]]:
    """Yield true texts with their objects, then what has no counterpart."""
    found = [grams(one.get("text") or "") for one in objects]
    index: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, own in enumerate(found):
        for gram in own:
            index[gram].append(number)
    used: set[int] = set()
    wanted = sorted(
        ((grams(text["text"]), n) for n, text in enumerate(texts)), key=lambda pair: (-len(pair[0]), pair[1])
    )
    for own, number in wanted:
        common: dict[int, int] = defaultdict(int)
        for gram in own:
            for other in index.get(gram, ()):
                common[other] += other not in used
        scored = [
            (2 * common[n] / (len(own) + len(found[n])), _agreement(texts[number], objects[n]), n) for n in common
        ]
        likeness, _, best = max(scored, default=(0.0, 0, -1))
        if likeness >= 0.9:
            used.add(best)
            yield texts[number], objects[best]
        elif len(own) >= 3:
            yield texts[number], None
    yield from ((None, one) for number, one in enumerate(objects) if number not in used and len(found[number]) >= 3)


def _agreement(text: Thing, one: Thing) -> int:
    """Of two texts that say the same, the one of the same author and day is meant."""
    return sum(_value(text, name) == _value(one, name) for name in FIELDS)


def _value(thing: Thing, name: str) -> str:
    if name == "author":
        return " ".join((thing.get("author") or "").lower().split())
    return str(thing.get("date") or thing.get("published") or "")[:10]


def figures(texts: Sequence[Thing], objects: Sequence[Thing]) -> dict[str, float]:
    """Return for author and day how many are shown and given, and the shares that are found and wrong."""
    tally: dict[str, int] = defaultdict(int)
    for text, one in matched(texts, objects):
        for name in FIELDS:
            shown, given = _value(text or {}, name), _value(one or {}, name)
            tally[f"{name}_shown"] += bool(shown)
            tally[f"{name}_given"] += bool(given)
            tally[f"{name}_right"] += bool(shown) and given == shown
            tally[f"{name}_wrong"] += bool(given) and given != shown
    result: dict[str, float] = dict(tally)
    for name in FIELDS:
        result[f"{name}_found"] = tally[f"{name}_right"] / max(1, tally[f"{name}_shown"])
        result[f"{name}_wrong"] = tally[f"{name}_wrong"] / max(1, tally[f"{name}_given"])
    return result


def field_figures(name: str, objects: Path) -> dict[str, float]:
    """Return the figures of the objects of a crawl of a capture, as `siteseer objects --format jsonl` prints them."""
    with lzma.open(SITES / f"{name}.truth.json.xz", "rt", encoding="utf-8") as stream:
        truth = json.load(stream)
    lines = objects.read_text(encoding="utf-8").splitlines()
    return figures(truth["texts"], [json.loads(line) for line in lines if line.strip()])


def main(site: str, folder: Path, /) -> None:
    print(json.dumps(field_figures(site, folder), indent=1))


if __name__ == "__main__":
    run(main)
