"""Translates a candidate to XPath that selects the same on raw trees as the candidate does on the tables.

First the label is generalised (any case, with or without colons) where no answer changes; then the shortest spelling
is used whose answers by lxml equal those on the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from siteseer.errors import UsageError
from siteseer.wrapper.induction.element_tables import ElementTables, fold
from siteseer.wrapper.induction.evaluate_on_tables import elements, values
from siteseer.wrapper.induction.evaluate_with_lxml import read
from siteseer.wrapper.induction.induced_xpath import SPELLINGS, Expression, Label, Test

STRUCTURE = ("td", "th", "tr", "dt", "dl", "li", "fieldset", "table")
"""Tags that say what something is, and stay where looks change."""
WIDE = 3_000
CHECKED = 8
"""Pages on which a spelling is tried: odd pages are rare, and lxml is slower than the views."""


def loosened(expression: Expression, views: Sequence[ElementTables]) -> Expression:
    """Return the expression with its label in any case, where that selects the same; a menu may use the same word."""
    label = expression.label
    if not label or not fold(label.text):
        return expression
    for scope in (label.scope, *_surroundings(label, views)):
        loose = replace(expression, label=replace(label, text=fold(label.text), folded=True, scope=scope))
        if all(values(view, loose) == values(view, expression) for view in views):
            return loose
    return expression


def _surroundings(label: Label, views: Sequence[ElementTables]) -> list[Test]:
    """Return the kinds of table or list in which a label stands, the nearest first."""
    view = next((one for one in views if label.text in one.by_text), None)
    if view is None or label.scope:
        return []
    owner = view.owners[view.by_text[label.text][0]]
    tags = dict.fromkeys(str(view.nodes[one].tag) for one in (owner, *view.ancestors(owner)))
    return [Test(tag) for tag in tags if tag in STRUCTURE]


def to_xpath(expression: Expression, views: Sequence[ElementTables]) -> str | None:
    """Return the expression as XPath, or None where no spelling gives its answers on the pages."""
    if any(_is_wide(expression, view) for view in views):
        return None
    relative = bool(views) and views[0].is_record
    for spelling in SPELLINGS:
        if _is_same(expression.written(spelling, relative), expression, views[:CHECKED]):
            loose = loosened(expression, views)
            text = loose.written(spelling, relative)
            return text if _is_same(text, loose, views[:1]) else expression.written(spelling, relative)
    return None


def _is_wide(expression: Expression, view: ElementTables) -> bool:
    """Say whether so many nodes are stepped on from that lxml, whose unions are quadratic, would take minutes."""
    label, moves = expression.label, expression.moves
    further = len(moves) if expression.of_elements else len(moves) + 1
    return any(len(elements(view, label, moves[:steps])) > WIDE for steps in range(1, further))


def _is_same(text: str, expression: Expression, views: Sequence[ElementTables]) -> bool:
    try:
        return all(read(text, view.root) == values(view, expression) for view in views)
    except UsageError:
        return False
