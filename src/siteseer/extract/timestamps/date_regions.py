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
_PUBLISHED_WORDS = _either(
    "publish|posted|veröffentlicht|veroffentlicht|veroeffentlicht|erstellt|publié|publie|publicad|pubblicat"
    "|gepubliceerd|geplaatst|opublikowan|опубликован|yayın|publicerad|udgivet|julkaistu|zveřejněn|発行|公開|发布|发表"
    "|등록|입력",
    r"\b(?:vom|am|le|on|by|from|von|par|por|di|el)\s?$",
)
_BAD_WORDS = _either(
    "copyright|©|(c)|geboren|retrieved|abgerufen|accessed|until|since|seit|depuis|valid|deadline|expire|joined|member"
    "|founded|gegründet|established|est.",
    r"\b(?:born\b|bis\b|event|ab\b)|from \d",
)
_REGIONS = {"N": _OUTSIDE, "C": _COMMENT, "F": _FOOT}
_ROLES = {"date": _DATE_CLASS, "clspub": PUBLISH_CLASS, "clsmod": MODIFIED_CLASS}
_SAID = {"mod": _MODIFIED_WORDS, "pub": _PUBLISHED_WORDS, "bad": _BAD_WORDS}


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
