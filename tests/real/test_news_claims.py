"""Saved news pages: no software is claimed whose name stands nowhere in the page."""

from __future__ import annotations

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise
from tests.real.test_detect_forums import LABELLED, NEWS, as_page, saved

pytestmark = pytest.mark.skipif(not LABELLED.is_file(), reason=f"needs the saved pages of real sites at {LABELLED}")


def test_named_software_is_named_in_the_page() -> None:
    knowledge = KnowledgeBase.shipped()
    pages = {name: body for name, body in saved().items() if any(part in name for part in NEWS)}
    assert len(pages) > 300
    wrong = []
    for name, body in pages.items():
        claimed = recognise(as_page(body), knowledge).application
        if claimed and not knowledge[claimed].is_generic:
            words = body.lower().replace(b" ", b"").replace(b"-", b"")
            if claimed.rstrip("2").encode() not in words:
                wrong.append((name, claimed))
    assert len(wrong) <= 0.005 * len(pages), wrong
