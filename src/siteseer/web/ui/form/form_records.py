"""Shows the records as a table, with the ontology's instance for each, and the archived answer beside them."""

from __future__ import annotations

from nicegui import ui

from siteseer.deepweb.understanding_model import InstanceMatch, Record
from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.web.ui.form.form_board import Board, heads, verdict
from siteseer.web.ui.form.form_wording import column_name, name_of, sure
from siteseer.web.ui.object_cards import ArchivedPagePanel
from siteseer.web.ui.texts import texts, texts_form
from siteseer.web.ui.widgets import bar, empty, errors_shown, in_thread, short, tag, text_button

AT_ONCE = 20
MOST_COLUMNS = 30


class Records:
    """The records, a page at a time."""

    def __init__(self, board: Board) -> None:
        self.board, self.page = board, 1
        with ui.element("div").classes("beside"):
            with ui.element("div").classes("list"):
                self.box = ui.element("div").classes("panel answer records")
                with bar("apart") as self.turning:
                    self.back = ui.button(texts.PREVIOUS, on_click=lambda: self.turn(-1)).props("flat dense")
                    self.place = tag("span", "", "soft small", role="status")
                    self.on = ui.button(texts.NEXT, on_click=lambda: self.turn(1)).props("flat dense")
            self.beside = ArchivedPagePanel(board.app_context, board.collection.name, later=True)
        board.show(self.draw)

    def turn(self, step: int) -> None:
        """Show another page of the table."""
        self.page += step
        self.draw()

    def draw(self) -> None:
        """Show the records as they are now."""
        found = self.board.found
        first = (self.page - 1) * AT_ONCE
        shown = found.records[first : first + AT_ONCE]
        columns = found.columns[:MOST_COLUMNS]
        matched = {one.record: one for one in found.instances}
        self.box.clear()
        with self.box:
            if not shown:
                empty(texts_form.NO_RECORDS)
                return
            with ui.element("table"):
                heads((*(column_name(column) for column in columns), texts_form.RECORD_IS, texts_form.YOUR_WORD, ""))
                with ui.element("tbody"):
                    for record in shown:
                        self._row(record, [column.id for column in columns], matched.get(record.id))
        last = first + len(shown)
        self.place.text = texts.PAGE_OF.format(first=first + 1, last=last, count=len(found.records))
        self.back.set_enabled(self.page > 1)
        self.on.set_enabled(last < len(found.records))

    def _row(self, record: Record, columns: list[str], match: InstanceMatch | None) -> None:
        async def show() -> None:
            self.beside.mark(line)
            self.beside.show(record.url, await in_thread(self._object, record.id))

        with ui.element("tr") as line:
            for name in columns:
                tag("td", short(" | ".join(record.values.get(name, ())), 200))
            said = f"{name_of(match.instance)} ({sure(match.confidence)})" if match else texts_form.NOT_ALIGNED
            tag("td", said, "" if match else "soft", title=match.instance if match else "")
            if match:
                title = next((values[0] for name in columns if (values := record.values.get(name))), record.id)
                verdict(self.board, "instance", record.id, short(title, 60), match.confirmed)
            else:
                tag("td")
            with ui.element("td"):
                text_button(texts_form.OPEN, errors_shown(show))

    def _object(self, identity: str) -> JSON:
        try:
            return self.board.collection.object(identity)
        except SiteseerError:
            return None
