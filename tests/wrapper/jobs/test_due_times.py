"""When jobs are due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from siteseer.errors import UsageError
from siteseer.schedule.due_times import DAYS, Schedule, next_due, read

MOMENTS = some.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=some.just(UTC))


@pytest.mark.parametrize("text", ["", "6 hours", "-1h", "0s", "9" * 40, "1e9d", "nan", "400d", "٣h" * 5])
def test_what_is_no_interval_is_said(text: str) -> None:
    if text:
        with pytest.raises(UsageError, match="is no interval"):
            read(text)
    else:
        assert read(text) is None


def test_times_and_days_are_checked() -> None:
    assert read(at=["18:30", "6:05"], days=["Monday"]) == Schedule(0.0, ((6, 5), (18, 30)), ("mon",))
    for wrong in ({"at": ["24:00"]}, {"at": ["6"]}, {"at": ["06:00"], "days": ["noday"]}, {"days": ["mon"]}):
        with pytest.raises(UsageError):
            read(**wrong)
    with pytest.raises(UsageError, match="either"):
        read("1h", ["06:00"])


@settings(deadline=None)
@given(
    MOMENTS,
    some.sets(some.sampled_from(DAYS)),
    some.sets(some.tuples(some.integers(0, 23), some.integers(0, 59)), min_size=1),
)
def test_the_next_moment_is_the_first_that_fits(after: datetime, days: set[str], at: set[tuple[int, int]]) -> None:
    """Against a slow twin that looks at every minute of nine days."""
    schedule = Schedule(0.0, tuple(sorted(at)), tuple(sorted(days)))
    found = next_due(schedule, after, UTC)
    minute = after.replace(second=0, microsecond=0)
    while True:
        minute += timedelta(minutes=1)
        if (minute.hour, minute.minute) in at and (not days or DAYS[minute.weekday()] in days):
            break
    assert found == minute


def test_times_of_the_day_are_those_of_the_zone() -> None:
    after = datetime(2024, 5, 1, 12, tzinfo=UTC)
    assert next_due(Schedule(at=((6, 0),)), after, timezone(timedelta(hours=5))).hour == 1
    paris = ZoneInfo("Europe/Paris")
    night = datetime(2024, 3, 30, 20, tzinfo=UTC)
    assert next_due(Schedule(at=((6, 0),)), night, paris) == datetime(2024, 3, 31, 4, tzinfo=UTC)


def test_a_schedule_is_read_again_as_it_was_stored() -> None:
    for one in (read("90m"), read(at=["06:00"], days=["sun"])):
        assert one is not None and read(**one.as_json()) == one
