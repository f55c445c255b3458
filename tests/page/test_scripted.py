"""Which pages need their scripts, told from what was fetched."""

# ruff: noqa: E501 - markup and words read better unbroken

from __future__ import annotations

import pytest

from siteseer.decide.script_classes import MOST_IN_VAIN, TRIALS, ScriptClasses, gain, kind_of
from siteseer.model import Page
from siteseer.page.more_words import says_more
from siteseer.page.scripted import ScriptNeed, script_need

PROSE = "<p>" + "A sentence of ordinary words that people read. " * 40 + "</p>"
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def page(body: str, url: str = "http://e.org/topic/5") -> Page:
    return Page(url, headers=HTML, body=f"<!DOCTYPE html><html><body>{body}</body></html>".encode())


NEEDED = {
    "empty root": '<div id="root"></div><script src="/app.js"></script>',
    "root from elsewhere": '<app-root></app-root><script type="module" src="https://cdn.example/main.js"></script>',
    "notice": "<noscript>You need to enable JavaScript to run this app.</noscript><div id=app></div><script src=/a.js></script>",
    "loading": "<p>" + "word " * 30 + "</p><div class=spinner>Loading…</div><script src=/a.js></script>",
    "empty part": "<h1>"
    + "word " * 30
    + "</h1><div id=posts></div><script>document.querySelector('#posts').innerHTML = make()</script>",
}
DOUBTFUL = {
    "button": (PROSE + "<button>Weitere anzeigen</button><script>x()</script>", "button"),
    "link without address": (PROSE + '<a href="#">Load older posts</a><script>x()</script>', "button"),
    "observer": (PROSE + "<script>new IntersectionObserver(() => list.append(more))</script>", "scroll"),
    "asks and draws": (PROSE + "<script>fetch('/x').then(t => p.innerHTML = t)</script>", "asks"),
    "sentinel": (PROSE + '<div id="end"></div><script src="/js/site.js"></script>', "end"),
    "own scripts": (PROSE + '<script src="/js/site.js"></script>', "scripts"),
}
WHOLE = {
    "no scripts": "<p>short</p>",
    "prose with a tracker": PROSE + '<script src="https://stats.example/t.js"></script>',
    "prose with a library": PROSE + '<script src="/js/jquery.min.js"></script>',
    "form button": PROSE + "<form><button type=submit>Show more</button></form><script>var a = 1</script>",
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
    classes, need = ScriptClasses(), ScriptNeed("doubtful", "", "button")
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
    classes, need = ScriptClasses(), ScriptNeed("doubtful", "", "button")
    row = classes.learn(page(""), need, has_gained=True)
    again = ScriptClasses()
    again.restore([(row.key, row.value)])
    for number in range(10):
        assert again.is_worth(page("", f"http://e.org/topic/{number}"), need)
    assert kind_of("http://e.org/topic/5", need) == row.key


def test_a_clock_is_no_gain() -> None:
    before = page(PROSE)
    assert gain(before, page(PROSE + "<p>12:30:05</p>")) == 0
    assert gain(before, page(PROSE + "<p>" + " ".join(f"new{n}" for n in range(100)) + "</p>")) >= 99
    assert gain(page(""), page("<h1>Ada Lovelace the member</h1>")) >= 3
