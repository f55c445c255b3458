"""The same from Python: the verbs of the command line as functions."""

from __future__ import annotations

import pytest

import siteseer
from siteseer.demo import Server, make_site
from siteseer.errors import UsageError


def test_crawl_compare_and_open(tmp_path):
    with Server(make_site("blog", 4)) as server:
        quick = {"delay": 0.0, "concurrency": 1, "assets": "none", "limit": 40}
        summary = siteseer.crawl(server.url, tmp_path / "one", strategy="auto", **quick)
        result = siteseer.compare(server.url, tmp_path / "two", strategies=["blind", "auto"], **quick)
        found = siteseer.detect(server.url)
    assert summary["requests"] == result["strategies"]["auto"]["requests"]
    assert (tmp_path / "two" / "compare.html").is_file()
    again = siteseer.compare(output=tmp_path / "three", collections=[tmp_path / "two" / "blind", tmp_path / "one"])
    assert again["strategies"]["one"]["coverage"] == result["strategies"]["auto"]["coverage"]
    opened = siteseer.open(tmp_path / "one")
    assert opened.figures()["requests"] == summary["requests"]
    assert set(found) >= {"application", "level", "evidence"}


def test_wrong_calls(tmp_path):
    with pytest.raises(UsageError):
        siteseer.crawl("http://127.0.0.1:1/", tmp_path, no_such_option=1)
    with pytest.raises(UsageError):
        siteseer.open(tmp_path)
    with pytest.raises(AttributeError):
        _ = siteseer.no_such_verb
