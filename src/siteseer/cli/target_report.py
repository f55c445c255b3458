"""What a crawl by example says at its end: how many pages like the sample there are, and the ways that lead to them."""

from __future__ import annotations

import json
from pathlib import Path

from siteseer.present.cli.say import plain


def print_targets(collection: Path) -> None:
    """Print the number of targets, then the navigation patterns as people read them."""
    from siteseer.decide.example import LESSON
    from siteseer.examples.navigation import read_lesson

    found = len(_targets(collection / "pages" / "pages.jsonl"))
    print(f"\n{found} pages like the sample" + ("" if found else ": give other sample pages with --example URL"))
    stored = collection / "siteseer" / "knowledge" / LESSON
    if not stored.is_file():
        return
    print(f"ways that lead to them ({stored}):")
    with stored.open(encoding="utf-8") as lines:
        for pattern in read_lesson(lines, str(stored)).patterns:
            print("\n" + "\n".join(map(plain, str(pattern).splitlines())))


def _targets(pages: Path) -> set[str]:
    if not pages.is_file():
        return set()
    with pages.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return {row["url"] for row in rows if row.get("level") == "target"}
