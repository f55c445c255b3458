"""Parses the forms of a page: every field with its label, choices and default, in document order."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from lxml import etree, html

from siteseer.forms.form import BUTTONS, CHOSEN, DATED, TYPED, Choice, Field, Form
from siteseer.model import Page
from siteseer.page.encoding import decode_name, web_encoding
from siteseer.page.links import base
from siteseer.page.text import UNREAD
from siteseer.page.tree import cached, is_html, tree
from siteseer.page.urls import resolve

MOST_FORMS = 200
MOST_FIELDS = 500
MOST_CHOICES = 2_000
_LONGEST_NODE = 2_000
_TYPES = TYPED | DATED | BUTTONS | CHOSEN | {"file", "hidden", "range", "color"}
_NEAR = 120
"""Text further away than this many characters labels something else."""
MOST_TEXT = 300
"""Characters of a label, value or text that are read."""
CONTROLS = frozenset(("input", "select", "textarea", "button"))


@dataclass(slots=True)
class _Control:
    element: html.HtmlElement
    before: str = ""
    after: str = ""
    nearest: str = ""
    """The last text before it."""


@cached
def forms(page: Page) -> tuple[Form, ...]:
    """Return the forms of a page.

    >>> body = b'<form action="/find"><label for=q>Words</label><input id=q name=q><select name=in><option>all</select>'
    >>> form, = forms(Page("http://e.org/a", headers=(("Content-Type", "text/html"),), body=body))
    >>> form.action, form.method, [(field.name, field.type, field.label, field.value) for field in form.fields]
    ('http://e.org/find', 'GET', [('q', 'text', 'Words', ''), ('in', 'select', '', 'all')])
    """
    if not is_html(page):
        return ()
    root = tree(page)
    found = list(islice(root.iter("form"), MOST_FORMS))
    if not found:
        return ()
    labels, elsewhere = labels_of(root), _owned_elsewhere(root)
    charset = decode_name(page)
    return tuple(_form(page, index, element, labels, elsewhere, charset) for index, element in enumerate(found))


def _form(
    page: Page,
    index: int,
    element: html.HtmlElement,
    labels: dict[str, str],
    elsewhere: dict[str, list[html.HtmlElement]],
    charset: str,
) -> Form:
    controls, text = _walk(element)
    controls += [_Control(one) for one in elsewhere.get(element.get("id") or "\0", ())]
    controls = [one for one in controls[:MOST_FIELDS] if one.element.get("form") in (None, element.get("id"))]
    raw = clean(element.get("action", ""), 2_000)
    method = element.get("method", "").strip().upper()
    multipart = element.get("enctype", "").strip().lower() == "multipart/form-data"
    accepted = element.get("accept-charset", "").replace(",", " ").split()
    return Form(
        index=index,
        page=page.url,
        action=(resolve(base(page), raw) or "") if raw else page.url,
        method="POST" if method == "POST" else "GET",
        encoding="multipart/form-data" if multipart and method == "POST" else "application/x-www-form-urlencoded",
        charset=_charset(accepted[0] if accepted else charset),
        fields=tuple(_merged((_field(control, labels), control.nearest) for control in controls)),
        raw_action=raw,
        id=clean(element.get("id", "")),
        name=clean(element.get("name", "")),
        classes=clean(element.get("class", "")),
        role=clean(element.get("role", "")),
        text=text,
    )


def _walk(form: html.HtmlElement) -> tuple[list[_Control], str]:
    """Return the controls of a form with the text before and after each, and the beginning of its text."""
    found: list[_Control] = []
    pieces: list[str] = []
    near: list[str] = []
    length = 0
    last: _Control | None = None

    def end_label() -> None:
        if last is not None and not last.after:
            last.after = " ".join(near)[:_NEAR]
        near.clear()

    def read(words: str | None) -> None:
        nonlocal length
        if not words or not (short := clean(words, _LONGEST_NODE)):
            return
        near.append(short)
        if length < MOST_TEXT:
            pieces.append(short)
            length += len(short) + 1

    walk = etree.iterwalk(form, events=("start", "end", "comment"))
    for event, element in walk:
        if event == "start":
            if element.tag in CONTROLS:
                found.append(_Control(element, " ".join(near)[-_NEAR:], nearest=near[-1][-_NEAR:] if near else ""))
                if element.get("type", "").lower() != "hidden":
                    end_label()
                    last = found[-1]
                if element.tag == "button":
                    pieces.append(text_of(element))
                walk.skip_subtree()
            elif element.tag in UNREAD:
                walk.skip_subtree()
            else:
                read(element.text)
        elif element is not form:
            if element.tag == "label" and last is not None and _type(last.element) in ("radio", "checkbox"):
                end_label()  # what is said after it belongs to the next one
            read(element.tail)
    end_label()
    return found, " ".join(pieces)[:MOST_TEXT]


def _owned_elsewhere(root: html.HtmlElement) -> dict[str, list[html.HtmlElement]]:
    """Return the controls that belong to a form in which they do not stand, by the form's id."""
    found: dict[str, list[html.HtmlElement]] = {}
    for element in root.xpath("//input[@form] | //select[@form] | //textarea[@form] | //button[@form]")[:MOST_FIELDS]:
        owner = element.get("form")
        if not any(one.get("id") == owner for one in element.iterancestors("form")):
            found.setdefault(owner, []).append(element)
    return found


def _field(control: _Control, labels: dict[str, str]) -> Field:
    element = control.element
    kind = _type(element)
    said = control_label(element, labels)
    around = (control.after, control.before) if kind in ("radio", "checkbox") else (control.before, "")
    label = said or next((one.strip(" :*") for one in around if one.strip(" :*")), "")
    hints = (said, *(element.get(name, "") for name in ("placeholder", "title", "aria-label", "alt")), control.before)
    value, choices, is_set = _value(element, kind, label)
    return Field(
        name=clean(element.get("name", "")),
        type=kind,
        label=clean(value if kind in BUTTONS and value else label),
        value=value,
        choices=choices,
        is_set=is_set,
        multiple=kind == "select" and element.get("multiple") is not None,
        disabled=element.get("disabled") is not None,
        read_only=element.get("readonly") is not None,
        required=element.get("required") is not None,
        id=clean(element.get("id", "")),
        classes=clean(element.get("class", "")),
        hints=clean(" ".join(hints)),
    )


def _type(element: html.HtmlElement) -> str:
    kind = str(element.get("type", "")).strip().lower()
    if element.tag == "button":
        return kind if kind in ("button", "reset") else "submit"
    if element.tag != "input":
        return str(element.tag)
    return kind if kind in _TYPES and kind not in ("select", "textarea") else "text"


def _value(element: html.HtmlElement, kind: str, label: str) -> tuple[str, tuple[Choice, ...], bool]:
    """Return the value sent by default, the choices, and whether anything is sent by default."""
    if element.tag == "select":
        options = tuple(islice(element.iter("option"), MOST_CHOICES))
        choices = tuple(_choice(one) for one in options)
        chosen = [choice for one, choice in zip(options, choices, strict=True) if one.get("selected") is not None]
        if not chosen and element.get("multiple") is None:
            chosen = list(choices[:1])
        return (chosen[0].value if chosen else ""), choices, bool(chosen)
    if element.tag == "textarea":
        return clean(element.text or "", _LONGEST_NODE), (), True
    if kind in ("radio", "checkbox"):
        value = str(element.get("value", "on"))[:_LONGEST_NODE]
        return value, (Choice(value, clean(label)),), element.get("checked") is not None
    if element.tag == "button":
        return str(element.get("value") or text_of(element))[:MOST_TEXT], (), False
    return str(element.get("value", ""))[: _LONGEST_NODE * 10], (), kind not in BUTTONS


def _choice(option: html.HtmlElement) -> Choice:
    words = text_of(option)
    value = option.get("value")
    return Choice((words if value is None else value)[:_LONGEST_NODE], option.get("label") or words)


def _merged(fields: Iterator[tuple[Field, str]]) -> Iterator[Field]:
    """Join radio buttons, and check boxes, of one name; what stands before the first of them is what they are about."""
    found: dict[object, Field] = {}
    about: dict[object, str] = {}
    for number, (field, nearest) in enumerate(fields):
        key = (field.name, field.type) if field.type in ("radio", "checkbox") and field.name else number
        known = found.get(key)
        if known is None:
            found[key] = field
            about[key] = nearest.strip(" :*")
            continue
        multiple = field.type == "checkbox"
        chosen = field if field.is_set and not (multiple and known.is_set) else known
        found[key] = replace(
            known,
            label=about[key] if about[key] not in ("", field.label) else known.label,
            value=chosen.value,
            is_set=known.is_set or field.is_set,
            choices=known.choices + field.choices,
            multiple=multiple,
            hints=clean(f"{known.hints} {field.hints}"),
        )
    yield from found.values()


def _charset(name: str) -> str:
    known = web_encoding(name)
    if known is None or known.startswith("utf-16"):
        return "utf-8"
    try:
        return name.lower() if codecs.lookup(name) else known
    except LookupError:
        return known


def labels_of(root: html.HtmlElement) -> dict[str, str]:
    """Return the text that label elements, and whatever aria-labelledby names, give to an id."""
    found: dict[str, str] = {}
    for label in islice(root.iter("label"), 5_000):
        if (target := label.get("for")) and target not in found:
            found[target] = text_of(label)
    named = {one for many in root.xpath("//@aria-labelledby")[:500] for one in str(many).split()[:5]}
    if named:
        for element in islice(root.xpath("//*[@id]"), 20_000):
            if element.get("id") in named:
                found["#" + element.get("id")] = text_of(element)
    return found


def control_label(element: html.HtmlElement, labels: dict[str, str]) -> str:
    """Return the label of a control: label for, label around, aria, placeholder, title."""
    wrapping = next(element.iterancestors("label", "form"), None)
    candidates = (
        labels.get(element.get("id") or "\0", ""),
        text_of(wrapping) if wrapping is not None and wrapping.tag == "label" else "",
        " ".join(labels.get("#" + one, "") for one in element.get("aria-labelledby", "").split()[:5]),
        element.get("aria-label", ""),
        element.get("placeholder", ""),
        element.get("title", ""),
        element.get("alt", "") if element.get("type", "").lower() == "image" else "",
    )
    return next((short for one in candidates if (short := clean(one).strip(" :*"))), "")


def text_of(element: html.HtmlElement) -> str:
    """Return the words below an element, without those of controls inside it."""
    if not len(element):
        return clean(element.text or "")
    found: list[str] = []
    length = 0
    walk = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, one in walk:
        words = one.text if event == "start" else one.tail if one is not element else None
        if event == "start" and one is not element and (one.tag in UNREAD or one.tag in CONTROLS):
            walk.skip_subtree()
            words = None
        if words and (words := clean(words)):
            found.append(words)
            length += len(words)
        if length > MOST_TEXT:
            break
    return " ".join(found)[:MOST_TEXT]


def clean(text: str, most: int = MOST_TEXT) -> str:
    """Return text on one line, short, without control characters."""
    short = " ".join(text[: most * 4].split())[:most]
    return short if short.isprintable() else "".join(one if one.isprintable() else " " for one in short).strip()
