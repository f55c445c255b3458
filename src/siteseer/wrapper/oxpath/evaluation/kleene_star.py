"""Evaluates Kleene stars: repeats a body on one page until no new nodes come, over pages until no new page comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from siteseer.interfaces import Browser
from siteseer.wrapper.oxpath.evaluation.item_flow import Batch, Flow, single_batch
from siteseer.wrapper.oxpath.language.purity import acts
from siteseer.wrapper.oxpath.language.syntax import Action, Move, Star


@dataclass
class KleeneStars:
    """Repeats bodies: `along` sends a flow through moves, `turn` through the action that ends a body.

    `most` bounds stars that have no upper bound.
    """

    browser: Browser
    along: Callable[[tuple[Move, ...], Flow], Flow]
    turn: Callable[[Action, Flow], Flow]
    warn: Callable[[str], None]
    most: int
    depth: int = 0
    """How many bodies are being evaluated at this moment, one inside the other."""

    def flow(self, star: Star, batches: Flow) -> Flow:
        """Yield the results of each round, from the lower bound on."""
        repeat = self._pages_of if any(acts(move) for move in star.body) else self._closure
        with closing(batches):
            for batch in batches:
                yield from repeat(star, batch)

    def _closure(self, star: Star, batch: Batch) -> Flow:
        """Repeat steps on one page: each round goes on from the nodes that are new."""
        kept = dict.fromkeys(batch.items if star.low == 0 else ())
        seen, new = set(batch.items), batch.items
        for count in range(1, self._rounds(star) + 1):
            found = [
                item for one in self.along(star.body, single_batch(replace(batch, items=new))) for item in one.items
            ]
            if count >= star.low:
                kept.update(dict.fromkeys(found))
            new = [item for item in dict.fromkeys(found) if item not in seen or count < star.low]
            seen.update(new)
            if not new:
                break
        if kept:
            yield replace(batch, items=list(kept))

    def _pages_of(self, star: Star, batch: Batch) -> Flow:
        """Repeat something that acts: a page that was seen before in this star ends its way."""
        seen = {self._mark(batch)}
        if star.low == 0:
            yield replace(batch, protected=True, final=False)
        ways = [(1, self._body(star, replace(batch, final=True)))]
        try:
            yield from self._along(star, ways, seen)
        finally:
            for _, way in reversed(ways):
                way.close()

    def _along(self, star: Star, ways: list[tuple[int, Flow]], seen: set[str]) -> Flow:
        """Go the last way on; each page that is new opens another. A way of which nothing else comes is let go."""
        most = self._rounds(star)
        while ways and most:
            count, way = ways[-1]
            found = self._next(way)
            if found is None:
                ways.pop()
                continue
            mark = self._mark(found)
            if mark in seen:
                continue
            seen.add(mark)
            if count >= star.low:
                yield replace(found, protected=True, final=False)
            if count >= most:
                if star.high is None:
                    self.warn(f"{star} was ended after {most} rounds")
                continue
            if found.final:
                ways.pop()[1].close()
            ways.append((count + 1, self._body(star, found)))

    def _body(self, star: Star, batch: Batch) -> Flow:
        *before, last = star.body
        if not isinstance(last, Action) or last.qualifiers:
            return self.along(star.body, single_batch(batch))
        return self.turn(last, self.along(tuple(before), single_batch(batch)))

    def _next(self, way: Flow) -> Batch | None:
        self.depth += 1
        try:
            return next(way, None)
        finally:
            self.depth -= 1

    def _rounds(self, star: Star) -> int:
        return self.most if star.high is None else star.high

    def _mark(self, batch: Batch) -> str:
        return self.browser.tell([batch.items[0].node], "fingerprint")[0] if batch.items else ""
