"""Finds the machine-readable dates in a page's source: URL, `meta`, JSON-LD, other scripts.

No tree is needed: what stands there is found by looking for tags and keys, which also works where the JSON is broken.
The source is searched as one character for each byte, since that takes a third of the time of searching wider
characters; only what is found is read as UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from html import unescape
from itertools import islice

from siteseer.extract.timestamps.date_tag_scan import tags_of
from siteseer.extract.timestamps.linked_data_dates import ELSEWHERE, EVENT_KEYS, OTHER, UNKNOWN, NodeDate, node_dates
from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import read_stamp
from siteseer.page.dates.url_dates import day_of_address, month_of_address

LONGEST_SOURCE = 5_000_000
SCRIPT_REACH = 300_000
MOST_YEARS = 5_000
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

_CAPTURED = re.compile(r"\d{8}[^/]{0,20}/https?:/{1,2}|\d{4}[.-]\d\d[.-]\d\d[^/]{0,20}/https?:/{1,2}")
_URL_YEAR = re.compile(r"[/=\-_]((?:199|20[0-4])\d)(?=[/&\-_.]|$)")


@dataclass(frozen=True, slots=True)
class StatedDay:
    """A day that a page states for machines; `hour` and `is_utc` are those of its stamp."""

    day: date
    hour: int | None = None
    is_utc: bool = False
    offset: int = 0


@dataclass(slots=True)
class Found:
    """Days by the name of their source, in the order found; what the address says of year and month; the titles."""

    days: list[tuple[str, StatedDay]] = field(default_factory=list)
    url_month: tuple[int, int] | None = None
    url_year: int | None = None
    image_month: tuple[int, int] | None = None
    title: str = ""
    locale: str = ""
    events: set[date] = field(default_factory=set)
    """The days on which events of the page take place."""
    tags: Mapping[str, list[int]] = field(default_factory=dict)
    """Where the tags that matter begin, by name (see `tags_of`)."""

    def of(self, *sources: str) -> list[StatedDay]:
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


def stated(value: str, context: DateContext, offset: int = 0) -> StatedDay | None:
    """Return the day that the value of an attribute or a script states."""
    read = read_stamp(" ".join(value[:200].split()), context)
    if read is None or not read.names_a_day:
        return None
    return StatedDay(read.day, read.local.hour if read.is_exact else None, read.is_utc, offset)


def find_structured(url: str, source: str, context: DateContext) -> Found:
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
        elif (kind := _meta_kind(lowered[:100])) and (written := stated(content, context)):
            _add(found, kind, written)
    if canonical := _CANONICAL.search(source, 0, SCRIPT_REACH):
        addresses.insert(1, _attributes(as_utf8(canonical[0])).get("href", ""))
    for address in addresses:
        _address(found, address)
    _scripts(found, source, context, addresses[1] if canonical else url)
    return found


def _add(found: Found, kind: str, written: StatedDay, is_own: bool = True) -> None:
    """Keep a day under its source; the second and later days of a source, and those of other pages, are known apart."""
    own = found.of(kind)
    if any(written.day == one.day for one in own):
        return
    found.days.append((f"{kind}2" if own or not is_own else kind, written))


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


def _scripts(found: Found, source: str, context: DateContext, address: str) -> None:
    spans = list(_linked_data(source, found.tags["script"]))
    nodes: list[NodeDate] = []
    for start, end in spans:
        script = source[start : min(end, start + SCRIPT_REACH)]
        if (read := node_dates(as_utf8(script), address)) is not None:
            nodes += read
            continue
        for key, written in _keys(script, context):
            _add(found, f"ld_{key}", written)
    _add_nodes(found, nodes, context)
    if found.of("meta_pub", "ld_pub"):
        return
    for key, written in _keys(source[:SCRIPT_REACH], context):
        if not any(start <= written.offset < end for start, end in spans):
            _add(found, f"js_{key}", written)


def _add_nodes(found: Found, nodes: Sequence[NodeDate], context: DateContext) -> None:
    """Add what the nodes of JSON-LD say, the page's own before the others; the only one is the page's own anyway."""
    dates = [(one.whose, _KINDS[one.key], stated(one.value, context)) for one in nodes if one.key in _KINDS]
    events = (stated(one.value, context) for one in nodes if one.key in EVENT_KEYS and one.whose == OTHER)
    found.events.update(written.day for written in events if written)
    elsewhere = {written.day for whose, kind, written in dates if written and kind == "pub" and whose == ELSEWHERE}
    has_own = any(written and kind == "pub" and whose < ELSEWHERE for whose, kind, written in dates)
    last = ELSEWHERE if not has_own and len(elsewhere) == 1 else UNKNOWN
    for whose, kind, written in sorted(dates, key=lambda one: one[0]):
        if written:
            _add(found, f"ld_{kind}", written, is_own=whose <= last)


def _linked_data(source: str, scripts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where each script of JSON-LD begins and ends."""
    for tag in scripts:
        start = source.find(">", tag, tag + _LONGEST_SCRIPT_TAG) + 1
        if start and _LD in source[tag:start] and (end := source.find("</script", start)) > 0:
            yield start, end


def _keys(text: str, context: DateContext) -> Iterator[tuple[str, StatedDay]]:
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
        if written := stated(as_utf8(text[quote:end]).replace("\\/", "/"), context, start):
            yield _KINDS[name], written


def _address(found: Found, address: str) -> None:
    """Read path and query of an address: the whole day, else what it says of month and year."""
    path = own_path(address)
    if not path:
        return
    day = day_of_address("/" + path)
    if day:
        _add(found, "url", StatedDay(day))
    elif found.url_month is None and (month := month_of_address("/" + path)):
        found.url_month = month
    if found.url_year is None and (year := _URL_YEAR.search("/" + path)):
        found.url_year = int(year[1])


def own_path(address: str) -> str:
    """Return path and query of an address; of a capture in a Web archive those of the page that was captured.

    >>> own_path("http://e.org/2015/a"), own_path("https://archive.example/2019.06.12-101213/http://e.org/rivers")
    ('2015/a', 'rivers')
    """
    path = address.partition("://")[2].partition("/")[2]
    captured = _CAPTURED.search(path.partition("?")[0])
    return (path[captured.end() :].partition("/")[2] if captured else path)[:500]


def _image(found: Found, address: str) -> None:
    path = "/" + address.partition("://")[2].partition("/")[2][:500]
    if day := day_of_address(path):
        _add(found, "img", StatedDay(day))
    elif found.image_month is None:
        found.image_month = month_of_address(path)
