"""Edits that no list tells of: pages captured once are visited in the order in which their kind tends to change."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from siteseer.changes.timestamps.sitemap import SitemapEntry
from siteseer.crawl.run import crawl
from siteseer.decide.revisit_evidence import RevisitEvidence, age_class, frequency_class, newest_day
from siteseer.demo import Server, make_site
from siteseer.demo.site import Site, SiteRequest, SiteResponse, local_path
from siteseer.model import Page
from siteseer.present.cli.revisit import sources
from siteseer.settings import CrawlOptions

HTML = (("Content-Type", "text/html"),)
NOW = datetime(2024, 6, 1, tzinfo=UTC)
WORDS = "river boat water hill stone bread lamp wind door field horse paper glass kettle tower garden".split()


def site_of(pages: dict[str, int], extra: dict[str, str] | None = None) -> Site:
    """Return a site of sections; the number of a page says how often it was edited."""
    sections = sorted({path.split("/")[1] for path in pages})
    menu = "".join(f"<a href=/in/{one}>{one}</a> " for one in sections)

    def text(path: str, edits: int) -> str:
        chance = random.Random(f"{path} {edits}")
        return " ".join(chance.choice(WORDS) for _ in range(120))

    shown = {"/": menu, **(extra or {})}
    for one in sections:
        shown[f"/in/{one}"] = menu + "".join(f"<p><a href={p}>{p}</a></p>" for p in pages if p.startswith(f"/{one}/"))
    for path, edits in pages.items():
        shown[path] = f"<title>{path}</title>{menu}<h1>{path}</h1><p>{text(path, edits)}</p>"

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path not in shown:
            return SiteResponse(404)
        kind = {"xml": "application/xml", "txt": "text/plain"}.get(request.path.rpartition(".")[2], "text/html")
        body = shown[request.path].replace("{origin}", request.origin)
        return SiteResponse(200, (("Content-Type", kind),), body.encode())

    return replace(make_site("blog", seed=0, template="classic", size=1), answer=answer)


def revisit(before: Site, after: Site, place: Path, budget: int) -> list[str]:
    with Server(before) as server:
        crawl(CrawlOptions((server.url + "/",), place, "blind", delay=0.0, assets="none"))
        server.site = after
        server.log.clear()
        seeds = tuple(sources(place))
        crawl(CrawlOptions(seeds, place, "revisit", recrawl=True, delay=0.0, assets="none", limit=budget))
        return [local_path(entry.path) for entry in server.log]


def test_edits_in_one_section_are_found_with_a_budget_of_a_third(tmp_path: Path) -> None:
    pages = {f"/{section}/p{n}": 0 for section in ("api", "guide", "news", "people", "plans") for n in range(24)}
    chance = random.Random(4)
    edited = {path for path in pages if path.startswith("/guide/") and chance.random() < 0.7}
    after = {path: int(path in edited) for path in pages} | {"/api/new": 0, "/guide/new": 0}
    asked = revisit(site_of(pages), site_of(after), tmp_path, int(0.3 * len(pages)) + 8)
    assert {"/api/new", "/guide/new"} <= set(asked)
    assert len(edited & set(asked)) >= 0.8 * len(edited)
    assert len(asked) <= int(0.3 * len(pages)) + 9


def test_new_pages_of_a_sitemap_without_dates_are_found(tmp_path: Path) -> None:
    def mapped(paths: list[str]) -> dict[str, str]:
        urls = "".join(f"<url><loc>{{origin}}{path}</loc></url>" for path in paths)
        parts = "<sitemapindex><sitemap><loc>{origin}/part.xml</loc></sitemap></sitemapindex>"
        return {
            "/robots.txt": "Sitemap: {origin}/sitemap.xml",
            "/sitemap.xml": parts,
            "/part.xml": f"<urlset>{urls}</urlset>",
        }

    pages = {f"/notes/p{n}": 0 for n in range(12)}
    before, after = (site_of(pages, mapped([*pages, *more])) for more in ([], ["/hidden/new"]))
    shown = {**pages, "/hidden/new": 0}
    after = site_of(shown, {**mapped(list(shown)), "/in/hidden": "<p>Nothing", "/": "<a href=/in/notes>notes</a>"})
    assert "/hidden/new" in revisit(before, after, tmp_path, 40)


def test_classes_of_pages() -> None:
    assert age_class(1).expected > age_class(60).expected > age_class(4000).expected
    assert frequency_class("hourly").expected > frequency_class("monthly").expected > frequency_class("never").expected
    shown = Page(
        "http://e.org/a", 200, HTML, b"<p>Written 3 May 2024, see also 1 May 2031", datetime(2024, 5, 9, tzinfo=UTC)
    )
    assert newest_day(shown) == "2024-05-03"
    assert newest_day(Page("http://e.org/a.xml", 200, (("Content-Type", "image/png"),), b"x")) is None


def test_evidence_of_sitemap_feed_and_address() -> None:
    urls = (
        [f"http://e.org/n/{n}" for n in range(4)] + [f"http://e.org/m/{n}" for n in range(4)] + ["http://e.org/x.css"]
    )
    evidence = RevisitEvidence({urls[0]: "post"}, lambda _: None)
    evidence.hear_sitemap(
        {urls[0]: SitemapEntry(urls[0], "2024-05-30", "daily"), urls[1]: SitemapEntry(urls[1], "", "never")}
    )
    evidence.hear_feed([urls[2]])
    evidence.hear_list(urls[:4])
    found = evidence.of(urls, {urls[7]}, NOW)
    of_first = {one.feature: one.value for one in found.classes[urls[0]]}
    assert of_first == {
        "shape": "http://e.org/n/#",
        "address": "/n/",
        "level": "post",
        "age": "2",
        "frequency": "daily",
        "told": "sitemap",
    }
    assert {one.value for one in found.classes[urls[1]]} >= {"never", "/n/"}
    assert "feed" in {one.value for one in found.classes[urls[2]]}
    assert set(found.left_out) == {urls[7], urls[8]}
    assert urls[:4] in [list(one) for one in found.lists]
