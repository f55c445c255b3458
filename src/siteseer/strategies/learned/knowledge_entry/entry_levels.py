"""Derives levels of the knowledge base from a record model and the pages on which it found records.

Pages on which a wrapper found records of their own are one terminal level; everything else of the site only leads on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from siteseer.extract.records.extraction_actions import FieldAction, RecordAction, as_actions, expression_of
from siteseer.extract.records.learn_model import RecordModel
from siteseer.extract.records.record_model import Wrapper
from siteseer.knowledge.types import Detection, Extraction, Field, Learned, Level, Pattern, Reading
from siteseer.model import ObjectKind
from siteseer.strategies.learned.knowledge_entry.level_patterns import Groups
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax_hints import XPathSyntaxError

OTHER = "other"
NOT_OF_THE_POST = (
    "blockquote, *[contains(@class,'quote')], *[contains(@class,'signature')], *[contains(@id,'signature')], "
    "*[contains(@class,'edit')][not(contains(@class,'credit'))]"
)
"""What stands inside the bodies of forums without being the author's text."""
CATEGORIES = {"thread": "forum", "post": "blog", "page": "wiki"}


def group_name(number: int) -> str:
    """Return the name of the group of pages that belong to a wrapper."""
    return f"wrapper {number}"


def levels(model: RecordModel, groups: Groups, method: str) -> tuple[Level, ...]:
    """Return a terminal level for each wrapper that found records, the largest first, and one for all other pages."""
    found = []
    for number, wrapper in enumerate(model.wrappers):
        group = group_name(number)
        if groups.pages[group]:
            actions = as_actions(RecordModel((wrapper,), model.now))
            if level := _level(wrapper, actions, groups, group, method):
                found.append((groups.pages[group], level))
    terminal = [level for _, level in sorted(found, key=lambda pair: -pair[0])]
    rest = Level("list", "intermediate", "all other pages", detections=(Detection((Pattern("body"),), 1),))
    return (*_told_apart(terminal), rest)


def _level(wrapper: Wrapper, actions: list[RecordAction], groups: Groups, group: str, method: str) -> Level | None:
    if not actions:
        return None
    kinds = {action["of"] for action in actions}
    name = "thread" if kinds == {"post"} and all(rule.kind == "list" for rule in wrapper.bodies) else None
    name = name or ("page" if "page" in kinds else "post")
    patterns = groups.telling(group) or (Pattern(actions[0]["scope"]),)
    priority = 20 if len(patterns) > 1 else 10
    extractions = [_extraction(action, method) for action in actions]
    if name == "thread":
        extractions.insert(0, _thread(wrapper, method))
    detection = Detection(patterns, priority, "all" if len(patterns) > 1 else "any")
    learned = Learned(method=method, evidence=f"{groups.pages[group]} pages")
    return Level(name, "terminal", "", "html", (detection,), (), tuple(extractions), learned=learned)


def _extraction(action: RecordAction, method: str) -> Extraction:
    fields = tuple(map(_field, action["fields"]))
    exact = "" if action["exact"] else "the expression is wider than what was learned"
    learned = Learned(method=method, confidence=action["confidence"], evidence=exact)
    return Extraction(cast(ObjectKind, action["of"]), action["scope"], fields, learned=learned)


def _field(field: FieldAction) -> Field:
    return Field(
        field["type"],
        field["expression"],
        cast(Reading, field["read"]),
        without=NOT_OF_THE_POST if field["without"] else "",
    )


def _thread(wrapper: Wrapper, method: str) -> Extraction:
    """Return the thread that a page of posts shows."""
    title = _title(wrapper)
    return Extraction("thread", "/html", (Field("title", f"{title} | title" if title else "title"),))


def _title(wrapper: Wrapper) -> str | None:
    if not wrapper.title.key:
        return None
    said = expression_of(wrapper.title.key, None, wrapper.scheme.numbered)
    try:
        parse(said)
    except XPathSyntaxError:
        return None
    return said


def _told_apart(found: Iterable[Level]) -> list[Level]:
    """Give levels of one id names of their own."""
    met: Counter[str] = Counter()
    named = []
    for level in found:
        met[level.id] += 1
        name = "" if met[level.id] == 1 else f"{level.id} of another look, {met[level.id]}"
        named.append(replace(level, name=name))
    return named


def category(found: Iterable[Level]) -> str:
    """Return what kind of site these levels make.

    >>> category([Level("thread", "terminal"), Level("list", "intermediate")])
    'forum'
    """
    return next((CATEGORIES[level.id] for level in found if level.id in CATEGORIES), OTHER)
