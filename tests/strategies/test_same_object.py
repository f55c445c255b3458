"""What is one object and what are two: ids, places, whole texts with author and date; never how a text begins."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

from siteseer.model import Page, WebObject
from siteseer.strategies.learned.record_extraction import harvest_records
from siteseer.strategies.same_object import SameObjects, observe

OPENING = "Dear members of the society, these are the minutes of the meeting that the board held this month."
WORDS = "amber basin copper drift ember fallow gravel harbour inlet juniper kettle lantern meadow north orchard".split()
NAMES = ("Ann", "Bob", "Cyril", "Dora", "Emil")
TYPE = (("Content-Type", "text/html; charset=utf-8"),)
FETCHED = datetime(2024, 3, 13, 12, 0, tzinfo=UTC)


def words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count))


def one(text: str, number: int = 1, **told: str) -> WebObject:
    """Return a post of a list."""
    return WebObject("post", f"urn:{number}", f"http://e.org/t{number}", text=text, thread="t", **told)  # type: ignore[arg-type]


def groups(*shown: tuple[WebObject, int, int]) -> list[list[int]]:
    """Return which of the objects, each with its page and template, are one."""
    rows = [observe(what, place, template, 1.0) for what, place, template in shown]
    return sorted(sorted(group) for group in SameObjects(rows).groups())


def test_texts_that_begin_alike_and_go_on_differently_are_two() -> None:
    chance = random.Random(1)
    left, right = (f"{OPENING} {words(chance, 60)}" for _ in range(2))
    assert groups((one(left, 1), 0, 1), (one(right, 2), 1, 1)) == [[0], [1]]


def test_one_text_of_two_days_is_two_objects_and_of_one_moment_one() -> None:
    text = f"{OPENING} {words(random.Random(2), 60)}"
    may, june = "2020-05-01T10:00:00Z", "2020-06-01T10:00:00Z"
    shown = [(one(text, n, author="Ann", published=day), n, 1) for n, day in enumerate((may, june, may))]
    assert groups(*shown) == [[0, 2], [1]]


def test_one_text_of_two_authors_is_two_objects() -> None:
    text = f"{OPENING} {words(random.Random(2), 60)}"
    assert groups((one(text, 1, author="Ann"), 0, 1), (one(text, 2, author="Bob"), 1, 1)) == [[0], [1]]


def test_two_records_of_one_page_are_two_objects_on_every_page_that_shows_them() -> None:
    told = {"author": "Ann", "published": "2020-05-01"}
    twice = [(one("Thanks a lot", n, **told), 0, 1) for n in (1, 2)]
    long = f"{OPENING} {words(random.Random(3), 60)}"
    other_address = [(one("Thanks a lot", n, **told), 1, 1) for n in (3, 4)]
    found = groups(*twice, (one(long, 5), 0, 1), *other_address, (one(long, 6), 1, 1))
    assert found == [[0, 3], [1, 4], [2, 5]]


def test_short_remarks_of_one_day_in_two_threads_are_two() -> None:
    told = {"author": "Ann", "published": "2020-05-01"}
    assert groups((one("Thanks a lot", 1, **told), 0, 1), (one("Thanks a lot", 2, **told), 1, 1)) == [[0], [1]]


def test_a_short_remark_that_a_list_without_authors_shows_with_its_minute_is_one() -> None:
    minute = "2020-05-01T10:07:00Z"
    listed, day = one("Thanks a lot", 2, published=minute), one("Thanks a lot", 3, published=minute[:10])
    posted = one("Thanks a lot", 1, author="Ann", published=minute)
    assert groups((posted, 0, 1), (listed, 1, 2)) == [[0, 1]]
    assert groups((posted, 0, 1), (day, 1, 2)) == [[0], [1]]


def test_a_list_that_dates_texts_by_their_last_answer_shows_them_again_although_a_template_shows_each_twice() -> None:
    chance = random.Random(8)
    shown = []
    for n in range(6):
        text = words(chance, 40) if n else "Thanks a lot"
        told = {"author": NAMES[n % 5], "published": f"2020-05-0{n + 1}T10:07:00Z"}
        later = told | {"published": f"2020-06-1{n}T08:31:00Z"}
        places = ((10 + n, 1, told), (20 + n, 1, told), (30, 2, later))
        shown += [(one(text, place + n, **said), place, template) for place, template, said in places]
    assert groups(*shown) == [[n, n + 1, n + 2] for n in range(0, 18, 3)]


def test_a_teaser_is_what_contains_it() -> None:
    chance = random.Random(4)
    texts = [f"{OPENING} {words(chance, 80)}" for _ in range(3)]
    whole = [(one(text, n, author="Ann", published=f"2020-05-0{n + 1}"), n, 1) for n, text in enumerate(texts)]
    teasers = [(one(f"{text[:260]} … Read more", 9 + n), 9, 2) for n, text in enumerate(texts)]
    assert groups(*whole, *teasers) == [[0, 3], [1, 4], [2, 5]]


def test_a_listing_that_adds_lines_above_a_text_shows_what_its_author_wrote_at_that_moment() -> None:
    chance = random.Random(6)
    told = {"author": "Ann", "published": "2020-05-01T10:07:00Z"}
    text = words(chance, 80)
    listed = f"{words(chance, 3)}\nWritten by Ann\nIn Letters, Rivers\n{' '.join(text.split()[:40])}"
    assert groups((one(text, 1, **told), 0, 1), (one(listed, 2, **told), 1, 2)) == [[0, 1]]
    other = f"{words(chance, 3)}\nWritten by Ann\nIn Letters, Rivers\n{words(chance, 40)}"
    assert groups((one(text, 1, **told), 0, 1), (one(other, 2, **told), 1, 2)) == [[0], [1]]


def test_ids_tell_two_posts_apart_and_know_one_again() -> None:
    text = f"{OPENING} {words(random.Random(5), 60)}"
    links = ("http://e.org/t?t=1#p7", "http://e.org/t?t=1&start=2#p8", "http://e.org/t?p=7#p7")
    assert groups(*((one(text, n, permalink=link), n, 1) for n, link in enumerate(links))) == [[0, 2], [1]]


def test_ids_that_only_count_the_records_of_a_page_say_nothing() -> None:
    chance = random.Random(6)
    shown = [
        (one(words(chance, 40), 10 * n + k, permalink=f"http://e.org/{n}#c{k}"), n, 1) for n in range(5) for k in (1, 2)
    ]
    assert len(groups(*shown)) == 10


def letters(pages: int) -> list[tuple[str, str, datetime]]:
    """Return letters that begin alike, some of them wholly alike."""
    chance = random.Random(7)
    found = []
    for number in range(pages):
        text = (
            f"<p>{OPENING}</p><p>{words(chance, 12) if number % 4 else 'There was nothing to tell of this time.'}</p>"
        )
        found.append((text, chance.choice(NAMES), datetime(2015, 1, 1, 9, tzinfo=UTC) + timedelta(days=7 * number)))
    return found


def test_a_crawl_keeps_every_letter_once_although_lists_show_them_again() -> None:
    """Own pages, lists that show them whole, lists that show how they begin."""
    sent, pages = letters(60), []
    for number, (text, name, day) in enumerate(sent):
        head = f"<p class='by'>by <a href='/author/{name}'>{name}</a>, {day:%d %B %Y, %H:%M}</p>"
        body = f"<h1>Letter {number} of the society</h1>{head}<div class='entry'>{text}</div>"
        pages.append(_page(f"/letter/{number}", f"Letter {number} of the society", body))
    for start in range(0, 60, 10):
        shown = "".join(
            f"<div class='item'><h2><a href='/letter/{n}'>Letter {n} of the society</a></h2>"
            f"<p class='by'>by <a href='/author/{sent[n][1]}'>{sent[n][1]}</a>, {sent[n][2]:%d %B %Y, %H:%M}</p>"
            f"<div class='whole'>{sent[n][0]}</div></div>"
            for n in range(start, start + 10)
        )
        pages.append(_page(f"/list/{start}", "All letters", f"<h1>All letters</h1>{shown}"))
    found = [what for _, what in harvest_records(lambda: pages)]
    days = Counter((what.published or "")[:10] for what in found)
    assert len(found) == 60 and len({what.id for what in found}) == 60
    assert set(days) == {f"{day:%Y-%m-%d}" for _, _, day in sent}
    assert {what.url.split("/")[3] for what in found} == {"letter"}


def test_pages_that_claim_one_address_keep_names_of_their_own() -> None:
    chance = random.Random(8)
    pages = [
        _page(f"/a/{n}", f"Text {n}", f"<h1>Text {n}</h1><div class='t'><p>{words(chance, 60)}</p></div>", "/")
        for n in range(20)
    ]
    found = [what for _, what in harvest_records(lambda: pages)]
    assert len(found) == 20 and len({what.id for what in found}) == 20


def _page(path: str, title: str, body: str, canonical: str = "") -> Page:
    link = f"<link rel='canonical' href='http://e.org{canonical}'>" if canonical else ""
    html = f"<html><head><title>{title}</title>{link}</head><body>{body}</body></html>"
    return Page(f"http://e.org{path}", 200, TYPE, html.encode(), FETCHED)
