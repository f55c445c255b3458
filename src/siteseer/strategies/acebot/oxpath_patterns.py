"""Parses and prints navigation patterns in a fragment of OXPath.

Reference: M. Faheem, Intelligent Content Acquisition in Web Archiving, thesis, 2014, Figure 5.5. Differs: predicates,
`+` and `{1,3}`, which the thesis' example uses, are in the grammar; `{click/}` follows `@href` as in that example.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Transformer, UnexpectedInput, UnexpectedToken

from siteseer.errors import ConfigurationError

MAX_LENGTH = 20_000
MAX_REPEATED = 50
"""A bounded step becomes that many states of the automaton; nobody writes more."""


class PatternSyntaxError(ConfigurationError):
    """A text is no navigation pattern; shows where with a caret."""


@dataclass(frozen=True, slots=True)
class Node:
    """One element on the way from the root to the link: its tag, and what its attributes must contain.

    >>> str(Node("div", (("id", "post-"), ("class", ""))))
    'div[contains(@id,"post-")][@class]'
    """

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        tests = (f'[contains(@{name},"{part}")]' if part else f"[@{name}]" for name, part in self.attributes)
        return self.tag + "".join(tests)


@dataclass(frozen=True, slots=True)
class Step:
    """One navigation step: the path of the links that are followed, and how often (`most` None: without end)."""

    path: tuple[Node, ...]
    least: int = 1
    most: int | None = 1

    @property
    def label(self) -> str:
        """The path as an XPath expression of the link elements."""
        return "".join(f"/{node}" for node in self.path)

    def __str__(self) -> str:
        often = {(1, 1): "", (1, None): "+", (0, None): "*"}.get((self.least, self.most))
        return f"/({self.label}/@href{{click/}})" + (f"{{{self.least},{self.most}}}" if often is None else often)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Where to start, and the steps from there.

    >>> text = 'doc("http://e.org/")/(/html/body/div[contains(@id,"nav")]/a/@href{click/})+/(/html/body/p/a/@href{click/})'
    >>> str(parse_pattern(text)) == text
    True
    """

    url: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f'doc("{self.url}")' + "".join(map(str, self.steps))


@lru_cache(maxsize=20_000)
def parse_label(label: str) -> tuple[Node, ...]:
    """Read the path of a link.

    >>> parse_label('/html/a[@id]')[1].attributes
    (('id', ''),)
    """
    return parse_pattern(f'doc("")/({label}/@href{{click/}})').steps[0].path


def parse_pattern(text: str) -> Pattern:
    """Read a navigation pattern; a text outside the grammar gets a caret under the column."""
    if len(text) > MAX_LENGTH:
        raise PatternSyntaxError(f"a navigation pattern has at most {MAX_LENGTH} characters, this one has {len(text)}")
    try:
        return _parser().parse(text)  # type: ignore[return-value]
    except _BoundsError as error:
        raise PatternSyntaxError(f"{error}: {text[:200]}") from None
    except UnexpectedInput as error:
        is_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        at = len(text) if is_end or error.pos_in_stream is None else error.pos_in_stream
    first = max(0, at - 60)
    shown = " ".join(text[first : first + 120].splitlines())
    raise PatternSyntaxError(
        f'column {at + 1}: this is no navigation pattern; write doc("URL")/(/html/.../a/@href{{click/}}) with one '
        f"parenthesis for each step\n  {shown}\n  {' ' * (at - first)}^"
    )


@cache
def _parser() -> Lark:
    grammar = files("siteseer.strategies.acebot").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, start="pattern", parser="lalr", transformer=_Builder())


class _BoundsError(Exception):
    """A step is repeated a senseless number of times."""


class _Builder(Transformer[Any, Pattern]):
    def pattern(self, found: list[Any]) -> Pattern:
        return Pattern(str(found[0])[1:-1], tuple(found[1:]))

    def estep(self, found: list[Any]) -> Step:
        return Step(found[0], *(found[1] if len(found) > 1 else ()))

    def action(self, found: list[Any]) -> tuple[Node, ...]:
        return tuple(found)

    def node(self, found: list[Any]) -> Node:
        return Node(str(found[0]), tuple(found[1:]))

    def exists(self, found: list[Any]) -> tuple[str, str]:
        return (str(found[0]), "")

    def contains(self, found: list[Any]) -> tuple[str, str]:
        return (str(found[0]), str(found[1])[1:-1])

    def once_or_more(self, found: list[Any]) -> tuple[int, None]:
        return (1, None)

    def any_number(self, found: list[Any]) -> tuple[int, None]:
        return (0, None)

    def bounded(self, found: list[Any]) -> tuple[int, int]:
        least, most = int(found[0]), int(found[1])
        if not least <= most <= MAX_REPEATED or not most:
            raise _BoundsError(f"a step is repeated at most {MAX_REPEATED} times, and not less than its lower bound")
        return (least, most)
