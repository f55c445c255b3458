"""Which pages need their scripts, told from what was fetched."""

# ruff: noqa: E501 - markup and words read better unbroken

from __future__ import annotations

import time

import pytest

from siteseer.model import Page
from siteseer.page.scripts.more_buttons import says_more
from siteseer.page.scripts.needs_scripts import ScriptNeed, script_need
from siteseer.strategies.render_policy import MOST_IN_VAIN, TRIALS, RenderPolicy, gain, kind_of

PROSE = "<p>" + "A sentence of ordinary words that people read. " * 40 + "</p>"
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def page(body: str, url: str = "http://e.org/topic/5") -> Page:
    return Page(url, headers=HTML, body=f"<!DOCTYPE html><html><body>{body}</body></html>".encode())


APP = '<script src="/app.js"></script>'
MENU = "<header><nav>" + "".join(f'<a href="/{n}">Menu entry number {n}</a>' for n in range(12)) + "</nav></header>"
RECORD = "<h1>Aconite</h1><p>Aconitum napellus, 14.50</p>"
LIST = '<ul id="posts">' + "".join(f'<li><a href="/{n}">Post number {n}</a></li>' for n in range(12)) + "</ul>"

NEEDED = {
    "empty root": '<div id="root"></div><script src="/app.js"></script>',
    "root from elsewhere": '<app-root></app-root><script type="module" src="https://cdn.example/main.js"></script>',
    "root with a spinner": '<div id="__next"><div class="spinner"></div></div>' + APP,
    "root with a splash picture": '<div id="app"><img src="/logo.svg"></div>' + APP,
    "empty main in a frame": MENU + "<main></main><footer><p>All rights reserved by us</p></footer>" + APP,
    "root below a menu of plain links": '<div class="menu">'
    + '<a href="/x">Entry</a> ' * 40
    + "</div><div id=app></div>"
    + APP,
    "heading and root": "<h1>The forum</h1><div id=root></div>" + APP,
    "nothing at all": APP,
    "moved by a script": "<script>location.replace('/en/')</script>",
    "notice": "<noscript>You need to enable JavaScript to run this app.</noscript><div id=app></div><script src=/a.js></script>",
    "notice and heading": "<h1>Shop</h1><noscript>This shop needs JavaScript.</noscript>" + APP,
    "notice and list": "<h1>All our many plants</h1><noscript>Please enable JavaScript.</noscript><ul id=plants></ul>"
    + APP,
    "loading": "<p>" + "word " * 30 + "</p><div class=spinner>Loading…</div><script src=/a.js></script>",
    "loading in German": "<h1>Beiträge</h1><div id=liste>Wird geladen …</div>" + APP,
    "busy": '<h1>Posts</h1><ul aria-busy="true"></ul>' + APP,
    "empty part": "<h1>"
    + "word " * 30
    + "</h1><div id=posts></div><script>document.querySelector('#posts').innerHTML = make()</script>",
    "list filled by fetch": "<h1>Plants</h1><ul class=plants></ul><script>fetch('/api').then(a => a.json()).then(a => "
    "a.forEach(p => document.querySelector('.plants').append(row(p))))</script>",
    "load more by fetch": LIST + PROSE + '<button id="next">Load more</button><script>'
    "document.getElementById('next').onclick = () => fetch('/api?page=2').then(t => posts.append(t))</script>",
}
DOUBTFUL = {
    "button": (PROSE + "<button>Weitere anzeigen</button><script>x()</script>", "button"),
    "link without address": (PROSE + '<a href="#">Load older posts</a><script>x()</script>', "button"),
    "observer": (
        PROSE + "<script>new IntersectionObserver(() => fetch(next).then(rows => list.append(rows)))</script>",
        "scroll",
    ),
    "asks for more of a list": (LIST + PROSE + "<script>fetch('/x').then(t => posts.innerHTML += t)</script>", "asks"),
    "sentinel": (LIST + '<div id="end"></div><script src="/js/site.js"></script>', "end"),
    "sentinel in the list": (PROSE * 3 + '<div class="load-trigger"></div><script src="/js/site.js"></script>', "end"),
    "empty list": ("<h1>Posts</h1><ul id=posts></ul>" + APP, "few"),
    "data": (
        "<p>" + "word " * 20 + "</p><script>window.state = [" + '{"title": "A post"},' * 300 + "]</script>",
        "data",
    ),
}
WHOLE = {
    "no scripts": "<p>short</p>",
    "prose with scripts of its own": PROSE + '<script src="/js/site.js"></script><script src="/js/more.js"></script>',
    "prose with a tracker": PROSE + '<script src="https://stats.example/t.js"></script>',
    "prose with a library": PROSE + '<script src="/js/jquery.min.js"></script>',
    "form button": PROSE + "<form><button type=submit>Show more</button></form><script>var a = 1</script>",
    "sparse record": RECORD + APP,
    "sparse record between menus": MENU + "<main>" + RECORD + '</main><div class="clear"></div>' + APP,
    "sparse record, a clock": RECORD + "<div id=clock></div><script src=/clock.js></script>",
    "sparse record, comments of others": RECORD
    + '<div id="disqus_thread"></div><script>embed("disqus").appendChild(x)</script>'
    "<noscript>Please enable JavaScript to view the comments powered by Disqus.</noscript>",
    "picture": '<main><img src="/1.jpg"></main>' + APP,
    "list of links": MENU + "<h1>Tags</h1>" + LIST + '<div class="modal"></div>' + APP,
    "login form": "<form><label>Name</label><input name=n><input type=password name=p></form>" + APP,
    "hidden loading": RECORD + '<div id="overlay" style="display: none">Loading…</div>' + APP,
    "loading in a search box": MENU + RECORD + '<div role="search"><span>Loading…</span></div>' + APP,
    "jump to more": '<a href="#details">More details</a>' + PROSE + '<h2 id="details">x</h2>' + APP,
    "opens what is there": '<button aria-controls="rest">Show more</button><div id="rest">' + PROSE + "</div>" + APP,
    "read more links": '<div class="more"><a href="/1">Read more…</a></div>' + PROSE + APP,
    "More menu": "<nav><button>More</button></nav>" + PROSE + APP,
    "search with an index": PROSE
    + "<div id=results></div><script>fetch('/search.json').then(i => results.innerHTML = i)</script>",
    "scroll to top": PROSE
    + '<div class="scroll-top"></div><script>addEventListener("scroll", f); x.append(y)</script>'
    + APP,
    "redirect": '<meta http-equiv="refresh" content="0; url=/new"><script src=/a.js></script>',
    "empty table of a server": "<h1>List of issues</h1><table class=list><tr><th>ID</th><th>Title</th></tr></table>"
    + APP,
}


@pytest.mark.parametrize("name", NEEDED)
def test_frames_need_their_scripts(name: str) -> None:
    assert script_need(page(NEEDED[name])).answer == "needed"


@pytest.mark.parametrize("name", DOUBTFUL)
def test_parts_may_be_missing(name: str) -> None:
    body, evidence = DOUBTFUL[name]
    need = script_need(page(body))
    assert (need.answer, need.evidence) == ("doubtful", evidence)
    assert need.because


@pytest.mark.parametrize("name", WHOLE)
def test_whole_pages_stay_on_plain_http(name: str) -> None:
    assert script_need(page(WHOLE[name])).answer == "not needed"


def test_a_hostile_page_takes_no_time() -> None:
    began = time.monotonic()
    for piece in ('<a href="#x">more</a>', "<div class='load more list'></div>", "<div id=app class=more>"):
        script_need(page("<script>fetch(x); app.append(y)</script><script src=/a.js></script>" + piece * 50_000))
    assert time.monotonic() - began < 20


def test_a_page_that_is_no_html_needs_nothing() -> None:
    assert (
        script_need(Page("http://e.org/", headers=(("Content-Type", "application/json"),), body=b"{}")).answer
        == "not needed"
    )


@pytest.mark.parametrize(
    "label",
    [
        "Show more",
        "LOAD MORE",
        "Mehr laden",
        "Voir plus",
        "Cargar más",
        "Mostra altri",
        "Показать ещё",
        "もっと見る",
        "加载更多",
        "더보기",
        "View all 12 replies",
    ],
)
def test_more_in_many_languages(label: str) -> None:
    assert says_more(label)


@pytest.mark.parametrize(
    "label", ["Delete", "Log in to see more", "Share", "Next", "More options", "Subscribe for more", "x" * 200]
)
def test_what_is_never_pressed(label: str) -> None:
    assert not says_more(label)


def test_few_pages_are_shown_in_vain() -> None:
    classes, need = RenderPolicy(), ScriptNeed("doubtful", "", "button")
    for number in range(TRIALS):
        one = page("", f"http://e.org/topic/{number}")
        assert classes.is_worth(one, need)
        classes.learn(one, need, has_gained=False)
    assert not classes.is_worth(page("", "http://e.org/topic/99"), need)
    assert classes.is_worth(page("", "http://e.org/list/1"), need), "another kind of page is another question"
    for number in range(MOST_IN_VAIN):
        classes.learn(page("", f"http://e.org/a{number}/x"), need, has_gained=False)
    assert not classes.is_worth(page("", "http://e.org/new/1"), need), "a host whose pages are whole is believed"


def test_what_was_learned_survives() -> None:
    classes, need = RenderPolicy(), ScriptNeed("doubtful", "", "button")
    row = classes.learn(page(""), need, has_gained=True)
    again = RenderPolicy()
    again.restore([(row.key, row.value)])
    for number in range(10):
        assert again.is_worth(page("", f"http://e.org/topic/{number}"), need)
    assert kind_of("http://e.org/topic/5", need) == row.key


def test_a_clock_is_no_gain() -> None:
    before = page(PROSE)
    assert gain(before, page(PROSE + "<p>12:30:05</p>")) == 0
    assert gain(before, page(PROSE + "<p>" + " ".join(f"new{n}" for n in range(100)) + "</p>")) >= 99
    assert gain(page(""), page("<h1>Ada Lovelace the member</h1>")) >= 3
