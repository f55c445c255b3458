"""Cron expressions mean the same to us, to APScheduler and to Celery."""

from datetime import UTC, datetime, timedelta

import pytest
from celery.schedules import crontab
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.errors import UsageError
from siteseer.schedule.beat import _when
from siteseer.schedule.cron import read_cron
from siteseer.schedule.runner import trigger_of
from siteseer.schedule.schedule_table import Entry


@pytest.mark.parametrize(
    ("text", "field", "wanted"),
    [
        ("* * * * *", "minute", tuple(range(60))),
        ("*/15 * * * *", "minute", (0, 15, 30, 45)),
        ("5/20 * * * *", "minute", (5, 25, 45)),
        ("1-10/3,59 * * * *", "minute", (1, 4, 7, 10, 59)),
        ("0 6 * * mon-fri", "weekday", (1, 2, 3, 4, 5)),
        ("0 6 * * 7", "weekday", (0,)),
        ("0 6 * * 5-7", "weekday", (0, 5, 6)),
        ("0 6 1 JAN,mar *", "month", (1, 3)),
        ("@weekly", "weekday", (0,)),
    ],
)
def test_fields(text, field, wanted):
    assert getattr(read_cron(text), field) == wanted


@pytest.mark.parametrize(
    "text",
    ["", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "5-1 * * * *", "*/0 * * * *",
     "*/x * * * *", "a * * * *", "1,, * * * *", "-1 * * * *", "1- * * * *", "0 0 1 * mon", "0 0 30 2 *",
     "0 0 31 apr,jun *", "² * * * *", "0 " * 5000],
)  # fmt: skip
def test_what_is_no_cron_expression(text):
    with pytest.raises(UsageError):
        read_cron(text)


fields = st.tuples(
    st.sampled_from(["0", "*/17", "3,44", "10-12"]),
    st.sampled_from(["*", "6", "0-23/5", "22,23"]),
    st.sampled_from(["*", "1", "31", "10-20/3"]),
    st.sampled_from(["*", "2", "jan-jun", "12"]),
    st.sampled_from(["*", "0", "7", "1-5", "sat,sun", "3"]),
).filter(lambda parts: (parts[2] == "*" or parts[4] == "*") and (parts[2], parts[3]) != ("31", "2"))


@settings(max_examples=60, deadline=None)
@given(fields, st.datetimes(datetime(2024, 1, 1), datetime(2027, 1, 1)))
def test_both_schedulers_agree(parts, moment):
    entry = Entry("a", ("revisit", "x"), cron=read_cron(" ".join(parts)))
    now = moment.replace(second=0, microsecond=0, tzinfo=UTC)
    after = now + timedelta(seconds=1)
    by_apscheduler = trigger_of(entry, "UTC").get_next_fire_time(None, after)
    when: crontab = _when(entry)
    when.nowfun = lambda: now
    when.tz = UTC
    by_celery = now + when.remaining_estimate(now)
    assert by_apscheduler == by_celery
