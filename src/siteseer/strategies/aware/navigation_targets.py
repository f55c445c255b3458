"""Returns the URLs that the navigation actions of a recognised page select."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from lxml import etree

from siteseer.extract.json_records import first_at, parse_answer, values_at
from siteseer.extract.read_values import one_line, read_number, read_url
from siteseer.knowledge.alternatives import first_selection
from siteseer.knowledge.pattern_match import templates_of
from siteseer.knowledge.types import Application, Level, Navigation, regex
from siteseer.knowledge.url_identity import object_url
from siteseer.model import JSON, Page
from siteseer.page.links import base
from siteseer.page.urls import origin_of, resolve

NOT_FOLLOWED = ("permalink", "media", "same")
MAX_TARGETS = 10_000
_HOME = "link[@rel='home']/@href | link[@rel='start']/@href"
_HOLE = re.compile(r"\{([\w.@:-]{1,100})\}")
_LINK_HEADER = re.compile(r'<([^<>]{1,4000})>[^<>,]{0,200}?;\s*rel="?([\w -]{1,60})"?')


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that an action selects."""

    url: str
    action: Navigation


def usable_actions(
    page: Page, application: Application, level: Level | None, chosen: Mapping[str, str]
) -> list[Navigation]:
    """Return the actions that apply on a page: those of its level and of all levels, under the chosen policies."""
    actions = (*(level.navigations if level else ()), *application.navigations)
    templates = templates_of(application.templates, page)
    return [
        action
        for action in actions
        if (not action.template or action.template in templates) and application.applies(action.when, dict(chosen))
    ]


def targets(
    page: Page, actions: list[Navigation], level: Level | None, application: Application | None = None
) -> Iterator[Target]:
    """Yield the URLs that the actions select, action by action, in page order."""
    for action in actions:
        found = dict.fromkeys(_urls(page, action, level, application))
        urls = list(found)[:MAX_TARGETS]
        if action.take != "all":
            urls = urls[:1] if action.take == "first" else urls[-1:]
        for url in urls:
            if not action.matches or action.url or regex(action.matches).search(path_and_query(url)):
                yield Target(url, action)


def _urls(page: Page, action: Navigation, level: Level | None, application: Application | None) -> Iterator[str]:
    if action.url and action.text and action.role != "same" and (level is None or level.format == "html"):
        yield from _beside(page, action)
    elif action.url:
        yield from _made(page, action, level, application)
    elif action.read == "link-header":
        yield from _link_header(page, action.text)
    elif action.read == "json":
        for path in action.text.split("|"):
            values = [value for value in values_at(parse_answer(page), path) if isinstance(value, str)]
            yield from filter(None, (resolve(base(page), value) for value in values))
    else:
        for node in first_selection(action.text, page):
            url = read_url(node, base(page))
            if url and (address := url.partition("#")[0]):
                yield address


def _beside(page: Page, action: Navigation) -> Iterator[str]:
    """Write a URL relative to the links that an action selects: where one page of a kind lies, the others do too."""
    url = _filled(action, _groups(page, action) if action.value else {})
    for node in first_selection(action.text, page) if url else ():
        link = read_url(node, base(page))
        if link and (not action.matches or action.value or regex(action.matches).search(path_and_query(link))):
            yield from filter(None, [resolve(link, url or "")])


def _groups(page: Page, action: Navigation) -> dict[str, JSON] | None:
    """Return the groups of `matches` by number: on the page's own address, or on what `value` selects; None without."""
    shown = map(str, first_selection(action.value, page)) if action.value else (path_and_query(page.url),)
    found = next(filter(None, map(regex(action.matches).search, shown)), None)
    return {str(number): value or "" for number, value in enumerate(found.groups(), start=1)} if found else None


def _filled(action: Navigation, groups: dict[str, JSON] | None, record: Any = None) -> str | None:
    """Fill the holes of an action's URL; None where there is nothing to put into one."""
    if groups is None:
        return None
    values = {name: groups.get(name, first_at(record, name)) for name in _HOLE.findall(action.url)}
    if any(value is None for value in values.values()):
        return None
    return _HOLE.sub(lambda hole: quote(str(values[hole[1]]), safe=""), action.url)


def _made(page: Page, action: Navigation, level: Level | None, application: Application | None) -> Iterator[str]:
    """Fill the holes of a URL: groups of `matches` on the page's own address, or values of JSON records."""
    groups = _groups(page, action) if action.matches else {}
    if groups is None:
        return
    records: list[Any] = [None]
    if level is not None and level.format == "json" and action.text:
        records = list(values_at(parse_answer(page), action.text))
        if action.take != "all":
            records = records[:1] if action.take == "first" else records[-1:]
    if action.role == "same":
        yield from _other_spellings(page, action, application)
        return
    for record in records:
        if (filled := _filled(action, groups, record)) and (url := resolve(base(page), filled)):
            yield url


def _other_spellings(page: Page, action: Navigation, application: Application | None) -> Iterator[str]:
    """Yield other URLs of this very page: `{number}` is the page number that it shows, `{address}` its URL unpaged."""
    shown = (one_line(node) for node in first_selection(action.text, page))
    number = next(filter(None, map(read_number, shown)), None)
    if number is not None:
        made = action.url.replace("{address}", object_url(page.url, application)).replace("{number}", number)
        if url := resolve(base(page), made):
            yield url


def _link_header(page: Page, relation: str) -> Iterator[str]:
    for name, value in page.headers:
        if name.lower() == "link":
            for target, relations in _LINK_HEADER.findall(value[:20_000]):
                if relation in relations.split() and (url := resolve(page.url, target)):
                    yield url


def path_and_query(url: str) -> str:
    """Return path and query of a URL.

    >>> path_and_query("http://e.org/a?b=c")
    '/a?b=c'
    """
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def root_of(page: Page, level: Level | None, url: str) -> tuple[str, str]:
    """Return what an entry's URL is relative to, and how it is written there.

    The root of an application is where its start page lies: this page if it is that, else what the page names as its
    home. Where neither is known, the URL is taken as a link of this page.
    """
    home = page.url if level is not None and level.id == "index" else None
    for href in first_selection(_HOME, page)[:1] if home is None else ():
        named = resolve(base(page), href)
        home = named if named and origin_of(named) == origin_of(page.url) else None
    return (home, url.removeprefix("/")) if home else (page.url, url)


def sitemap_urls(page: Page) -> tuple[list[str], list[str]]:
    """Return the sitemaps and the pages that a sitemap lists; nothing where it is none.

    >>> sitemap_urls(Page("http://e.org/s.xml", body=b"<urlset><url><loc>http://e.org/a</loc></url></urlset>"))
    ([], ['http://e.org/a'])
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    try:
        root: Any = etree.fromstring(page.body[: 60 << 20], parser)
    except (etree.LxmlError, ValueError):
        return [], []
    if root is None:
        return [], []
    maps: list[str] = []
    pages: list[str] = []
    for location in root.iter("{*}loc"):
        text, parent = (location.text or "").strip(), location.getparent()
        url = resolve(page.url, text) if text and parent is not None else None
        if url:
            (maps if etree.QName(parent).localname == "sitemap" else pages).append(url)
    return maps[:MAX_TARGETS], pages[:50_000]
