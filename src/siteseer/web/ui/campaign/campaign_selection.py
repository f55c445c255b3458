"""Shows the selection for the final archive: a threshold, what it accepts, the WACZ, and the proposal to mark."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from nicegui import ui

from siteseer.campaigns.selection.proposal import THRESHOLD
from siteseer.campaigns.selection.threshold_counts import ThresholdCounts
from siteseer.errors import NotFoundError
from siteseer.model import JSON
from siteseer.web.service import campaign_results as offline
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.campaign.proposal_list import Proposal
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import Handler, bar, empty, errors_shown, in_thread, own_link, panel, size, tag


class Selection:
    """The selection of a campaign; with `site`, the pages of that site are listed first."""

    def __init__(self, app_context: AppContext, name: str, site: str, started: Handler) -> None:
        self.app_context, self.name, self.site, self.started = app_context, name, site, started
        self.folder = app_context.campaigns.folder(name)
        self.tally: ThresholdCounts | None = None
        self.counted = 0
        self.seen: set[str | None] = set()
        """When the proposal was written that is shown; marks that are made here write it too."""
        self.packed: str | None = None
        self.make: Any = None
        self.is_allowed = True
        self.proposal: Proposal | None = None
        tag("p", texts.SELECTION_SAID, "soft")
        self.box = ui.element("div").classes("list")

    def allow(self, is_allowed: bool) -> None:
        """Enable or disable the button that makes the WACZ."""
        self.is_allowed = is_allowed
        if self.make is not None:
            self.make.set_enabled(is_allowed)

    async def show(self, now: JSON) -> None:
        """Show what was made anew elsewhere."""
        if self.proposal is not None and self.proposal.marking:
            return
        if now["proposal"] not in self.seen:
            self.seen, self.packed = {now["proposal"]}, now["selection"]
            await self.draw()
        elif now["selection"] != self.packed:
            self.packed = now["selection"]
            await self.draw_made()

    async def draw(self) -> None:
        """Show the proposal as it is now; what the person has typed stays."""
        try:
            await in_thread(offline.proposal_file, self.folder)
        except NotFoundError:
            self.box.clear()
            self.make = self.proposal = None
            with self.box:
                empty(texts.NO_PROPOSAL)
            return
        if self.proposal is None:
            self.box.clear()
            with self.box:
                self._archive()
                self.proposal = Proposal(self.app_context, self.name, self.site, self._marked)
        await self.proposal.draw()
        await self.count()

    async def count(self) -> None:
        """Count what the marks let in; of two counts the later one is shown."""
        self.counted = number = self.counted + 1
        found = await in_thread(offline.tally, self.folder)
        if number == self.counted:
            self.tally = found
            self._show()
            await self.draw_made()

    async def _marked(self) -> None:
        self.seen.add((await in_thread(offline.stamps, self.folder))["proposal"])
        await self.count()

    async def draw_made(self) -> None:
        """Show the WACZ that was made last."""
        try:
            found = await in_thread(offline.selection, self.folder)
        except NotFoundError:
            return
        if self.make is None:
            return
        self.made.clear()
        with self.made:
            where = f"/api/campaigns/{quote(self.name, safe='')}/selection/file"
            own_link(texts.DOWNLOAD.format(name=self.name, size=size(found["bytes"])), where, "download")
            when = str(found["made"]).replace("T", " ")[:16]
            tag("span", texts.MADE.format(when=when, said=found["description"]), "soft small")
            if not found["is_current"]:
                tag("span", texts.NOT_CURRENT, "pill second")

    def _archive(self) -> None:
        with panel(texts.ENTERS):
            with bar():
                self.threshold = ui.number(
                    texts.THRESHOLD, value=THRESHOLD, min=0, max=1, step=0.05, placeholder=texts.THRESHOLD_HINT
                )
                self.threshold.props("outlined dense clearable").classes("threshold")
                self.threshold.on_value_change(self._show)
                self.make = ui.button(texts.MAKE, icon="archive", on_click=errors_shown(self._make)).props("unelevated")
                self.make.set_enabled(self.is_allowed)
            self.figures = tag("p", texts.COUNTING, "figures", role="status")
            self.marks = tag("p", "", "soft small")
            self.made = bar()

    def _asked(self) -> float | None:
        value = self.threshold.value
        return None if value is None else min(1.0, max(0.0, float(value)))

    def _show(self) -> None:
        """Show what the threshold takes."""
        if self.tally is None:
            return
        now: JSON = self.tally.at(self._asked())
        self.figures.text = texts.TALLY.format(size=size(now["bytes"]), **now)
        self.marks.text = texts.TALLY_MARKS.format(**now)

    async def _make(self) -> None:
        await in_thread(self.app_context.campaigns.select, self.name, self._asked())
        await self.started()
