"""Extracts the objects of a page by the knowledge base's rules for its level: posts, comments, articles, threads.

One object met on two pages has one IRI; a thread that spans pages is one object. Posts name their thread, comments the
post or comment that they answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from lxml import html

from siteseer.extract.json_records import facts_in
from siteseer.extract.read_values import without_reply_prefix
from siteseer.extract.record_fields import CONTAINERS, Facts, RecordReader
from siteseer.extract.signed_posts import signed_posts
from siteseer.knowledge.alternatives import first_selection
from siteseer.knowledge.element_index import places
from siteseer.knowledge.pattern_match import templates_of
from siteseer.knowledge.types import Application, Extraction, Level
from siteseer.knowledge.url_identity import object_url
from siteseer.model import ObjectKind, Page, WebObject
from siteseer.page.object_iris import object_iri

MAX_RECORDS = 5_000
MAX_DEPTH = 500
"""How far up an answered comment is looked for."""
ORDER = ("board", "thread", "user", "article", "page", "post", "record", "comment")
MAIN = ("article", "page", "post")


@dataclass(slots=True)
class _Found:
    """The objects of a page so far."""

    page: Page
    level: Level
    application: Application | None
    address: str
    """The page's address without paging."""
    objects: dict[str, WebObject] = field(default_factory=dict)
    ids: dict[html.HtmlElement, str] = field(default_factory=dict)
    """IRIs by the element of their record."""
    named: dict[int, str] = field(default_factory=dict)
    """IRIs by the identity of their facts."""
    main: str | None = None
    """IRI of the page's one article, post or wiki page."""
    thread: WebObject | None = None


def extract(page: Page, level: Level, application: Application | None = None) -> list[WebObject]:
    """Return the objects of a page, in page order by kind, each once."""
    found = _Found(page, level, application, object_url(page.url, application))
    for extraction, records in _records(page, level, application):
        for facts in records:
            if one := _object(found, extraction, facts, is_only=len(records) == 1):
                found.objects.setdefault(one.id, one)
                _note(found, one, facts)
    return list(found.objects.values())


def _records(page: Page, level: Level, application: Application | None) -> Iterator[tuple[Extraction, list[Facts]]]:
    """Yield the facts of records, kind by kind, then those of signed posts."""
    yield from _boxed_records(page, level, application)
    for extraction in level.signed:
        yield extraction, signed_posts(page, extraction)


def _boxed_records(
    page: Page, level: Level, application: Application | None
) -> Iterator[tuple[Extraction, list[Facts]]]:
    """Yield, kind by kind, the first extraction that finds records, with their facts."""
    templates = templates_of(application.templates, page) if application else frozenset()
    usable = [one for one in level.extractions if not one.template or one.template in templates]
    if level.format == "json":
        for extraction in _by_kind(usable):
            yield extraction, list(facts_in(page, extraction))[:MAX_RECORDS]
        return
    chosen: dict[str, tuple[Extraction, list[html.HtmlElement]]] = {}
    for extraction in _by_kind(usable):
        if extraction.of not in chosen and (elements := _elements(page, extraction)):
            chosen[extraction.of] = (_for_templates(extraction, templates), elements)
    known = places(page)
    texts = {element for kind, (_, found) in chosen.items() if kind not in CONTAINERS for element in found}
    every = sorted(known.numbers[element] for element in texts - {known.elements[0]})
    for extraction, elements in chosen.values():
        reading = RecordReader.on(page, extraction, elements)
        yield extraction, [reading.facts(one, known.inside(every, [known.numbers[one]])) for one in elements]


def _by_kind(extractions: list[Extraction]) -> list[Extraction]:
    return sorted(extractions, key=lambda extraction: ORDER.index(extraction.of))


def _elements(page: Page, extraction: Extraction) -> list[html.HtmlElement]:
    found = [node for node in first_selection(extraction.scope, page)[:MAX_RECORDS] if not isinstance(node, str)]
    return found[:1] if extraction.take == "first" else found


def _for_templates(extraction: Extraction, templates: frozenset[str]) -> Extraction:
    if all(not one.template for one in extraction.fields):
        return extraction
    kept = tuple(one for one in extraction.fields if not one.template or one.template in templates)
    return replace(extraction, fields=kept)


def _object(found: _Found, extraction: Extraction, facts: Facts, is_only: bool) -> WebObject | None:
    kind, values = extraction.of, facts.values
    has_text = kind not in CONTAINERS
    says_something = any(values.get(name) for name in ("body", "title", "permalink", "id"))
    if (has_text and "body" not in values) or (kind != "thread" and not says_something):
        return None
    permalink = _permalink(found, extraction, facts, is_only)
    thread = _thread(found, extraction, facts)
    name = _name(found, kind, values, permalink, thread)
    if has_text and found.thread is not None and name == found.thread.id:  # its link is that of the thread
        permalink, name = None, _name(found, kind, values, None, thread)
    return WebObject(
        kind=kind,
        id=name,
        url=found.page.url,
        permalink=permalink,
        title=_title(found, extraction, values.get("title")),
        author=values.get("author"),
        author_url=values.get("author_url"),
        published=values.get("published"),
        modified=values.get("modified"),
        text=values.get("body") or None if has_text else None,
        html=values.get("html") or None if has_text else None,
        parent=_parent(found, extraction, facts),
        thread=thread,
        tags=tuple(dict.fromkeys((*facts.lists.get("tags", ()), *facts.lists.get("category", ())))),
        links=facts.links,
        media=tuple(dict.fromkeys((*facts.media, *facts.lists.get("attachment", ())))),
        fields=facts.named,
        because=f"{found.application.id if found.application else 'unknown'}/{found.level.id}/{kind}",
    )


def _name(found: _Found, kind: ObjectKind, values: dict[str, str], permalink: str | None, thread: str | None) -> str:
    return object_iri(
        kind,
        permalink=object_url(permalink, found.application) if permalink else None,
        page_url=found.page.url,
        native_id=values.get("id"),
        container=thread or found.address,
        author=values.get("author"),
        created=values.get("published"),
        text=values.get("body") or values.get("title"),
    )


def _permalink(found: _Found, extraction: Extraction, facts: Facts, is_only: bool) -> str | None:
    if given := facts.values.get("permalink"):
        return given
    is_main = extraction.of in MAIN and is_only and found.thread is None
    stands_for_page = is_main or extraction.of in CONTAINERS
    if stands_for_page and found.level.format == "html" and not facts.values.get("id"):
        return found.address
    return None


def _title(found: _Found, extraction: Extraction, title: str | None) -> str | None:
    if title is None and extraction.of == "post" and found.thread is not None:
        return found.thread.title
    return without_reply_prefix(title) if title and extraction.of in ("post", "thread", "comment") else title


def _thread(found: _Found, extraction: Extraction, facts: Facts) -> str | None:
    if given := facts.values.get("thread"):
        return object_iri(
            "thread", permalink=object_url(given, found.application), page_url=found.page.url, native_id=given
        )
    if extraction.of == "post" and found.thread is not None:
        return found.thread.id
    return found.main if extraction.of == "comment" else None


def _parent(found: _Found, extraction: Extraction, facts: Facts) -> str | None:
    given = facts.values.get("parent")
    if given and extraction.of in CONTAINERS:
        return object_iri(
            "board", permalink=object_url(given, found.application), page_url=found.page.url, native_id=given
        )
    if given:
        link = object_url(given, found.application) if "//" in given else None
        return object_iri(extraction.of, permalink=link, page_url=found.page.url, native_id=given)
    if extraction.of != "comment":
        return None
    if facts.answers is not None:
        return found.named.get(id(facts.answers), found.main)
    if facts.element is not None:
        for ancestor in islice(facts.element.iterancestors(), MAX_DEPTH):
            if ancestor in found.ids:
                return found.ids[ancestor]
    return found.main


def _note(found: _Found, one: WebObject, facts: Facts) -> None:
    found.named[id(facts)] = one.id
    if facts.element is not None and one.kind == "comment":
        found.ids[facts.element] = one.id
    if one.kind in MAIN and found.main is None:
        found.main = one.id
    if one.kind == "thread" and found.thread is None:
        found.thread = one
