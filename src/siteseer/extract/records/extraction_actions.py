"""Translates a learned record model into extraction actions of the knowledge base, as far as the XPath fragment allows.

What is learned is wider than the fragment: shapes, places among like siblings and texts before a date have no words in
it. An action whose expression is wider than the learned key is marked as not exact; a field that cannot be said is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypedDict

from siteseer.extract.records.element_keys import SPANNING
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax import quoted
from siteseer.xpath.syntax_hints import XPathSyntaxError

if TYPE_CHECKING:
    from siteseer.extract.records.learn_model import RecordModel
    from siteseer.extract.records.record_model import BodyRule, FieldRule

_STEP = re.compile(r"(?P<tag>[\w-]+)(?P<rest>.*)")
_PART = re.compile(r"#(?P<id>[^#.\[]+)|\.(?P<token>[^#.\[]+)|\[(?P<property>[^\]]*)\]|:(?P<place>\d+)|~(?P<shape>.+)")
_NAME = re.compile(r"[A-Za-z][\w-]*")
MOST_ALTERNATIVES = 3
WITHOUT = "blockquote, .quote, .signature"


class FieldAction(TypedDict):
    """A field of a record: semantic type, expression relative to the record, how it is read."""

    type: str
    expression: str
    read: str
    without: str


class RecordAction(TypedDict):
    """A kind of record: the expression of its scope, what it is, its fields."""

    type: str
    of: str
    scope: str
    exact: bool
    confidence: float
    fields: list[FieldAction]


def as_actions(model: RecordModel) -> list[RecordAction]:
    """Return the model's rules as extraction actions; those that the fragment cannot say at all are left out."""
    actions = []
    for wrapper in model.wrappers:
        lone = any(rule.kind == "single" for rule in wrapper.bodies)
        for rule in wrapper.bodies:
            action = _action(rule, _kind(rule, lone), wrapper.scheme.numbered)
            title = _alternatives([wrapper.title.key] if wrapper.title.key else [], None, wrapper.scheme.numbered)
            if action and title and rule.kind == "single":
                action["fields"].append(_field("title", title, "text"))
            if action:
                actions.append(action)
    return actions


def _kind(rule: BodyRule, lone: bool) -> str:
    if rule.kind == "list":
        return "comment" if lone else "post"
    return "page" if rule.dates and rule.dates[0].edited else "post"


def _action(rule: BodyRule, of: str, numbered: frozenset[str]) -> RecordAction | None:
    if rule.kind == "list" and rule.scope is None:
        return None
    inner = rule.scope == rule.key
    scope_step = rule.scope.partition("<")[0] if rule.scope and not inner else None
    body = "." if inner else _alternatives([rule.key], scope_step, numbered)
    if body is None:
        return None
    scope = expression_of(rule.scope, None, numbered) if rule.scope else "body"
    if rule.scope and not inner and (narrow := _alternatives([rule.key.partition("<")[0]], None, numbered)):
        scope = f"{scope}[.//{narrow}]"
    if not _parses(scope):
        return None
    fields = [_field("body", body, "text", WITHOUT if rule.kind == "list" and not rule.keeps_quotes else "")]
    for name, rules, read in (("published", rule.dates, "date"), ("author", rule.authors, "text")):
        if said := _alternatives(_sayable(rules, read), scope_step, numbered):
            fields.append(_field(name, said, read))
    if rule.permalink and (said := _alternatives([f"{rule.permalink.key}|@href"], scope_step, numbered)):
        fields.append(_field("permalink", said, "url"))
    keys = [rule.key, rule.scope or ""]
    return {
        "type": "record",
        "of": of,
        "scope": scope,
        "exact": not any("~" in key or ":" in key for key in keys),
        "confidence": rule.confidence,
        "fields": fields,
    }


def _field(name: str, expression: str, read: str, without: str = "") -> FieldAction:
    return {"type": name, "expression": expression, "read": read, "without": without}


def _sayable(rules: Sequence[FieldRule], read: str) -> Iterable[str]:
    """A tail is said by its parent where a date is read; what stands beside a date or label, or in the head, cannot."""
    for rule in rules:
        key, _, way = rule.key.rpartition("|")
        if ":" in way or rule.first or rule.last or key == "head":
            continue
        if way.startswith("@"):
            yield f"{key}|{way}"
        elif way == "tail":
            if read == "date" and "<" in key:
                yield key.partition("<")[2]
        else:
            yield key


def _alternatives(keys: Iterable[str], scope_step: str | None, numbered: frozenset[str]) -> str | None:
    said = dict.fromkeys(expression_of(key, scope_step, numbered) for key in keys)
    parsed = [expression for expression in said if expression and _parses(expression)]
    return " | ".join(parsed[:MOST_ALTERNATIVES]) or None


def expression_of(key: str, scope_step: str | None, numbered: frozenset[str] = frozenset()) -> str:
    """Return the expression of an atom or element key, its steps inside the scope only.

    >>> expression_of("time<p.author<div#p0|@datetime", "div#p0")
    'p.author/time/@datetime'
    """
    element_key, _, way = key.partition("|")
    steps: list[str] = []
    for step in element_key.split("<"):
        if step == scope_step or step.startswith(("body", "html")):
            break
        steps.append(_step(step, numbered))
    attribute = [way] if way.startswith("@") else []
    return "/".join([*reversed(steps), *attribute])


def _step(step: str, numbered: frozenset[str]) -> str:
    found = _STEP.fullmatch(step)
    if not found:
        return "*"
    said = found["tag"]
    for part in _PART.finditer(found["rest"]):
        if part["id"]:
            said += _named("id", part["id"], numbered)
        elif part["token"]:
            said += _named("class", part["token"], numbered)
        elif part["property"]:
            said += f"[@itemprop={quoted(part['property'])}]"
        elif part["place"] and found["tag"] in ("td", "th"):
            place = int(part["place"])
            said += f"[{place + 1}]" if place < SPANNING else "[@colspan]"
    return said


def _named(attribute: str, name: str, numbered: frozenset[str]) -> str:
    """A folded number ends what can be said of a name; a class may also have lost its number."""
    stem, zero, _ = name.partition("0")
    if zero:
        test = "starts-with" if attribute == "id" else "contains"
        return f"[{test}(@{attribute},{quoted(stem)})]" if stem else f"[@{attribute}]"
    if not _NAME.fullmatch(name) or (attribute == "class" and name in numbered):
        return f"[contains(@{attribute},{quoted(name)})]"
    return f"#{name}" if attribute == "id" else f".{name}"


def _parses(expression: str) -> bool:
    try:
        parse(expression)
    except XPathSyntaxError:
        return False
    return True
