"""The turn of one URL: robots.txt, request, capture, the strategy's answer; all written down together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from siteseer.crawl.carry import Carrier
from siteseer.crawl.frontier import DONE, FAILED, Entry
from siteseer.crawl.keep import Kept
from siteseer.crawl.progress import Progress
from siteseer.crawl.rules import Rules
from siteseer.crawl.showing import ROUTE, Showing
from siteseer.crawl.visit import RateLimitedError, Visits
from siteseer.decide.common import follow_requisites
from siteseer.errors import FetchError
from siteseer.fetch.addresses import RefusedAddressError
from siteseer.forms.submit import body_of
from siteseer.interfaces import Request
from siteseer.model import Follow, Note, Outcome, Page, Submit
from siteseer.page.scripted import ScriptNeed
from siteseer.page.urls import identity, route_of
from siteseer.settings import CrawlOptions


@dataclass(slots=True)
class Turns:
    """Takes URLs one by one."""

    options: CrawlOptions
    visits: Visits
    rules: Rules
    carrier: Carrier
    progress: Progress
    showing: Showing | None = None

    async def take(self, entry: Entry) -> None:
        """Fetch a URL, where its host allows it, and do what the strategy says of the answer."""
        why = entry.action
        robots = await self.rules.of(why.url)
        verdict = robots.verdict(why.url.partition("#")[0])
        if not verdict.allowed and self.options.robots == "obey":
            self.carrier.frontier.skip_taken(entry, verdict.because, verdict.rule)
            self.carrier.decide(Outcome(why.url, "refused", verdict.because), why, None)
            return
        if route_of(why.url):
            await self._take_route(entry)
            return
        url, tally = why.url, Counter[str]()
        for _ in range(self.options.limits.redirects):
            self.progress.sent += 1
            before = tally["requests"]
            try:
                request = self._request(why, url)
                exchange = await self.visits.fetch(request, tally)
            except RateLimitedError:
                self.progress.counts.update(tally)  # what was sent was sent
                raise
            except FetchError as error:
                self._failed(entry, error, tally)
                return
            finally:
                self.progress.sent += max(0, tally["requests"] - before - 1)
            kept = self.carrier.keeper.keep(exchange, why, robots_note=verdict.because if not verdict.allowed else "")
            again = self._other_spelling(kept.outcome, why)
            if again is None:
                need = self.showing.need(kept, why) if self.showing is not None else None
                if need is None:
                    self._received(entry, kept, tally)
                else:
                    await self._show(entry, kept, tally, need)
                return
            self.carrier.keeper.record(kept, tally["requests"] + self.progress.counts["requests"])
            url = again
        self._failed(entry, FetchError("redirects in a circle"), tally)

    def _request(self, why: Follow | Submit, url: str) -> Request:
        referrer = (("Referer", why.referrer),) if why.referrer.startswith("http") else ()
        if isinstance(why, Submit) and why.method == "POST":
            kind, body = body_of(why)
            return Request(url, "POST", (("Content-Type", kind), *referrer), body)
        headers = why.headers if isinstance(why, Follow) else ()
        return Request(url, "GET", (*headers, *referrer, *self.carrier.keeper.validators(url)))

    @staticmethod
    def _other_spelling(outcome: Outcome, why: Follow | Submit) -> str | None:
        """Return the target of a redirect that only spells the same URL otherwise (a session id, a cookie check)."""
        if isinstance(why, Submit) and why.method == "POST":
            return None  # where a posted form leads is asked for by GET
        if outcome.kind == "redirect" and outcome.target and identity(outcome.target) == identity(why.url):
            return outcome.target
        return None

    def _failed(self, entry: Entry, error: FetchError, tally: Counter[str]) -> None:
        self.progress.failure = self.progress.failure or error
        self.progress.counts.update(tally)
        self.progress.counts["errors"] += 1
        kind = "refused" if isinstance(error, RefusedAddressError) else "error"
        self.carrier.frontier.finish(entry, FAILED, str(error))
        self.carrier.log.write("failed", url=entry.action.url, reason=str(error))
        outcome = Outcome(entry.action.url, "refused" if kind == "refused" else "error", str(error))
        self.carrier.decide(outcome, entry.action, None)
        self.progress.unsaved += 1

    async def _show(self, entry: Entry, kept: Kept, tally: Counter[str], need: ScriptNeed) -> None:
        """Write down an answer, have it shown by a browser, and decide by what the scripts made of it."""
        capture = self._recorded(kept, tally)
        self._decided(entry, await self._shown(entry, kept, capture, need), capture)

    def _recorded(self, kept: Kept, tally: Counter[str]) -> int:
        """Write down an answer that is not decided yet: it counts as a page when it is."""
        self.progress.counts.update(tally)
        self.progress.count(replace(kept, is_content=False))
        self.progress.unsaved += 1
        return self.carrier.keeper.record(kept, self.progress.counts["requests"])

    async def _shown(self, entry: Entry, kept: Kept, capture: int, need: ScriptNeed) -> Kept:
        assert self.showing is not None
        shown = await self.showing.show(kept, capture, entry.action, need)
        if shown is not kept:
            self.progress.counts["new grams"] += len(shown.new_grams)
        self.progress.counts["pages"] += shown.is_content
        return shown

    async def _take_route(self, entry: Entry) -> None:
        """Take a view that only a script shows: its document is fetched once, and shown for each view."""
        url = entry.action.url
        if self.showing is None or self.showing.browser is None:
            self.carrier.frontier.skip_taken(entry, "only a browser shows this view of the page", "route")
            return
        found = self.showing.document(url.partition("#")[0]) or await self._document_of(entry)
        if found is not None:
            capture = self.showing.view(found[1], url)
            kept = self.showing.kept_view(replace(found[0], url=url, memo={}), capture)
            self._decided(entry, await self._shown(entry, kept, capture, ROUTE), capture)

    async def _document_of(self, entry: Entry) -> tuple[Page, int] | None:
        """Fetch the document of a route."""
        document = Follow(entry.action.url.partition("#")[0], f"the document of {entry.action.url}")
        tally = Counter[str]()
        self.progress.sent += 1
        try:
            exchange = await self.visits.fetch(self._request(document, document.url), tally)
        except RateLimitedError:
            self.progress.counts.update(tally)
            raise
        except FetchError as error:
            self._failed(entry, error, tally)
            return None
        kept = self.carrier.keeper.keep(exchange, document)
        capture = self._recorded(kept, tally)
        if kept.page is None or exchange.status != 200:
            self._failed(entry, FetchError(f"{exchange.status} {exchange.reason}".strip()), Counter())
            return None
        return kept.page, capture

    def _received(self, entry: Entry, kept: Kept, tally: Counter[str]) -> None:
        """Write down an answer: capture, decisions and outcome together."""
        self.progress.counts.update(tally)
        self.progress.count(kept)
        self._decided(entry, kept, None)

    def _decided(self, entry: Entry, kept: Kept, capture: int | None) -> None:
        """Ask the strategy about an answer, which may be written down already, and do what it says."""
        actions = self.carrier.ask(kept.outcome, entry.action)
        note = next((action for action in actions if isinstance(action, Note) and action.recognition), None)
        if capture is None:
            capture = self.carrier.keeper.record(kept, self.progress.counts["requests"], note)
        elif note is not None and note.recognition is not None:
            self.carrier.keeper.state.relabel(capture, note.recognition.level)
        self.carrier.apply(actions, kept.outcome.url, capture, entry.action)
        if self.options.assets == "all" and kept.page is not None and kept.outcome.kind == "page":
            self.carrier.apply(follow_requisites(kept.page, entry.action), kept.outcome.url, capture)
        broken = kept.exchange.status >= 400
        reason = f"{kept.exchange.status} {kept.exchange.reason}".strip()
        self.progress.counts["errors"] += broken
        self.carrier.frontier.finish(entry, FAILED if broken else DONE, reason, capture)
        self.carrier.log.page(kept, entry.action, note)
        self.progress.last_url = kept.outcome.url
        self.progress.unsaved += 1
