"""The words of buttons that bring more of a page, in many languages; and of those that are better left alone."""

# ruff: noqa: E501 - lists of words read better unbroken

from __future__ import annotations

import re

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
