"""The example strategy on sites whose pages are only found through search forms."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from siteseer.archive.cdxj import lookup
from siteseer.crawler.run import crawl
from siteseer.demo import Site, make_site
from siteseer.model import Page, Submit
from siteseer.settings import CrawlOptions
from siteseer.strategies.example.example_strategy import ExampleStrategy
from siteseer.strategies.example.known_patterns import KnownPatternsStrategy
from siteseer.strategies.example.navigation_patterns import read_saved_patterns
from siteseer.strategies.form_search.search_queue import MOST_FORMS, MOST_MET, SearchQueue
from tests.strategies.learned.learned_driver import ORIGIN, Crawl, Drive, context_of, fetch_from, post_to

HTML = (("Content-Type", "text/html; charset=utf-8"),)
SUBMISSIONS = ("/search?", "/antiquarian/results", "/academic/find", "/academic/subjects")


def delivered(strategy: Any) -> set[str]:
    levels = zip(strategy.judge.pages, strategy.judge.levels(), strict=True)
    return {seen.target.url for seen, level in levels if level == "target"}


def crawled(site: Crawl, sample: str, **options: Any) -> tuple[ExampleStrategy, Drive]:
    strategy = ExampleStrategy(context_of(strategy="example", examples=(sample,), **options))
    drive = site.run(strategy, 4)
    list(strategy.harvest(lambda: [page for page in drive.pages if page.status == 200]))
    return strategy, drive


def again(site: Crawl, strategy: ExampleStrategy, **options: Any) -> tuple[KnownPatternsStrategy, Drive]:
    lesson = read_saved_patterns(strategy.lessons()["example.jsonl"].splitlines())
    along = KnownPatternsStrategy(lesson, "stored", context_of(strategy="example", **options))
    return along, site.run(along, 4)


def shop_crawl(site: Site) -> Crawl:
    return Crawl(fetch_from(site), post=post_to(site))


def submissions(drive: Drive) -> list[str]:
    sent = [why.url.removeprefix(ORIGIN) for why in drive.asked]
    return [url for url in sent if url.startswith(SUBMISSIONS) and "page=" not in url and "blatt=" not in url]


@pytest.mark.parametrize(("seed", "template"), [(4, "modern"), (11, "classic")])
def test_all_books_of_a_shop_behind_three_forms(seed: int, template: str) -> None:
    site = make_site("shop", seed=seed, template=template, size=120)
    wanted = {ORIGIN + path for path in site.truth.content_paths}
    strategy, drive = crawled(shop_crawl(site), sorted(wanted)[seed])
    assert delivered(strategy) == wanted
    necessary = [path for path in site.truth.oracle_paths if path.removeprefix("POST ").startswith(SUBMISSIONS)]
    assert len(submissions(drive)) <= 1.5 * len(necessary)
    along, later = again(shop_crawl(site), strategy)
    assert delivered(along) == wanted
    assert len(submissions(later)) <= 1.5 * len(necessary)


def test_generic_urls_enter_the_patterns() -> None:
    site = make_site("shop", seed=4, size=60)
    strategy, _ = crawled(shop_crawl(site), ORIGIN + sorted(site.truth.content_paths)[0])
    steps = [step for pattern in strategy.patterns for step in pattern.steps if step.form is not None]
    assert {step.form.method for step in steps if step.form} == {"GET", "POST"}
    assert all("category=*" in step.url for step in steps)
    assert any(f"POST {ORIGIN}/antiquarian/results?token=" in str(pattern) for pattern in strategy.patterns)


def test_values_of_the_user_are_sent_and_never_varied() -> None:
    site = make_site("shop", seed=4, size=120)
    sample = next(text for text in site.truth.texts if "Travel" in text.tags and "used" in text.tags)
    strategy, drive = crawled(shop_crawl(site), ORIGIN + sample.page, values=("category=travel", "colour=red"))
    chosen = {ORIGIN + text.page for text in site.truth.texts if "Travel" in text.tags}
    assert chosen <= delivered(strategy)
    sent = [dict(why.fields) for why in drive.asked if isinstance(why, Submit)]
    assert sent and all(fields["category"] == "travel" for fields in sent)
    along, _ = again(shop_crawl(site), strategy, values=("category=nature",))
    other = {ORIGIN + text.page for text in site.truth.texts if "Nature" in text.tags and "academic" not in text.tags}
    assert other <= delivered(along)


@pytest.mark.parametrize("stops", [(3, 15), (20, 40), (30, 31)])
def test_it_goes_on_after_an_interruption(stops: tuple[int, ...]) -> None:
    site = make_site("shop", seed=4, size=40)
    wanted = {ORIGIN + path for path in site.truth.content_paths}
    stopped = shop_crawl(site)
    for limit in stops:
        strategy = ExampleStrategy(context_of(strategy="example", examples=(sorted(wanted)[7],)))
        stopped.run(strategy, 1, limit)
    strategy, drive = crawled(stopped, sorted(wanted)[7])
    whole, straight = crawled(shop_crawl(site), sorted(wanted)[7])
    assert delivered(strategy) == delivered(whole) == wanted
    assert sorted(map(repr, (why.url for why in drive.asked))) == sorted(map(repr, (why.url for why in straight.asked)))


# ── small sites with one form each ────────────────────────────────────────────────────────────────────────────────

STARS = {f"star{at}": f"{name} is a star of the constellation {at % 4}" for at, name in enumerate(
    "Achernar Adhara Aldebaran Algol Alnitak Altair Antares Arcturus Bellatrix Betelgeuse Canopus Capella Castor Deneb "
    "Fomalhaut Hadar Mimosa Mirach Pollux Procyon Regulus Rigel Sirius Spica Vega".split()
)}  # fmt: skip


def frame(title: str, body: str) -> bytes:
    return (
        f"<title>{title}</title><body><nav class=top><a href=/>Home</a> <a href=/about>About</a></nav>{body}"
        "<footer class=end>The atlas</footer>"
    ).encode()


def star(name: str) -> bytes:
    words = STARS[name].split()
    rows = "".join(f"<tr class=row><th class=key>{key}</th><td class=value>{value}</td></tr>" for key, value in
                   zip(("Name", "Place"), (words[0], words[-1]), strict=True))  # fmt: skip
    about = f"<p class=text>{STARS[name]}. It was seen {sum(map(ord, name))} times by {words[0]} watchers.</p>"
    return frame(
        words[0],
        f"<article class=star><h1 class=name>{words[0]}</h1><table class=facts>{rows}</table>{about}</article>",
    )


def listing(names: list[str]) -> bytes:
    items = "".join(
        f'<li class=hit><a class=go href="/stars/{name}">{STARS[name].split()[0]}</a></li>' for name in names
    )
    return frame(
        "Found", f"<p class=count>{len(names)} stars found</p><ol class=hits>{items}</ol>" if names else "<p>Nothing."
    )


def atlas(form: str, answer: Callable[[str, dict[str, str]], bytes | None]) -> Callable[[str], Page | None]:
    """A site whose first page shows a form; stars are found only through it."""

    def fetch(url: str) -> Page | None:
        parts = urlsplit(url)
        values = {name: found[-1] for name, found in parse_qs(parts.query).items()}
        if parts.path == "/":
            body: bytes | None = frame("Atlas", form)
        elif parts.path == "/about":
            body = frame("About", "<p class=text>An atlas of bright stars for those who look up at night.</p>")
        elif (name := parts.path.removeprefix("/stars/")) in STARS:
            body = star(name)
        else:
            body = answer(parts.path, values)
        return None if body is None else Page(url, 200, HTML, body)

    return fetch


def test_words_of_the_sample_are_searched_where_there_is_only_a_text_field() -> None:
    form = "<form action=/find role=search><input type=search name=q><input type=submit value=Search></form>"
    fetch = atlas(form, lambda path, values: listing(
        [name for name, text in STARS.items() if values.get("q", "").lower() in text.lower()] if values.get("q") else []
    ) if path == "/find" else None)  # fmt: skip
    strategy, drive = crawled(Crawl(fetch), f"{ORIGIN}/stars/star8")
    assert delivered(strategy) == {f"{ORIGIN}/stars/{name}" for name in STARS}
    assert len([why for why in drive.asked if isinstance(why, Submit)]) <= 20


def test_answers_may_be_targets() -> None:
    options = "".join(f"<option value={name}>{escape(STARS[name].split()[0])}" for name in STARS)
    form = f"<form action=/lookup id=search><select name=star>{options}</select><input type=submit value=Search></form>"
    fetch = atlas(form, lambda path, values: star(values["star"]) if path == "/lookup" else None)
    strategy, _ = crawled(Crawl(fetch), f"{ORIGIN}/stars/star3")
    found = delivered(strategy)
    assert len(found) == len(STARS)
    assert {url.rpartition("star")[2] for url in found} == {name.removeprefix("star") for name in STARS}
    along, drive = again(Crawl(fetch), strategy)
    assert len(delivered(along)) == len(STARS) and drive.requests <= len(STARS) + 3


def test_answers_may_be_forms() -> None:
    first = (
        "<form action=/where id=search><select name=part><option value=n>North<option value=s>South</select>"
        "<input type=submit value=Search></form>"
    )
    second = (
        "<form action=/find id=search2><input type=hidden name=part value=%s><select name=place>"
        + "".join(f"<option value={at}>{at}" for at in range(4))
        + "</select><input type=submit value=Search></form>"
    )

    def answer(path: str, values: dict[str, str]) -> bytes | None:
        if path == "/where":
            return frame("Where", second % values.get("part", "n"))
        return (
            listing([name for name, text in STARS.items() if text.endswith(values["place"])])
            if path == "/find"
            else None
        )

    strategy, _ = crawled(Crawl(atlas(first, answer)), f"{ORIGIN}/stars/star3")
    assert delivered(strategy) == {f"{ORIGIN}/stars/{name}" for name in STARS}


def test_where_links_lead_everywhere_a_form_is_soon_left() -> None:
    site = make_site("blog", seed=3, size=24)
    box = b'<form action="/find" role=search><input type=search name=q><input type=submit value=Search></form>'

    def fetch(url: str) -> Page:
        if url.startswith(f"{ORIGIN}/find"):
            return Page(url, 200, HTML, frame("Found", "<p>Nothing."))
        page = fetch_from(site)(url)
        assert page is not None
        return Page(url, page.status, page.headers, page.body.replace(b"</body>", box + b"</body>"))

    wanted = {ORIGIN + text.page for text in site.truth.texts if text.kind == "post"}
    strategy, drive = crawled(Crawl(fetch), sorted(wanted)[2])
    assert delivered(strategy) == wanted
    assert 1 <= len([why for why in drive.asked if isinstance(why, Submit)]) <= 7


def test_forms_without_end_are_not_looked_at_for_ever() -> None:
    searches = SearchQueue(context_of())
    for number in range(40):
        made = "".join(
            f"<form action=/f{number}-{at}><input name=q><input type=submit value=Search></form>" for at in range(20)
        )
        list(searches.offer(Page(f"{ORIGIN}/{number}", 200, HTML, frame("Forms", made))))
    assert len(searches.searched) <= MOST_FORMS and len(searches._met) <= MOST_MET


# ── real crawls ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_forms_are_archived_and_nothing_is_changed(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("shop", seed=4, size=60)
    sample = server.url + sorted(server.site.truth.content_paths)[5]
    summary = run_crawl(server.url, strategy="example", examples=(sample,))
    assert summary["finished"] and not server.violations
    posted = [entry for entry in server.log if entry.method == "POST"]
    assert posted and {entry.path for entry in posted} == {"/antiquarian/results"}
    assert lookup(tmp_path / "collection" / "indexes" / "index.cdxj", server.url + "/antiquarian/results", "POST")
    count = len(server.log)
    offline = run_crawl(server.url, "again", strategy="example", examples=(sample,), offline=tmp_path / "collection")
    assert len(server.log) == count and offline["errors"] <= summary["errors"]
    found, before = (
        sorted(
            line for line in (tmp_path / name / "pages" / "pages.jsonl").read_text().splitlines() if '"target"' in line
        )
        for name in ("again", "collection")
    )
    assert len(found) == len(before) == len(server.site.truth.content_paths)


def test_robots_rules_apply_to_forms(serve: Callable, run_crawl: Callable) -> None:
    site = make_site("shop", seed=4, size=60)

    def answer(request: Any) -> Any:
        if request.path == "/robots.txt":
            return type(site.answer(request))(
                200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /search\n"
            )
        return site.answer(request)

    server = serve(Site(site.truth, answer))
    run_crawl(server.url, strategy="example", examples=(server.url + sorted(site.truth.content_paths)[5],))
    asked = {entry.path.partition("?")[0] for entry in server.log}
    assert "/search" not in asked and "/antiquarian/results" in asked


@pytest.mark.large
def test_killed_while_forms_are_sent_and_resumed(serve: Callable, tmp_path: Path) -> None:
    server = serve("shop", seed=4, size=60)
    sample = server.url + sorted(server.site.truth.content_paths)[5]

    def options(folder: Path) -> CrawlOptions:
        return CrawlOptions((server.url,), folder, "example", delay=0.0, assets="none", examples=(sample,))

    crawl(options(tmp_path / "whole"))
    chance = random.Random(3)
    for _ in range(8):
        process = multiprocessing.get_context("fork").Process(target=crawl, args=(options(tmp_path / "broken"),))
        process.start()
        process.join(0.1 + chance.random() * 0.4)
        if process.exitcode is not None:
            break
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
    crawl(options(tmp_path / "broken"))
    assert not server.violations
    whole, broken = (
        sorted(
            (row["url"], row.get("level"))
            for row in map(json.loads, (tmp_path / name / "pages" / "pages.jsonl").read_text().splitlines()[1:])
        )
        for name in ("whole", "broken")
    )
    assert broken == whole
    assert sum(level == "target" for _, level in broken) == len(server.site.truth.content_paths)
