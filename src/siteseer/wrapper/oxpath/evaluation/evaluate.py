"""Evaluates an OXPath wrapper in a browser and yields records page by page, depth first, in bounded memory.

Reference: Furche, Gottlob, Grasso, Schallhart, Sellers, OXPath: a language for scalable data extraction, automation,
and crawling on the deep Web, VLDB Journal 2013, sections 4 and 5. Differs: a star is a loop, not a recursion, and ends
when a page comes that it has seen; the page of nodes that still wait is brought back by the browser, when it is needed.

Everything flows in batches of items of one page. A batch is handed on before the next is made, so that after an action
the whole rest of the wrapper sees the new page before the next node is acted upon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace

from siteseer.errors import FetchError, UsageError
from siteseer.interfaces import Browser, WebNode
from siteseer.wrapper.oxpath.evaluation.evaluate_pure import TEXT, Context, PureEvaluator
from siteseer.wrapper.oxpath.evaluation.functions import FUNCTIONS
from siteseer.wrapper.oxpath.evaluation.item_flow import Batch, Flow, Item, WrapperError, items_of, single_batch
from siteseer.wrapper.oxpath.evaluation.kleene_star import KleeneStars
from siteseer.wrapper.oxpath.evaluation.markers import MarkerEvaluator
from siteseer.wrapper.oxpath.evaluation.page_actions import Actions
from siteseer.wrapper.oxpath.evaluation.xpath_values import NodeSet, Value, boolean, operate, string
from siteseer.wrapper.oxpath.language.purity import is_pure, walk
from siteseer.wrapper.oxpath.language.syntax import (
    Action,
    Binary,
    Call,
    Document,
    Expression,
    Group,
    Literal,
    Move,
    Negative,
    Path,
    Qualifier,
    Step,
    Variable,
)
from siteseer.wrapper.oxpath.output.records import Record, RecordCollector

MOST_ITERATIONS = 1000
"""How often a star without an upper bound is repeated at most."""


@dataclass
class Run:
    """One run of a wrapper: `give` receives every record, `warn` every sentence about what was left out."""

    browser: Browser
    give: Callable[[Record], None]
    variables: Mapping[str, str] = field(default_factory=dict)
    warn: Callable[[str], None] = lambda text: None
    strict: bool = False
    """Whether a node that is lost from its page ends the run; else it is left out, with a warning."""
    most_iterations: int = MOST_ITERATIONS

    def __post_init__(self) -> None:
        self.looks = PureEvaluator(self.browser, self.variables)
        self.harvest = RecordCollector(self.give)
        self.actions = Actions(
            self.browser, self.looks, self.variables, self.warn, self.strict, lambda: self.stars.depth > 0
        )
        self.stars = KleeneStars(self.browser, self._flow, self.actions.turn, self.warn, self.most_iterations)
        self.extracting = MarkerEvaluator(
            self.browser, self.looks, self._value, lambda: self.harvest, self.warn, self.strict,
            lambda: self.stars.depth > 0,
        )  # fmt: skip
        self._opened = 0

    @property
    def pages(self) -> int:
        """How many pages were loaded."""
        return self._opened + self.actions.pages

    def run(self, wrapper: Expression, start: WebNode | None = None) -> None:
        """Evaluate a wrapper; `start` is the page for one that does not load its own."""
        missing = {one.name for one in walk(wrapper) if isinstance(one, Variable)} - set(self.variables)
        if missing:
            raise UsageError(f"the wrapper needs a value for {', '.join(f'${name}' for name in sorted(missing))}")
        item = Item(start) if start is not None else None
        for part in _alternatives(wrapper):
            self._value(part, item)
        if self.harvest.late:
            self.warn(f"{self.harvest.late} values came when their record had been given away already")

    # ── values that act ───────────────────────────────────────────────────────────────────────────────────────────

    def _value(self, expression: Expression, item: Item | None, protected: bool = False) -> Value:
        """Evaluate any expression at one item, with everything that it does on the way."""
        if item is not None and is_pure(expression):
            return self.looks.values(expression, [Context(item.node)])[0]
        match expression:
            case Path():
                return self._drained(self._path(expression, item, protected))
            case Binary("and", left, right):
                return boolean(self._value(left, item, True)) and boolean(self._value(right, item, protected))
            case Binary("or", left, right):
                return boolean(self._value(left, item, True)) or boolean(self._value(right, item, protected))
            case Binary("|", left, right):
                first, second = self._value(left, item, True), self._value(right, item, protected)
                return NodeSet((), _texts(first) + _texts(second))
            case Binary(operator, left, right):
                return operate(operator, self._value(left, item, True), self._value(right, item, protected))
            case Negative(operand):
                return operate("-", 0.0, self._value(operand, item, protected))
            case Call(name, arguments):
                if name not in FUNCTIONS:
                    raise UsageError(f"{name}() cannot be given a path with actions or markers")
                return FUNCTIONS[name](*(self._value(one, item, True) for one in arguments))
        raise UsageError(f"{expression} needs a page: begin the wrapper with doc('http://...')")

    def _drained(self, flow: Flow) -> NodeSet:
        """Evaluate a path to its end; what remains of its nodes is the text of the first."""
        texts: list[str] = []
        with closing(flow):
            for batch in flow:
                if batch.items and not texts:
                    texts = [string(self.looks.values(TEXT, [Context(batch.items[0].node)])[0])]
        return NodeSet((), tuple(texts))

    def _path(self, path: Path, item: Item | None, protected: bool) -> Flow:
        start = path.start
        if isinstance(start, Document):
            return self._flow(path.moves, self._document(start, item))
        if isinstance(start, Group):
            return self._flow(path.moves, self._qualified(start.qualifiers, self._group(start, item, protected)))
        if item is None:
            raise UsageError(f"{path} needs a page: begin the wrapper with doc('http://...')")
        if start == "/":
            roots = self.looks.values(Path("/"), [Context(item.node)])[0]
            return self._flow(path.moves, single_batch(Batch(items_of(roots, item), protected, True)))
        return self._flow(path.moves, single_batch(Batch([item], protected, True)))

    def _group(self, group: Group, item: Item | None, protected: bool) -> Flow:
        """Return what stands in parentheses; what acts there gives a batch for each page."""
        for part in _alternatives(group.inner):
            if isinstance(part, Path) and (item is None or not is_pure(part)):
                yield from self._path(part, item, protected)
            elif item is not None and is_pure(part):
                yield Batch(items_of(self.looks.values(part, [Context(item.node)])[0], item), protected)
            else:
                raise UsageError(f"({group.inner}) acts or extracts, and is no path: nothing can follow it")

    def _document(self, document: Document, item: Item | None) -> Flow:
        url = document.url.text if isinstance(document.url, Literal) else self.variables[document.url.name]
        self.looks.asked.forget()
        try:
            node = self.browser.open(url, document.wait)
        except FetchError as error:
            raise WrapperError(str(error)) from error
        self._opened += 1
        made = Item(node, item.parent if item else None, item.last if item else None)
        try:
            yield from self._qualified(document.qualifiers, single_batch(Batch([made], False, True)))
        finally:
            self.browser.release(node, None)

    # ── moves ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _flow(self, moves: tuple[Move, ...], batches: Flow) -> Flow:
        """Send batches through all moves, one after the other, without keeping them."""
        at = 0
        while at < len(moves):
            move = moves[at]
            ends = at + 1
            if isinstance(move, Step):
                while ends < len(moves) and is_pure(moves[ends - 1]) and isinstance(moves[ends], Step):
                    ends += 1
                batches = self._steps(moves[at:ends], batches)
            elif isinstance(move, Action):
                batches = self._qualified(move.qualifiers, self.actions.flow(move, batches))
            else:
                batches = self._qualified(move.qualifiers, self.stars.flow(move, batches))
            at = ends
        return batches

    def _steps(self, steps: tuple[Move, ...], batches: Flow) -> Flow:
        """Make steps that only look; the last may also extract."""
        last = steps[-1]
        assert isinstance(last, Step)
        if last.axis == "style":
            raise UsageError(f"{last} is a value, not a node: use it in a predicate or a marker's value")
        plain = next((at for at, one in enumerate(last.qualifiers) if not is_pure(one)), len(last.qualifiers))
        pure = (*steps[:-1], replace(last, qualifiers=last.qualifiers[:plain]))
        rest = last.qualifiers[plain:]
        return self._qualified(rest, self._looked(pure, batches))

    def _looked(self, steps: tuple[Move, ...], batches: Flow) -> Flow:
        with closing(batches):
            for batch in batches:
                found = self.looks.nodes(steps, [[item.node] for item in batch.items])
                items = [
                    replace(item, node=node) for item, nodes in zip(batch.items, found, strict=True) for node in nodes
                ]
                if items:
                    yield replace(batch, items=list(dict.fromkeys(items)) if len(batch.items) > 1 else items)

    def _qualified(self, qualifiers: tuple[Qualifier, ...], batches: Flow) -> Flow:
        """Test and extract, item by item as soon as that does more than look."""
        for at, qualifier in enumerate(qualifiers):
            if not is_pure(qualifier):
                return self.extracting.flow(qualifiers[at:], batches)
            batches = self._narrowed(qualifier, batches)
        return batches

    def _narrowed(self, qualifier: Qualifier, batches: Flow) -> Flow:
        with closing(batches):
            for batch in batches:
                nodes = self.looks.narrowed((qualifier,), [[item.node for item in batch.items]])[0]
                kept = iter(nodes)
                wanted = next(kept, None)
                items = []
                for item in batch.items:
                    if wanted is not None and item.node == wanted:
                        items.append(item)
                        wanted = next(kept, None)
                if items:
                    yield replace(batch, items=items)


def _texts(value: Value) -> tuple[str, ...]:
    return value.texts if isinstance(value, NodeSet) else (string(value),)


def _alternatives(wrapper: Expression) -> Iterable[Expression]:
    """Return the wrappers that are joined by `|` at the top."""
    if isinstance(wrapper, Binary) and wrapper.operator == "|":
        return (*_alternatives(wrapper.left), *_alternatives(wrapper.right))
    return (wrapper,)
