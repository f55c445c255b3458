"""What is said of a list of sites after it was read counts for what the list leads to."""

from __future__ import annotations

from pathlib import Path

from siteseer.campaigns.campaign_ledger import CampaignLedger, Letter

LIST, NAMED = "http://list.example/links.html", "http://named.example/"


def promised(ledger: CampaignLedger, host: str) -> float:
    return ledger.sites("host = ?", (host,))[0].best


def read_list(tmp_path: Path) -> CampaignLedger:
    """Return a ledger that knows a list which one page links to, and a site that the list names."""
    ledger = CampaignLedger(tmp_path, 10, 0.5)
    ledger.deliver(Letter(LIST, 0.2, "a link", "one.example", 0.2, "http://one.example/"))
    ledger.deliver(Letter(NAMED, 0.18, "in a list", "list.example", 0.18, LIST, team=7))
    return ledger


def test_further_sources_of_a_list_raise_what_it_names(tmp_path: Path) -> None:
    ledger = read_list(tmp_path)
    for number in range(6):
        ledger.deliver(Letter(LIST, 0.3, "a link", f"{number}.example", 0.3, f"http://{number}.example/"))
    assert promised(ledger, "named.example") > 0.5
    because = ledger.letters("named.example")[1][-1][2]
    assert because.startswith("the list that names it was linked by")


def test_the_same_source_counts_once(tmp_path: Path) -> None:
    ledger = read_list(tmp_path)
    ledger.deliver(Letter(LIST, 0.3, "a link", "two.example", 0.3, "http://two.example/"))
    once = promised(ledger, "named.example")
    for number in range(20):
        ledger.deliver(Letter(LIST, 0.3, "a link", "two.example", 0.3, f"http://two.example/{number}"))
    assert promised(ledger, "named.example") == once


def test_lists_that_name_each_other_come_to_rest(tmp_path: Path) -> None:
    ledger = read_list(tmp_path)
    other = "http://other.example/links.html"
    ledger.deliver(Letter(other, 0.18, "in a list", "list.example", 0.18, LIST, team=7))
    ledger.deliver(Letter(LIST, 0.17, "in a list", "other.example", 0.17, other, team=8))
    for number in range(30):
        ledger.deliver(Letter(LIST, 0.9, "a link", f"{number}.example", 0.9, f"http://{number}.example/"))
    assert 0.8 < promised(ledger, "other.example") <= 1.0
    assert 0.8 < promised(ledger, "list.example") <= 1.0
