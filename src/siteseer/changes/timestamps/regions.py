"""Names and words around a date in, what part of the page it is in and what it is the date of out."""

from __future__ import annotations

import re
from functools import lru_cache

_OUTSIDE = re.compile(
    r"sidebar|related|recommend|teaser|widget|recent|latest|popular|trending|archive|calendar|event|promo|(?<![a-z])nav|menu|list"
    r"|card|next|prev|pager|(?<![a-z])ads?(?![a-z])|advert|twitter|aside|more-|similar|mostread|ticker|newsletter|tags|slider|carousel",
)
_COMMENT = re.compile(r"comment|kommentar|repl(?:y|ies)|respond|disqus|comentario|guestbook")
_FOOT = re.compile(r"foot(?!age)|copyright|impressum|colophon")
_DATE_CLASS = re.compile(r"date|datum|time|fecha|data(?![a-z-])|stamp|dat[ae]-|when|day")
PUBLISH_CLASS = re.compile(r"publi|posted|pubdate|entry-date|post-date|created|erstellt|dateline")
MODIFIED_CLASS = re.compile(r"updat|modif|edited|revis|geaendert")
WRAPPED = {"aside": "N", "nav": "N", "select": "N", "footer": "F", "time": "T", "a": "A"}

MODIFIED_WORDS = re.compile(
    r"updat|aktualisier|ge[äa]e?ndert|[äa]nderung|modifi|mis(?:e)? [àa] jour|actualiz|atualiz|aggiorna|bijgewerkt"
    r"|gewijzigd|обновл|измен|güncel|revised|edited|bearbeitet|letzte|last (?:change|edit)|uppdater|opdater"
    r"|oppdater|zmienion|aktualiz|更新|수정|최종",
    re.I,
)
PUBLISHED_WORDS = re.compile(
    r"publish|posted|ver[öo]e?ffentlicht|erstellt|publi[ée]|publicad|pubblicat|gepubliceerd|geplaatst|opublikowan|опубликован|yayın"
    r"|publicerad|udgivet|julkaistu|zveřejněn|発行|公開|发布|发表|등록|입력|\b(?:vom|am|le|on|by|from|von|par|por|di|el)\s?$",
    re.I,
)
BAD_WORDS = re.compile(
    r"copyright|©|\(c\)|\bborn\b|geboren|retrieved|abgerufen|accessed|until|\bbis\b|since|seit|depuis|valid|deadline|expire|joined|member"
    r"|founded|gegründet|established|\bevent|from \d|\bab\b|est\.",
    re.I,
)

_REGIONS = {"N": _OUTSIDE, "C": _COMMENT, "F": _FOOT}
_ROLES = {"date": _DATE_CLASS, "clspub": PUBLISH_CLASS, "clsmod": MODIFIED_CLASS}
_SAID = {"mod": MODIFIED_WORDS, "pub": PUBLISHED_WORDS, "bad": BAD_WORDS}


@lru_cache(maxsize=2_000)
def region(names: str) -> tuple[str, ...]:
    """Return what class and id say of a part of a page: N aside of the article, C comments, F foot.

    >>> region("post-comments widget")
    ('N', 'C')
    """
    return tuple(flag for flag, pattern in _REGIONS.items() if pattern.search(names))


@lru_cache(maxsize=2_000)
def role(names: str) -> tuple[str, ...]:
    """Return what class and id say of a date itself: that it is one, of publication, of a change."""
    return tuple(flag for flag, pattern in _ROLES.items() if pattern.search(names))


@lru_cache(maxsize=2_000)
def said(before: str) -> tuple[str, ...]:
    """Return what the words before a date say of it.

    >>> said("Last updated on "), said("© ")
    (('mod', 'pub'), ('bad',))
    """
    return tuple(flag for flag, pattern in _SAID.items() if pattern.search(before))
