"""What a skipped URL is worth: what it leads to counts, forms and missing pages count nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from siteseer.crawler.frontier import LIFTED
from siteseer.demo import Site, SiteRequest, SiteResponse, make_site
from siteseer.demo.site import html
from siteseer.interfaces import StrategyContext
from siteseer.measure.certificate.audit import Budget, audit
from siteseer.measure.certificate.passages import passages
from siteseer.model import Action, Follow, Outcome, Page, Skip, Submit
from siteseer.strategies.blind_strategy import BlindStrategy

SKIPPED: list[Callable[[str], str]] = []
"""Names the rule that skips a path; empty where none does."""
ITEMS = {f"/item/{number}" for number in range(40)}
WORDS = [text.text for text in make_site("blog", 3, "modern", 80).truth.texts if len(text.text.split()) > 60]


class WithRules(BlindStrategy):
    """Follows everything that no rule of the test skips."""

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        for action in super().decide(outcome, why):
            rule = SKIPPED[-1]("/" + action.url.split("/", 3)[3]) if isinstance(action, Follow) else ""
            if rule and why.family != LIFTED:
                yield Skip(action.url, "a rule of the test", rule)
            else:
                yield action


def make(context: StrategyContext) -> WithRules:
    return WithRules()


@pytest.fixture(autouse=True)
def with_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("siteseer.plugins").plugins.STRATEGIES, "rules", f"{__name__}:make")


def page(title: str, body: str) -> SiteResponse:
    return html(f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>")


def site(answer: Callable[[SiteRequest], SiteResponse | None]) -> Site:
    """Return a list of forty items in four pages, with links that a test answers itself."""

    def respond(request: SiteRequest) -> SiteResponse:
        if own := answer(request):
            return own
        if request.path in ("/", "/list"):
            number = int(request.target.partition("n=")[2] or "1")
            first = 10 * (number - 1)
            items = "".join(f'<li><a href="/item/{n}">Item {n}</a></li>' for n in range(first, first + 10))
            pager = "".join(f'<a href="/list?n={n}">{n}</a> ' for n in range(1, 5) if n != number)
            return page(f"List, page {number}", f'<ul>{items}</ul><div class="pagination">{pager}</div>')
        if request.path in ITEMS:
            number = int(request.path.rpartition("/")[2])
            more = f'<a href="/edit/{number}">edit</a> <a href="/login?from={number}">log in</a> '
            return page(f"Item {number}", f'<p>{WORDS[number]}</p><p>{more}<a href="/note/{number}">note</a></p>')
        return SiteResponse(404, (("Content-Type", "text/html"),), b"<h1>Not found</h1>")

    return Site(make_site("blog", 3, "modern", 1).truth, respond)


def nothing(request: SiteRequest) -> SiteResponse | None:
    return None


def share_missed(kept: int = 10) -> float:
    """Return what share of the text of the items is missing where only the first few are kept."""

    def text_of(number: int) -> set[int]:
        body = page(f"Item {number}", f"<p>{WORDS[number]}</p>").body
        return set(passages(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)).tolist())

    every = set().union(*map(text_of, range(40)))
    return 1 - len(set().union(*map(text_of, range(kept)))) / len(every)


def test_a_skipped_page_of_a_list_is_worth_what_it_leads_to(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    SKIPPED.append(lambda path: "pages" if path.startswith("/list?") else "")
    run_crawl(serve(site(nothing)).url, strategy="rules")
    found = audit(tmp_path / "collection")
    assert found["sampled"] == 3 and found["low"] <= share_missed() <= found["high"]
    assert abs(found["missed_share"] - share_missed()) < 0.02


def test_forms_logins_and_missing_pages_count_nothing(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    def answer(request: SiteRequest) -> SiteResponse | None:
        number = sum(request.target.encode()) % 40 + 1
        if request.path.startswith("/edit/"):
            words = WORDS[-number]
            return page("Edit", f"<form method=post><p>{words}</p><textarea name=body>{words}</textarea></form>")
        if request.path == "/login":
            fields = "<form method=post><input name=who><input name=word type=password></form>"
            return page(
                "Log in", f"<p>Welcome back. You need an account to see what comes after this page.</p>{fields}"
            )
        if request.path.startswith("/note/"):
            said = "There is no such note yet, but everybody who has an account is free to begin to write one now."
            return page("No such page", f"<p>{said}</p>")
        return None

    SKIPPED.append(lambda path: path[1:].split("/")[0] if path.startswith(("/edit", "/login", "/note")) else "")
    run_crawl(serve(site(answer)).url, strategy="rules")
    found = audit(tmp_path / "collection", fix=True)
    assert found["skipped_urls"] == 120 and found["sampled"] >= 90
    assert found["missed_share"] == 0.0 and found["high"] > 0
    assert found["lifted"] == [] and "No content is missing" in found["sentences"][0]


def test_what_is_not_covered_is_said(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    def answer(request: SiteRequest) -> SiteResponse | None:
        if request.path == "/edit/3":
            return SiteResponse(403, (("Content-Type", "text/html"),), b"<h1>Not for you</h1>")
        return SiteResponse(500, (), b"") if request.path == "/edit/4" else None

    SKIPPED.append(lambda path: "items" if path in ("/item/7", "/item/8") else "")
    run_crawl(serve(site(answer)).url, strategy="rules")
    found = audit(tmp_path / "collection")
    assert (found["not_covered"]["refused"], found["not_covered"]["failed"]) == (1, 1)
    said = next(one for one in found["sentences"] if one.startswith("Not covered"))
    assert "1 failed" in said and "1 were refused" in said


def test_only_rules_that_lost_content_are_lifted_within_the_budget(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    def rule(path: str) -> str:
        return (
            "pages" if path.startswith("/list?") else "notes" if path.startswith(("/note", "/edit", "/login")) else ""
        )

    SKIPPED.append(rule)
    server = serve(site(nothing))
    run_crawl(server.url, strategy="rules")
    before = len(server.log)
    found = audit(tmp_path / "collection", fix=True, budget=Budget(fix=12))
    assert found["lifted"] == ["pages"] and found["fix"]["budget"] == 12 and not found["fix"]["is_complete"]
    assert found["fix"]["requests"] <= 12
    assert len(server.log) - before <= found["requests"] + 12 + 1  # robots.txt is read again
    again = audit(tmp_path / "collection", fix=True)
    assert not again["missed_share"] or again["fix"]["is_complete"]
    final = audit(tmp_path / "collection")
    assert not final["missed_share"]


def test_older_versions_are_told_by_their_address() -> None:
    from siteseer.measure.certificate.beside_content import beside_content

    def judged(url: str, *known: str) -> str:
        body = b"<p>Some words that nobody has read before on this site.</p>"
        return beside_content(Page(url, headers=(("Content-Type", "text/html"),), body=body), "", known.__contains__)

    assert judged("http://e.org/w.php?id=tea&rev=3&do=diff", "http://e.org/w.php?id=tea") == "an older version"
    assert judged("http://e.org/w.php?id=tea&rev=3", "http://e.org/w.php?id=coffee") == ""
    assert judged("http://e.org/history/of-tea", "http://e.org/history", "http://e.org/history/") == ""
    assert judged("http://e.org/?cat=history", "http://e.org/") == ""


def _board(request: SiteRequest) -> SiteResponse | None:
    """Answer lists whose entries have many addresses: `/go/N` redirects, `/see/N/...` names the item as canonical."""
    _, kind, number, *_ = (*request.path.split("/"), "", "")
    if kind == "go" and number.isdecimal():
        return SiteResponse(302, (("Location", f"/item/{int(number) // 10}"),), b"")
    if kind == "see" and number.isdecimal():
        item = int(number) // 10
        head = f'<title>Item {item}</title><link rel="canonical" href="/item/{item}">'
        return html(f"<html><head>{head}</head><body><h1>Item {item}</h1><p>{WORDS[item]}</p></body></html>")
    if kind == "member" and number.isdecimal():  # beside the lists, another way to what they lead to
        first = int(number) % 40
        links = "".join(f'<a href="/{way}/{10 * first + n}">post</a> ' for way in ("go", "see") for n in range(10))
        return page(f"Member {number}", f"<p>{links}</p>")
    if kind == "item" and number.isdecimal() and int(number) < 10:
        return page(f"Item {number}", f"<p>{WORDS[int(number)]}</p>" + _members(range(int(number), 40, 10)))
    return None


def _members(numbers: range) -> str:
    return "".join(f'<a href="/member/{number}">member</a> <a href="/go/{10 * number}">post</a> ' for number in numbers)


@pytest.mark.parametrize("seed", range(3))
def test_many_addresses_of_a_page_count_once(serve: Callable, run_crawl: Callable, tmp_path: Path, seed: int) -> None:
    rules = {"/list?": "pages", "/member/": "members", "/go/": "other addresses", "/see/": "other addresses"}
    SKIPPED.append(lambda path: next((rule for start, rule in rules.items() if path.startswith(start)), ""))
    run_crawl(serve(site(_board)).url, strategy="rules")
    every, found = (audit(tmp_path / "collection", sample=sample, seed=seed) for sample in (1000, 40))
    assert abs(every["missed_share"] - share_missed()) < 0.01
    assert abs(found["missed_share"] - share_missed()) < 0.06
    assert found["low"] <= share_missed() <= found["high"]


def _forum(request: SiteRequest) -> SiteResponse | None:
    """Answer a list of which a few further pages lead on, among many that say nothing new, and very many forms."""
    _, kind, number, *_ = (*request.path.split("/"), "", "")
    if kind == "item" and number.isdecimal() and int(number) < 10:
        pager = "".join(f'<a href="/item/{number}?view={n}">{n}</a> ' for n in range(2, 10))
        forms = "".join(f'<a href="/edit/{number}-{n}">edit</a> ' for n in range(150))
        return page(f"Item {number}", f'<p>{WORDS[int(number)]}</p><div class="pagination">{pager}</div><p>{forms}</p>')
    return None


@pytest.mark.parametrize("seed", range(3))
def test_a_few_lists_are_not_overlooked_among_many_pagers(
    serve: Callable, run_crawl: Callable, tmp_path: Path, seed: int
) -> None:
    SKIPPED.append(lambda path: "pages" if "?" in path else "forms" if path.startswith("/edit/") else "")
    run_crawl(serve(site(_forum)).url, strategy="rules")
    found = audit(tmp_path / "collection", sample=50, seed=seed)
    assert found["skipped_urls"] > 1_500
    assert abs(found["missed_share"] - share_missed()) < 0.06


def _calendar(request: SiteRequest) -> SiteResponse | None:
    """Answer days of a calendar that say nothing; between the numbers that are linked there are many that are not."""
    days = "".join(f'<a href="/day?d={n}">{n}</a> ' for n in (1, 2, 4, 80, 200))
    if request.path == "/day":
        return page("A day", f'<p>Nothing was written.</p><div class="pagination">{days}</div>')
    if request.path == "/item/0":
        return page("Item 0", f'<p>{WORDS[0]}</p><div class="pagination">{days}</div>')
    return None


def test_pages_that_no_link_leads_to_are_worth_what_pages_of_their_kind_are(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    SKIPPED.append(lambda path: "days" if "/day" in path else "pages" if "?" in path else "")
    run_crawl(serve(site(_calendar)).url, strategy="rules")
    found = audit(tmp_path / "collection", sample=50)
    assert abs(found["missed_share"] - share_missed()) < 0.06
