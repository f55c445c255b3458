"""Saves a design: as a job with a name, run now or on a schedule; or as knowledge that crawls use."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlsplit

from nicegui import ui

from siteseer.errors import UsageError
from siteseer.schedule.due_times import Schedule, read
from siteseer.web.designer.save_knowledge import save_knowledge
from siteseer.web.ui.designer.designer_board import Board
from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import bar, in_thread, own_link, show_message, tag
from siteseer.wrapper.jobs.job import make_job


class Timing:
    """Fields that ask when something is run."""

    def __init__(self) -> None:
        with bar():
            self.when = ui.select(texts.WHENS, value="never", label=texts.WHEN).props("outlined dense options-dense")
            self.at = ui.input(texts.AT, value="06:00").props("outlined dense").style("width:130px")
            self.day = ui.select(texts.DAYS, value="mon", label=texts.DAY).props("outlined dense options-dense")
            self.hours = ui.number(texts.HOURS, value=6, min=1, max=8760, format="%d").props("outlined dense")
        self.when.on_value_change(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.at.set_visibility(self.when.value in ("day", "week"))
        self.day.set_visibility(self.when.value == "week")
        self.hours.set_visibility(self.when.value == "hours")

    def schedule(self) -> Schedule | None:
        """Return what was chosen."""
        if self.when.value == "hours":
            if not self.hours.value:
                raise UsageError(texts.BAD_HOURS)
            return read(every=f"{int(self.hours.value)}h")
        if self.when.value == "never":
            return None
        return read(at=[self.at.value or ""], days=[self.day.value] if self.when.value == "week" else [])


def save_step(board: Board) -> None:
    """Ask for a name and when it is run."""
    board.hint.text = texts.HINT_SAVED if board.saved else texts.HINT_SAVE
    if board.saved:
        own_link(texts.TO_JOB, f"/jobs/{quote(board.saved, safe='')}")
    name = ui.input(texts.JOB_NAME, value=proposed(board.bench.state.draft.url)).props("outlined dense")
    name.classes("full-width")
    timing = Timing()
    with bar():
        delay = ui.number(texts.DELAY, value=1, min=0, max=3600).props("outlined dense").style("width:170px")
        now = ui.checkbox(texts.RUN_NOW, value=True)

    async def save() -> None:
        if not (name.value or "").strip():
            raise UsageError(texts.NEEDS_NAME)
        pause = float(delay.value if delay.value is not None else 1)
        await in_thread(submit, board, name.value.strip(), timing.schedule(), bool(now.value), pause)
        board.saved = name.value.strip()
        show_message(texts.SAVED.format(name=board.saved))

    ui.button(texts.SAVE, icon="save", on_click=board.does(save)).props("unelevated")
    with ui.expansion(texts.AS_KNOWLEDGE).classes("full-width"):
        tag("p", texts.KNOWLEDGE_SAID, "soft small")
        entry = ui.input(texts.KNOWLEDGE_NAME, value=proposed(board.bench.state.draft.url).lower())
        entry.props("outlined dense").classes("full-width")

        async def teach() -> None:
            path = await in_thread(save_knowledge, board.bench, (entry.value or "").strip())
            show_message(texts.KNOWLEDGE_SAVED.format(path=path))

        ui.button(texts.AS_KNOWLEDGE, icon="school", on_click=board.does(teach)).props("outline dense")


def submit(board: Board, name: str, schedule: Schedule | None, run_now: bool, delay: float) -> Any:
    """Make a job of the wrapper, and let it be run."""
    job = make_job(name, board.bench.state.text, schedule=schedule, delay=delay)
    made = board.app_context.jobs.jobs.submit(job, run_now)
    board.app_context.jobs.start()
    return made


def proposed(url: str) -> str:
    """Return a name for what is taken from a page.

    >>> proposed("http://www.shop.example.org:80/search?q=1")
    'shop.example.org-search'
    """
    parts = urlsplit(url)
    path = re.sub(r"[^A-Za-z0-9]+", "-", parts.path).strip("-")[:40].strip("-")
    host = (parts.hostname or "page").removeprefix("www.")
    return f"{host}-{path}" if path else host
