"""Evaluates predicates and extraction markers, item by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from siteseer.errors import FetchError
from siteseer.interfaces import Browser, WebNode
from siteseer.wrapper.oxpath.evaluation.evaluate_pure import TEXT, Context, PureEvaluator
from siteseer.wrapper.oxpath.evaluation.item_flow import ActionOutcomes, Batch, Flow, Item
from siteseer.wrapper.oxpath.evaluation.xpath_values import Value, boolean, string
from siteseer.wrapper.oxpath.language.purity import is_pure
from siteseer.wrapper.oxpath.language.syntax import Expression, Marker, Move, Optional, Path, Predicate, Qualifier, Step
from siteseer.wrapper.oxpath.output.records import OpenRecord, RecordCollector

MOST_PREFETCHED = 50_000
"""Nodes that are asked ahead; a page with more records is asked bit by bit."""


@dataclass
class MarkerEvaluator:
    """Applies qualifiers with side effects to items; `value` evaluates any expression at one item."""

    browser: Browser
    looks: PureEvaluator
    value: Callable[[Expression, Item, bool], Value]
    harvest: Callable[[], RecordCollector]
    warn: Callable[[str], None]
    strict: bool
    is_in_star: Callable[[], bool]

    def flow(self, qualifiers: tuple[Qualifier, ...], batches: Flow) -> Flow:
        """Test and extract at every item; yield those that pass, each before the next is looked at."""
        tried = ActionOutcomes(self.warn)
        with closing(batches):
            for batch in batches:
                prefetch(self.looks, qualifiers, [item.node for item in batch.items])
                for at, item in enumerate(batch.items, 1):
                    is_last = at == len(batch.items)
                    made: list[OpenRecord] = []
                    done = self._passed(qualifiers, item, Context(item.node, at, len(batch.items)), made, tried)
                    if done is not None:
                        yield Batch([done], batch.protected or not is_last, batch.final and is_last and not made)
                    for one in made:
                        self.harvest().complete(one)
        tried.end()

    def _passed(
        self,
        qualifiers: tuple[Qualifier, ...],
        item: Item,
        place: Context,
        made: list[OpenRecord],
        tried: ActionOutcomes,
    ) -> Item | None:
        """Return the item if it passes; where its page is lost on the way it is left out, with a warning."""
        try:
            found = self._judged(qualifiers, item, place, made)
        except FetchError as error:
            if self.strict or self.is_in_star():
                raise
            tried.failed(error)
            return None
        tried.went_well()
        return found

    def _judged(
        self, qualifiers: tuple[Qualifier, ...], item: Item, place: Context, made: list[OpenRecord]
    ) -> Item | None:
        """Return the item if it passes, and add what was extracted at it to `made`."""
        for qualifier in qualifiers:
            match qualifier:
                case Marker():
                    item, one = self._marked(qualifier, item)
                    made.append(one)
                case Optional(condition):
                    self._tried(condition, replace(item, parent=item.last))
                case Predicate(condition) if is_pure(condition):
                    if not self.looks.truths(condition, [replace(place, node=item.node)])[0]:
                        return None
                case Predicate(condition):
                    if not boolean(self.value(condition, replace(item, parent=item.last), True)):
                        return None
                case _:
                    if not self.looks.narrowed((qualifier,), [[item.node]])[0]:
                        return None
        return item

    def _tried(self, condition: Expression, item: Item) -> None:
        try:
            self.value(condition, item, True)
        except FetchError as error:
            if self.strict:
                raise
            self.warn(f"left out: {error}")

    def _marked(self, marker: Marker, item: Item) -> tuple[Item, OpenRecord]:
        value = None
        if marker.value is not None:
            value = string(self.value(marker.value, item, True))
        url = self.browser.tell([item.node], "url")[0]
        text = string(self.looks.values(TEXT, [Context(item.node)])[0])
        made = self.harvest().emit(item.node, text, OpenRecord(marker.label, value, marker.types, item.parent, url))
        return replace(item, last=made), made


def prefetch(looks: PureEvaluator, qualifiers: Sequence[Qualifier], nodes: Sequence[WebNode]) -> None:
    """Prefetch the values that these qualifiers need at these nodes."""
    if not 1 < len(nodes) <= MOST_PREFETCHED:
        return
    for qualifier in qualifiers:
        match qualifier:
            case Marker(value=value):
                looks.ask_ahead(TEXT, nodes)
                if value is not None:
                    _expression(looks, value, nodes)
            case Predicate(condition) | Optional(condition):
                _expression(looks, condition, nodes)


def _expression(looks: PureEvaluator, expression: Expression, nodes: Sequence[WebNode]) -> None:
    if is_pure(expression):
        looks.ask_ahead(expression, nodes)
    elif isinstance(expression, Path) and expression.start == "":
        _path(looks, expression.moves, nodes)


def _path(looks: PureEvaluator, moves: tuple[Move, ...], nodes: Sequence[WebNode]) -> None:
    """Go along the steps that only look, as the evaluation will."""
    ends = next((at for at, move in enumerate(moves) if not is_pure(move)), len(moves))
    last = moves[ends] if ends < len(moves) else None
    if not isinstance(last, Step):
        if ends and all(isinstance(move, Step) for move in moves[:ends]):
            looks.nodes(moves[:ends], [[node] for node in nodes])
        return
    plain = next(at for at, one in enumerate(last.qualifiers) if not is_pure(one))
    steps = (*moves[:ends], replace(last, qualifiers=last.qualifiers[:plain]))
    found = looks.nodes(steps, [[node] for node in nodes])
    prefetch(looks, last.qualifiers[plain:], [node for each in found for node in each])
