"""Draws the fields of a searchable demo site's form, and reads submitted values back."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape

from siteseer.demo.sources.entry import Question, Source, TemplateWords
from siteseer.demo.sources.source_templates import Skin

CITIES = "/cities"
"""Where the script of a form asks for the choices of a dependent list."""
SCRIPT = """<script>document.getElementById("%(on)s").addEventListener("change",function(){var list=document.getElementById("%(field)s");
fetch("%(path)s?%(on)s="+encodeURIComponent(this.value)).then(function(r){return r.json()}).then(function(all){list.innerHTML="<option value=''></option>";
all.forEach(function(one){var o=document.createElement("option");o.value=one.id||one;o.textContent=one.name||one;list.appendChild(o)});list.disabled=false})})</script>"""


def draw_fields(source: Source, skin: Skin) -> str:
    """Draw all fields of the search form."""
    return "".join(
        skin.ask(skin.tongue.labels[question.key], skin.tongue.fields[question.key], _control(source, skin, question))
        for question in source.questions
    )


def _control(source: Source, skin: Skin, question: Question) -> str:
    name = skin.tongue.fields[question.key]
    if question.asks == "choice":
        options = "".join(
            f'<option value="{escape(spelled(source, skin.tongue, question.attribute, one))}">{escape(one)}</option>'
            for one in source.choices(question.attribute)
        )
        return (
            f'<select id="{name}" name="{name}"><option value="">{skin.tongue.says["any"]}</option>{options}</select>'
        )
    if question.asks == "dependent":
        return f'<select id="{name}" name="{name}" disabled></select>'
    return f'<input type="text" id="{name}" name="{name}">'


def draw_script(source: Source, tongue: TemplateWords) -> str:
    """Draw the script that fills the dependent lists."""
    return "".join(
        SCRIPT % {"on": tongue.fields[one.on], "field": tongue.fields[one.key], "path": CITIES}
        for one in source.questions
        if one.asks == "dependent"
    )


def dependent_choices(source: Source, tongue: TemplateWords, query: Mapping[str, str]) -> str:
    """Return, as JSON, what a dependent list offers for the value of the other."""
    for question in source.questions:
        if question.asks == "dependent":
            on = next(one for one in source.questions if one.key == question.on)
            value = understood(source, tongue, on.attribute, query.get(tongue.fields[on.key], ""))
            names = source.choices(question.attribute, (on.attribute, value))
            if not tongue.by_number:
                return json.dumps(names)
            return json.dumps([{"id": spelled(source, tongue, question.attribute, one), "name": one} for one in names])
    return "[]"


def spelled(source: Source, tongue: TemplateWords, attribute: str, value: str) -> str:
    """Return how a form sends a choice: by its number, or in lower case."""
    return str(source.choices(attribute).index(value) + 1) if tongue.by_number else value.lower()


def understood(source: Source, tongue: TemplateWords, attribute: str, sent: str) -> str:
    """Return the choice that a form sent; what is no choice is returned as it is."""
    choices = source.choices(attribute)
    return next((one for one in choices if spelled(source, tongue, attribute, one) == sent.strip().lower()), sent)


def asked(source: Source, tongue: TemplateWords, query: Mapping[str, str]) -> dict[str, str]:
    """Return what was asked, by the keys of the questions."""
    found = {}
    for question in source.questions:
        sent = query.get(tongue.fields[question.key], "").strip()
        closed = question.asks in ("choice", "dependent")
        found[question.key] = understood(source, tongue, question.attribute, sent) if closed and sent else sent
    return found
