"""The learned strategy on demo sites: the content for few requests, the same decisions after an interruption."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.demo import Site, make_site
from siteseer.errors import ConfigurationError
from siteseer.model import Follow, Outcome, Page, Seed, Skip
from siteseer.strategies.learned.learned_strategy import LearnedStrategy, make
from siteseer.strategies.learned.online_learner.learned_patterns import parse_patterns, read_patterns, write_patterns
from tests.strategies.learned.learned_driver import ORIGIN, Crawl, Drive, Rows, content, context_of, fetch_from
from tests.strategies.learned.opaque import Opaque, with_other_words, without_words

KINDS = [(kind, template) for kind in ("forum", "blog", "wiki") for template in ("modern", "classic")]
NAMES = ("anchor", "basket", "candle", "drum", "engine", "flute", "garden", "hammer", "island", "jacket", "kettle")
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def crawl(site: Site, concurrency: int = 1, seed: int = 0) -> tuple[LearnedStrategy, Drive]:
    strategy = LearnedStrategy(context_of(seed=seed))
    return strategy, Crawl(fetch_from(site)).run(strategy, concurrency)


def pages_of(site: dict[str, str]) -> Callable[[str], Page | None]:
    def fetch(url: str) -> Page | None:
        body = site.get(url.removeprefix(ORIGIN))
        if body is not None and body.startswith("-> "):
            return Page(url, 302, (("Location", body[3:]),))
        return None if body is None else Page(url, 200, HTML, body.encode())

    return fetch


@pytest.mark.parametrize(("kind", "template"), KINDS)
def test_a_site_is_seen_for_little_more_than_its_content_needs(kind: str, template: str) -> None:
    site = make_site(kind, 3, template)
    _, done = crawl(site, concurrency=4)
    assert content(done, site) >= 0.99
    assert done.requests <= 1.7 * site.truth.oracle_requests


@pytest.mark.parametrize("template", ["modern", "classic"])
def test_the_trap_does_not_catch(template: str) -> None:
    site = make_site("trap", 1, template)
    _, done = crawl(site)
    assert content(done, site) == 1.0
    assert done.requests <= 4 * site.truth.oracle_requests
    assert done.rules["growing path"] > 0 and done.rules["same page under another name"] > 0
    assert any("parameter sid" in note.because for note in done.notes)


def test_every_url_left_has_a_reason_that_names_its_kind() -> None:
    strategy, done = crawl(make_site("forum", 0, "modern"))
    waiting = {one.url for one in strategy.learner.known} - {one.url for one in done.asked}
    assert waiting and waiting <= set(done.skipped)
    assert any(rule.startswith("/quote/0/: quote") for rule in done.rules)
    assert any(": other name of " in rule or ": nothing new" in rule for rule in done.rules)
    assert len(done.rules) < len(waiting) / 5
    assert all(follow.because and follow.family for follow in done.asked)


@pytest.mark.parametrize(("kind", "stop"), [("blog", 1), ("blog", 17), ("forum", 44), ("trap", 9), ("wiki", 60)])
def test_an_interrupted_crawl_goes_on_as_if_nothing_had_happened(kind: str, stop: int) -> None:
    site = make_site(kind, 2, "modern")
    _, whole = crawl(site)
    interrupted = Crawl(fetch_from(site))
    for limit in (stop, stop + 7, 3000):
        interrupted.run(LearnedStrategy(context_of()), limit=limit)
    assert [one.url for one in interrupted.done.asked] == [one.url for one in whole.asked]
    assert interrupted.done.rules == whole.rules
    assert [row.value for row in interrupted.done.rows] == [row.value for row in whole.rows]


def test_one_row_a_page_is_remembered() -> None:
    _, done = crawl(make_site("blog", 0, "modern"))
    pages = [row.value[1] for row in done.rows if row.value[0] == "page"]
    assert len(pages) == len(set(pages)) == len(done.pages) - 2, "all but robots.txt and the sitemap"
    assert len(done.rows) <= 2.2 * done.requests + 5


def test_a_second_crawl_starts_from_what_the_first_learned(tmp_path: Path) -> None:
    site = make_site("forum", 0, "classic")
    first, done = crawl(site)
    path = tmp_path / "patterns.jsonl"
    write_patterns(path, first.patterns())
    second = make(context_of(seed=1, patterns=path))
    again = Crawl(fetch_from(site)).run(second)
    assert content(again, site) >= 0.99
    assert again.requests <= 1.15 * site.truth.oracle_requests < done.requests
    assert parse_patterns(first.patterns().lines()) == read_patterns(path)


def test_patterns_that_are_none_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "patterns.jsonl"
    path.write_text('{"pattern": "of another strategy"}\n{"template": "/x", "pages": "many"}\n')
    with pytest.raises(ConfigurationError, match="line 2"):
        make(context_of(patterns=path))


def test_other_seeds_of_chance_find_the_same() -> None:
    site = make_site("blog", 5, "classic")
    for seed in range(4):
        _, done = crawl(site, seed=seed)
        assert content(done, site) >= 0.99
        assert done.requests <= 2 * site.truth.oracle_requests


def test_a_redirect_is_followed_once_and_its_target_not_asked_for_again() -> None:
    words = "a long enough sentence about one thing that nobody has said before "
    site = {
        "/": '<a href="/old">old</a><a href="/new">new</a><a href="/loop">loop</a>',
        "/old": "-> /new",
        "/new": f"<p>{words}",
        "/loop": "-> /loop?again=1",
        "/loop?again=1": "-> /loop",
    }
    done = Crawl(pages_of(site)).run(LearnedStrategy(context_of()))
    asked = [one.url.removeprefix(ORIGIN) for one in done.asked]
    assert asked.count("/new") == 1 and "/loop" in asked
    assert len(asked) == len(set(asked))


def test_a_sitemap_finds_what_no_link_leads_to() -> None:
    sentence = "<p>Page {} tells of {} things that only this page of the whole wide site has ever told anyone</p>"
    names = ["anchor", "basket", "candle", "drum", "engine", "flute", "garden", "hammer"]
    site = {f"/{name}": sentence.format(name, f"{name}s and {name}ish") for name in names}
    site["/"] = "<p>nothing to see here, no link leads anywhere"
    site["/robots.txt"] = "Sitemap: /maps.xml"
    site["/maps.xml"] = "<sitemapindex><sitemap><loc>/map.xml</loc></sitemap></sitemapindex>"
    site["/map.xml"] = "<urlset>" + "".join(f"<url><loc>{ORIGIN}/{name}</loc></url>" for name in names) + "</urlset>"
    strategy = LearnedStrategy(context_of())
    done = Crawl(pages_of(site)).run(strategy)
    assert {f"{ORIGIN}/{name}" for name in names} <= {one.url for one in done.asked}
    assert strategy.patterns().sitemaps == (f"{ORIGIN}/map.xml",)


def test_an_answer_that_never_comes_does_not_keep_the_crawl_from_its_end() -> None:
    strategy = LearnedStrategy(context_of())
    first = [one for one in strategy.start([Seed(ORIGIN + "/")], Rows()) if isinstance(one, Follow)]
    page = Page(ORIGIN + "/", 200, HTML, b'<a href="/a">a</a><a href="/login">log in</a>')
    list(strategy.decide(Outcome(page.url, "page", page=page), first[0]))
    assert [one.url for one in strategy.refill(1) if isinstance(one, Follow)] == [ORIGIN + "/a"]
    assert not [one for one in strategy.refill(1) if isinstance(one, Follow)]
    left = [one.url for one in strategy.refill(1) if isinstance(one, Skip)]
    assert left == [ORIGIN + "/login"]


@pytest.mark.parametrize("length", [3, 5])
def test_posts_of_a_few_words_are_all_fetched(length: int) -> None:
    """Where no page has prose there is nothing to learn: everything is followed, and it is said."""
    notes, each = 120, 20
    html = (("Content-Type", "text/html"),)
    words = [f"{first}{second}" for first in ("oak", "elm", "ash", "fir", "yew") for second in "abcdefghijklmnopqrst"]
    chance = random.Random(1)
    texts = [" ".join(chance.sample(words, length)) for _ in range(notes)]

    def fetch(url: str) -> Page | None:
        kind, _, number = url.removeprefix(f"{ORIGIN}/").partition("/")
        if kind == "note" and number.endswith("/reply"):
            return Page(url, 200, html, b"<p>Write here<textarea></textarea>")
        if kind == "note":
            reply = f'<a href="/note/{number}/reply">reply</a>'
            return Page(url, 200, html, f"<h1>Note {number}</h1><p>{texts[int(number)]}</p>{reply}".encode())
        if kind not in ("", "page"):
            return None
        first = int(number or 0) * each
        links = "".join(f'<li><a href="/note/{at}">note {at}</a></li>' for at in range(first, min(first + each, notes)))
        onward = f'<a href="/page/{first // each + 1}">next</a>' if first + each < notes else ""
        return Page(url, 200, html, f"<h1>Notes</h1><ul>{links}</ul>{onward}".encode())

    done = Crawl(fetch).run(LearnedStrategy(context_of()), 2)
    asked = {one.url for one in done.asked}
    assert {f"{ORIGIN}/note/{number}" for number in range(notes)} <= asked
    assert done.requests <= 1.3 * (notes + notes // each)
    assert [note.event for note in done.notes] == ["changed_strategy"]


@pytest.mark.parametrize("rename", [without_words, with_other_words])
def test_urls_that_say_nothing_cost_requests_not_content(rename: Callable[[str], str]) -> None:
    """Where all URLs look the same, the places of links tell the kinds of pages."""
    site = make_site("forum", 3, "modern")
    other = Opaque(fetch_from(site), rename=rename)
    strategy = LearnedStrategy(context_of())
    done = Crawl(other.fetch).run(strategy, 4)
    assert content(done, site) >= 0.97
    assert done.requests <= 2.5 * site.truth.oracle_requests
    assert strategy.learner.templates.is_divided == (rename is without_words)


def test_pages_that_ask_not_to_be_indexed_are_no_content_unless_the_home_page_asks_too() -> None:
    def spoken(number: int) -> str:
        ending = "".join("abcdefghij"[int(digit)] for digit in f"{number:03}")
        return "".join(
            f"<p>{first}{ending} said that nobody {ending}{first} ever met a {ending}</p>" for first in NAMES
        )

    def asked(hidden: str, home: str) -> int:
        links = "".join(f'<a href="/state/{number}">{number}</a><a href="/text/{number}">x</a>' for number in range(60))
        site = {"/": f"<head>{home}</head>{links}"}
        for number in range(60):
            site[f"/text/{number}"] = spoken(number)
            site[f"/state/{number}"] = f"<head>{hidden}</head>" + spoken(100 + number % 30)
        done = Crawl(pages_of(site)).run(LearnedStrategy(context_of()), 2)
        assert sum("/text/" in one.url for one in done.asked) == 60
        return sum("/state/" in one.url for one in done.asked)

    noindex = '<meta name="robots" content="noindex, follow">'
    assert asked(noindex, "") < asked("", "") and asked(noindex, noindex) == asked("", "")


def test_a_list_of_all_pages_is_found_among_pages_of_the_software() -> None:
    """As on wikis: the list stands among worthless pages of the same namespace, and half the texts only there."""
    names = [f"{first}_{second}" for first in ("Oak", "Elm", "Ash", "Fir", "Yew") for second in NAMES]
    tools = [f"Special:{name.title()}Report" for name in NAMES] + ["Special:AllPages"]
    story = "<p>{0} tells of the {0} house and the {0} mill where the {0} people of {0} used to meet</p>"
    site = {f"/wiki/{name}": story.format(name.replace("_", "")) for name in names}
    site |= {f"/wiki/{tool}": "<p>There are no results for this report.</p>" for tool in tools}
    site["/wiki/Special:AllPages"] = "".join(f'<a href="/wiki/{name}">{name}</a>' for name in names)
    shown = [*tools, *names[: len(names) // 2]]
    site["/"] = "<p>Welcome to the wiki of the trees of this town</p>" + "".join(
        f'<a href="/wiki/{name}">{name.replace("_", " ")}</a>' for name in shown
    )
    done = Crawl(pages_of(site)).run(LearnedStrategy(context_of()), 2)
    found = {one.url.rpartition("/")[2] for one in done.asked}
    assert set(names) <= found
    assert sum(name.startswith("Special:") for name in found) < len(tools)


def words_of(number: int, count: int = 40) -> str:
    """Prose that no other page shows."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    name = letters[number % 26] + letters[number // 26]
    return " ".join(f"w{name}{letters[place % 26]}{letters[place // 26]}" for place in range(count))


def wiki() -> dict[str, str]:
    """A wiki of which every page has a talk page."""
    pages = {}
    links = "".join(f'<a href="/wiki/{name}">{name}</a> ' for name in NAMES)
    for number, name in enumerate(NAMES):
        talk = f'<a href="/wiki/Talk:{name}">Discussion</a>'
        pages[f"/wiki/{name}"] = f"<nav>{links}{talk}</nav><p>{words_of(number)}</p>"
        pages[f"/wiki/Talk:{name}"] = f"<nav>{links}</nav><p>{words_of(100 + number)}</p>"
    return {"/": f"<nav>{links}</nav>", **pages}


@pytest.mark.parametrize(("policies", "count"), [((), len(NAMES)), (("talk=yes",), len(NAMES)), (("talk=no",), 0)])
def test_talk_pages_of_a_wiki_are_content_unless_a_person_leaves_them_out(
    policies: tuple[str, ...], count: int
) -> None:
    done = Crawl(pages_of(wiki())).run(LearnedStrategy(context_of(policies=policies)))
    asked = [one.url for one in done.asked]
    assert sum("/wiki/Talk:" in url for url in asked) == count
    assert {f"{ORIGIN}/wiki/{name}" for name in NAMES} <= set(asked)
    if not count:
        rules = {skip.rule for url, skip in done.skipped.items() if "Talk:" in url}
        assert rules == {"--policy talk=no (talk page)"}


def test_empty_talk_pages_are_soon_left_and_say_nothing_of_the_articles() -> None:
    names = [f"Tree_{words_of(number, 1)}" for number in range(60)]
    empty = "<p>There is no text on this page yet. You may write the first.</p>"
    pages = {"/": "<p>All the trees that grow in our town.</p>" + f'<a href="/wiki/{names[0]}">The first of them</a>'}
    for number, name in enumerate(names):
        around = "".join(f'<a href="/wiki/{names[(number + step) % 60]}">A tree</a>' for step in (1, 2, 5))
        pages[f"/wiki/{name}"] = f'<p>{words_of(number)}</p>{around}<a href="/wiki/Talk:{name}">Talk</a>'
        pages[f"/wiki/Talk:{name}"] = empty
    asked = [one.url for one in Crawl(pages_of(pages)).run(LearnedStrategy(context_of()), 2).asked]
    assert {f"{ORIGIN}/wiki/{name}" for name in names} <= set(asked)
    assert sum("/wiki/Talk:" in url for url in asked) <= 8
