"""A strategy driven over pages in memory as the crawl loop does: refilled when nothing waits, harvested at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urljoin

from siteseer.model import Follow, Keep, Note, Outcome, Page, Remember, Seed, Skip
from siteseer.page.urls import identity
from tests.real.captures import Capture, Crawl, NoMemory


class LastCrawl(NoMemory):
    """What an earlier crawl of the collection knows."""

    def __init__(self, crawl: Crawl) -> None:
        self.objects: dict[str, list[Any]] = {}
        for one in crawl.objects.values():
            self.objects.setdefault(one.url, []).append(one)
        self.levels = [(page.url, getattr(crawl.recognitions.get(page.url), "level", "") or "") for page in crawl.pages]

    def earlier_objects(self, url: str) -> list[Any]:
        return self.objects.get(url, [])

    def earlier_pages(self) -> list[Any]:
        return self.levels


def drive(
    strategy: Any,
    site: Capture,
    memory: Any = None,
    limit: int = 3000,
    change: Callable[[Page], Page] = lambda page: page,
) -> tuple[Crawl, list[Note]]:
    """Run a strategy over a capture, highest priority first, first come first served."""
    crawl, notes = Crawl(), []
    known: set[str] = set()
    waiting: list[Follow] = []

    def apply(actions: Iterable[Any], url: str) -> None:
        for action in actions:
            if isinstance(action, Follow):
                if identity(action.url) not in known:
                    known.add(identity(action.url))
                    waiting.append(action)
            elif isinstance(action, Keep):
                crawl.kept += 1
                crawl.objects[action.object.id] = action.object
            elif isinstance(action, Skip):
                crawl.skipped[action.url] = action
            elif isinstance(action, Note):
                notes.append(action)
                if action.recognition:
                    crawl.recognitions[url] = action.recognition
            elif isinstance(action, Remember):
                crawl.remembered.append(action)

    apply(strategy.start([Seed(site.truth["origin"] + site.truth["entry"])], memory or NoMemory()), "")
    while len(crawl.asked) < limit:
        if not waiting:
            apply(strategy.refill(2), "")
            if not waiting:
                break
        why = max(waiting, key=lambda follow: follow.priority)
        waiting.remove(why)
        crawl.asked.append(why.url)
        page = site.pages.get(identity(why.url))
        if page is None and why.url == site.truth["origin"] + "/":
            page = site.pages.get(identity(why.url + "index.php"))
        if page is None:
            crawl.unknown.append(why.url)
            apply(strategy.decide(Outcome(why.url, "page", page=Page(why.url, 404)), why), why.url)
            continue
        page = change(Page(why.url, page.status, page.headers, page.body, page.fetched_at))
        if 300 <= page.status < 400:
            target = urljoin(why.url, page.header("location"))
            apply(strategy.decide(Outcome(why.url, "redirect", target=target), why), why.url)
            continue
        crawl.pages.append(page)
        apply(strategy.decide(Outcome(why.url, "page", page=page), why), why.url)
    if hasattr(strategy, "harvest"):
        for page, action in strategy.harvest(
            lambda: [Page(p.url, p.status, p.headers, p.body, p.fetched_at) for p in crawl.pages]
        ):
            apply([action], page.url)
    return crawl, notes
