"""Returns the seed queries of a form: words to search for before anything is known of its source.

Reference: Oita's thesis, section 3.1: stop words, terms from the choices of closed fields and from the text around the
form; section 3.2: a word that nobody uses, to see what an answer looks like that finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from siteseer.forms.any_choice import real_choices
from siteseer.forms.field_concepts import concepts
from siteseer.forms.field_roles import query_field, ranges
from siteseer.forms.form import Field, Form
from siteseer.forms.next_queries import search_words
from siteseer.forms.rare_terms import rarest, terms_of
from siteseer.model import Page
from siteseer.page.text import WORD
from siteseer.page.tree import language

NONSENSE = "qzxvwkjpf"
MOST_HINTED = 4
STOP_WORDS = {
    "en": ("the", "and", "with", "for"),
    "de": ("der", "und", "die", "mit"),
    "fr": ("les", "des", "une", "pour"),
    "es": ("los", "las", "con", "para"),
    "it": ("che", "per", "con", "una"),
    "pt": ("com", "uma", "dos", "para"),
    "nl": ("het", "van", "een", "met"),
    "sv": ("och", "att", "det", "med"),
    "pl": ("nie", "się", "dla", "jest"),
    "ru": ("что", "как", "для", "это"),
}
"""Words of three letters or more: shorter ones are often refused."""


def text_fields(form: Form) -> list[Field]:
    """Return the fields for any words, that for the query first; the ends of ranges are left out.

    >>> fields = (Field("min", "text"), Field("max", "text"), Field("author", "text"), Field("q", "search"))
    >>> [field.name for field in text_fields(Form(0, "", "", "GET", "", "utf-8", fields))]
    ['q', 'author']
    """
    ends = {field.name for pair in ranges(form) for field in pair}
    query = query_field(form)
    found = [
        field
        for field in form.fields
        if field.type in ("text", "search", "number") and field.name and not field.read_only and field.name not in ends
    ]
    return sorted(found, key=lambda field: field is not query)


def stop_words(page: Page) -> tuple[str, ...]:
    """Return stop words of the page's language; English ones where it is none we know."""
    return STOP_WORDS.get(language(page)[:2], STOP_WORDS["en"])


def last_resorts(form: Form, page: Page) -> list[str]:
    """Return words to search for where none of the page's own finds anything: hints inside the field, and stop words.

    >>> body = b"<html lang=de><form action=/f><input name=q placeholder='z. B. Apfelkuchen'></form>"
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)
    >>> from siteseer.forms.parse_forms import forms
    >>> last_resorts(forms(page)[0], page)
    ['apfelkuchen', 'der', 'und']
    """
    field = query_field(form)
    shown = terms_of(page)
    hinted = search_words(field.hints) if field is not None else []
    own = [word for word in hinted if word not in shown and len(word) > 3 and not concepts(word)]
    return list(dict.fromkeys((*own[:MOST_HINTED], *stop_words(page)[:2])))


def contextual_terms(form: Form, page: Page) -> Iterator[str]:
    """Yield words from the choices of the form, then rare words of the page, longest first among equals."""
    seen: set[str] = set()
    chosen = (
        word
        for field in form.fields
        for choice in real_choices(field)[:50]
        for word in WORD.findall((choice.label or choice.value).lower())
        if word.isalpha() and len(word) > 3
    )
    for pair in zip_longest(chosen, rarest(terms_of(page), 30)):
        for word in pair:
            if word and word not in seen:
                seen.add(word)
                yield word
