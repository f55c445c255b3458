"""Expressions induced from two marked pages of labelled sites: floors below what `bench/induce.py` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
LABELLED = BENCH.parent / ".." / "shared" / "data" / "labelled.tar.xz"

pytestmark = pytest.mark.skipif(not LABELLED.is_file(), reason=f"needs the labelled pages at {LABELLED}")


@pytest.mark.slow
def test_two_marked_pages_of_a_site_are_enough() -> None:
    from drift import TOGETHER
    from induce import cases, mean_by_site, redesigned, sites

    made = [case for site in sites(["job"])[::2] for case in cases(site, 2, 0, [])]
    means = {method: mean_by_site((case, case.clean[method]) for case in made) for method in made[0].clean}
    assert means["first expression"] >= 0.98
    assert means["first, no unmarked pages"] >= 0.96
    assert means["first expression"] > max(means["absolute path"], means["id or class path"])
    kept = redesigned(made, TOGETHER["all together .1"], "floor")
    share = {method: sum(rows) / len(rows) for method, rows in kept.items()}
    assert share["first expression"] >= 0.8 and share["list of five"] >= 0.85
    assert share["first expression"] > share["id or class path"] > share["absolute path"]
