"""Parses the moves of a path: steps, actions, stars and their qualifiers."""

from __future__ import annotations

from typing import Any

from siteseer.wrapper.oxpath.language.cursor import NAME, Cursor
from siteseer.wrapper.oxpath.language.parse_qualifiers import Inner, qualifiers, selector
from siteseer.wrapper.oxpath.language.signatures import NODE_TESTS
from siteseer.wrapper.oxpath.language.syntax import (
    AXES,
    KEYWORDS,
    Action,
    Document,
    Literal,
    Move,
    Star,
    Step,
    Variable,
)

_DIGITS = r"\d{1,9}(?![\w])"


def document(reader: Cursor, inner: Inner) -> Document | None:
    """Read `doc("url")` or its older spelling `{<url>/}`; None where neither comes next."""
    if reader.find(r"doc\s*\("):
        reader.match(r"doc\s*\(")
        url = _variable(reader) or reader.string()
        if url is None:
            reader.fail("name the page: doc('http://host/path') or doc($variable)")
        wait, noback = _options(reader) if reader.take(",") else (0, False)
        reader.expect(")", "close the parenthesis of doc()")
    elif reader.find(r"\{\s*<"):
        reader.match(r"\{\s*<")
        url = reader.match(r"([^>\s]+)\s*>") or reader.fail("close the address with >")
        wait, noback = _options(reader)
        reader.expect("/", "write /} behind the address")
        reader.expect("}", "close the brace")
    else:
        return None
    named = url if isinstance(url, Variable) else Literal(url)
    return Document(named, wait, noback, qualifiers(reader, inner))


def moves(reader: Cursor, inner: Inner) -> tuple[Move, ...]:
    """Read the moves of a path up to its end."""
    found: list[Move] = []
    while (one := _move(reader, inner, bool(found) and isinstance(found[-1], Action))) is not None:
        found.append(one)
    return tuple(found)


def _move(reader: Cursor, inner: Inner, acted: bool) -> Move | None:
    if complex_follows(reader) or (acted and reader.at("(")):
        return read_complex(reader, inner)
    if reader.find(r"//\s*[({]"):
        reader.fail("write //*/ before an action or a star: it belongs to a node")
    if not reader.at("/"):
        return None
    deep = reader.take("//")
    if not deep:
        reader.take("/")
    return step(reader, deep, inner)


def complex_follows(reader: Cursor) -> bool:
    """Say whether an action or a star comes next."""
    return bool(reader.find(r"/\s*[({]"))


def read_complex(reader: Cursor, inner: Inner) -> Action | Star:
    """Read an action or a star."""
    reader.take("/")
    if reader.take("{"):
        return _action(reader, inner)
    reader.expect("(", "expected an action {...} or a star (...)*")
    return _star(reader, inner)


# ── steps ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def step_follows(reader: Cursor) -> bool:
    """Say whether a step comes next."""
    return bool(reader.find(r"[A-Za-z_@*.#]"))


def step(reader: Cursor, deep: bool, inner: Inner) -> Step:
    """Read one step; the slash before it has been read."""
    if reader.take(".."):
        return Step("node()", "parent", deep, qualifiers(reader, inner))
    if reader.find(rf"[.#]{NAME}"):
        return Step("*", "child", deep, (selector(reader), *qualifiers(reader, inner)))
    if reader.take("."):
        return Step("node()", "self", deep, qualifiers(reader, inner))
    axis = _axis(reader)
    return Step(_test(reader, axis), axis, deep, qualifiers(reader, inner))


def _axis(reader: Cursor) -> str:
    if reader.take("@"):
        return "attribute"
    begins = reader.place
    axis = reader.match(rf"({NAME})\s*::")
    if axis is not None and axis not in AXES:
        reader.fail(f"there is no axis {axis}::", begins)
    return axis or "child"


def _test(reader: Cursor, axis: str) -> str:
    if reader.take("*"):
        return "*"
    begins = reader.place
    name = reader.name("a step such as div, *, @href, text() or .class")
    if axis == "style":
        return name
    if name in NODE_TESTS and reader.take("("):
        target = reader.string() if name == "processing-instruction" else None
        reader.expect(")", f"write {name}()")
        return f"{name}({Literal(target) if target is not None else ''})"
    if reader.at("("):
        reader.fail(f"{name}() can only start a path", begins)
    if reader.find(rf":({NAME}|\*)"):
        return f"{name}:{reader.match(rf':({NAME}|[*])')}"
    return name


# ── actions and stars ──────────────────────────────────────────────────────────────────────────────────────────────


def _action(reader: Cursor, inner: Inner) -> Action:
    deed, value = _deed(reader)
    wait, noback = _options(reader)
    absolute = reader.take("/")
    reader.expect("}", "close the brace of the action")
    return Action(deed, value, absolute, wait, noback, qualifiers(reader, inner))


def _deed(reader: Cursor) -> tuple[Any, str]:
    if (variable := _variable(reader)) is not None:
        return "variable", variable.name
    if (text := reader.string()) is not None:
        return "text", text
    if (digits := reader.match(_DIGITS)) is not None:
        return "index", str(int(digits))
    begins = reader.place
    word = reader.name(f"an action: {', '.join(KEYWORDS)}, or a text in quotes")
    if word == "wait" and reader.take("="):
        return "wait", str(int(reader.match(_DIGITS) or reader.fail("expected whole seconds")))
    if word in ("press", "select"):
        text = reader.string()
        if text is None:
            reader.fail(f"say what to {word}, in quotes")
        return ("press" if word == "press" else "text"), text
    if word not in KEYWORDS:
        reader.fail(f"there is no action {word!r}; there are {', '.join(KEYWORDS)}, wait=, press and select", begins)
    return "keyword", word


def _variable(reader: Cursor) -> Variable | None:
    return Variable(reader.name("the name of a variable")) if reader.take("$") else None


def _options(reader: Cursor) -> tuple[int, bool]:
    """Read `[wait=5,noback]`, if it is there."""
    wait, noback = 0, False
    if not reader.take("["):
        return wait, noback
    while True:
        if reader.word("noback"):
            noback = True
        elif reader.word("wait"):
            reader.expect("=", "write wait=SECONDS")
            wait = int(reader.match(_DIGITS) or reader.fail("expected whole seconds"))
        else:
            reader.fail("expected wait=SECONDS or noback")
        if not reader.take(","):
            break
    reader.expect("]", "close the bracket")
    return wait, noback


def _star(reader: Cursor, inner: Inner) -> Star:
    first = () if reader.at("/") else (step(reader, False, inner),)
    body = (*first, *moves(reader, inner))
    reader.expect(")", "expected a step, an action, or the end of the star's body")
    reader.expect("*", "write )* behind what is to be repeated")
    low, high = _bounds(reader)
    return Star(body, low, high, qualifiers(reader, inner))


def _bounds(reader: Cursor) -> tuple[int, int | None]:
    if not reader.take("{"):
        return 0, None
    begins = reader.place
    low = int(reader.match(_DIGITS) or reader.fail("expected how often at least"))
    high = None
    if reader.take(","):
        high = int(reader.match(_DIGITS) or reader.fail("expected how often at most"))
    if high is not None and high < low:
        reader.fail("the second bound is smaller than the first", begins)
    reader.expect("}", "close the brace of the bounds")
    return low, high
