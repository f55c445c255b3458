"""Prints the result of a crawl by example: how many pages like the sample there are, and the links to them."""

from __future__ import annotations

import json
from pathlib import Path

from siteseer.cli.terminal import plain
from siteseer.collection.layout import LEARNED, PAGES


def print_targets(collection: Path) -> None:
    """Print the number of targets, then the navigation patterns as people read them."""
    from siteseer.strategies.example.example_strategy import LESSON
    from siteseer.strategies.example.navigation_patterns import read_saved_patterns

    found = len(_targets(collection / PAGES))
    print(f"\n{found} pages like the sample" + ("" if found else ": give other sample pages with --example URL"))
    stored = collection / LEARNED / LESSON
    if not stored.is_file():
        return
    print(f"ways that lead to them ({stored}):")
    with stored.open(encoding="utf-8") as lines:
        for pattern in read_saved_patterns(lines, str(stored)).patterns:
            print("\n" + "\n".join(map(plain, str(pattern).splitlines())))


def _targets(pages: Path) -> set[str]:
    if not pages.is_file():
        return set()
    with pages.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return {row["url"] for row in rows if row.get("level") == "target"}
