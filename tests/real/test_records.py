"""The record learner on captures of real software: floors a little below what is measured by bench/records.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from siteseer.strategies.learned.record_extraction import harvest_records

ROOT = Path(__file__).parents[2]
SITES = ROOT / ".." / "shared" / "sites"

pytestmark = pytest.mark.skipif(not SITES.is_dir(), reason="no captured sites beside the project (folder shared/sites)")

AUTHORS_SHOWN = ("fluxbb", "textpattern", "serendipity-bulletproof")


def bench() -> ModuleType:
    """Load the benchmark, which reads captures and scores."""
    name = "bench_records"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, ROOT / "bench" / "records.py")
        assert spec and spec.loader
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.mark.parametrize("name", [*AUTHORS_SHOWN, "dokuwiki"])
def test_records_of_content_pages(name: str) -> None:
    figures = bench().row(bench().load(name), 30, 0.0, 0)
    assert figures["recall"] >= 0.98 and figures["precision"] >= 0.98
    assert figures["day"] >= 0.98 and figures["title"] >= 0.98
    assert name not in AUTHORS_SHOWN or figures["author"] >= 0.98


def test_ten_pages_teach_enough() -> None:
    assert bench().row(bench().load("textpattern"), 10, 0.0, 0)["recall"] >= 0.96


def test_short_posts() -> None:
    figures = bench().row(bench().load("fluxbb"), 30, 0.5, 0)
    assert figures["recall"] >= 0.94 and figures["short"] >= 0.94


def test_other_pages_in_the_sample() -> None:
    figures = bench().row(bench().load("serendipity-2k11"), 30, 0.0, 45)
    assert figures["recall"] >= 0.96 and figures["precision"] >= 0.96


@pytest.mark.parametrize("name", ["roundup", "mhonarc", "nikola"])
def test_labelled_authors_and_days_of_software_that_nobody_described(name: str) -> None:
    if not (SITES / f"{name}.warc.xz").exists():
        pytest.skip(f"the capture {name} is not there")
    capture = bench().load(name)
    pages = bench().fresh(capture.content)
    found = [one for _, one in harvest_records(lambda: pages)]
    figures = bench().score(capture.truth["texts"], found)
    assert figures["recall"] >= 0.99 and figures["precision"] >= 0.99
    assert figures["author"] >= 0.99 and figures["day"] >= 0.99 and figures["title"] >= 0.99
    assert len({one.id for one in found}) == len(found)
