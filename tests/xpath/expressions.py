"""Random expressions of the fragment and random small pages that share a small vocabulary with them.

Made from a seed that hypothesis draws: drawing every node by itself takes a hundred times as long.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from siteseer.model import Page
from siteseer.xpath.syntax import (
    And,
    Compare,
    Condition,
    Exists,
    Expression,
    Last,
    Not,
    Or,
    Path,
    Position,
    Predicate,
    Step,
)

TAGS = ("div", "p", "a", "span", "fb:like", "http-header", "html", "body", "*", "*")
ATTRIBUTES = ("class", "id", "href", "name", "xml:lang", "value")
LAST_TESTS = (*(f"@{name}" for name in ATTRIBUTES), "@*", "text()")
WORDS = ("", "x", "post", "posts", "it's", 'a"b', "po st", "tést", "404", "x-powered-by", "'\"")
NAMES = ("x", "post", "posts", "p1", "tést", "a:b", "-x")
AXES = ("child", "descendant") * 4 + ("parent", "ancestor", "following-sibling", "preceding-sibling")
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def random_expression(random: Random) -> Expression:
    return Expression(tuple(_path(random, depth=2) for _ in range(random.choice((1, 1, 2)))))


def _path(random: Random, depth: int) -> Path:
    start = random.choice(("", "", "", "/", "."))
    count = random.randint(0 if start == "." else 1, 3)
    axes = [random.choice(AXES) for _ in range(count)]
    if start == "" and axes[0] == "descendant":
        axes[0] = "child"
    return Path(start, tuple(_step(random, depth, axis, n == count - 1) for n, axis in enumerate(axes)))


def _step(random: Random, depth: int, axis: str, last: bool) -> Step:
    predicates = tuple(_predicate(random, depth) for _ in range(random.choice((0, 0, 1, 2)) if depth else 0))
    if last and random.random() < 0.3:
        return Step(random.choice(LAST_TESTS), axis if axis == "descendant" else "child", predicates=predicates)
    ids, classes = ((random.choice(NAMES),) if random.random() < 0.1 else () for _ in range(2))
    return Step(random.choice(TAGS), axis, ids, classes, predicates)


def _predicate(random: Random, depth: int) -> Predicate:
    if random.random() < 0.2:
        return random.choice((Position(1), Position(2), Last()))
    return _condition(random, depth)


def _condition(random: Random, depth: int, nested: int = 0) -> Condition:
    kind = random.random() if nested < 3 else 1.0
    if kind < 0.1:
        return Not(_condition(random, depth, nested + 1))
    if kind < 0.3:
        joined = random.choice((And, Or))
        return joined(tuple(_condition(random, depth, nested + 1) for _ in range(2)))
    value = random.choice((Path(".", ()), Path("", (Step(random.choice(LAST_TESTS)),)), _path(random, depth - 1)))
    if kind < 0.4:
        return Exists(value)
    return Compare(random.choice(("contains", "contains", "starts-with", "=", "!=")), value, random.choice(WORDS))


def random_page(random: Random) -> Page:
    body = "".join(_element(random, depth=3) for _ in range(random.randint(0, 3)))
    query = random.choice(("", "?x=post", "?name=x&id=404"))
    headers = random.choice(((), (("X-Powered-By", "post"),), (("Set-Cookie", "post=1; domain=x"),)))
    url = f"http://post.example/x/posts.php{query}"
    return Page(url, random.choice((200, 404)), HTML + headers, f"<html><body>{body}".encode())


def _element(random: Random, depth: int) -> str:
    tag = random.choice(("div", "p", "a", "span", "fb:like", "b", "http-header"))
    attributes = {random.choice(ATTRIBUTES): random.choice(WORDS) for _ in range(random.randint(0, 3))}
    written = "".join(f' {name}="{value.replace(chr(34), "&quot;")}"' for name, value in attributes.items())
    inner = "".join(_inside(random, depth) for _ in range(random.randint(0, 3)))
    return f"<{tag}{written}>{inner}</{tag}>"


def _inside(random: Random, depth: int) -> str:
    kind = random.random()
    if kind < 0.5 and depth:
        return _element(random, depth - 1)
    return "<!-- post -->" if kind > 0.9 else random.choice(WORDS)


_seeds = st.integers(0, 2**48).map(Random)
expressions = _seeds.map(random_expression)
pages = _seeds.map(random_page)
