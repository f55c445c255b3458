"""Wrappers on pages without scripts: every construct, forms, outputs, archives, collections."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from siteseer.collection.description import Description
from siteseer.demo import Server, SiteRequest, SiteResponse
from siteseer.demo.site import html, redirect
from siteseer.errors import FetchError, SiteseerError, UsageError
from siteseer.fetch.browser.static_browser import NeedsBrowserError
from siteseer.settings import ExtractionOptions, FetchLimits
from siteseer.wrapper.oxpath.evaluation.evaluate import WrapperError
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.result_schema import likely_mistakes, result_schema
from siteseer.wrapper.oxpath.output.record_formats import as_json, output
from siteseer.wrapper.oxpath.output.records import ExtractionError, Record
from siteseer.wrapper.run import extract

LIST = "<ul><li><b>A</b><i>1</i></li><li><b>B</b></li></ul>"
PAGES = {
    f"/{number}": f"<p>{number}</p>" + (f"<a href=/{number + 1}>next</a>" if number < 5 else "")
    for number in range(1, 6)
}


@pytest.fixture
def run(serve_pages: Callable[..., Server]) -> Callable[..., Any]:
    """Run a wrapper on a small site; `$u` is its address."""

    def start(wrapper: str, pages: dict[str, Any], warnings: list[str] | None = None, **options: Any) -> list[Any]:
        server = serve_pages(pages)
        found: list[Record] = []
        told = warnings if warnings is not None else []
        variables = {"u": server.url, **options.pop("variables", {})}
        extract(parse(wrapper), found.append, ExtractionOptions(variables, "never", delay=0, **options), told.append)
        return [{one.label: as_json(one, single=True)} for one in found]

    return start


def test_only_predicates_nest(run: Callable[..., Any]) -> None:
    page = {"/": "<div><h3>x</h3></div>"}
    assert run("doc($u)//div:<R>[.//h3:<t=string(.)>]", page) == [{"R": {"t": "x"}}]
    assert run("doc($u)//div:<R>//h3:<t=string(.)>", page) == [{"R": {}}, {"t": "x"}]
    assert run("doc($u)//div:<R>//h3[.:<t=string(.)>]", page) == [{"R": {"t": "x"}}]


def test_the_worked_example_of_nesting(run: Callable[..., Any]) -> None:
    wrapper = "doc($u)//li:<rec>[? ./b:<n=string(.)>][? ./i:<p=string(.)>]"
    assert run(wrapper, {"/": LIST}) == [{"rec": {"n": "A", "p": "1"}}, {"rec": {"n": "B"}}]


def test_a_predicate_with_a_marker_filters_and_an_optional_one_does_not(run: Callable[..., Any]) -> None:
    assert run("doc($u)//li[./i:<i=string(.)>]:<rec>", {"/": LIST}) == [{"i": "1"}, {"rec": {}}]
    assert run("doc($u)//li[? ./i:<i=string(.)>]:<rec>", {"/": LIST}) == [{"i": "1"}, {"rec": {}}, {"rec": {}}]


def test_a_node_reached_twice_is_extracted_once(run: Callable[..., Any]) -> None:
    assert run("doc($u)//*/ancestor-or-self::ul:<r>", {"/": LIST}) == [{"r": {}}]


def test_what_has_a_value_has_nothing_below_it(run: Callable[..., Any]) -> None:
    wrapper = "doc($u)//li:<r=string(.)>[./b:<n=string(.)>]"
    assert "leave '=...' out" in likely_mistakes(parse(wrapper))[0]
    with pytest.raises(ExtractionError, match="has a value"):
        run(wrapper, {"/": LIST})


@pytest.mark.parametrize(
    ("bounds", "wanted"), [("{0,0}", "1"), ("{1,1}", "2"), ("{2,3}", "34"), ("", "12345"), ("{3}", "45"), ("{9}", "")]
)
def test_the_bounds_of_a_star_count_its_rounds(run: Callable[..., Any], bounds: str, wanted: str) -> None:
    found = run(f"doc($u)/(//a/{{click /}})*{bounds}//p:<p=string(.)>", {"/": PAGES["/1"], **PAGES})
    assert "".join(one["p"] for one in found) == wanted


def test_a_star_ends_in_a_circle_and_at_its_limit(run: Callable[..., Any]) -> None:
    circle = {"/": "<p>1</p><a href=/2>on</a>", "/2": "<p>2</p><a href=/>on</a>"}
    assert [one["p"] for one in run("doc($u)/(//a/{click /})*//p:<p=string(.)>", circle)] == ["1", "2"]
    warnings: list[str] = []
    endless = {
        "/": lambda request: html(
            f"<p>{request.query.get('n', 0)}</p><a href='/?n={int(request.query.get('n', 0)) + 1}'>on</a>"
        )
    }
    found = run("doc($u)/(//a/{click /})*//p:<p=string(.)>", endless, warnings, rounds=4)
    assert [one["p"] for one in found] == ["0", "1", "2", "3", "4"]
    assert "ended after 4 rounds" in warnings[0]


def test_two_next_links_lead_to_each_page_once_and_ask_for_it_once(serve_pages: Callable[..., Server]) -> None:
    pages = {
        path: text.replace("<p>", text[text.find("<a") :] + "<p>" if "<a" in text else "<p>")
        for path, text in PAGES.items()
    }
    server = serve_pages({"/": pages["/1"], **pages})
    for deed in ("click", "nextclick"):
        found: list[Record] = []
        before = len(server.log)
        options = ExtractionOptions({"u": server.url}, "never", delay=0, robots="ignore")
        extract(parse(f"doc($u)/(//a/{{{deed} /}})*//p:<p=string(.)>"), found.append, options)
        assert [one.value for one in found] == list("12345")
        assert [one.path for one in server.log[before:]] == ["/", "/2", "/3", "/4", "/5"]


def test_equal_links_outside_a_star_and_unequal_ones_inside_are_all_followed(run: Callable[..., Any]) -> None:
    two = {"/": "<a href=/1>x</a><a href=/1>x</a>", "/1": "<p>1</p>"}
    assert run("doc($u)//a/{click /}//p:<p=string(.)>", two) == [{"p": "1"}, {"p": "1"}]
    several = {"/": "<p>0</p><a href=/1>x</a><a href=/2>x</a>", "/1": "<p>1</p>", "/2": "<p>2</p>"}
    assert [one["p"] for one in run("doc($u)/(//a/{click /})*//p:<p=string(.)>", several)] == ["0", "1", "2"]


def test_a_star_without_an_action_walks_on_one_page(run: Callable[..., Any]) -> None:
    page = {"/": "<div id=a>1<div>2<div>3</div></div></div>"}
    assert [one["d"] for one in run("doc($u)//div#a/(/div)*{1}:<d=string(text())>", page)] == ["2", "3"]
    assert [one["d"] for one in run("doc($u)//div#a/(/div)*{0,1}:<d=string(text())>", page)] == ["1", "2"]


def test_details_on_another_page_stand_in_their_record(run: Callable[..., Any]) -> None:
    pages = {"/": "<li><a href=/a>A</a></li><li><a href=/b>B</a></li>", "/a": "<h1>One</h1>", "/b": "<h1>Two</h1>"}
    found = run("doc($u)//li:<R>[a:<n=string(.)>][? ./a/{click /}//h1:<title=string(.)>]", pages)
    assert found == [{"R": {"n": "A", "title": "One"}}, {"R": {"n": "B", "title": "Two"}}]


def test_a_page_that_is_missing_is_left_out_but_ends_a_star(run: Callable[..., Any]) -> None:
    pages = {"/": "<a href=/gone>x</a><a href=/b>y</a>", "/b": "<h1>Two</h1>"}
    warnings: list[str] = []
    assert run("doc($u)//a/{click /}//h1:<t=string(.)>", pages, warnings) == [{"t": "Two"}]
    assert "answered 404" in warnings[0]
    with pytest.raises(WrapperError, match="answered 404"):
        run("doc($u)//a/{click /}//h1:<t=string(.)>", pages, strict=True)
    with pytest.raises(WrapperError, match=r"\{click /\} failed"):
        run("doc($u)/(//a/{click /})*//h1:<t=string(.)>", pages)


FORM = """<form action=/find method=%s><input type=hidden name=h value=1><input name=q value=old><select name=s><option
value=1>One<option value=2>Two</select><input type=checkbox name=c><input type=radio name=r value=x checked><input
type=radio name=r value=y><textarea name=t>long</textarea><button name=go value=yes>Go</button></form>"""


def _echo(request: SiteRequest) -> SiteResponse:
    sent = request.form if request.method == "POST" else request.query
    return html("".join(f"<p>{name}={value}</p>" for name, value in sent.items()))


@pytest.mark.parametrize("method", ["get", "post", '"post" enctype="multipart/form-data"'])
def test_forms_are_filled_in_and_sent(run: Callable[..., Any], method: str) -> None:
    wrapper = (
        "doc($u)//input[@name='q']/{$term}/../select/{'Two'}/..//input[@name='c']/{check}/..//input[@value='y']/{click}"
        "/../button/{click /}//p:<f=string(.)>"
    )
    found = run(wrapper, {"/": FORM % method, "/find": _echo}, variables={"term": "tea & jam"})
    if "multipart" not in method:
        wanted = ["h=1", "q=tea & jam", "s=2", "c=on", "r=y", "t=long", "go=yes"]
        assert [one["f"] for one in found] == wanted


@pytest.mark.parametrize("end", ["{'x\\n' /}", "{'x'}/{pressenter /}", "{'x'}/{submit /}", "{'x'}/{press 'Enter' /}"])
def test_enter_sends_a_form_without_its_button(run: Callable[..., Any], end: str) -> None:
    found = run(f"doc($u)//input[@name='q']/{end}//p[2]:<f=string(.)>", {"/": FORM % "get", "/find": _echo})
    assert found == [{"f": "q=x"}]


def test_options_are_chosen_by_number_text_and_value(run: Callable[..., Any]) -> None:
    for how in ("{1}", "{'Two'}", "{'2'}", "{select 'two'}"):
        found = run(
            f"doc($u)//select/{how}/../button/{{click /}}//p[3]:<f=string(.)>", {"/": FORM % "get", "/find": _echo}
        )
        assert found == [{"f": "s=2"}]
    with pytest.raises(WrapperError, match="no option"):
        run("doc($u)//select/{'Three'}", {"/": FORM % "get"}, strict=True)


def test_frames_base_addresses_and_redirects(run: Callable[..., Any]) -> None:
    pages = {
        "/": "<base href=/deep/><iframe src=frame></iframe><iframe srcdoc='<b>inline</b>'></iframe><a href=on>on</a>",
        "/deep/frame": "<b>framed</b>",
        "/deep/on": redirect("/end"),
        "/end": "<b>end</b>",
    }
    assert run("doc($u)//iframe/{enterframe}//b:<b=string(.)>", pages) == [{"b": "framed"}, {"b": "inline"}]
    assert run("doc($u)//a/{click /}//b:<b=current-url()>", pages)[0]["b"].endswith("/end")


def test_what_needs_scripts_says_so(run: Callable[..., Any]) -> None:
    page = {"/": "<a href='javascript:x()'>x</a><div onclick=y()>y</div><button type=button>z</button>"}
    for wrapper in ("//a/{click /}", "//div/{click /}", "//button/{click /}", "//a[style::color='red']"):
        with pytest.raises(NeedsBrowserError, match="--browser always"):
            run(f"doc($u){wrapper}:<x>", page)


FUNCTIONS = {
    "matches(., '^\\d+ ')": True,
    "replace(., '[^0-9]', '')": "12",
    "string-join(.//i, '+')": "a+b",
    "substring-before-reverse(., ' ')": "12 big",
    "substring-after-reverse(., ' ')": "ab",
    "substring-reverse(., 1, 2)": "ab",
    "qualify-url(a/@href)": "/x",
    "current-url()": "/",
    "is-visible(i)": True,
    "is-invisible(u)": True,
    "outerhtml(i)": "<i>a</i>",
    "innerhtml(i)": "a",
    "select-text(i)": "a",
    "urify('a b')": "a%20b",
    "jaro-winkler('MARTHA', 'MARHTA') > 0.96": True,
    "concat(select-text(i), '!')": "a!",
    "count(.//i) + number(substring(select-text(b), 1, 2))": "14",
    "not(is-visible(i)) or string-length(select-text(i)) = 1": True,
    "@class ~= 'two'": True,
    "@class #= 'wo t'": True,
    "position() = last()": True,
    "-count(i)": "-1",
}


@pytest.mark.parametrize(("function", "wanted"), FUNCTIONS.items())
def test_functions_beyond_xpath(run: Callable[..., Any], function: str, wanted: str | bool) -> None:
    page = {"/": "<div class='one two three'><b>12 big </b><i>a</i><u hidden></u><s><i>b</i></s><a href=x></a></div>"}
    (found,) = run(f"doc($u)//div:<v=({function})>", page)
    said = "true" if wanted is True else wanted
    assert found["v"] == said or (str(wanted).startswith("/") and found["v"].endswith(str(wanted)))


def test_predicates_beyond_xpath_keep_positions(run: Callable[..., Any]) -> None:
    page = {"/": "<p><i hidden>0</i><i>1</i><i>2</i></p><p><i>3</i><i>4</i></p>"}
    assert [one["i"] for one in run("doc($u)//i[is-visible(.)][2]:<i=string(.)>", page)] == ["2", "4"]
    assert [
        one["i"] for one in run("doc($u)//i[last()]/preceding-sibling::i[is-visible(.)][1]:<i=string(.)>", page)
    ] == ["1", "3"]
    assert [one["i"] for one in run("(doc($u)//i[is-visible(.)])[2]:<i=string(.)>", page)] == ["2"]


def test_attributes_and_texts_can_be_extracted(run: Callable[..., Any]) -> None:
    page = {"/": "<p><a href=' x '>one</a> two <b>three</b></p>"}
    found = run("doc($u)//a/@href:<h=normalize-space(.)> | doc($u)//p/text():<t=normalize-space(.)>", page)
    assert found == [{"h": "x"}, {"t": "two"}]


def test_a_variable_that_is_missing_is_named(run: Callable[..., Any]) -> None:
    with pytest.raises(UsageError, match=r"needs a value for \$a, \$b"):
        run("doc($u)//x[. = $b]/{$a}:<x>", {"/": ""})


def test_all_formats_say_the_same(run: Callable[..., Any]) -> None:
    wrapper = parse("//li:<rec(schema:Thing)>[b:<n=string(.)>][? i:<p=string(.)>]")
    records = [
        Record(
            "rec", None, ("schema:Thing",), (Record("n", "=A\x00"), Record("p", "1"), Record("p", "2")), "http://e.org/"
        ),
        Record("rec", None, (), (Record("n", '<B> & "C"\n'),), "http://e.org/"),
    ]

    def written(form: str) -> str:
        out = output(form, result_schema(wrapper))
        return out.begin() + "".join(map(out.record, records)) + out.end()

    assert json.loads(written("json")) == {"rec": [{"n": ["=A"], "p": ["1", "2"]}, {"n": ['<B> & "C"\n']}]}
    assert [json.loads(line)["rec"]["n"] for line in written("jsonl").splitlines()] == [["=A"], ['<B> & "C"\n']]
    root = etree.fromstring(written("xml").encode())
    assert [one.text for one in root.iter("n")] == ["=A", '<B> & "C"\n']
    table = list(csv.reader(io.StringIO(written("csv"), newline="")))
    assert table == [["n", "p"], ["'=A", "1|2"], ['<B> & "C"\n', ""]]
    import rdflib

    graph = rdflib.Graph().parse(data=written("ttl"), format="turtle")
    texts = {str(value) for value in graph.objects(None, rdflib.URIRef("urn:x-siteseer:label:n"))}
    assert texts == {"=A", '<B> & "C"\n'}
    with pytest.raises(UsageError, match="no format"):
        output("pdf", result_schema(wrapper))


def test_a_run_into_a_collection_can_be_searched_and_run_again_offline(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve("estate", seed=2, template="classic", size=25)
    text = (
        "doc($u)//select#sale_type_id/{'Lettings'}/following::button/{click /}/(//a[.='NEXT'][1]/{click /})*"
        "//div.proplist_wrap:<flat>[.//h2:<title=string(.)>][? .//span.prop_price:<price=string(.)>]"
    )
    wrapper, folder = parse(text), tmp_path / "kept"
    first: list[Record] = []
    took = extract(wrapper, first.append, ExtractionOptions({"u": server.url}, "never", collection=folder, delay=0))
    assert took["records"] == len(first) == 25
    with Description.of(folder) as description:
        objects = list(description.objects())
    assert len(objects) == 25
    assert {one["kind"] for one in objects} == {"record"}
    assert all(one["capture"]["file"] for one in objects)
    assert sorted(one["title"] for one in objects) == sorted(record.children[0].value or "" for record in first)
    server.stop()
    second: list[Record] = []
    extract(wrapper, second.append, ExtractionOptions({"u": server.url}, offline=folder, delay=0))
    assert second == first


def test_private_addresses_are_not_reached_from_a_page(
    serve_pages: Callable[..., Server], run: Callable[..., Any]
) -> None:
    secret = serve_pages({"/": "<h1>secret</h1>"})
    for wrapper in ("doc($u)//a/{click /}//h1:<t=string(.)>", "doc($u)//a:<r>[? ./{click /}//h1:<t=string(.)>]"):
        with pytest.raises(SiteseerError, match="is a private address"):
            run(wrapper, {"/": f"<a href='{secret.url}/'>x</a>"})
    assert secret.log == []


def test_what_leads_to_no_page_at_all_ends_with_an_error(run: Callable[..., Any]) -> None:
    warnings: list[str] = []
    pages = {"/": "<a href=/no>1</a><a href=/none>2</a><b>x</b>"}
    with pytest.raises(FetchError, match="/none answered 404"):
        run("doc($u)//a/{click /}//h1:<t=string(.)>", pages, warnings)
    assert len(warnings) == 1 and "/no answered 404" in warnings[0]
    assert run("doc($u)//b:<b>[? //a/{click /}//h1:<t=string(.)>]", pages, warnings) == [{"b": {}}]


def test_endless_redirects_end_with_an_error(run: Callable[..., Any]) -> None:
    with pytest.raises(SiteseerError, match="redirects more than 10 times"):
        run("doc($u)//a:<x>", {"/": redirect("/")})


def test_pages_that_are_too_large_or_never_end_are_not_read_in_part(run: Callable[..., Any]) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
    large = SiteResponse(wire=(head, *(b"<p>x</p>" * 1_000,) * 1_000))
    with pytest.raises(SiteseerError, match="is larger than the 1 MB that are looked at"):
        run("doc($u)//p:<p>", {"/": large}, limits=FetchLimits(decoded_bytes=2**20))
    endless = SiteResponse(wire=(head, *(b"<p>x</p>",) * 1_000_000), pause=0.05)
    with pytest.raises(SiteseerError, match="is still being sent after 1 seconds"):
        run("doc($u)//p:<p>", {"/": endless}, limits=FetchLimits(total_seconds=1))
