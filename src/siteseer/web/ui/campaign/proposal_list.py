"""Shows the proposal as a list of sites and pages, each with degree and reasons, marked by a click."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from nicegui import ui

from siteseer.campaigns.selection import proposal_marks
from siteseer.campaigns.selection.proposal_marks import ProposalFilter
from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.web.service import campaign_results as offline
from siteseer.web.service.library import BETWEEN
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.campaign.campaign_progress import campaign_address
from siteseer.web.ui.campaign.confirm import ask_confirmation
from siteseer.web.ui.campaign.pager import AT_ONCE, Pager
from siteseer.web.ui.object_cards import ArchivedPagePanel
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import (
    Handler,
    bar,
    empty,
    errors_shown,
    in_thread,
    own_link,
    short,
    show_error,
    show_message,
    tag,
    text_button,
)


class Proposal:
    """Sites and pages that may enter the archive."""

    def __init__(self, app_context: AppContext, name: str, site: str, marked: Handler) -> None:
        self.app_context, self.name, self.site, self.marked = app_context, name, site, marked
        self.folder = app_context.campaigns.folder(name)
        self.found = self.asked = 0
        self.marking = 0
        """Marks that are just being written."""
        self._head()
        with ui.element("div").classes("beside"):
            with ui.element("div").classes("list"):
                self.box = ui.element("div").classes("panel rows proposal")
                self.turning = Pager(self.draw)
            self.beside = ArchivedPagePanel(app_context, "", later=True)
        for field in (self.kind, self.words, self.having):
            field.on_value_change(errors_shown(self.turning.again))

    async def draw(self) -> None:
        """Show what is sought."""
        self.asked = number = self.asked + 1
        count, found = await in_thread(offline.proposal, self.folder, self._sought(), AT_ONCE, self.turning.first)
        if number != self.asked:
            return  # the person typed on meanwhile
        self.found = count
        self.count.text = texts.FOUND.format(count=count)
        self.box.clear()
        with self.box:
            for one in found:
                self._line(one)
            if not found:
                empty(texts.NOTHING_FOUND)
        self.turning.show(count, len(found))

    def _head(self) -> None:
        with bar():
            self.kind = ui.toggle(texts.KINDS, value="page" if self.site else "site")
            self.kind.props("dense unelevated no-caps")
            self.kind.props["aria-label"] = texts.KIND_ASKED
            if self.site:
                tag("h2", texts.PAGES_OF.format(site=short(self.site, 80)), "wrap")
                own_link(texts.ALL_SITES, selection_address(self.name))
                self.kind.set_visibility(False)
        with bar():
            self.words = ui.input(texts.PROPOSAL_WORDS).props("outlined dense clearable debounce=350 type=search")
            self.words.classes("grow")
            self.having = ui.select(texts.HAVINGS, value="", label=texts.HAVING).props("outlined dense options-dense")
            self.having.style("min-width: 120px")
            self.count = tag("span", "", "soft", role="status")
        with bar("tight"):
            for mark, said in texts.MARK_ALL.items():
                ui.button(said, on_click=errors_shown(self._marking_all(mark))).props("flat dense")
            own_link(texts.AS_FILE, f"/api/campaigns/{quote(self.name, safe='')}/proposal/file")

    def _sought(self) -> ProposalFilter:
        return ProposalFilter(
            self.kind.value, self.site, (self.words.value or "").strip()[:200], self.having.value or ""
        )

    def _line(self, one: JSON) -> None:
        said = short(one["title"] or one["address"], 120)
        with ui.element("div").classes("line") as line:
            tag("span", f"{one['degree']:.2f}", "figures degree")
            with ui.element("div").classes("grow"):
                if one["kind"] == "site":
                    own_link(said, selection_address(self.name, one["address"]), "wrap")
                else:
                    text_button(said, errors_shown(self._showing(one, line)), "plain-link wrap")
                    tag("div", short(one["address"], 300), "soft small wrap")
                tag("div", short(one["reasons"], 600), "small wrap")
            with ui.element("div").classes("word"):
                choice = ui.toggle(texts.MARKS, value=one["mark"]).props("dense unelevated no-caps")
                choice.props["aria-label"] = texts.WORD_ON.format(term=said)
                choice.on_value_change(errors_shown(self._marking(one["address"], choice)))
                if one["counts_as"] != one["mark"]:
                    mark = texts.MARKED_AS[one["counts_as"]]
                    tag("div", texts.OF_SITE.format(mark=mark), "soft small")

    def _showing(self, one: JSON, line: ui.element) -> Handler:
        async def show() -> None:
            place = self.folder.relative_to(self.app_context.library.root)
            self.beside.collection = BETWEEN.join((*place.parts, "sites", one["collection"]))
            self.beside.mark(line)
            self.beside.show(one["address"])

        return show

    def _marking(self, address: str, choice: ui.toggle) -> Handler:
        async def mark() -> None:
            await self._mark(lambda file: proposal_marks.mark_lines(file, {address: str(choice.value)}))

        return mark

    def _marking_all(self, mark: str) -> Handler:
        async def mark_all() -> None:
            said = texts.MARK_ALL_ASKED[mark].format(count=self.found, kind=texts.KINDS[self.kind.value].lower())
            if await ask_confirmation(said, texts.YES_ALL):
                sought = self._sought()
                count = await self._mark(lambda file: proposal_marks.mark_found(file, sought, mark))
                if count is not None:
                    show_message(texts.MARKED.format(count=count))
                    await self.turning.again()

        return mark_all

    async def _mark(self, write: Callable[[Path], int]) -> int | None:
        """Write marks; return how many were changed. Where that cannot be, say so and show those that stand."""
        self.marking += 1
        try:
            count = await in_thread(lambda: write(offline.proposal_file(self.folder)))
            await self.marked()
            return count
        except SiteseerError as error:
            show_error(str(error))  # before the line is gone to which this belongs
            await self.draw()
            return None
        finally:
            self.marking -= 1


def selection_address(name: str, site: str = "") -> str:
    """Return the address of a campaign's selection, or of the pages of one site in it.

    >>> selection_address("kelp", "e.org:80")
    '/campaigns/kelp?tab=selection&site=e.org%3A80'
    """
    return f"{campaign_address(name)}?tab=selection" + (f"&site={quote(site, safe='')}" if site else "")
