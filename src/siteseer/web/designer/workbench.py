"""Keeps the states of a design: every click leads to a new state, and every state can be undone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from siteseer.errors import SiteseerError, UsageError
from siteseer.web.designer.browsers import Browsers
from siteseer.web.designer.live_browser import LiveBrowser, View
from siteseer.wrapper.designer.element_locator import clicked_element, element_name, expression_for
from siteseer.wrapper.designer.mark_records import (
    WHOLE_PAGE,
    AttributeExample,
    Choice,
    attribute_choices,
    leads_away,
    next_choices,
    record_choices,
)
from siteseer.wrapper.designer.page_snapshot import Snapshot
from siteseer.wrapper.designer.propose_records import proposed_next, proposed_parts, proposed_records
from siteseer.wrapper.designer.wrapper_draft import AttributeDraft, Draft, RecordedAction
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.result_schema import result_schema
from siteseer.wrapper.oxpath.output.records import Record

MOST_UNDO = 100
STEPS = ("page", "records", "attributes", "next", "replay", "save")
Hits = dict[str, tuple[int, ...]]
EMPTY = Draft("")


class Workbench:
    """One design in one live browser."""

    def __init__(self, browsers: Browsers) -> None:
        self.browsers = browsers
        self.live: LiveBrowser | None = None
        self.view: View | None = None
        self.state = State()
        self.found = Found()
        self._past: list[State] = []

    @property
    def snapshot(self) -> Snapshot:
        """The page that is shown."""
        if self.view is None:
            raise UsageError("no page is open; enter its address first")
        return self.view.snapshot

    # ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def open(self, url: str) -> None:
        """Open the page at which the wrapper begins."""
        if not url.strip():
            raise UsageError("enter the address of a page first")
        live = await self._browser()
        self._show(await live.ask(live.open, url))
        self._past.clear()
        self.state = State(Draft(self.snapshot.url), "records")
        await self.refresh()

    async def look_again(self) -> None:
        """Show the page as it is now."""
        live = await self._browser()
        self._show(await live.ask(live.look_again))
        await self.refresh()

    async def act(self, number: int, deed: str, value: str) -> None:
        """Do something in the page, and record it; marks made before are of another page, and go."""
        target = clicked_element(self.snapshot, number)
        xpath, said, before = (
            expression_for(self.snapshot, target),
            element_name(self.snapshot, target),
            self.snapshot.url,
        )
        live = await self._browser()
        self._show(await live.ask(live.act, target, deed, value))
        done = RecordedAction(xpath, deed, value, said, stays=self.snapshot.url == before)
        self._go(State(Draft(self.state.draft.url, (*self.state.draft.deeds, done)), "records", acts=True))
        await self.refresh()

    async def _browser(self) -> LiveBrowser:
        if self.live is None or not self.live.is_open:
            self.live = self.browsers.live()
            if self.state.draft.url:
                self._show(await self.live.ask(self.live.open, self.state.draft.url, self.state.draft.deeds))
        self.browsers.used(self.live)
        return self.live

    def _show(self, view: View) -> None:
        self.view = self.browsers.keep(view)

    # ── marks ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def mark_record(self, number: int) -> None:
        """Take a click for an example of a record; from the second on all records are looked for."""
        clicks = (*(one for one in self.state.clicks if one != number), number)
        if len(clicks) < 2:
            self._go(replace(self.state, clicks=clicks, choices=(), draft=replace(self.state.draft, record=None)))
        else:
            self._take_choices(await asyncio.to_thread(record_choices, self.snapshot, clicks), clicks)
        await self.refresh()

    async def find_records(self) -> None:
        """Look for the records without examples, and for what is in them."""
        choices = await asyncio.to_thread(proposed_records, self.snapshot)
        parts = await asyncio.to_thread(proposed_parts, self.snapshot, choices[0])
        draft = replace(self.state.draft, record=choices[0], parts=parts)
        self._go(replace(self.state, clicks=(), choices=choices, draft=draft))
        await self.refresh()

    async def choose_record(self, at: int) -> None:
        """Take another of the generalisations."""
        self._go(replace(self.state, draft=self._with_record(self.state.choices[at])))
        await self.refresh()

    async def one_thing(self) -> None:
        """Take the whole page for the record."""
        whole = Choice(WHOLE_PAGE, (self.snapshot.numbers[self.snapshot.root],))
        self._go(replace(self.state, choices=(whole,), step="attributes", draft=self._with_record(whole)))
        await self.refresh()

    def _take_choices(self, choices: tuple[Choice, ...], clicks: tuple[int, ...]) -> None:
        self._go(replace(self.state, clicks=clicks, choices=choices, draft=self._with_record(choices[0])))

    def _with_record(self, record: Choice) -> Draft:
        """Return the draft with other records; attributes that are not in them go."""
        draft = replace(self.state.draft, record=record, parts=())
        for part in self.state.draft.parts:
            try:
                draft = self._with_examples(draft, part.name, part.examples)
            except SiteseerError:
                continue
        return draft

    async def mark_attribute(self, number: int, name: str, take: str) -> None:
        """Take a click for an example of an attribute, new or known."""
        known = next((one.examples for one in self.state.draft.parts if one.name == name), ())
        examples = (*(one for one in known if one.number != number), AttributeExample(number, take))
        draft = await asyncio.to_thread(self._with_examples, self.state.draft, name, examples)
        self._go(replace(self.state, draft=draft))
        await self.refresh()

    def _with_examples(self, draft: Draft, name: str, examples: tuple[AttributeExample, ...]) -> Draft:
        if draft.record is None:
            raise UsageError("mark the records first")
        marked = {one.name: one.examples for one in draft.parts} | {name: examples}
        found = attribute_choices(self.snapshot, draft.record, dict(marked))
        return draft.with_part(AttributeDraft(name, examples, found[name]))

    async def change_part(self, part: AttributeDraft) -> None:
        """Take another expression for an attribute, or say whether records must have it."""
        self._go(replace(self.state, draft=self.state.draft.with_part(part)))
        await self.refresh()

    async def drop_part(self, name: str) -> None:
        """Leave out an attribute."""
        self._go(replace(self.state, draft=self.state.draft.without_part(name)))
        await self.refresh()

    def proposed_next(self) -> int | None:
        """Return the link that seems to lead to the next page."""
        return proposed_next(self.snapshot)

    async def mark_next(self, number: int) -> None:
        """Take a link for the one to the next page."""
        choices = await asyncio.to_thread(next_choices, self.snapshot, clicked_element(self.snapshot, number))
        self._go(replace(self.state, draft=self._with_next(choices[0])))
        await self.refresh()

    async def choose_next(self, choice: Choice | None) -> None:
        """Take another expression for the next link, or none."""
        self._go(replace(self.state, draft=self._with_next(choice)))
        await self.refresh()

    def _with_next(self, choice: Choice | None) -> Draft:
        stays = choice is not None and not leads_away(self.snapshot, choice.hits)
        return replace(self.state.draft, following=choice, turns_in_place=stays)

    # ── going on and back ─────────────────────────────────────────────────────────────────────────────────────────

    async def write(self, text: str) -> None:
        """Take the text as a person wrote it; clicks no longer change it."""
        if text != self.state.text:
            self.state = replace(self.state, by_hand=text)
            await self.refresh()

    async def forget_text(self) -> None:
        """Go back to the text that the clicks make."""
        self._go(replace(self.state, by_hand=None))
        await self.refresh()

    def go_to(self, step: str) -> None:
        """Go to another step."""
        self.state = replace(self.state, step=step, acts=False)

    def use_page(self, acts: bool) -> None:
        """Set whether clicks act on the page or mark something in it."""
        self.state = replace(self.state, acts=acts)

    def can_undo(self) -> bool:
        """Say whether there is something to undo."""
        return bool(self._past)

    async def undo(self) -> None:
        """Take back the last thing; what was done in the page is undone by beginning again without it."""
        if not self._past:
            return
        now, self.state = self.state, self._past.pop()
        if now.draft.deeds != self.state.draft.deeds:
            live = await self._browser()
            self._show(await live.ask(live.open, self.state.draft.url, self.state.draft.deeds))
        await self.refresh()

    def _go(self, state: State) -> None:
        self._past = [*self._past[-MOST_UNDO:], self.state]
        self.state = state

    async def refresh(self) -> None:
        """Look at what the wrapper finds on the page now."""
        if self.state.draft.record is None and self.state.by_hand is None:
            self.found = Found()
            return
        live = await self._browser()
        try:
            seen = await live.ask(live.seen, self.state.text)
        except SiteseerError as error:
            self.found = Found(error=str(error))
            return
        self.found = Found(*seen) if seen is not None else Found()

    def groups(self) -> list[dict[str, Any]]:
        """Return what is to be highlighted, records first."""
        hits = self.found.hits or {}
        top = result_schema(parse(self.state.text)).below if hits else {}
        whole = self.snapshot.numbers[self.snapshot.root]
        groups: list[dict[str, Any]] = []
        groups += [{"as": "record", "nodes": [one for one in hits.get(name, ()) if one != whole]} for name in top]
        groups += [{"as": "attribute", "nodes": list(found)} for name, found in hits.items() if name not in top]
        if self.state.draft.following is not None and self.state.step in ("next", "replay", "save"):
            groups.append({"as": "next", "nodes": list(self.state.draft.following.hits)})
        if self.state.step == "records" and not hits:
            groups.append({"as": "mark", "nodes": list(self.state.clicks)})
        return groups

    def close(self) -> None:
        """End the browser."""
        if self.live is not None:
            self.live.close()


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a design."""

    draft: Draft = EMPTY
    step: str = "page"
    clicks: tuple[int, ...] = ()
    choices: tuple[Choice, ...] = ()
    acts: bool = False
    """Whether a click uses the page instead of marking something in it."""
    by_hand: str | None = None
    """The text of the wrapper, once a person has changed it."""

    @property
    def text(self) -> str:
        """The text of the wrapper."""
        return self.by_hand if self.by_hand is not None else str(self.draft) if self.draft.url else ""


@dataclass(frozen=True, slots=True)
class Found:
    """The results of the wrapper on the current page."""

    records: tuple[Record, ...] = ()
    hits: Hits | None = None
    error: str = ""
