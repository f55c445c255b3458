"""Recognises interstitial pages, which stand in the place of the requested page: challenge, captcha, refusal, consent.

Services that keep crawlers out (Cloudflare, DDoS-Guard, Imperva, Akamai, ...) are recognised by markup that only their
challenges have; others by their words together with their form: a short page without a way on. A captcha beside a form
with fields to fill in, a cookie banner above a text and a text about such pages are ordinary pages. A finding on a page
with status 200 by its words alone is not `certain`: only other pages of the same host can decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import unquote, urlsplit

from xxhash import xxh3_64_intdigest

from siteseer.model import Page
from siteseer.page.interstitial_words import (
    CAPTCHA_MARKS,
    CHALLENGE_HEADERS,
    CHALLENGE_MARKS,
    CHALLENGE_TEXT,
    CHALLENGE_TITLE,
    CONSENT_TEXT,
    CONSENT_TITLE,
    LOGIN,
    REFUSAL,
)
from siteseer.page.text import text
from siteseer.page.tree import cached, is_html, title
from siteseer.page.word_hashes import word_count

Kind = Literal["challenge", "captcha", "refusal", "consent", "login"]

REFUSED = (401, 403, 405, 406, 418, 423, 429, 444, 451, 503, 999)
"""Statuses with which a page may be kept back from crawlers."""
MOST_WORDS = 400
"""Consent pages explain themselves; whatever shows more words has a content of its own."""
CHALLENGE_WORDS = 150
FEW_WORDS = 80
MOST_LINKS = 8
MOST_BYTES = 400_000

_FIELD = re.compile(
    rb"<(?:textarea|select)\b|<input\b(?![^>]{0,400}?type\s*=\s*[\"']?(?:hidden|submit|button|image|checkbox|reset))",
    re.IGNORECASE,
)
_PASSWORD = re.compile(rb"<input\b[^>]{0,400}?type\s*=\s*[\"']?password", re.IGNORECASE)
_ACTIVE = re.compile(rb"<script|http-equiv\s*=\s*[\"']?refresh", re.IGNORECASE)
_WAY_ON = re.compile(rb"<(?:form|button)\b|<input\b[^>]{0,400}?type\s*=\s*[\"']?(?:submit|button)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Interstitial:
    """The kind of interstitial, its service, and whether its own markup proves it."""

    kind: Kind
    service: str = ""
    """Who made it, where that is known: `Cloudflare`."""
    quote: str = ""
    """What its title says."""
    is_certain: bool = True
    is_scripted: bool = False
    """Whether it has scripts, so that a browser may get past it."""


@cached
def interstitial(page: Page) -> Interstitial | None:
    """Return the kind of interstitial that a page is; None for an ordinary page.

    >>> html = (("Content-Type", "text/html"),)
    >>> made = b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
    >>> interstitial(Page("http://e.org/a", 403, html, made)).service
    'Cloudflare'
    >>> interstitial(Page("http://e.org/a", 200, html, b"<title>Just a moment</title><p>A short story.")) is None
    True
    """
    if not _is_short(page) or (page.status < 300 and _links(page) > 2 * MOST_LINKS):
        return None
    return _by_header(page) or _by_marks(page) or _by_words(page)


def is_challenge(page: Page) -> bool:
    """Say whether the markup of a page proves that it is an interstitial."""
    found = interstitial(page)
    return found is not None and found.is_certain and found.kind != "refusal"


def _is_short(page: Page) -> bool:
    return len(page.body) <= MOST_BYTES and is_html(page) and word_count(page) <= MOST_WORDS


def _made(page: Page, kind: Kind, service: str = "", is_certain: bool = True) -> Interstitial:
    quote = title(page) or " ".join(text(page).split())
    return Interstitial(kind, service, quote[:80], is_certain, bool(_ACTIVE.search(page.body)))


def _by_header(page: Page) -> Interstitial | None:
    for name, pattern, service in CHALLENGE_HEADERS:
        if pattern.search(page.header(name).lower()):
            return _made(page, "challenge", service)
    return None


def _by_marks(page: Page) -> Interstitial | None:
    """Know a service by what only its challenges hold, where the page shows nothing else and does not speak of it."""
    if word_count(page) > CHALLENGE_WORDS or _links(page) > MOST_LINKS:
        return None
    for mark, service in CHALLENGE_MARKS:
        if mark in page.body:
            is_spoken_of = mark.decode("ascii") in text(page) and page.status < 300
            return None if is_spoken_of else _made(page, "challenge", service)
    return None


def _by_words(page: Page) -> Interstitial | None:
    """Know a challenge by what it says: its title and its text, or its title and its status."""
    heading, is_refused, shown = title(page), page.status in REFUSED, word_count(page)
    if is_refused and shown <= CHALLENGE_WORDS:
        said = f"{heading} {text(page)}"
        if CHALLENGE_TITLE.search(heading) or (CHALLENGE_TEXT.search(said) and _ACTIVE.search(page.body)):
            return _made(page, "challenge")
        return _made(page, "refusal") if REFUSAL.search(said) else None
    if page.status >= 300 or not heading:
        return None
    if shown <= FEW_WORDS and CHALLENGE_TITLE.search(heading) and _is_challenge(page):
        return _made(page, "challenge", is_certain=False)
    if shown <= FEW_WORDS and _is_captcha(page):
        return _made(page, "captcha", is_certain=False)
    if CONSENT_TITLE.search(heading) and _is_consent(page):
        return _made(page, "consent", is_certain=False)
    return None


def _is_challenge(page: Page) -> bool:
    says = CHALLENGE_TEXT.search(text(page)) is not None or _has_captcha(page)
    return says and bool(_ACTIVE.search(page.body)) and _links(page) <= MOST_LINKS and not _FIELD.search(page.body)


def _is_captcha(page: Page) -> bool:
    """Say whether a captcha is all that a page shows: no field to fill in, hardly a link."""
    return _has_captcha(page) and not _FIELD.search(page.body) and _links(page) <= MOST_LINKS // 2


def _is_consent(page: Page) -> bool:
    asks = _WAY_ON.search(page.body) is not None and CONSENT_TEXT.search(text(page)) is not None
    return asks and _links(page) <= 2 * MOST_LINKS and b"<article" not in page.body


def _has_captcha(page: Page) -> bool:
    return any(mark in page.body for mark in CAPTCHA_MARKS)


def _links(page: Page) -> int:
    return page.body.count(b"<a ") + page.body.count(b"<A ")


@cached
def is_login(page: Page) -> bool:
    """Say whether a page asks for a login and shows hardly anything else.

    >>> made = b"<title>Log in</title><form><input name=u><input type=password name=p></form>"
    >>> is_login(Page("http://e.org/", 200, (("Content-Type", "text/html"),), made))
    True
    """
    if not is_html(page) or word_count(page) > CHALLENGE_WORDS or not _PASSWORD.search(page.body[:MOST_BYTES]):
        return False
    if _links(page) > 4 * MOST_LINKS:
        return False
    if LOGIN.search(f"{title(page)} {text(page)}") is not None:
        return True  # in any language, a page with one password, a form and hardly a word is there to sign in
    return word_count(page) <= FEW_WORDS and len(_PASSWORD.findall(page.body[:MOST_BYTES])) == 1


# ── the same page under many addresses ───────────────────────────────────────────────────────────────────────────────

_DIGIT = re.compile(r"\d")
_CHANGING = re.compile(
    r"(?:[0-9a-f]{1,4}[:-]){3,}[0-9a-f:-]*|\d{1,3}(?:\.\d{1,3}){3}"  # addresses of machines, parts of a UUID
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?z?"  # dates and times
    r"|\d{4}-\d\d-\d\dt[\d:.+z-]+"
    r"|(?=[\w.+/=#-]*\d)[\w.+/=#-]{8,}"  # the number of a request
)


def is_same_page(first: Page, second: Page) -> bool:
    """Say whether two short pages say the same to a reader; the template tells most others apart at once.

    >>> html = (("Content-Type", "text/html"),)
    >>> made = [Page(f"http://e.org/{n}", 200, html, f"<p>No entry to /{n}: 8f3{n}a9c2b7e".encode()) for n in (1, 2)]
    >>> is_same_page(*made)
    True
    """
    if first.body.count(b"<") != second.body.count(b"<"):
        return False
    key = same_text_key(first)
    return key is not None and key == same_text_key(second)


def to_compare(page: Page) -> Page:
    """Return a short page without its tree: to be kept for a while and compared with others."""
    same_text_key(page)
    kept = {name: value for name, value in page.memo.items() if isinstance(value, int | str | bool)}
    return replace(page, memo=kept)


@cached
def same_text_key(page: Page) -> int | None:
    """Return a hash of what a short page says without its own address, times and numbers of requests; else None.

    Short numbers count: records of a catalogue may differ in nothing else.
    """
    if not _is_short(page):
        return None
    said = f"{title(page)} \n {text(page)}".lower()
    for own in _own_address(page.url):
        said = said.replace(own, "*")
    kept = ("*" if _DIGIT.search(word) and _CHANGING.fullmatch(word.strip(_EDGE)) else word for word in said.split())
    return xxh3_64_intdigest(" ".join(kept).encode("utf-8", "replace"))


_EDGE = "()[]{}<>«»\"'“”‘’.,;:!?"


def _own_address(url: str) -> list[str]:
    """Return the spellings of a page's address that it may show, the longest first."""
    parts = urlsplit(url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    found = {url, f"{parts.netloc}{target}", target, parts.path}
    found |= {unquote(one) for one in found}
    return sorted((one.lower() for one in found if len(one) > 1), key=len, reverse=True)
