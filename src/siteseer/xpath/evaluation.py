"""Evaluates expressions of the XPath fragment: translates them to XPath 1.0, which lxml evaluates.

A path without a leading axis means *anywhere*: in the whole document where it is asked of a document, inside the
record where it is asked of a record. Inside a predicate it means the children, as in XPath.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, cast

from lxml import etree
from lxml.html import HtmlElement

from siteseer.xpath.syntax import (
    WRITTEN_AXES,
    And,
    Compare,
    Condition,
    Exists,
    Expression,
    Last,
    Not,
    Path,
    Position,
    Predicate,
    Step,
)

Context = Literal["document", "record", "virtual"]
"""Where a path is asked: of a whole document, of an element inside one, of a virtual document
(`virtual_document.py`)."""
Found = list[HtmlElement | str]
Evaluator = Callable[[HtmlElement], Any]
VIRTUAL_ROOT = "page"
_IMPLICIT = {"document": "//", "record": ".//", "virtual": "//"}


def to_xpath(expression: Expression | Path, context: Context = "document") -> str:
    """Write an expression in XPath 1.0, as a union of its alternatives.

    >>> from siteseer.xpath.parser import parse
    >>> print(to_xpath(parse("time/@datetime | p#date"), "record"))
    .//time/@datetime | .//p[@id='date']
    """
    if isinstance(expression, Path):
        return _start(expression, context) + _steps(expression.steps, context)
    return " | ".join(to_xpath(path, context) for path in expression.alternatives)


def select(expression: Expression, node: HtmlElement) -> Found:
    """Return the nodes of the first alternative that selects any, in document order.

    >>> from lxml import html
    >>> from siteseer.xpath.parser import parse
    >>> select(parse("h1 | h2/@id"), html.fromstring("<div><h2 id=a>x</h2></div>"))
    ['a']
    """
    for evaluate in _alternatives(expression, _context(node)):
        if found := evaluate(node):
            return cast(Found, found)
    return []


def select_all(expression: Expression, node: HtmlElement) -> Found:
    """Return the nodes that all alternatives select, in document order."""
    return cast(Found, _union(expression, _context(node))(node))


def matches(expression: Expression, document: HtmlElement) -> bool:
    """Whether any alternative selects anything in the document (or virtual document, or inside the record)."""
    return bool(matcher(expression, _context(document))(document))


@lru_cache(maxsize=65536)
def matcher(expression: Expression, context: Context) -> Evaluator:
    """Return the compiled test whether an expression selects anything."""
    return _compiled(" or ".join(f"boolean({_backwards(path, context)})" for path in expression.alternatives))


def _backwards(path: Path, context: Context) -> str:
    """Write a path so that it selects something where the path does, from its last step up where that is possible.

    Patterns end in what is rare; going down would collect all that is common first, `div//div//div` in quadratic time.
    """
    if path.start == "." or any(step.axis in WRITTEN_AXES or _counts(step) for step in path.steps):
        return to_xpath(path, context)
    first, *others = path.steps
    condition = ""
    if path.start == "/" and first.axis == "child":
        rooted = context == "virtual" and first.test != VIRTUAL_ROOT
        condition = f"[parent::{VIRTUAL_ROOT}[not(parent::*)]]" if rooted else "[not(parent::*)]"
    elif context == "record" and path.start == "":
        return to_xpath(path, context)
    written = _step(first, context) + condition
    for step in others:
        upwards = "parent" if step.axis == "child" else "ancestor"
        written = f"{_step(step, context)}[{upwards}::{written}]"
    return f"//{written}"


def _counts(step: Step) -> bool:
    return any(isinstance(predicate, Position | Last) for predicate in step.predicates)


@lru_cache(maxsize=16384)
def _alternatives(expression: Expression, context: Context) -> tuple[Evaluator, ...]:
    return tuple(_compiled(to_xpath(path, context)) for path in expression.alternatives)


@lru_cache(maxsize=16384)
def _union(expression: Expression, context: Context) -> Evaluator:
    return _compiled(to_xpath(expression, context))


def _compiled(xpath: str) -> Evaluator:
    # Smart strings would keep the whole tree alive as long as one attribute value.
    return cast(Evaluator, etree.XPath(xpath, smart_strings=False))


def _context(node: HtmlElement) -> Context:
    if node.getparent() is not None:
        return "record"
    return "virtual" if node.tag == VIRTUAL_ROOT else "document"


def _start(path: Path, context: Context) -> str:
    if path.start == ".":
        return "." if not path.steps else "./" if path.steps[0].axis != "descendant" else ".//"
    first = path.steps[0]
    if path.start == "":
        return "./" if first.axis in WRITTEN_AXES else _IMPLICIT[context]
    if first.axis == "descendant":
        return "//"
    # The virtual document puts the page under one more element; patterns need not know.
    return f"/{VIRTUAL_ROOT}/" if context == "virtual" and first.test != VIRTUAL_ROOT else "/"


def _steps(steps: tuple[Step, ...], context: Context) -> str:
    written = [_step(step, context) for step in steps]
    for number, step in enumerate(steps[1:], start=1):
        written[number] = ("//" if step.axis == "descendant" else "/") + written[number]
    return "".join(written)


def _step(step: Step, context: Context) -> str:
    axis = f"{step.axis}::" if step.axis in WRITTEN_AXES else ""
    ids = "".join(f"[@id={_literal(name)}]" for name in step.ids)
    classes = "".join(
        f"[contains(concat(' ',normalize-space(@class),' '),{_literal(f' {name} ')})]" for name in step.classes
    )
    return axis + _test(step.test) + ids + classes + "".join(f"[{_predicate(one, context)}]" for one in step.predicates)


def _test(test: str) -> str:
    if ":" not in test:
        return test
    # HTML has no namespaces: og:title is a name with a colon in it.
    at, name = ("@", test[1:]) if test.startswith("@") else ("", test)
    return f"{at}*[name()={_literal(name)}]"


def _predicate(predicate: Predicate, context: Context) -> str:
    if isinstance(predicate, Position):
        return str(predicate.number)
    return "last()" if isinstance(predicate, Last) else _condition(predicate, context)


def _condition(condition: Condition, context: Context) -> str:
    if isinstance(condition, Exists):
        return _value(condition.value, context)
    if isinstance(condition, Compare):
        value, literal = _value(condition.value, context), _literal(condition.literal)
        if condition.comparison in ("=", "!="):
            return f"{value}{condition.comparison}{literal}"
        return f"{condition.comparison}({value},{literal})"
    if isinstance(condition, Not):
        return f"not({_condition(condition.part, context)})"
    joint = " and " if isinstance(condition, And) else " or "
    return "(" + joint.join(_condition(part, context) for part in condition.parts) + ")"


def _value(path: Path, context: Context) -> str:
    """Write a path inside a predicate: without a start it begins at the children."""
    return ("" if path.start == "" else _start(path, context)) + _steps(path.steps, context)


def _literal(text: str) -> str:
    """Write an XPath 1.0 string, which knows no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat('" + "',\"'\",'".join(text.split("'")) + "')"


__all__ = ["Context", "Evaluator", "Found", "matcher", "matches", "select", "select_all", "to_xpath"]
