"""A wiki crawled with plain defaults: its talk pages are kept, their posts have authors, and its version is told."""

import re
from collections.abc import Callable
from pathlib import Path

from siteseer.collection.state import State
from siteseer.measure.certificate.skipped_urls import not_covered
from tests.crawler.small_site import Answer, SmallSite

TITLES = ["Main_Page", *(f"Tree_{letter}" for letter in "abcdefghijk")]
TALK = [*(f"Talk:{title}" for title in TITLES[:6]), "Talk:Tree_a/Archive_1"]
"""Nothing but the list of talk pages leads to the archive."""


def link(title: str) -> str:
    return f'<a href="/wiki/{title}">{title}</a>'


def frame(title: str, kind: str, inside: str) -> bytes:
    talk = title if title in TALK else f"Talk:{title}"
    way = link(talk) if talk in TALK else f'<a href="/w/index.php?title={talk}&amp;action=edit&amp;redlink=1">Talk</a>'
    return (
        '<html><head><meta name="generator" content="MediaWiki 1.39.17"></head>'
        f'<body class="mediawiki {kind}"><h1 id="firstHeading">{title}</h1><div id="mw-content-text">{inside}</div>'
        f'<ul><li id="ca-talk">{way}</li><li id="t-specialpages">{link("Special:SpecialPages")}</li></ul>'
        '<ul><li id="footer-info-lastmod">This page was last edited on 3 May 2020, at 12:04.</li></ul>'
    ).encode()


def answer(path: str, headers: dict[str, str]) -> Answer:
    html = {"Content-Type": "text/html; charset=utf-8"}
    if path == "/":
        return 301, {"Location": "/wiki/Main_Page"}, b""
    title = path.removeprefix("/wiki/")
    if found := re.fullmatch(r"Special:AllPages(?:\?namespace=(1))?", title):
        rows = "".join(f"<li>{link(one)}</li>" for one in (TALK if found[1] else TITLES))
        kind = "ns--1 ns-special mw-special-Allpages"
        return 200, html, frame(title, kind, f'<div class="mw-allpages-body"><ul>{rows}</ul></div>')
    number = (TITLES + TALK).index(title) if title in TITLES + TALK else None
    if number is None:
        return 404, html, b""
    if title in TITLES:
        return (
            200,
            html,
            frame(title, "ns-0 ns-subject", f"<p>Tree number {number} grows {'very ' * number}slowly.</p>"),
        )
    sign = f"{link('User:Ada')} ({link('User_talk:Ada')}) 1{number % 10}:00, 3 May 2020 (UTC)"
    return 200, html, frame(title, "ns-1 ns-talk", f"<h2>Age</h2><p>Is tree {number} really that old? {sign}</p>")


def titles(site: SmallSite) -> list[str]:
    return [one.path.removeprefix("/wiki/") for one in site.seen if one.path.startswith("/wiki/")]


def test_talk_pages_are_kept_with_the_authors_of_their_posts(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        summary = run_crawl(f"{site.url}/", strategy="auto")
    assert sorted(one for one in titles(site) if "Special:" not in one) == sorted([*TITLES, *TALK, "User_talk:Ada"])
    assert summary["objects"] == {"page": len(TITLES + TALK), "comment": len(TALK)}
    assert (summary["application"], summary["version"]) == ("mediawiki", "1.39.17")
    assert (summary["failed_actions"], summary["adapted_actions"]) == (0, 0), "all that is known works"
    state = State(tmp_path / "collection")
    found = list(state.rows("SELECT object FROM objects WHERE kind = 'comment'"))
    assert len(found) == len(TALK) and all('"Ada"' in text for (text,) in found)


def test_talk_pages_that_a_person_leaves_out_are_not_missing(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        summary = run_crawl(f"{site.url}/", strategy="auto", policies=("talk=no",))
    assert not any("alk:" in one for one in titles(site))
    assert summary["objects"] == {"page": len(TITLES)}
    assert summary["skipped"]["--policy talk=no (talk page)"] == 6
    assert not_covered(State(tmp_path / "collection"))["excluded"] == 6
