"""Evaluates expressions without side effects at many nodes at once: in XPath as far as possible, the rest in Python.

One call of the browser answers for all nodes of a page, as a call costs more than its evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from siteseer.interfaces import Browser, WebNode
from siteseer.wrapper.oxpath.evaluation.batch_cache import Answer, BatchCache, string_of
from siteseer.wrapper.oxpath.evaluation.functions import FUNCTIONS, qualified
from siteseer.wrapper.oxpath.evaluation.to_xpath1 import native_moves, to_xpath1
from siteseer.wrapper.oxpath.evaluation.xpath_values import (
    NodeSet,
    StyleText,
    Value,
    boolean,
    number,
    operate,
    string,
    union,
)
from siteseer.wrapper.oxpath.language.syntax import (
    REVERSE_AXES,
    Binary,
    Call,
    Expression,
    Group,
    Literal,
    Move,
    Negative,
    Number,
    Optional,
    Path,
    Predicate,
    Qualifier,
    Step,
    Variable,
)
from siteseer.wrapper.oxpath.language.uses_position import is_positional

ABOUT_NODES = {
    "is-visible": "visible", "is-invisible": "visible", "innerhtml": "innerhtml", "outerhtml": "outerhtml",
    "to-xml": "outerhtml", "select-text": "text",
}  # fmt: skip
ABOUT_PAGES = {
    "current-url": "url", "save-page": "url", "page-content": "content", "screenshot": "screenshot", "now": "time",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Context:
    """A node, with its position among the nodes selected with it."""

    node: WebNode
    position: int = 1
    size: int = 1


Contexts = Sequence[Context]


class PureEvaluator:
    """Evaluates pure expressions in one browser, with the values of variables."""

    def __init__(self, browser: Browser, variables: Mapping[str, str]) -> None:
        self.browser, self.variables = browser, variables
        self.asked = BatchCache(browser)
        self._native = lru_cache(maxsize=4096)(lambda expression: to_xpath1(expression, variables))
        self._native_moves = lru_cache(maxsize=4096)(lambda moves: native_moves(moves, variables))

    def ask_ahead(self, expression: Expression, nodes: Sequence[WebNode]) -> None:
        """Prefetch the value of a pure expression at many nodes."""
        written = self._native(expression)
        if written is not None:
            self.asked.evaluate(nodes, written)

    # ── values ────────────────────────────────────────────────────────────────────────────────────────────────────

    def values(self, expression: Expression, contexts: Contexts) -> list[Value]:
        """Return the value of an expression at each context."""
        if not contexts:
            return []
        written = self._native(expression)
        if written is not None:
            return self._sets(self.asked.evaluate([one.node for one in contexts], written))
        return self._beyond(expression, contexts)

    def _sets(self, found: Iterable[Answer]) -> list[Value]:
        """Give node-sets their texts, with one question for all."""
        answers = list(found)
        nodes = [node for one in answers if isinstance(one, list) for node in one]
        texts = iter([string_of(text) for text in self.asked.evaluate(nodes, "string(.)")] if nodes else ())
        return [
            NodeSet(tuple(one), tuple(next(texts) for _ in one)) if isinstance(one, list) else one for one in answers
        ]

    def _beyond(self, expression: Expression, contexts: Contexts) -> list[Value]:
        match expression:
            case Binary("and" | "or" as operator, left, right):
                return self._logic(operator, left, right, contexts)
            case Binary("|", left, right):
                pairs = zip(self.values(left, contexts), self.values(right, contexts), strict=True)
                return [union(one, other) for one, other in pairs]
            case Binary(operator, left, right):
                pairs = zip(self.values(left, contexts), self.values(right, contexts), strict=True)
                return [operate(operator, one, other) for one, other in pairs]
            case Negative(operand):
                return [-number(value) for value in self.values(operand, contexts)]
            case Call():
                return self._call(expression, contexts)
            case Path():
                return self._path(expression, contexts)
            case Literal() | Number() | Variable():
                raise AssertionError("values are always native")

    def _logic(self, operator: str, left: Expression, right: Expression, contexts: Contexts) -> list[Value]:
        first = [boolean(value) for value in self.values(left, contexts)]
        decisive = operator == "or"
        open_ones = [context for context, value in zip(contexts, first, strict=True) if value is not decisive]
        second = iter([boolean(value) for value in self.values(right, open_ones)])
        return [decisive if value is decisive else next(second) for value in first]

    def _call(self, call: Call, contexts: Contexts) -> list[Value]:
        if call.name in ("position", "last"):
            return [float(one.position if call.name == "position" else one.size) for one in contexts]
        if call.name in ABOUT_PAGES:
            return list(self.browser.tell([one.node for one in contexts], ABOUT_PAGES[call.name]))
        if call.name in ABOUT_NODES:
            return self._about_nodes(call, contexts)
        if call.name == "dom-property":
            names = [string(value) for value in self.values(call.arguments[0], contexts)]
            return list(self.browser.tell([one.node for one in contexts], "property", names[0]))
        columns = [self.values(one, contexts) for one in call.arguments]
        if call.name == "qualify-url":
            columns = columns or [self.values(_HERE, contexts)]
            bases = self.browser.tell([one.node for one in contexts], "url")
            return [qualified(base, string(value)) for base, value in zip(bases, columns[0], strict=True)]
        return [FUNCTIONS[call.name](*row) for row in zip(*columns, strict=True)]

    def _about_nodes(self, call: Call, contexts: Contexts) -> list[Value]:
        """Ask the browser about the first node of the argument, or about the context."""
        if call.arguments:
            sets = self.values(call.arguments[0], contexts)
            firsts = [value.nodes[0] if isinstance(value, NodeSet) and value.nodes else None for value in sets]
        else:
            firsts = [one.node for one in contexts]
        asked = [node for node in firsts if node is not None]
        answers = iter(self.browser.tell(asked, ABOUT_NODES[call.name]))
        told = [next(answers) if node is not None else "" for node in firsts]
        if call.name in ("is-visible", "is-invisible"):
            return [bool(text) == (call.name == "is-visible") for text in told]
        return list(told)

    # ── nodes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _path(self, path: Path, contexts: Contexts) -> list[Value]:
        last = path.moves[-1] if path.moves else None
        styled = last.test if isinstance(last, Step) and last.axis == "style" else None
        moves = path.moves[:-1] if styled else path.moves
        starts = self._starts(path, contexts)
        found = self.nodes(moves, starts) if moves else starts
        if styled is None:
            return self._sets(list(nodes) for nodes in found)
        texts = iter(self.browser.tell([node for nodes in found for node in nodes], "style", styled))
        return [NodeSet(tuple(nodes), tuple(StyleText(next(texts)) for _ in nodes)) for nodes in found]

    def _starts(self, path: Path, contexts: Contexts) -> list[list[WebNode]]:
        if path.start == "":
            return [[one.node] for one in contexts]
        if path.start == "/":
            return [_as_nodes(value) for value in self.asked.evaluate([one.node for one in contexts], "/")]
        assert isinstance(path.start, Group)
        values = self.values(path.start.inner, contexts)
        sets = [list(value.nodes) if isinstance(value, NodeSet) else [] for value in values]
        return self.narrowed(path.start.qualifiers, sets)

    def nodes(self, moves: tuple[Move, ...], starts: list[list[WebNode]]) -> list[list[WebNode]]:
        """Return the nodes that pure moves lead to from each set of nodes."""
        for is_native, run in groupby(moves, key=lambda move: self._native_moves((move,)) is not None):
            if is_native:
                starts = self._by_xpath(self._native_moves(tuple(run)) or ".", starts)
            else:
                for move in run:
                    assert isinstance(move, Step)
                    starts = self._by_step(move, starts)
        return starts

    def _by_xpath(self, xpath: str, starts: list[list[WebNode]]) -> list[list[WebNode]]:
        found = iter(self.asked.evaluate([node for nodes in starts for node in nodes], xpath))
        return [_distinct(node for _ in nodes for node in _as_nodes(next(found))) for nodes in starts]

    def _by_step(self, step: Step, starts: list[list[WebNode]]) -> list[list[WebNode]]:
        """Make one step that XPath cannot: its candidates, then what qualifies it, at each node by itself."""
        plain = replace(step, test="any-field()" if step.test == "field()" else step.test, qualifiers=(), deep=False)
        below = starts
        if step.deep and step.axis == "child" and not any(is_positional(one) for one in step.qualifiers):
            plain = replace(plain, axis="descendant")
        elif step.deep:
            inside = (self._native_moves((plain,)) or ".")[2:]
            below = self._by_xpath(f"(. | ./descendant::*)[{inside}]", starts)
        xpath = self._native_moves((plain,)) or "."
        single = [[node] for nodes in below for node in nodes]
        sets = self._by_xpath(xpath, single)
        if step.test == "field()":
            sets = self._filtered(sets, lambda nodes: [bool(one) for one in self.browser.tell(nodes, "visible")])
        if step.axis in REVERSE_AXES:
            sets = [nodes[::-1] for nodes in sets]
        found = iter(self.narrowed(step.qualifiers, sets))
        return [_distinct(node for _ in nodes for node in next(found)) for nodes in below]

    def narrowed(self, qualifiers: tuple[Qualifier, ...], sets: list[list[WebNode]]) -> list[list[WebNode]]:
        """Filter each set of nodes by pure qualifiers, one after the other."""
        for qualifier in qualifiers:
            if not isinstance(qualifier, Optional):
                sets = self._narrowed(qualifier, sets)
        return sets

    def _narrowed(self, qualifier: Qualifier, sets: list[list[WebNode]]) -> list[list[WebNode]]:
        if not isinstance(qualifier, Predicate):
            xpath = self._native_moves((Step("node()", "self", qualifiers=(qualifier,)),)) or "."
            return self._filtered(sets, lambda nodes: [bool(one) for one in self.asked.evaluate(nodes, xpath)])
        contexts = [Context(node, at, len(nodes)) for nodes in sets for at, node in enumerate(nodes, 1)]
        truths = iter(self.truths(qualifier.condition, contexts))
        return [[node for node in nodes if next(truths)] for nodes in sets]

    def truths(self, condition: Expression, contexts: Contexts) -> list[bool]:
        """Say at each context whether a predicate holds; a number means a position."""
        values = self.values(condition, contexts)
        return [
            value == context.position if isinstance(value, float) and not isinstance(value, bool) else boolean(value)
            for value, context in zip(values, contexts, strict=True)
        ]

    @staticmethod
    def _filtered(sets: list[list[WebNode]], question: Callable[[list[WebNode]], list[bool]]) -> list[list[WebNode]]:
        answers = iter(question([node for nodes in sets for node in nodes]))
        return [[node for node in nodes if next(answers)] for nodes in sets]


_HERE = Path("", (Step("node()", "self"),))
TEXT = Call("string", (_HERE,))
"""The text of a node."""


def _as_nodes(value: Answer) -> list[WebNode]:
    return value if isinstance(value, list) else []


def _distinct(nodes: Iterable[WebNode]) -> list[WebNode]:
    return list(dict.fromkeys(nodes))
