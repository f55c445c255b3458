"""Shows the crawls of a collection: one sentence on its card, the list of them on its page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from siteseer.model import JSON
from siteseer.web.service.library import CollectionCard
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import panel, table

NEWS = ("new_pages", "changed_pages", "new_objects")


def card_sentence(card: CollectionCard) -> str:
    """Return what a collection holds and, where it was visited more than once, what the last visit brought."""
    counts = {name: counted(name, getattr(card, name)) for name in ("objects", "pages", "requests")}
    if card.last is None or card.crawls < 2:
        return texts.CARD.format(**counts)
    visit = card.last
    told = {name: getattr(visit, name) for name in NEWS}
    counts["requests"] = counted("requests", visit.requests)
    return texts.CARD_VISITED.format(**counts, day=day(visit.when), news=news(told))


def news(told: JSON) -> str:
    """Return what a crawl brought that was not there before.

    >>> news({"new_pages": 2, "changed_pages": 0, "new_objects": 1})
    '2 new pages, 1 new object'
    """
    return ", ".join(counted(name, told[name]) for name in NEWS if told[name]) or texts.NOTHING_NEW


def counted(name: str, count: int) -> str:
    """Return a number with its noun.

    >>> counted("pages", 1), counted("pages", 1200)
    ('1 page', '1,200 pages')
    """
    return f"{count:,} {texts.NOUNS[name][count != 1]}"


def day(when: str) -> str:
    """Return the day of a time of ISO 8601 for people.

    >>> day("2026-11-08T22:33:38+00:00")
    '8 November 2026'
    """
    try:
        time = datetime.fromisoformat(when)
    except ValueError:
        return when[:10]
    return f"{time.day} {time:%B %Y}"


def crawl_list(history: Sequence[JSON]) -> None:
    """Put the crawls of a collection, the newest first."""
    with panel(texts.CRAWLS):
        table(texts.CRAWL_COLUMNS, map(_row, reversed(history)), numeric=(0, 4, 5, 6))


def brought(one: JSON) -> str:
    """Return what a crawl took and brought, in one sentence."""
    return texts.BROUGHT.format(requests=counted("requests", one["requests"]), news=news(one))


def _row(one: JSON) -> tuple[object, ...]:
    ended = _minute(one["ended"]) if one["ended"] else texts.STILL_RUNS
    if one["stopped_by"]:
        ended = texts.STOPPED_BY.format(reason=one["stopped_by"])
    problems = " ".join(problem["sentence"] for problem in one["problems"]) or texts.NO_PROBLEMS
    kind = texts.KIND_AND_STRATEGY.format(**one) if one["kind"] != one["strategy"] else one["kind"]
    return (
        one["crawl"], kind, _minute(one["began"]), ended, one["requests"],
        one["new_pages"], one["changed_pages"], problems,
    )  # fmt: skip


def _minute(when: str) -> str:
    return when[:16].replace("T", " ")
