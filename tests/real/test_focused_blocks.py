"""Blocks of pages of real software are those of a plain walk through the tree."""

from __future__ import annotations

import pytest

from siteseer.campaigns.relevance.relevance_blocks import blocks_of
from siteseer.page.tree import is_html
from tests.campaigns.relevance.plain_blocks import plain_blocks
from tests.real.captures import SITES, capture

pytestmark = pytest.mark.skipif(not SITES.exists(), reason="needs the captured sites")


@pytest.mark.parametrize("name", ["fluxbb", "phpbb-prosilver", "textpattern", "dokuwiki"])
def test_blocks_of_captured_pages_are_those_of_a_plain_walk(name: str) -> None:
    pages = [page for page in capture(name).pages.values() if page.status == 200 and is_html(page)]
    for page in pages[:: max(1, len(pages) // 20)]:
        assert blocks_of(page) == plain_blocks(page), page.url
