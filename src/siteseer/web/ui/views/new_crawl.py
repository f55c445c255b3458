"""The view New crawl: an address, a limit, intelligent or baseline or both, and what to keep, in plain words."""

from __future__ import annotations

import re
from typing import Any

from nicegui import ui

from siteseer.errors import UsageError
from siteseer.fetch.fetch_one import fetch_page
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise
from siteseer.knowledge.types import Application
from siteseer.page.urls import host_of
from siteseer.settings import CrawlOptions, FetchLimits, options_of
from siteseer.web.service.library import CollectionCard
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.crawl_list import card_sentence
from siteseer.web.ui.option_fields import OptionFields
from siteseer.web.ui.page_frame import address, frame
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import bar, empty, errors_shown, headline, in_thread, panel, show_message, tag

LOOK_LIMITS = FetchLimits(connect_seconds=10, idle_seconds=10, total_seconds=30, body_bytes=8 * 2**20, retries=0)
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
BASELINE = "blind"
OPTIONS = [one for one in options_of(CrawlOptions, "crawl") if one.is_remote]
ASKED_ABOVE = ("limit", "recrawl")
"""Options that have a place of their own: a view of one collection crawls it once more."""


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/")
    async def new() -> None:
        cards = await in_thread(app_context.library.collections)
        with frame(app_context, "new", [card.name for card in cards]):
            headline(texts.NEW_TITLE, texts.NEW_SAID)
            _Form(app_context)
            tag("h2", texts.YOUR_COLLECTIONS)
            _collections(cards)


class _Form:
    """The form of a new crawl."""

    def __init__(self, app_context: AppContext) -> None:
        self.app_context = app_context
        self.policies: dict[str, Any] = {}
        with panel():
            with bar():
                self.url = ui.input(texts.URL, placeholder=texts.URL_HINT).props("outlined autofocus").classes("grow")
                self.url.on("keydown.enter", errors_shown(self.start))
                self.limit = ui.number(texts.LIMIT, placeholder=texts.LIMIT_HINT, min=1, precision=0).props("outlined")
            with bar():
                self.mode = ui.toggle(texts.MODES, value="both", on_change=self._say_mode).props("no-caps unelevated")
                self.said = tag("p", "", "soft small grow")
            self._say_mode()
            with bar():
                ui.button(texts.START, icon="play_arrow", on_click=errors_shown(self.start)).props("unelevated")
                ui.button(texts.LOOK, icon="search", on_click=errors_shown(self.look)).props("outline")
            self.chosen = ui.element("div").classes("list")
            self._more()

    def _say_mode(self) -> None:
        self.said.text = texts.MODE_SAID[self.mode.value]

    def _more(self) -> None:
        with ui.expansion(texts.MORE_OPTIONS).classes("full-width"):
            self.name = ui.input(texts.COLLECTION_NAME).props("outlined dense")
            with ui.element("div").classes("columns"):
                self.options = OptionFields([one for one in OPTIONS if one.name not in ASKED_ABOVE])

    async def look(self) -> None:
        """Find out what the site is, and ask what to keep of it."""
        application = await in_thread(_application_at, self._address())
        self.policies = {}
        self.chosen.clear()
        with self.chosen:
            if application is None:
                tag("p", texts.LOOKED_UNKNOWN)
                return
            sentence = texts.LOOKED if application.policies else texts.LOOKED_NO_POLICIES
            tag("p", sentence.format(name=application.name or application.id, category=application.category))
            for policy in application.policies:
                self.policies[policy.name] = ui.switch(policy.question, value=policy.default == "yes")

    async def start(self) -> None:
        """Start one crawl or two."""
        url = self._address()
        wanted = self._options()
        name = (self.name.value or "").strip() or await in_thread(_free_name, self.app_context, url)
        for collection, strategy in _planned(self.mode.value, name, wanted.get("strategy", "auto")):
            self.app_context.crawls.start(
                self.app_context.crawls.options(collection, [url], **{**wanted, "strategy": strategy})
            )
        show_message(texts.STARTED)
        ui.navigate.to(address("live"))

    def _address(self) -> str:
        url = (self.url.value or "").strip()
        if not url:
            raise UsageError(texts.NEEDS_URL)
        return url if "://" in url else f"http://{url}"

    def _options(self) -> dict[str, Any]:
        chosen = {"limit": int(self.limit.value) if self.limit.value else None, **self.options.values()}
        policies = [f"{name}={'yes' if switch.value else 'no'}" for name, switch in self.policies.items()]
        return {**chosen, "policies": [*policies, *chosen.get("policies", ())]}


def _planned(mode: str, name: str, strategy: str) -> list[tuple[str, str]]:
    """Return the crawls to start, each with its collection and strategy.

    >>> _planned("both", "forum", "auto")
    [('forum-intelligent', 'auto'), ('forum-baseline', 'blind')]
    """
    if mode == "both":
        return [(f"{name}-intelligent", strategy), (f"{name}-baseline", BASELINE)]
    return [(name, strategy if mode == "intelligent" else BASELINE)]


def _free_name(app_context: AppContext, url: str) -> str:
    """Return a name made from the host that no collection has yet."""
    base = _NOT_IN_NAMES.sub("-", host_of(url)).strip("-.")[:60] or "site"
    taken = " ".join(f" {name} " for name in app_context.library.names())
    number = 1
    name = base
    while f" {name} " in taken or f" {name}-intelligent " in taken or f" {name}-baseline " in taken:
        number += 1
        name = f"{base}-{number}"
    return name


def _application_at(url: str) -> Application | None:
    """Return the software behind an address; None where it is not known."""
    knowledge = KnowledgeBase.shipped()
    found = recognise(fetch_page(url, LOOK_LIMITS), knowledge).application
    return knowledge[found] if found else None


def _collections(cards: list[CollectionCard]) -> None:
    if not cards:
        empty(texts.NO_COLLECTION)
        return
    with ui.element("div").classes("columns"):
        for card in cards:
            with tag("a", "", "collection", href=address("result", card.name)):
                with bar("tight apart"):
                    tag("span", card.name, "name")
                    tag("span", texts.STATES[card.finished], "pill" if card.finished else "pill second")
                tag("span", card.seed, "soft small wrap")
                with bar("tight"):
                    if card.strategy:
                        tag("span", card.strategy, "pill second" if card.strategy == BASELINE else "pill strong")
                    if card.application:
                        tag("span", card.application, "pill")
                    tag("span", card.when[:10], "soft small")
                tag("span", card_sentence(card), "small")
