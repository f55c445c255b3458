"""Decides whether a crawler may submit a form: only forms that search, never ones that write, sign up, send or buy.

The classifier alone is never trusted: words and fields of acting forms refuse, and something must say that it searches.
"""

# ruff: noqa: E501 - lists of words read better unbroken

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from siteseer.forms.field_concepts import concepts, folded, says_only_search
from siteseer.forms.field_roles import PERSONAL, query_field, words_of
from siteseer.forms.form import SENDING, Form
from siteseer.forms.form_features import has_search_button, path_of
from siteseer.forms.form_kinds import FormKind, classify

GET_AT_LEAST = 0.5
POST_AT_LEAST = 0.9
"""How probable a search form must be: what is posted may change something, so doubt ends there."""
BUTTON_AT_LEAST = 0.7
"""How improbable acting kinds must be for a form whose only button says "search", and nothing else but what for."""
REFUSED_TYPES = frozenset(("password", "file", "email", "tel", "textarea"))
_JOINING = frozenset("and or then und oder et ou y o e to your my".split())
"""After these a button may do something else too."""
_OPERATION = re.compile(r"^(?:action|task|do|mode|op|cmd|command|act|method|_method|func|event)$")
_NEVER = re.compile(
    folded(
        r"\b(?:delet|remov|sav(?:e|ing)\b|unsubscri|pass(?:word|wd|wort)|pwd\b|account|sign ?up|signup|regist|checkout|"
        r"donat|spend(?:e|en)\b|upload|edit\b|vot(?:e|es|ing|er)\b|poll\b|polls\b|umfrage|abstimm|sondage|encuesta|enquete|"
        r"sondaggio|ankiet|anket|rate\b|bewert|log ?out|signout|abmeld|losch|speicher|supprim|elimin|borrar|guardar|salvar|"
        r"enregistr|inscri|cadastr|usun|zapisz|smazat|ulozit|pay\b|payment|paypal|zahlung|bezahl|put\b|insert\b|update\b|"
        r"update ?cart|confirm|bestatig|reset pass)|удал|сохран|голос|оплат|зарегистр|регистрац|пароль|投票|削除|登録|"
        r"删除|刪除|注册|註冊|保存|支付"
    )
)
_ACTING = re.compile(
    folded(
        r"\b(?:log ?in|sign ?in|anmeld|einlogg|connexion|connecter|acceder|entrar|accedi|inloggen|zaloguj|prihlas|"
        r"subscri|newsletter|abonn|suscri|mailing|cart|basket|bag\b|warenkorb|panier|carrito|order(?! ?by)|bestell|buy|"
        r"kaufen|acheter|comprar|purchase|book now|reserv|contact|kontakt|send|senden|envoy|enviar|invia|verzend|skicka|"
        r"comment|kommentar|reply|respond|antwort|post\b|message|add\b|create|new topic|newreply|join|enrol|apply|"
        r"quote|subscribe|request|review|report|like\b|follow\b|share|tip\b|ask\b|feedback|agree|accept|invite)|войти|вход|подпис|"
        r"корзин|купить|отправ|коммент|заказ|добав|送信|購入|カート|提交|发送|購物車|购物车|로그인"
    )
)


@dataclass(frozen=True, slots=True)
class Permission:
    """Whether a form may be sent, and why."""

    allowed: bool
    because: str


def permission(form: Form, post: bool = True, classified: FormKind | None = None) -> Permission:
    """Say whether a form may be sent without a person; `post` lets forms be sent in the body where that is safe.

    >>> from siteseer.forms.parse_forms import forms
    >>> from siteseer.model import Page
    >>> body = b'<form action="/find"><input name=q><input type=submit value=Search></form><form><textarea name=t></textarea>'
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)
    >>> [permission(form).allowed for form in forms(page)]
    [True, False]
    """
    if reason := next(_refusals(form), ""):
        return Permission(False, reason)
    found = evidence(form)
    if not found:
        return Permission(False, "nothing says that it searches")
    chances = (classified or classify(form)).probabilities
    chance = chances["search"]
    is_said = (has_search_button(form) or finds_something(form)) and chances["other"] + chance >= BUTTON_AT_LEAST
    if form.method == "POST":
        if not post:
            return Permission(False, "it is posted, and only forms sent by GET are allowed")
        sure = chance >= POST_AT_LEAST and len(found) > 1
        if not sure and not is_said:
            return Permission(False, f"it is posted and not surely a search form (probability {chance:.2f})")
    elif chance < GET_AT_LEAST and not is_said:
        return Permission(False, f"it is probably no search form (probability {chance:.2f})")
    return Permission(True, f"a search form: {', '.join(found)} (probability {chance:.2f})")


def finds_something(form: Form) -> bool:
    """Say whether the only button that sends a form names what it finds: "Find vacancies", "Search jobs"."""
    sending = [field.value or field.label for field in form.fields if field.type in SENDING]
    if len(sending) != 1 or len(sending[0]) > 40:
        return False
    words = spaced(sending[0]).split()
    return 1 < len(words) < 4 and says_only_search(words[0]) and not _JOINING & set(words)


def evidence(form: Form) -> list[str]:
    """Return the evidence that a form searches."""
    texts = {
        "its action": spaced(path_of(form.raw_action)),
        "its name": spaced(f"{form.id} {form.name} {form.classes} {form.role}"),
        "its button": _sending(form),
    }
    found = [name for name, text in texts.items() if "search" in concepts(text)]
    field = query_field(form)
    if field is not None and (
        field.type == "search" or {"query", "search"} & (concepts(field.name) | concepts(field.hints) - {"query"})
    ):
        found.append(f"the field {field.name}")
    return found


def _refusals(form: Form) -> Iterator[str]:
    """Yield reasons against sending a form, the plainest first."""
    if not form.action:
        yield "its action is no address"
    for field in form.fields:
        if field.type in REFUSED_TYPES:
            yield f"it has a field of type {field.type}"
        if field.type in ("text", "number", "url") and PERSONAL.search(folded(field.name)):
            yield f"its field {field.name} asks for something personal"
        if "captcha" in concepts(f"{field.name} {field.id} {field.hints}"):
            yield "it asks for a captcha"
    if not any(field.name and (field.is_open or field.is_closed) and not field.read_only for field in form.fields):
        yield "it has no field to fill"
    if form.method == "POST" and query_field(form) is None:
        yield "it is posted and has no field for a query"
    for name, text in _deeds(form):
        if found := _NEVER.search(text):
            yield f"{name} says {found[0]!r}"
    for name, text in (*_deeds(form), ("its name", spaced(f"{form.id} {form.name} {form.classes}"))):
        if (found := _ACTING.search(text)) and "search" not in concepts(text):
            yield f"{name} says {found[0]!r}"


def _deeds(form: Form) -> Iterator[tuple[str, str]]:
    """Yield where a form says what it does."""
    yield "its action", spaced(path_of(form.raw_action))
    yield "its button", _sending(form)
    for field in form.fields:
        if field.type == "hidden" and _OPERATION.search(folded(field.name)):
            yield f"its hidden field {field.name}", spaced(field.value)


def _sending(form: Form) -> str:
    sending = [field for field in form.fields if field.type in SENDING or (field.type == "button" and field.value)]
    return spaced(" ".join(f"{field.value} {field.label} {words_of(field)}" for field in sending))


def spaced(text: str) -> str:
    """Return text as folded words, those written together taken apart.

    >>> spaced("/saveSettings.php?do=add_post")
    'save settings php do add post'
    """
    apart = re.sub(r"[\W_]+|(?<=[a-z])(?=[A-Z])", " ", text[:400])
    return folded(apart.strip())
