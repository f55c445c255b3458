"""Demo sites crawled with knowledge of their other template only: every kind of site, both ways.

    python bench/crossed.py [--kinds blog forum wiki] [--seeds N] [--size N] [--show]

Each site is crawled in memory by the aware strategy with the knowledge of one template (`tests/strategies/aware/adaptation/demo`) while it
is served in the other one. Prints the wanted and the measured figures, and what `--no-adapt` would have found; a field
that not even the knowledge of its own template finds is not judged.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness import Names, run

ROOT = Path(__file__).resolve().parents[1]

from records import Grams, grams, score  # noqa: E402
from tests.real.adaptation_drive import drive  # noqa: E402
from tests.real.captures import Crawl  # noqa: E402

from siteseer.demo import Site, SiteRequest, make_site  # noqa: E402
from siteseer.demo.catalogue import TEMPLATES  # noqa: E402
from siteseer.knowledge.knowledge_base import KnowledgeBase  # noqa: E402
from siteseer.knowledge.load import load  # noqa: E402
from siteseer.model import Page  # noqa: E402
from siteseer.page.text import text  # noqa: E402
from siteseer.page.tree import is_html  # noqa: E402
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy  # noqa: E402
from siteseer.strategies.aware.aware_strategy import AwareStrategy  # noqa: E402
from siteseer.strategies.scope import SeedScope  # noqa: E402

KNOWLEDGE = ROOT / "tests" / "strategies" / "aware" / "adaptation" / "demo"
ORIGIN = "http://demo.test"
FETCHED = datetime(2026, 1, 1, tzinfo=UTC)
WANTED = {"content": 0.99, "recall": 0.97, "precision": 0.97, "author": 0.97, "day": 0.97}
MOST_REQUESTS, MOST_WITHOUT = 1.3, 0.2
FEWEST_GRAMS = 3


class Pages(dict[str, Page]):
    """The pages of a demo site, made when they are asked for."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site, self.cookies = site, ""

    def get(self, url: str, default: Any = None) -> Any:
        """Return a page, whatever its status."""
        parts = urlsplit(url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"host": urlsplit(ORIGIN).netloc, "cookie": self.cookies}
        answer = self.site.respond(SiteRequest("GET", path, headers))
        given = [value.partition(";")[0] for name, value in answer.headers if name == "Set-Cookie"]
        self.cookies = "; ".join(given) or self.cookies
        return Page(url, answer.status, answer.headers, answer.body, FETCHED)


@dataclass
class Served:
    """A demo site as the captured ones are held."""

    truth: dict[str, Any]
    pages: Pages


def served(kind: str, template: str, seed: int, size: int | None) -> Served:
    """Make a demo site."""
    site = make_site(kind, seed=seed, template=template, **({} if size is None else {"size": size}))
    texts = [asdict(one) for one in site.truth.texts]
    truth = {"origin": ORIGIN, "entry": "/", "texts": texts, "oracle": site.truth.oracle_requests}
    return Served(truth, Pages(site))


def told(texts: Iterable[Any]) -> list[Any]:
    """Return the texts that can be told apart: "Thanks!" is said by many, and twice on one page."""
    found = [(one, frozenset(grams(one["text"]))) for one in texts]
    often = Counter(said for _, said in found)
    return [one for one, said in found if len(said) >= FEWEST_GRAMS and often[said] == 1]


def scored(run: Crawl, texts: Sequence[Any]) -> dict[str, float]:
    """Compare the objects of a crawl with the true texts; a page that is edited has the date of its last change."""
    wanted = told(texts)
    others = {frozenset(grams(one["text"])) for one in texts if one not in wanted}
    found = [one for one in run.objects.values() if frozenset(grams(one.text or "")) not in others and one.text]
    return score(wanted, [replace(one, published=one.published or one.modified) for one in found])  # type: ignore[misc]


def crossed(kind: str, known: str, template: str, seed: int, size: int | None, show: bool) -> dict[str, float]:
    """Crawl a demo site with the knowledge of another template; return its figures."""
    site = served(kind, template, seed, size)
    knowledge = KnowledgeBase([load(KNOWLEDGE / f"{kind}-{known}.xml")])
    scope = SeedScope([ORIGIN + "/"])
    without, _ = drive(AwareStrategy(knowledge, scope), site, limit=3 * site.truth["oracle"])
    began = time.process_time()
    run, notes = drive(AdaptiveStrategy(knowledge, scope), site)
    spent = time.process_time() - began
    if show:
        for note in notes:
            if note.event in ("adapted_action", "failed_action", "adaptation_put_off"):
                print(f"       {note.event}: {note.because[:230]}")
    wanted: Grams = {gram for one in site.truth["texts"] for gram in grams(one["text"])}
    seen: Grams = {gram for page in run.pages if is_html(page) for gram in grams(text(page))}
    own, _ = drive(AwareStrategy(KnowledgeBase([load(KNOWLEDGE / f"{kind}-{template}.xml")]), scope), site)
    texts = site.truth["texts"]
    shown = scored(own, texts)
    return {
        **{name: value if shown[name] else 1.0 for name, value in scored(run, texts).items()},
        "content": len(wanted & seen) / max(1, len(wanted)),
        "requests": len(run.asked) / site.truth["oracle"],
        "without": scored(without, texts)["recall"],
        "adapted": sum(note.event == "adapted_action" for note in notes),
        "milliseconds": 1000 * spent / max(1, len(run.pages)),
        "pages": len(run.pages),
    }


def misses(found: dict[str, float]) -> Iterator[str]:
    """Yield the figures that are not as wanted."""
    yield from (name for name, least in WANTED.items() if found[name] < least)
    if found["requests"] > MOST_REQUESTS:
        yield "requests"
    if found["without"] >= MOST_WITHOUT:
        yield "without"


def main(kinds: Names = ("blog", "forum", "wiki"), seeds: int = 2, size: int | None = None, show: bool = False) -> int:
    """Print one row for each pair."""
    columns = (
        "content",
        "requests",
        "recall",
        "precision",
        "author",
        "day",
        "without",
        "adapted",
        "milliseconds",
        "pages",
    )
    print("site".ljust(28) + "".join(column[:9].rjust(10) for column in columns))
    missed = 0
    for kind in kinds:
        for known, template in (TEMPLATES, TEMPLATES[::-1]):
            for seed in range(1, seeds + 1):
                one = crossed(kind, known, template, seed, size, show)
                wrong = list(misses(one))
                missed += len(wrong)
                row = "".join(f"{one[column]:10.3f}" for column in columns)
                print(f"{kind} {known} to {template}".ljust(28) + row + "  " + " ".join(wrong), flush=True)
    print(f"\n{missed} figures were missed" if missed else "\nevery figure holds")
    return 1 if missed else 0


if __name__ == "__main__":
    run(main)
