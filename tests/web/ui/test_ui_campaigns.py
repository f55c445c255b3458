"""Campaigns in a real browser: defined in a form, completed by a reference crawl, run and watched."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

import pytest
from playwright.sync_api import expect

from siteseer.campaigns.analysis.report_page import TABLES, report_page
from siteseer.campaigns.ledger_schema import SCHEMA
from siteseer.campaigns.relevance.definition import Budget, Definition, Politeness, Sites, Stores
from siteseer.campaigns.selection.proposal import ProposedPage, write_proposal
from siteseer.campaigns.vocabulary.reference_crawl import Proposal, write_proposals
from siteseer.demo import Server
from siteseer.web.ui.campaign.definition_fields import FIELDS, POLITE
from siteseer.web.ui.texts import texts_campaign
from tests.web.chromium import Interface, interface
from tests.web.evil import ATTACKS, RUN
from tests.web.test_campaigns import TEXT, topical

EVIL = " ".join(ATTACKS)


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(topical()) as server:
        yield server


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with a campaign whose every field holds scripts."""
    folder = tmp_path_factory.mktemp("campaigns") / "library"
    evil = folder / "evil"
    evil.mkdir(parents=True)
    words = re.sub(r"[\"\\\t\n]", " ", EVIL)[:190]
    (evil / "campaign.toml").write_text(TEXT.replace('"Kelp"', f"'''{words.replace(chr(39), ' ')}'''"))
    (evil / "campaign.terms.tsv").write_text(write_proposals([Proposal("word", words, 0.5, 3, 1)]))
    db = sqlite3.connect(evil / "campaign.db")
    db.executescript(SCHEMA)
    db.execute("INSERT INTO sites (host, best, trust, status, reason) VALUES (?, 1, 1, ?, ?)", (EVIL, EVIL, EVIL))
    db.execute("INSERT INTO workers VALUES (?, ?, ?, 1, 2, 3, 4, 5)", (EVIL, EVIL, EVIL))
    db.commit()
    db.close()
    _analysed(evil)
    return folder


def _analysed(evil: Path) -> None:
    """Write report, changes and proposal as an analysis leaves them, scripts in every field."""
    times = {"clock": "published", "step": "year", "times": ["2019", EVIL], "objects": [1, 2], "undated": 3}
    counts = dict.fromkeys(("new", "gone", "changed", "edited", "same", "not asked"), 1)
    result = {
        "campaign": EVIL, "totals": {"sites": 1, "pages": 2}, "terms": [{**times, "terms": {EVIL: [1, 2]}}],
        "crawls": [{"site": EVIL, "crawl": 2, "started": EVIL, "pages": counts, "objects": counts}],
        **{key: [] for key, *_ in TABLES},
    }  # fmt: skip
    folder = evil / "reports" / "analysis"
    folder.mkdir(parents=True)
    (folder / "report.json").write_text(json.dumps(result))
    (folder / "report.html").write_text(report_page(result, {}))
    change = {"change": "new", "kind": "page", "url": f"javascript:{RUN}", "title": EVIL, "because": EVIL}
    (folder / "changes.jsonl").write_text(json.dumps(change) + "\n")
    page = ProposedPage("page", 0.5, f"javascript:{RUN}", EVIL, EVIL)
    write_proposal(evil / "proposal.tsv", [ProposedPage("site", 0.5, EVIL, "", EVIL), page])


@pytest.fixture(scope="module")
def running(crawled: Path) -> Iterator[Interface]:
    with interface(crawled) as started:
        yield started


def state(page: Any) -> Any:
    return page.locator("span.pill[role=status]")


def test_a_campaign_from_its_definition_to_its_last_page(page, running, crawled, site):
    page.goto(running.at("/campaigns"))
    page.get_by_role("button", name=texts_campaign.NEW).click()
    page.get_by_label(texts_campaign.FOLDER).fill("kelp")
    page.get_by_label(texts_campaign.LABELS["name"]).fill("Kelp")
    page.get_by_label(texts_campaign.LABELS["seeds"]).fill(f"a.localhost:{site.port}")
    page.get_by_label(texts_campaign.LABELS["keywords"]).fill("kelp")
    page.get_by_label(texts_campaign.LABELS["entities"]).fill("Harbour Board = HB, the Board")
    page.get_by_label(texts_campaign.LABELS["since"]).fill("in May")
    page.get_by_label(texts_campaign.LABELS["social"]).fill("3")
    page.get_by_label(POLITE["delay"].label).fill("0")
    page.get_by_label(texts_campaign.LABELS["objects"]).fill("host")
    page.get_by_label(texts_campaign.LABELS["requests"], exact=True).fill("14")
    page.get_by_role("button", name=texts_campaign.CREATE).click()
    expect(page.get_by_text("'since' wants a day such as 2019-03-31, not 'in May'")).to_be_visible()
    expect(page.get_by_text("'social' wants a number from 0 to 1, not 3")).to_be_visible()
    expect(page.get_by_text("'objects' wants a SPARQL endpoint")).to_be_visible()
    page.get_by_label(texts_campaign.LABELS["objects"]).fill("")
    page.get_by_label(texts_campaign.LABELS["since"]).fill("")
    page.get_by_label(texts_campaign.LABELS["social"]).fill("0.25")
    page.get_by_role("button", name=texts_campaign.CREATE).click()
    expect(page.get_by_role("heading", name="kelp")).to_be_visible()
    text = (crawled / "kelp" / "campaign.toml").read_text()
    for said in ('aliases = ["HB", "the Board"]', "social = 0.25", "[budget]\nrequests = 14", "delay = 0"):
        assert said in text
    _learn(page, crawled)
    _run(page)


def _learn(page: Any, crawled: Path) -> None:
    page.get_by_label(texts_campaign.LEARN_LIMIT).fill("12")
    page.get_by_role("button", name=texts_campaign.LEARN).click()
    expect(state(page)).to_have_text(texts_campaign.PHASES["learned"])
    page.get_by_role("tab", name=texts_campaign.TABS["terms"]).click()
    page.get_by_label("Weight of frond", exact=True).fill("0.35")
    page.get_by_label("Your word on frond", exact=True).get_by_role("button", name="accept").click()
    page.get_by_role("button", name=texts_campaign.TAKE).click()
    expect(page.get_by_text("1 terms and sites now belong to the definition")).to_be_visible()
    assert 'terms."frond" = 0.35' in (crawled / "kelp" / "campaign.toml").read_text()
    page.get_by_role("tab", name=texts_campaign.TABS["text"]).click()
    expect(page.get_by_label(texts_campaign.TABS["text"], exact=True).last).to_have_value(re.compile("frond"))


def _run(page: Any) -> None:
    page.get_by_role("tab", name=texts_campaign.TABS["progress"]).click()
    page.get_by_role("button", name=texts_campaign.GO_ON).click()
    expect(page.get_by_text(texts_campaign.STOPPED_BY["limit"])).to_be_visible()
    expect(state(page)).to_have_text(texts_campaign.PHASES["stopped"])
    tile = page.locator(".tile").filter(has_text=re.compile("requests$")).locator(".number")
    expect(tile).to_have_text("14")
    expect(page.locator("table.campaign-sites tbody tr")).to_have_count(2)
    page.get_by_label(texts_campaign.SITE_WORDS).fill("b.local")
    expect(page.locator("table.campaign-sites tbody tr")).to_have_count(1)
    page.get_by_label(texts_campaign.SITE_WORDS).fill("")
    expect(page.locator("table.campaign-sites tbody tr")).to_have_count(2)
    where = page.locator("table.campaign-sites a").first.get_attribute("href")
    assert where.endswith("/result")
    page.goto(urljoin(page.url, where))
    expect(page.locator(".page-content")).to_contain_text("requests")


def test_text_and_form_show_the_same_definition(page, running, crawled):
    folder = crawled / "text"
    folder.mkdir()
    (folder / "campaign.toml").write_text(TEXT)
    page.goto(running.at("/campaigns/text"))
    page.get_by_label(texts_campaign.LABELS["languages"]).fill("en, de")
    page.get_by_role("button", name=texts_campaign.SAVE).first.click()
    expect(page.get_by_text(texts_campaign.SAVED)).to_be_visible()
    assert (folder / "campaign.toml").read_text() == TEXT + 'languages = ["en", "de"]\n'
    page.get_by_role("tab", name=texts_campaign.TABS["text"]).click()
    area = page.get_by_label(texts_campaign.TABS["text"], exact=True).last
    area.fill(TEXT + "nam = 1\n")
    page.get_by_role("button", name=texts_campaign.SAVE).last.click()
    expect(page.get_by_text("line 4: there is no key 'nam'; did you mean 'name'?").first).to_be_visible()
    assert "nam" not in (folder / "campaign.toml").read_text().replace("name", "")


def test_a_campaign_that_is_not_there_is_told_within_the_interface(page, running):
    assert page.goto(running.at("/campaigns/nope")).status == 200
    expect(page.get_by_text("there is no campaign 'nope' here")).to_be_visible()
    expect(page.get_by_role("link", name=texts_campaign.ALL)).to_be_visible()


def test_a_definition_that_cannot_be_read_is_mended_as_text(page, running, crawled):
    folder = crawled / "broken"
    folder.mkdir()
    (folder / "campaign.toml").write_text('name = "Kelp')
    page.goto(running.at("/campaigns/broken"))
    expect(page.get_by_text("the definition is no TOML")).to_be_visible()
    expect(page.get_by_role("button", name=texts_campaign.CHECK)).to_have_count(0)
    page.get_by_role("tab", name=texts_campaign.TABS["text"]).click()
    page.get_by_label(texts_campaign.TABS["text"], exact=True).last.fill(TEXT)
    page.get_by_role("button", name=texts_campaign.SAVE).last.click()
    expect(page.get_by_text("the definition is no TOML")).to_have_count(0)
    page.get_by_role("tab", name=texts_campaign.TABS["definition"]).click()
    expect(page.get_by_label(texts_campaign.LABELS["name"])).to_have_value("Kelp")
    assert (folder / "campaign.toml").read_text() == TEXT


def test_nothing_that_comes_from_elsewhere_runs_and_all_fits_a_telephone(context, running):
    tab = context.new_page()
    events: list[str] = []
    tab.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
    tab.on("console", lambda message: events.append("a script ran") if message.text == "pwned" else None)
    tab.goto(running.link)
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto(running.at("/campaigns/evil"))
    expect(tab.get_by_role("heading", name="evil")).to_be_visible()
    for said in texts_campaign.TABS.values():
        tab.get_by_role("tab", name=said).click()
        expect(tab.get_by_role("tab", name=said)).to_have_attribute("aria-selected", "true")
        tab.wait_for_function("document.documentElement.scrollWidth <= 390")  # once the panel has slid in
    tab.get_by_role("tab", name=texts_campaign.TABS["terms"]).click()
    expect(tab.locator("table.terms tbody tr")).to_contain_text("<script>")
    tab.get_by_role("tab", name=texts_campaign.TABS["progress"]).click()
    expect(tab.locator("table.campaign-sites tbody tr").first).to_contain_text(f"<script>{RUN}")
    expect(tab.locator(".panel").filter(has_text=texts_campaign.WORKERS).locator("tbody tr")).to_have_count(1)
    tab.get_by_role("tab", name=texts_campaign.TABS["report"]).click()
    expect(tab.locator(".changes .line")).to_contain_text(f"<script>{RUN}")
    where = tab.get_by_role("link", name=texts_campaign.WHOLE_REPORT).get_attribute("href")
    tab.get_by_role("tab", name=texts_campaign.TABS["selection"]).click()
    expect(tab.locator(".proposal .line")).to_contain_text(f"<script>{RUN}")
    tab.goto(running.at("/campaigns/evil?tab=selection&site=" + quote(re.sub(r"\s+", " ", EVIL))))
    expect(tab.locator(".proposal .empty")).to_be_visible()
    tab.wait_for_function("document.documentElement.scrollWidth <= 390")
    tab.goto(where)
    expect(tab.get_by_role("heading", level=1)).to_contain_text(f"<script>{RUN}")
    tab.goto(running.at("/campaigns"))
    expect(tab.get_by_text("evil", exact=True)).to_be_visible()
    assert tab.locator("main script, iframe[srcdoc], object").count() == 0
    tab.close()
    assert events == []


def test_the_form_has_a_field_for_everything_that_a_person_may_say():
    tables = {"budget": Budget, "politeness": Politeness, "sites": Sites, "stores": Stores}
    known = {("", one.name) for one in fields(Definition) if one.name not in (*tables, "learned")}
    known |= {(table, one.name) for table, kind in tables.items() for one in fields(kind)} - {("politeness", "hosts")}
    assert {(table, key) for section in FIELDS.values() for table, key, *_ in section} == known


def test_every_text_of_the_views_is_used():
    folder = Path(texts_campaign.__file__).parents[1]
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    names = [name for name in vars(texts_campaign) if name.isupper()]
    assert len(names) > 30
    assert [name for name in names if not re.search(rf"\btexts\.{name}\b", code)] == []
