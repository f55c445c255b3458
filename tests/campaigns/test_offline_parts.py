"""Parts of the offline phase by themselves: steps of time, the file of proposals, the page of the report, damage."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from siteseer.campaigns.analysis.campaign_index import FILE, CampaignIndex, page_key
from siteseer.campaigns.analysis.report_page import TABLES, report_page
from siteseer.campaigns.analysis.trends import finest, trend
from siteseer.campaigns.selection.proposal import ProposedPage, line, read_proposal, way_to, write_proposal
from siteseer.campaigns.selection.proposal_marks import with_site_marks
from siteseer.campaigns.selection.select_records import choose
from siteseer.errors import ArchiveError, UsageError
from siteseer.measure.charts.timeline import matrix, timeline

EVIL = "<script>alert(1)</script>\"'&\x00\u202e"


def add_page(db: sqlite3.Connection, url: str, referrer: str = "") -> int:
    row = (
        page_key(url),
        "s",
        "e.org",
        url,
        "t",
        1,
        "2020-01-01",
        "d",
        0.5,
        "x",
        page_key(referrer) if referrer else None,
    )
    names = "key, site, host, url, title, capture, time, digest, relevance, because, referrer"
    db.execute(f"INSERT INTO page ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    return page_key(url)


def test_marks_threshold_and_ways_decide_what_is_chosen(tmp_path: Path) -> None:
    with CampaignIndex.of(tmp_path) as catalogue:
        with catalogue.transaction() as db:
            root = add_page(db, "http://e.org/")
            hub = add_page(db, "http://e.org/hub", "http://e.org/")
            good = add_page(db, "http://e.org/good", "http://e.org/hub")
            poor = add_page(db, "http://e.org/poor", "http://e.org/good")
            ring = add_page(db, "http://e.org/ring", "http://e.org/ring2")
            add_page(db, "http://e.org/ring2", "http://e.org/ring")
        assert way_to(catalogue, poor) == [good, hub, root]
        assert len(way_to(catalogue, ring)) == 1

        def chosen(threshold: float | None, **marks: str) -> dict[int, str]:
            lines = [ProposedPage("site", 0.5, "e.org", "", "", marks.get("site", "?"))]
            degrees = {"": 0.1, "hub": 0.2, "good": 0.9, "poor": 0.0}
            for name, degree in degrees.items():
                reasons = "the same text as x" if name == "poor" else "r"
                mark = marks.get(name or "root", "?")
                lines.append(ProposedPage("page", degree, f"http://e.org/{name}", "", reasons, mark))
            return {
                one.key: one.role
                for one in choose(catalogue, with_site_marks(lines, {"e.org": lines[0].mark}), threshold)
            }

        assert chosen(None) == {}
        assert chosen(0.5) == {good: "page", hub: "way", root: "way"}
        assert chosen(0.5, hub="reject") == {good: "page", root: "way"}
        assert chosen(0.5, site="reject", poor="accept") == {poor: "page"}
        assert chosen(None, site="accept") == {root: "page", hub: "page", good: "page"}
        assert chosen(None, site="accept", hub="reject", poor="accept") == {root: "page", good: "page", poor: "page"}


def test_marks_outlast_another_proposal_and_spreadsheets(tmp_path: Path) -> None:
    file = tmp_path / "proposal.tsv"
    rows = [
        ProposedPage("site", 0.5, "e.org", "", "r"),
        ProposedPage("page", 0.25, "http://e.org/a?b=1", f"=1+1 {EVIL}", EVIL),
    ]
    assert write_proposal(file, rows) == (1, 1)
    assert "\x00" not in file.read_text() and "\t'=1+1" in file.read_text()
    file.write_text(
        "\ufeff"
        + file.read_text().replace("?\tpage\t0.25\thttp", 'Accept\t"page"\t0,25\t"http').replace("b=1\t", 'b=1"\t')
    )
    assert [one.mark for one in read_proposal(file)] == ["?", "accept"]
    write_proposal(file, rows)
    assert [(one.mark, one.degree) for one in read_proposal(file)] == [("?", 0.5), ("accept", 0.25)]


@pytest.mark.parametrize(
    "text", ["maybe\tpage\t1\tu\tt\tr", "?\tbook\t1\tu\tt\tr", "?\tpage\ttwo\tu\tt\tr", "?\tpage\t7\tu\tt\tr", "?"]
)
def test_a_wrong_line_is_told_with_its_number(text: str, tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_text("# mark\n" + line(ProposedPage("site", 1.0, "e.org", "", "")) + text + "\n")
    with pytest.raises(UsageError, match="line 3"):
        list(read_proposal(tmp_path / "p.tsv"))


def test_steps_of_time_are_as_fine_as_a_picture_can_show(tmp_path: Path) -> None:
    assert finest([f"2020-01-{day:02d}" for day in range(1, 31)])[0] == "day"
    assert finest([f"{year}-01-05" for year in range(1900, 2020)])[0] == "year"
    assert finest(["2020-05-01"] * 99 + ["1999"])[0] == "day"
    assert finest(["2020-05-01T10:00:00Z", "2020-05-01T22:59:00Z"])[0] == "hour"
    assert finest(["2020-99-99", "2020-99-98"])[0] == "day"
    with CampaignIndex.of(tmp_path) as catalogue:
        with catalogue.transaction() as db:
            for number, day in enumerate(("2020-01-05", "2020-04-06", "2023-04-07T10:00:00Z", None)):
                db.execute(
                    "INSERT INTO written VALUES (?, 1, NULL, ?, '2026-01-01T00:00:00Z', 1, 'post')", (number, day)
                )
                db.execute("INSERT INTO mention VALUES (?, 'kelp', 2)", (number,))
        found = trend(catalogue, "published")
    assert (found.step, found.undated, sum(found.terms["kelp"])) == ("month", 1, 3)
    assert len(found.times) == 40 and found.times[:2] == ("2020-01", "2020-02"), "months without texts are shown too"


def test_the_page_of_the_report_runs_nothing_that_a_page_said() -> None:
    rows = {key: [{name: EVIL for name, _ in columns}] for key, _, _, columns in TABLES}
    rows["linked_pages"][0]["url"] = "javascript:alert(1)"
    terms = [{"clock": "published", "step": "year", "times": [EVIL], "terms": {}, "undated": 0}]
    result = {"campaign": EVIL, "totals": {"sites": 1}, "terms": terms, "crawls": [], **rows}
    pictures = {"links": matrix([EVIL], [[3]], EVIL), "terms-captured": timeline([EVIL], {EVIL: [1]}, EVIL, EVIL)}
    page = report_page(result, pictures)
    assert "<script" not in page and 'href="javascript' not in page and "&lt;script&gt;" in page


def test_damage_inside_the_catalogue_is_one_sentence(tmp_path: Path) -> None:
    with CampaignIndex.of(tmp_path) as catalogue:
        with catalogue.transaction() as db:
            for number in range(3_000):
                add_page(db, f"http://e.org/{number}")
        catalogue.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray((tmp_path / FILE).read_bytes())
    data[40_000:] = b"\xff" * (len(data) - 40_000)
    (tmp_path / FILE).write_bytes(bytes(data))
    with pytest.raises(ArchiveError, match="delete it"), CampaignIndex.of(tmp_path) as catalogue:
        catalogue.rows("SELECT count(url), max(title) FROM page NOT INDEXED")
