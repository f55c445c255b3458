"""What was marked in the designer, saved as knowledge: a crawl of the site finds the records."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from siteseer.collection.description import Description
from siteseer.collection.objects.object_search import Filter
from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.errors import UsageError
from siteseer.fetch.fetch_one import fetch_page
from siteseer.page.tree import tree
from siteseer.settings import CrawlOptions
from siteseer.web.designer.assets import Assets
from siteseer.web.designer.browsers import Browsers
from siteseer.web.designer.live_browser import View
from siteseer.web.designer.save_knowledge import save_knowledge
from siteseer.web.designer.workbench import Workbench
from siteseer.wrapper.designer.mark_records import next_choices
from siteseer.wrapper.designer.page_snapshot import Snapshot
from siteseer.wrapper.designer.propose_records import proposed_next, proposed_parts, proposed_records
from siteseer.wrapper.designer.wrapper_draft import Draft


def marked(url: str) -> Workbench:
    """Return a bench on which the records of a page were found."""
    root = tree(fetch_page(url))
    elements = {number: one for number, one in enumerate(root.iter(), 1) if isinstance(one.tag, str)}
    snapshot = Snapshot(url, "", url, root, elements)
    record = proposed_records(snapshot)[0]
    following = next_choices(snapshot, proposed_next(snapshot) or 0)[0]
    bench = Workbench(Browsers(most=0))
    bench.view = View(snapshot, Assets())
    bench.state = type(bench.state)(Draft(url, (), record, proposed_parts(snapshot, record), following))
    return bench


def test_a_crawl_finds_what_was_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITESEER_KNOWLEDGE", str(tmp_path / "own"))
    with Server(make_site("estate", 4, template="classic", size=23)) as site:
        url = f"{site.url}/results?sale_type_id=2"
        bench = marked(url)
        path = save_knowledge(bench, "agency")
        assert path == tmp_path / "own" / "agency.xml"
        with pytest.raises(UsageError, match="exists already"):
            save_knowledge(bench, "agency")
        with pytest.raises(UsageError):
            save_knowledge(bench, "../agency")
        folder = tmp_path / "crawled"
        crawl(CrawlOptions((url,), folder, "aware", delay=0.0, robots="ignore", assets="none", browser="never"))
        wanted = [text for text in site.site.truth.texts if "Lettings" in text.tags]
        with Description(folder) as found:
            objects = list(found.objects(Filter(kind="record")))
    assert {one["title"] for one in objects} == {text.title for text in wanted}
    assert len(objects) == len(wanted)


def test_browsers_that_nobody_uses_are_ended() -> None:
    now = [0.0]
    browsers = Browsers(most=2, idle_seconds=100, clock=lambda: now[0])
    first, second = browsers.live(), browsers.live()
    with pytest.raises(UsageError, match="2 browsers are open already"):
        browsers.live()
    now[0] = 90.0
    browsers.used(second)
    now[0] = 150.0
    browsers.sweep()
    assert (first.is_open, second.is_open, browsers.count()) == (False, True, 1)
    with pytest.raises(UsageError, match="has ended"):
        asyncio.run(first.ask(first.look_again))
    with pytest.raises(UsageError, match="no page is open"):
        asyncio.run(second.ask(second.look_again))
    browsers.close()
    assert browsers.count() == 0 and not second.is_open
