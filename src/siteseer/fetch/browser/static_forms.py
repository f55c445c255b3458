"""Keeps the state of forms on pages without scripts, and builds the request when a form is sent."""

from __future__ import annotations

from urllib.parse import urlencode

from lxml import html

from siteseer.errors import FetchError
from siteseer.fetch.browser.static_nodes import StaticPage
from siteseer.forms.form_request import body_of
from siteseer.interfaces import Request
from siteseer.model import Submit

CONTROLS = ("input", "select", "textarea", "button")
SENDING = ("submit", "image")


def kind_of(control: html.HtmlElement) -> str:
    """Return what kind of control an element is, lower case: the type of an input or button, else its tag."""
    default = {"input": "text", "button": "submit"}.get(str(control.tag), str(control.tag))
    return (control.get("type") or default).strip().lower() if control.tag in ("input", "button") else default


def form_of(page: StaticPage, control: html.HtmlElement) -> html.HtmlElement | None:
    """Return the form that a control belongs to."""
    if control.tag == "form":
        return control
    if named := control.get("form"):
        return next(iter(page.root.xpath("//form[@id=$id]", id=named)), None)
    return next(control.iterancestors("form"), None)


def enter(page: StaticPage, control: html.HtmlElement, text: str) -> None:
    """Type into a field, or choose the option with this text or value."""
    if control.tag == "select":
        page.typed[control] = _option(control, text)
    elif control.tag == "textarea" or control.tag == "input":
        page.typed[control] = text
    else:
        raise FetchError(f"nothing can be typed into <{control.tag}>")


def choose(page: StaticPage, select: html.HtmlElement, index: int) -> None:
    """Choose the option with this number, from 0."""
    options = list(select.iter("option")) if select.tag == "select" else []
    if index >= len(options):
        raise FetchError(f"<{select.tag}> has no option number {index}")
    page.typed[select] = _value(options[index])


def _option(select: html.HtmlElement, text: str) -> str:
    options = list(select.iter("option"))
    wanted = " ".join(text.split())
    tests = (
        lambda one: one.text_content() == text,
        lambda one: _value(one) == text,
        lambda one: " ".join(one.text_content().split()) == wanted,
        lambda one: " ".join(one.text_content().split()).casefold() == wanted.casefold(),
    )
    for test in tests:
        for one in options:
            if test(one):
                return _value(one)
    raise FetchError(f"there is no option {text!r} to choose")


def _value(option: html.HtmlElement) -> str:
    value = option.get("value")
    return " ".join(option.text_content().split()) if value is None else str(value)


def check(page: StaticPage, box: html.HtmlElement, on: bool) -> None:
    """Tick or untick a box; ticking a radio button unticks the others of its name."""
    if kind_of(box) not in ("checkbox", "radio"):
        raise FetchError(f"<{box.tag}> cannot be ticked")
    if kind_of(box) == "radio" and on:
        form = form_of(page, box)
        for other in (page.root if form is None else form).iter("input"):
            if kind_of(other) == "radio" and other.get("name") == box.get("name"):
                page.checked[other] = False
    page.checked[box] = on


def is_checked(page: StaticPage, box: html.HtmlElement) -> bool:
    """Say whether a box is ticked now."""
    return page.checked.get(box, box.get("checked") is not None)


def send(page: StaticPage, form: html.HtmlElement, button: html.HtmlElement | None) -> Request:
    """Return the request that sends a form as it is filled in now."""
    given = button.get("formaction") if button is not None else None
    target = page.resolve(given or form.get("action") or page.url)
    if target is None:
        raise FetchError("the form is sent by a script, which needs a browser")
    fields = tuple(_sent(page, form, button))
    if (form.get("method") or "get").strip().lower() != "post":
        query = urlencode(fields)
        return Request(target.partition("?")[0] + (f"?{query}" if query else ""))
    encoding = (form.get("enctype") or "application/x-www-form-urlencoded").strip().lower()
    content_type, body = body_of(Submit(target, "wrapper", "POST", fields, encoding))
    return Request(target, "POST", (("Content-Type", content_type),), body)


def _sent(page: StaticPage, form: html.HtmlElement, button: html.HtmlElement | None) -> list[tuple[str, str]]:
    fields: list[tuple[str, str]] = []
    for control in page.root.iter(*CONTROLS):
        name, kind = control.get("name"), kind_of(control)
        if not name or control.get("disabled") is not None or form_of(page, control) is not form:
            continue
        if kind in ("checkbox", "radio"):
            if is_checked(page, control):
                fields.append((name, control.get("value", "on")))
        elif kind in (*SENDING, "button", "reset", "file") or control.tag == "button":
            if button is not None and control is button:
                fields.append((name, control.get("value", "")))
        elif control.tag == "select":
            fields.extend((name, value) for value in _chosen(page, control))
        else:
            default = (control.text or "") if control.tag == "textarea" else control.get("value", "")
            fields.append((name, page.typed.get(control, default)))
    return fields


def _chosen(page: StaticPage, select: html.HtmlElement) -> list[str]:
    if select in page.typed:
        return [page.typed[select]]
    options = list(select.iter("option"))
    chosen = [one for one in options if one.get("selected") is not None]
    if not chosen and select.get("multiple") is None:
        chosen = options[:1]
    return [_value(one) for one in chosen]
