"""The view Knowledge: the tree of types and levels; try a pattern on a page; edit, check and save a knowledge file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nicegui import ui

from siteseer.crawler.build import user_knowledge
from siteseer.errors import UsageError
from siteseer.fetch.fetch_one import fetch_page
from siteseer.knowledge.check import problems_of
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import read
from siteseer.knowledge.save import to_xml
from siteseer.knowledge.types import Application, Level
from siteseer.knowledge.validate import Problem
from siteseer.model import Page
from siteseer.web.service.library import NAME
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.object_cards import framed
from siteseer.web.ui.page_frame import frame, names_of
from siteseer.web.ui.texts import texts
from siteseer.web.ui.views.new_crawl import LOOK_LIMITS
from siteseer.web.ui.widgets import bar, empty, errors_shown, headline, in_thread, panel, show_message, table, tag

SHOWN_PATTERNS = 60


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/knowledge")
    async def knowledge(type: str = "") -> None:
        names = await names_of(app_context)
        base = await in_thread(_base)
        with frame(app_context, "knowledge", names, whole=True):
            headline(texts.KNOWLEDGE_TITLE, texts.KNOWLEDGE_SAID)
            with ui.element("div").classes("beside knowledge"):
                with panel():
                    _tree(base, type)
                with ui.element("div").classes("list"):
                    _tabs(app_context, base, names, type)


def _base() -> KnowledgeBase:
    own = user_knowledge()
    return KnowledgeBase.with_files([own] if own.is_dir() else [])


def _tree(base: KnowledgeBase, chosen: str) -> None:
    """Put category, type and level as a tree."""
    find = ui.input(texts.FILTER_TYPES).props("outlined dense clearable type=search").classes("full-width")
    categories: dict[str, list[Application]] = {}
    for application in sorted(base, key=lambda one: one.id):
        categories.setdefault(application.category, []).append(application)
    nodes = [
        {"id": f"category {name}", "label": f"{name} ({len(found)})", "children": [_node(one) for one in found]}
        for name, found in sorted(categories.items())
    ]
    tree = ui.tree(nodes, label_key="label", on_select=lambda event: _go(str(event.value or "")))
    tree.props("no-connectors dense selected-color=primary")
    tree.props["selected"] = f"type {chosen}"
    tree.expand([f"category {base[chosen].category}", f"type {chosen}"] if chosen in base else [])
    tree.bind_filter_from(find, "value", backward=lambda value: value or "")


def _node(application: Application) -> dict[str, Any]:
    levels = dict.fromkeys((level.id, level.kind) for level in application.levels)
    return {
        "id": f"type {application.id}",
        "label": application.name or application.id,
        "children": [
            {"id": f"level {application.id} {name}", "label": f"{name} · {texts.LEVEL_KINDS[kind]}"}
            for name, kind in levels
        ],
    }


def _go(node: str) -> None:
    kind, _, rest = node.partition(" ")
    if kind in ("type", "level"):
        ui.navigate.to(f"/knowledge?type={rest.partition(' ')[0]}")


def _tabs(app_context: AppContext, base: KnowledgeBase, names: Sequence[str], chosen: str) -> None:
    with ui.tabs().props("align=left no-caps dense") as tabs:
        ui.tab("known", texts.OVERVIEW_TAB)
        ui.tab("try", texts.TRY_TAB)
        ui.tab("edit", texts.EDIT_TAB)
    with ui.tab_panels(tabs, value="known" if chosen else "try").classes("full-width"):
        with ui.tab_panel("known").classes("q-pa-none"):
            if chosen in base:
                _overview(base[chosen])
            else:
                empty(texts.CHOOSE_TYPE)
        with ui.tab_panel("try").classes("q-pa-none"):
            _Trying(app_context, base, names)
        with ui.tab_panel("edit").classes("q-pa-none"):
            _Editing(base, chosen)


def _overview(application: Application) -> None:
    patterns = list(application.patterns())
    with panel(application.name or application.id):
        counted = {"levels": len(application.levels), "patterns": len(patterns)}
        tag("p", texts.TYPE_SAID.format(category=application.category, **counted), "soft")
        tag("h3", texts.DETECTION)
        for _, pattern in patterns[:SHOWN_PATTERNS]:
            with bar("tight"):
                tag("span", pattern.kind, "pill strong" if pattern.is_decisive else "pill")
                tag("code", pattern.text, "mono wrap grow")
    for level in application.levels:
        _level(level)
    if application.policies or application.avoids:
        with panel(texts.AVOIDED):
            for policy in application.policies:
                tag("p", f"{policy.question}: {policy.default}")
            for reason in dict.fromkeys(rule.because for rule in application.avoids):
                tag("p", reason, "soft small")


def _level(level: Level) -> None:
    with panel(level.name or level.id), bar("tight"):
        tag("span", level.id, "pill")
        tag("span", texts.LEVEL_KINDS[level.kind], "pill strong" if level.is_terminal else "pill")
        with ui.element("div").classes("list full-width"):
            _patterns(texts.DETECTION, [p.text for d in level.detections for p in d.patterns])
            _patterns(texts.NAVIGATIONS, [f"{one.role}: {one.text or one.url}" for one in level.navigations])
            _patterns(
                texts.EXTRACTIONS,
                [
                    f"{e.of}: {e.scope} ({', '.join(dict.fromkeys(f.type for f in e.fields))})"
                    for e in level.extractions
                ],
            )


def _patterns(title: str, written: list[str]) -> None:
    if written:
        tag("h3", title)
        for one in written[:SHOWN_PATTERNS]:
            tag("code", one, "mono wrap small")


class _Trying:
    """An expression tried on a page."""

    def __init__(self, app_context: AppContext, base: KnowledgeBase, names: Sequence[str]) -> None:
        self.app_context, self.base = app_context, base
        with panel():
            tag("p", texts.TRY_SAID, "soft")
            with bar():
                self.url = ui.input(texts.TRY_URL, placeholder=texts.URL_HINT).props("outlined dense").classes("grow")
                sources = {"": texts.TRY_LIVE, **{name: name for name in names}}
                self.source = ui.select(sources, value="", label=texts.TRY_WHERE).props("outlined dense options-dense")
            with bar():
                self.written = ui.input(texts.TRY_EXPRESSION, placeholder="div.post//a/@href").props("outlined dense")
                self.written.classes("grow mono").on("keydown.enter", errors_shown(self.run))
                ui.button(texts.TRY, icon="play_arrow", on_click=errors_shown(self.run)).props("unelevated")
            self.box = ui.element("div").classes("list")

    async def run(self) -> None:
        """Fetch the page and show what the expression selects."""
        page = await in_thread(self._page, (self.url.value or "").strip(), self.source.value)
        tried = await in_thread(self.app_context.trial.run, page, (self.written.value or "").strip(), self.base)
        self.box.clear()
        with self.box:
            found = tried.recognition
            said = {"application": found.application, "level": found.level or "–"}
            tag("p", texts.TRY_RECOGNISED.format(**said) if found.application else texts.TRY_UNKNOWN, "soft")
            tag("p", texts.TRY_HITS.format(count=tried.count) if tried.count else texts.TRY_NONE)
            with ui.element("div").classes("rows").style("max-height:30vh;overflow:auto"):
                for hit in tried.hits:
                    tag("div", hit, "line mono small wrap")
            with ui.element("div").classes("framed"):
                framed(self.app_context.tried(tried.number))

    def _page(self, url: str, source: str) -> Page:
        if not url:
            raise UsageError(texts.NEEDS_URL)
        url = url if "://" in url else f"http://{url}"
        return self.app_context.library.open(source).page(url) if source else fetch_page(url, LOOK_LIMITS)


class _Editing:
    """A knowledge file, edited, checked and saved to the person's own knowledge."""

    def __init__(self, base: KnowledgeBase, chosen: str) -> None:
        source = to_xml(base[chosen]).decode() if chosen in base else _TEMPLATE
        with panel():
            tag("p", texts.EDIT_SAID, "soft")
            self.editor = ui.codemirror(source, language="XML", line_wrapping=True).classes("editor tall")
            with bar():
                ui.button(texts.CHECK, icon="rule", on_click=errors_shown(self.check)).props("outline")
                ui.button(texts.SAVE, icon="save", on_click=errors_shown(self.save)).props("unelevated")
            self.box = ui.element("div").classes("list")

    async def check(self) -> None:
        """Say what is wrong, on which line, and what to do."""
        self._tell((await in_thread(_checked, self.editor.value))[1])

    async def save(self) -> None:
        """Keep the entry for later crawls; what does not follow the schema is not kept."""
        application, problems = await in_thread(_checked, self.editor.value)
        self._tell(problems)
        if application is None:
            return
        if not NAME.match(application.id):
            raise UsageError(texts.BAD_ID)
        path = user_knowledge() / f"{application.id}.xml"
        await in_thread(_write, path, self.editor.value)
        show_message(texts.SAVED.format(path=path))

    def _tell(self, problems: Sequence[Problem]) -> None:
        self.box.clear()
        with self.box:
            if problems:
                table(texts.PROBLEM_COLUMNS, [(one.line, one.what, one.todo) for one in problems], numeric=(0,))
            else:
                tag("p", texts.CHECKED_FINE, "good", role="status")


def _checked(source: str) -> tuple[Application | None, list[Problem]]:
    """Return the application where the file follows the schema, and everything that is wrong or questionable."""
    reading = read(source.encode(), "entry.xml")
    if reading.problems or reading.application is None:
        return None, list(reading.problems)
    return reading.application, list(problems_of(reading.application, "entry.xml"))


def _write(path: Any, source: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.new")
    made.write_text(source, encoding="utf-8")
    made.replace(path)


_TEMPLATE = """<application id="my-software" category="forum" name="My software">
  <detect>
    <pattern decisive="yes">meta[@name='generator'][contains(@content,'My software')]</pattern>
  </detect>
  <level id="thread" kind="terminal">
    <detect><pattern>div.post</pattern></detect>
    <extract type="record" of="post" scope="div.post">
      <field type="author">a.author</field>
      <field type="published" read="date">time/@datetime</field>
      <field type="body">div.body</field>
    </extract>
  </level>
</application>
"""
