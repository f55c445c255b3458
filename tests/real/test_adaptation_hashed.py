"""Captured sites all of whose classes and ids are changed to meaningless names, digits among them, at bounded cost."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Page
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.scope import SeedScope
from tests.real.adaptation_drive import drive
from tests.real.captures import SITES, capture, figures

pytestmark = [
    pytest.mark.skipif(not SITES.is_dir(), reason="the captured sites are not beside the project (../shared/sites)"),
    pytest.mark.slow,
]
MOST_SECONDS = 0.05
"""CPU time of adaptation for each page of a crawl."""
_NAMES = re.compile(rb"\b(class|id)=([\"'])(.*?)\2")
_NUMBER = re.compile(rb"(.*?)(\d*)")


def renamed(name: bytes) -> bytes:
    """Return another name; a number at its end stays, as it tells records apart."""
    found = _NUMBER.fullmatch(name)
    assert found is not None
    return b"x" + hashlib.sha256(found[1]).hexdigest()[:6].encode() + b"-" + found[2] if found[1] else name


def hashed(page: Page) -> Page:
    body = _NAMES.sub(lambda found: b'%s="%s"' % (found[1], b" ".join(map(renamed, found[3].split()))), page.body)
    return Page(page.url, page.status, page.headers, body, page.fetched_at)


@pytest.mark.parametrize("name", ["smf", "serendipity-2k11"])
def test_everything_is_found_under_new_names(name: str, tmp_path: Path) -> None:
    site, known = capture(name), KnowledgeBase.shipped()
    scope = SeedScope([site.truth["origin"] + "/"])
    began = time.process_time()
    drive(AwareStrategy(known, scope), site)
    plain = time.process_time() - began
    began = time.process_time()
    run, _ = drive(AdaptiveStrategy(known, scope), site, change=hashed)
    assert time.process_time() - began - plain <= MOST_SECONDS * len(run.pages)
    found = figures(run, site, tmp_path)
    assert found["content"] >= 0.99 and found["vs_oracle"] <= 1.3
    assert min(found["objects_recall"], found["objects_precision"]) >= 0.97
    assert min(found["objects_author"], found["objects_day"], found["objects_title"]) >= 0.97
