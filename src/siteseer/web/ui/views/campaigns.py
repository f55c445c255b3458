"""The view Campaigns: define one in a form, learn its vocabulary by a reference crawl, run, watch, select."""

from __future__ import annotations

from nicegui import ui

from siteseer.campaigns.relevance.edit_definition import values_of
from siteseer.errors import ConfigurationError, NotFoundError, SiteseerError
from siteseer.model import JSON
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.campaign.campaign_progress import Progress, campaign_address
from siteseer.web.ui.campaign.campaign_reading import Report
from siteseer.web.ui.campaign.campaign_selection import Selection
from siteseer.web.ui.campaign.confirm import ask_confirmation
from siteseer.web.ui.campaign.definition_form import DefinitionForm
from siteseer.web.ui.campaign.vocabulary_terms import Terms
from siteseer.web.ui.page_frame import frame, names_of
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import (
    bar,
    empty,
    errors_shown,
    headline,
    in_thread,
    own_link,
    panel,
    short,
    show_error,
    show_message,
    size,
    tag,
)

LOOK_SECONDS = 1.0
AT_WORK = ("learning", "running", "analysing", "selecting")
ALIVE = (*AT_WORK, "stopping", "elsewhere")
PILLS = {"failed": "pill bad", **dict.fromkeys(("finished", *AT_WORK), "pill strong")}


def register(app_context: AppContext) -> None:
    """Add the views."""

    @ui.page("/campaigns")
    async def campaigns() -> None:
        with frame(app_context, "campaigns", await names_of(app_context)):
            headline(texts.TITLE, texts.SAID)
            with bar():
                ui.button(texts.NEW, icon="add", on_click=lambda: ui.navigate.to("/new-campaign")).props("unelevated")
            _list(
                await in_thread(lambda: [app_context.campaigns.state(name) for name in app_context.campaigns.names()])
            )

    @ui.page("/new-campaign")
    async def new_campaign() -> None:
        with frame(app_context, "campaigns", await names_of(app_context)):
            headline(texts.NEW, texts.NEW_SAID)
            DefinitionForm(app_context, "", "")

    @ui.page("/campaigns/{name}")
    async def campaign(name: str, tab: str = "definition", site: str = "") -> None:
        with frame(app_context, "campaigns", await names_of(app_context)):
            try:
                text = await in_thread(app_context.campaigns.text, name)
            except SiteseerError as error:
                empty(str(error))
                own_link(texts.ALL, "/campaigns")
                return
            headline(name, _about(text))
            view = _Campaign(app_context, name, text, tab if tab in texts.TABS else "definition", site[:200])
            await view.terms.draw()
            await view.look()


def _about(text: str) -> str:
    """Return what a definition says that it is about; nothing where it cannot be read."""
    try:
        return short(values_of(text).get("name", ""))
    except ConfigurationError:
        return ""


def _list(found: list[JSON]) -> None:
    if not found:
        empty(texts.NONE)
        return
    with ui.element("div").classes("columns"):
        for one in found:
            with tag("a", "", "collection", href=campaign_address(one["name"])):
                with bar("tight apart"):
                    tag("span", one["name"], "name")
                    tag("span", texts.PHASES[one["phase"]], PILLS.get(one["phase"], "pill"))
                figures = {key: one[key] for key in ("requests", "pages", "relevant", "sites")}
                tag("span", texts.CARD.format(**figures), "small")


class _Campaign:
    """One campaign: its parts, and the buttons that start and stop it."""

    def __init__(self, app_context: AppContext, name: str, text: str, tab: str, site: str) -> None:
        self.app_context, self.name, self.phase = app_context, name, ""
        self.reported: tuple[JSON, bool] | None = None
        with bar():
            self.state = tag("span", "", "pill", role="status")
            self.run = ui.button(texts.RUN, icon="play_arrow", on_click=errors_shown(self._run)).props("unelevated")
            self.stop = ui.button(texts.STOP, icon="stop", on_click=errors_shown(self._stop)).props("outline")
            self.learn = ui.button(texts.LEARN, icon="school", on_click=errors_shown(self._learn)).props("outline")
            self.limit = ui.number(texts.LEARN_LIMIT, value=200, min=1, precision=0).props("outlined dense")
            ui.space()
            own_link(texts.ALL, "/campaigns")
            delete = ui.button(icon="delete", on_click=errors_shown(self._delete)).props("flat dense round")
            delete.props["aria-label"] = texts.DELETE
        self.working = tag("p", "", "soft small")
        self.error = tag("p", "", "note")
        with ui.tabs().props("align=left no-caps dense outside-arrows") as self.tabs:
            for key, said in texts.TABS.items():
                ui.tab(key, said)
        with ui.tab_panels(self.tabs, value=tab).props("keep-alive").classes("full-width"):
            with ui.tab_panel("definition"), ui.element("div").classes("list full-width"):
                self.form = self._form(text)
            with ui.tab_panel("terms"), ui.element("div").classes("list full-width"):
                self.terms = Terms(app_context, name, self._completed)
            with ui.tab_panel("progress"), ui.element("div").classes("list full-width"):
                self.progress = Progress(app_context, name)
            with ui.tab_panel("report"), ui.element("div").classes("list full-width"):
                self.report = Report(app_context, name, self._begun)
            with ui.tab_panel("selection"), ui.element("div").classes("list full-width"):
                self.selection = Selection(app_context, name, site, self._begun)
            with ui.tab_panel("text"), panel():
                tag("p", texts.TEXT_SAID, "soft")
                self.text = ui.textarea(value=text).props("outlined autogrow input-class=mono").classes("full-width")
                self.text.props["aria-label"] = texts.TABS["text"]
                with bar():
                    ui.button(texts.SAVE, icon="save", on_click=errors_shown(self._save_text)).props("unelevated")
        self.tabs.on_value_change(errors_shown(self._turned))
        ui.timer(LOOK_SECONDS, errors_shown(self.look))

    def _form(self, text: str) -> DefinitionForm | None:
        """Put the form; a text that it cannot read is changed as text."""
        try:
            values_of(text)
        except ConfigurationError as error:
            tag("p", texts.UNREADABLE.format(error=error), "note")
            return None
        return DefinitionForm(self.app_context, self.name, text)

    async def look(self) -> None:
        """Show what changed."""
        try:
            now = await in_thread(self.app_context.campaigns.state, self.name)
        except NotFoundError:
            return  # it was deleted
        if now["phase"] != self.phase:
            was, self.phase = self.phase, now["phase"]
            await self._turn(now)
            if was == "learning":
                await self.terms.draw()
        self.working.text = now.get("progress", "")
        self.working.set_visibility(bool(self.working.text))
        await self.progress.show(now)
        await self._show_made(now)

    async def _show_made(self, now: JSON) -> None:
        """Show report and selection anew where they were made anew, when somebody looks at them."""
        state = now["report"], now["pages"] > 0
        if self.tabs.value == "report" and self.reported != state:
            self.reported = state
            await self.report.draw(has_pages=state[1])
        if self.tabs.value == "selection":
            await self.selection.show(now)

    async def _turned(self) -> None:
        """Keep the tab in the address, and show what is on it."""
        ui.navigate.history.replace(f"{campaign_address(self.name)}?tab={self.tabs.value}")
        await self.look()

    async def _turn(self, now: JSON) -> None:
        """Show another phase."""
        is_alive = self.phase in ALIVE
        self.state.text = texts.PHASES[self.phase]
        self.state.classes(replace=PILLS.get(self.phase, "pill"))
        self.run.text = texts.GO_ON if now["requests"] else texts.RUN
        self.run.set_enabled(not is_alive)
        self.learn.set_enabled(not is_alive)
        self.report.allow(not is_alive)
        self.selection.allow(not is_alive)
        self.stop.set_enabled(is_alive and self.phase != "elsewhere")
        ended = (now["summary"] or {}).get("stopped_by") if self.phase == "stopped" else ""
        self.error.text = str(now.get("error") or texts.STOPPED_BY.get(ended or "", ""))
        self.error.set_visibility(bool(self.error.text))

    async def _begun(self) -> None:
        show_message(texts.STARTED)
        await self.look()

    async def _run(self) -> None:
        await in_thread(self.app_context.campaigns.run, self.name)
        await self._begun()

    async def _learn(self) -> None:
        await in_thread(self.app_context.campaigns.learn, self.name, int(self.limit.value or 200))
        await self._begun()

    async def _stop(self) -> None:
        await in_thread(self.app_context.campaigns.stop, self.name)
        show_message(texts.STOPPING)
        await self.look()

    async def _delete(self) -> None:
        now = await in_thread(self.app_context.campaigns.state, self.name)
        said = texts.DELETE_ASKED.format(
            name=self.name, size=size(now["bytes"]), sites=now["sites"], pages=now["pages"]
        )
        if await ask_confirmation(said, texts.DELETE, "unelevated color=negative"):
            await in_thread(self.app_context.campaigns.delete, self.name)
            show_message(texts.DELETED.format(name=self.name))
            ui.navigate.to("/campaigns")

    def _completed(self, text: str) -> None:
        """Show a text that was changed elsewhere in the form and as text."""
        self.text.value = text
        if self.form is not None:
            self.form.show(text)
        else:
            ui.navigate.reload()  # now there can be a form

    async def _save_text(self) -> None:
        try:
            await in_thread(self.app_context.campaigns.write, self.name, self.text.value or "")
        except SiteseerError as error:
            self.text.error = str(error)
            show_error(str(error))
            return
        self.text.error = None
        self._completed(self.text.value or "")
        show_message(texts.SAVED)
