"""Search sites on loopback: choices numbered from 0, labels in other languages, and free text alone."""

from __future__ import annotations

import pytest

from siteseer.deepweb.run import understand
from siteseer.settings import CrawlOptions
from tests.forms.search_sites import FREE_TEXT, Row, SearchSite, people, title_matches, wares, words_match

KITCHENS = ("Georgian", "Peruvian", "Basque", "Tamil")


def closed_form(any_choice: tuple[str, str] | None, first: int, kind: str = "select") -> str:
    """Return a form with one closed field whose choices are numbered."""
    real = [(str(first + at), name) for at, name in enumerate(KITCHENS)]
    choices = [any_choice, *real] if any_choice is not None else real
    if kind == "radio":
        buttons = (f"<label><input type=radio name=k value='{value}'> {label}</label>" for value, label in choices)
        fields = "".join(buttons)
    else:
        options = (f"<option value='{value}'>{label}" for value, label in choices)
        fields = f"<select name=k>{''.join(options)}</select>"
    return f"<form action=/find><label>Küche</label> {fields} <input type=submit value=Suchen></form>"


@pytest.mark.parametrize("finds_all", [True, False])
@pytest.mark.parametrize(
    ("any_choice", "first", "kind"),
    [
        (("", "Any kitchen"), 0, "select"),
        (("-1", "Alle"), 0, "select"),
        (("-1", "すべて"), 0, "radio"),
        (("0", "Alle Küchen"), 1, "radio"),
        (("99", "bitte wählen"), -1, "select"),
        (("0", "- Küche -"), 1, "select"),
        (("0", "Küche"), 1, "select"),
        (None, 0, "select"),
        (None, -1, "radio"),
    ],
)
def test_choices_with_the_value_0_or_minus_1_are_searched_for(run_crawl, any_choice, first, kind, finds_all):
    rows = [{"title": f"Dish {at}", "kitchen": str(first + at % 4)} for at in range(40)]
    any_value = any_choice[0] if any_choice is not None else None

    def matches(row: Row, values: dict[str, str]) -> bool:
        chosen = values.get("k", "")
        return chosen == row["kitchen"] or (finds_all and chosen == any_value)

    with SearchSite(rows, closed_form(any_choice, first, kind), matches, cap=15, counts=False) as site:
        summary = run_crawl(site.url + "/", strategy="probe")
        assert site.found == set(range(40))
        asked = [path.partition("k=")[2] for path in site.searches]
        assert {str(first + at) for at in range(4)} <= set(asked)
        assert asked.count(any_value) <= (kind == "select"), "only the form as it stands says any"
        assert len(site.searches) <= 5 and summary["stopped_by"] is None
        assert summary["forms"] == {"searches": len(site.searches), "records": 40}


COMMONPLACE = "What did they make, whom did they wed, when were they last seen, does this town know them still?"
"""Words of the page of a form that no record has."""


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("make", "matches", "first", "most"),
    [
        (people, words_match, "place", 60),
        (people, title_matches, "title", 50),
        (wares, words_match, "trade", 50),
    ],
)
def test_free_text_goes_on_with_the_words_of_the_records_found(run_crawl, make, matches, first, most, seed):
    rows = make(70, seed)
    intro = f"Ask us about {rows[seed][first]}. {COMMONPLACE}"
    with SearchSite(rows, FREE_TEXT, matches, intro=intro, counts=False) as site:
        run_crawl(site.url + "/", strategy="probe")
        assert len(site.found) == 70
        assert len(site.searches) <= most


def test_free_text_ends_when_as_many_are_known_as_there_are(run_crawl):
    rows = people(70)

    def matches(row: Row, values: dict[str, str]) -> bool:
        return values["q"] == "*" or words_match(row, values)

    form = FREE_TEXT.replace("name=q", "name=q value='*'")
    with SearchSite(rows, form, matches, cap=30, intro=COMMONPLACE) as site:
        run_crawl(site.url + "/", strategy="probe")
        assert len(site.found) == 70
        assert len(site.searches) <= 40


def test_a_form_that_finds_nothing_is_given_up_soon(run_crawl):
    with SearchSite([], FREE_TEXT, words_match, intro="Nothing here speaks of what we have, dear visitors.") as site:
        run_crawl(site.url + "/", strategy="probe")
        assert len(site.searches) <= 16


@pytest.mark.parametrize("limit", [9, 30, 60])
def test_stopped_and_resumed_a_search_by_words_sends_nothing_twice(run_crawl, limit):
    rows = people(70)
    with SearchSite(rows, FREE_TEXT, words_match, intro=f"Ask about {rows[1]['place']}. {COMMONPLACE}") as site:
        for options in ({"limit": limit}, {"limit": limit + 25}, {}):
            run_crawl(site.url + "/", strategy="probe", concurrency=2, **options)
        assert len(site.found) == 70
        assert len(site.asked) == len(set(site.asked))
        assert len(site.searches) <= 70


def test_understanding_reads_records_for_words_where_what_is_listed_has_none_in_common(tmp_path):
    rows = wares(70)
    with SearchSite(rows, FREE_TEXT, words_match, intro=f"Ask about {rows[1]['trade']}. {COMMONPLACE}") as site:
        options = CrawlOptions(
            (site.url + "/",), tmp_path / "understood", "understand", delay=0.0, assets="none", browser="never"
        )
        found, _ = understand(options, None)
        assert len(found.records) == 70
        assert len(site.asked) <= 120
