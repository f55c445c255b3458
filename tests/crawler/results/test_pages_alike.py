"""A part of a site that is closed to crawlers is said; empty lists, reply links and soft 404s are no such part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.collection.exit_codes import exit_code
from siteseer.demo import Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from tests.crawler.hosts.walled_site import page, text_of

NO_TRUTH = Truth("small", 0, "own", (), frozenset(), frozenset(), 0)
CHECK = (
    "<html lang=fi><title>Hetki vain</title><h1>Tarkistamme yhteyttäsi</h1><p>Vahvista, että olet ihminen. Tunnus "
    "{number:08x}.</p><script>go()</script></html>"
)
SIGN_IN = (
    "<html lang=hu><title>Belépés</title><form method=post action=/be><p>Kérjük, lépjen be.</p><input name=nev>"
    "<input type=password name=jelszo><button>Tovább</button></form></html>"
)


def site(closed: Callable[[str, int], SiteResponse], closed_path: str = "/note/") -> Site:
    """Return lists of stories and notes, of which one kind is answered in another way."""
    count = [0]

    def respond(request: SiteRequest) -> SiteResponse:
        count[0] += 1
        path = request.path
        if path.startswith(closed_path):
            return closed(path, count[0])
        if path == "/sign-in":
            return html(SIGN_IN)
        if path == "/" or path.startswith("/list/"):
            number = int(path.rpartition("/")[2] or 0)
            kinds = (f"<li><a href='/{kind}/{6 * number + n}'>{kind} {n}</a>" for n in range(6) for kind in KINDS)
            return html(page(f"List {number}", f"<ul>{''.join(kinds)}</ul>").decode())
        if path.startswith("/story/"):
            return html(page(f"Story {path[7:]}", text_of(path)).decode())
        return html("<h1>Not found</h1>", 404)

    return Site(NO_TRUTH, respond)


KINDS = ("story", "note", "reply")


def to_sign_in(path: str, number: int) -> SiteResponse:
    return SiteResponse(302, (("Location", f"/sign-in?next={path}"),), b"")


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        (lambda path, number: html(CHECK.format(number=number * 7919)), "the same page"),
        (lambda path, number: html(SIGN_IN), "a login form"),
        (to_sign_in, "a login form"),
    ],
    ids=["check", "login", "redirect"],
)
def test_a_closed_part_is_said(
    serve: Callable, run_crawl: Callable, closed: Callable[[str, int], SiteResponse], said: str
) -> None:
    summary = run_crawl(serve(site(closed)).url)
    (problem,) = (one for one in summary["problems"] if one["reason"] == "pages-alike")
    assert 24 <= problem["count"] <= 25 and "/note/" in problem["sentence"] and said in problem["sentence"]
    assert exit_code(summary) == 0


@pytest.mark.parametrize(
    ("closed", "path"),
    [
        (to_sign_in, "/reply/"),
        (lambda path, number: html(page("Notes", "<p>Nobody has written a note yet.</p>").decode()), "/note/"),
        (lambda path, number: html(page("Not found", "<p>There is no such page.</p>").decode()), "/note/"),
    ],
    ids=["reply", "empty", "soft 404"],
)
def test_what_is_fine_is_no_problem(
    serve: Callable, run_crawl: Callable, closed: Callable[[str, int], SiteResponse], path: str
) -> None:
    summary = run_crawl(serve(site(closed, path)).url)
    assert "pages-alike" not in {one["reason"] for one in summary["problems"]}


def test_a_seed_that_shows_a_login_in_any_language_needs_one(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    summary = run_crawl(serve(site(lambda path, number: html(SIGN_IN), "/")).url)
    assert [one["reason"] for one in summary["problems"]][:1] == ["login-needed"]
    assert exit_code(summary) == 1
