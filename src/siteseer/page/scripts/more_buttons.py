"""Finds the buttons of a page that show more of it: they say "more" and lead nowhere."""

from __future__ import annotations

import re
from itertools import islice

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.scripts.empty_parts import MOST_ABOVE, Query, in_surroundings
from siteseer.page.tree import cached, tree

MOST_BUTTONS = 2_000
MOST_TEXTS = 40
_BUTTONS: Query = etree.XPath(
    "//button[not(@type='submit')] | //a[not(@href) or starts-with(@href, '#') or starts-with(@href, 'javascript:')] | "
    "//*[@role='button'] | //input[@type='button'] | //*[contains(@class, 'more') and not(self::a[@href])]"
)
_LEADS_ON: Query = etree.XPath(
    "boolean(descendant-or-self::a[@href][not(starts-with(@href, '#') or starts-with(@href, 'javascript:'))])"
)
_NAMES: Query = etree.XPath("//@id | //a/@name", smart_strings=False)
# ruff: noqa: E501 - lists of words read better unbroken


_MORE = frozenset(
    """more older load expand mehr weitere ältere nachladen plus davantage anciens suite más mas mais antigos antiguos altri altro altre ancora meer ouder
    oudere laad fler flera mer mere flere äldre eldre ældre lisää vanhemmat więcej starsze załaduj více další starší viac ďalšie több további régebbi mai încarcă daha
    yükle ещё еще больше показать загрузить більше ще завантажити още повече περισσότερα παλαιότερα עוד المزيد بیشتر thêm lagi selengkapnya muat rohkem veel daugiau vairāk
    više još več अधिक""".split()
)
_MORE_PARTS = ("もっと", "さらに", "続きを", "更多", "加载", "載入", "더보기", "더 보기", "เพิ่มเติม", "โหลด")
"""Scripts that put no blanks between words."""
_ALL = re.compile(
    r"\b(?:show|view|see|display|read|load|open)\b.{0,20}\b(?:all|rest|replies|comments|answers|posts|previous|earlier|full|whole|remaining|hidden|\d+)\b",
    re.IGNORECASE,
)
_NOT = frozenset(
    """log login logout sign signup signin register registrieren anmelden abmelden connexion inscription accedi iniciar entrar войти delete remove löschen supprimer
    eliminar borrar удалить report flag melden buy cart checkout basket kaufen pay donate share teilen partager subscribe abonnieren unsubscribe vote like unlike
    dislike reply antworten edit post submit send senden envoyer enviar cookie cookies privacy datenschutz options settings einstellungen menu download upload
    install app print""".split()
)
_TOKEN = re.compile(r"[^\W\d_]+")
MOST_LETTERS = 60


@cached
def more_buttons(page: Page) -> list[tuple[html.HtmlElement, str]]:
    """Return the buttons that say "more" and lead nowhere, with what they say."""
    found = []
    for element in _BUTTONS(tree(page))[:MOST_BUTTONS]:
        spelt = " ".join("".join(islice(element.itertext(), MOST_TEXTS)).split())
        label = spelt or element.get("value", "") or element.get("aria-label", "")
        if says_more(label) and not _leads_somewhere(page, element) and not in_surroundings(element):
            found.append((element, label))
    return found


def _leads_somewhere(page: Page, element: html.HtmlElement) -> bool:
    """Say whether what looks like a button is or holds a link, jumps to a place on the page, or opens a part of it."""
    if _LEADS_ON(element) or any(
        one.tag == "a" and _LEADS_ON(one) for one in islice(element.iterancestors(), MOST_ABOVE)
    ):
        return True
    named = [element.get(name) or "" for name in ("href", "aria-controls", "data-target", "data-bs-target")]
    places = (name.lstrip("#") for name in named if name.strip("#"))
    return any(place in _named(page) for place in places)


@cached
def _named(page: Page) -> frozenset[str]:
    return frozenset(_NAMES(tree(page)))


def says_more(label: str) -> bool:
    """Say whether a button with this label shows more of what is on the page, and does nothing else.

    >>> [says_more(one) for one in ("Load more", "Weitere Beiträge", "もっと見る", "Show 12 replies", "Log in for more")]
    [True, True, True, True, False]
    >>> [says_more(one) for one in ("Reply", "Delete older posts", "", "Next")]
    [False, False, False, False]
    """
    text = " ".join(label.split())
    if not text or len(text) > MOST_LETTERS or "_" in text:
        return False
    words = {word.lower() for word in _TOKEN.findall(text)}
    if words & _NOT:
        return False
    return bool(words & _MORE) or bool(_ALL.search(text)) or any(part in text for part in _MORE_PARTS)
