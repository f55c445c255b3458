"""Finds further pages of a list behind buttons and menus instead of links.

A form that is sent by GET is only another way to write a URL: one whose button says "next", or whose menu lists the
numbers of pages. So is a menu of addresses, and a button whose script goes to an address. Forms into which people
write are searches, and left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from urllib.parse import urlencode

from lxml import html

from siteseer.model import Page
from siteseer.page.links import base
from siteseer.page.pagination import link_words as words
from siteseer.page.pagination.list_position import is_place_name, names_position
from siteseer.page.tree import cached, is_html, tree
from siteseer.page.urls import resolve
from siteseer.page.whole_number import whole_number

MOST_FORMS, MOST_CONTROLS, MOST_OPTIONS = 40, 60, 1_000
_WRITTEN = frozenset("text search password email url tel number date file".split())
_GOES_TO = re.compile(
    r"location(?:\.href)?\s*=\s*['\"]([^'\"]{1,1000})['\"]|location\.(?:assign|replace)\(\s*['\"]([^'\"]{1,1000})"
)
_PAGE_TEXT = re.compile(rf"^\W*(?:(?:{words.PAGE})\W{{0,3}})?(\d{{1,6}})\b", re.IGNORECASE)
Control = tuple[str, str]
"""A URL, and what the button or the entry of the menu says."""


@cached
def controls(page: Page) -> tuple[Control, ...]:
    """Return URLs and labels of the buttons and menu entries that continue a list, in page order.

    >>> body = b'<form action=/l><input type=hidden name=start value=20><input type=submit value="Next"></form>'
    >>> controls(Page("http://e.org/l", headers=(("Content-Type", "text/html"),), body=body))
    (('http://e.org/l?start=20', 'next'),)
    """
    if not is_html(page):
        return ()
    root, found = tree(page), dict[str, str]()
    for form in islice(root.iter("form"), MOST_FORMS):
        if form.get("method", "get").strip().lower() in ("get", ""):
            for url, label in (*_by_buttons(form, page), *_by_menus(form, page)):
                found.setdefault(url, label)
    for url, label in (*_scripted_buttons(root, page), *_menus_of_addresses(root, page)):
        found.setdefault(url, label)
    return tuple((url, label) for url, label in found.items() if names_position(url, page.url))


def _by_buttons(form: html.HtmlElement, page: Page) -> Iterator[Control]:
    fields = _fields(form)
    if fields is None:
        return
    for button in _buttons(form):
        label = _label(button)
        if words.says_only_direction(label) or (words.NUMBER.match(label) and button.get("name")):
            name = button.get("name")
            sent = [*fields, *([(name, button.get("value", ""))] if name and button.get("type") != "image" else [])]
            yield from _sent(page, button.get("formaction") or form.get("action", ""), sent, label)


def _by_menus(form: html.HtmlElement, page: Page) -> Iterator[Control]:
    for menu in islice(form.iter("select"), MOST_CONTROLS):
        name, options = menu.get("name", ""), _options(menu)
        fields = _fields(form, but=menu)
        if name and fields is not None and is_list_of_pages(name, options):
            for value, label in options:
                if value != _chosen(menu):
                    yield from _sent(page, form.get("action", ""), [*fields, (name, value)], label)


def is_list_of_pages(name: str, options: list[Control]) -> bool:
    """Say whether a menu lists pages: numbers one after the other, in a field or with labels that speak of pages.

    >>> is_list_of_pages("start", [("0", "1"), ("20", "2"), ("40", "3")])
    True
    >>> is_list_of_pages("size", [("10", "10"), ("20", "20")]), is_list_of_pages("stars", [("1", "1"), ("2", "2")])
    (False, False)
    """
    found = [_PAGE_TEXT.match(label) for _, label in options]
    numbers = [int(one[1]) for one in found if one]
    values = [number for value, _ in options if (number := whole_number(value)) is not None]
    if len(options) < 2 or len(numbers) < len(options) or len(values) < len(options):
        return False
    if any(b - a != 1 for a, b in pairwise(numbers)) or len({b - a for a, b in pairwise(values)}) != 1:
        return False
    return is_place_name(name) or all(re.search(words.PAGE, label) for _, label in options)


def _scripted_buttons(root: html.HtmlElement, page: Page) -> Iterator[Control]:
    """Return where buttons lead whose script names an address."""
    for button in islice(root.iter("button", "input"), MOST_CONTROLS):
        match = _GOES_TO.search(button.get("onclick", "")[:2_000])
        label = _label(button) if match else ""
        if match and words.says_only_direction(label) and (url := resolve(base(page), match[1] or match[2])):
            yield url, label


def _menus_of_addresses(root: html.HtmlElement, page: Page) -> Iterator[Control]:
    """Return the entries of menus whose values are addresses and whose labels are the numbers of pages."""
    for menu in islice(root.iter("select"), MOST_CONTROLS):
        options = _options(menu)
        numbers = [int(one[1]) for _, label in options if (one := _PAGE_TEXT.match(label))]
        if len(numbers) < 2 or len(numbers) < len(options) or any(b - a != 1 for a, b in pairwise(numbers)):
            continue
        for value, label in options:
            if ("?" in value or "/" in value) and (url := resolve(base(page), value)):
                yield url, label


# ── what a form sends ─────────────────────────────────────────────────────────────────────────────────────────────


def _fields(form: html.HtmlElement, but: html.HtmlElement | None = None) -> list[tuple[str, str]] | None:
    """Return what a form sends besides its button; None where people write something into it."""
    fields: list[tuple[str, str]] = []
    for one in islice(form.iter("input", "select", "textarea"), MOST_CONTROLS):
        kind, name = one.get("type", "text").lower() if one.tag == "input" else one.tag, one.get("name", "")
        if kind in _WRITTEN or kind == "textarea":
            return None
        if one is but or not name:
            continue
        if kind == "hidden" or (kind in ("checkbox", "radio") and one.get("checked") is not None):
            fields.append((name, one.get("value", "" if kind == "hidden" else "on")))
        elif kind == "select" and (chosen := _chosen(one)) is not None:
            fields.append((name, chosen))
    return fields


def _chosen(menu: html.HtmlElement) -> str | None:
    options = list(islice(menu.iter("option"), MOST_OPTIONS))
    chosen = next((one for one in options if one.get("selected") is not None), options[0] if options else None)
    return None if chosen is None else _value(chosen)


def _options(menu: html.HtmlElement) -> list[Control]:
    return [(_value(one), _folded(one.text_content())) for one in islice(menu.iter("option"), MOST_OPTIONS)]


def _value(option: html.HtmlElement) -> str:
    value = option.get("value")
    return value.strip() if value is not None else " ".join(option.text_content().split())


def _buttons(form: html.HtmlElement) -> Iterator[html.HtmlElement]:
    for one in islice(form.iter("input", "button"), MOST_CONTROLS):
        if one.get("type", "submit" if one.tag == "button" else "text").lower() in ("submit", "image"):
            yield one


def _label(button: html.HtmlElement) -> str:
    said = button.text_content() if button.tag == "button" else ""
    if button.tag == "button" and not said.strip():
        said = next((one.get("alt", "") for one in button.iter("img")), "")
    if not said.strip():
        said = button.get("value") or button.get("alt") or button.get("title") or button.get("aria-label") or ""
    return _folded(said)


def _folded(text: str) -> str:
    return " ".join(text[:200].split()).lower()[:60]


def _sent(page: Page, action: str, fields: list[tuple[str, str]], label: str) -> Iterator[Control]:
    url = resolve(base(page), action) if action else page.url
    if url and (made := resolve(url, f"?{urlencode(fields)}")):
        yield made, label
