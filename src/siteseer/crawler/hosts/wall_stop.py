"""Stops a host that refuses requests: its URLs wait again, pages of the wall are withdrawn, the reason is kept."""

from __future__ import annotations

from dataclasses import dataclass

from siteseer.crawler.apply_actions import ActionApplier
from siteseer.crawler.hosts.host_answers import AnsweredUrl, HostAnswers
from siteseer.crawler.hosts.wall_report import WALL, wall_row, wall_sentence
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.progress import Progress
from siteseer.model import JSON, Note


@dataclass(slots=True)
class HostStops:
    """Stops hosts, and remembers why."""

    visits: PoliteFetcher
    carrier: ActionApplier
    progress: Progress

    def remembered(self) -> dict[str, JSON]:
        """Return the hosts that refused everything when the crawl was last stopped, and how."""
        keeper = self.carrier.keeper
        return {name: row for name, row in keeper.state.recall(keeper.crawl, WALL) if row is not None}

    def lift(self, name: str) -> None:
        """Write down that a host answers again."""
        keeper = self.carrier.keeper
        keeper.state.remember(keeper.crawl, WALL, name, None)

    def stop(self, name: str, host: HostAnswers, has_tried_browser: bool, leads_to_login: bool) -> None:
        """Ask a host no more in this run; let its URLs wait, and take back what came from the wall."""
        led_to, run, keys = host.led_to(), list(host.watch.run), host.watch.keys
        of_wall = [one for one in host.of_wall() if one not in led_to]
        failed = [*host.before_run(), *host.decided]
        first = min(one.number for one in (*of_wall, *failed, *host.held))
        for one in of_wall:
            self._take_back(one)
            self.carrier.frontier.wait_again(one.entry)
        for one in led_to:
            self._take_back(one)
            self.carrier.frontier.forget(one.entry)
        for one in failed:
            self.carrier.keeper.withdraw(one.capture)
            self.progress.counts["errors"] -= one.kept.exchange.status >= 400
            self.carrier.frontier.wait_again(one.entry)
        refused = [*of_wall, *failed, *host.held]
        self.wait_again(host)
        for one in refused:
            self.carrier.frontier.note_failure(one.entry, _answer_line(one))
        self._remember(name, wall_row(run, keys, first, has_tried_browser, leads_to_login))

    def wait_again(self, host: HostAnswers) -> None:
        """Let the URLs whose answers are held back wait again; the run begins anew."""
        for one in host.held:
            self.carrier.frontier.put_back(one.entry)
        host.held = []
        host.watch.run.clear()

    def _remember(self, name: str, row: JSON) -> None:
        keeper = self.carrier.keeper
        keeper.state.remember(keeper.crawl, WALL, name, row)
        because = wall_sentence(row, self.progress.counts["pages"])
        self.visits.health[name].stop(because)
        details = {name: value for name, value in row.items() if name not in ("url", "keys")}
        self.carrier.apply([Note(because, event="wall", details=details)], row["url"], None)
        self.progress.unsaved += 1

    def _take_back(self, answered: AnsweredUrl) -> None:
        """Take back what was taken for a page; its capture stays as evidence."""
        self.carrier.keeper.withdraw(answered.capture)
        self.progress.count_content(answered.kept, -1)


def _answer_line(answered: AnsweredUrl) -> str:
    """Return status and reason of an answer, and where it leads."""
    exchange, target = answered.kept.exchange, answered.target
    return f"{exchange.status} {exchange.reason}".strip() + (f", to {target}" if target else "")
