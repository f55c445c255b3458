"""Handles walls: holds back suspicious answers, slows requests to the host down, then stops it.

While a run of suspicious answers lasts (`strategies/traps/walls`), the strategy hears of none of them and the host gets
one request at a time. When there are enough, a page that the host has shown before is asked for once more. If it comes,
what was held back counts after all. If not, the browser may try once, then the host is stopped: its URLs wait for the
next run, and what was fetched behind the wall stays in the archive as evidence only.
"""

from __future__ import annotations

from siteseer.crawler.capture_writer import NO_CONTENT, WrittenCapture
from siteseer.crawler.hosts.challenge_browser import ChallengeBrowser
from siteseer.crawler.hosts.host_answers import AnsweredUrl, HostAnswers
from siteseer.crawler.hosts.known_pages import KnownPages
from siteseer.crawler.hosts.wall_stop import HostStops
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.model import Follow, Submit
from siteseer.page.urls import host_of
from siteseer.settings import CrawlOptions
from siteseer.strategies.traps.walls import WallEvidence

LONGEST_PAUSE = 60.0


class Walls:
    """Watches all hosts of a crawl."""

    def __init__(
        self, options: CrawlOptions, visits: PoliteFetcher, stops: HostStops, browser: ChallengeBrowser | None = None
    ) -> None:
        self.options, self.visits, self.stops, self.browser = options, visits, stops, browser
        self.known = KnownPages(visits, stops.carrier.keeper, stops.progress)
        self.stopped: set[str] = set()
        """The hosts that turned out to refuse everything in this run."""
        self._hosts: dict[str, HostAnswers] = {}
        self._walled = stops.remembered()
        for name, row in self._walled.items():
            self._host(name).watch.begin_probation(row["keys"])

    def _host(self, name: str) -> HostAnswers:
        if name not in self._hosts:
            keeper = self.stops.carrier.keeper
            urls = keeper.state.rows("SELECT url FROM captures WHERE crawl = ?", (keeper.crawl,))
            self._hosts[name] = HostAnswers(sum(host_of(url) == name for (url,) in urls))
        return self._hosts[name]

    def is_suspicious(self, name: str) -> bool:
        """Say whether a host gets one request at a time."""
        return name in self._hosts and self._hosts[name].watch.is_suspicious

    def holds(self, name: str | None = None) -> bool:
        """Say whether answers are held back, of a host or of any."""
        return any(host.held for host_name, host in self._hosts.items() if name in (None, host_name))

    # ── one answer ────────────────────────────────────────────────────────────────────────────────────────────────

    def refusal(self, why: Follow | Submit, kept: WrittenCapture) -> WallEvidence | None:
        """Say whether an answer, before a browser shows it, looks like that of a wall."""
        host = self._host(host_of(why.url))
        host.asked += 1
        if kept.outcome.kind == "redirect":
            return host.watch.redirection(kept.outcome.url, kept.outcome.target) if kept.outcome.target else None
        return host.watch.refusal(kept.page) if kept.page is not None else None

    def repetition(self, why: Follow | Submit, kept: WrittenCapture) -> WallEvidence | None:
        """Say whether a page says what other pages have said; searches that find nothing are all answered alike."""
        host = self._host(host_of(why.url))
        host.asked += kept.data_requests
        if isinstance(why, Submit) or not kept.is_content or kept.page is None:
            return None
        return host.watch.repetition(kept.page, kept.refused_data)

    def note(self, answered: AnsweredUrl) -> None:
        """Note an answer that was held back and decided after all."""
        self._host(answered.host).note(answered)

    def hear(self, answered: AnsweredUrl) -> list[AnsweredUrl]:
        """Hear of an ordinary answer that was decided; return what need not be held back any longer."""
        host, kept = self._host(answered.host), answered.kept
        host.note(answered)
        is_answer = kept.outcome.kind in ("page", "not-modified") and kept.exchange.status < 500
        if not is_answer or answered.entry.action.family in NO_CONTENT:
            return []
        if answered.host in self._walled:
            del self._walled[answered.host]
            self.stops.lift(answered.host)
        if self.browser is not None:
            self.browser.hear_good(answered.host)
        host.watch.hear_good(kept.page if kept.is_content else None)
        return host.end_run()

    async def hold(self, answered: AnsweredUrl, suspicion: WallEvidence) -> list[AnsweredUrl]:
        """Hold an answer back, and find out where it is time; return what need not be held back any longer."""
        name, host = answered.host, self._host(answered.host)
        self.stops.carrier.keeper.withdraw(answered.capture)
        released = host.hold(answered)
        host.watch.suspect(suspicion)
        if host.watch.is_due:
            return released + await self._judge(name)
        if suspicion.sign != "markup" or not await self._is_solved(name, suspicion):
            self._slow_down(name)
        return released

    async def settle(self) -> list[AnsweredUrl]:
        """Nothing else is left to be asked for: find out what the answers are that are held back."""
        released: list[AnsweredUrl] = []
        for name, host in list(self._hosts.items()):
            if len(host.held) > 1 or (host.held and self.known.newest(name, host.watch) is None):
                released += await self._judge(name)
            elif host.held:
                host.watch.hear_good(None)
                released += host.end_run()
        return released

    def give_back(self) -> None:
        """Let what is held back wait for the next run."""
        for host in self._hosts.values():
            self.stops.wait_again(host)

    # ── is it a wall? ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _judge(self, name: str) -> list[AnsweredUrl]:
        """Ask for a page that is known, and stop the host where it is refused; return what is to be decided."""
        host = self._host(name)
        if not host.is_confirmed and not await self._is_refused(name):
            host.watch.acquit()
            return host.end_run(is_acquitted=True)
        if not await self._is_solved(name, host.watch.run[-1]):
            self.stopped.add(name)
            has_tried_browser = self.browser is not None and self.browser.has_tried(name)
            self.stops.stop(name, host, has_tried_browser, await self._leads_to_login(name))
        return []

    async def _leads_to_login(self, name: str) -> bool:
        if name in self._walled:
            return bool(self._walled[name]["kind"] == "login")
        target = next((one.target for one in reversed(self._host(name).held) if one.target), "")
        return host_of(target) == name and await self.known.shows_login(target)

    async def _is_refused(self, name: str) -> bool:
        host = self._host(name)
        url = self.known.newest(name, host.watch)
        if url is None:
            return host.watch.convicts_without_control
        self._slow_down(name)
        host.asked += 1
        return await self.known.is_refused(url, host.watch)

    async def _is_solved(self, name: str, suspicion: WallEvidence) -> bool:
        """Let the browser try where that may help; say whether it is worth asking again: the run then begins anew."""
        browser, page = self.browser, suspicion.page
        if browser is None or page is None or not suspicion.may_be_solved or not browser.may_try(name):
            return False
        host = self._host(name)
        is_due = host.watch.is_due
        if not await browser.solve(page, self.known.ask):
            return False
        host.is_confirmed = is_due
        host.watch.begin_probation()
        self.stops.wait_again(host)
        return True

    def _slow_down(self, name: str) -> None:
        """Wait longer before the next request; the pause doubles."""
        if pauses := self._host(name).watch.pauses:
            pause = max(self.options.delay, self.options.limits.retry_seconds) * 2 ** (pauses - 1)
            self.visits.pace.rest(name, min(pause, LONGEST_PAUSE))
