"""Shows what the source can add to the ontology: instances, facts and relations, to confirm or reject."""

from __future__ import annotations

from nicegui import ui

from siteseer.collection.layout import ENRICHMENT
from siteseer.deepweb.corrections import statement
from siteseer.deepweb.understanding_model import Proposal
from siteseer.web.ui.form.form_board import Board, heads, verdict
from siteseer.web.ui.form.form_wording import name_of, sure, titles
from siteseer.web.ui.texts import texts, texts_form
from siteseer.web.ui.widgets import bar, empty, short, tag

AT_ONCE = 25


class Proposals:
    """The proposals, a page at a time."""

    def __init__(self, board: Board) -> None:
        self.board, self.page = board, 1
        tag("p", texts_form.PROPOSALS_SAID, "soft")
        with bar():
            kinds = {"": texts_form.ALL_KINDS, **texts_form.PROPOSAL_KINDS}
            self.kind = ui.select(kinds, value="", label=texts_form.KIND, on_change=lambda: self.turn(1 - self.page))
            self.kind.props("outlined dense options-dense")
            path = board.collection.path / ENRICHMENT
            if path.is_file():
                button = ui.button(texts_form.DOWNLOAD, icon="download", on_click=lambda: ui.download.file(path))
                button.props("outline dense padding='4px 12px'")
        self.box = ui.element("div").classes("panel scroll")
        with bar("apart"):
            self.back = ui.button(texts.PREVIOUS, on_click=lambda: self.turn(-1)).props("flat dense")
            self.place = tag("span", "", "soft small", role="status")
            self.on = ui.button(texts.NEXT, on_click=lambda: self.turn(1)).props("flat dense")
        board.show(self.draw)

    def turn(self, step: int) -> None:
        """Show another page of the table."""
        self.page += step
        self.draw()

    def draw(self) -> None:
        """Show the proposals as they are now."""
        named = titles(self.board.found)
        chosen = [one for one in self.board.found.proposals if self.kind.value in ("", one.kind)]
        first = (self.page - 1) * AT_ONCE
        shown = chosen[first : first + AT_ONCE]
        self.box.clear()
        with self.box:
            if not shown:
                empty(texts_form.NO_PROPOSALS)
            else:
                with ui.element("table").classes("plain stacked proposals"):
                    heads(texts_form.PROPOSAL_HEADS)
                    with ui.element("tbody"):
                        for one in shown:
                            self._row(one, named)
        last = first + len(shown)
        self.place.text = texts.PAGE_OF.format(first=min(first + 1, last), last=last, count=len(chosen))
        self.back.set_enabled(self.page > 1)
        self.on.set_enabled(last < len(chosen))

    def _row(self, one: Proposal, named: dict[str, str]) -> None:
        about = named.get(one.subject) or name_of(one.subject)
        value = one.value if one.is_literal else named.get(one.value) or name_of(one.value)
        with ui.element("tr"):
            tag("td", texts_form.PROPOSAL_KINDS.get(one.kind, one.kind))
            tag("td", short(about, 120), "wrap wide", title=one.subject)
            tag("td", name_of(one.predicate), "wrap", title=one.predicate)
            tag("td", short(value, 200), "wrap", title=short(one.value, 300))
            tag("td", sure(one.confidence), "number")
            tag("td", short(one.because, 200), "soft small wrap wide")
            verdict(self.board, "proposal", statement(one), f"{short(about, 60)}: {short(value, 60)}", one.confirmed)
