"""The source of a page in, the days that are written for machines out: address, `meta`, JSON-LD, other scripts.

No tree is needed: what stands there is found by looking for tags and keys, which also works where the JSON is broken.
The source is searched as one character for each byte, since that takes a third of the time of searching wider
characters; only what is found is read as UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import islice

from siteseer.changes.timestamps.addresses import day_of_address, month_of_address
from siteseer.changes.timestamps.tags import tags_of
from siteseer.changes.timestamps.written import MOST_YEARS, Written, day_of_value
from siteseer.model import Page

LONGEST_SOURCE = 5_000_000
SCRIPT_REACH = 300_000
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,40})\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,500}))""")
_LONGEST_META, _LONGEST_SCRIPT_TAG = 2_500, 600
_WORTH = ("20", "19", ":title", ":url", "image", "ocale", "anguage")
_LONG_NUMBER = re.compile(r"\d\d{5}")
_CANONICAL = re.compile(r"<link\s[^>]{0,300}\bcanonical\b[^>]{0,1000}>")
_LD = "ld+json"
_PUBLISHED_KEYS = (
    "datepublished|date_published|publishdate|publish_date|publisheddate|published_at|publishedat|pubdate|pub_date"
    "|publicationdate|datepublication|firstpublished|publishtime|published_time|publishedtime"
)
_CREATED_KEYS = "datecreated|date_created|uploaddate|createdat|created_at"
_MODIFIED_KEYS = (
    "datemodified|date_modified|dateupdated|updatedat|updated_at|lastmodified|modified_time|modifiedtime|updatedate"
)
_KEY = re.compile(r"""\b(\w++)\\?["']?\s{0,5}[:=]\s{0,5}\[?\s{0,3}\\?["']$""")
"""What stands left of the value where a script names a date."""
_ASSIGNED = frozenset((":", "="))
_YEAR = re.compile(r"20[0-4]\d(?!\d)|20[0-4]\d[01]\d[0-3]\d(?!\d)")
_VALUE = re.compile(r"[^\"'<>\n]{0,40}")
_KINDS = {
    name: kind
    for kind, names in (("pub", _PUBLISHED_KEYS), ("cre", _CREATED_KEYS), ("mod", _MODIFIED_KEYS))
    for name in names.split("|")
}
_META_SKIP = re.compile(r"expir|event|start|valid|until|crawl|retriev|verif|format|birth|end[-_]?date", re.I)
_META_MODIFIED = re.compile(r"modif|updat|last[-_.]?mod|revis|changed", re.I)
_META_PUBLISHED = re.compile(
    r"publish|pub[-_.]?date|publication|issued|citation_.{0,12}date|sailthru\.date|created|release[-_.]?date|"
    r"displaydate|available|article[:.]date|artikel.?datum|originaldate|date[-_.]?original|posted",
    re.I,
)
_META_GENERAL = re.compile(r"date|datum|timestamp|fecha|time$|^dc\.coverage", re.I)

_URL_YEAR = re.compile(r"[/=\-_]((?:199|20[0-4])\d)(?=[/&\-_.]|$)")


@dataclass(slots=True)
class Found:
    """Days by the name of their source, in the order found; what the address says of year and month; the titles."""

    days: list[tuple[str, Written]] = field(default_factory=list)
    url_month: tuple[int, int] | None = None
    url_year: int | None = None
    image_month: tuple[int, int] | None = None
    title: str = ""
    locale: str = ""
    tags: Mapping[str, list[int]] = field(default_factory=dict)
    """Where the tags that matter begin, by name (see `tags_of`)."""

    def of(self, *sources: str) -> list[Written]:
        """Return what was found in these sources."""
        return [written for source, written in self.days if source in sources]


def source_of(page: Page) -> str:
    """Return the body of a page as one character for each byte."""
    return page.body[:LONGEST_SOURCE].decode("latin-1")


def as_utf8(part: str) -> str:
    """Return a part of a source as people wrote it.

    >>> as_utf8(source_of(Page("http://e.org/", body="5 août 2015".encode())))
    '5 août 2015'
    """
    return part if part.isascii() else part.encode("latin-1").decode("utf-8", "replace")


def find_structured(url: str, source: str) -> Found:
    """Return the days that address, `meta` and scripts name; `source` is that of `source_of`."""
    found = Found(tags=tags_of(source))
    addresses = [url]
    for attributes in _metas(source, found.tags["meta"]):
        key = (
            attributes.get("property")
            or attributes.get("name")
            or attributes.get("itemprop")
            or attributes.get("http-equiv")
            or ""
        )
        content = attributes.get("content", "") or attributes.get("value", "")
        lowered = key.lower()
        if lowered in ("og:title", "twitter:title") and not found.title:
            found.title = unescape(content)[:500]
        elif lowered in ("og:locale", "content-language", "language"):
            found.locale = found.locale or content[:10]
        elif lowered == "og:url":
            addresses.append(content)
        elif lowered in ("og:image", "twitter:image", "og:image:url"):
            _image(found, content)
        elif (kind := _meta_kind(lowered[:100])) and (written := day_of_value(content)):
            _add(found, kind, written)
    if canonical := _CANONICAL.search(source, 0, SCRIPT_REACH):
        addresses.insert(1, _attributes(as_utf8(canonical[0])).get("href", ""))
    for address in addresses:
        _address(found, address)
    _scripts(found, source)
    return found


def _add(found: Found, kind: str, written: Written) -> None:
    """Keep a day under its source; the second and later days of one source are known apart."""
    own = found.of(kind)
    if any(written.day == one.day for one in own):
        return
    found.days.append((f"{kind}2" if own else kind, written))


def _metas(source: str, places: Sequence[int]) -> Iterator[dict[str, str]]:
    for start in places:
        end = source.find(">", start, start + _LONGEST_META)
        if end > 0 and _is_worth(text := source[start:end]):
            yield _attributes(as_utf8(text))


def _is_worth(text: str) -> bool:
    """Say whether the attributes of a `meta` may tell a date, a title, a language or an address."""
    for sign in _WORTH:
        if sign in text:
            return True
    return _LONG_NUMBER.search(text) is not None


def _attributes(text: str) -> dict[str, str]:
    return {m[1].lower(): m[2] or m[3] or m[4] or "" for m in _ATTRIBUTE.finditer(text)}


@lru_cache(maxsize=2_000)
def _meta_kind(key: str) -> str | None:
    if not key or _META_SKIP.search(key):
        return None
    if _META_MODIFIED.search(key):
        return "meta_mod"
    if _META_PUBLISHED.search(key):
        return "meta_pub"
    return "meta_gen" if _META_GENERAL.search(key) else None


def _scripts(found: Found, source: str) -> None:
    spans = []
    for start, end in _linked_data(source, found.tags["script"]):
        spans.append((start, end))
        for key, written in _keys(source[start : min(end, start + SCRIPT_REACH)]):
            _add(found, f"ld_{key}", written)
    if found.of("meta_pub", "ld_pub"):
        return
    for key, written in _keys(source[:SCRIPT_REACH]):
        if not any(start <= written.offset < end for start, end in spans):
            _add(found, f"js_{key}", written)


def _linked_data(source: str, scripts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where each script of JSON-LD begins and ends."""
    for tag in scripts:
        start = source.find(">", tag, tag + _LONGEST_SCRIPT_TAG) + 1
        if start and _LD in source[tag:start] and (end := source.find("</script", start)) > 0:
            yield start, end


def _keys(text: str) -> Iterator[tuple[str, Written]]:
    """Yield what scripts name, found from the year: years are rarer than keys."""
    for year in islice(_YEAR.finditer(text), MOST_YEARS):
        start = year.start()
        quote = max(text.rfind('"', start - 22, start), text.rfind("'", start - 22, start)) + 1
        if not quote or text[max(0, quote - 10) : quote - 1].rstrip(" \\[\n\t")[-1:] not in _ASSIGNED:
            continue
        key = _KEY.search(text, max(0, quote - 45), quote)
        name = key[1].lower() if key else ""
        if name not in _KINDS:
            continue
        end = start + len(_VALUE.match(text, start)[0])  # type: ignore[index]
        if written := day_of_value(as_utf8(text[quote:end]).replace("\\/", "/")):
            yield _KINDS[name], Written(written.day, start, hour=written.hour, is_utc=written.is_utc)


def _address(found: Found, address: str) -> None:
    """Read path and query of an address: the whole day, else what it says of month and year."""
    path = address.partition("://")[2].partition("/")[2][:500]
    if not path:
        return
    day = day_of_address("/" + path)
    if day:
        _add(found, "url", Written(day))
    elif found.url_month is None and (month := month_of_address("/" + path)):
        found.url_month = month
    if found.url_year is None and (year := _URL_YEAR.search("/" + path)):
        found.url_year = int(year[1])


def _image(found: Found, address: str) -> None:
    path = "/" + address.partition("://")[2].partition("/")[2][:500]
    if day := day_of_address(path):
        _add(found, "img", Written(day))
    elif found.image_month is None:
        found.image_month = month_of_address(path)
