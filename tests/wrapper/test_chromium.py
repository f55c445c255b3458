"""Wrappers in a real Chromium, on local pages with scripts: every construct of the language."""

# ruff: noqa: E501 - scripts in pages read better unbroken

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from siteseer.demo import Server, SiteRequest, SiteResponse
from siteseer.demo.site import document, html
from siteseer.errors import FetchError
from siteseer.fetch.browser.chromium import ChromiumBrowser
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.settings import BrowserLimits
from siteseer.wrapper.oxpath.evaluation.evaluate import Run, WrapperError
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.record_formats import as_json
from siteseer.wrapper.oxpath.output.records import Record
from tests.web.chromium import required

QUICK = BrowserLimits(quiet_seconds=0.15, settle_seconds=4)


@pytest.fixture(scope="module")
def chromium() -> Iterator[ChromiumBrowser]:
    """One browser for all tests here: starting it takes longer than most of them."""
    required()
    browser = ChromiumBrowser(AddressPolicy(allow_private=True), "siteseer test", QUICK)
    yield browser
    browser.close()


@pytest.fixture
def run(chromium: ChromiumBrowser, serve_pages: Callable[..., Server]) -> Callable[..., Any]:
    """Run a wrapper on a small site; `$u` is its address."""

    def start(wrapper: str, pages: dict[str, Any] | str, warnings: list[str] | None = None, **how: Any) -> list[Any]:
        server = serve_pages({"/": pages} if isinstance(pages, str) else pages)
        found: list[Record] = []
        told = warnings if warnings is not None else []
        variables = {"u": server.url, **how.pop("variables", {})}
        Run(chromium, found.append, variables, told.append, **how).run(parse(wrapper))
        return [{one.label: as_json(one, single=True)} for one in found]

    return start


def values(found: list[Any]) -> list[Any]:
    return [value for one in found for value in one.values()]


# ── steps, styles, fields ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_style_axis_sees_computed_styles(run: Callable[..., Any]) -> None:
    page = (
        "<style>.x {color: #00f; font-size: 16px}</style><a class=x>1</a><a style='color: blue'>2</a><a class=x>3</a>"
    )
    assert values(run("doc($u)//a[style::color='blue'][style::font-size='16px'][2]:<a=string(.)>", page)) == ["2"]
    assert values(run("doc($u)//a.x[1]:<a=style::color>", page)) == ["rgb(0, 0, 255)"]


def test_fields_are_visible_and_in_document_order(run: Callable[..., Any]) -> None:
    page = """<style>.no {display: none}</style><input type=hidden id=a><input class=no id=b><select id=c></select>
    <div style="visibility: hidden"><textarea id=d></textarea></div><input id=e><button id=f>go</button>"""
    assert values(run("doc($u)//field():<f=string(@id)>", page)) == ["c", "e", "f"]
    assert values(run("doc($u)/descendant::field()[2]:<f=string(@id)>", page)) == ["e"]
    assert values(run("doc($u)//any-field():<f=string(@id)>", page)) == list("abcdef")


def test_functions_of_the_browser(run: Callable[..., Any]) -> None:
    page = "<div id=d><b>1</b><i style='display:none'>2</i></div><input value=x><script>document.title='T'</script>"
    wanted = {
        "is-visible(b)": "true",
        "is-invisible(i)": "true",
        "outerhtml(b)": "<b>1</b>",
        "innerhtml(.)": '<b>1</b><i style="display:none">2</i>',
        "select-text(.)": "1",
        "dom-property('id')": "d",
        "qualify-url('x')": "/x",
        "contains(page-content(), '<b>1</b>')": "true",
        "string-length(now()) > 10": "true",
        "starts-with(screenshot(), 'iVBOR')": "true",
        "concat(select-text(b), style::display)": "1block",
    }
    for function, said in wanted.items():
        (found,) = values(run(f"doc($u)//div:<v=({function})>", page))
        assert found == said or (said == "/x" and found.endswith("/x")), function


def test_attributes_and_texts_are_nodes_too(run: Callable[..., Any]) -> None:
    page = "<p><a href='/x'>one</a> two <b>three</b></p>"
    assert values(run("doc($u)//a/@href:<h=string(.)>", page)) == ["/x"]
    assert values(run("doc($u)//a/@href/..:<a=string(.)>", page)) == ["one"]
    assert values(run("doc($u)//p/text():<t=normalize-space(.)>", page)) == ["two"]


# ── markers and predicates ─────────────────────────────────────────────────────────────────────────────────────────


def test_markers_nest_through_predicates(run: Callable[..., Any]) -> None:
    page = "<ul><li><b>A</b><i>1</i></li><li><b>B</b></li></ul>"
    found = run("doc($u)//li:<rec>[? ./b:<n=string(.)>][? ./i:<p=string(.)>]", page)
    assert found == [{"rec": {"n": "A", "p": "1"}}, {"rec": {"n": "B"}}]
    assert run("doc($u)//li[./i:<x=string(.)>]:<rec>[b:<n=string(.)>]", page) == [{"x": "1"}, {"rec": {"n": "A"}}]


DETAILS = {
    "/": "<li><a href=/a>A</a></li><li><a href=/b>B</a></li><li><a href=/c>C</a></li>",
    "/a": "<h1>One</h1><a href=/a2>more</a>",
    "/a2": "<h2>deep</h2>",
    "/b": "<h1>Two</h1>",
    "/c": "<h1>Three</h1>",
}


def test_details_stand_in_their_record(run: Callable[..., Any], chromium: ChromiumBrowser) -> None:
    wrapper = "doc($u)//li:<R>[a:<n=string(.)>][? a/{click /}//h1:<t=string(.)>[? //a/{click /}//h2:<d=string(.)>]]"
    with pytest.raises(Exception, match="has a value"):
        run(wrapper, DETAILS)
    wrapper = "doc($u)//li:<R>[a:<n=string(.)>][? a/{click /}[//h1:<t=string(.)>]//a/{click /}//h2:<d=string(.)>]"
    assert values(run(wrapper, DETAILS)) == [
        {"n": "A", "t": "One", "d": "deep"},
        {"n": "B", "t": "Two"},
        {"n": "C", "t": "Three"},
    ]
    assert len(chromium.life.tabs) <= 4, "tabs of detail pages are closed"


def test_a_page_that_scripts_replace_is_brought_back(run: Callable[..., Any]) -> None:
    page = """<div id=app></div><script>
    const list = () => { app.innerHTML = ['A', 'B', 'C'].map(x => `<li><button onclick="show('${x}')">${x}</button></li>`).join(''); };
    const show = x => { app.innerHTML = `<h1>detail ${x}</h1>`; };
    list();</script>"""
    found = run("doc($u)//li:<R>[? ./button/{click /}//h1:<t=string(.)>]", page)
    assert values(found) == [{"t": "detail A"}, {"t": "detail B"}, {"t": "detail C"}]


def test_a_button_that_leads_away_is_gone_back_from(run: Callable[..., Any]) -> None:
    pages = {
        "/": "".join(f"<li><button onclick=\"location.href='/{x}'\">{x}</button></li>" for x in "abc"),
        **{f"/{x}": f"<h1>page {x}</h1>" for x in "abc"},
    }
    found = run("doc($u)//li:<R>[? ./button/{click /}//h1:<t=string(.)>]", pages)
    assert values(found) == [{"t": "page a"}, {"t": "page b"}, {"t": "page c"}]


def test_results_of_a_post_are_brought_back_by_doing_it_again(run: Callable[..., Any]) -> None:
    def results(request: SiteRequest) -> SiteResponse:
        if request.method != "POST":
            return html("<p>nothing asked</p>")
        asked = request.form["q"]
        rows = (f"<li><button onclick=\"location.href='/d?x={asked}{n}'\">{n}</button></li>" for n in range(3))
        return html("".join(rows))

    pages = {
        "/": "<form method=post action=/find><input name=q><button>go</button></form>",
        "/find": results,
        "/d": lambda request: html(f"<h1>{request.query['x']}</h1>"),
    }
    found = run("doc($u)//input/{'tea'}/../button/{click /}//li:<R>[? ./button/{click /}//h1:<t=string(.)>]", pages)
    assert values(found) == [{"t": "tea0"}, {"t": "tea1"}, {"t": "tea2"}]


# ── actions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_optional_action_persists_and_may_fail(run: Callable[..., Any]) -> None:
    page = """<div id=veil style="position: fixed; inset: 0">cookies? <button id=ok onclick="veil.remove(); said.textContent='yes'">
    OK</button></div><p id=said>no</p>"""
    assert values(run("doc($u)/.[? .//button#ok/{click /}]//p:<p=string(.)>", page)) == ["yes"]
    assert values(run("doc($u)/.[? .//button#none/{click /}]//p:<p=string(.)>", page)) == ["no"]


def test_contextual_actions_go_on_at_the_same_node(run: Callable[..., Any]) -> None:
    page = "<p>0</p><a onclick=\"this.before('x'); this.textContent = this.textContent + '!'\">a</a><a>b</a>"
    assert values(run("doc($u)//a[1]/{click}/{click}:<a=string(.)>", page)) == ["a!!"]
    assert values(run("doc($u)//a[1]/{click}/following-sibling::a:<a=string(.)>", page)) == ["b"]


def test_a_node_that_disappears_is_left_out_with_a_warning(run: Callable[..., Any]) -> None:
    page = '<a onclick="this.remove()">1</a><a>2</a>'
    warnings: list[str] = []
    assert values(run("doc($u)//a/{click}:<a=string(.)>", page, warnings)) == ["2"]
    assert "no longer on the page" in warnings[0]
    with pytest.raises(WrapperError):
        run("doc($u)//a/{click}:<a=string(.)>", page, strict=True)


def test_two_links_of_which_the_first_page_removes_the_second(run: Callable[..., Any]) -> None:
    first, second = ("<a onclick=\"location='/one'\">1</a>", "<a onclick=\"location='/two'\">2</a>")
    seen: list[int] = []
    pages: dict[str, Any] = {
        "/": lambda request: html(first + ("" if seen else second), headers=(("Cache-Control", "no-store"),)),
        "/one": lambda request: seen.append(1) or html("<h1>one</h1>"),
        "/two": "<h1>two</h1>",
    }
    warnings: list[str] = []
    assert values(run("doc($u)//a/{click /}//h1:<h=string(.)>", pages, warnings)) == ["one"]
    assert len(warnings) == 1


EVENTS = """<input id=i><p id=log></p><input type=checkbox id=c><form id=f><input id=g></form><div id=d>x</div><script>
const note = text => { log.textContent += text + ' '; };
for (const name of ['dblclick', 'focus', 'mouseover', 'mouseout', 'mouseenter', 'mousemove', 'mousedown', 'mouseup', 'wheel'])
  for (const one of [i, d]) one.addEventListener(name, () => note(name));
i.addEventListener('keydown', event => { if (event.key) note('key ' + event.key); });
i.addEventListener('input', () => note('input ' + i.value));
c.addEventListener('change', () => note(c.checked ? 'on' : 'off'));
f.addEventListener('submit', event => { event.preventDefault(); note('submit'); });
</script>"""


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("//input#i/{'tea'}", "input tea"), ("//input#i/{$word}", "input jam"), ("//input#i/{press 'a'}", "key a"),
        ("//input#i/{pressenter}", "key Enter"), ("//input#i/{focus}", "focus"), ("//input#i/{dblclick}", "dblclick"),
        ("//div#d/{mouseover}", "mouseover"), ("//div#d/{mouseout}", "mouseout"), ("//div#d/{mouseenter}", "mouseenter"),
        ("//div#d/{mousemove}", "mousemove"), ("//div#d/{mousedown}", "mousedown"), ("//div#d/{mouseup}", "mouseup"),
        ("//div#d/{wheel}", "wheel"), ("//input#c/{check}", "on"), ("//input#c/{check}/{uncheck}", "off"),
        ("//form#f/{submit}", "submit"), ("//input#g/{submit}", "submit"), ("//input#g/{'x\\n'}", "submit"),
    ],
)  # fmt: skip
def test_every_action_is_heard_by_scripts(run: Callable[..., Any], deed: str, said: str) -> None:
    (found,) = values(run(f"doc($u){deed}/ancestor::body//p:<l=string(.)>", EVENTS, variables={"word": "jam"}))
    assert said in found


def test_click_with_change_and_next_click_stop_by_themselves(run: Callable[..., Any]) -> None:
    grows = "<p>1</p><a onclick=\"if (n < 4) document.body.insertAdjacentHTML('beforeend', `<p>${++n}</p>`)\">more</a><script>let n = 1</script>"
    assert values(run("doc($u)/(//a/{clkwithchange /})*//p:<p=string(.)>", grows)) == ["1", "2", "3", "4"]
    assert run("doc($u)//button/{clkwithchange /}//p:<p=string(.)>", "<button disabled>x</button><p>1</p>") == []
    assert run("doc($u)//a/{nextclick /}//p:<p=string(.)>", "<a onclick=1>x</a><p>1</p>") == []


def test_dependent_lists_are_chosen_one_after_the_other(run: Callable[..., Any]) -> None:
    page = """<select id=one><option>-<option>Tea<option>Jam</select><select id=two></select><p id=out></p><script>
    const kinds = {Tea: ['green', 'black'], Jam: ['plum', 'fig']};
    one.onchange = () => setTimeout(() => { two.innerHTML = kinds[one.value].map(x => `<option>${x}`).join(''); }, 100);
    two.onchange = () => { out.textContent = one.value + ' ' + two.value; };</script>"""
    assert values(run("doc($u)//select#one/{'Jam'}/following::select/{'fig'}/following::p:<p=string(.)>", page)) == [
        "Jam fig"
    ]
    assert values(run("doc($u)//select#one/{1}/following::select/option:<o=string(.)>", page)) == ["green", "black"]


# ── stars ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("bounds", "wanted"), [("{0,0}", "1"), ("{1,1}", "2"), ("{2,3}", "34"), ("", "12345")])
def test_the_bounds_of_a_star_in_a_browser(run: Callable[..., Any], bounds: str, wanted: str) -> None:
    page = """<p>1</p><a href=#>next</a><script>let n = 1; document.querySelector('a').onclick = event => {
    event.preventDefault(); document.querySelector('p').textContent = ++n; if (n === 5) event.target.remove(); }</script>"""
    found = run(f"doc($u)/(//a/{{click /}})*{bounds}//p:<p=string(.)>", page)
    assert "".join(dict.fromkeys(values(found))) == wanted


def test_endless_scrolling_gives_every_row_once(run: Callable[..., Any]) -> None:
    def rows(request: SiteRequest) -> SiteResponse:
        start = int(request.query["from"])
        return document("".join(f"<li>{n}</li>" for n in range(start, min(start + 20, 70))), "text/html")

    page = """<style>li {height: 80px}</style><ul id=list></ul><script>
    let busy = false;
    const more = async () => {
      if (busy) return;
      busy = true;
      list.insertAdjacentHTML('beforeend', await (await fetch('/rows?from=' + list.children.length)).text());
      busy = false;
    };
    addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 200) more(); });
    more();</script>"""
    found = run("doc($u)/(/html/body/{wheel /})*//li:<row=string(.)>", {"/": page, "/rows": rows})
    assert values(found) == [str(n) for n in range(70)]


def test_content_that_comes_late_is_waited_for(run: Callable[..., Any]) -> None:
    def late(request: SiteRequest) -> SiteResponse:
        import time

        time.sleep(0.6)
        return document("<b>fetched</b>", "text/html")

    page = "<p></p><script>fetch('/late').then(a => a.text()).then(t => { document.querySelector('p').innerHTML = t; })</script>"
    assert values(run("doc($u)//b:<b=string(.)>", {"/": page, "/late": late})) == ["fetched"]
    timed = "<p></p><script>setTimeout(() => { document.querySelector('p').innerHTML = '<b>timed</b>'; }, 700)</script>"
    assert run("doc($u)//b:<b=string(.)>", timed) == []
    assert values(run("doc($u, [wait=1])//b:<b=string(.)>", timed)) == ["timed"]
    assert values(run("doc($u)//p/{wait=1}//b:<b=string(.)>", timed)) == ["timed"]


# ── frames, windows ────────────────────────────────────────────────────────────────────────────────────────────────


def test_frames_are_entered_and_left(run: Callable[..., Any]) -> None:
    pages = {
        "/": "<iframe src=/one></iframe><iframe srcdoc='<b>two</b>'></iframe><p>outside</p>",
        "/one": "<b>wait</b><a href=#>x</a><script>document.querySelector('a').onclick = () => { document.querySelector('b').textContent = 'one'; }</script>",
    }
    assert values(run("doc($u)//iframe/{enterframe}//b:<b=string(.)>", pages)) == ["wait", "two"]
    assert values(run("doc($u)//iframe[1]/{enterframe}//a/{click /}//b:<b=string(.)>", pages)) == ["one"]
    assert values(run("doc($u)//iframe[1]/{movetoframe}//b:<b=string(.)>", pages)) == ["wait"]
    found = run("doc($u)//iframe:<f>[? ./{enterframe}//b:<b=string(.)>] | doc($u)//p:<p=string(.)>", pages)
    assert values(found) == [{"b": "wait"}, {"b": "two"}, "outside"]


def test_a_window_that_a_click_opens_is_gone_on_in(run: Callable[..., Any]) -> None:
    pages = {"/": "<button onclick=\"window.open('/new')\">x</button>", "/new": "<h1>new</h1>"}
    assert values(run("doc($u)//button/{click /}//h1:<h=string(.)>", pages)) == ["new"]


def test_what_cannot_be_fetched_is_said_in_one_sentence(run: Callable[..., Any]) -> None:
    with pytest.raises(FetchError, match="answered 404"):
        run("doc($u)/(//a/{click /})*//p:<p>", "<a href=/gone>x</a>")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(FetchError, match="cannot be reached"):
            run(f"doc('http://127.0.0.1:{closed.getsockname()[1]}/')//x:<x>", "")
