"""The designer's board: the page in its frame, what to do next beside it, the text of the wrapper below.

The frame tells by number what was clicked; what that means depends on the step.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import events, ui

from siteseer.errors import SiteseerError
from siteseer.present.designer.rehearsal import Rehearsal
from siteseer.present.designer.workbench import Workbench
from siteseer.present.ui import texts_designer as texts
from siteseer.present.ui.designing import steps
from siteseer.present.ui.designing.ask import ask_deed, ask_name
from siteseer.present.ui.designing.script import Script
from siteseer.present.ui.desk import Desk
from siteseer.present.ui.pieces import complain, tag, told

LISTEN = """
window.addEventListener('message', event => {
  const frame = document.querySelector('iframe.live');
  if (!frame || event.source !== frame.contentWindow || event.data?.siteseer !== 'designer') return;
  const {what, node, edition} = event.data;
  if (what !== 'hover') emitEvent('designer', {what, node, edition});
});
"""
"""Hears the frame of the page, and nobody else."""


class Board:
    """One designer in one window."""

    def __init__(self, desk: Desk, url: str = "") -> None:
        self.desk, self.bench = desk, Workbench(desk.browsers)
        self.rehearsal: Rehearsal | None = None
        self.lock = asyncio.Lock()
        self.shown = 0
        self.saved = ""
        ui.add_body_html(f"<script>{LISTEN}</script>")
        ui.on("designer", told(self.hear))
        self.client = ui.context.client
        self.client.on_delete(self.close)
        self.root = ui.element("div").classes("designing")
        with self.root:
            with ui.element("section").classes("guide"):
                self.bar = ui.element("nav").classes("steps")
                self.bar.props["aria-label"] = texts.STEPS_LABEL
                self.hint = tag("p", "", "hint", role="status")
                self.busy = ui.linear_progress(show_value=False).props("indeterminate size=3px")
                self.panel = ui.element("div").classes("list")
            with ui.element("section").classes("stage"):
                self._stage(url)
            with ui.element("section").classes("script"):
                self.script = Script(self)
            self.results = ui.element("section").classes("results")
        self._busy(False)
        self.draw()

    def _stage(self, url: str) -> None:
        with ui.element("div").classes("of"):
            self.url = ui.input(texts.URL, value=url, placeholder=texts.URL_HINT).props("outlined dense type=url")
            self.url.classes("grow").on("keydown.enter", self.does(self.open))
            ui.button(texts.OPEN, on_click=self.does(self.open)).props("unelevated")
            self.undo = ui.button(icon="undo", on_click=self.does(self.bench.undo)).props("flat dense round")
            self.undo.props["aria-label"] = texts.UNDO
            self.again = ui.button(icon="refresh", on_click=self.does(self.bench.look_again)).props("flat dense round")
            self.again.props["aria-label"] = texts.LOOK_AGAIN
        self.stage = ui.element("div").classes("page-frame")
        with self.stage:
            tag("div", texts.SAID, "empty")

    # ── doing things ──────────────────────────────────────────────────────────────────────────────────────────────

    def does(self, work: Callable[..., Awaitable[None]], *given: Any) -> Callable[..., Awaitable[None]]:
        """Return a handler that does one thing at a time, tells what went wrong, and draws everything anew."""

        async def handler() -> None:
            if not self.lock.locked():
                await self._do(work, *given)

        return told(handler)

    async def _do(self, work: Callable[..., Awaitable[None]], *given: Any) -> None:
        async with self.lock:
            with self.root:  # what was pressed may be gone when it is done
                self._busy(True)
                try:
                    await work(*given)
                except SiteseerError as error:
                    complain(str(error))
                finally:
                    self.draw()
                    self._busy(False)

    def _busy(self, is_busy: bool) -> None:
        self.busy.set_visibility(is_busy)
        self.undo.set_enabled(not is_busy and self.bench.can_undo())
        self.again.set_enabled(not is_busy and self.bench.view is not None)

    async def open(self) -> None:
        """Open the page whose address stands in the field."""
        self.end_rehearsal()
        self.hint.text = texts.OPENING
        await self.bench.open(self.url.value or "")

    async def hear(self, event: events.GenericEventArguments) -> None:
        """Hear what was clicked in the frame."""
        told_of = event.args if isinstance(event.args, dict) else {}
        node = told_of.get("node")
        if told_of.get("edition") != self.shown or not isinstance(node, int):
            return
        if told_of.get("what") == "ready":
            self.highlight()
        elif told_of.get("what") == "click" and self.rehearsal is None:
            await self._do(self._clicked, node, self.bench.state.step)  # after what is being done now

    async def _clicked(self, node: int, step: str) -> None:
        state = self.bench.state
        if state.step != step or node not in self.bench.snapshot.elements:
            return
        if state.acts:
            deed = await ask_deed(self.bench.snapshot, node)
            if deed is not None:
                self.hint.text = texts.BUSY
                await self.bench.act(node, *deed)
        elif state.step == "records":
            await self.bench.mark_record(node)
        elif state.step == "attributes":
            answer = await ask_name(self.bench.snapshot, node, [part.name for part in state.draft.parts])
            if answer is not None:
                await self.bench.mark_attribute(*answer)
        elif state.step == "next":
            await self.bench.mark_next(node)

    def go_to(self, step: str) -> None:
        """Go to another step."""
        self.end_rehearsal()
        self.bench.go_to(step)
        self.draw()

    # ── showing things ────────────────────────────────────────────────────────────────────────────────────────────

    def draw(self) -> None:
        """Show the state as it is now."""
        self._steps()
        self.panel.clear()
        with self.panel:
            steps.STEPS[self.bench.state.step](self)
        self.script.draw()
        self.results.set_visibility(self.bench.state.step in ("replay", "save"))
        self.root.classes(**{"add" if self.rehearsal else "remove": "replaying"})
        self._frame()

    def _steps(self) -> None:
        self.bar.clear()
        reached = self.bench.view is not None
        with self.bar:
            for name, said in texts.STEPS.items():
                is_now = name == self.bench.state.step
                button = tag("button", said, "step now" if is_now else "step", type="button")
                if is_now:
                    button.props["aria-current"] = "step"
                if reached and (name in ("page", "records") or self.bench.state.text):
                    button.on("click", lambda step=name: self.go_to(step))
                else:
                    button.props["disabled"] = True

    def _frame(self) -> None:
        """Show the page of the rehearsal, or that of the live browser; the frame changes only with the page."""
        view = self.rehearsal.shown.view if self.rehearsal else self.bench.view
        if view is None:
            return
        if view.edition != self.shown:
            self.desk.browsers.keep(view)
            self.shown = view.edition
            self.stage.clear()
            with self.stage:
                frame = tag("iframe", src=self.desk.live_address(view), sandbox="allow-scripts", title=texts.FRAME)
                frame.classes("live").props["referrerpolicy"] = "no-referrer"
                if view.snapshot.truncated:
                    tag("p", texts.TRUNCATED, "note small")
        else:
            self.highlight()

    def highlight(self, reach: int = 0) -> None:
        """Show in the frame what is found."""
        groups = self._rehearsed() if self.rehearsal else self.bench.groups()
        marked = steps.also_marked(self)
        if marked:
            groups = [*groups, {"as": "next", "nodes": [marked]}]
            reach = marked
        message = json.dumps({"siteseer": "show", "groups": groups, "reach": reach})
        self.client.run_javascript(f"document.querySelector('iframe.live')?.contentWindow.postMessage({message}, '*')")

    def _rehearsed(self) -> list[dict[str, Any]]:
        found = self.rehearsal.shown.hits if self.rehearsal else {}
        names = list(found)
        return [{"as": "record" if name == names[0] else "attribute", "nodes": list(found[name])} for name in names]

    # ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────

    def end_rehearsal(self) -> None:
        """Stop a rehearsal and go back to the live page."""
        if self.rehearsal is not None:
            ending, self.rehearsal = self.rehearsal, None
            asyncio.get_running_loop().run_in_executor(None, ending.close)

    def close(self) -> None:
        """End the browsers of this window."""
        loop = asyncio.get_running_loop()
        self.end_rehearsal()
        loop.run_in_executor(None, self.bench.close)
