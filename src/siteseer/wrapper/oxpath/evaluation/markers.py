"""Predicates and markers in a run: what stands at a node is tested and written down, item by item."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from siteseer.errors import FetchError
from siteseer.interfaces import Browser
from siteseer.wrappers.batches import Batch, Flow, Item, Tried
from siteseer.wrappers.effects import is_pure
from siteseer.wrappers.prefetch import prefetch
from siteseer.wrappers.pure import TEXT, Context, Looks
from siteseer.wrappers.records import Growing, Harvest
from siteseer.wrappers.syntax import Expression, Marker, Optional, Predicate, Qualifier
from siteseer.wrappers.values import Value, boolean, string


@dataclass
class Extracting:
    """Judges items by qualifiers that do more than look; `value` evaluates any expression at one item."""

    browser: Browser
    looks: Looks
    value: Callable[[Expression, Item, bool], Value]
    harvest: Callable[[], Harvest]
    warn: Callable[[str], None]
    strict: bool
    is_in_star: Callable[[], bool]

    def flow(self, qualifiers: tuple[Qualifier, ...], batches: Flow) -> Flow:
        """Test and extract at every item; yield those that pass, each before the next is looked at."""
        tried = Tried(self.warn)
        with closing(batches):
            for batch in batches:
                prefetch(self.looks, qualifiers, [item.node for item in batch.items])
                for at, item in enumerate(batch.items, 1):
                    is_last = at == len(batch.items)
                    made: list[Growing] = []
                    done = self._passed(qualifiers, item, Context(item.node, at, len(batch.items)), made, tried)
                    if done is not None:
                        yield Batch([done], batch.protected or not is_last, batch.final and is_last and not made)
                    for one in made:
                        self.harvest().complete(one)
        tried.end()

    def _passed(
        self, qualifiers: tuple[Qualifier, ...], item: Item, place: Context, made: list[Growing], tried: Tried
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
        self, qualifiers: tuple[Qualifier, ...], item: Item, place: Context, made: list[Growing]
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

    def _marked(self, marker: Marker, item: Item) -> tuple[Item, Growing]:
        value = None
        if marker.value is not None:
            value = string(self.value(marker.value, item, True))
        url = self.browser.tell([item.node], "url")[0]
        text = string(self.looks.values(TEXT, [Context(item.node)])[0])
        made = self.harvest().emit(item.node, text, Growing(marker.label, value, marker.types, item.parent, url))
        return replace(item, last=made), made
