"""Writes docs/screens.md: what the commands of the README show on three sites, at 80 and 120 columns.

Run `python docs/make_screens.py` and look at the page. The sites are those of `siteseer demo serve`, made from a seed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from siteseer.demo.catalogue import make_site
from siteseer.demo.server import Server

HERE = Path(__file__).parent
SITES = ("forum", "blog", "shop")
WIDTHS = (80, 120)
QUERY = "SELECT ?who (COUNT(?p) AS ?n) { ?p sioc:has_creator/sioc:name ?who } GROUP BY ?who ORDER BY DESC(?n) LIMIT 5"
COMMANDS = (
    ("objects", "{site}", "--limit", "8"),
    ("objects", "{site}", "--text", "brass", "--limit", "4"),
    ("query", "{site}", QUERY),
    ("verify", "{site}"),
    ("export", "{site}", "--wacz", "{site}.wacz", "--overwrite"),
    ("detect", "{url}"),
    ("audit", "{site}", "--sample", "5", "--delay", "0"),
)
TOP = """# What the commands show

The commands of the README on three small sites of `siteseer demo serve`, on a terminal of 80 columns and on one of 120.
`python docs/make_screens.py` writes this page.
"""


def screen(words: list[str], folder: Path, width: int) -> str:
    """Return what a command shows, as people see it."""
    done = subprocess.run(
        [sys.executable, "-m", "siteseer", *words], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": str(width), "TERM": "dumb"},
    )  # fmt: skip
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8931", done.stderr + done.stdout)
    shown = " ".join(f"'{word}'" if " " in word else word for word in words).replace("--overwrite", "").rstrip()
    prompt = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8931", f"$ siteseer {shown}")
    return "\n".join([prompt, *(line.rstrip() for line in text.splitlines())])


def _filled(word: str, site: str, url: str) -> str:
    return word.replace("{site}", site).replace("{url}", f"{url}/")


def main() -> None:
    """Crawl each site once, and show every command at every width."""
    parts = [TOP]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for site in SITES:
            with Server(make_site(site, seed=3)) as server:
                first = ["crawl", server.url + "/", "-o", site, "--delay", "0", "--browser", "never"]
                for width in WIDTHS:
                    parts.append(f"## A {site} at {width} columns\n")
                    crawl = [*first, "--overwrite"]
                    lines = [[_filled(word, site, server.url) for word in command] for command in COMMANDS]
                    shown = "\n\n".join(screen(words, folder, width) for words in [crawl, *lines])
                    parts.append(f"```text\n{shown}\n```\n")
    (HERE / "screens.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
