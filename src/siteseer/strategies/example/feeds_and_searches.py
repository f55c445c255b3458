"""Tries feeds and search forms when links lead to no further sample-like pages, as long as they bring some.

Reference: Vidal et al., Structure-based crawling in the hidden Web, sections 5.2 to 5.4. Differs: there every form is
filled with all combinations; here a form is filled in portions, and left as soon as a few of them bring no page of the
wanted kind, sooner where links have led to many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from siteseer.interfaces import Memory, StrategyContext
from siteseer.model import JSON, Action, Page, Remember, Submit
from siteseer.page.feeds.discover import feed_links
from siteseer.page.urls import identity
from siteseer.strategies.event_log import EventLog
from siteseer.strategies.example.sample_pages import links_of
from siteseer.strategies.form_search.search_queue import SearchQueue
from siteseer.strategies.learned.online_learner.url_words import is_feed

MEMORY = "example ways"
MOST_FEEDS = 100
FRUITLESS = 3
"""So many feeds in a row that lead to nothing further are enough."""
PORTION, LARGE_PORTION = 3, 12
"""Submissions sent at once: with a form that has led to nothing yet, and with one that has."""
PATIENCE, PATIENCE_AFTER_LINKS = 5, 3
"""So many portions in a row that bring no page of the kind are enough; fewer where links lead to such pages."""
MANY = 30
"""So many pages of the kind show that links lead to them."""


class FeedsAndSearches:
    """The feeds and forms of a site, and the pages that they brought; `found` counts the wanted pages."""

    def __init__(self, context: StrategyContext, found: Callable[[], int]) -> None:
        self.context, self.found = context, found
        self.searches = SearchQueue(context)
        self.lists: dict[str, list[tuple[str, str]]] = {}
        """The links of feeds and of answers to forms, which are no pages that could be read again."""
        self._feeds: dict[str, None] = {}
        self._asked: dict[str, int] = {}
        """Feed to how many wanted pages were known when it was asked for."""
        self._portions: dict[int, list[int]] = defaultdict(list)
        """Form to how many wanted pages were known when each portion was sent."""
        self._journal = EventLog(MEMORY, self._take)

    def recall(self, memory: Memory) -> None:
        """Restore what was stored."""
        self.searches.recall(memory)
        self._journal.recall(memory)

    def meet(self, page: Page, links: Iterable[str]) -> Iterator[Action]:
        """Add the feeds and forms of a page."""
        named = dict.fromkeys((*feed_links(page), *filter(is_feed, links)))
        if feeds := [url for url in named if url not in self._feeds][: MOST_FEEDS - len(self._feeds)]:
            yield self._journal.write(["feeds", feeds])
        yield from self.searches.offer(page)

    def keep_list(self, page: Page) -> Remember:
        """Remember the links of a feed or of an answer."""
        return self._journal.write(["list", identity(page.url), links_of(page)])

    def next_feed(self) -> str | None:
        """Return a feed that may list further pages, if feeds were of use so far."""
        fruitless = sum(self.found() == before for before in self._asked.values())
        waiting = (url for url in self._feeds if url not in self._asked and self.context.scope.verdict(url).allowed)
        return next(waiting, None) if fruitless < FRUITLESS else None

    def ask_feed(self, url: str) -> Remember:
        """Record that a feed is requested."""
        return self._journal.write(["asked feed", url, self.found()])

    # ── forms ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def search(self) -> list[Action]:
        """Return the next portion of submissions, of the first form that is still of use."""
        for number in self._order():
            if self._is_fruitless(number):
                continue
            portions = self._portions[number]
            if said := self.searches.send(number, LARGE_PORTION if len(set(portions)) > 1 else PORTION):
                has_searches = any(isinstance(action, Submit) for action in said)
                return [*said, self._journal.write(["portion", number, self.found()])] if has_searches else said
        return []

    def _order(self) -> list[int]:
        """Return the forms, those first that have fields for the user's values."""
        searched = self.searches.searched
        named = [any(one.form.field(name) for name in self.searches.given) for one in searched]
        return sorted(range(len(searched)), key=lambda number: not named[number])

    def _is_fruitless(self, number: int) -> bool:
        """Say whether a form, or another one that is sent to the same address, brought nothing for too long."""
        if self._is_spent(self._portions.get(number, [])):
            return True
        action = _address(self.searches.searched[number].form.action)
        return not self._portions.get(number) and any(
            self._is_spent(portions) and len(set(portions)) == 1
            for other, portions in self._portions.items()
            if _address(self.searches.searched[other].form.action) == action
        )

    def _is_spent(self, portions: list[int]) -> bool:
        by_links = next((one[0] for one in self._portions.values() if one), 0)
        is_spare = by_links >= MANY and len(set(portions)) == 1 and not self.searches.given
        return portions.count(self.found()) >= (PATIENCE_AFTER_LINKS if is_spare else PATIENCE)

    # ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _take(self, row: JSON) -> None:
        match row:
            case ["feeds", urls]:
                self._feeds.update(dict.fromkeys(urls))
            case ["asked feed", url, found]:
                self._asked[url] = found
            case ["list", name, links]:
                self.lists[name] = [(url, place) for url, place in links]
            case ["portion", number, found]:
                self._portions[number].append(found)


def _address(action: str) -> str:
    return action.partition("?")[0]
