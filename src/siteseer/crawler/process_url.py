"""Processes one URL: robots.txt, request, capture, the strategy's answer; all written down together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from siteseer.collection.url_status import DONE, FAILED
from siteseer.crawler.apply_actions import ActionApplier
from siteseer.crawler.frontier import Entry
from siteseer.crawler.hosts.seed_limits import RULE, SeedLimits
from siteseer.crawler.polite_fetch import PoliteFetcher, answer_line, may_pass, retry_after
from siteseer.crawler.process_answer import AnswerProcessor
from siteseer.crawler.progress import Progress
from siteseer.crawler.rendering.rendered_pages import ROUTE, PageRenderer
from siteseer.crawler.rendering.unrendered_pages import ROUTE_RULE
from siteseer.crawler.retries import Retries
from siteseer.crawler.robots_and_sitemaps import RobotsAndSitemaps
from siteseer.errors import FetchError, TemporaryFetchError
from siteseer.fetch.ssrf_guard import RefusedAddressError
from siteseer.forms.form_request import body_of
from siteseer.interfaces import Exchange, Request
from siteseer.model import Follow, Note, Outcome, Page, Submit
from siteseer.page.urls import host_of, identity, route_of
from siteseer.settings import CrawlOptions
from siteseer.strategies.redirects_and_assets import ASSETS


@dataclass(slots=True)
class UrlProcessor:
    """Takes URLs one by one."""

    options: CrawlOptions
    visits: PoliteFetcher
    rules: RobotsAndSitemaps
    carrier: ActionApplier
    progress: Progress
    retries: Retries
    decisions: AnswerProcessor
    limits: SeedLimits
    showing: PageRenderer | None = None

    async def take(self, entry: Entry) -> None:
        """Fetch a URL, where its host allows it, and do what the strategy says of the answer."""
        why = entry.action
        if over := self.limits.refusal(entry):
            self._leave(entry, over, RULE)
            return
        robots = await self.rules.of(why.url)
        verdict = robots.verdict(why.url.partition("#")[0])
        if not verdict.allowed and self.options.obeys_robots(host_of(why.url)):
            self._leave(entry, verdict.because, verdict.rule)
            return
        if route_of(why.url):
            await self._take_route(entry)
            return
        if self.showing is not None and (found := self.showing.earlier(why.url)) is not None:
            await self._take_again(entry, *found)
            return
        url, tally = why.url, Counter[str]()
        for _ in range(self.options.limits.redirects):
            exchange = await self._answer(entry, self._request(why, url), tally)
            if exchange is None:
                return
            kept = self.carrier.keeper.keep(exchange, why, robots_note=verdict.because if not verdict.allowed else "")
            again = self._other_spelling(kept.outcome, why)
            if again is None:
                await self.decisions.receive(entry, kept, tally)
                return
            self.carrier.keeper.record(kept, tally["requests"] + self.progress.counts["requests"])
            url = again
        self._failed(entry, FetchError("redirects in a circle"), tally)

    def _leave(self, entry: Entry, because: str, rule: str) -> None:
        """Write down that a URL is not asked for, and tell the strategy."""
        why = entry.action
        self.carrier.frontier.skip_taken(entry, because, rule)
        self.decisions.end_seed(why.url)
        self.carrier.decide(Outcome(why.url, "refused", because), why, None)

    async def _answer(self, entry: Entry, request: Request, tally: Counter[str]) -> Exchange | None:
        """Ask for a URL; return None where it was put aside to be asked for again, or could not be had."""
        self.progress.sent += 1
        try:
            exchange = await self.visits.send(request, tally)
        except FetchError as error:
            if isinstance(error, TemporaryFetchError) and self.retries.try_later(entry, str(error)):
                self.progress.counts.update(tally)
            else:
                self._failed(entry, error, tally)
            return None
        if not may_pass(exchange.status) or self.visits.is_challenge(exchange):
            self.retries.succeed(entry, exchange.status < 400 and entry.action.family != ASSETS)
        elif self.retries.try_later(entry, answer_line(exchange), retry_after(exchange)):
            tally[f"status {exchange.status}"] += 1
            self.progress.counts.update(tally)
            exchange.body.close()
            return None
        return exchange

    def give_up(self) -> None:
        """Write down the URLs that are not tried any more because their path does not answer."""
        while self.retries.given_up:
            entry, because = self.retries.given_up.pop()
            self._failed(entry, FetchError(because), Counter())

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
        if tally["requests"]:
            self.retries.fail(entry, str(error))
        self.progress.counts.update(tally)
        self.progress.counts["errors"] += 1
        kind = "refused" if isinstance(error, RefusedAddressError) else "error"
        self.carrier.frontier.finish(entry, FAILED, str(error))
        self.carrier.log.write("failed", url=entry.action.url, reason=str(error))
        outcome = Outcome(entry.action.url, "refused" if kind == "refused" else "error", str(error))
        self.carrier.decide(outcome, entry.action, None)
        self.decisions.end_seed(entry.action.url)
        self.progress.unsaved += 1

    async def _take_route(self, entry: Entry) -> None:
        """Take a view that only a script shows: its document is fetched once, and shown for each view."""
        url = entry.action.url
        if self.showing is None or not self.showing.can_show():
            self.carrier.frontier.skip_taken(entry, ROUTE.because, ROUTE_RULE)
            if self.showing is not None:
                self.showing.note_not_shown(Page(url), ROUTE)
            return
        found = self.showing.document(url.partition("#")[0]) or await self._document_of(entry)
        if found is not None:
            capture = self.showing.view(found[1], url)
            kept = self.showing.kept_view(replace(found[0], url=url, memo={}), capture)
            await self.decisions.compare(entry, await self.decisions.show(entry, kept, capture, ROUTE), capture)

    async def _take_again(self, entry: Entry, page: Page, capture: int) -> None:
        """Show a page that an earlier run could not show; it is archived and counted already."""
        assert self.showing is not None
        kept = self.showing.kept_view(page, capture)
        need = self.showing.need(kept, entry.action)
        if need is None:
            self.carrier.apply([Note("pages like it are whole", event="whole")], page.url, None)
            self.carrier.frontier.finish(entry, DONE, entry.action.because, capture)
            return
        shown = await self.decisions.show(entry, kept, capture, need)
        self.progress.counts["pages"] -= shown.is_content
        self.decisions.decide(entry, shown, capture)

    async def _document_of(self, entry: Entry) -> tuple[Page, int] | None:
        """Fetch the document of a route."""
        document = Follow(entry.action.url.partition("#")[0], f"the document of {entry.action.url}")
        tally = Counter[str]()
        exchange = await self._answer(entry, self._request(document, document.url), tally)
        if exchange is None:
            return None
        kept = self.carrier.keeper.keep(exchange, document)
        capture = self.decisions.record(kept, tally)
        if kept.page is None or exchange.status != 200 or not kept.is_content:
            self._failed(entry, FetchError(f"{exchange.status} {exchange.reason}".strip()), Counter())
            return None
        return kept.page, capture
