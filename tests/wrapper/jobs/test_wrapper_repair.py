"""A wrapper that no longer fits gets new expressions from the last good values; what led to the records stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from siteseer.errors import UsageError
from siteseer.model import Page
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.induce_attributes import view_of
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.repair.find_known_records import find_known_records
from siteseer.wrapper.repair.patch_wrapper import patch_wrapper
from siteseer.wrapper.repair.repair_wrapper import Sample, propose


def view(text: str) -> ElementTables:
    return view_of(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=text.encode()))


def record(url: str = "http://e.org/", **values: str) -> Record:
    return Record("r", None, (), tuple(Record(name, value, url=url) for name, value in values.items()), url)


def test_records_are_found_by_most_of_their_values() -> None:
    page = view("<div><p>A</p><p>in stock</p></div><div><p>B</p><p>in stock</p></div><div><p>C</p><p>sold</p></div>")
    known = [{"n": name, "s": "in stock", "d": "gone"} for name in "ABC"]
    found = find_known_records(page, known, 10)
    assert [page.string(one.element) for one in found] == ["A in stock", "B in stock"] or [
        page.string(one.element) for one in found
    ] == ["Ain stock", "Bin stock"]
    assert all(set(one.places) == {"n", "s"} for one in found)


def test_a_value_that_stands_everywhere_marks_nothing() -> None:
    assert find_known_records(view("<p>x</p>" * 100), [{"n": "x"}], 5) == []


@pytest.mark.parametrize(
    "wrapper",
    [
        "doc($u)//div.old:<r>[? b:<n=string(.)>][? i:<p=string(.)>]",
        "doc($u)//input/{$q}/following::button/{click /}//div.old:<r>[b:<n=string(.)>][i:<p=string(.)>]",
        "doc($u)/(//a.next/{nextclick /})*{0,30}//div.old:<r>[? b:<n=string(.)>][? i:<p=string(.)>]",
    ],
)
def test_what_leads_to_the_records_stays(wrapper: str) -> None:
    rows = "".join(f"<tr><td class=name>N{at}</td><td class=cost>{at}9 EUR</td></tr>" for at in range(6))
    page = view(f"<table id=list>{rows}</table>")
    known = tuple(record(n=f"N{at}", p=f"{at}9 EUR") for at in range(6))
    text, why = propose(parse(wrapper), [Sample("http://e.org/", page, known)])
    lead = wrapper.partition("//div.old")[0]
    assert text.startswith(lead) and "div.old" not in text and ":<r>" in text
    assert "6 of the last good records" in why and "finds 6" in why
    required = "[b:" in wrapper
    assert (text.count("[?") == 0) == required


def test_the_head_of_a_table_is_no_record() -> None:
    rows = "".join(f"<tr><td><a class=name>N{at}</a></td><td>{at}9</td></tr>" for at in range(6))
    page = view(f"<table id=list><tr><th>Name</th><th>Price</th></tr>{rows}</table>")
    known = tuple(record(n=f"N{at}", p=f"{at}9") for at in range(6))
    old = parse("doc($u)//li:<r>[? b:<n=string(.)>][? i:<p=string(.)>]")
    text, why = propose(old, [Sample("http://e.org/", page, known)])
    path = str(parse(text)).partition(":<r>")[0].removeprefix("doc($u)")
    assert len(page.root.xpath(path)) == 6 and "finds 6" in why


def test_one_record_a_page_is_repaired_from_several_pages() -> None:
    pages = [view(f"<h1>Home</h1><main><h3>Title {at}</h3><p>By <em>Ann {at}</em></p></main>") for at in range(3)]
    known = [record(f"http://e.org/{at}", t=f"Title {at}", a=f"Ann {at}") for at in range(3)]
    samples = [Sample(f"http://e.org/{at}", pages[at], (known[at],)) for at in range(3)]
    text, _ = propose(parse("doc($u)//article:<r>[? h1:<t=string(.)>][? span.by:<a=string(.)>]"), samples)
    assert "h3" in text and "em" in text and text.startswith("doc($u)")


def test_values_without_records_are_repaired_too() -> None:
    items = "".join(f"<li><em class=title>Title {at}</em> <small>{at} EUR</small></li>" for at in range(8))
    page = view(f"<ul><li>Home</li></ul><ol>{items}</ol>")
    known = tuple(Record("t", f"Title {at}", url="http://e.org/") for at in range(0, 8, 2))
    text, why = propose(parse("doc($u)/(//a.n/{click /})*//h2:<t=string(.)>"), [Sample("http://e.org/", page, known)])
    path = text.partition(":<t=string(.)>")[0].removeprefix("doc($u)/(//a.n/{click /})*")
    assert page.root.xpath(f"{path}//text()" if "text()" not in path else path) == [f"Title {at}" for at in range(8)]
    assert "4 of the last good values" in why


def test_where_nothing_is_found_again_nothing_is_proposed() -> None:
    with pytest.raises(UsageError, match="mark new examples"):
        propose(
            parse("doc($u)//li:<r>[b:<n=string(.)>]"),
            [Sample("http://e.org/", view("<p>Sorry</p>"), (record(n="A"), record(n="B")))],
        )


def test_steps_that_do_not_begin_at_the_root_are_left_alone() -> None:
    new = parse("doc('e.org')//li:<r>[? b:<n=string(.)>]")
    assert patch_wrapper(parse("doc($u)//select/{'x'}//tr:<r>[td:<n=string(.)>]"), "r", new) is None
    assert patch_wrapper(parse("//a:<x=string(.)> | //b:<r>[i:<n=string(.)>]"), "r", new) is None


def test_hostile_pages_do_not_break_a_repair(tmp_path: Path) -> None:
    deep = view("<div>" * 5_000 + "A")
    text = "doc($u)//li:<r>[? b:<n=string(.)>]"
    try:
        found, _ = propose(parse(text), [Sample("http://e.org/", deep, (record(n="A"), record(n="B")))])
        assert parse(found)
    except UsageError as error:
        assert str(error)
