"""Reads the elements of an XML feed: with a parser where it is well formed, by searching for tags where it is not.

A broken feed (an unescaped `&`, HTML without CDATA, an unknown prefix, an end that is missing) is no reason to lose its
items: the second way cuts the text at items, and takes what stands between the tags of an element as its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape, unescape

from lxml import etree

LONGEST_FEED = 20 << 20
MOST_ITEMS = 10_000
MOST_ELEMENTS = 400

FAMILIES = {
    "http://purl.org/rss/1.0/": "",
    "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://channel.netscape.com/rdf/simple/0.9/": "",
    "http://purl.org/rss/1.0/modules/rss091#": "",
    "http://backend.userland.com/rss2": "",
    "http://www.w3.org/2005/atom": "atom",
    "http://purl.org/atom/ns#": "atom",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/rss/1.0/modules/syndication/": "sy",
    "http://purl.org/rss/1.0/modules/slash/": "slash",
    "http://wellformedweb.org/commentapi/": "wfw",
    "http://search.yahoo.com/mrss/": "media",
    "http://purl.org/syndication/thread/1.0": "thr",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://www.w3.org/1999/xhtml": "xhtml",
}
"""Namespace, lower case, to the prefix under which its elements are known here; others are known by `?`."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_PROLOGUE = re.compile(r"^\s{0,200}<\?xml[^>]{0,300}\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]{0,500}(?:\[[^\]]{0,20000}\]\s{0,20})?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|apos;)([a-zA-Z]{2,8}\d{0,2});")
_ROOT = re.compile(r"<(?:(\w{1,20}):)?(rss|RDF|feed|channel)\b([^<>]{0,8000})>", re.IGNORECASE)
_ITEM = re.compile(r"<(?:\w{1,20}:)?(item|entry)(?=[\s>])([^<>]{0,2000})>", re.IGNORECASE)
_TAG = re.compile(r"<((?:\w{1,20}:)?[A-Za-z][\w.-]{0,40})((?:\s[^<>]{0,4000}?)?)(/?)>")
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,60})\s{0,5}=\s{0,5}(?:"([^"]{0,8000})"|'([^']{0,8000})'|([^\s"'>]{1,2000}))""")
_HTML_TAGS = frozenset(
    "a b blockquote br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 hr i iframe img li object ol p".split()
    + "pre script small span strong style sub sup table tbody td th tr u ul".split()
)


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a channel or item: `name` with the usual prefix, `value` its text, or its markup if it has any."""

    name: str
    value: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    base: str = ""
    is_markup: bool = False


@dataclass(frozen=True, slots=True)
class RawFeed:
    """Elements of the channel and of each item; `root` is `rss`, `rdf` or `feed`."""

    root: str
    version: str
    channel: tuple[Element, ...]
    items: tuple[tuple[Element, ...], ...]
    malformed: bool = False


def raw_feed(text: str) -> RawFeed | None:
    """Return the elements of an XML feed; None where it is none."""
    text = _DOCTYPE.sub("", _PROLOGUE.sub("", _CONTROL.sub("", text[:LONGEST_FEED]).lstrip("\ufeff"), count=1), count=1)
    root = _ROOT.search(text[:20_000])
    if root is None:
        return None
    text = _ENTITY.sub(_as_number, text[root.start() :])
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        return _from_tree(etree.fromstring(text.encode(), parser))
    except (etree.XMLSyntaxError, ValueError):
        return _salvaged(text, root)


def _as_number(found: re.Match[str]) -> str:
    """HTML's named characters are unknown to XML."""
    character = unescape(found[0])
    return "".join(f"&#{ord(one)};" for one in character) if character != found[0] else f"&amp;{found[1]};"


# ── well formed ────────────────────────────────────────────────────────────────────────────────────────────────────


def _from_tree(root: etree._Element) -> RawFeed | None:
    name = _local(root).lower()
    kind = {"rss": "rss", "rdf": "rdf", "feed": "feed", "channel": "rss"}.get(name)
    if kind is None:
        return None
    own = {"feed": ("atom",)}.get(kind, ())
    channel = root if name in ("feed", "channel") else next((one for one in root if _local(one) == "channel"), root)
    wanted = "entry" if kind == "feed" else "item"
    items = [one for one in channel if _local(one) == wanted]
    if channel is not root:
        items += [one for one in root if _local(one) == wanted]
    version = root.get("version", "")
    if kind == "feed" and "purl.org/atom" in str(root.tag):
        version = version or "0.3"
    if kind == "rdf":
        version = "0.90" if "netscape" in str(channel.tag) else "1.0"
    return RawFeed(
        kind,
        version,
        tuple(_elements(channel, own, wanted)),
        tuple(tuple(_elements(one, own, "")) for one in items[:MOST_ITEMS]),
    )


def _elements(parent: etree._Element, own: tuple[str, ...], without: str) -> Iterator[Element]:
    if about := parent.get("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"):
        yield Element("rdf:about", about)
    for count, one in enumerate(parent):
        if count >= MOST_ELEMENTS and not without:
            return
        if not isinstance(one.tag, str) or _local(one) == without:
            continue
        attributes = {_name_of(str(key), own): str(value) for key, value in one.attrib.items()}
        markup = len(one) > 0
        value = _inner(one) if markup else (one.text or "")
        yield Element(_name_of(one.tag, own), value, attributes, one.base or "", markup)


def _inner(element: etree._Element) -> str:
    head = escape(element.text or "", quote=False)
    return head + "".join(etree.tostring(child, encoding="unicode") for child in element)


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _name_of(tag: str, own: tuple[str, ...]) -> str:
    namespace, brace, local = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
    if not brace:
        return local
    family = FAMILIES.get(namespace.lower(), "?")
    return local if family == "" or family in own else f"{family}:{local}"


# ── broken ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _salvaged(text: str, root: re.Match[str]) -> RawFeed:
    kind = {"rdf": "rdf", "feed": "feed"}.get(root[2].lower(), "rss")
    attributes = _attributes(root[3])
    starts = list(_ITEM.finditer(text))[:MOST_ITEMS]
    ends = [found.start() for found in starts[1:]] + [len(text)] * bool(starts)
    items = []
    for start, end in zip(starts, ends, strict=True):
        closing = text.find(f"</{start[0][1:].split()[0].rstrip('>')}", start.end(), end)
        own = _attributes(start[2]).get("rdf:about")
        about = (Element("rdf:about", own),) if own else ()
        items.append(about + tuple(_scan(text[start.end() : closing if closing > 0 else end])))
    head = text[root.end() - root.start() : starts[0].start() if starts else len(text)]
    version = attributes.get("version", "")
    if kind == "feed":
        version = version or ("0.3" if "purl.org/atom" in root[3] else "")
    if kind == "rdf":
        version = "0.90" if "netscape.com/rdf" in text[:4000] else "1.0"
    return RawFeed(kind, version, tuple(_scan(head)), tuple(items), malformed=True)


def _scan(text: str) -> Iterator[Element]:
    """Return what stands between the tags of each element: HTML without CDATA stays inside its element."""
    place, unclosed, count = 0, set[str](), 0
    while count < MOST_ELEMENTS and (found := _TAG.search(text, place)):
        name, place = found[1], found.end()
        if name in unclosed or name.lower() in _HTML_TAGS or name.lower() == "channel":
            continue
        value, attributes = "", _attributes(found[2])
        if not found[3]:
            end = text.find(f"</{name}", place)
            if end < 0:
                unclosed.add(name)
                end = _next_tag(text, place)
            value, place = text[place:end], end
        count += 1
        parts = _cdata_parts(value)
        markup = any("<" in part for part in parts[::2])
        known = name.removeprefix("atom:")
        plain = (part if number % 2 or markup else unescape(part) for number, part in enumerate(parts))
        yield Element(known, "".join(plain), attributes, "", markup)


def _next_tag(text: str, place: int) -> int:
    end = text.find("<", place)
    return len(text) if end < 0 else end


def _cdata_parts(value: str) -> list[str]:
    """Return the text in parts, every second of them from a CDATA section."""
    parts, place = list[str](), 0
    while (start := value.find("<![CDATA[", place)) >= 0 and (end := value.find("]]>", start)) >= 0:
        parts += [value[place:start], value[start + 9 : end]]
        place = end + 3
    return [*parts, value[place:]]


def _attributes(text: str) -> dict[str, str]:
    return {found[1]: unescape(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(text)}
