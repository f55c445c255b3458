"""What holds for every kind of site and every template."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

from siteseer.demo import KINDS, TEMPLATES, Site, SiteResponse, make_site
from siteseer.errors import UsageError
from tests.demo.demo_walker import ask, external, header, links, visible, walk, words

FINITE = ("blog", "forum", "wiki")
BOTH = pytest.mark.parametrize("template", TEMPLATES)
COOKIE = "sid=0123456789abcdef0123456789abcdef"


SIZES = {"blog": 25, "forum": 18, "wiki": 25, "shop": 60, "hostile": 1}


@lru_cache
def site_of(kind: str, template: str) -> Site:
    return make_site(kind, seed=5, template=template, size=SIZES.get(kind))


@lru_cache
def page_of(kind: str, template: str, path: str) -> str:
    return visible(show(site_of(kind, template), path))


def calm(site: Site) -> Site:
    """The site as a client with a cookie sees it: without session ids in its URLs."""
    return Site(site.truth, lambda request: ask(site, request.target, cookie=COOKIE))


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_bytes(kind, template):
    one, two = (make_site(kind, 9, template, SIZES.get(kind)) for _ in range(2))
    other = make_site(kind, 10, template, SIZES.get(kind))
    assert one.truth == two.truth
    assert one.truth.texts != other.truth.texts
    for path in sorted(one.truth.content_paths)[:60]:
        assert ask(one, path) == ask(two, path)


@BOTH
@pytest.mark.parametrize("kind", FINITE)
def test_every_link_is_answered(kind, template):
    site = make_site(kind, seed=5, template=template)
    answers = walk(calm(site))
    allowed = {"blog": {200, 301}, "forum": {200, 301, 403}, "wiki": {200, 403}}[kind]
    assert {path: answer.status for path, answer in answers.items() if answer.status not in allowed} == {}
    assert ask(site, "/no/such/page").status == 404
    assert site.truth.content_paths <= answers.keys()
    assert 8 <= len(answers) / site.truth.oracle_requests <= 20


@BOTH
@pytest.mark.parametrize("kind", (*FINITE, "shop", "films", "places", "trap", "hostile"))
def test_truth_is_on_the_pages(kind, template):
    site = calm(site_of(kind, template))
    shown = {text.page: page_of(kind, template, text.page) for text in site.truth.texts}
    for text in site.truth.texts:
        page = shown[text.page]
        for paragraph in text.text.split("\n"):
            assert words(paragraph) in page
        assert words(text.title) in page
        assert words(text.author) in page
        for _, value in text.fields:
            assert words(value) in page
    found = {link for path in shown for link in external(ask(site, path))}
    assert site.truth.external_links <= found
    assert found - site.truth.external_links <= {"http://software.example.org/"}


@BOTH
@pytest.mark.parametrize("kind", FINITE)
def test_dates_are_on_the_pages(kind, template):
    for text in site_of(kind, template).truth.texts:
        if text.date:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text.date)
            page = page_of(kind, template, text.page)
            hour, minute = int(text.date[11:13]), text.date[14:16]
            assert text.date[:4] in page
            assert re.search(rf"\b(0?{hour}|0?{hour % 12 or 12}) {minute}\b", page)


def show(site: Site, path: str) -> SiteResponse:
    return ask(site, path, cookie=COOKIE)


def reached(pages: dict[str, set[str]], without: str = "") -> set[str]:
    """What can be reached from the first page over the others."""
    seen, waiting = {"/"}, ["/"]
    while waiting:
        for link in pages[waiting.pop()] & pages.keys() - seen - {without}:
            seen.add(link)
            waiting.append(link)
    return seen


@BOTH
@pytest.mark.parametrize("kind", (*FINITE, "trap"))
def test_oracle_sees_everything_and_none_of_its_requests_can_be_saved(kind, template):
    site = site_of(kind, template)
    truth = site.truth
    assert truth.oracle_requests == len(truth.oracle_paths)
    answers = {path: show(site, path) for path in truth.oracle_paths}
    strip = re.compile(r"[?&]sid=[0-9a-f]+")
    pages = {path: {strip.sub("", link) for link in links(path, answer)} for path, answer in answers.items()}
    shown = {path: page_of(kind, template, path) for path in answers}
    needed = [text for text in truth.texts if len(text.text.split()) > 12]
    where = [
        {path for path, page in shown.items() if all(words(part) in page for part in text.text.split("\n"))}
        for text in needed
    ]
    everything = reached(pages)
    assert everything == truth.oracle_paths
    assert all(places for places in where)
    for path in truth.oracle_paths - {"/"}:
        left = reached(pages, without=path)
        own = [text for text in truth.texts if text.page == path and (text.kind == "comment" or kind == "forum")]
        has_only_words_of_thanks = bool(own) and all(len(text.text.split()) <= 12 for text in own)
        assert has_only_words_of_thanks or any(not places & left for places in where), path


@pytest.mark.parametrize("kind", KINDS)
def test_templates_differ_in_structure(kind):
    shapes = []
    for template in TEMPLATES:
        site = site_of(kind, template)
        page = "/" if kind in ("trap", "hostile") else site.truth.texts[0].page
        body = ask(site, page).body.decode()
        shapes.append(
            set(re.findall(r'class="([^"]+)"', body)) | set(re.findall(r"<(table|main|article|aside)\b", body))
        )
    assert len(shapes[0] & shapes[1]) <= len(shapes[0] | shapes[1]) / 4


@pytest.mark.parametrize("kind", FINITE)
def test_size_scales_the_site(kind):
    small, large = (make_site(kind, 1, size=size).truth for size in (20, 80))
    assert 2.5 < len(large.texts) / len(small.texts) < 6


@BOTH
@pytest.mark.parametrize("kind", FINITE)
def test_smallest_site_works(kind, template):
    answers = walk(calm(make_site(kind, 1, template, size=1)), limit=500)
    assert {answer.status for answer in answers.values()} <= {200, 301, 403}


@BOTH
def test_forum_gives_session_ids_to_clients_without_cookies(template):
    plain = ask(site_of("forum", template), "/")
    has_session = b"sid=" in plain.body
    assert has_session == (template == "classic")
    if has_session:
        assert "sid=" in header(plain, "Set-Cookie")
        link = next(link for link in sorted(links("/", plain)) if "viewforum" in link)
        again = links(link, ask(site_of("forum", template), link))
        session = link.rpartition("sid=")[2]
        assert all(session in link for link in again)
        assert b"sid=" not in ask(site_of("forum", template), "/", cookie=COOKIE).body


def test_wrong_names_are_refused_with_what_to_do():
    with pytest.raises(UsageError, match="choose one of blog, forum"):
        make_site("casino")
    with pytest.raises(UsageError, match="modern, classic"):
        make_site("blog", template="neon")
    with pytest.raises(UsageError, match="grown"):
        make_site("blog", shrunk=3)
    with pytest.raises(UsageError, match="at least 1"):
        make_site("blog", size=0)
