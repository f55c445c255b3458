"""Applies the aware strategy in another crawler: which of its requests lead to content.

Another crawler fetches and keeps its own queue; it asks here what a page is (`Site.see`) and, for each request that it
wants to send from that page, whether there is a reason against it (`Site.refusal`). There is none where Siteseer does
not know the software, where the request leaves the site, or where the page does not link there: such a request is the
crawler's own idea.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.types import Application
from siteseer.knowledge.url_identity import document_key
from siteseer.model import JSON, Follow, Keep, Note, Outcome, Page, Remember, Skip, WebObject
from siteseer.page.links import links
from siteseer.page.urls import host_of, identity
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.aware.crawl_policies import AwareOptions
from siteseer.strategies.scope import SeedScope

ASKED = "asked for already"


@dataclass(frozen=True, slots=True)
class PageActions:
    """The strategy's actions on one page."""

    application: Application | None
    where: str
    """Application and level, as in `phpbb/thread`; empty for a list of URLs such as a sitemap."""
    follows: Mapping[str, Follow]
    """What leads to content, by document key; nothing that was asked for from an earlier page."""
    objects: tuple[WebObject, ...] = ()
    linked: frozenset[str] = frozenset()
    failed: int = 0
    """How many actions found nothing where they should have."""


class Rows:
    """A strategy's memory in a dict that another crawler saves and restores.

    >>> rows = Rows({})
    >>> rows.remember(Remember("asked", "http://e.org/", True))
    >>> list(rows.recall("asked"))
    [('http://e.org/', True)]
    """

    def __init__(self, rows: dict[str, dict[str, JSON]]) -> None:
        self._rows = rows

    def remember(self, row: Remember) -> None:
        """Keep a row; a later one of the same key replaces it."""
        self._rows.setdefault(row.kind, {})[row.key] = row.value

    def recall(self, kind: str) -> Iterable[tuple[str, JSON]]:
        """Return the rows of a kind."""
        return self._rows.get(kind, {}).items()

    def earlier_objects(self, url: str) -> Sequence[WebObject]:
        """Return nothing: earlier crawls belong to the other crawler."""
        return ()

    def earlier_pages(self) -> Iterable[tuple[str, str]]:
        """Return nothing: earlier crawls belong to the other crawler."""
        return ()


class Site:
    """One host, crawled by another crawler and watched by the aware strategy.

    >>> site = Site("http://e.org/", KnowledgeBase.shipped())
    >>> html = (("Content-Type", "text/html"),)
    >>> site.see(Page("http://e.org/", headers=html, body=b"<p>A page of no known software"), Follow("", "")) is None
    True
    """

    def __init__(
        self,
        url: str,
        knowledge: KnowledgeBase,
        policies: Mapping[str, str] | None = None,
        memory: Rows | None = None,
    ) -> None:
        self.host = host_of(url)
        self._strategy = AwareStrategy(knowledge, SeedScope([url], "host"), AwareOptions(policies or {}))
        self._memory = memory or Rows({})
        self._application: Application | None = None
        self._wanted: dict[str, str] = {}
        """Document key to the URL under which the crawler asked for it; empty while it has not."""
        self._skipped: dict[str, Skip] = {}
        for _ in self._strategy.start((), self._memory):
            pass

    def see(self, page: Page, why: Follow) -> PageActions | None:
        """Return the strategy's actions on a page; None where the software is unknown."""
        follows: list[Follow] = []
        objects: list[WebObject] = []
        where, failed = "", 0
        for action in self._strategy.decide(Outcome(page.url, "page", page=page), why):
            match action:
                case Note(event="unknown_application"):
                    return None  # decide is lazy: links that were not taken are not counted as asked for
                case Note(event="recognised", recognition=found) if found and found.application:
                    where = action.because
                    self._application = self._strategy.knowledge.of_site(found.application, self.host)
                case Note(event="failed_action"):
                    failed += 1
                case Follow():
                    follows.append(action)
                case Keep():
                    objects.append(action.object)
                case Skip():
                    self._skipped[identity(action.url)] = action
                case Remember():
                    self._memory.remember(action)
        if not where and not follows:
            return None
        by_key = {document_key(follow.url, self._application): follow for follow in follows}
        self._wanted.update(dict.fromkeys(by_key, ""))
        linked = frozenset(identity(link.url) for link in links(page)) | {identity(page.url)}
        return PageActions(self._application, where, by_key, tuple(objects), linked, failed)

    def refusal(self, seen: PageActions, url: str) -> Skip | None:
        """Return the reason against a request from that page, or None; the request then counts as sent."""
        if host_of(url) != self.host:
            return None
        key, name = document_key(url, seen.application), identity(url)
        if key in self._wanted:
            asked = self._wanted[key] = self._wanted[key] or url
            return None if asked == url else Skip(url, f"the document was asked for as {asked}", ASKED)
        if name in self._skipped:
            return replace(self._skipped[name], url=url)
        return Skip(url, "the document was had or asked for", ASKED) if name in seen.linked else None

    def wanted(self, seen: PageActions, url: str) -> Follow | None:
        """Return why the strategy wants that URL from that page, or None where it does not."""
        return seen.follows.get(document_key(url, seen.application))

    def missing(self, seen: PageActions) -> list[Follow]:
        """Return the URLs that lead to content from that page and were not requested; they then count as sent."""
        found = [(key, follow) for key, follow in seen.follows.items() if not self._wanted[key]]
        self._wanted.update((key, follow.url) for key, follow in found)
        return [follow for _, follow in found]
