"""Gives up on a form from which nothing can be learned: every answer is an error, or always the same.

A form is queried no more often than it takes to be sure: one that only has errors is left after its answers to itself,
to a nonsense word and to one real query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import html

from siteseer.deepweb.records.record_leaves import MOST_OF_PAGE, leaves
from siteseer.deepweb.records.value_types import fold
from siteseer.deepweb.sampling.query_budget import NoAnswerError
from siteseer.forms.answer_types import Query
from siteseer.forms.form import Form
from siteseer.forms.seed_queries import NONSENSE
from siteseer.model import Page
from siteseer.page.text import text
from siteseer.page.tree import tree

Heard = Sequence[tuple[Query, Page | None]]
REFUSING = (403, 429)
"""With the errors from 500 on, the answers that are not about what was asked for."""
ENOUGH_OF_THE_SAME = 6
ENOUGH_BESIDE_OTHERS = 12
"""Answers that share a sentence, whatever else changes in them."""
FEW = 3
"""An answer with an error may have so many other texts of its own: an advert, an echo, a number."""
_ERROR = re.compile(
    r"\b(?:errors?|exceptions?|went wrong|try again|unavailable|out of (?:order|service)|maintenance|not working|"
    r"failed|failure|timed? ?out|fehler|gestort|wartung|versuchen sie es|nicht verfugbar|erreurs?|reessayer|"
    r"indisponible|est survenue|inten\w{1,8} (?:lo )?(?:mas tarde|de nuevo)|se ha producido|no disponible|errori|"
    r"errore|riprova|non disponibile|erros?|indisponivel|tente novamente|fout|storing|fel uppstod|blad|chyba|hiba|"
    r"virhe)\b|ошибк|недоступ|エラー|错误|오류"
)
_NOTHING = re.compile(
    r"\b(?:no|0|zero|nothing|not? any|without|kein\w{0,2}|nichts|aucun\w?|rien|ningun\w?|nada|nessun\w?|nenhum\w?|geen|"
    r"inga|ingen|brak|nie) (?:\w{1,20} ){0,4}?(?:results?|hits?|match\w{0,4}|records?|items?|entries|found|treffer|"
    r"ergebnis\w{0,3}|gefunden|resultats?|trouve\w{0,2}|resultados?|encontr\w{1,4}|risultat\w|trovat\w|resultat\w{0,3}|"
    r"traffar|gevonden)\b|\bdid not match\b|\bnot found\b"
)


def is_nonsense(query: Query) -> bool:
    """Say whether a query consists of the nonsense word."""
    return any(value == NONSENSE for _, value in query)


def refuse_errors(form: Form, heard: Heard, is_last: bool = False) -> None:
    """Raise where every answer so far is an error: of the server after one real query, of any kind after two."""
    if not all(page is None or page.status >= 400 for _, page in heard):
        return
    real = sum(bool(query) and not is_nonsense(query) for query, _ in heard)
    statuses = {page.status for _, page in heard if page is not None}
    needed = 1 if all(status >= 500 or status in REFUSING for status in statuses) else 2
    if real >= needed or (is_last and len(heard) > 1):
        said = ", ".join(map(str, sorted(statuses))) or "none at all"
        raise NoAnswerError(
            f"every answer of the form of {form.page} is an error ({said}): nothing can be learned from it"
        )


def refuse_sameness(form: Form, form_page: Page, heard: Heard) -> None:
    """Raise where every answer so far is the same, whatever the query, and lists nothing new."""
    pages = [(query, page) for query, page in heard if page is not None and page.status < 400]
    real = sum(bool(query) and not is_nonsense(query) for query, _ in pages)
    if len(pages) < 2 or real < 2:
        return
    sentence, others = _in_common([page for _, page in pages], form_page)
    kinds = [{text(page) for _, page in pages}, {_without_echo(query, page) for query, page in pages}]
    is_same = min(map(len, kinds)) < 2
    is_error = bool(_ERROR.search(fold(sentence))) and others <= FEW
    wanted = ENOUGH_OF_THE_SAME if is_same and not _NOTHING.search(fold(sentence)) else ENOUGH_BESIDE_OTHERS
    if is_error or (len(heard) >= wanted and (is_same or sentence)):
        quoted = f' ("{sentence}")' if sentence else ""
        raise NoAnswerError(
            f"every answer of the form of {form.page} says the same{quoted}, whatever is asked for: nothing can be "
            "learned from it"
        )


def _without_echo(query: Query, page: Page) -> str:
    shown = " ".join(text(page).split()).lower()
    for _, value in query:
        if len(value) > 2:
            shown = shown.replace(value.lower(), "")
    return shown


def _in_common(pages: Sequence[Page], form_page: Page) -> tuple[str, int]:
    """Return what every answer says and the page of the form does not, and how many texts some answer has beside that.

    A sentence that speaks of an error goes before others.
    """
    said = [dict.fromkeys(leaf.text for leaf in leaves([_body(page)], most=MOST_OF_PAGE)) for page in pages]
    before = {leaf.text for leaf in leaves([_body(form_page)], most=MOST_OF_PAGE)}
    common = [text for text in said[0] if text not in before and all(text in one for one in said)]
    spoken = [text[:120] for text in common if len(text.split()) > 2]
    others = max(len(one.keys() - before - set(common)) for one in said)
    return next((text for text in spoken if _ERROR.search(fold(text))), spoken[0] if spoken else ""), others


def _body(page: Page) -> html.HtmlElement:
    return next(tree(page).iter("body"), tree(page))
