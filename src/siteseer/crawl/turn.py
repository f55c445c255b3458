"""The turn of one URL: robots.txt, request, capture, the strategy's answer; all written down together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from siteseer.crawl.carry import Carrier
from siteseer.crawl.frontier import DONE, FAILED, Entry
from siteseer.crawl.keep import Kept
from siteseer.crawl.progress import Progress
from siteseer.crawl.rules import Rules
from siteseer.crawl.visit import RateLimitedError, Visits
from siteseer.decide.common import follow_requisites
from siteseer.errors import FetchError
from siteseer.fetch.addresses import RefusedAddressError
from siteseer.forms.submit import body_of
from siteseer.interfaces import Request
from siteseer.model import Follow, Note, Outcome, Submit
from siteseer.page.urls import identity
from siteseer.settings import CrawlOptions


@dataclass(slots=True)
class Turns:
    """Takes URLs one by one."""

    options: CrawlOptions
    visits: Visits
    rules: Rules
    carrier: Carrier
    progress: Progress

    async def take(self, entry: Entry) -> None:
        """Fetch a URL, where its host allows it, and do what the strategy says of the answer."""
        why = entry.action
        robots = await self.rules.of(why.url)
        verdict = robots.verdict(why.url)
        if not verdict.allowed and self.options.robots == "obey":
            self.carrier.frontier.skip_taken(entry, verdict.because, verdict.rule)
            self.carrier.decide(Outcome(why.url, "refused", verdict.because), why, None)
            return
        url, tally = why.url, Counter[str]()
        for _ in range(self.options.limits.redirects):
            self.progress.sent += 1
            before = tally["requests"]
            try:
                request = self._request(why, url)
                exchange = await self.visits.fetch(request, tally)
            except RateLimitedError:
                raise
            except FetchError as error:
                self._failed(entry, error, tally)
                return
            finally:
                self.progress.sent += max(0, tally["requests"] - before - 1)
            kept = self.carrier.keeper.keep(exchange, why, robots_note=verdict.because if not verdict.allowed else "")
            again = self._other_spelling(kept.outcome, why)
            if again is None:
                self._received(entry, kept, tally)
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

    def _received(self, entry: Entry, kept: Kept, tally: Counter[str]) -> None:
        """Write down an answer: capture, decisions and outcome together."""
        self.progress.counts.update(tally)
        self.progress.count(kept)
        actions = self.carrier.ask(kept.outcome, entry.action)
        note = next((action for action in actions if isinstance(action, Note) and action.recognition), None)
        capture = self.carrier.keeper.record(kept, self.progress.counts["requests"], note)
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
