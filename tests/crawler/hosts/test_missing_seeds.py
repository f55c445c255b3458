"""A seed that does not exist is said, also where the site answers it with 200 and its menu around the message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import siteseer
from siteseer.collection.exit_codes import exit_code
from siteseer.crawler.run import crawl
from siteseer.model import JSON
from tests.crawler.hosts.walled_site import text_of
from tests.crawler.small_site import Answer, SmallSite, quick_options

MENU = "<ul>" + "".join(f'<li><a href="/{number}">page {number}</a>' for number in range(10)) + "</ul>"
STRATEGIES = ["auto", "blind", "aware", "learned", "acebot"]


def html(heading: str, text: str = "") -> bytes:
    return f"<title>{heading}</title>{MENU}<h1>{heading}</h1><p>{text}".encode()


def site_with(rest: Callable[[str], Answer], **own: bytes) -> Callable[[str, dict[str, str]], Answer]:
    """Return a site of a front page, ten pages and some of its own; `rest` answers any other address."""
    known = {"/": html("Harbour"), **{f"/{name}": body for name, body in own.items()}}
    known |= {f"/{number}": html(f"Page {number}", text_of(f"tea {number}")) for number in range(10)}

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path in ("/robots.txt", "/sitemap.xml"):
            return 404, {}, b""
        return (200, {}, known[path]) if path in known else rest(path)

    return answer


def nothing_here(path: str) -> Answer:
    return 200, {}, html("No such page", f"There is no page named {path[1:]}.")


def reasons(summary: JSON) -> list[str]:
    return [problem["reason"] for problem in summary["problems"]]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_missing_seed_that_is_answered_leads_nowhere(run_crawl: Callable, tmp_path: Path, strategy: str) -> None:
    with SmallSite(site_with(nothing_here)) as site:
        summary = run_crawl(f"{site.url}/nosuchpage", strategy=strategy)
    robots, asked, probe = site.paths()
    assert (robots, asked) == ("/robots.txt", "/nosuchpage") and probe.strip("/").isalpha()
    assert (reasons(summary), exit_code(summary), summary["finished"]) == (["seed-missing"], 1, False)
    assert "/nosuchpage does not exist (200 OK, but" in summary["problems"][0]["sentence"]
    assert (summary["pages"], summary["two_grams"], summary["requests"], summary["errors"]) == (0, 0, 3, 1)
    assert summary["total"]["problems"] == [] and not siteseer.verify(tmp_path / "collection")["problems"]
    (line,) = (tmp_path / "collection" / "reports" / "failed.jsonl").read_text().splitlines()
    assert json.loads(line)["url"] == f"{site.url}/nosuchpage" and json.loads(line)["status"] == 200


@pytest.mark.parametrize("message", [
    "Seite nicht gefunden", "Page introuvable", "Página no encontrada", "Страница не найдена", "页面不存在",
    "ページが見つかりません", "الصفحة غير موجودة", "Error 404",
])  # fmt: skip
def test_in_other_languages(run_crawl: Callable, message: str) -> None:
    with SmallSite(site_with(lambda path: (200, {"Content-Type": "text/html; charset=utf-8"}, html(message)))) as site:
        summary = run_crawl(f"{site.url}/a/b.html")
    assert (reasons(summary), exit_code(summary), len(site.seen)) == (["seed-missing"], 1, 3)
    assert site.paths()[2].startswith("/a/") and site.paths()[2].endswith(".html")


def test_a_program_that_knows_no_such_page(run_crawl: Callable) -> None:
    with SmallSite(site_with(lambda path: nothing_here("/" + path.rpartition("=")[2]))) as site:
        summary = run_crawl(f"{site.url}/wiki.php?do=show&id=green_tea")
    assert (reasons(summary), exit_code(summary), len(site.seen)) == (["seed-missing"], 1, 3)


@pytest.mark.parametrize("target", ["/oops", "/en{path}"])
def test_a_redirect_to_the_message(run_crawl: Callable, target: str) -> None:
    def rest(path: str) -> Answer:
        is_told = path == "/oops" or path.startswith("/en/")
        return nothing_here(path) if is_told else (302, {"Location": target.format(path=path)}, b"")

    with SmallSite(site_with(rest)) as site:
        summary = run_crawl(f"{site.url}/nosuchpage")
    assert (reasons(summary), exit_code(summary), len(site.seen)) == (["seed-missing"], 1, 4)
    assert "/nosuchpage, which leads to" in summary["problems"][0]["sentence"]


def test_a_page_that_comes_later_is_crawled_by_the_same_command(run_crawl: Callable) -> None:
    with SmallSite(site_with(nothing_here)) as site:
        first = run_crawl(f"{site.url}/home")
        site.answer = site_with(nothing_here, home=html("Home"))
        second = run_crawl(f"{site.url}/home")
    assert (exit_code(first), first["pages"]) == (1, 0)
    assert (exit_code(second), second["problems"]) == (0, []) and second["pages"] >= 11


def test_a_missing_seed_beside_a_good_one_and_another(tmp_path: Path) -> None:
    with SmallSite(site_with(nothing_here)) as site:
        seeds = [f"{site.url}{path}" for path in ("", "/nosuchpage", "/neither")]
        summary = crawl(quick_options(tmp_path / "c", *seeds, strategy="blind"))
    assert (summary["pages"], reasons(summary), exit_code(summary)) == (11, ["seed-missing"], 1)
    assert summary["problems"][0]["count"] == 2 and len(site.seen) == 1 + 13 + 1  # one question for both


# ── seeds that exist ─────────────────────────────────────────────────────────────────────────────────────────────────

SHELL = b"<title>Page not found?</title><div id=root></div><script src=/app.js></script>"


def is_crawled(summary: JSON, code: int = 0) -> None:
    assert exit_code(summary) == code and "seed-missing" not in reasons(summary)


@pytest.mark.parametrize("path", ["/", "/index.html"])
def test_a_front_page_is_never_missing(run_crawl: Callable, path: str) -> None:
    with SmallSite(lambda path, headers: (200, {}, html("Not found", "a site about what cannot be found"))) as site:
        summary = run_crawl(f"{site.url}{path}", strategy="blind")
    is_crawled(summary)
    assert summary["pages"] >= 11


@pytest.mark.parametrize("rest", [nothing_here, lambda path: (404, {}, html("No such page"))])
def test_a_page_about_missing_pages(run_crawl: Callable, rest: Callable[[str], Answer]) -> None:
    article = html("Page not found", "An essay on errors, and how a server says that a page does not exist.")
    with SmallSite(site_with(rest, essay=article)) as site:
        summary = run_crawl(f"{site.url}/essay")
    is_crawled(summary)
    assert summary["pages"] == 11  # no page leads to the front page


def test_a_site_that_answers_every_address_with_one_shell(run_crawl: Callable) -> None:
    with SmallSite(lambda path, headers: (200, {}, SHELL)) as site:
        summary = run_crawl(f"{site.url}/tea", browser="never")
    assert "seed-missing" not in reasons(summary) and summary["pages"] == 1
    assert [path for path in site.paths() if path not in ("/robots.txt", "/sitemap.xml", "/app.js")] == ["/tea"]


def test_a_site_that_answers_every_address_with_its_front_page(run_crawl: Callable) -> None:
    with SmallSite(site_with(lambda path: (200, {}, html("Harbour")))) as site:
        summary = run_crawl(f"{site.url}/nosuchpage", strategy="blind")
    is_crawled(summary)
    assert summary["pages"] == 11 and len(site.seen) == 12


def test_nothing_is_asked_where_nothing_is_suspicious(run_crawl: Callable) -> None:
    with SmallSite(site_with(nothing_here)) as site:
        summary = run_crawl(f"{site.url}/3", strategy="blind")
    is_crawled(summary)
    assert len(site.seen) == 1 + 10


@pytest.mark.parametrize("options", [{"limit": 2}, {"robots": "obey"}])
def test_a_question_that_may_not_be_asked_is_not(run_crawl: Callable, options: dict[str, Any]) -> None:
    closed = b"User-agent: *\nDisallow: /\nAllow: /nosuchpage\n"

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path == "/robots.txt" and "robots" in options:
            return 200, {"Content-Type": "text/plain"}, closed
        return site_with(nothing_here)(path, headers)

    with SmallSite(answer) as site:
        summary = run_crawl(f"{site.url}/nosuchpage", strategy="blind", **options)
    assert site.paths() == ["/robots.txt", "/nosuchpage"] and summary["pages"] == 1
