"""Asks the questions that follow a click: a name, a text to type, a choice."""

from __future__ import annotations

from collections.abc import Sequence

from nicegui import ui

from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import bar, short, tag
from siteseer.wrapper.designer.element_locator import clicked_element
from siteseer.wrapper.designer.expression_wording import proposed_name
from siteseer.wrapper.designer.mark_records import AttributeExample
from siteseer.wrapper.designer.page_snapshot import Snapshot

TYPED = ("text", "search", "email", "number", "tel", "url", "password", "date", "")
AS_IT_STANDS = "() => emit(document.querySelector('.asked .answer-field input').value)"
"""Sends what stands in the field with the press itself: what was typed just before may still be on its way."""
Named = tuple[int, str, str]
Deed = tuple[str, str]


async def ask_name(snapshot: Snapshot, number: int, known: Sequence[str]) -> Named | None:
    """Ask what an attribute is called and what of it is taken; None where the person does not want it."""
    ways = possible(snapshot, number)
    taken = frozenset(known)
    with ui.dialog() as dialog, ui.card().classes("asked"):
        tag("h2", texts.NAME_TITLE)
        shown = tag("p", "", "said wrap")
        name = ui.input(texts.NAME).props("outlined autofocus").classes("full-width answer-field")
        tag("p", texts.NAME_EXPLAINED, "soft small")
        said = {at: texts.TAKES.get(one.take, one.take) for at, one in enumerate(ways)}
        take = ui.select(said, value=0, label=texts.TAKE).props("outlined options-dense").classes("full-width")
        take.set_visibility(len(ways) > 1)

        def propose() -> None:
            one = ways[take.value]
            name.value = proposed_name(snapshot.element(one.number), one.take, taken)
            shown.text = short(_value(snapshot, one), 200)

        take.on_value_change(propose)
        propose()
        _answered_by(dialog, name, texts.TAKE_IT)
    said_name = str(await dialog or "").strip()[:60]
    dialog.delete()
    one = ways[take.value]
    return (one.number, said_name, one.take) if said_name else None


def possible(snapshot: Snapshot, number: int) -> list[AttributeExample]:
    """Return what may be taken of an element: its text, the addresses of its link and picture, an exact time."""
    element = snapshot.element(number)
    found = [AttributeExample(number)] if element.text_content().strip() else []
    link = next((one for one in (element, *element.iterancestors()) if one.tag == "a" and one.get("href")), None)
    if element.tag == "img":
        found += [AttributeExample(number, name) for name in ("src", "alt") if element.get(name)]
    found += [AttributeExample(number, name) for name in ("datetime", "content") if element.get(name)]
    if link is not None:
        found.append(AttributeExample(snapshot.numbers[link], "href"))
    return found or [AttributeExample(number)]


def _value(snapshot: Snapshot, one: AttributeExample) -> str:
    element = snapshot.element(one.number)
    return str(element.text_content() if one.take == "text" else element.get(one.take) or "")


async def ask_action(snapshot: Snapshot, number: int) -> Deed | None:
    """Return what is to be done with an element, asking where a click does not say it; None where nothing is."""
    target = clicked_element(snapshot, number)
    element = snapshot.element(target)
    if element.tag == "select":
        return await _ask_choice([" ".join(one.text_content().split()) for one in element.iter("option")])
    kind = (element.get("type") or "").lower()
    if element.tag == "input" and kind in ("checkbox", "radio"):
        is_on = bool((snapshot.entered.get(target) or {}).get("checked"))
        return "keyword", "uncheck" if is_on and kind == "checkbox" else "check"
    if element.tag == "textarea" or (element.tag == "input" and kind in TYPED):
        return await _ask_text(str((snapshot.entered.get(target) or {}).get("value") or ""))
    return "keyword", "click"


async def _ask_choice(options: Sequence[str]) -> Deed | None:
    with ui.dialog() as dialog, ui.card().classes("asked"):
        tag("h2", texts.CHOOSE_TITLE)
        choice = ui.select(list(dict.fromkeys(options)), value=options[0] if options else None, label=texts.CHOSEN)
        choice.props("outlined").classes("full-width")
        _buttons(dialog, texts.CHOOSE_IT).on_click(lambda: dialog.submit(True))
    wanted = await dialog
    dialog.delete()
    return ("text", str(choice.value)) if wanted and choice.value is not None else None


async def _ask_text(before: str) -> Deed | None:
    with ui.dialog() as dialog, ui.card().classes("asked"):
        tag("h2", texts.TYPE_TITLE)
        typed = ui.input(texts.TYPED, value=before).props("outlined autofocus").classes("full-width answer-field")
        enters = ui.checkbox(texts.AND_ENTER)
        _answered_by(dialog, typed, texts.TYPE_IT)
    wanted = await dialog
    dialog.delete()
    return ("text", str(wanted) + ("\\n" if enters.value else "")) if wanted is not None else None


def _answered_by(dialog: ui.dialog, field: ui.input, yes: str) -> None:
    """Let a button and the Enter key answer with what stands in a field."""
    field.on("keydown.enter", lambda event: dialog.submit(event.args), js_handler=AS_IT_STANDS)
    button = _buttons(dialog, yes)
    button.on("click", lambda event: dialog.submit(event.args), js_handler=AS_IT_STANDS)


def _buttons(dialog: ui.dialog, yes: str) -> ui.button:
    """Put a button that says yes, and one to leave."""
    with bar():
        agreed = ui.button(yes).props("unelevated")
        ui.button(texts.CANCEL, on_click=lambda: dialog.submit(None)).props("flat")
    return agreed
