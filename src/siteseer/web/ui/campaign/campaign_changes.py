"""Shows how a campaign's pages and objects changed from one crawl to the next: counted by site, and named."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from siteseer.model import JSON
from siteseer.web.service import campaign_results as offline
from siteseer.web.ui.campaign.pager import AT_ONCE, Pager
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import bar, empty, errors_shown, in_thread, out_link, panel, short, table, tag

MOST_ROUNDS = 100
PILLS = {"new": "pill strong", "gone": "pill bad"}


class Changes:
    """New, gone and changed pages and objects."""

    def __init__(self, folder: Path, rounds: list[JSON]) -> None:
        self.folder, self.rounds = folder, rounds
        with panel(texts.CHANGES):
            if not rounds:
                tag("p", texts.NO_CHANGES, "soft")
                return
            table(texts.ROUND_HEADS, map(_round, rounds[:MOST_ROUNDS]), numeric=range(2, 10))
            with bar():
                self.change = ui.select(texts.CHANGE_KINDS, value="", label=texts.CHANGE)
                self.change.props("outlined dense options-dense").style("min-width: 150px")
                self.words = ui.input(texts.CHANGE_WORDS).props("outlined dense clearable debounce=350 type=search")
                self.words.classes("grow")
                self.count = tag("span", "", "soft", role="status")
            self.box = ui.element("div").classes("rows changes")
            self.turning = Pager(self.draw)
            for field in (self.change, self.words):
                field.on_value_change(errors_shown(self.turning.again))

    async def draw(self) -> None:
        """Show the changes that are asked for."""
        if not self.rounds:
            return
        wanted = offline.Changes(self.change.value or "", "", (self.words.value or "").strip()[:200])
        count, found = await in_thread(offline.changes, self.folder, wanted, AT_ONCE, self.turning.first)
        self.count.text = texts.FOUND.format(count=count)
        self.box.clear()
        with self.box:
            for one in found:
                _line(one)
            if not found:
                empty(texts.NO_CHANGE_FOUND)
        self.turning.show(count, len(found))


def _round(one: JSON) -> tuple[object, ...]:
    pages, objects = one["pages"], one["objects"]
    return (
        short(one["site"], 80), str(one["started"]).replace("T", " ")[:16],
        *(int(pages.get(name, 0)) for name in ("new", "gone", "changed", "same", "not asked")),
        *(int(objects.get(name, 0)) for name in ("new", "gone", "edited")),
    )  # fmt: skip


def _line(one: JSON) -> None:
    change = str(one.get("change") or "")
    with ui.element("div").classes("line"):
        tag("span", f"{change} {one.get('kind') or ''}", PILLS.get(change, "pill"))
        with ui.element("div").classes("grow"):
            out_link(short(one.get("title") or one.get("url"), 200), one.get("url"), "wrap")
            if one.get("title"):
                tag("div", short(one.get("url"), 300), "soft small wrap")
            if one.get("because"):
                tag("div", short(one["because"], 300), "small wrap")
