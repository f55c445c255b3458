"""Shows the steps of a design, one at a time: what is needed, and what can be done."""

from __future__ import annotations

from dataclasses import replace

from nicegui import ui

from siteseer.web.ui.designer.designer_board import Board, Step
from siteseer.web.ui.designer.replay_wrapper import replay_step
from siteseer.web.ui.designer.save_wrapper import save_step
from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import bar, short, tag
from siteseer.wrapper.designer.mark_records import Choice
from siteseer.wrapper.designer.wrapper_draft import AttributeDraft, RecordedAction
from siteseer.wrapper.induction.compose_wrapper import label
from siteseer.wrapper.oxpath.output.records import Record

SHOWN_VALUES = 3


def page_step(board: Board) -> None:
    """Ask for the address."""
    board.hint.text = texts.HINT_PAGE
    if board.bench.view is not None:
        _deeds(board)
        _go_on(board, "records")


def records_step(board: Board) -> None:
    """Ask for two records, and which generalisation is right."""
    state = board.bench.state
    if state.acts:
        board.hint.text = texts.HINT_ACT
        _deeds(board)
        ui.button(texts.ACT_DONE, on_click=lambda: _use_page(board, False)).props("unelevated")
        return
    first = texts.HINT_RECORD_SECOND if state.clicks else texts.HINT_RECORD_FIRST
    board.hint.text = texts.HINT_RECORDS if state.choices else first
    if state.choices:
        tag("h3", texts.CHOICES)
        with ui.element("div").classes("choices"):
            for at, choice in enumerate(state.choices):
                _choice(board, at, choice, choice == state.draft.record)
        _go_on(board, "attributes")
    with bar("tight"):
        ui.button(texts.FIND_RECORDS, on_click=board.does(board.bench.find_records)).props("outline dense")
        ui.button(texts.ACT_FIRST, on_click=lambda: _use_page(board, True)).props("flat dense")
        ui.button(texts.ONE_THING, on_click=board.does(board.bench.one_thing)).props("flat dense")
    _deeds(board)


def _use_page(board: Board, acts: bool) -> None:
    board.bench.use_page(acts)
    board.draw()


def _choice(board: Board, at: int, choice: Choice, is_chosen: bool) -> None:
    said = texts.CHOICE_COUNT.format(count=len(choice.hits))
    line = tag("button", "", "choice chosen" if is_chosen else "choice", type="button")
    line.props["aria-pressed"] = "true" if is_chosen else "false"
    line.on("click", board.does(board.bench.choose_record, at))
    with line:
        tag("span", said, "strong")
        tag("span", short(" ".join(board.bench.snapshot.element(choice.hits[0]).itertext()), 80), "small")
        tag("span", short(choice.xpath, 90), "mono soft")


def attributes_step(board: Board) -> None:
    """Ask for the attributes, and show those that are there."""
    state, records = board.bench.state, board.bench.found.records
    if state.draft.record is None and state.by_hand is None:
        board.hint.text = texts.NO_RECORDS_YET
        return
    board.hint.text = texts.HINT_ATTRIBUTES if state.draft.parts else texts.HINT_ATTRIBUTE_FIRST
    for part in state.draft.parts:
        _part(board, part, records)
    if state.draft.parts:
        _go_on(board, "next", texts.THAT_IS_ALL)


def _part(board: Board, part: AttributeDraft, records: tuple[Record, ...]) -> None:
    name = label(part.name)
    values = [child.value or "" for one in records for child in one.children if child.label == name]
    holding = sum(1 for one in records if any(child.label == name for child in one.children))
    with ui.element("div").classes("part"):
        with bar("apart tight"):
            tag("strong", part.name)
            tag("span", texts.ATTRIBUTE_COUNT.format(count=holding, records=len(records)), "soft small")
            remove = ui.button(icon="close", on_click=board.does(board.bench.drop_part, part.name))
            remove.props("flat dense round size=sm").props["aria-label"] = f"{texts.REMOVE} {part.name}"
        tag("div", " · ".join(short(value, 40) for value in values[:SHOWN_VALUES]), "soft small wrap")
        with ui.expansion(texts.OTHER_WAYS).props("dense").classes("small"):
            ways = {
                at: texts.WAY.format(count=len(one.hits), xpath=short(one.xpath, 60))
                for at, one in enumerate(part.choices)
            }
            way = ui.radio(ways, value=part.chosen).props("dense")
            way.on_value_change(
                lambda event: board.does(board.bench.change_part, replace(part, chosen=int(event.value)))()
            )
            must = ui.checkbox(texts.REQUIRED, value=part.required).props("dense")
            must.on_value_change(
                lambda event: board.does(board.bench.change_part, replace(part, required=bool(event.value)))()
            )


def next_step(board: Board) -> None:
    """Ask for the link to the next page; one that is found by itself is proposed."""
    bench = board.bench
    following = bench.state.draft.following
    proposed = bench.proposed_next() if following is None else None
    if following is not None:
        board.hint.text = texts.HINT_NEXT_CHOSEN.format(said=_link_text(board, following.hits[0]))
        _go_on(board, "replay")
    elif proposed is not None:
        board.hint.text = texts.HINT_NEXT_PROPOSED.format(said=_link_text(board, proposed))
        ui.button(texts.YES_FOLLOW, on_click=board.does(_follow, board, proposed)).props("unelevated")
    else:
        board.hint.text = texts.HINT_NEXT
    ui.button(texts.NO_NEXT, on_click=board.does(_no_next, board)).props("flat")


async def _follow(board: Board, number: int) -> None:
    await board.bench.mark_next(number)
    board.bench.go_to("replay")


async def _no_next(board: Board) -> None:
    await board.bench.choose_next(None)
    board.bench.go_to("replay")


def _link_text(board: Board, number: int) -> str:
    element = board.bench.snapshot.element(number)
    return short(element.text_content(), 40) or element.get("aria-label") or element.get("title") or element.tag


def _deeds(board: Board) -> None:
    deeds = board.bench.state.draft.deeds
    if not deeds:
        return
    tag("h3", texts.RECORDED)
    with ui.element("ol").classes("deeds"):
        for one in deeds:
            tag("li", _told(one))


def _told(done: RecordedAction) -> str:
    if done.deed == "text":
        return texts.RECORDED_TYPE.format(value=short(done.value.removesuffix("\\n"), 60), said=done.said)
    if done.value == "click":
        return texts.RECORDED_CLICK.format(said=done.said)
    return texts.RECORDED_OTHER.format(value=done.value, said=done.said)


def _go_on(board: Board, step: str, said: str = texts.GO_ON) -> None:
    ui.button(said, icon="arrow_forward", on_click=lambda: board.go_to(step)).props("unelevated")


STEPS: dict[str, Step] = {
    "page": page_step,
    "records": records_step,
    "attributes": attributes_step,
    "next": next_step,
    "replay": replay_step,
    "save": save_step,
}
