"""The labelled article pages that stand beside the project, and how extracted text is scored against their gold text."""

from __future__ import annotations

import json
import re
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import tldextract

from siteseer.model import Page

LABELLED = Path(__file__).parents[1] / ".." / "shared" / "data" / "labelled.tar.xz"
SETS = {
    "big9": "index_open.jsonl",
    "cleanportaleval": "index.jsonl",
    "l3s_gn1": "index_open.jsonl",
    "newspaper424": "index_open.jsonl",
}
WITHOUT_TITLE = ("newspaper424",)
"""Sets whose gold text does not hold the title."""
HTML = (("Content-Type", "text/html"),)
WORD = re.compile(r"\w+")
Score = tuple[float, float, float]


@dataclass(frozen=True)
class Labelled:
    """A page with the text of its article as people marked it."""

    set: str
    group: str
    domain: str
    page: Page
    gold: str
    with_title: bool

    def fresh(self) -> Page:
        """Return the page without what was computed from it."""
        return Page(self.page.url, 200, HTML, self.page.body)


def load(names: Sequence[str] = tuple(SETS)) -> list[Labelled]:
    """Read the sets from the archive beside the project."""
    if not LABELLED.exists():
        sys.exit(f"{LABELLED.resolve()} is not there: the labelled pages are needed")
    files = _files(set(names))
    extract = tldextract.TLDExtract(suffix_list_urls=())
    found = []
    for name in names:
        for line in files[f"{name}/{SETS[name]}"].decode().splitlines():
            row = json.loads(line)
            url = row["url"] or f"http://{row['site']}/"
            host = urlsplit(url).hostname or row["site"]
            page = Page(url, 200, HTML, files[f"{name}/{row['page_file']}"])
            gold = files[f"{name}/{row['gold_text_file']}"].decode("utf-8", "replace")
            domain = extract(host).top_domain_under_public_suffix or host
            found.append(Labelled(name, row.get("group") or row["site"], domain, page, gold, name not in WITHOUT_TITLE))
    return found


def _files(names: set[str]) -> dict[str, bytes]:
    found = {}
    with tarfile.open(LABELLED) as tar:
        for member in tar:
            path = member.name.removeprefix("./").removeprefix("labelled/")
            if member.isfile() and path.split("/", 1)[0] in names and (stream := tar.extractfile(member)):
                found[path] = stream.read()
    return found


def words_of(text: str) -> list[str]:
    return WORD.findall(text.lower())


def score(text: str, gold: str) -> Score:
    """Return precision, recall and F1 of the sets of 2-grams."""
    own, wanted = set(pairwise(words_of(text))), set(pairwise(words_of(gold)))
    common = len(own & wanted)
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / len(own), common / len(wanted)
    return precision, recall, 2 * precision * recall / (precision + recall)


def mean_scores(rows: Sequence[Score]) -> Score:
    """Return the macro means over pages."""
    return tuple(sum(row[place] for row in rows) / max(1, len(rows)) for place in range(3))  # type: ignore[return-value]
