"""How much of a page is new by its slot values: records are, lists, calendars, counters and other views are not."""

from __future__ import annotations

from siteseer.model import Page
from siteseer.page.slot_values import SlotValues, slot_values
from siteseer.strategies.learned.online_learner.near_duplicates import Duplicates
from siteseer.strategies.learned.online_learner.rewards import ARRANGED, ENTRY, Record, Rewards
from siteseer.strategies.learned.online_learner.slot_novelty import SlotNovelty

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def values(body: str, path: str = "/") -> SlotValues:
    return slot_values(Page(f"http://e.org{path}", headers=HTML, body=body.encode()))


def listed(count: int, first: int = 0, more: str = "") -> str:
    return "<ul>" + "".join(f"<li><a href=/{n}>Hinge {n}</a>" for n in range(first, first + count)) + f"</ul>{more}"


def test_a_record_is_new_and_its_other_view_is_not() -> None:
    seen = SlotNovelty()
    seen.add(values("<h1>Hinge</h1><p>12 mm<p>4 €"))
    assert seen.add(values("<h1>Hook</h1><p>14 mm<p>5 €")) == 3
    assert seen.add(values("<b>Hook</b><div>14 mm</div><div>5 €</div>")) == 0


def test_values_that_a_list_showed_count_on_the_page_of_the_record() -> None:
    seen = SlotNovelty()
    rows = "".join(f"<tr><td><a href=/{n}>Hinge {n}</a><td>{n}.50 €" for n in range(9))
    assert seen.add(values(f"<table>{rows}</table>")) == 0
    seen.add(values("<h1>Hook</h1><p>8.75 €"))
    assert seen.add(values("<h1>Hinge</h1><p>3.50 €")) == 2


def test_a_list_is_none_whatever_its_heading_and_number_of_entries() -> None:
    seen = SlotNovelty()
    for number in range(3):
        assert seen.add(values(f"<h1>All</h1>{listed(20, 20 * number)}"), "/list") == 0
    assert seen.add(values(f"<h1>Steel</h1><p>2 found{listed(2)}"), "/list") == 0


def test_months_of_a_calendar_are_none_once_their_names_are_known() -> None:
    seen = SlotNovelty()
    found = []
    for number in range(30):
        year, month = 2000 + number // 12, number % 12 + 1
        days = "".join(f"<td>{day}" for day in range(1, 32))
        body = f"<h1>{'abcdefghijkl'[month - 1]}-month {year}</h1><table><tr>{days}</table>"
        found.append(seen.add(values(body, f"/{year}/{month}"), is_further=True))
    assert max(found[2:]) <= 1 and set(found[12:]) == {0}


def test_records_of_common_values_are_told_by_their_combination() -> None:
    seen = SlotNovelty()
    found = [seen.add(values(f"<h1>Train {chr(97 + n % 26) * (1 + n // 26)}</h1><p>{n % 7} min<p>Track {n % 5}"))
             for n in range(30)]  # fmt: skip
    assert min(found) >= 2
    assert seen.add(values("<h1>Train zz</h1>")) == 1


def test_a_counter_on_every_page_is_no_value() -> None:
    seen = SlotNovelty()
    for number in range(3):
        seen.add(values(f"<h1>All</h1>{listed(20, 20 * number)}<footer>Visitor {number + 70}</footer>"))
    found = []
    for number in range(6):
        found.append(seen.add(values(f"<h1>About {chr(97 + number)}</h1><footer>Visitor {number + 80}</footer>")))
    assert set(found[1:]) == {1}


def test_what_most_pages_show_belongs_to_the_template() -> None:
    seen = SlotNovelty()
    for number in range(6):
        seen.add(values(f"<p>Width<p>{number} mm"))
    assert len(seen.own(values("<p>Width<p>77 mm")).texts) == 1


def test_records_with_one_description_are_different_pages_and_their_print_views_are_not() -> None:
    pages = Duplicates()
    record = "<h1>Bolt {0}</h1><p>{1} €", "<h3>Bolt {0}</h3><div>{1} €</div>"
    assert pages.add(0, (1, 2), values(record[0].format("M6", 12))) == []
    assert pages.add(1, (1, 2), values(record[0].format("M8", 14))) == []
    assert pages.add(2, (1, 2), values(record[1].format("M8", 14))) == [1]


def test_records_without_prose_are_compared_by_their_values() -> None:
    pages = Duplicates()
    for number in range(3):
        assert pages.add(number, (), values(f"<h1>Bolt {number}</h1><p>{number + 20} €")) == []
    assert pages.add(3, (), values("<h1>Bolt 1</h1><p>21 €")) == [1]
    assert not pages.is_same(0, 1)


def test_records_are_worth_what_the_site_has_of_them() -> None:
    rewards = Rewards()
    for page in range(4):
        rewards.add(page, 0, record=Record(3))
    assert rewards.own(3) > 0.5
    for page in range(10, 40):
        rewards.add(page, 300)
    rewards.add(40, 0, record=Record(3, ENTRY))
    rewards.add(41, 0, record=Record(3, ARRANGED))
    assert rewards.own(3) < 0.1 < rewards.own(40) and rewards.own(41) == 0.0
    rewards.share(40, 3)
    assert rewards.own(3) == 0.0
