"""A whole wiki in memory: every page and talk page with one request; redirects, histories and red links left alone."""

import re

import pytest

from siteseer.interfaces import Verdict
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Follow, Keep, Outcome, Page, Seed
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.aware.crawl_policies import AwareOptions

HOST = "http://wiki.example.org"
FORMS = {"short": "/wiki/", "path": "/index.php/", "query": "/index.php?title=", "root": "/"}
TITLES = ["Main_Page", *(f"Topic_{number:03}" for number in range(60)), "Part/One", "Small_talk:_a_story"]
TALK = [
    *(f"Talk:{title}" for title in TITLES[:30]),
    *("Talk:Topic_003/Archive_1", "Talk:Topic_003/Archive_2", "Talk:A_page_that_was_deleted"),
    *("User_talk:Ada", "User_talk:Bert"),
]
"""Nothing links to the archives, to the talk of a deleted page and to what is written to Bert."""
REDIRECTS = [f"Alias_{number}" for number in range(12)]
PER_LIST = 30


class Host:
    """The scope of one host."""

    def verdict(self, url: str, depth: int = 0) -> Verdict:
        return Verdict(url.startswith(HOST), "same host")


class Wiki:
    """Answers requests as MediaWiki does."""

    def __init__(self, form: str, is_list_hidden: bool, is_french: bool = False) -> None:
        self.prefix, self.is_list_hidden, self.is_french = FORMS[form], is_list_hidden, is_french

    def link(self, title: str, kind: str = "") -> str:
        return f'<a href="{self.prefix}{title}" class="{kind}" title="{title}">{title}</a>'

    def tool(self, title: str, rest: str) -> str:
        return f'<a href="/index.php?title={title}&amp;{rest}">{rest}</a>'

    def answer(self, url: str) -> tuple[int, str]:
        rest = url.removeprefix(HOST)
        if rest == "/":
            return 301, HOST + self.prefix + "Main_Page"
        if self.is_french and "Special:AllPages" in rest:
            return 301, HOST + rest.replace("Special:AllPages", "Sp%C3%A9cial:Toutes_les_pages")
        rest = rest.replace("Sp%C3%A9cial:Toutes_les_pages", "Special:AllPages")
        if found := re.fullmatch(r"(?:.*[/=])?Special:AllPages[&?]namespace=([13])", rest):
            names = [one for one in TALK if one.startswith("User") == (found[1] == "3")]
            return (404, "") if self.is_list_hidden else (200, self.list_of(0, names))
        if found := re.fullmatch(r"/index\.php\?title=Special:AllPages&from=(.+)", rest):
            return 200, self.list_of(TITLES.index(found[1]))
        title = rest.removeprefix(self.prefix) if rest.startswith(self.prefix) else "?"
        if title == "Special:AllPages" and not self.is_list_hidden:
            return 200, self.list_of(0)
        if title == "Special:SpecialPages" and not self.is_list_hidden:
            return 200, self.frame(title, self.link("Special:AllPages"), "ns--1 ns-special mw-special-Specialpages")
        return (200, self.page(title)) if title in TITLES + TALK else (404, "")

    def list_of(self, start: int, names: list[str] | None = None) -> str:
        near = [n for n in (start - PER_LIST, start + PER_LIST) if 0 <= n < len(TITLES) and not names]
        name = "Sp%C3%A9cial:Toutes_les_pages" if self.is_french else "Special:AllPages"
        ways = " | ".join(f'<a href="/index.php?title={name}&amp;from={TITLES[n]}">{n}</a>' for n in near)
        rows = "".join(f"<li>{self.link(title)}</li>" for title in names or TITLES[start : start + PER_LIST])
        rows += "".join(f'<li class="allpagesredirect">{self.link(title, "mw-redirect")}</li>' for title in REDIRECTS)
        nav = f'<div class="mw-allpages-nav">{ways}</div>'
        inside = f'{nav}<div class="mw-allpages-body"><ul class="mw-allpages-chunk">{rows}</ul></div>{nav}'
        return self.frame("Special:AllPages", inside, "ns--1 ns-special mw-special-Allpages")

    def page(self, title: str) -> str:
        number = (TITLES + TALK).index(title)
        around = " ".join(self.link(TITLES[(number * 2 + n) % len(TITLES)]) for n in (1, 2))
        noise = " ".join(map(self.link, ("User:Ada", "File:A.jpg", "Category:B", "Special:Random")))
        noise += self.link(REDIRECTS[0], "mw-redirect") + self.tool("Missing", "action=edit&amp;redlink=1")
        inside = f'<div class="mw-parser-output"><p>Text number {number} of many words. {around} {noise}</p></div>'
        kind = "ns-0 ns-subject" if title in TITLES else f"{'ns-3' if title[0] == 'U' else 'ns-1'} ns-talk"
        signature = self.link("User:Ada") + self.link("User_talk:Ada") + " 12:00, 3 May 2020 (UTC)"
        return self.frame(title, inside + (signature if title in TALK else ""), kind)

    def frame(self, title: str, inside: str, kind: str) -> str:
        tools = "".join(
            self.tool(title, rest) for rest in ("action=edit", "action=history", "oldid=4", "printable=yes")
        )
        places = "".join(map(self.link, ("Special:RecentChanges", "Wiki:About")))
        talk = f"Talk:{title}" if title in TITLES else title
        way = self.link(talk) if talk in TALK else self.tool(talk, "action=edit&amp;redlink=1")
        places += f'<ul><li id="ca-talk">{way}</li></ul>'
        places += f'<ul><li id="t-specialpages">{self.link("Special:SpecialPages")}</li></ul>'
        return (
            f'<html><body class="mediawiki {kind} skin-unheard-of"><h1 id="firstHeading">{title.replace("_", " ")}</h1>'
            f'<div id="bodyContent"><div id="mw-content-text">{inside}</div></div><nav>{tools}{places}</nav>'
        )


def crawl(wiki: Wiki, policies: dict[str, str] | None = None) -> tuple[list[str], list[Keep]]:
    strategy = AwareStrategy(KnowledgeBase.shipped(), Host(), AwareOptions(policies or {}))
    waiting = [one for one in strategy.start([Seed(HOST + "/")], None) if isinstance(one, Follow)]
    asked, kept = [], []
    while waiting and len(asked) < 500:
        why = max(waiting, key=lambda follow: follow.priority)
        waiting.remove(why)
        asked.append(why.url)
        status, body = wiki.answer(why.url)
        page = Page(why.url, status, (("Content-Type", "text/html"),), body.encode())
        moved = Outcome(why.url, "redirect", target=body)
        for action in strategy.decide(moved if status == 301 else Outcome(why.url, "page", page=page), why):
            waiting.extend([action] if isinstance(action, Follow) else [])
            kept.extend([action] if isinstance(action, Keep) else [])
    return asked, kept


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_list_hidden", [False, True])
def test_every_page_once(form: str, is_list_hidden: bool) -> None:
    asked, kept = crawl(Wiki(form, is_list_hidden), {"talk": "no"})
    assert sorted(one.object.title or "" for one in kept) == sorted(title.replace("_", " ") for title in TITLES)
    lists = 1 if is_list_hidden else 1 + (len(TITLES) - 1) // PER_LIST
    assert len(asked) == 1 + len(TITLES) + lists, "the home page's redirect, each page, each part of the list"


@pytest.mark.parametrize("form", FORMS)
def test_every_talk_page_once(form: str) -> None:
    asked, kept = crawl(Wiki(form, False))
    pages = {one.object.title or "" for one in kept if one.object.kind == "page"}
    assert pages == {title.replace("_", " ") for title in TITLES + TALK}
    lists = 1 + (len(TITLES) - 1) // PER_LIST + 2
    assert len(asked) == 1 + len(TITLES) + len(TALK) + lists, "with one list for each talk namespace that is used"


@pytest.mark.parametrize("form", FORMS)
def test_talk_pages_are_found_by_links_where_lists_are_hidden(form: str) -> None:
    asked, kept = crawl(Wiki(form, True))
    pages = {one.object.title or "" for one in kept if one.object.kind == "page"}
    linked = [*(f"Talk:{title}" for title in TITLES[:30]), "User_talk:Ada"]
    assert pages == {title.replace("_", " ") for title in TITLES + linked}
    assert len(asked) == 1 + len(TITLES) + len(linked) + 3


@pytest.mark.parametrize("form", FORMS)
def test_lists_under_a_name_in_another_language_are_redirected_once(form: str) -> None:
    asked, _ = crawl(Wiki(form, False, is_french=True))
    english, _ = crawl(Wiki(form, False))
    assert len(asked) == len(english) + 1
    assert sum("Special:AllPages" in url for url in asked) == 1
