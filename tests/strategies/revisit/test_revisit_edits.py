"""Edits that no list tells of: pages captured once are visited in the order in which their kind tends to change."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from siteseer.crawler.revisit_options import sources
from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.demo.site import Site, SiteRequest, SiteResponse, local_path
from siteseer.extract.timestamps.sitemap_dates import SitemapEntry
from siteseer.model import Page
from siteseer.settings import CrawlOptions
from siteseer.strategies.revisit.change_evidence import RevisitEvidence, age_class, frequency_class, newest_day

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
        "level": "post",
        "age": "2",
        "frequency": "daily",
        "told": "sitemap",
    }
    assert {one.value for one in found.classes[urls[1]]} >= {"never", "http://e.org/n/#"}
    assert "feed" in {one.value for one in found.classes[urls[2]]}
    assert set(found.left_out) == {urls[7], urls[8]}
    assert urls[:4] in [list(one) for one in found.lists]


def test_new_pages_that_are_most_of_a_list_are_found_by_its_earlier_capture(tmp_path: Path) -> None:
    pages = {f"/notes/p{n}": 0 for n in range(9)}

    def listed(paths: list[str]) -> dict[str, str]:
        rows = "".join(f"<p><a href={path}>{path}</a></p>" for path in paths[:8])
        return {"/": rows, "/in/notes": "<p>Nothing"}

    new = [f"/other/form/{n}/" for n in (31, 47, 52, 68, 75)]
    before = site_of(pages, listed(list(pages)))
    after = site_of(pages | dict.fromkeys(new, 0), {**listed([*new, *pages]), "/in/other": ""})
    assert set(new) <= set(revisit(before, after, tmp_path, 12))


def in_parts(shelves: dict[str, list[str]], shown: int) -> Site:
    """Return a site whose first page names shelves; their lists, in parts, alone name pages."""
    extra = {"/": "".join(f"<a href=/in/{shelf}>{shelf}</a> " for shelf in shelves)}
    for shelf, own in shelves.items():
        starts = range(0, len(own), shown)
        parts = {f"/of?shelf={shelf}&p={n}" if n > 1 else f"/of?shelf={shelf}": at for n, at in enumerate(starts, 1)}
        pager = "<p>" + " ".join(f"<a href='{path}'>{n}</a>" for n, path in enumerate(parts, 1)) + "</p>"
        extra[f"/in/{shelf}"] = f"<a href='/of?shelf={shelf}'>All of {shelf}</a>"
        for path, at in parts.items():
            extra[path] = "".join(f"<p><a href={page}>{page}</a></p>" for page in own[at : at + shown]) + pager
    site = site_of({path: 0 for own in shelves.values() for path in own}, extra)

    def answer(request: SiteRequest) -> SiteResponse:
        target = request.target if request.target in extra else request.path
        body = extra.get(target)
        return site.answer(request) if body is None else SiteResponse(200, HTML, body.encode())

    return replace(site, answer=answer)


def test_new_pages_that_only_lists_in_parts_name_are_found_before_the_budget_is_used_up(tmp_path: Path) -> None:
    shelves = {shelf: [f"/{shelf}/p{n}" for n in range(24)] for shelf in ("coins", "maps", "music", "prints")}
    later = {shelf: [f"/{shelf}/new", *own] for shelf, own in shelves.items()}
    asked = revisit(in_parts(shelves, 6), in_parts(later, 6), tmp_path, 14)
    assert {own[0] for own in later.values()} <= set(asked)


def test_lists_whose_pages_a_sitemap_names_are_not_read(tmp_path: Path) -> None:
    parts = {part: [f"/{part}/p{n}" for n in range(12)] for part in ("a/x", "a/y", "b/x")}
    pages = {path: 0 for own in parts.values() for path in own}
    urls = "".join(f"<url><loc>{{origin}}{path}</loc></url>" for path in pages)
    maps = {"/robots.txt": "Sitemap: {origin}/sitemap.xml", "/sitemap.xml": f"<urlset>{urls}</urlset>"}
    home = "".join(f"<a href=/of/{part}>{part}</a> " for part in parts)
    lists = {f"/of/{part}": "".join(f"<p><a href={p}>{p}</a></p>" for p in own) for part, own in parts.items()}
    site = site_of(pages, {**maps, **lists, "/": home})
    asked = revisit(site, site, tmp_path, 14)
    assert not [path for path in asked if path.startswith("/of/")]


def evidence_of(pages: dict[str, str]) -> tuple[RevisitEvidence, list[str]]:
    captures = {
        url: Page(url, 200, HTML, body.encode(), datetime(2024, 5, 21, tzinfo=UTC)) for url, body in pages.items()
    }
    evidence = RevisitEvidence({}, captures.get)
    return evidence, list(captures)


OLDER = "<a href=http://e.org/topic/tea/page/2>Older posts</a>"


def links(*urls: str) -> str:
    return "".join(f"<p><a href={url}>{url}</a></p>" for url in urls)


def test_few_lists_name_all_pages_and_archives_at_rest_are_left() -> None:
    posts = {
        f"http://e.org/post-{n}/": f"<p>Written {1 + n * 7 % 20} {'March 2019' if n < 8 else 'May 2024'}"
        for n in range(30)
    }
    urls = list(posts)
    pages = posts | {
        "http://e.org/2019/03/": links(*urls[:8]),
        "http://e.org/topic/tea": links(*urls[8:20]) + OLDER,
        "http://e.org/topic/tea/page/2": links(*urls[20:26]),
        "http://e.org/topic/boats": links(*urls[20:30]),
        "http://e.org/topic/both": links(*urls[12:24]),
    }
    evidence, known = evidence_of(pages)
    evidence.hear_list(["http://e.org/topic/boats"])
    evidence.read(known, ())
    assert set(evidence.uncovered_lists(())) == {"http://e.org/topic/tea", "http://e.org/topic/boats"}
    evidence.hear_feed(urls[:3])
    assert evidence.uncovered_lists(()) == []


def test_pages_of_one_topic_are_a_kind_and_further_pages_of_lists_bear_no_news() -> None:
    posts = {f"http://e.org/post-{n}/": f"<p>Written {1 + n * 7 % 20} May 2024" for n in range(40)}
    urls = list(posts)
    pages = posts | {
        "http://e.org/topic/tea": links(*urls[:10]) + OLDER,
        "http://e.org/topic/tea/page/2": links(*urls[10:20]),
        "http://e.org/topic/boats": links(*urls[20:40]),
        "http://e.org/short/": links(*urls[:4]),
    }
    evidence, known = evidence_of(pages)
    found = evidence.of(known, set(), NOW).classes
    topics = [{one.value for one in found[url] if one.feature == "listed"} for url in (urls[15], urls[25])]
    assert topics == [{"http://e.org/topic/tea"}, {"http://e.org/topic/boats"}]
    kinds = {url: [one for one in found[url] if one.feature == "list"] for url in known}
    assert [one.expected > 1 for one in kinds["http://e.org/topic/tea"]] == [True]
    assert [one.expected < 1 for one in kinds["http://e.org/topic/tea/page/2"]] == [True]
    assert not kinds[urls[0]]
