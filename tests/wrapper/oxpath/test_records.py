"""What markers extract: order, merging, and memory that does not grow with the pages."""

from __future__ import annotations

from dataclasses import dataclass

from siteseer.wrapper.oxpath.output.records import MOST_KNOWN, OpenRecord, Record, RecordCollector


class Page:
    """A page to which nodes belong."""


@dataclass(frozen=True)
class Node:
    page: Page
    number: int

    @property
    def key(self) -> int:
        return self.number


def test_records_are_given_in_the_order_in_which_they_were_found() -> None:
    given: list[Record] = []
    harvest, page = RecordCollector(given.append), Page()
    first = harvest.emit(Node(page, 1), "", OpenRecord("a", None, (), None, ""))
    second = harvest.emit(Node(page, 2), "", OpenRecord("b", None, (), None, ""))
    harvest.complete(second)
    assert given == []
    harvest.emit(Node(page, 3), "", OpenRecord("c", "x", (), first, ""))
    harvest.complete(first)
    assert [(one.label, [child.value for child in one.children]) for one in given] == [("a", ["x"]), ("b", [])]


def test_a_page_that_grows_gives_each_row_once_however_long_it_gets() -> None:
    given: list[Record] = []
    harvest, page = RecordCollector(given.append), Page()
    for rows in range(1000, 3 * MOST_KNOWN, 1000):
        for number in range(rows):
            made = harvest.emit(Node(page, number), str(number), OpenRecord("row", str(number), (), None, ""))
            harvest.complete(made)
    assert [one.value for one in given] == [str(number) for number in range(len(given))]
    assert len(given) == 3 * MOST_KNOWN - 1000


def test_a_page_that_turns_in_place_is_not_remembered_for_ever() -> None:
    harvest, page = RecordCollector(lambda record: None), Page()
    for number in range(6 * MOST_KNOWN):
        made = harvest.emit(Node(page, number % 10), str(number), OpenRecord("row", str(number), (), None, ""))
        harvest.complete(made)
    assert harvest.records == 6 * MOST_KNOWN
    assert len(harvest._known[page]) <= MOST_KNOWN


def test_what_was_known_of_a_page_goes_with_it() -> None:
    harvest, page = RecordCollector(lambda record: None), Page()
    harvest.complete(harvest.emit(Node(page, 1), "", OpenRecord("a", None, (), None, "")))
    assert len(harvest._known) == 1
    del page
    assert len(harvest._known) == 0
