"""Adaptation does a bounded amount of work, and says what it put off."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Page
from siteseer.strategies.aware.adaptation import byte_budget
from siteseer.strategies.aware.adaptation.byte_budget import EARNED, FEWEST_PAGES, MOST_AT_ONCE, ByteBudget
from siteseer.strategies.aware.adaptation.extraction import extraction_repair, record_scope
from siteseer.strategies.aware.adaptation.extraction.record_scope import Budget
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy
from siteseer.strategies.scope import SeedScope
from tests.strategies.aware.adaptation.small_blog import ORIGIN, Run, application, pages


def of(*sizes: int) -> list[Page]:
    return [Page(f"http://e.org/{place}", body=b"x" * size) for place, size in enumerate(sizes)]


def test_no_more_is_learned_from_than_pages_have_earned() -> None:
    own = ByteBudget(0)
    spent = 0
    for seen in range(1, 200):
        own.earn()
        spent += sum(len(page.body) for page in own.grant(of(*[9_000] * 12)))
        assert spent <= seen * EARNED
    assert spent > 150 * EARNED


def test_one_repair_is_bounded_and_leaves_the_largest_pages_out() -> None:
    granted = ByteBudget().grant(of(*[50_000] * 30, 700_000))
    assert FEWEST_PAGES <= len(granted) < 30
    assert sum(len(page.body) for page in granted) <= MOST_AT_ONCE
    assert granted[-1].url > granted[0].url and max(len(page.body) for page in granted) == 50_000
    assert ByteBudget().grant(of(*[400_000] * 12)) == []


def big(page: Page, comments: int) -> Page:
    """Return a page with many comments more."""
    more = "".join(
        f"<li class=reply id=c9{number}><p class=replyhead><i class=who>Ann</i> said at <span class=stamp>2021-05-"
        f"{number % 28 + 1:02} 10:{number % 60:02}</span></p><div class=says>"
        + "".join(f"<p><i>{page.url} says {number} and {place}</i></p>" for place in range(12))
        + "</div></li>"
        for number in range(comments)
    )
    return replace(page, body=page.body.replace(b"</ol>", more.encode() + b"</ol>"), memo={})


def test_large_pages_do_not_hold_up_a_crawl() -> None:
    blog = application()
    level = blog.level("post")
    assert level is not None
    posts = [big(page, 12) for url, page in pages("new").items() if "/entry/" in url]

    def repaired(most: int) -> float:
        site = SiteAdaptation(blog, "blog.example", lambda url: ())
        for page in (replace(page, memo={}) for page in posts):
            site.watch(page, level, extract(page, level, blog))
        failing = site.failing(level)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(byte_budget, "MOST_AT_ONCE", most)
            began = time.process_time()
            site.repair(level, failing)
            return time.process_time() - began

    size = sum(len(page.body) for page in posts)
    repaired(size)  # what is loaded on first use is not counted
    few, all_of_them = (min(repaired(most) for _ in range(3)) for most in (size // 3, size))  # the least disturbed
    assert few < 0.7 * all_of_them


def test_what_is_put_off_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    renamed = {
        url: replace(page, body=page.body.replace(b"entry-text", b"prose").replace(b"remark", b"reply"), memo={})
        for url, page in pages("old").items()
    }

    def run() -> Run:
        return Run(AdaptiveStrategy(KnowledgeBase([application()]), SeedScope([ORIGIN + "/"])), renamed)

    assert run().events("adapted_action") and not run().events("adaptation_put_off")
    monkeypatch.setattr(byte_budget, "MOST_AT_ONCE", 1_000)
    poor = run()
    (note,) = poor.events("adaptation_put_off")
    assert note.details["level"] == "post" and note.details["example"].startswith(ORIGIN)
    assert not poor.events("adapted_action")


@pytest.mark.parametrize("most", [2_000, 40])
def test_the_number_of_candidates_is_bounded(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every candidate is paid for, those that are tried after the last one is spent are none."""
    spent: list[bool] = []

    class Counted(Budget):
        def spend(self) -> bool:
            spent.append(super().spend())
            return spent[-1]

    monkeypatch.setattr(extraction_repair, "Budget", lambda: Counted(most))
    tried: list[str] = []
    fit = record_scope.pairs_of
    monkeypatch.setattr(record_scope, "pairs_of", lambda text, *rest: (tried.append(text), fit(text, *rest))[1])
    level = application().level("post")
    assert level is not None and Budget().left == 2_000
    site = SiteAdaptation(application(), "blog.example", lambda url: ())
    posts = [page for url, page in pages("new").items() if "/entry/" in url][:24]
    changes = site.repair_from(level, posts, {("post", "record"), ("comment", "record")})
    assert 0 < sum(spent) <= most and 0 < len(tried) <= sum(spent)
    assert bool(changes) or most < 2_000
