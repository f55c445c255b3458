"""Shows the progress of a campaign: figures, the curve of relevant pages, its sites and workers."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from urllib.parse import quote

from nicegui import ui

from siteseer.campaigns import overview
from siteseer.campaigns.ledger_schema import SiteRow
from siteseer.model import JSON
from siteseer.web.service.library import BETWEEN
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.campaign.pager import AT_ONCE, Pager
from siteseer.web.ui.curves import curves
from siteseer.web.ui.page_frame import address
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import empty, errors_shown, in_thread, number, own_link, panel, short, table, tag
from siteseer.workers.registry import WorkerRow

CURVE_SECONDS = 4.0
"""The curve is read from the databases of all sites: not more often than this."""


class Progress:
    """The dashboard of a campaign."""

    def __init__(self, app_context: AppContext, name: str) -> None:
        self.app_context, self.name = app_context, name
        self.folder = app_context.campaigns.folder(name)
        self.drawn, self.last = 0.0, -1
        self.figures = {}
        with ui.element("div").classes("tiles"):
            for key, said in texts.FIGURES.items():
                with ui.element("div").classes("tile"):
                    self.figures[key] = tag("div", "0", "number")
                    tag("div", said, "name")
        with panel(texts.CURVE):
            self.chart = ui.echart(curves({name: []}, texts.RELEVANT_PAGES)).classes("chart")
        with panel(texts.SITES):
            self.words = ui.input(texts.SITE_WORDS).props("outlined dense clearable debounce=350 type=search")
            self.sites = ui.element("div").classes("scroll")
            self.turning = Pager(self.draw_tables)
            self.words.on_value_change(errors_shown(self.turning.again))
        with panel(texts.WORKERS):
            self.workers = ui.element("div").classes("scroll")

    async def show(self, now: JSON) -> None:
        """Show the figures, and the rest where something was asked for since."""
        for key, element in self.figures.items():
            element.text = number(int(now[key]))
        if now["requests"] == self.last and now["phase"] not in ("running", "learning"):
            return
        await self.draw_tables()
        if now["requests"] != self.last and time.monotonic() - self.drawn > CURVE_SECONDS:
            self.last = now["requests"]
            points = await in_thread(overview.curve, self.folder)
            self.chart.options.update(curves({self.name: points}, texts.RELEVANT_PAGES))
            self.chart.update()
            self.drawn = time.monotonic()

    async def draw_tables(self) -> None:
        """Show the sites and the workers."""
        words = self.words.value or ""
        found = await in_thread(overview.sites, self.folder, AT_ONCE, self.turning.first, words)
        self.turning.show(await in_thread(overview.count_sites, self.folder, words), len(found))
        self.sites.clear()
        with self.sites:
            if found:
                self._site_table(found)
            else:
                empty(texts.NO_SITES)
        workers = await in_thread(overview.workers, self.folder)
        self.workers.clear()
        with self.workers:
            if workers:
                table(texts.WORKER_HEADS, map(_worker, workers), numeric=(5, 6, 7))
            else:
                tag("p", texts.NO_WORKERS, "soft")

    def _site_table(self, found: list[SiteRow]) -> None:
        with ui.element("table").classes("plain campaign-sites"):
            with ui.element("thead"), ui.element("tr"):
                for place, head in enumerate(texts.SITE_HEADS):
                    tag("th", head, "number" if 1 <= place <= 4 else "")
            with ui.element("tbody"):
                for one in found:
                    self._site(one)

    def _site(self, one: SiteRow) -> None:
        folder = overview.site_folder(self.folder, one.host)
        with ui.element("tr"):
            with ui.element("td"):
                if one.requests:
                    name = BETWEEN.join(folder.relative_to(self.app_context.library.root).parts)
                    own_link(short(one.host, 80), address("result", name), "wrap")
                else:
                    tag("span", short(one.host, 80), "wrap")
            tag("td", f"{one.promise:.2f}", "number")
            for count in (one.requests, one.pages, one.relevant):
                tag("td", f"{count:,}", "number")
            with ui.element("td"):
                tag("span", one.status, "pill strong" if one.status == "running" else "pill")
            tag("td", short(one.reason, 200), "soft small wrap wide")


def _worker(one: WorkerRow) -> tuple[object, ...]:
    return (
        short(one.name, 60), short(one.host, 60), short(one.site, 120), _moment(one.since), _moment(one.seen),
        one.slices, one.pages, one.requests,
    )  # fmt: skip


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S") if seconds else "–"


def campaign_address(name: str) -> str:
    """Return the address of a campaign's view.

    >>> campaign_address("kelp & tea")
    '/campaigns/kelp%20%26%20tea'
    """
    return f"/campaigns/{quote(name, safe='')}"
