"""One sample page of captured software leads to all its threads or posts, and to nothing else."""

from __future__ import annotations

import random

import pytest
from examples import Truth, delivered, follow, map_site

from tests.real.captures import SITES as FOLDER
from tests.real.captures import capture

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"needs the captured sites at {FOLDER}")


@pytest.mark.parametrize("number", [0, *(pytest.param(number, marks=pytest.mark.large) for number in (1, 2))])
@pytest.mark.parametrize(
    "name",
    [
        "fluxbb",
        "serendipity-2k11",
        "textpattern",
        pytest.param("serendipity-bulletproof", marks=pytest.mark.large),
        "wordpress-2021",
    ],
)
def test_one_sample_is_enough(name: str, number: int) -> None:
    site = capture(name)
    truth = Truth(site, "post")
    strategy, drive = map_site(site, random.Random(f"{name} {number}").choice(truth.pages))
    urls = delivered(strategy)
    precision, recall = truth.score(urls)
    assert precision == 1.0 and recall >= 0.99
    again, crawling = follow(site, strategy)
    assert drive.requests + crawling < 3 * site.truth["oracle_requests"]
    assert len(again & urls) >= 0.98 * len(urls)
