"""Validates the elements of a knowledge file against the schema; each problem has its line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import re2
from lxml import etree

from siteseer.knowledge import schema
from siteseer.knowledge.types import regex, split_commas
from siteseer.xpath.parser import XPathSyntaxError, parse

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_JSON_PATH = re.compile(r"\.|[\w@:-]+(\[\])?(\.[\w@:-]+(\[\])?)*|\[\]")


@dataclass(frozen=True, slots=True)
class Problem:
    """One error in a file, and what to do about it."""

    file: str
    line: int
    what: str
    todo: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}; {self.todo}"


def line_of(element: etree._Element) -> int:
    """Return the line on which an element begins."""
    line: Any = element.sourceline
    return int(line or 1)


def problems_in(root: etree._Element, name: str) -> Iterator[Problem]:
    """Yield the violations of the schema, in file order."""
    if root.tag != "application":
        yield Problem(name, line_of(root), f"the file begins with <{root.tag}>", "begin it with <application ...>")
        return
    for element in root.iter(etree.Element):
        for what, todo in _problems_of(element):
            yield Problem(name, line_of(element), what, todo)


def _problems_of(element: etree._Element) -> Iterator[tuple[str, str]]:
    tag = str(element.tag)
    parent = element.getparent()
    known = schema.ELEMENTS.get(tag)
    if parent is not None and str(parent.tag) in schema.ELEMENTS:
        allowed = schema.ELEMENTS[str(parent.tag)].children
        if tag not in allowed:
            yield f"<{tag}> is not known inside <{parent.tag}>", _instead(tag, allowed)
            return
    if known is None:
        return
    yield from _attributes(element, known)
    yield from _content(element, known)
    if tag in _RULES:
        yield from _RULES[tag](element)


def _attributes(element: etree._Element, known: schema.Element) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        attribute = known.attributes.get(str(name))
        if attribute is None:
            yield f"attribute {name!s} is not known in <{element.tag}>", _instead(str(name), known.attributes)
        elif attribute.choices and value not in attribute.choices:
            yield f"{name!s}={value!r} is not known", f"write one of: {' '.join(attribute.choices)}"
        else:
            yield from _value(str(name), str(value), attribute, element)
    for name, attribute in known.attributes.items():
        if attribute.is_required and not element.get(name):
            yield f"<{element.tag}> has no {name}", f'add {name}="..."'


def _value(name: str, value: str, attribute: schema.Attribute, element: etree._Element) -> Iterator[tuple[str, str]]:
    if attribute.holds == "number" and not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,6})?", value):
        yield f"{name}={value!r} is not a number", "write a number such as 10"
    elif attribute.holds == "name" and not _NAME.fullmatch(value):
        yield f"{name}={value!r} is no name", "use lower-case letters, digits and hyphens"
    elif attribute.holds == "regex":
        yield from _regex(name, value)
    elif attribute.holds == "xpaths":
        for part in split_commas(value):
            yield from _xpath(part)
    elif attribute.holds == "scope":
        yield from (_json_path(value) if _is_json(element) else _xpath(" ".join(value.split())))


def _content(element: etree._Element, known: schema.Element) -> Iterator[tuple[str, str]]:
    text = words_of(element)
    if known.holds == "nothing":
        if text:
            yield f"<{element.tag}> holds the text {text[:40]!r}", "move it into an attribute or a comment"
    elif known.holds == "pressed" and element.get("do") == "scroll-until-still":
        if text:
            yield f"scrolling presses nothing, but <{element.tag}> holds {text[:40]!r}", "leave the expression out"
    elif not text:
        if known.holds != "either" or not (element.get("url") or element.get("read") == "link-header"):
            yield (
                f"<{element.tag}> is empty",
                "write what it shall find" if known.holds != "words" else "say it in words",
            )
    elif known.holds in ("xpath", "either", "pressed") and element.get("read") != "link-header":
        yield from (_json_path(text) if element.get("read") == "json" else _xpath(text))


def _xpath(text: str) -> Iterator[tuple[str, str]]:
    try:
        parse(text)
    except XPathSyntaxError as error:
        yield "the expression is outside the fragment", str(error)


def _regex(name: str, value: str) -> Iterator[tuple[str, str]]:
    try:
        regex(value)
    except re2.error as error:
        reason = error.args[0] if error.args else "unknown"
        reason = reason.decode() if isinstance(reason, bytes) else reason
        yield f"{name}={value!r} is no regular expression ({reason})", "RE2 knows no look-around and no back-references"


def _json_path(text: str) -> Iterator[tuple[str, str]]:
    if not all(_JSON_PATH.fullmatch(part.strip()) for part in text.split("|")):
        yield f"{text!r} is no path into JSON", "write names separated by dots, such as account.display_name or items[]"


def _is_json(extract: etree._Element) -> bool:
    level = extract.getparent()
    return level is not None and level.get("format") == "json"


def words_of(element: etree._Element) -> str:
    """Return the text that stands in an element itself, spaces folded."""
    parts: Iterable[str | None] = (element.text, *(child.tail for child in element))
    return " ".join(" ".join(part for part in parts if part).split())


def _instead(name: str, allowed: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(allowed), 1)
    return f"did you mean {close[0]}?" if close else f"known here: {' '.join(sorted(allowed)) or 'nothing'}"


# ── what one element needs beyond the table ────────────────────────────────────────────────────────────────────────


def _avoid(element: etree._Element) -> Iterator[tuple[str, str]]:
    if not any(element.get(name) for name in ("contains", "parameter", "path")):
        yield "the rule says no URL", "add contains=, parameter= or path="
    yield from _policy_exists(element)


def _paging(element: etree._Element) -> Iterator[tuple[str, str]]:
    if sum(bool(element.get(name)) for name in ("parameter", "path", "matches")) != 1:
        yield "<paging> needs either parameter, path or matches", 'write parameter="start", or path="/page/([0-9]+)/?$"'


def _detect(element: etree._Element) -> Iterator[tuple[str, str]]:
    if element.find("pattern") is None:
        yield "<detect> has no pattern", "add <pattern>...</pattern>"


def _level(element: etree._Element) -> Iterator[tuple[str, str]]:
    parent = element.getparent()
    in_site = parent is not None and parent.tag == "site"
    is_addition = in_site or any(one is not None and one.find("learned") is not None for one in (element, parent))
    if element.find("detect") is None and not is_addition:
        yield f"level {element.get('id')} has no detection", "add <detect> with a pattern that only these pages have"
    if element.get("kind") == "terminal" and element.find("extract") is None and not is_addition:
        yield f"terminal level {element.get('id')} extracts nothing", 'add <extract>, or write kind="intermediate"'


def _extract(element: etree._Element) -> Iterator[tuple[str, str]]:
    if element.find("field") is None:
        yield "<extract> has no field", "add <field type=...>"


def _signed(element: etree._Element) -> Iterator[tuple[str, str]]:
    for kind in ("author", "published"):
        fields = [field for field in element.iterfind("field") if field.get("type") == kind]
        if not fields or not all(field.get("regex") for field in fields):
            yield f"<signed> does not say what a signature's {kind} is", f'add <field type="{kind}" regex="...">'


def _field(element: etree._Element) -> Iterator[tuple[str, str]]:
    if element.get("type") == "field" and not element.get("name"):
        yield "a further field has no name", 'add name="..."'
    yield from _template_exists(element)


def _follow(element: etree._Element) -> Iterator[tuple[str, str]]:
    yield from _policy_exists(element)
    yield from _template_exists(element)


def _interact(element: etree._Element) -> Iterator[tuple[str, str]]:
    level = element.getparent()
    if level is not None and level.get("format") == "json":
        yield "a browser shows no JSON", 'remove <interact>, or write format="html"'
    most = element.get("most", "1")
    if re.fullmatch(r"-?[0-9.]{1,12}", most) and float(most) < 1:
        yield f"most={most!r} lets nothing be done", "write a number of 1 or more"
    text = words_of(element)
    if "@" in text.rpartition("/")[2].partition("[")[0]:
        yield f"{text[:40]!r} finds an attribute, which cannot be pressed", "write what finds the button itself"


def _policy_exists(element: etree._Element) -> Iterator[tuple[str, str]]:
    name = element.get("policy")
    names = [str(policy.get("name")) for policy in element.getroottree().getroot().iterfind("policy")]
    if name and name not in names:
        yield f"policy {name!r} is not declared", f'add <policy name="{name}" default="no">...</policy>'


def _template_exists(element: etree._Element) -> Iterator[tuple[str, str]]:
    name = element.get("template")
    names = [str(template.get("id")) for template in element.getroottree().getroot().iterfind("template")]
    if name and name not in names:
        yield f"template {name!r} is not declared", f'add <template id="{name}"/>'


_RULES = {
    "url": _avoid,
    "entry": _policy_exists,
    "paging": _paging,
    "detect": _detect,
    "level": _level,
    "extract": _extract,
    "signed": _signed,
    "field": _field,
    "follow": _follow,
    "interact": _interact,
}
