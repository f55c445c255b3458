from __future__ import annotations

from datetime import UTC, datetime

import pytest

from siteseer.demo.hostile.odd_values import ENDLESS_NUMBER, NUMBERS
from siteseer.page.dates.relative_dates import relative_moments
from siteseer.page.pagination.page_controls import is_list_of_pages
from siteseer.page.whole_number import whole_number


def test_what_is_no_number_is_none() -> None:
    read = {text: whole_number(text) for text in NUMBERS}
    assert {text: number for text, number in read.items() if number is not None} == {"٣": 3, "१२": 12}


@pytest.mark.parametrize("odd", NUMBERS)
def test_odd_numbers_are_no_pages_and_no_dates(odd: str) -> None:
    assert not is_list_of_pages("page", [(odd, odd), (ENDLESS_NUMBER, "2")])
    now = datetime(2020, 5, 5, tzinfo=UTC)
    assert len(list(relative_moments(f"{odd} days ago", now, UTC))) == (odd in ("٣", "१२", "-1", "+1"))
