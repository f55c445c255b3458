"""Captured sites whose template is not the one that is known: everything is found nevertheless, with few requests."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load
from siteseer.model import Note
from siteseer.strategies.aware.adaptation.extraction.value_similarity import same_text
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.scope import SeedScope
from tests.real.adaptation_drive import LastCrawl, drive
from tests.real.captures import SITES, Crawl, capture, figures

pytestmark = [
    pytest.mark.skipif(not SITES.is_dir(), reason="the captured sites are not beside the project (../shared/sites)"),
    pytest.mark.slow,
]
OLD, NEW = "serendipity-2k11", "serendipity-bulletproof"
TEMPLATES = Path(__file__).parent / "adaptation"
KNOWN = ("wordpress-2021", "phpbb-prosilver", "smf", "dokuwiki", "fluxbb", OLD, NEW, "textpattern")


def knowledge(template: str = OLD) -> KnowledgeBase:
    return KnowledgeBase([load(TEMPLATES / f"{template}.xml")])


def crawl(
    name: str, known: KnowledgeBase, strategy: type = AdaptiveStrategy, memory: object = None
) -> tuple[Crawl, list[Note]]:
    site = capture(name)
    return drive(strategy(known, SeedScope([site.truth["origin"] + "/"])), site, memory)


def adapted(notes: list[Note]) -> list[Note]:
    return [note for note in notes if note.event == "adapted_action"]


@pytest.mark.parametrize(("known", "site"), [(OLD, NEW), pytest.param(NEW, OLD, marks=pytest.mark.large)])
def test_a_new_template_of_known_software(known: str, site: str, tmp_path: Path) -> None:
    scope = SeedScope([capture(site).truth["origin"] + "/"])
    without = drive(AwareStrategy(knowledge(known), scope), capture(site), limit=400)[0]
    assert figures(without, capture(site), tmp_path)["objects_recall"] < 0.2
    run, notes = crawl(site, knowledge(known))
    found = figures(run, capture(site), tmp_path)
    assert found["content"] >= 0.99
    assert found["vs_oracle"] <= 1.3
    assert min(found["objects_recall"], found["objects_precision"]) >= 0.97
    assert min(found["objects_author"], found["objects_day"], found["objects_title"]) >= 0.97
    assert adapted(notes)


@pytest.mark.parametrize(("first", "second"), [(OLD, NEW), (NEW, OLD)])
def test_a_recrawl_after_a_redesign(first: str, second: str, tmp_path: Path) -> None:
    shipped = KnowledgeBase.shipped()
    before, _ = crawl(first, shipped)
    after, notes = crawl(second, knowledge(), memory=LastCrawl(before))
    assert set(before.objects) <= set(after.objects)
    differing: Counter[str] = Counter()
    for name, old in before.objects.items():
        new = after.objects[name]
        differing["author"] += old.author != new.author
        differing["day"] += (old.published or "")[:10] != (new.published or "")[:10]
        differing["title"] += old.title != new.title
        differing["text"] += not same_text(old.text or "", new.text or "")
    assert max(differing.values()) <= 0.02 * len(before.objects)
    assert figures(after, capture(second), tmp_path)["vs_oracle"] <= 1.15
    assert not [note for note in notes if note.event == "gone"]
    changed = {note.details["field"] for note in adapted(notes)}
    assert changed >= {"post/record", "comment/record", "child to post"} if second == NEW else not changed


@pytest.mark.parametrize("name", KNOWN)
def test_nothing_is_adapted_where_known_actions_work(name: str) -> None:
    plain = drive(
        AwareStrategy(KnowledgeBase.shipped(), SeedScope([capture(name).truth["origin"] + "/"])), capture(name)
    )[0]
    run, notes = crawl(name, KnowledgeBase.shipped())
    assert len(run.asked) <= len(plain.asked) + 1
    assert run.objects.keys() == plain.objects.keys()
    assert not adapted(notes)
