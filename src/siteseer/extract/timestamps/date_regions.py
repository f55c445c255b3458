"""Classifies the surroundings of a date by names and words: which part of the page, and which date it is.

Plain words are looked for one by one, which is many times faster than a pattern of them all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Parts of words, in lower case, and a pattern for those that count only in some places."""

    words: tuple[str, ...]
    pattern: re.Pattern[str] | None = None

    def is_in(self, text: str) -> bool:
        """Say whether a text in lower case holds one of the words."""
        for word in self.words:
            if word in text:
                return True
        return self.pattern is not None and self.pattern.search(text) is not None


def _either(words: str, pattern: str = "") -> Vocabulary:
    return Vocabulary(tuple(words.split("|")), re.compile(pattern) if pattern else None)


_OUTSIDE = _either(
    "wm-ipp|sidebar|related|recommend|teaser|widget|recent|latest|popular|trending|archive|calendar|event|promo|menu|list"
    "|card|next|prev|pager|advert|twitter|aside|more-|similar|mostread|ticker|newsletter|tags|slider|carousel",
    r"(?<![a-z])(?:nav|ads?(?![a-z]))",
)
_COMMENT = _either("comment|kommentar|reply|replies|respond|disqus|comentario|guestbook")
_FOOT = _either("copyright|impressum|colophon", r"foot(?!age)")
_DATE_CLASS = _either("date|datum|time|fecha|stamp|when|day", r"data(?![a-z])")
PUBLISH_CLASS = _either("publi|posted|pubdate|entry-date|post-date|created|erstellt|dateline")
MODIFIED_CLASS = _either("updat|modif|edited|revis|geaendert")
WRAPPED = {"aside": "N", "nav": "N", "select": "N", "footer": "F", "time": "T", "a": "A"}

_MODIFIED_WORDS = _either(
    "updat|aktualisier|geändert|geandert|geaendert|änderung|anderung|modifi|mis à jour|mis a jour|mise à jour"
    "|mise a jour|actualiz|atualiz|aggiorna|bijgewerkt|gewijzigd|обновл|измен|güncel|revised|edited|bearbeitet|letzte"
    "|last change|last edit|uppdater|opdater|oppdater|zmienion|aktualiz|更新|수정|최종"
)
_PUBLISHED_VERBS = _either(
    "publish|posted|veröffentlicht|veroffentlicht|veroeffentlicht|erstellt|publié|publie|publicad|pubblicat"
    "|gepubliceerd|geplaatst|opublikowan|опубликован|yayın|publicerad|udgivet|julkaistu|zveřejněn|発行|公開|發布|发布|发表"
    "|등록|입력|نشر|منتشر|פורסם|प्रकाशित|เผยแพร่"
)
_PUBLISHED_WORDS = _either(
    "|".join(_PUBLISHED_VERBS.words),
    r"\b(?:vom|am|le|on|by|from|von|par|por|di|el)\s?$",
)
_BAD_WORDS = _either(
    "copyright|©|(c)|geboren|retrieved|abgerufen|accessed|until|since|seit|depuis|valid|deadline|expire|joined|member"
    "|founded|gegründet|established|est.",
    r"\b(?:born\b|bis\b|event|ab\b)|from \d",
)
_EVENT_LABEL = _either(
    "日時|開催日|開催期間|일시|活动时间|活動時間",
    r"\b(?:when|doors|starts?|begins?|wann|beginn|einlass|termin|quand|début|cuándo|cuando|inicio|inizio|quando|início"
    r"|wanneer|aanvang|kiedy|początek|kdy|začátek|когда|начало|коли|när|hvornår|ne zaman)\s?[:：]?\s*$",
)
_PLACE_LABEL = re.compile(
    r"(?:^|\n)\s{0,9}(?:place|venue|location|where|ort|wo|veranstaltungsort|lieu|où|lugar|dónde|donde|luogo|dove|local|onde"
    r"|plaats|waar|locatie|miejsce|gdzie|místo|kde|место|где|місце|де|plats|var|sted|hvor|yer|nerede"
    r"|会場|場所|地点|地點|장소)\s{0,3}(?:[:：]|\n)",
    re.I,
)
_CAPTURE = re.compile(
    r"saved from|web page capture|captured on|was captured|archived (?:on|from|web ?page)|web ?archive|wayback"
    r"|snapshot (?:of|from|taken)|archiviert|archivé[e]? (?:le|par)|archivado|архивирован",
    re.I,
)
_REGIONS = {"N": _OUTSIDE, "C": _COMMENT, "F": _FOOT}
_ROLES = {"date": _DATE_CLASS, "clspub": PUBLISH_CLASS, "clsmod": MODIFIED_CLASS}
_SAID = {
    "mod": _MODIFIED_WORDS,
    "pub": _PUBLISHED_WORDS,
    "verb": _PUBLISHED_VERBS,
    "bad": _BAD_WORDS,
    "event": _EVENT_LABEL,
}


@lru_cache(maxsize=2_000)
def region(names: str) -> tuple[str, ...]:
    """Return the kind of page part that class and id indicate: N aside of the article, C comments, F foot.

    >>> region("post-comments widget")
    ('N', 'C')
    """
    return tuple(flag for flag, known in _REGIONS.items() if known.is_in(names))


@lru_cache(maxsize=2_000)
def role(names: str) -> tuple[str, ...]:
    """Return the kind of date that class and id indicate: any, of publication, of a change."""
    return tuple(flag for flag, known in _ROLES.items() if known.is_in(names))


@lru_cache(maxsize=2_000)
def words_before(before: str) -> tuple[str, ...]:
    """Return the kind of date that the words before it indicate.

    >>> words_before("Last updated on "), words_before("© ")
    (('mod', 'pub'), ('bad',))
    """
    lowered = before.lower()
    return tuple(flag for flag, known in _SAID.items() if known.is_in(lowered))


def is_beside_place(before: str, after: str) -> bool:
    """Say whether a label beside a date asks for the place: then the date is that of an event.

    >>> is_beside_place("Date\\n", "\\nPlace\\nTown hall"), is_beside_place("By Ada, ", "\\nThe place was full.")
    (True, False)
    """
    return _PLACE_LABEL.search(before) is not None or _PLACE_LABEL.search(after) is not None


def tells_capture(around: str) -> bool:
    """Say whether the banner of an archive stands around a date.

    >>> tells_capture("Saved from http://e.org/a 5 Jun 2012"), tells_capture("Saved by the river")
    (True, False)
    """
    return _CAPTURE.search(around) is not None
