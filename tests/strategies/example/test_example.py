"""The example strategy on demo sites: one sample page leads to all pages of its kind, and to no other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer.demo import make_site
from siteseer.errors import ConfigurationError, UsageError
from siteseer.model import Follow, Outcome, Page, Seed
from siteseer.page.text import text as visible
from siteseer.page.urls import identity
from siteseer.strategies.example.example_strategy import ExampleStrategy, make
from siteseer.strategies.example.known_patterns import KnownPatternsStrategy
from siteseer.strategies.example.navigation_patterns import SavedPatterns, read_saved_patterns
from tests.strategies.learned.learned_driver import ORIGIN, Crawl, Drive, Rows, context_of, fetch_from
from tests.strategies.learned.opaque import Opaque

HTML = (("Content-Type", "text/html"),)


def delivered(strategy: Any) -> set[str]:
    levels = zip(strategy.judge.pages, strategy.judge.levels(), strict=True)
    return {seen.target.url for seen, level in levels if level == "target"}


def crawled(fetch: Callable[[str], Page | None], *samples: str, **options: Any) -> tuple[ExampleStrategy, Drive]:
    strategy = ExampleStrategy(context_of(strategy="example", examples=samples, **options))
    drive = Crawl(fetch).run(strategy, 4)
    list(strategy.harvest(lambda: [page for page in drive.pages if page.status == 200]))
    return strategy, drive


@pytest.mark.parametrize("template", ["modern", "classic"])
@pytest.mark.parametrize(("kind", "texts"), [("blog", "post"), ("forum", "post"), ("wiki", "page")])
@pytest.mark.parametrize("seed", [3, 8])
def test_all_pages_of_the_kind_and_no_other(kind: str, texts: str, template: str, seed: int) -> None:
    site = make_site(kind, seed=seed, template=template, size=24)
    true = sorted({ORIGIN + text.page for text in site.truth.texts if text.kind == texts})
    strategy, drive = crawled(fetch_from(site), true[seed])
    if kind == "wiki":
        assert delivered(strategy) == set(true)
        return
    pages = {identity(page.url): visible(page) for page in drive.pages}
    wanted = [one for one in site.truth.texts if one.kind == texts]
    shown = {url: [one for one in wanted if one.text[:60] in pages[url]] for url in delivered(strategy)}
    count = Counter(one for found in shown.values() for one in found)
    assert all(any(count[one] == 1 for one in found) for found in shown.values())
    assert {one.page for one in count} == {url.removeprefix(ORIGIN) for url in true}
    assert drive.requests < 3 * site.truth.oracle_requests


@pytest.mark.parametrize(
    ("kind", "template", "seed"), [("forum", "modern", 3), ("forum", "modern", 8), ("wiki", "modern", 3)]
)
def test_urls_that_say_nothing(kind: str, template: str, seed: int) -> None:
    site = make_site(kind, seed=seed, template=template, size=30)
    opaque = Opaque(fetch_from(site))
    true = sorted({opaque.name(ORIGIN + text.page) for text in site.truth.texts if text.kind in ("post", "page")})
    strategy, drive = crawled(opaque.fetch, true[len(true) // 2])
    assert delivered(strategy) == set(true)
    assert drive.requests < 3 * site.truth.oracle_requests


@pytest.mark.parametrize("template", ["modern", "classic"])
def test_a_later_crawl_finds_what_is_new_along_the_stored_patterns(template: str) -> None:
    old = make_site("blog", seed=5, template=template, size=30)
    new = make_site("blog", seed=5, template=template, size=30, grown=12)
    sample = next(text.page for text in old.truth.texts if text.kind == "post")
    first, _ = crawled(fetch_from(old), ORIGIN + sample)
    lesson = read_saved_patterns(first.lessons()["example.jsonl"].splitlines())
    along = KnownPatternsStrategy(lesson, "stored", context_of())
    again = Crawl(fetch_from(new)).run(along, 4)
    assert delivered(along) == {ORIGIN + text.page for text in new.truth.texts if text.kind == "post"}
    assert again.requests - 1 <= 1.1 * new.truth.oracle_requests


def feed_site() -> tuple[dict[str, Page], list[str]]:
    """Films that only feeds list; the feeds stand behind a page of links."""
    pages: dict[str, Page] = {}

    def put(path: str, body: str, kind: str = "text/html") -> str:
        pages[ORIGIN + path] = Page(ORIGIN + path, 200, (("Content-Type", kind),), body.encode())
        return ORIGIN + path

    genres = ["drama", "comedy", "horror", "western", "crime", "music"]
    links = "".join(f'<li><a href="/rss/{genre}.xml">{genre} films</a>' for genre in genres)
    put("/", f"<ul class=genres>{links}</ul><p><a href=/about>About</a>")
    put("/about", "<div class=about><p>Nothing that anybody would like to read about us.</div>")
    films = []
    for place, genre in enumerate(genres):
        items = ""
        for number in range(5):
            name = f"{genre} film {number}"
            plot = " ".join(f"{genre}{number}word{word}" for word in range(30))
            body = f"<div class=film><h1>{name}</h1><p class=plot>{plot}</p><ul class=cast><li>Somebody</ul></div>"
            films.append(put(f"/film/{place * 100 + number}", body))
            items += f"<item><title>{name}</title><link>{films[-1]}</link></item>"
        put(f"/rss/{genre}.xml", f"<rss version='2.0'><channel><title>x</title>{items}</channel></rss>", "text/xml")
    return pages, films


def test_hubs_may_be_feeds() -> None:
    pages, films = feed_site()
    strategy, _ = crawled(lambda url: pages.get(url), films[7])
    assert delivered(strategy) == set(films)
    assert any("/rss/" in step.url for pattern in strategy.patterns for step in pattern.steps)


def test_it_goes_on_after_an_interruption() -> None:
    site = make_site("blog", seed=3, size=12)
    sample = ORIGIN + next(text.page for text in site.truth.texts if text.kind == "post")
    whole, _ = crawled(fetch_from(site), sample)
    broken = Crawl(fetch_from(site))
    for limit in (1, 2, 5, 11, 20, 3000):
        strategy = ExampleStrategy(context_of(strategy="example", examples=(sample,)))
        broken.run(strategy, 1, limit)
    assert delivered(strategy) == delivered(whole)
    assert len({follow.url for follow in broken.done.asked}) == broken.done.requests


def test_a_sample_that_moved_is_followed() -> None:
    site = make_site("blog", seed=3, size=12)
    sample = ORIGIN + next(text.page for text in site.truth.texts if text.kind == "post")
    fetch = fetch_from(site)

    def moved(url: str) -> Page | None:
        return Page(url, 301, (("Location", sample),)) if url == ORIGIN + "/old" else fetch(url)

    strategy, _ = crawled(moved, ORIGIN + "/old")
    assert len(delivered(strategy)) == 12


def test_several_samples_of_different_kinds() -> None:
    site = make_site("forum", seed=3, size=12)
    thread = next(text.page for text in site.truth.texts)
    strategy, _ = crawled(fetch_from(site), ORIGIN + thread, ORIGIN + "/members/")
    assert ORIGIN + "/members/" in delivered(strategy)
    assert {ORIGIN + text.page for text in site.truth.texts} <= delivered(strategy)


def test_every_page_is_explained() -> None:
    site = make_site("blog", seed=3, size=8)
    sample = ORIGIN + next(text.page for text in site.truth.texts if text.kind == "post")
    _, drive = crawled(fetch_from(site), sample)
    told = [note for note in drive.notes if note.recognition]
    assert told and all("like the samples, where" in note.because for note in told)
    assert any(note.recognition and note.recognition.level == "target" and note.recognition.terminal for note in told)


def test_without_a_usable_sample_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--example URL"):
        ExampleStrategy(context_of(strategy="example"))
    with pytest.raises(UsageError, match="no URL"):
        ExampleStrategy(context_of(strategy="example", examples=("http://[broken",)))
    strategy = ExampleStrategy(context_of(strategy="example", examples=(ORIGIN + "/gone",)))
    (follow,) = [one for one in strategy.start([Seed(ORIGIN + "/")], Rows()) if isinstance(one, Follow)]
    with pytest.raises(UsageError, match="no sample page could be had"):
        list(strategy.decide(Outcome(follow.url, "page", "404 Not Found", Page(follow.url, 404, HTML)), follow))


def test_stored_patterns_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        make(context_of(strategy="example", patterns=tmp_path / "none"))
    (tmp_path / "empty").write_text("{}\n")
    with pytest.raises(ConfigurationError, match="no navigation patterns"):
        make(context_of(strategy="example", patterns=tmp_path / "empty"))
    with pytest.raises(ConfigurationError, match="no navigation patterns"):
        KnownPatternsStrategy(SavedPatterns(), "file", context_of())


def test_patterns_that_lead_nowhere_are_reported() -> None:
    site = make_site("blog", seed=3, size=8)
    sample = ORIGIN + next(text.page for text in site.truth.texts if text.kind == "post")
    first, _ = crawled(fetch_from(site), sample)
    along = KnownPatternsStrategy(
        read_saved_patterns(first.lessons()["example.jsonl"].splitlines()), "stored", context_of()
    )
    drive = Crawl(lambda url: Page(url, 200, HTML, b"<p>We have moved to another place.")).run(along)
    assert any(note.event == "failed_action" for note in drive.notes)


def test_levels_and_patterns_of_a_real_crawl(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=3, size=12)
    post = next(text.page for text in server.site.truth.texts if text.kind == "post")
    run_crawl(server.url, strategy="example", examples=(server.url + post,))
    folder = tmp_path / "collection"
    rows = [json.loads(line) for line in (folder / "pages" / "pages.jsonl").read_text().splitlines()[1:]]
    found = {row["url"].removeprefix(server.url) for row in rows if row.get("level") == "target"}
    assert found == {text.page for text in server.site.truth.texts if text.kind == "post"}
    assert (folder / "siteseer" / "knowledge" / "example.jsonl").is_file()
    again = run_crawl(server.url, strategy="example", recrawl=True)
    assert again["finished"] and again["requests"] <= 1.1 * server.site.truth.oracle_requests + 1
