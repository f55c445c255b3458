"""Tells the cells of records from records: cells of each position hold values of one kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from lxml import html

from siteseer.deepweb.records.record_leaves import leaves
from siteseer.deepweb.records.value_types import type_of

LEAST_ROWS = 3
MOST_CELLS, MOST_LOOKED_AT = 30, 300
ALWAYS = 0.8
"""This share of the rows must be built alike."""
USUALLY = 0.6
Item = tuple[html.HtmlElement, ...]


def are_cells(items: Iterable[Item]) -> bool:
    """Say whether items are only parts of records: values beside their labels, or cells of a row.

    >>> rows = "".join(f"<tr><td><a href=/{at}>Tea {at}</a><td>{1900 + at}<td>Ann" for at in range(4))
    >>> cells = [(cell,) for cell in html.fromstring(f"<table>{rows}</table>").iter("td")]
    >>> are_cells(cells), are_cells(cells[::3])
    (True, False)
    """
    rows: dict[html.HtmlElement, list[Item]] = defaultdict(list)
    for item in islice(items, MOST_LOOKED_AT):
        rows[item[0].getparent()].append(item)
    if all(item[0].tag in ("dd", "th") for row in rows.values() for item in row):
        return True  # what belongs to the dt before it, or heads a column
    if all(map(_is_under_headings, rows)):
        return True
    if len(rows) < LEAST_ROWS:
        return False
    return _are_places(list(rows.values())) or _are_labelled(list(rows.values()))


def _is_under_headings(row: html.HtmlElement) -> bool:
    """Say whether a row of a table has as many cells as the table has headings."""
    table = next(row.iterancestors("table"), None) if row.tag == "tr" else None
    head = next((one for one in table.iter("tr") if is_header(one)), None) if table is not None else None
    return head is not None and head is not row and len(head) == len(row)


def is_header(element: html.HtmlElement) -> bool:
    """Say whether a table row holds headings, and hardly anything else."""
    cells = [child.tag for child in element if child.tag in ("td", "th")]
    return element.tag == "tr" and 2 * cells.count("th") > len(cells) and cells.count("th") > 1


def _are_places(rows: Sequence[Sequence[Item]]) -> bool:
    """Say whether rows are of one length, and each of their places holds a kind of its own."""
    length, count = Counter(map(len, rows)).most_common(1)[0]
    if not 1 < length <= MOST_CELLS or count < ALWAYS * len(rows) or any(len(item) > 1 for row in rows for item in row):
        return False
    usual = [_usual([row[at] for row in rows if len(row) == length]) for at in range(length)]
    return all(usual) and len(set(usual)) > 1


def _usual(cells: Sequence[Item]) -> tuple[str, bool] | None:
    """Return what nearly all cells of one place are: the kind of their text, and whether it is a link."""
    counts = Counter(kind for cell in cells if (kind := _kind(cell)) is not None)
    if not counts:
        return None
    kind, count = counts.most_common(1)[0]
    return kind if count >= ALWAYS * counts.total() else None


def _kind(cell: Item) -> tuple[str, bool] | None:
    first = next(iter(leaves(cell, most=1)), None)
    return (type_of([first.text]), bool(first.link)) if first is not None else None


def _are_labelled(rows: Sequence[Sequence[Item]]) -> bool:
    """Say whether items begin with labels: in rows of like length the same, with something else after them."""
    after: dict[str, set[str]] = defaultdict(set)
    among: dict[str, set[int]] = defaultdict(set)
    count = 0
    for number, row in enumerate(rows):
        for item in row:
            count += 1
            said = [leaf.text for leaf in leaves(item, most=4)]
            if len(said) > 1 and sum(map(str.isalpha, said[0])) > 1:
                after[said[0]].add(said[1])
                among[said[0]].add(number)
    again = [label for label, own in among.items() if len(own) > 1]
    items = sum(len(among[label]) for label in again)
    is_varied = sum(len(after[label]) > 1 for label in again) >= USUALLY * len(again)
    lengths = sorted(map(len, rows))
    is_regular = 2 * lengths[len(lengths) // 4] >= lengths[-1]
    return count > len(rows) and items >= ALWAYS * count and is_varied and is_regular
