"""Generates expressions that select a body together with the siblings that continue it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lxml import html

from siteseer.strategies.aware.adaptation.extraction.element_expressions import steps_of
from siteseer.strategies.aware.adaptation.extraction.record_scope import Pair

MOST_BODIES = 2
MOST_PARTS = 3
_NAMED = re.compile(r"[\w-]+(?:#(?P<id>[\w-]+)|\.(?P<token>[\w-]+)|\[(?P<test>.+)\])")


def with_continuations(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield expressions for bodies with their continuations; an alternative would stop at the body alone.

    Only some records have a continuation: the body's expression fits all records, the continuations' only those that
    have one.
    """
    continued = [pair for pair in pairs if pair.expected.parts]
    if not continued:
        return
    tally = Counter(test for pair in pairs for test in _tests(pair.expected.element))
    bodies = [test for test, count in tally.most_common(MOST_BODIES) if 2 * count >= len(pairs)]
    parts = _covering([{test for part in pair.expected.parts for test in _tests(part)} for pair in continued])
    tags = {one.tag for pair in continued for one in (pair.expected.element, *pair.expected.parts)}
    tag = tags.pop() if len(tags) == 1 else "*"
    for body in bodies:
        for number in range(len(parts), 0, -1):
            yield f"{tag}[{' or '.join((body, *parts[:number]))}]"


def _covering(tests: Sequence[set[str]]) -> list[str]:
    """Return few tests of which each record has one, the most common first."""
    chosen: list[str] = []
    waiting = list(tests)
    while len(chosen) < MOST_PARTS and (tally := Counter(sorted(test for one in waiting for test in one))):
        chosen.append(tally.most_common(1)[0][0])
        waiting = [one for one in waiting if chosen[-1] not in one]
    return chosen


def _tests(element: html.HtmlElement) -> Iterator[str]:
    """Yield what a predicate can say of an element.

    >>> list(_tests(html.fromstring("<div id=more class='entry-rest'></div>")))
    ["@id='more'", "contains(@class,'entry-rest')"]
    """
    for step in steps_of(element):
        if found := _NAMED.fullmatch(step):
            if found["id"]:
                yield f"@id='{found['id']}'"
            elif found["token"]:
                yield f"contains(@class,'{found['token']}')"
            else:
                yield found["test"]
