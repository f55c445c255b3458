"""A shop of sparse pages, served beside the captures: every record page is found by example and by a plain crawl."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples import CATALOGUE, crawl_shop

from tests.real.captures import SITES as FOLDER

pytestmark = pytest.mark.skipif(not CATALOGUE.is_file(), reason=f"needs the sites at {FOLDER}")


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.large) for seed in (2, 3))])
@pytest.mark.parametrize("examples", [True, False])
def test_every_record_page_is_kept(seed: int, examples: bool, tmp_path: Path) -> None:
    precision, recall, requests, records = crawl_shop(seed, tmp_path / "shop", examples)
    assert precision == 1.0 and recall >= 0.99
    assert requests <= 1.2 * records
