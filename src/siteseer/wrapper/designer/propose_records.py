"""Proposes the records of a page, their attributes, and the link to the next page.

Records come from the record learner where the page holds posts; otherwise from repeated structure: elements of one kind
beside each other, the more text of their own the better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lxml import html

from siteseer.errors import UsageError
from siteseer.extract.records import learn_records
from siteseer.page.pagination.page_links import pagination
from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.urls import identity, resolve
from siteseer.wrapper.designer.expression_wording import proposed_name
from siteseer.wrapper.designer.mark_records import AttributeExample, Choice, attribute_choices, record_choices
from siteseer.wrapper.designer.page_snapshot import Snapshot
from siteseer.wrapper.designer.wrapper_draft import AttributeDraft
from siteseer.wrapper.induction.element_tables import clean
from siteseer.wrapper.induction.evaluate_with_lxml import nodes

FEWEST = 3
MOST_PARTS = 8
FILLED = 0.3
"""The share of records in which a proposed attribute must be."""
NOT_RECORDS = UNREAD_IN["proposed records"]
MOST_LETTERS = 2_000


def proposed_records(snapshot: Snapshot) -> tuple[Choice, ...]:
    """Return expressions for what seem to be the records of a page, the likeliest first."""
    examples = _learned(snapshot) or _repeated(snapshot)
    if len(examples) < 2:
        raise UsageError("no records were found here by themselves; click on two of them")
    return record_choices(snapshot, [snapshot.numbers[one] for one in examples[:2]])


def _learned(snapshot: Snapshot) -> list[html.HtmlElement]:
    """Return the bodies of the posts that the record learner finds, if it finds a list of them."""
    model = learn_records([snapshot.page()])
    found = model.apply(snapshot.page()) if model else ()
    places = [one.path for one in found if one.kind == "list"]
    elements = [snapshot.root.getroottree().xpath(path) for path in places]
    flat = [row[0] for row in elements if row]
    return flat if len(flat) >= FEWEST else []


def _repeated(snapshot: Snapshot) -> list[html.HtmlElement]:
    best: tuple[float, list[html.HtmlElement]] = (0.0, [])
    for parent in snapshot.elements.values():
        groups: dict[tuple[str, str], list[html.HtmlElement]] = {}
        for child in parent:
            if isinstance(child.tag, str) and child.tag not in NOT_RECORDS and not child.tag.startswith("{"):
                for word in (child.get("class") or "").split() or ("",):
                    groups.setdefault((child.tag, word), []).append(child)
        for group in groups.values():
            if len(group) >= FEWEST:
                best = max(best, (_worth(group), group), key=lambda pair: pair[0])
    return best[1]


def _worth(group: Sequence[html.HtmlElement]) -> float:
    """Return how much distinct text a group has: each different text counts once, menus of lone links count little."""
    texts = {clean(one.text_content()[:MOST_LETTERS]) for one in group}
    links = sum(1 for one in group if sum(len(a.text_content()) for a in one.iter("a")) > 0.8 * len(one.text_content()))
    inner = min(sum(1 for _ in one.iterdescendants()) for one in group)
    return sum(min(len(text), 400) for text in texts) * min(inner, 6) * (0.2 if links > len(group) / 2 else 1.0)


def proposed_parts(snapshot: Snapshot, record: Choice) -> tuple[AttributeDraft, ...]:
    """Return attributes for the parts that differ from record to record, with names."""
    records = [one for one in nodes(record.path, snapshot.root) if isinstance(one, html.HtmlElement)]
    columns: dict[tuple[str, str], list[html.HtmlElement]] = {}
    for one in records:
        for path, element, take in dict.fromkeys(_leaves(one)):
            row = columns.setdefault((path, take), [])
            row.append(element)
    made: dict[str, AttributeExample] = {}
    for (_, take), row in columns.items():
        if len(made) < MOST_PARTS and _is_informative(row, take, len(records)):
            made[proposed_name(row[0], take, frozenset(made))] = AttributeExample(snapshot.numbers[row[0]], take)
    if not made:
        return ()
    found = attribute_choices(snapshot, record, {name: [one] for name, one in made.items()})
    return tuple(AttributeDraft(name, (made[name],), choices) for name, choices in found.items() if choices)


def _leaves(record: html.HtmlElement) -> Iterator[tuple[str, html.HtmlElement, str]]:
    """Yield the elements of a record that hold text of their own, pictures and links, each with its path of names."""
    for one in record.iter():
        if not isinstance(one.tag, str) or one.tag.startswith("{") or one.tag in NOT_RECORDS:
            continue
        path = "/".join(_step(step) for step in (one, *one.iterancestors()) if record in (step, *step.iterancestors()))
        if one.text and clean(one.text):
            yield path, one, "text"
        if one.tag == "img" and one.get("src"):
            yield path, one, "src"
        if one.tag == "a" and one.get("href"):
            yield path, one, "href"


def _step(element: html.HtmlElement) -> str:
    return f"{element.tag}.{' '.join(sorted((element.get('class') or '').split()))}"


def _is_informative(row: Sequence[html.HtmlElement], take: str, records: int) -> bool:
    values = Counter(clean(one.text_content() if take == "text" else one.get(take) or "") for one in row)
    return len(row) >= FILLED * records and len(row) <= 1.5 * records and len(values) > max(1, len(row) // 4)


def proposed_next(snapshot: Snapshot) -> int | None:
    """Return the number of the link that seems to lead to the next page, None where none does."""
    targets = {identity(one.url) for one in pagination(snapshot.page()) if one.direction == "next"}
    for element in snapshot.root.iter("a"):
        url = resolve(snapshot.base, element.get("href") or "")
        if url and identity(url) in targets and element.get("href") != "#":
            return snapshot.numbers[element]
    return None
