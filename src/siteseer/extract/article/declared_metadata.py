"""Reads the article metadata that a page declares in its head and JSON-LD: titles, description, text, author, dates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from siteseer.model import JSON, Page
from siteseer.page.tree import cached, tree

ARTICLES = frozenset(
    "article newsarticle blogposting reportagenewsarticle analysisnewsarticle opinionnewsarticle reviewnewsarticle"
    " scholarlyarticle techarticle socialmediaposting liveblogposting discussionforumposting report review".split()
)
"""schema.org's types of articles, small letters."""
MAX_JSON = 1_000_000
MAX_OBJECTS = 2_000
_BODY = re.compile(r'"articleBody"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"')
_METAS = {
    "og:title": "og_title", "twitter:title": "og_title", "description": "description", "og:description": "description",
    "twitter:description": "description", "author": "author", "article:author": "author",
    "article:published_time": "published", "article:modified_time": "modified",
}  # fmt: skip
_MARKUP = re.compile(r"<[^<>]{0,500}>")


@dataclass(slots=True)
class DeclaredMetadata:
    """The declared metadata of a page; empty where it declares nothing."""

    title: str = ""
    og_title: str = ""
    description: str = ""
    body: str = ""
    """The longest articleBody; often cut short or out of date."""
    author: str = ""
    published: str = ""
    modified: str = ""
    is_article: bool = False
    """Whether JSON-LD or Open Graph say that the page is an article."""


@cached
def claims(page: Page) -> DeclaredMetadata:
    """Return the declared metadata of a page.

    >>> said = b'{"@type": "Article", "author": {"name": "Ann"}}'
    >>> body = b'<title>A - B</title><script type="application/ld+json">' + said + b"</script>"
    >>> found = claims(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    >>> found.title, found.author, found.is_article
    ('A - B', 'Ann', True)
    """
    found = DeclaredMetadata()
    wanted = ("meta", "title", "script") if b"ld+json" in page.body or b"\x00" in page.body[:99] else ("meta", "title")
    for element in tree(page).iter(*wanted):
        if element.tag == "script":
            if "ld+json" in (element.get("type") or "") and element.text:
                _read_json(element.text[:MAX_JSON], found)
        elif element.tag == "title":
            found.title = found.title or _line(element.text)
        else:
            _read_meta(element.get("property") or element.get("name") or "", element.get("content") or "", found)
    return found


def _read_meta(name: str, content: str, found: DeclaredMetadata) -> None:
    name = name.strip().lower()
    if name == "og:type" and content.strip().lower() == "article":
        found.is_article = True
    attribute = _METAS.get(name)
    if not attribute or not content:
        return
    value = _line(content)
    if attribute == "author" and "//" in value:  # the address of a profile
        return
    old = getattr(found, attribute)
    if not old or (attribute == "description" and len(value) > len(old)):
        setattr(found, attribute, value)


def _read_json(text: str, found: DeclaredMetadata) -> None:
    for match in _BODY.findall(text):
        body = _unescaped(match)
        if len(body) > len(found.body):
            found.body = body
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    for one in _objects(value):
        if not _types(one) & ARTICLES:
            continue
        found.is_article = True
        found.og_title = found.og_title or _line(one.get("headline"))
        found.author = _names(one.get("author")) or found.author
        found.published = _line(one.get("datePublished")) or found.published
        found.modified = _line(one.get("dateModified")) or found.modified
        return


def _unescaped(text: str) -> str:
    try:
        said = str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        said = text.replace("\\n", "\n").replace('\\"', '"')
    return _MARKUP.sub(" ", said)


def _objects(value: JSON) -> Iterator[dict[str, JSON]]:
    """Yield the objects of a document, outer ones first; at most so many."""
    waiting, seen = [value], 0
    while waiting and seen < MAX_OBJECTS:
        one = waiting.pop(0)
        seen += 1
        if isinstance(one, dict):
            yield one
            waiting.extend(inner for inner in one.values() if isinstance(inner, dict | list))
        elif isinstance(one, list):
            waiting.extend(one[:MAX_OBJECTS])


def _types(one: dict[str, JSON]) -> set[str]:
    kind = one.get("@type")
    kinds = kind if isinstance(kind, list) else [kind]
    return {name.rpartition("/")[2].lower() for name in kinds if isinstance(name, str)}


def _names(value: JSON) -> str:
    people = value if isinstance(value, list) else [value]
    names = (_line(one.get("name") if isinstance(one, dict) else one) for one in people[:10])
    return ", ".join(dict.fromkeys(name for name in names if name and "//" not in name))


def _line(value: JSON) -> str:
    return " ".join(value.split())[:2_000] if isinstance(value, str) else ""
