"""What the designer thinks: clicks in, records, attributes, names, next links, expressions and knowledge out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from lxml import html

from siteseer.errors import FetchError, UsageError
from siteseer.knowledge.load import read
from siteseer.knowledge.save import to_xml
from siteseer.wrapper.designer.design_entry import as_entry
from siteseer.wrapper.designer.element_locator import clicked_element, expression_for
from siteseer.wrapper.designer.expression_wording import proposed_name
from siteseer.wrapper.designer.mark_records import (
    AttributeExample,
    attribute_choices,
    leads_away,
    next_choices,
    record_choices,
)
from siteseer.wrapper.designer.page_snapshot import Snapshot, read_snapshot
from siteseer.wrapper.designer.propose_records import proposed_next, proposed_parts, proposed_records
from siteseer.wrapper.designer.try_wrapper import try_last_part
from siteseer.wrapper.designer.wrapper_draft import AttributeDraft, Draft, RecordedAction
from siteseer.wrapper.oxpath.evaluation.to_xpath1 import to_xpath1
from siteseer.wrapper.oxpath.language.parser import parse

TREES = ("beech", "oak", "elm", "ash", "lime", "yew")
PRICES = ("£00", "", "£20", "£31", "£41", "£51")
CELLS = [
    f"<div class=cell><h3><a href=/t/{name}>{name}</a></h3>{f'<i class=cost>{price}</i>' if price else ''}</div>"
    for name, price in zip(TREES, PRICES, strict=True)
]
SHOP = (
    "<body><ul class=menu><li><a href=/1>Home</a><li><a href=/2>Shop</a><li><a href=/3>About</a></ul><div id=grid>"
    f"<div class=line>{''.join(CELLS[:3])}</div><div class=line>{''.join(CELLS[3:])}</div>"
    "</div><p><a href='/list?page=1'>1</a> <b>2</b> <a href='/list?page=3'>3</a> <a href='/list?page=3'>Next</a></p>"
)
FLAT = "<ul class=menu><li><a href=/1>Home</a><li><a href=/2>Shop</a><li><a href=/3>About</a></ul><ul>" + "".join(
    f"<li class=post><h2><a href=/{name}>{name}</a></h2><b>£{at}.50</b><p>Text of {name}</p>"
    for at, name in enumerate(TREES)
)


def told(source: str) -> Any:
    """Return what a browser would tell of a page."""
    root = html.document_fromstring(source)
    nodes: list[Any] = []

    def enter(one: Any) -> None:
        nodes.append([len(nodes) + 1, one.tag, "", [part for pair in one.items() for part in pair], {}])
        if one.text:
            nodes.append(one.text)
        for child in one:
            enter(child)
            if child.tail:
                nodes.append(child.tail)
        nodes.append(0)

    enter(root)
    return {"url": "http://e.org/list?page=2", "title": "Trees", "nodes": nodes}


@pytest.fixture(scope="module")
def shop() -> Snapshot:
    return read_snapshot(told(SHOP))


def numbers(snapshot: Snapshot, xpath: str) -> tuple[int, ...]:
    return snapshot.numbers_of(snapshot.root.xpath(xpath))


def names(snapshot: Snapshot, hits: Sequence[int]) -> list[str]:
    return [snapshot.element(one).text_content() for one in hits]


def test_clicks_in_two_rows_of_a_grid_offer_rows_and_cells(shop):
    links = numbers(shop, "//h3/a")
    counts = [len(one.hits) for one in record_choices(shop, [links[0], links[4]])]
    assert counts[0] == 2 and 6 in counts
    beside = record_choices(shop, [links[0], links[1]])[0]
    assert beside.hits == numbers(shop, "//div[@class='cell']")


def test_two_things_of_one_record_are_no_two_records(shop):
    with pytest.raises(UsageError, match="the same thing"):
        record_choices(shop, [numbers(shop, "//h3")[0], numbers(shop, "//i")[0]])
    with pytest.raises(UsageError, match="the same thing"):
        record_choices(shop, [numbers(shop, "//h3")[0]] * 2)
    with pytest.raises(FetchError):
        record_choices(shop, [1, 10**6])


@pytest.fixture(scope="module")
def draft(shop: Snapshot) -> Draft:
    links = numbers(shop, "//h3/a")
    record = record_choices(shop, links[:2])[0]
    marked = {
        "tree": [AttributeExample(links[0])],
        "price": [AttributeExample(numbers(shop, "//i")[0])],
        "page": [AttributeExample(links[2], "href")],
    }
    found = attribute_choices(shop, record, marked)
    parts = tuple(AttributeDraft(name, tuple(marked[name]), found[name]) for name in marked)
    following = next_choices(shop, numbers(shop, "//a[.='Next']")[0])[0]
    return Draft(shop.url, (), record, parts, following)


def test_attributes_are_found_in_every_record_that_has_them(shop, draft):
    found = {part.name: names(shop, part.choice.hits) for part in draft.parts}
    assert found["tree"] == list(TREES)
    assert found["price"] == [price for price in PRICES if price]
    with pytest.raises(UsageError, match="outside the records"):
        attribute_choices(shop, draft.record, {"x": [AttributeExample(numbers(shop, "//b")[0])]})


def test_the_text_parses_and_says_what_was_shown(draft):
    text = str(
        replace(
            draft,
            deeds=(
                RecordedAction("//input[@name='q']", "text", "it's\\n"),
                RecordedAction("//a[1]", "keyword", "click"),
            ),
        )
    )
    parse(text)
    assert "//input[@name='q']/{\"it's\\n\" /}" in text and "{click /}" in text and "qualify-url(.)" in text
    assert text.count("[? ") == 3
    required = draft.with_part(replace(draft.parts[1], required=True))
    assert str(required).count("[? ") == 2 and "price" not in str(draft.without_part("price"))
    look = try_last_part(parse(text))
    assert look is not None and str(look).startswith("//") and "click" not in str(look)


def test_the_text_of_a_contextual_action_is_not_looked_at_alone():
    assert try_last_part(parse("doc('e.org')//a/{click}/b:<x=string(.)>")) is None
    assert try_last_part(parse("doc('e.org')//li:<r>[.//a/{click /}//p:<t=string(.)>]")) is None


def test_next_links(shop, draft):
    assert names(shop, draft.following.hits) == ["Next"]
    assert leads_away(shop, draft.following.hits)
    proposed = proposed_next(shop)
    assert proposed is not None and shop.element(proposed).get("href") == "/list?page=3"
    turning = read_snapshot(told("<div><p>1</p><a href='#'>More</a></div>"))
    more = next_choices(turning, numbers(turning, "//a")[0])[0]
    assert not leads_away(turning, more.hits)
    twice = read_snapshot(told("<p><a href=/2>NEXT</a></p><ul><li>x</ul><div><a href=/2>NEXT</a></div>"))
    assert all(len(one.hits) == 1 for one in next_choices(twice, numbers(twice, "//a")[0])[:1])


def test_records_and_attributes_are_proposed(shop):
    records = proposed_records(shop)[0]
    assert [name for name in TREES if name in "".join(names(shop, records.hits))] == list(TREES)
    flat = read_snapshot(told(FLAT))
    found = proposed_records(flat)[0]
    assert found.hits == numbers(flat, "//li[@class='post']")
    parts = proposed_parts(flat, found)
    assert [part.name for part in parts][:2] == ["title", "link"] and "price" in {part.name for part in parts}
    with pytest.raises(UsageError, match="click on two"):
        proposed_records(read_snapshot(told("<p>Nothing here</p>")))


@pytest.mark.parametrize(
    ("source", "take", "name"),
    [
        ("<span class=productPrice>9</span>", "text", "price"),
        ("<b>£ 12.50</b>", "text", "price"),
        ("<time>1 May 2024</time>", "text", "date"),
        ("<a href=/x>Read</a>", "href", "link"),
        ("<img src=/x>", "src", "picture"),
        ("<h2>Beech</h2>", "text", "title"),
        ("<span>9</span>", "text", "value"),
    ],
)
def test_names_are_proposed(source, take, name):
    assert proposed_name(html.fromstring(source), take) == name
    assert proposed_name(html.fromstring(source), take, frozenset((name,))) != name


def test_what_is_acted_upon_is_found_by_what_people_named_it():
    page = read_snapshot(
        told("<form><input id=q123456 name=q><button><span>Go</span></button></form><a class=x>A</a><a class=x>A</a>")
    )
    assert expression_for(page, numbers(page, "//input")[0]) == "//input[@name='q']"
    button = clicked_element(page, numbers(page, "//span")[0])
    assert expression_for(page, button) == "//button[normalize-space(.)='Go']"
    second = numbers(page, "//a")[1]
    assert numbers(page, to_xpath1(parse(expression_for(page, second)), {}) or "") == (second,)


def test_an_entry_of_the_knowledge_base_finds_the_same(shop, draft):
    entry, left_out = as_entry(shop, draft, "trees")
    reading = read(to_xml(entry), "trees.xml")
    assert not reading.problems and left_out == ()
    level = reading.application.sites[0].levels[0]
    assert reading.application.sites[0].host == "e.org" and level.extractions[0].scope == "div.cell"
    assert {one.name or one.type for one in level.extractions[0].fields} == {"tree", "price", "page", "body"}
    assert [(one.role, one.text) for one in level.navigations] == [("next", "a[contains(.,'Next')]/@href")]
    accepted = RecordedAction("//button[normalize-space(.)='I agree']", "keyword", "click", stays=True)
    left = RecordedAction("//a[normalize-space(.)='Trees']", "keyword", "click")
    made = as_entry(shop, replace(draft, deeds=(accepted, left)), "trees")[0].sites[0].levels[0]
    assert [(one.do, one.text) for one in made.interactions] == [("accept", "button[contains(.,'I agree')]")]
    with pytest.raises(UsageError, match="mark the records"):
        as_entry(shop, Draft(shop.url), "trees")


@pytest.mark.parametrize(
    "nodes",
    [
        [],
        [[1, "html", "", [], {}]],
        ["text"],
        [0],
        [[1, "html", "", ["a"], {}], 0],
        [[None, 1]],
        None,
        [[1, "x\x00<", "", [], {}]],
    ],
)
def test_what_no_browser_tells_is_refused_or_harmless(nodes):
    try:
        made = read_snapshot({"url": "http://e.org/", "nodes": nodes})
    except FetchError as error:
        assert "cannot be shown" in str(error)
    else:
        assert made.root is not None


def test_a_deeply_nested_page_is_read_without_recursion():
    deep = 3000
    nodes = [[at + 1, "div", "", [], {}] for at in range(deep)] + ["\x00end\ud800"] + [0] * deep
    made = read_snapshot({"url": "http://e.org/", "nodes": nodes})
    assert made.root.xpath("string()") == "end" and made.page().body.endswith(b"</div>")
