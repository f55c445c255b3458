"""Finds lists that a script fills when another one is chosen, and the URL of their values.

No script is run: the URL that a script requests stands in it as text, with the name of the field it depends on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from siteseer.forms.any_choice import is_any, real_choices
from siteseer.forms.form import Field, Form
from siteseer.model import JSON, Page
from siteseer.page.encoding import decode
from siteseer.page.links import base
from siteseer.page.tree import content_type, is_html, tree
from siteseer.page.urls import resolve

MOST_CHOICES = 500
MOST_SCRIPT = 500_000
_LITERAL = re.compile(r"[\"'`]([^\"'`\s<>]{2,300})[\"'`]")
_VALUE_KEYS = ("value", "id", "key", "code", "slug")
_LABEL_KEYS = ("label", "name", "text", "title", "value")


@dataclass(frozen=True, slots=True)
class Dependent:
    """A list whose values depend on another field."""

    field: str
    on: str
    address: str
    """Where its values are asked for: the value of the other field is appended."""

    def url(self, value: str) -> str:
        """Return the URL of the values for one value of the other field."""
        return self.address + quote(value, safe="")


def dependents(page: Page, form: Form) -> list[Dependent]:
    """Return the empty lists of a form whose values a script asks for.

    >>> from siteseer.forms.parse_forms import forms
    >>> body = b'''<form action=/f><select name=make><option>A<option>B</select><select name=model></select></form>
    ... <script>make.onchange = e => load("/models?make=" + e.value)</script>'''
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)
    >>> dependents(page, forms(page)[0])[0].url("A")
    'http://e.org/models?make=A'
    """
    empty = [field.name for field in form.fields if field.type == "select" and field.name and _is_empty(field)]
    parents = [field.name for field in form.fields if field.is_closed and len(field.choices) > 1]
    if not empty or not parents:
        return []
    found: list[Dependent] = []
    for literal in _literals(page):
        for parent in parents:
            address = _address(page, literal, parent)
            if address and len(found) < len(empty):
                found.append(Dependent(empty[len(found)], parent, address))
    return found


def _is_empty(field: Field) -> bool:
    """Say whether a list has nothing to choose: no choice, or a single one that stands for none ("choose a make")."""
    is_alone = len(field.choices) == 1 and field.choices[0].value.strip() in ("", "0", "-1")
    return is_alone or not real_choices(field)


def _literals(page: Page) -> Iterator[str]:
    read = 0
    for script in tree(page).iter("script"):
        text = (script.text or "")[: MOST_SCRIPT - read]
        read += len(text)
        yield from _LITERAL.findall(text)
    for select in tree(page).iter("select"):
        yield from _LITERAL.findall((select.get("onchange") or "")[:2_000])
        for name in ("data-url", "data-source", "data-href"):
            if (address := select.get(name)) and select.get("name"):
                yield f"{address[:300]}{'&' if '?' in address else '?'}{select.get('name')}="


def _address(page: Page, literal: str, parent: str) -> str | None:
    start = literal.partition("${")[0]
    if not re.search(rf"[?&]{re.escape(parent)}=$", start):
        return None
    return resolve(base(page), start)


def read_choices(page: Page) -> tuple[str, ...]:
    """Return the values in the answer of a dependent list's URL: JSON, or options.

    >>> kind = (("Content-Type", "application/json"),)
    >>> body = b'[{"id": 3, "name": "Roses"}, {"id": 4, "name": "Trees"}]'
    >>> read_choices(Page("http://e.org/", headers=kind, body=body))
    ('3', '4')
    >>> body = b"<option value=0>All makes<option value=1>Alpine<option value=2>Borgward"
    >>> read_choices(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    ('1', '2')
    """
    if is_html(page) and "json" not in content_type(page):
        options = tree(page).iter("option")
        values = [str(one.get("value") if one.get("value") is not None else one.text or "") for one in options]
    else:
        try:
            values = list(_values(json.loads(decode(page)[:MOST_SCRIPT])))
        except (ValueError, RecursionError):
            values = []
    labels = labels_of(page)
    real = (value.strip()[:200] for value in values if not is_any(value, labels.get(value, value)))
    return tuple(dict.fromkeys(real))[:MOST_CHOICES]


def labels_of(page: Page) -> dict[str, str]:
    """Return what people read for each value of a dependent list.

    >>> kind = (("Content-Type", "application/json"),)
    >>> labels_of(Page("http://e.org/", headers=kind, body=b'[{"id": 3, "name": "Roses"}, "Ferns"]'))
    {'3': 'Roses'}
    """
    if is_html(page) and "json" not in content_type(page):
        options = list(tree(page).iter("option"))[:MOST_CHOICES]
        return {str(one.get("value")): " ".join((one.text or "").split()) for one in options if one.get("value")}
    try:
        found = json.loads(decode(page)[:MOST_SCRIPT])
    except (ValueError, RecursionError):
        return {}
    if isinstance(found, dict):
        inner = next((value for value in found.values() if isinstance(value, list)), None)
        if inner is None:
            return {str(key): str(value) for key, value in list(found.items())[:MOST_CHOICES] if isinstance(value, str)}
        found = inner
    labels: dict[str, str] = {}
    for one in found[:MOST_CHOICES] if isinstance(found, list) else ():
        if isinstance(one, dict) and (value := next(_values([one]), None)) is not None:
            name = next((one[key] for key in _LABEL_KEYS if isinstance(one.get(key), str) and key != "value"), None)
            labels[value] = str(name) if name is not None else value
    return labels


def _values(found: JSON) -> Iterator[str]:
    if isinstance(found, dict):
        inner = next((value for value in found.values() if isinstance(value, list)), None)
        if inner is None:
            yield from map(str, found)
            return
        found = inner
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict):
            key = next((name for name in (*_VALUE_KEYS, *_LABEL_KEYS) if isinstance(one.get(name), str | int)), None)
            if key is not None:
                yield str(one[key])
        elif isinstance(one, str | int):
            yield str(one)
