"""Fetches what the scripts of a page request, by the rules of the crawl: counted, polite, allowed, archived.

A document that this crawl has fetched already is not asked for again: it comes out of the archive. What fails is
written down like a page that fails, and asked for again by a few other pages only.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from siteseer.archive.archived_pages import read_capture
from siteseer.crawler.apply_actions import ActionApplier
from siteseer.crawler.capture_writer import REDIRECTS, SCRIPTS, WrittenCapture
from siteseer.crawler.polite_fetch import PoliteFetcher, answer_line
from siteseer.crawler.progress import Progress
from siteseer.crawler.robots_and_sitemaps import RobotsAndSitemaps
from siteseer.errors import FetchError
from siteseer.fetch.browser.rendered_tab import Answer, SubRequest
from siteseer.fetch.credentials import is_harmless
from siteseer.interfaces import Exchange, Request
from siteseer.model import Follow, Headers, Page, Skip
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of, origin_of, resolve, url_key, wire
from siteseer.settings import CrawlOptions
from siteseer.strategies.redirects_and_assets import ASSETS, follow_requisites
from siteseer.strategies.traps.walls import looks_refused

MOST_KNOWN = 20_000
MOST_PAGES = 2
"""So many pages ask for data that fails; to others the failure is told again. What is not there is asked for once."""
GONE = (404, 405, 410)
SAME_METHOD = (307, 308)
"""Redirects that would have a form sent to another address."""
STATIC = frozenset(("script", "stylesheet"))
OWN_HEADERS = frozenset(
    ("host", "connection", "content-length", "accept-encoding", "cookie", "user-agent", "referer", "origin", "dnt")
    + ("if-modified-since", "if-none-match", "upgrade-insecure-requests", "cache-control", "pragma")
)
"""What the crawl says itself; the rest is said as the script wants it."""
CHANGES = re.compile(
    r"(?:^|[/_\-.?&=])(?:log(?:in|out|off)|sign(?:in|up|out)|register|delete|remove|destroy|create|update|edit|save|vote|"
    r"like|unlike|follow|subscribe|upload|checkout|cart|order|pay|report|flag|ban|admin(?!-ajax))(?:$|[/_\-.?&=])",
    re.IGNORECASE,
)
"""Addresses to which nothing is posted."""
_MUTATION = re.compile(rb"^\s*\{.{0,2000}?\"query\"\s*:\s*\"\s*mutation\b", re.DOTALL)
_SECRET = re.compile(rb"(?im)^([a-z-]*(?:auth|token|csrf|xsrf|session|api-?key)[a-z-]*):[^\r\n]*")

LIMIT = "the limit of requests is reached"

Place = tuple[str, int]


@dataclass(slots=True)
class RenderRequests:
    """Answers the scripts of all pages of a crawl."""

    options: CrawlOptions
    visits: PoliteFetcher
    rules: RobotsAndSitemaps
    carrier: ActionApplier
    progress: Progress
    known: dict[tuple[str, str], Place] = field(default_factory=dict)
    failed: dict[tuple[str, str], tuple[int, Answer | None]] = field(default_factory=dict)
    """How many pages asked in vain for the same, and what was answered last."""

    def of(self, page_url: str, why: Follow) -> PageRequests:
        """Return what answers one page."""
        return PageRequests(self, page_url, why)

    def remember(self, kind: str, url: str, place: Place) -> None:
        """Note where an answer lies."""
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[kind, url] = place

    def fail(self, asked: SubRequest, answer: Answer | None) -> None:
        """Note that a request failed."""
        if len(self.failed) >= MOST_KNOWN:
            self.failed.clear()
        pages, _ = self.failed.get((_kind(asked), asked.url), (0, None))
        self.failed[_kind(asked), asked.url] = (pages + 1, answer)

    def has_failed(self, asked: SubRequest) -> bool:
        """Say whether a request failed so often that it is not sent again."""
        pages, answer = self.failed.get((_kind(asked), asked.url), (0, None))
        return pages >= MOST_PAGES or (answer is not None and answer.status in GONE)

    def place(self, asked: SubRequest) -> Place | None:
        """Return where the answer lies that this crawl has got already."""
        found = self.known.get((_kind(asked), asked.url))
        if found is not None or asked.kind not in STATIC:
            return found
        keeper = self.carrier.keeper
        body = keeper.state.body_of(url_key(asked.url), keeper.crawl)
        return body[1:] if body else None


@dataclass(slots=True)
class PageRequests:
    """Answers the scripts of one page; what they ask for twice is asked for twice."""

    all: RenderRequests
    page_url: str
    why: Follow
    sent: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    refusal: Page | None = None
    """The last answer of the page's own host that looks like that of a wall, where data was asked for."""
    _asked: set[tuple[str, str]] = field(default_factory=set)

    async def __call__(self, asked: SubRequest) -> Answer | None:
        """Return what a script asked for; None where it must not have it."""
        url = wire(asked.url)
        if url is None or not _may_send(asked):
            self.refused["would change something"] += 1
            return None
        asked = replace(asked, url=url)
        is_first = (_kind(asked), url) not in self._asked
        self._asked.add((_kind(asked), url))
        if asked.method == "GET" and (is_first or asked.kind in STATIC) and (place := self.all.place(asked)):
            return self._archived(place)
        if asked.method == "GET" and self.all.has_failed(asked):
            return self.all.failed[_kind(asked), url][1]
        answer = await self._fetched(asked)
        if answer is None or answer.status >= 400:
            self.all.fail(asked, answer)
        return answer

    def _archived(self, place: Place) -> Answer:
        archive = self.all.carrier.keeper.state.archive
        page = read_capture(archive / place[0], place[1], self.all.options.limits.decoded_bytes)
        return Answer(page.status, page.headers, page.body)

    async def _fetched(self, asked: SubRequest) -> Answer | None:
        """Fetch through redirects, each of them archived."""
        every, url, origin = self.all, asked.url, origin_of(asked.url)
        for _ in range(every.options.limits.redirects):
            verdict = (await every.rules.of(url)).verdict(url)
            if not verdict.allowed and every.options.obeys_robots(host_of(url)):
                self.refused[verdict.because] += 1
                every.carrier.frontier.skip(Skip(url, verdict.because, verdict.rule), self.page_url)
                return None
            exchange = await self._sent(asked, url)
            if exchange is None:
                return None
            kept = self._kept(exchange, url, asked)
            location = next((value for name, value in exchange.headers if name.lower() == "location"), "")
            target = resolve(url, location) if exchange.status in REDIRECTS and location else None
            if target is None:
                page = kept.page
                if page is not None and _is_barred(asked, page) and host_of(url) == host_of(self.page_url):
                    self.refusal = page
                return Answer(exchange.status, exchange.headers, page.body if page is not None else b"")
            is_elsewhere = origin_of(target) != origin
            if is_elsewhere:  # what was meant for one site is not handed on to another
                asked = replace(asked, headers=tuple(one for one in asked.headers if is_harmless(one[0])))
            if asked.method == "POST" and exchange.status not in SAME_METHOD:
                asked = replace(asked, method="GET", body=b"")
            elif asked.method == "POST" and is_elsewhere:
                self.refused["would send a form to another site"] += 1
                return None
            url = target
        return None

    async def _sent(self, asked: SubRequest, url: str) -> Exchange | None:
        every, limit = self.all, self.all.options.limit
        if limit is not None and every.progress.sent >= limit:
            self.refused[LIMIT] += 1
            return None
        every.progress.sent += 1
        tally = Counter[str]()
        try:
            headers = (*_headers(asked), ("Referer", self.page_url.partition("#")[0]))
            exchange = await every.visits.fetch_soon(Request(url, asked.method, headers, asked.body), tally)
        except FetchError as error:
            self.refused[str(error)[:200]] += 1
            every.progress.counts["errors"] += 1
            self._failed(url, asked, str(error), None)
            return None
        finally:
            every.progress.sent += max(0, tally["requests"] - 1)
            every.progress.counts.update(tally)
            self.sent += tally["requests"]
        return replace(exchange, request_head=_SECRET.sub(rb"\1: redacted", exchange.request_head))

    def _kept(self, exchange: Exchange, url: str, asked: SubRequest) -> WrittenCapture:
        every, because = self.all, f"asked for by a script of {self.page_url}"
        keeper = every.carrier.keeper
        follow = Follow(url, because, SCRIPTS, 0.0, None, self.page_url, self.why.depth)
        kept = keeper.keep(exchange, follow)
        every.progress.count(kept)
        capture = keeper.record(kept, every.progress.counts["requests"])
        is_barred = kept.page is not None and _is_barred(asked, kept.page)
        if is_barred or (exchange.status >= 400 and exchange.status not in GONE):
            self._failed(url, asked, answer_line(exchange), capture)
        elif exchange.status < 400:
            every.carrier.frontier.forget_failed(url, SCRIPTS)
        if asked.method == "GET" and exchange.status == 200 and not is_barred:
            if body := keeper.state.body_at(capture):
                self.all.remember(_kind(asked), url, body[1:])
            if kept.page is not None and not is_html(kept.page):
                every.carrier.frontier.mark_known(url, because, capture)
        if every.options.assets == "all" and asked.kind == "stylesheet" and kept.page is not None:
            every.carrier.apply(follow_requisites(kept.page, follow), url, capture)
        every.progress.unsaved += 1
        return kept

    def _failed(self, url: str, asked: SubRequest, reason: str, capture: int | None) -> None:
        """Write down that a request failed: data of the site is content that is missing, anything else a requisite."""
        carrier = self.all.carrier
        is_data = _kind(asked) == "data" and carrier.scope.verdict(url, self.why.depth).allowed
        follow = Follow(url, reason, SCRIPTS if is_data else ASSETS, 0.0, None, self.page_url, self.why.depth)
        carrier.frontier.add_failed(follow, capture)


def _kind(asked: SubRequest) -> str:
    return asked.kind if asked.kind in STATIC else "data"


def _is_barred(asked: SubRequest, page: Page) -> bool:
    """Say whether a wall answers where data was asked for."""
    return _kind(asked) == "data" and looks_refused(page)


def _may_send(asked: SubRequest) -> bool:
    """Say whether a request only reads: scripts post searches and lists too, but to no address that changes something.

    >>> sent = (SubRequest(f"http://e.org/{path}", "POST", "fetch", (), b"") for path in ("graphql", "post/5/delete"))
    >>> [_may_send(request) for request in sent]
    [True, False]
    """
    if asked.method in ("GET", "HEAD"):
        return True
    if asked.method != "POST" or CHANGES.search(asked.url.partition("://")[2].partition("/")[2]):
        return False
    return not _MUTATION.match(asked.body)


def _headers(asked: SubRequest) -> Headers:
    return tuple(
        (name, value)
        for name, value in asked.headers
        if name.lower() not in OWN_HEADERS and not name.lower().startswith(("sec-", ":", "proxy-"))
    )
