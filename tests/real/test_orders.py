"""The learned strategy on a capture of real software, its answers arriving in other orders."""

from __future__ import annotations

import pytest
from arrival_orders import crawl, faults, samples

from tests.real.captures import SITES as FOLDER

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"needs the captured sites at {FOLDER}")


def test_a_slow_answer_changes_neither_content_nor_requests() -> None:
    """In order 7, eight at once, months and authors are the first to show what the list shows a little later."""
    sample = next(samples(["serendipity-2k11"]))
    assert faults([crawl(sample, number) for number in (0, 2, 7)]) == []
