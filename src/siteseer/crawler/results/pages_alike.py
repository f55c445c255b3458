"""Finds addresses that show a login form, a challenge or one bare page in place of content, where others show content.

A host that answers everything so is a wall and stops the crawl (`crawler/hosts`). Where only a part of a site is
closed, the crawl goes on, and this says so when it ends.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from siteseer.archive.archived_pages import read_capture
from siteseer.collection.state import State
from siteseer.crawler.capture_writer import REDIRECTS
from siteseer.model import Page
from siteseer.page.interstitials import interstitial, is_login, same_text_key
from siteseer.page.links import links
from siteseer.page.scripts.needs_scripts import frame_need
from siteseer.page.urls import identity, resolve
from siteseer.strategies.learned.online_learner.url_words import suspicious_word

FEWEST = 5
"""Fewer addresses that are alike are an accident."""
MOST_TITLES, MOST_READ, SAMPLE = 20, 300, 4
_SHOWS = {
    "login": "a login form",
    "challenge": "a challenge",
    "captcha": "a captcha",
    "consent": "a consent page",
    "refusal": "a refusal",
    "bare": "the same page, with few words and no link",
}


@dataclass(frozen=True, slots=True)
class PagesAlike:
    """Addresses that all show the same in place of content."""

    count: int
    url: str
    shows: str


def pages_alike(state: State, crawl: int) -> list[PagesAlike]:
    """Return what several addresses of a crawl show in place of content, most addresses first."""
    return sorted([*_same_pages(state, crawl), *_led_to_login(state, crawl)], key=lambda one: -one.count)


def _same_pages(state: State, crawl: int) -> Iterator[PagesAlike]:
    groups = state.rows(
        "SELECT title, count(*) FROM captures WHERE crawl = ? AND status = 200 AND title IS NOT NULL "
        "AND request IS NULL GROUP BY title HAVING count(*) >= ? ORDER BY count(*) DESC LIMIT ?",
        (crawl, FEWEST, MOST_TITLES),
    )
    for title, count in list(groups):
        rows = list(
            state.rows(
                "SELECT url, file, offset FROM captures WHERE crawl = ? AND status = 200 AND title = ? "
                "AND request IS NULL ORDER BY id LIMIT ?",
                (crawl, title, MOST_READ),
            )
        )
        step = max(1, len(rows) // SAMPLE)
        pages = [read_capture(state.archive / file, offset) for _, file, offset in rows[::step][: SAMPLE + 1]]
        if len({same_text_key(page) for page in pages}) == 1 and (kind := _kind(pages[0])):
            urls = [url for url, _, _ in rows if not _is_function(url)]
            if len(urls) >= FEWEST:
                yield PagesAlike(max(len(urls), count if len(urls) == len(rows) else 0), urls[0], _SHOWS[kind])


def _kind(page: Page) -> str:
    """Say what a short page shows in place of content; nothing where it may be a page of its own."""
    if same_text_key(page) is None:
        return ""
    if is_login(page):
        return "login"
    if found := interstitial(page):
        return found.kind
    if frame_need(page):  # its scripts make the content: whether that failed is said elsewhere
        return ""
    return "" if any(identity(link.url) != identity(page.url) for link in links(page)) else "bare"


def _led_to_login(state: State, crawl: int) -> Iterator[PagesAlike]:
    """Find the addresses that redirect to a login form."""
    numbers = ", ".join(map(str, REDIRECTS))
    rows = state.rows(
        f"SELECT url, file, offset FROM captures WHERE crawl = ? AND status IN ({numbers}) ORDER BY id LIMIT ?",
        (crawl, MOST_READ),
    )
    led: dict[str, list[str]] = defaultdict(list)
    for url, file, offset in list(rows):
        target = _target(url, read_capture(state.archive / file, offset))
        if target and not _is_function(url):
            led[target.partition("?")[0]].append(url)
    if not led:
        return
    shown: Counter[str] = Counter()
    for url, file, offset in list(
        state.rows(
            "SELECT url, file, offset FROM captures WHERE crawl = ? AND status = 200 AND title IS NOT NULL ORDER BY id",
            (crawl,),
        )
    ):
        path = url.partition("?")[0]
        if len(led.get(path, ())) >= FEWEST and not shown[path]:
            shown[path] += 1
            if is_login(read_capture(state.archive / file, offset)):
                yield PagesAlike(len(led[path]), led[path][0], _SHOWS["login"])


def _target(url: str, page: Page) -> str | None:
    location = next((value for name, value in page.headers if name.lower() == "location"), "")
    return resolve(url, location) if location else None


def _is_function(url: str) -> bool:
    """Say whether an address names something to do, such as a reply: that asks for a login on every site."""
    return suspicious_word(url, "")[0] == "function"
