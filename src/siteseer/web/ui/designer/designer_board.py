"""The designer's main view: the page in its frame, the next step beside it, the text of the wrapper below.

The frame tells by number what was clicked; what that means depends on the step.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nicegui import events, ui

from siteseer.errors import SiteseerError
from siteseer.web.designer.dry_run import DryRun
from siteseer.web.designer.workbench import Workbench
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.designer.ask_name import ask_action, ask_name
from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import bar, errors_shown, show_error, tag

LISTEN = """
window.addEventListener('message', event => {
  const frame = document.querySelector('iframe.live');
  if (!frame || event.source !== frame.contentWindow || event.data?.siteseer !== 'designer') return;
  const {what, node, edition} = event.data;
  if (what !== 'hover') emitEvent('designer', {what, node, edition});
});
"""
"""Hears the frame of the page, and nobody else."""
PAUSE_SECONDS = 0.6
"""Somebody who types is let alone for so long."""


class Board:
    """One designer in one window."""

    def __init__(self, app_context: AppContext, url: str, steps: Mapping[str, Step]) -> None:
        self._shown_steps = steps
        self.app_context, self.bench = app_context, Workbench(app_context.browsers)
        self.dry_run: DryRun | None = None
        self.lock = asyncio.Lock()
        self.shown = 0
        self.saved = ""
        ui.add_body_html(f"<script>{LISTEN}</script>")
        ui.on("designer", errors_shown(self.hear))
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

        return errors_shown(handler)

    async def _do(self, work: Callable[..., Awaitable[None]], *given: Any) -> None:
        async with self.lock:
            with self.root:  # what was pressed may be gone when it is done
                self._busy(True)
                try:
                    await work(*given)
                except SiteseerError as error:
                    show_error(str(error))
                finally:
                    self.draw()
                    self._busy(False)

    def _busy(self, is_busy: bool) -> None:
        self.busy.set_visibility(is_busy)
        self.undo.set_enabled(not is_busy and self.bench.can_undo())
        self.again.set_enabled(not is_busy and self.bench.view is not None)

    async def open(self) -> None:
        """Open the page whose address stands in the field."""
        self.end_dry_run()
        self.hint.text = texts.OPENING
        await self.bench.open(self.url.value or "")

    async def hear(self, event: events.GenericEventArguments) -> None:
        """Handle a click in the frame."""
        told_of = event.args if isinstance(event.args, dict) else {}
        node = told_of.get("node")
        if told_of.get("edition") != self.shown or not isinstance(node, int):
            return
        if told_of.get("what") == "ready":
            self.highlight()
        elif told_of.get("what") == "click" and self.dry_run is None:
            await self._do(self._clicked, node, self.bench.state.step)  # after what is being done now

    async def _clicked(self, node: int, step: str) -> None:
        state = self.bench.state
        if state.step != step or node not in self.bench.snapshot.elements:
            return
        if state.acts:
            deed = await ask_action(self.bench.snapshot, node)
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
        self.end_dry_run()
        self.bench.go_to(step)
        self.draw()

    # ── showing things ────────────────────────────────────────────────────────────────────────────────────────────

    def draw(self) -> None:
        """Show the state as it is now."""
        self._steps()
        self.panel.clear()
        with self.panel:
            self._shown_steps[self.bench.state.step](self)
        self.script.draw()
        self.results.set_visibility(self.bench.state.step in ("replay", "save"))
        self.root.classes(**{"add" if self.dry_run else "remove": "replaying"})
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
        """Show the page of the dry run, or that of the live browser; the frame changes only with the page."""
        view = self.dry_run.shown.view if self.dry_run else self.bench.view
        if view is None:
            return
        if view.edition != self.shown:
            self.app_context.browsers.keep(view)
            self.shown = view.edition
            self.stage.clear()
            with self.stage:
                frame = tag(
                    "iframe", src=self.app_context.live_address(view), sandbox="allow-scripts", title=texts.FRAME
                )
                frame.classes("live").props["referrerpolicy"] = "no-referrer"
                if view.snapshot.truncated:
                    tag("p", texts.TRUNCATED, "note small")
        else:
            self.highlight()

    def proposed_mark(self) -> int:
        """Return the link that is proposed at this moment, 0 where none is."""
        state = self.bench.state
        if state.step != "next" or state.draft.following is not None or self.dry_run is not None:
            return 0
        return self.bench.proposed_next() or 0

    def highlight(self, reach: int = 0) -> None:
        """Show in the frame what is found."""
        groups = self._extracted() if self.dry_run else self.bench.groups()
        marked = self.proposed_mark()
        if marked:
            groups = [*groups, {"as": "next", "nodes": [marked]}]
            reach = marked
        message = json.dumps({"siteseer": "show", "groups": groups, "reach": reach})
        self.client.run_javascript(f"document.querySelector('iframe.live')?.contentWindow.postMessage({message}, '*')")

    def _extracted(self) -> list[dict[str, Any]]:
        found = self.dry_run.shown.hits if self.dry_run else {}
        names = list(found)
        return [{"as": "record" if name == names[0] else "attribute", "nodes": list(found[name])} for name in names]

    # ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────

    def end_dry_run(self) -> None:
        """Stop a dry run and go back to the live page."""
        if self.dry_run is not None:
            ending, self.dry_run = self.dry_run, None
            asyncio.get_running_loop().run_in_executor(None, ending.close)

    def close(self) -> None:
        """End the browsers of this window."""
        loop = asyncio.get_running_loop()
        self.end_dry_run()
        loop.run_in_executor(None, self.bench.close)


class Script:
    """The editor and what is said about its text."""

    def __init__(self, board: Board) -> None:
        self.board, self._typed = board, 0
        with ui.element("div").classes("bar apart"):
            tag("h2", texts.TEXT)
            self.count = tag("span", "", "soft small", role="status")
        tag("p", texts.TEXT_SAID, "soft small")
        self.editor = ui.codemirror("", language="XQuery", line_wrapping=True, on_change=errors_shown(self._changed))
        self.editor.classes("editor text").props["aria-label"] = texts.TEXT
        self.error = tag("pre", "", "wrong", role="alert")
        with bar("tight") as self.by_hand:
            tag("span", texts.BY_HAND, "soft small")
            ui.button(texts.FORGET_TEXT, on_click=board.does(board.bench.forget_text)).props("flat dense")

    def draw(self) -> None:
        """Show the text and what it finds."""
        bench = self.board.bench
        if self.editor.value != bench.state.text:
            self.editor.value = bench.state.text
        self._tell()

    def _tell(self) -> None:
        bench = self.board.bench
        self.error.text = bench.found.error
        self.error.set_visibility(bool(bench.found.error))
        self.by_hand.set_visibility(bench.state.by_hand is not None)
        if bench.found.hits is not None:
            self.count.text = texts.FOUND_HERE.format(count=len(bench.found.records))
        else:
            self.count.text = texts.NOT_HERE if bench.state.by_hand and not bench.found.error else ""

    async def _changed(self) -> None:
        """Take what was typed, once the person pauses."""
        bench = self.board.bench
        if self.editor.value == bench.state.text:
            return
        self._typed += 1
        typed = self._typed
        await asyncio.sleep(PAUSE_SECONDS)
        if typed != self._typed or self.editor.value == bench.state.text:
            return
        await bench.write(self.editor.value)
        self._tell()
        if bench.view is not None:
            self.board.highlight()


Step = Callable[[Board], None]
"""Draws the panel of one step of the design."""
