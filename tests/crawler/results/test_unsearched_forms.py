"""A crawl says that content lies behind a search form, where it does, and names the command; else it says nothing."""

from __future__ import annotations

import pytest

from siteseer.collection.exit_codes import exit_code
from tests.crawler.small_site import SmallSite, pages
from tests.forms.search_sites import FREE_TEXT, SearchSite, people, words_match

CHOICES = ("Georgian", "Peruvian", "Basque", "Tamil", "Sardinian")
LIST = "<select name=k><option value=''>Any</option>" + "".join(
    f"<option value={at}>{name}</option>" for at, name in enumerate(CHOICES)
) + "</select>"  # fmt: skip
WITH_LIST = f"<form action=/find><label>Dish <input name=q></label> {LIST} <button>Search</button></form>"
BOX = "<form action=/find role=search><input type=search name=q> <button>Search</button></form>"
PROSE = "<p>" + "The ferry leaves at seven, and whoever misses it walks home along the shore with wet boots. " * 12


def said(summary):
    return [problem for problem in summary["problems"] if problem["reason"] == "search-form"]


@pytest.mark.parametrize("strategy", ["auto", "blind", "learned"])
@pytest.mark.parametrize("form", [WITH_LIST, FREE_TEXT])
def test_content_behind_a_form_is_said_with_the_command(run_crawl, strategy, form, tmp_path):
    with SearchSite(people(30), form, words_match, intro="Everything about craftspeople.") as site:
        summary = run_crawl(site.url + "/", strategy=strategy)
        (problem,) = said(summary)
        assert f"siteseer form probe {site.url}/ -o {tmp_path}/collection-records" in problem["next"]
        assert exit_code(summary) == 0 and summary["finished"]
        assert not site.searches, "a crawl sends no form"


def test_a_crawl_that_searches_says_nothing(run_crawl):
    with SearchSite(people(30), FREE_TEXT, words_match, intro="Everything about the weaver.") as site:
        assert not said(run_crawl(site.url + "/", strategy="probe"))


def blog(form_on: str, form: str, posts: int = 8, categories: tuple[str, ...] = ()) -> dict[str, str]:
    """Return a blog whose posts and categories are all linked; the form stands on every page or on its own."""
    everywhere = form if form_on == "every" else "<a href=/search>Search</a>"
    linked = "".join(f"<li><a href=/post/{at}>Post {at}</a>" for at in range(posts))
    tags = "".join(f"<a href=/tag/{name.lower()}>{name}</a> " for name in categories)
    top = f"<div>{everywhere} {tags}</div>"
    made = {"/": f"<title>Blog</title>{top}<ul>{linked}</ul>{PROSE}"}
    made |= {
        f"/post/{at}": f"<title>Post {at}</title>{top}<h1>Post {at}</h1>{PROSE} Number {at}." for at in range(posts)
    }
    made |= {f"/tag/{name.lower()}": f"<title>{name}</title>{top}<h1>{name}</h1><ul>{linked}" for name in categories}
    if form_on != "every":
        made["/search"] = f"<title>Search</title>{top}<h1>Search</h1>{form}"
    return made


@pytest.mark.parametrize(
    "site",
    [
        blog("every", BOX),
        blog("own page", BOX),
        blog("every", WITH_LIST, categories=CHOICES),
        blog("own page", WITH_LIST, categories=CHOICES),
        blog("own page", BOX, posts=40),
    ],
)
@pytest.mark.parametrize("strategy", ["auto", "blind"])
def test_the_search_of_a_blog_whose_pages_are_linked_is_no_problem(run_crawl, site, strategy):
    with SmallSite(pages(site)) as server:
        summary = run_crawl(server.url + "/", strategy=strategy)
        assert summary["pages"] > 8
        assert not said(summary)


def test_a_form_whose_answers_are_linked_is_no_problem(run_crawl):
    links = "".join(f"<a href='/find?q=&k={at}'>Kitchen {at}</a> " for at in range(5))
    with SearchSite(people(30), WITH_LIST, words_match, intro=links) as site:
        assert not said(run_crawl(site.url + "/"))


def test_a_crawl_that_was_stopped_cannot_know(run_crawl):
    with SearchSite(people(30), WITH_LIST, words_match) as site:
        assert not said(run_crawl(site.url + "/", limit=1))


def test_searches_that_list_nothing_are_said_with_what_to_try(run_crawl):
    with SearchSite(people(30), FREE_TEXT, words_match, intro="") as site:
        summary = run_crawl(site.url + "/", strategy="probe")
        assert summary["forms"]["searches"] and not summary["forms"]["records"]
        (problem,) = summary["problems"]
        assert problem["reason"] == "search-without-records" and "--set FIELD=WORD" in problem["next"]
