"""What a crawl lost is said: in `problems`, in the exit code, in the collection. On real servers throughout."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import siteseer
from siteseer.collection.collection import Collection
from siteseer.collection.exit_codes import exit_code
from siteseer.crawler.results.problems import CrawlFacts, Problem, _listed
from siteseer.crawler.run import crawl
from siteseer.interfaces import Scope, StrategyContext
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Skip, Submit
from siteseer.strategies.blind_strategy import BlindStrategy
from siteseer.strategies.learned.online_learner.class_report import BEYOND_BUDGET
from tests.crawler.small_site import Answer, SmallSite, pages, quick_options

SITE = {"/": '<p>home <a href="/a">a</a> <a href="/b">b</a>', "/a": "<p>first page", "/b": "<p>second page"}


def reasons(summary: JSON) -> list[str]:
    return [problem["reason"] for problem in summary["problems"]]


class Crashing(BlindStrategy):
    """A strategy with a defect: it fails at one page."""

    is_broken = True

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterable[Action]:
        if outcome.url.endswith("/a") and self.is_broken:
            raise RuntimeError("a defect")
        return super().decide(outcome, why)


def crashing(context: StrategyContext) -> Crashing:
    return Crashing(scope=context.scope)


def test_a_good_crawl_has_no_problems(run_crawl: Callable) -> None:
    with SmallSite(pages(SITE)) as site:
        summary = run_crawl(site.url)
    assert summary["problems"] == [] and summary["finished"] and exit_code(summary) == 0


def test_an_error_of_ours_is_said(tmp_path: Path) -> None:
    with SmallSite(pages(SITE)) as site:
        summary = crawl(quick_options(tmp_path / "c", site.url), factory=crashing)
    assert reasons(summary) == ["own-error"] and exit_code(summary) == 1 and not summary["finished"]
    assert summary["problems"][0]["count"] == 1 and "/a" in summary["problems"][0]["sentence"]


class CrashingLater(BlindStrategy):
    """A strategy with a defect: it fails where it is asked for more, or looks at its pages once more."""

    def __init__(self, where: str, scope: Scope) -> None:
        super().__init__(scope=scope)
        self.where = where

    def refill(self, room: int) -> Iterable[Action]:
        if self.where == "refill":
            raise ValueError("a defect")
        return super().refill(room)

    def harvest(self, kept: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        for page in kept():
            yield page, Note("looked at")
            if self.where == "harvest":
                raise ValueError("a defect")


@pytest.mark.parametrize("where", ["refill", "harvest"])
def test_an_error_of_ours_at_the_end_leaves_the_collection_whole(tmp_path: Path, where: str) -> None:
    with SmallSite(pages(SITE)) as site:
        summary = crawl(
            quick_options(tmp_path / "c", site.url), factory=lambda context: CrashingLater(where, context.scope)
        )
    assert reasons(summary) == ["own-error"] and exit_code(summary) == 1 and summary["pages"] == 3
    assert not siteseer.verify(tmp_path / "c")["problems"]


def test_an_error_of_ours_in_looking_for_problems_is_one(tmp_path: Path) -> None:
    def broken_finder(facts: CrawlFacts) -> Iterator[Problem]:
        raise ValueError(facts.crawl)

    with SmallSite(pages(SITE)) as site:
        crawl(quick_options(tmp_path / "c", site.url))
    with Collection.open(tmp_path / "c", "read") as collection:
        (found,) = _listed(CrawlFacts(collection.state, 1, Counter(), {}), [broken_finder])
    assert found["reason"] == "own-error" and "broken finder (ValueError: 1)" in found["sentence"]


def test_an_error_of_ours_that_is_mended_disappears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site_pages = {**SITE, "/a": '<p>first page <a href="/c">c</a>', "/c": "<p>third page"}
    with SmallSite(pages(site_pages)) as site:
        first = crawl(quick_options(tmp_path / "c", site.url), factory=crashing)
        monkeypatch.setattr(Crashing, "is_broken", False)
        second = crawl(quick_options(tmp_path / "c", site.url), factory=crashing)
    assert exit_code(first) == 1 and "/c" in site.paths()
    assert (second["problems"], second["finished"], exit_code(second)) == ([], True, 0)


# ── seeds ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

MANY = {
    "/": "".join(f'<p>to <a href="/{number}">page {number}</a>' for number in range(10)),
    **{f"/{number}": f"<p>page number {number}" for number in range(10)},
}
ERROR_PAGE = (404, {}, MANY["/"].encode())
SITEMAP = (
    200,
    {"Content-Type": "application/xml"},
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/1</loc></url></urlset>',
)


def with_sitemap(answers: dict[str, Any]) -> Callable[[str, dict[str, str]], Answer]:
    """Return a site whose robots.txt names a sitemap."""

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, f"Sitemap: http://{headers['host']}/sitemap.xml".encode()
        return pages({"/sitemap.xml": SITEMAP, **MANY, **answers})(path, headers)

    return answer


@pytest.mark.parametrize("strategy", ["auto", "blind", "aware", "learned", "acebot"])
def test_a_seed_that_does_not_exist_leads_nowhere(run_crawl: Callable, strategy: str) -> None:
    with SmallSite(with_sitemap({"/nosuchpage": ERROR_PAGE})) as site:
        summary = run_crawl(f"{site.url}/nosuchpage", strategy=strategy)
    assert site.paths() == ["/robots.txt", "/nosuchpage"]
    assert (reasons(summary), exit_code(summary), summary["finished"]) == (["seed-missing"], 1, False)
    assert "/nosuchpage does not exist (404 Not Found)" in summary["problems"][0]["sentence"]


@pytest.mark.parametrize("strategy", ["auto", "blind"])
def test_a_seed_that_comes_later_is_crawled_by_the_same_command(run_crawl: Callable, strategy: str) -> None:
    answers: dict[str, Any] = {"/home": ERROR_PAGE}
    with SmallSite(with_sitemap(answers)) as site:
        first = run_crawl(f"{site.url}/home", strategy=strategy)
        answers["/home"] = MANY["/"]
        second = run_crawl(f"{site.url}/home", strategy=strategy)
    assert exit_code(first) == 1 and first["pages"] == 0
    assert (exit_code(second), second["problems"]) == (0, []) and second["pages"] >= 11


def test_a_dead_seed_beside_a_good_one(tmp_path: Path) -> None:
    with SmallSite(pages(MANY)) as site:
        summary = crawl(quick_options(tmp_path / "c", site.url, f"{site.url}/nosuchpage", strategy="auto"))
    assert summary["pages"] == 11 and (reasons(summary), exit_code(summary)) == (["seed-missing"], 1)


@pytest.mark.parametrize(("status", "code", "reason"), [
    (500, 9, "seed-unreachable"), (503, 9, "seed-unreachable"), (410, 1, "seed-missing"), (400, 1, "seed-missing"),
    (403, 1, "login-needed"), (401, 1, "login-needed"),
])  # fmt: skip
def test_seeds_that_answer_with_an_error(run_crawl: Callable, status: int, code: int, reason: str) -> None:
    with SmallSite(pages({"/": (status, {}, MANY["/"].encode())})) as site:
        summary = run_crawl(site.url)
    assert (exit_code(summary), reasons(summary), summary["pages"]) == (code, [reason], 0)
    assert set(site.paths()) == {"/", "/robots.txt"}


def test_an_unreachable_seed_beside_a_good_one(tmp_path: Path) -> None:
    with SmallSite(pages({})) as gone:
        pass
    with SmallSite(pages(MANY)) as site:
        first = crawl(quick_options(tmp_path / "c", site.url, gone.url))
        with SmallSite(pages(SITE), port=int(gone.url.rpartition(":")[2])):
            second = crawl(quick_options(tmp_path / "c", site.url, gone.url))
    assert first["pages"] == 11 and (reasons(first), exit_code(first)) == (["seed-unreachable"], 9)
    assert second["pages"] == 14 and (reasons(second), exit_code(second)) == ([], 0)


def test_a_seed_that_robots_txt_closes(run_crawl: Callable) -> None:
    robots = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /")
    with SmallSite(pages({**MANY, "/robots.txt": robots})) as site:
        summary = run_crawl(site.url)
    assert (reasons(summary), exit_code(summary)) == (["seed-refused"], 1)
    assert "robots.txt of 127.0.0.1" in summary["problems"][0]["sentence"]


def test_a_robots_txt_that_cannot_be_read_is_read_later(run_crawl: Callable) -> None:
    with SmallSite(pages({**MANY, "/robots.txt": (500, {}, b"")})) as site:
        first = run_crawl(site.url)
        site.answer = pages(MANY)
        second = run_crawl(site.url)
    assert (reasons(first), exit_code(first)) == (["seed-unreachable"], 9)
    assert "status 500" in first["problems"][0]["sentence"]
    assert second["pages"] == 11 and exit_code(second) == 0


def test_a_seed_that_leads_elsewhere(run_crawl: Callable) -> None:
    with SmallSite(pages(MANY)) as other, SmallSite(pages({"/": (301, {"Location": other.url + "/"}, b"")})) as site:
        summary = run_crawl(site.url)
    assert (reasons(summary), exit_code(summary)) == (["seed-moved"], 1)
    assert other.url in summary["problems"][0]["sentence"] and not other.seen


def test_a_seed_that_redirects_to_nothing(run_crawl: Callable) -> None:
    with SmallSite(pages({"/": (302, {"Location": "/gone"}, b"")})) as site:
        summary = run_crawl(site.url)
    assert (reasons(summary), exit_code(summary)) == (["seed-missing"], 1)
    assert "leads to" in summary["problems"][0]["sentence"] and "/gone" in summary["problems"][0]["sentence"]


def test_a_seed_that_leads_to_a_login(run_crawl: Callable) -> None:
    form = '<form action="/login" method="post"><input name="user"><input type="password" name="pass"></form>'
    with SmallSite(pages({"/": (302, {"Location": "/login?next=/"}, b""), "/login?next=/": form})) as site:
        summary = run_crawl(site.url)
    assert (reasons(summary), exit_code(summary)) == (["login-needed"], 1)


@pytest.mark.parametrize("body", ["", "<!doctype html><html><head></head><body> </body></html>"])
def test_a_seed_that_is_empty(run_crawl: Callable, body: str) -> None:
    with SmallSite(pages({"/": (200, {}, body.encode())})) as site:
        summary = run_crawl(site.url, strategy="auto", browser="never")
    assert (reasons(summary), exit_code(summary), summary["finished"]) == (["seed-empty"], 1, False)
    assert "its answer (200 OK) shows nothing and leads nowhere" in summary["problems"][0]["sentence"]


def test_a_seed_that_leads_nowhere_is_said(run_crawl: Callable) -> None:
    with SmallSite(pages({"/": "<title>Hold on</title><p>Have a cup of tea."})) as site:
        summary = run_crawl(site.url)
    assert (reasons(summary), exit_code(summary), summary["finished"]) == (["seed-bare"], 0, True)
    assert "shows 5 words and no link that leads further" in summary["problems"][0]["sentence"]


def test_a_sitemap_that_nobody_names_is_no_failure(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages(MANY)) as site:
        summary = run_crawl(site.url, strategy="learned")
    assert "/sitemap.xml" in site.paths()
    assert (summary["errors"], summary["problems"], lines(tmp_path / "collection")) == (0, [], [])


def test_commands_name_the_collection_as_it_was_given(run_crawl: Callable, tmp_path: Path) -> None:
    class BudgetSpent(BlindStrategy):
        def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterable[Action]:
            yield Skip(f"{outcome.url}more", "more would be a trap", f"x: {BEYOND_BUDGET}")

    with SmallSite(pages(MANY)) as site:
        summary = crawl(
            quick_options(tmp_path / "my c", site.url), factory=lambda context: BudgetSpent(scope=context.scope)
        )
    assert f"siteseer audit '{tmp_path}/my c' says" in summary["problems"][0]["next"]


def test_a_document_that_is_no_page_is_enough(run_crawl: Callable) -> None:
    with SmallSite(pages({"/a.pdf": (200, {"Content-Type": "application/pdf"}, b"%PDF-1.4")})) as site:
        summary = run_crawl(f"{site.url}/a.pdf")
    assert summary["pages"] == 0 and (summary["problems"], exit_code(summary)) == ([], 0)


def test_a_limit_before_the_seed_is_no_problem(run_crawl: Callable) -> None:
    with SmallSite(pages(MANY)) as site:
        summary = run_crawl(site.url, limit=1)
    assert (summary["problems"], exit_code(summary), summary["finished"]) == ([], 0, False)


# ── archives ──────────────────────────────────────────────────────────────────────────────────────────────────────────


WARC = b"WARC/1.1\r\n"


@pytest.fixture
def archive(run_crawl: Callable) -> tuple[str, Path]:
    """The address of a site and its archive, in which there is no robots.txt."""
    with SmallSite(pages(MANY)) as site:
        folder = Path(run_crawl(site.url, "crawled")["collection"])
    (file,) = (folder / "archive").glob("*.warc.gz")
    records = gzip.decompress(file.read_bytes()).split(WARC)[1:]
    file.write_bytes(b"".join(gzip.compress(WARC + one) for one in records if b"/robots.txt" not in one[:500]))
    return f"{site.url}/", file


def test_an_archive_without_robots_txt_is_crawled(run_crawl: Callable, archive: tuple[str, Path]) -> None:
    url, file = archive
    summary = run_crawl(url, "again", offline=file, delay=5.0)
    assert (summary["pages"], summary["problems"], exit_code(summary)) == (11, [], 0)
    assert summary["seconds"] < 5, "nobody waits for an archive"


def test_a_damaged_archive_is_said(run_crawl: Callable, archive: tuple[str, Path], tmp_path: Path) -> None:
    url, file = archive
    half = tmp_path / "half.warc.gz"
    half.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])
    summary = run_crawl(url, "again", offline=half)
    assert 0 < summary["pages"] < 11
    assert (exit_code(summary), summary["finished"]) == (1, False)
    assert reasons(summary)[0] == "archive-damaged"
    assert "half.warc.gz at offset" in summary["problems"][0]["sentence"]


def test_a_seed_that_an_archive_does_not_hold(run_crawl: Callable, archive: tuple[str, Path]) -> None:
    summary = run_crawl("http://other.example/", "again", offline=archive[1])
    assert (reasons(summary), exit_code(summary)) == (["seed-missing"], 1)
    assert summary["problems"][0]["sentence"] == "The seed http://other.example/ is not in the archive."


# ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def lines(folder: Path) -> list[JSON]:
    return [json.loads(line) for line in (folder / "reports" / "failed.jsonl").read_text().splitlines()]


def test_half_of_the_pages_fail(run_crawl: Callable, tmp_path: Path) -> None:
    broken = {f"/{number}": (500, {}, b"oops") for number in range(1, 10, 2)}
    with SmallSite(pages({**MANY, **broken})) as site:
        first = run_crawl(site.url)
        failed = lines(tmp_path / "collection")
        site.answer = pages(MANY)
        second = run_crawl(site.url)
    assert all(line.pop("crawl") == 1 and line.pop("when").startswith("20") for line in failed)
    assert (reasons(first), exit_code(first), first["finished"]) == (["many-failed"], 9, False)
    assert first["problems"][0]["count"] == 5 and "5 of 11 addresses" in first["problems"][0]["sentence"]
    wanted = {"status": 500, "because": "500 Internal Server Error", "from": f"{site.url}/"}
    assert [line for line in failed if line["url"].endswith("/1")] == [{"url": f"{site.url}/1", **wanted, "tries": 3}]
    assert {line["tries"] for line in failed} <= {2, 3} and len(failed) == 5
    assert second["pages"] == 11 and second["problems"] == [] and lines(tmp_path / "collection") == []


def test_a_few_pages_that_fail_are_said(run_crawl: Callable) -> None:
    paths = [f"/{number}" for number in range(40)]
    home = "".join(f'<p>to <a href="{path}">{path}</a>' for path in paths)
    answers: dict[str, Any] = {"/": home, **{path: f"<p>{path}" * (number + 1) for number, path in enumerate(paths)}}
    with SmallSite(pages({**answers, "/7": (500, {}, b"")})) as site:
        summary = run_crawl(site.url)
    assert (reasons(summary), exit_code(summary), summary["finished"]) == (["some-failed"], 0, True)


def test_dead_links_are_no_problem(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages({"/": SITE["/"]})) as site:
        summary = run_crawl(site.url)
    assert summary["problems"] == [] and exit_code(summary) == 0
    assert [(line["status"], line["tries"]) for line in lines(tmp_path / "collection")] == [(404, 1), (404, 1)]


def test_closed_pages_and_broken_assets_are_said_apart(run_crawl: Callable) -> None:
    answers: dict[str, Any] = {
        "/": '<p>home <a href="/members">m</a><img src="/a.png"><img src="/b.png">',
        "/members": (403, {}, b"members only"), "/a.png": (500, {}, b""), "/b.png": (404, {}, b""),
    }  # fmt: skip
    with SmallSite(pages(answers)) as site:
        summary = run_crawl(site.url, assets="all")
    found = {problem["reason"]: problem["count"] for problem in summary["problems"]}
    assert found == {"closed-pages": 1, "assets-failed": 1} and exit_code(summary) == 0 and summary["finished"]


def test_pictures_of_a_host_that_is_down_do_not_stop_a_crawl(run_crawl: Callable) -> None:
    with SmallSite(pages({})) as gone:
        pass
    pictures = "".join(f'<img src="{gone.url}/{number}.png">' for number in range(12))
    with SmallSite(pages({**SITE, "/": SITE["/"] + pictures})) as site:
        summary = run_crawl(site.url, assets="all", allow_private=True)
    assert summary["stopped_by"] is None and exit_code(summary) == 0
    assert [(one["reason"], one["count"]) for one in summary["problems"]] == [("assets-failed", 12)]


def test_a_site_that_has_not_changed_is_no_problem(run_crawl: Callable) -> None:
    def answer(path: str, headers: dict[str, str]) -> Answer:
        if "if-none-match" in headers:
            return 304, {"ETag": '"1"'}, b""
        status, found, body = pages(SITE)(path, headers)
        return status, {**found, "ETag": '"1"'}, body

    with SmallSite(answer) as site:
        run_crawl(site.url)
        again = run_crawl(site.url, recrawl=True)
    assert (again["pages"], again["problems"], again["finished"]) == (0, [], True)


# ── further pages of lists ────────────────────────────────────────────────────────────────────────────────────────────


def listing(number: int, last: int = 4) -> str:
    entries = "".join(f'<li><a href="/entry/{number}{one}">Entry {number}{one}</a>' for one in range(5))
    following = f'<a href="/list?page={number + 1}">Next</a>' if number < last else ""
    return f"<ul>{entries}</ul><div class=pager>{following}</div>"


@pytest.mark.parametrize("rule", ["exclude", "robots", "none"])
def test_further_pages_of_a_list_that_are_left_out_are_said(run_crawl: Callable, rule: str) -> None:
    lists = {"/": '<a href="/list">list</a>', "/list": listing(1)}
    lists |= {f"/list?page={number}": listing(number) for number in range(2, 5)}
    entries = {f"/entry/{n}{one}": f"<p>entry {n} of {one}" for n in range(1, 5) for one in range(5)}
    robots = {"/robots.txt": "User-agent: *\nDisallow: /list?page=3"} if rule == "robots" else {}
    options = {"exclude": ("*page=3",)} if rule == "exclude" else {}
    with SmallSite(pages({**lists, **entries, **robots})) as site:
        summary = run_crawl(site.url, **options)
        left = f"{site.url}/list?page=3"
    found = [one for one in summary["problems"] if one["reason"] == "pager-left-out"]
    assert [left in one["sentence"] and one["count"] == 1 for one in found] == ([] if rule == "none" else [True])
    assert exit_code(summary) == 0


@pytest.mark.parametrize("rule", ["nothing new", "same page under another name"])
def test_further_pages_that_a_strategy_gives_up_at_the_end_are_said(tmp_path: Path, rule: str) -> None:
    """As the learner does, a strategy says only at the end what it leaves; copies of known pages are not missing."""

    class Leaving(BlindStrategy):
        def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterable[Action]:
            return [one for one in super().decide(outcome, why) if "page=" not in getattr(one, "url", "")]

        def refill(self, room: int) -> Iterable[Action]:
            return [Skip(f"{site.url}/list?page=2", "such pages bring little", rule, f"{site.url}/list")]

    with SmallSite(pages({"/": '<a href="/list">list</a>', "/list": listing(1)})) as site:
        summary = crawl(quick_options(tmp_path / "c", site.url), factory=lambda context: Leaving(scope=context.scope))
    assert reasons(summary) == (["pager-left-out"] if rule == "nothing new" else [])


def test_a_budget_of_the_learner_that_is_used_up_is_said(tmp_path: Path) -> None:
    class Spent(BlindStrategy):
        def refill(self, room: int) -> Iterable[Action]:
            because = "629 requests for 142 worthwhile pages: more would be a trap"
            return [Skip(f"{site.url}/more/{n}", because, f"/more/*: {BEYOND_BUDGET}") for n in range(3)]

    with SmallSite(pages(SITE)) as site:
        summary = crawl(quick_options(tmp_path / "c", site.url), factory=lambda context: Spent(scope=context.scope))
    (problem,) = summary["problems"]
    assert (problem["reason"], problem["count"], exit_code(summary)) == ("budget-used-up", 3, 0)
    assert "629 requests for 142 worthwhile pages" in problem["sentence"]
