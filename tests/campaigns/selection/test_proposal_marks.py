"""The proposal as people mark it: looked through and marked line by line, and counted for every threshold."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.campaigns.analysis.campaign_index import CampaignIndex, page_key
from siteseer.campaigns.selection.proposal import ProposedPage, read_proposal, write_proposal
from siteseer.campaigns.selection.proposal_marks import (
    ProposalFilter,
    filter_lines,
    mark_found,
    mark_lines,
    with_site_marks,
)
from siteseer.campaigns.selection.select_records import choose
from siteseer.campaigns.selection.threshold_counts import count_thresholds
from siteseer.collection.lock import hold_lock
from siteseer.collection.state import State
from siteseer.errors import UsageError

KELP = [
    ProposedPage("site", 0.4, "b.org", "", "1 of 1 pages from 0.5 on"),
    ProposedPage("page", 0.4, "http://b.org/", "Tea", "relevance 0.40"),
    ProposedPage("site", 0.6, "a.org", "", "1 of 3 pages from 0.5 on"),
    ProposedPage("page", 0.9, "http://a.org/kelp", "Kelp", "relevance 0.90 (kelp)"),
    ProposedPage("page", 0.3, "http://a.org/", "Start", "relevance 0.30"),
    ProposedPage("page", 0.0, "http://a.org/copy", "Kelp", "the same text as http://a.org/kelp; relevance 0.90"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_proposal(tmp_path / "proposal.tsv", KELP)
    return tmp_path / "proposal.tsv"


def found(file: Path, limit: int = 50, offset: int = 0, **sought: str) -> list[str]:
    return [one.proposed.address for one in filter_lines(file, ProposalFilter(**sought), limit, offset)[1]]


def test_sites_stand_by_their_degree_each_with_its_pages(file: Path) -> None:
    assert found(file, kind="site") == ["a.org", "b.org"]
    assert found(file)[:2] == ["a.org", "http://a.org/kelp"] and found(file)[4:] == ["b.org", "http://b.org/"]
    write_proposal(file, [])
    assert found(file) == []


def test_words_site_and_marks_find_and_pages_turn(file: Path) -> None:
    assert found(file, kind="page", words="KELP 0.90") == ["http://a.org/kelp", "http://a.org/copy"]
    assert found(file, kind="page", site="b.org") == ["http://b.org/"]
    assert filter_lines(file, ProposalFilter("page"), 2, 1)[0] == 4
    assert found(file, 2, 1, kind="page") == ["http://a.org/", "http://a.org/copy"]
    mark_lines(file, {"a.org": "accept", "http://a.org/": "reject"})
    assert found(file, kind="page", mark="accept") == ["http://a.org/kelp"], "who accepts a site wants no copies"
    assert found(file, kind="page", mark="?") == ["http://a.org/copy", "http://b.org/"]


def test_the_mark_of_a_site_counts_for_its_own_pages_in_any_order_of_lines(file: Path) -> None:
    mark_lines(file, {"a.org": "accept", "b.org": "reject"})
    rows = file.read_text().splitlines()
    file.write_text("\n".join([*rows[:3], *sorted(rows[3:], key=lambda row: row.split("\t")[2])]) + "\n")
    assert found(file, kind="page", mark="accept") == ["http://a.org/", "http://a.org/kelp"]
    assert found(file, kind="page", mark="reject") == found(file, kind="page", site="b.org") == ["http://b.org/"]
    assert count_thresholds(file.parent, file).accepted == 2


def test_marking_changes_marks_and_nothing_else(file: Path) -> None:
    before = "# mine\n\n" + file.read_text() + "# the end"
    file.write_text("\ufeff" + before)
    assert mark_lines(file, {"http://b.org/": "accept", "a.org": "reject"}) == 2
    after = file.read_text()
    assert after == before.replace("?\tpage\t0.4", "accept\tpage\t0.4").replace("?\tsite\t0.6", "reject\tsite\t0.6")
    assert mark_lines(file, {"a.org": "reject"}) == 0
    with pytest.raises(UsageError, match=r"nobody proposed 'http://c.org/'"):
        mark_lines(file, {"http://c.org/": "accept", "a.org": "?"})
    assert file.read_text() == after and list(file.parent.glob(".*")) == []
    assert mark_found(file, ProposalFilter("page", words="kelp"), "reject") == 2
    assert mark_found(file, ProposalFilter("page", mark="accept"), "?") == 1
    write_proposal(file, KELP)
    marks = Counter(one.mark for one in read_proposal(file))
    assert marks == {"?": 3, "reject": 3}, "a new proposal keeps them"


def test_nobody_marks_what_is_being_proposed_again(file: Path) -> None:
    with hold_lock(file.parent), pytest.raises(UsageError, match="being worked on"):
        mark_lines(file, {"a.org": "accept"})
    assert mark_lines(file, {"a.org": "accept"}) == 1
    with pytest.raises(UsageError, match="nothing is proposed"):
        mark_lines(file.with_name("absent.tsv"), {})


def test_a_long_proposal_takes_no_memory(tmp_path: Path) -> None:
    file, pages = tmp_path / "proposal.tsv", 5_000
    many = (ProposedPage("page", 0.5, f"http://a.org/{at}", "Kelp " * 20, "relevance 0.50") for at in range(pages))
    tracemalloc.start()
    try:
        write_proposal(file, chain((KELP[2],), many))
        assert filter_lines(file, ProposalFilter("page", words="kelp"), 10, pages - 5)[0] == pages
        assert mark_found(file, ProposalFilter("page"), "accept") == pages
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < file.stat().st_size / 2, f"{peak:,} of {file.stat().st_size:,} bytes"


MARKS = st.sampled_from(("?", "accept", "reject"))
WEB = st.lists(st.tuples(st.integers(-1, 11), st.integers(0, 1_000), MARKS, st.booleans()), min_size=1, max_size=12)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(web=WEB, of_site=MARKS, threshold=st.one_of(st.none(), st.integers(0, 1_000)))
def test_the_tally_counts_what_is_chosen(
    tmp_path_factory: pytest.TempPathFactory,
    web: list[tuple[int, int, str, bool]],
    of_site: str,
    threshold: int | None,
) -> None:
    folder = tmp_path_factory.mktemp("tally")
    state = State(folder / "sites" / "s")
    lines = [ProposedPage("site", 0.5, "a.org", "", "", of_site)]
    with CampaignIndex.of(folder) as catalogue:
        with catalogue.transaction() as db:
            for number, (referrer, degree, mark, is_copy) in enumerate(web):
                url = f"http://a.org/{number}"
                row = (page_key(url), url, number + 1, page_key(f"http://a.org/{referrer}") if referrer >= 0 else None)
                db.execute("INSERT INTO page (key, site, url, capture, referrer) VALUES (?, 's', ?, ?, ?)", row)
                state.db.execute(
                    "INSERT INTO captures (id, url, key, file, offset, length, status, title) "
                    "VALUES (?, ?, ?, 'f', ?, 10, 200, '')",
                    (number + 1, url, url.encode(), 10 * number),
                )
                lines.append(
                    ProposedPage("page", degree / 1_000, url, "", "the same text as x" if is_copy else "r", mark)
                )
        state.commit()
        state.close()
        at = None if threshold is None else threshold / 1_000
        slow = Counter(one.role for one in choose(catalogue, with_site_marks(lines, {"a.org": of_site}), at))
    write_proposal(folder / "proposal.tsv", lines)
    mark_lines(folder / "proposal.tsv", {one.address: one.mark for one in lines})
    counted = count_thresholds(folder, folder / "proposal.tsv").at(at)
    assert (counted["pages"], counted["on_the_way"]) == (slow["page"], slow["way"])
    assert counted["bytes"] == 10 * slow.total() and counted["proposed"] == len(web)
