"""Runs spiders in a process of their own and hands back what they did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[2] / "src"
SPIDERS = Path(__file__).with_name("spiders.py")
DEMO = Path(__file__).with_name("demo-forum.xml")
ADDON = {"ADDONS": {"siteseer.integrations.scrapy.SiteseerAddon": 500}}


@dataclass(frozen=True)
class Crawled:
    items: list[dict[str, Any]]
    stats: dict[str, Any]
    log: str

    def of(self, key: str) -> list[dict[str, Any]]:
        """Return the items that have that key."""
        return [item for item in self.items if key in item]


def run_spiders(folder: Path, *crawls: dict[str, Any]) -> list[Crawled]:
    """Run spiders side by side in one new process: `spider, url, settings`."""
    given = [{"settings": ADDON, **crawl, "out": str(folder / f"crawl-{n}")} for n, crawl in enumerate(crawls)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, str(SPIDERS), json.dumps(given)], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr
    found = []
    for crawl in given:
        out = Path(crawl["out"])
        feed = out.with_suffix(".jsonl")  # Scrapy writes none for a spider that yields nothing
        lines = feed.read_text(encoding="utf-8").splitlines() if feed.exists() else []
        stats = json.loads(out.with_suffix(".json").read_text())
        found.append(Crawled([json.loads(line) for line in lines], stats, done.stderr))
    return found


def knowing(**settings: Any) -> dict[str, Any]:
    """Return the add-on's settings with the knowledge file of the demo forum."""
    return {**ADDON, "SITESEER_KNOWLEDGE": [str(DEMO)], **settings}
