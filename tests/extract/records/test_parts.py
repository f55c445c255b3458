"""Objects, actions and alignment."""

from __future__ import annotations

import pytest

from siteseer.extract.records import align_records, as_actions, learn_records, to_objects
from siteseer.extract.records.word_pairs import grams
from siteseer.model import Page, WebObject
from siteseer.page.dates.read_dates import read_date
from siteseer.page.tree import tree
from siteseer.xpath.evaluation import select, select_all
from siteseer.xpath.parser import parse
from tests.extract.records.generated_forum import Truth, blog, forum


def test_objects_of_a_thread() -> None:
    site = forum(30)
    model = learn_records([page for page, _ in site])
    assert model
    page, truth = max(site, key=lambda item: len(item[1]))
    objects = to_objects(model.apply(page), page)
    assert [o.kind for o in objects] == ["post"] * len(truth)
    assert len({o.id for o in objects}) == len(truth)
    assert {o.thread for o in objects} == {page.url + "#this"}
    assert all(o.parent is None and o.permalink and o.because for o in objects)


def test_objects_of_a_blog() -> None:
    site = blog(30)
    model = learn_records([page for page, _ in site])
    assert model
    page, truth = max(site, key=lambda item: len(item[1]))
    post, *comments = to_objects(model.apply(page), page)
    assert post.kind == "post" and post.id == page.url + "#this" and post.title
    assert [c.kind for c in comments] == ["comment"] * (len(truth) - 1)
    assert {c.parent for c in comments} == {post.id} and {c.title for c in comments} == {None}
    assert len({c.id for c in comments}) == len(comments)


@pytest.mark.parametrize("make", [forum, blog])
def test_actions_select_what_the_model_finds(make: type[forum]) -> None:  # type: ignore[valid-type]
    site: list[tuple[Page, list[Truth]]] = make(30)  # type: ignore[operator]
    model = learn_records([page for page, _ in site])
    assert model
    page, truth = max(site, key=lambda item: len(item[1]))
    found = set()
    for action in as_actions(model):
        for record in select_all(parse(action["scope"]), tree(page)):
            said = {f["type"]: select(parse(f["expression"]), record) for f in action["fields"]}
            assert said["body"], action
            shown = said["published"][0]
            date = read_date(shown if isinstance(shown, str) else shown.text_content())
            found.add(date.iso if date else None)
    assert {true.published for true in truth} <= found


def known_objects(site: list[tuple[Page, list[Truth]]], urls: list[str]) -> dict[str, list[WebObject]]:
    """Return what an earlier crawl stored of some pages."""
    return {
        page.url: [
            WebObject(
                "comment" if "blog" in url and n else "post",
                f"urn:x:{n}",
                url,
                author=t.author,
                published=t.published,
                text=t.text,
            )
            for n, t in enumerate(truth)
        ]
        for page, truth in site
        for url in urls
        if page.url == url
    }


@pytest.mark.parametrize("make", [forum, blog])
@pytest.mark.parametrize("pages", [1, 3])
def test_known_objects_teach_a_new_template(make: type[forum], pages: int) -> None:  # type: ignore[valid-type]
    site: list[tuple[Page, list[Truth]]] = make(30)  # type: ignore[operator]
    rich = sorted(site, key=lambda item: -len(item[1]))[:pages]
    known = known_objects(site, [page.url for page, _ in rich])
    model = align_records(known, [page for page, _ in site])
    assert model
    for page, truth in site:
        if page.url not in known:
            found = [(r.text, r.author, r.published) for r in model.apply(page)]
            assert found == [(t.text, t.author, t.published) for t in truth]


def test_nothing_known_nothing_aligned() -> None:
    site = forum(8)
    pages = [page for page, _ in site]
    assert align_records({}, pages) is None
    other = [WebObject("post", "urn:x:1", pages[0].url, text="something else that no page of this board has ever said")]
    assert align_records({pages[0].url: other}, pages) is None


def test_grams() -> None:
    assert grams("To be, to be") == {("to", "be"), ("be", "to")}
