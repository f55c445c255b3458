"""Recognises the role of a field: the search query, an e-mail address, a password, a price from or to."""

from __future__ import annotations

import re
from itertools import pairwise

from siteseer.forms.field_concepts import concepts, folded
from siteseer.forms.form import DATED, SENDING, Field, Form

QUERY = "search query"
REFINEMENT = "search category / refinement"
_SEARCH_NAME = re.compile(
    r"^(?:q|s|k|w|qs|st|wd|kw|str|as_q|ss|sq|term|terms|words?|text|req|request|for|find|key|keys|phrase|story)$|query|keyword|"
    r"search|suche|such_?begriff|recherche|busca|busqueda|pesquis|zoek|szukaj|hledat|vyraz|поиск"
)
_REFINING = re.compile(
    r"zip|post_?code|postal|\bplz\b|\bcity\b|\bort\b|location|where|near|radius|distance|price|preis|\bprix|precio|prezzo|"
    r"\bmin\b|\bmax\b|\bfrom\b|\bto\b|\bvon\b|\bbis\b|date|datum|day|month|year|jahr|arriv|depart|check_?(?:in|out)|guests|rooms"
)
PERSONAL = re.compile(
    r"e_?mail|\bmail\b|user|login|nick|passw|pwd|phone|\btel\b|first_?name|last_?name|full_?name|surname|your_?name|address|"
    r"street|card|cvv|iban|comment|message|captcha|coupon|promo|voucher|\bqty\b|quantity|birth"
)
"""Names of fields that ask for something about a person, or for something to be written."""
_LOWEST = re.compile(
    r"\b(?:min|minimum|from|lowest|low|von|ab|start|begin|after|since|de|desde|da|od|van|from_?price|vanaf)\b"
)
_HIGHEST = re.compile(r"\b(?:max|maximum|to|until|highest|high|bis|end|before|a|hasta|au|do|tot|till|up to)\b")
_PARTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)")
_SIMPLE = (
    ("captcha", "captcha"), ("mail", "email"), ("phone", "phone"), ("user", "username"), ("name", "full name"),
)  # fmt: skip


def words_of(field: Field) -> str:
    """Return name and id of a field as words.

    >>> words_of(Field("searchTerm[min_price]", "text"))
    'search term min price'
    """
    return " ".join(_PARTS.sub(" ", f"{field.name} {field.id}").lower().split())


def query_score(field: Field, position: int) -> float:
    """Return how likely a field is the one for the search query."""
    name, words, said = folded(field.name), words_of(field), folded(f"{field.hints} {field.value}")
    score = 3.0 * (field.type == "search")
    score += 2.0 * bool(_SEARCH_NAME.search(name) or _SEARCH_NAME.search(words.rpartition(" ")[2]))
    score += 2.0 * ("search" in concepts(f"{field.name} {field.id} {field.classes}"))
    score += 1.5 * any(word in words for word in ("keyword", "query", "term", "phrase"))
    score += 1.0 * ("search" in concepts(said))
    score -= 2.0 * bool(_REFINING.search(words))
    score -= 3.0 * bool(PERSONAL.search(name))
    return score - 0.3 * position


def query_field(form: Form) -> Field | None:
    """Return the field for the search query, if the form has one.

    >>> fields = (Field("zip", "text"), Field("keywords", "text"))
    >>> query_field(Form(0, "", "", "GET", "", "utf-8", fields)).name
    'keywords'
    """
    open_ = [one for one in form.fields if one.type in ("text", "search") and one.name and not one.read_only]
    scored = [(query_score(field, at), -at, field) for at, field in enumerate(open_)]
    best = max(scored, key=lambda one: one[:2], default=None)
    return best[2] if best is not None and best[0] >= -0.5 else None


def role(field: Field, form: Form, is_search: bool) -> str:
    """Return the role of a field, in the words of form annotation; empty where it is not known."""
    if field.type in SENDING:
        return "submit button"
    if field.type == "password":
        return "password"
    if field.type in ("hidden", "button", "reset", "file"):
        return ""
    if is_search:
        return QUERY if field is query_field(form) else REFINEMENT
    if field.type in ("email", "tel"):
        return {"email": "email", "tel": "phone"}[field.type]
    if not field.is_open:
        return ""
    if field.type == "textarea":
        return "comment text" if "contact" in concepts(f"{field.name} {field.hints}") else ""
    for spoken in (f"{field.name} {field.id}", field.hints):
        met = concepts(spoken)
        for concept, name in _SIMPLE:
            if concept in met:
                return name
    return ""


def ranges(form: Form) -> list[tuple[Field, Field]]:
    """Return the pairs of open fields that ask for the two ends of a range, lowest first.

    >>> fields = (Field("title", "text"), Field("price_min", "text"), Field("price_max", "text"))
    >>> [(low.name, high.name) for low, high in ranges(Form(0, "", "", "GET", "", "utf-8", fields))]
    [('price_min', 'price_max')]
    """
    open_ = [
        field for field in form.fields if field.is_open and field.name and field.type not in ("password", "textarea")
    ]
    found = []
    for low, high in pairwise(open_):
        same = low.type == high.type or {low.type, high.type} <= DATED
        if same and _is_end(low, _LOWEST) and _is_end(high, _HIGHEST) and not _is_end(low, _HIGHEST):
            found.append((low, high))
    return found


def _is_end(field: Field, expression: re.Pattern[str]) -> bool:
    return bool(expression.search(words_of(field)) or expression.search(folded(field.label)))
