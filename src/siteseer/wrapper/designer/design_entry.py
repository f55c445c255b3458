"""Translates a wrapper design into an entry of the knowledge base, so that crawls of the site find its records.

The language of the knowledge base is smaller than that of wrappers: every expression is translated, and used only
where it selects the same on the page on which it was marked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from lxml import html

from siteseer.errors import UsageError
from siteseer.knowledge.types import (
    Application,
    Detection,
    Extraction,
    Field,
    Interaction,
    Level,
    Navigation,
    Pattern,
    Reading,
    Site,
)
from siteseer.wrapper.designer.page_snapshot import Snapshot
from siteseer.wrapper.designer.wrapper_draft import AttributeDraft, Draft
from siteseer.wrapper.induction.compose_wrapper import label
from siteseer.wrapper.induction.evaluate_with_lxml import nodes
from siteseer.xpath.evaluation import select_all
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax_hints import XPathSyntaxError

TYPES: dict[str, tuple[str, Reading]] = {
    "title": ("title", "text"), "author": ("author", "text"), "date": ("published", "date"), "text": ("body", "text"),
    "description": ("body", "text"), "summary": ("body", "text"), "link": ("permalink", "url"),
}  # fmt: skip
"""What the knowledge base calls what people call so."""
UP = 3
_WORDS = re.compile(r"\[normalize-space\(\.\)=('[^']*')\]")
Finds = Callable[[str], Sequence[object]]


def as_entry(snapshot: Snapshot, draft: Draft, name: str) -> tuple[Application, tuple[str, ...]]:
    """Return the entry of that name, and the attributes that its language cannot express."""
    if draft.record is None or not draft.record.hits:
        raise UsageError("mark the records first; they are what an entry tells crawls to find")
    records = [snapshot.element(number) for number in draft.record.hits]
    scope = _said(snapshot.root, records, _at(snapshot.root))
    if scope is None:
        raise UsageError("the knowledge base has no words for these records; mark others, or save a job instead")
    fields = {part.name: _field(snapshot, part, records, draft) for part in draft.parts}
    kept = tuple(one for one in fields.values() if one is not None)
    if not any(one.type == "body" for one in kept):
        kept = (*kept, Field("body", "."))
    level = Level(
        "list", "terminal", detections=(Detection((Pattern(scope),)),), navigations=tuple(_next(snapshot, draft)),
        extractions=(Extraction("record", scope, kept),), interactions=tuple(_interactions(draft)),
    )  # fmt: skip
    entry = Application(name, "other", name, sites=(Site(urlsplit(snapshot.url).netloc, (level,)),))
    return entry, tuple(name for name, one in fields.items() if one is None)


def _interactions(draft: Draft) -> Iterator[Interaction]:
    """Yield the clicks that changed the page where it stood, such as on a notice."""
    for done in draft.deeds:
        if done.stays and (done.deed, done.value) == ("keyword", "click"):
            text = _WORDS.sub(r"[contains(.,\1)]", done.xpath.removeprefix("//"))
            try:
                parse(text)
            except XPathSyntaxError:
                continue
            yield Interaction("accept", text)


def _next(snapshot: Snapshot, draft: Draft) -> Iterator[Navigation]:
    if draft.following is None or draft.turns_in_place:
        return
    links = [snapshot.element(number) for number in draft.following.hits]
    targets = {one.get("href") for one in links}

    def same(text: str) -> list[object]:
        """Return the links, where all that is found leads where they lead: one above and one below are the same."""
        found = select_all(parse(text), snapshot.root)
        return list(links) if found and {getattr(one, "attrib", {}).get("href") for one in found} == targets else []

    if said := _said(snapshot.root, links, same, words_first=True):
        yield Navigation("next", f"{said}/@href")


def _field(snapshot: Snapshot, part: AttributeDraft, records: Sequence[html.HtmlElement], draft: Draft) -> Field | None:
    """Return an attribute as a field, None where it cannot be said."""
    take = part.examples[0].take if part.examples else "text"
    elements = [[_owner(one) for one in nodes(part.choice.path, record)] for record in records]
    first = next((row[0] for row in elements if row), None)
    if first is None:
        return None

    def finds(text: str) -> list[object]:
        expression = parse(text)
        return [one for record in records for one in select_all(expression, record)[:1]]

    wanted = [row[0] for row in elements if row]
    said = "." if wanted == list(records) else _said(records[0], wanted, finds, first)
    if said is None:
        return None
    kind, read = TYPES.get(part.name, ("field", "text"))
    if kind == "body" and len(wanted) < len(records):  # crawls keep no object without a body
        kind = "field"
    if take != "text":
        said, read = f"{said}/@{take}", "url" if take in ("href", "src") else "attribute"
        kind = kind if kind == "permalink" or kind == "published" else "field"
    return Field(kind, said, read, label(part.name) if kind == "field" else "")


def _owner(node: object) -> html.HtmlElement | None:
    if isinstance(node, html.HtmlElement):
        return node
    parent = node.getparent() if hasattr(node, "getparent") else None
    return parent.getparent() if parent is not None and getattr(node, "is_tail", False) else parent


def _at(root: html.HtmlElement) -> Finds:
    return lambda text: select_all(parse(text), root)


def _said(
    root: html.HtmlElement,
    wanted: Sequence[object],
    finds: Finds,
    first: html.HtmlElement | None = None,
    words_first: bool = False,
) -> str | None:
    """Return the first expression of the knowledge base's language that finds just the wanted elements."""
    example = first if first is not None else wanted[0]
    assert isinstance(example, html.HtmlElement)
    ways = list(_ways(example, root))
    for text in sorted(ways, key=lambda one: "contains(." not in one) if words_first else ways:
        try:
            if list(finds(text)) == list(wanted):
                return text
        except XPathSyntaxError:
            continue
    return None


def _ways(element: html.HtmlElement, root: html.HtmlElement) -> Iterator[str]:
    """Yield expressions for an element and its like: its names, then those around it, then what it says."""
    paths = list(_steps(element))
    yield from paths
    tails = paths
    around = [one for one in element.iterancestors() if root in one.iterancestors() or root is one]
    for above in around[:UP]:
        steps = list(_steps(above))
        yield from (f"{step}//{tail}" for step in steps[:-1] for tail in paths)
        tails = [f"{step}/{tail}" for step in steps for tail in tails][:40]
        yield from tails
    said = " ".join(element.text_content().split())
    if 0 < len(said) <= 40 and "'" not in said:
        yield f"{element.tag}[contains(.,'{said}')]"


def _steps(element: html.HtmlElement) -> list[str]:
    named = [f"{element.tag}#{element.get('id')}"] if element.get("id") else []
    named += [f"{element.tag}.{word}" for word in (element.get("class") or "").split()[:6]]
    rel = element.get("rel")
    return [*named, *([f"{element.tag}[@rel='{rel}']"] if rel and "'" not in rel else []), str(element.tag)]
