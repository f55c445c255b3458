"""Crawls compared: shares, curves, external links, reports; live and from files of other tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.archive.archived_pages import pages
from siteseer.cli.main import run
from siteseer.demo import Server, make_site
from siteseer.measure.charts.scales import quartiles, ticks
from siteseer.measure.charts.svg_charts import Bar, Group, Series, bar_chart, box_plot, line_chart
from siteseer.measure.compare import compare_collections, coverage, over_sites
from siteseer.measure.comparison_report import report
from siteseer.measure.crawl_figures import figures
from siteseer.measure.external_links import ExternalLinks
from siteseer.model import Page
from siteseer.page.two_grams import DistinctGrams, grams

HTML = (("Content-Type", "text/html"),)


@pytest.fixture(scope="module")
def compared(tmp_path_factory) -> Iterator[tuple[Path, dict]]:
    """Compare through the command line, as people do."""
    folder = tmp_path_factory.mktemp("compared")
    with Server(make_site("blog", 3)) as server:
        code = run(
            ["compare", server.url, "-o", str(folder), "--delay", "0", "--concurrency", "4", "--assets", "none",
             "--limit", "150", "--strategies", "blind,auto"]
        )  # fmt: skip
    assert code == 0
    yield folder, json.loads((folder / "compare.json").read_text())


def grams_of(folder: Path) -> set[int]:
    """The slow twin: every 2-gram of every page, in a Python set."""
    found: set[int] = set()
    for page, _ in pages(folder / "archive"):
        if page.status == 200 and "html" in page.header("content-type"):
            found.update(grams(page).tolist())
    return found


def test_the_shares_are_those_of_plain_sets(compared):
    folder, result = compared
    blind, auto = grams_of(folder / "blind"), grams_of(folder / "auto")
    rows = result["strategies"]
    assert result["reference"] == "blind" and list(rows) == ["blind", "auto"]
    assert rows["auto"]["coverage"] == pytest.approx(len(blind & auto) / len(blind), abs=1e-5)
    assert rows["auto"]["covered_by"]["blind"] == pytest.approx(len(blind & auto) / len(auto), abs=1e-5)
    assert (rows["blind"]["two_grams"], rows["auto"]["two_grams"]) == (len(blind), len(auto))
    assert rows["blind"]["coverage"] == rows["blind"]["external_coverage"] == 1.0
    assert rows["blind"]["requests"] == 150 == figures(folder / "blind")["requests"]
    assert rows["blind"]["curve"][-1] == [150, len(blind)]
    ups = [point[1] for point in rows["blind"]["curve"]]
    assert ups == sorted(ups)


def test_the_report_opens_without_the_network(compared):
    folder, _ = compared
    page = (folder / "compare.html").read_text()
    assert not re.search(r"""(?:src|href)\s*=|@import|url\(|<script""", page)
    assert "auto" in page and "times fewer" in page
    for svg in [(folder / "compare.svg").read_text(), *re.findall(r"<svg.*?</svg>", page, re.DOTALL)]:
        ElementTree.fromstring(svg)


def test_a_comparison_goes_on_where_it_stopped(compared, capsys):
    folder, result = compared
    code = run(["compare", "--collections", str(folder / "blind"), str(folder / "auto"), "-o", str(folder / "again"),
                "--json"])  # fmt: skip
    assert code == 0
    again = json.loads(capsys.readouterr().out)
    assert again["strategies"] == result["strategies"]


def test_files_of_other_tools_are_compared(compared):
    folder, result = compared
    (file,) = (folder / "auto" / "archive").glob("*.warc.gz")
    rows = compare_collections([folder / "blind", file]).as_json()["strategies"]
    assert rows[file.name]["coverage"] == result["strategies"]["auto"]["coverage"]
    assert rows[file.name]["requests"] == sum(rows[file.name]["responses"].values())


def test_wrong_calls_are_told_in_one_sentence(compared, capsys, tmp_path):
    folder, _ = compared
    for wrong in (
        ["compare", "--collections", str(folder / "blind")],
        ["compare", "--collections", str(folder / "blind"), str(tmp_path / "nothing")],
        ["compare", "http://127.0.0.1:1/", "--strategies", "blind,blind", "-o", str(tmp_path)],
        ["compare", "http://127.0.0.1:1/"],
        ["compare", "http://127.0.0.1:1/", "-o", str(tmp_path), "--no-such-option"],
        ["compare"],
    ):
        assert run(wrong) == 2, wrong
        assert len(capsys.readouterr().err.strip().splitlines()) <= 2, wrong


def test_a_site_that_does_not_answer_is_no_success(capsys, tmp_path):
    assert run(["compare", "http://127.0.0.1:1/", "-o", str(tmp_path)]) == 9
    assert "127.0.0.1" in capsys.readouterr().err


def test_many_sites_get_box_charts(compared):
    _, result = compared
    other = {**result, "site": "http://other.example/"}
    page = report([result, other])
    assert page.count("<svg") == 5 and "2 sites" in page
    joined = over_sites([result, other])
    assert joined["strategies"]["auto"]["requests"] == 2 * result["strategies"]["auto"]["requests"]
    assert joined["strategies"]["auto"]["coverage"] == result["strategies"]["auto"]["coverage"]


def test_script_in_a_name_stays_text(compared):
    _, result = compared
    evil = "<script>alert(1)</script>"
    rows = result["strategies"]
    hostile = {"reference": evil, "site": evil, "strategies": {evil: {**rows["blind"], "covered_by": {}}}}
    assert "<script>" not in report([hostile]) + report([hostile, hostile])


@given(st.sets(st.integers(0, 2**64 - 1)), st.sets(st.integers(0, 2**64 - 1)))
def test_coverage_is_that_of_sets(one, two):
    first, second = DistinctGrams(), DistinctGrams()
    first.add(np.array(sorted(one), np.uint64))
    second.add(np.array(sorted(two), np.uint64))
    assert coverage(first, second) == (len(one & two) / len(one) if one else 1.0)


def test_coverage_beyond_the_exact_limit_is_close():
    values = np.random.default_rng(1).integers(0, 2**63, 40_000, np.uint64)
    whole, thinned = DistinctGrams(), DistinctGrams(exact_up_to=4_000)
    whole.add(np.unique(values))
    thinned.add(np.unique(values[:30_000]))
    assert thinned.is_estimated and coverage(whole, thinned) == pytest.approx(0.75, abs=0.02)


def test_external_links_with_and_without_boilerplate():
    found = ExternalLinks()
    for number in range(10):
        url = f"http://e.org/post/{number}"
        share = f"http://share.example/?u=http%3A%2F%2Fe.org%2Fpost%2F{number}"
        body = (
            f"<a href=/next>n</a><a href=http://cms.example/>by</a><a href={share}>s</a><a href=//c.example/{number}>"
        )
        found.add(Page(url, 200, HTML, body.encode()))
    assert len(found.all()) == 21
    assert found.content() == {f"http://c.example/{number}" for number in range(10)}


def test_a_base_elsewhere_makes_relative_links_external():
    found = ExternalLinks()
    found.add(Page("http://e.org/", 200, HTML, b"<base href=http://other.example/><a href=x>x</a>"))
    assert found.all() == {"http://other.example/x"}


@given(st.floats(-1e6, 1e6), st.floats(0.001, 1e6))
def test_ticks_cover_the_range(low, span):
    found = ticks(low, low + span)
    step = found[1] - found[0]
    assert found[0] <= low + step / 1e3 and found[-1] >= low + span - step / 1e3 and 3 <= len(found) <= 12


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_quartiles_are_those_of_numpy(values):
    assert quartiles(values) == pytest.approx(np.percentile(values, [0, 25, 50, 75, 100]).tolist(), abs=1e-9)


def test_charts_are_well_formed_also_when_there_is_little_to_show():
    name = "<b>&\"'"
    for svg in (
        line_chart([], "t", "x", "y"),
        line_chart([Series(name, []), Series(name, [(0, 0)])], name, name, name),
        box_plot([], "t", "y"),
        box_plot([Group(name, [1.0]), Group("none", [])], name, name),
        bar_chart([], "t"),
        bar_chart([Bar(name, 0, name)], name),
    ):
        ElementTree.fromstring(svg)
