"""Dishes that only a search form lists: all of them are found, by searching and by understanding."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest

from siteseer.deepweb.ontology.ontology_paths import TYPE
from siteseer.deepweb.run import understand
from siteseer.settings import CrawlOptions
from tests.real.recipes import CATALOGUE, half_ontology, served

pytestmark = pytest.mark.skipif(not CATALOGUE.exists(), reason="the catalogue is not here")


@pytest.mark.parametrize("seed", [1, 4])
def test_probing_keeps_every_dish_and_nothing_else_as_a_record(run_crawl, tmp_path, seed):
    with served(tmp_path, seed) as site:
        summary = run_crawl(site.url + "/", strategy="probe")
        lines = (tmp_path / "collection" / "pages" / "pages.jsonl").read_text().splitlines()[1:]
        records = {urlsplit(page["url"]).path for page in map(json.loads, lines) if page.get("level") == "record"}
        assert records == site.records.keys()
        searches = [path for path in site.asked if path.startswith("/find") and "page=" not in path]
        assert len(searches) <= 6
        assert summary["forms"] == {"searches": len(searches), "records": 90}


@pytest.mark.parametrize("seed", [1, 4])
def test_understanding_finds_every_dish_and_proposes_no_known_one(tmp_path, seed):
    with served(tmp_path, seed) as site:
        options = CrawlOptions(
            (site.url + "/",), tmp_path / "understood", "understand", delay=0.0, assets="none", browser="never"
        )
        found, _ = understand(options, half_ontology(site.records))
        paths = {record.id: urlsplit(record.permalink).path for record in found.records}
        assert set(paths.values()) == site.records.keys()
        new = {paths.get(one.subject, one.subject) for one in found.proposals if one.predicate == TYPE}
        assert new <= set(list(site.records)[1::2]) and len(new) >= 40
        assert len(site.asked) <= 60


@pytest.mark.parametrize("strategy", ["auto", "blind"])
def test_a_crawl_names_the_form(run_crawl, tmp_path, strategy):
    with served(tmp_path, 1) as site:
        summary = run_crawl(site.url + "/", strategy=strategy)
        assert [problem["reason"] for problem in summary["problems"]] == ["search-form"]
