"""A small blog changes its template: the strategy notices, repairs, tells and remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load_trusted, read
from siteseer.model import WebObject
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.scope import SeedScope
from tests.strategies.aware.adaptation.small_blog import ORIGIN, POSTS, Remembered, Run, application, pages


def strategy() -> AdaptiveStrategy:
    return AdaptiveStrategy(KnowledgeBase([application()]), SeedScope([ORIGIN + "/"]))


@pytest.fixture(scope="module")
def known() -> Run:
    return Run(strategy(), pages("old"))


def values(objects: Mapping[str, WebObject]) -> set[tuple[str | None, ...]]:
    return {(one.kind, one.author, (one.published or "")[:16], one.title, one.text) for one in objects.values()}


def test_nothing_is_adapted_where_known_actions_work(known: Run) -> None:
    plain = Run(AwareStrategy(KnowledgeBase([application()]), SeedScope([ORIGIN + "/"])), pages("old"))
    assert known.asked == plain.asked
    assert known.objects == plain.objects and len(plain.objects) > POSTS
    assert not known.events("adapted_action") and not known.events("failed_action")


def test_an_unknown_template_is_learned(known: Run) -> None:
    without = Run(AwareStrategy(KnowledgeBase([application()]), SeedScope([ORIGIN + "/"])), pages("new"))
    assert not without.objects
    adapting = strategy()
    run = Run(adapting, pages("new"))
    assert values(run.objects) == values(known.objects)
    assert len(run.asked) <= 1.3 * len(known.asked)
    adapted = {(note.details["level"], note.details["field"]): note.details for note in run.events("adapted_action")}
    assert {("list", "child to post"), ("post", "post/body"), ("post", "comment/author")} <= set(adapted)
    assert all(details["confidence"] >= 0.9 and details["example"].startswith(ORIGIN) for details in adapted.values())
    assert {note.details["field"] for note in run.events("failed_action") if "field" in note.details} >= {"post/record"}


def test_a_recrawl_finds_every_object_again_under_its_name(known: Run) -> None:
    run = Run(strategy(), pages("new"), Remembered(known))
    assert set(run.objects) == set(known.objects)
    assert values(run.objects) == values(known.objects)
    assert len(run.asked) <= 1.15 * len(known.asked)
    assert any(note.details["method"] in ("alignment", "relaxation") for note in run.events("adapted_action"))


def test_what_was_learned_is_a_knowledge_file_that_the_next_crawl_uses(known: Run) -> None:
    first = strategy()
    Run(first, pages("new"))
    ((name, text),) = first.lessons().items()
    reading = read(text.encode(), name)
    assert name == "weblog.xml" and reading.application is not None and not reading.problems
    again = AdaptiveStrategy(KnowledgeBase([application(), reading.application]), SeedScope([ORIGIN + "/"]))
    run = Run(again, pages("new"))
    assert values(run.objects) == values(known.objects)
    assert not run.events("adapted_action")
    assert len(run.asked) <= len(known.asked) + 1


def test_what_was_learned_survives_an_interruption(known: Run) -> None:
    first = Run(strategy(), pages("new"))
    rows = [row for row in first.remembered if row.kind == "adapting-learned"]
    assert load_trusted(str(rows[-1].value).encode(), "row").id == "weblog"
    run = Run(strategy(), pages("new"), Remembered(rows=rows))
    assert values(run.objects) == values(known.objects)
    assert not run.events("adapted_action")


def test_deleted_content_is_no_reason_to_adapt(known: Run) -> None:
    run = Run(strategy(), pages("old", without=range(1, 6)), Remembered(known))
    assert not run.events("adapted_action")
    assert len(run.objects) < len(known.objects)


def test_pages_that_all_lost_their_content_teach_nothing(known: Run) -> None:
    run = Run(strategy(), pages("old", without=range(1, POSTS + 1)), Remembered(known))
    assert not run.objects
    assert not [note for note in run.events("adapted_action") if "/" in note.details["field"]]


def test_a_type_whose_pattern_fails_is_known_by_its_levels_and_their_actions(known: Run) -> None:
    (detection,) = application().detections
    (pattern,) = detection.patterns
    unknown = replace(pattern, text="meta[@name='generator'][contains(@content,'Typewriter')]")
    kind = replace(application(), detections=(replace(detection, patterns=(unknown,)),))
    adapting = AdaptiveStrategy(KnowledgeBase([kind]), SeedScope([ORIGIN + "/"]))
    run = Run(adapting, pages("old"))
    assert values(run.objects) == values(known.objects)
    assert [note.details["new"] for note in run.events("adapted_action")] == ["div.entry-list | h2.entry-title/a/@href"]


def test_a_page_of_other_software_is_taken_for_no_type() -> None:
    adapting = AdaptiveStrategy(KnowledgeBase.shipped(), SeedScope([ORIGIN + "/"]))
    run = Run(adapting, pages("old"))
    assert not run.events("adapted_action") and not run.objects
