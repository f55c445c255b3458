"""Quotations that neither tag nor class names, names that share words, titles that further pages repeat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from siteseer.extract.records import RecordModel, learn_records
from siteseer.extract.records.fields.field_atoms import strip_affixes
from siteseer.extract.records.fields.name_affixes import label_words
from siteseer.model import Page
from tests.extract.records.generated_forum import NAMES, Truth, blog, forum

Site = list[tuple[Page, list[Truth]]]


def redrawn(site: Site, *changes: tuple[str, str]) -> Site:
    """Return a site with other markup."""
    found = []
    for page, truth in site:
        text = page.body.decode()
        for old, new in changes:
            text = text.replace(old, new)
        found.append((Page(page.url, page.status, page.headers, text.encode(), page.fetched_at), truth))
    return found


def learned(site: Site) -> RecordModel:
    model = learn_records([page for page, _ in site[:20]])
    assert model is not None
    return model


@pytest.mark.parametrize(
    "changes",
    [
        (("<blockquote>", "<div class=lobomi>"), ("</blockquote>", "</div>")),
        (("<blockquote>", "<table><tr><td class=lobomi>"), ("</blockquote>", "</td></tr></table>")),
        (
            ("<blockquote>", "<div class=kuruna>"),
            (" wrote: ", " wrote:</div><div class=lobomi>"),
            ("</blockquote>", "</div>"),
        ),
    ],
    ids=["box", "table", "line above"],
)
def test_a_box_that_repeats_another_post_is_a_quotation(changes: Sequence[tuple[str, str]]) -> None:
    site = redrawn(forum(40), *changes)
    model = learned(site)
    again = RecordModel.from_json(json.loads(json.dumps(model.to_json())))
    for page, truth in site[20:]:
        assert [record.text for record in model.apply(page)] == [one.text for one in truth]
        assert [record.text for record in again.apply(page)] == [one.text for one in truth]


def test_paragraphs_that_are_quoted_elsewhere_are_no_quotations() -> None:
    site = redrawn(forum(40), ("<blockquote>", "<div class=lobomi>"), ("</blockquote>", "</div>"), ("<br>", "</p><p>"))
    model = learned(site)
    found = [record.text for page, _ in site for record in model.apply(page)]
    assert found == [one.text for _, truth in site for one in truth]


@pytest.mark.parametrize("name", ["{} Smith", "Dr {}", "Prof. Dr. {}", "{} von Berg", "{}, MD", "Team {} Nord"])
def test_words_that_all_names_share_belong_to_them(name: str) -> None:
    site = blog(40)
    for author in NAMES:
        site = redrawn(site, (f">{author}</a>", f">{name.format(author.title())}</a>"))
    model = learned(site)
    for page, truth in site[20:]:
        assert model.apply(page)[0].author == name.format(truth[0].author.title())


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Posted by {}", "{} Smith"),
        ("Von {}", "Dr {}"),
        ("Author: {}", "{} Smith"),
        ("User {}", "{} Smith"),
        ("{} says", "{} Smith"),
        ("{} schrieb am", "{} Smith"),
        ("{} (not verified)", "{}"),
        ("Geschrieben von {} am", "{} Huber"),
    ],
)
def test_labels_in_one_text_with_names(label: str, name: str) -> None:
    names = [name.format(one) for one in ("Ann", "Bob", "Cora", "Dan")]
    values = [label.format(one) for one in names]
    assert [strip_affixes(value, *label_words(values)) for value in values] == names


def test_titles_that_further_pages_repeat() -> None:
    site = []
    for page, truth in forum(10):
        title = page.body.split(b"<h1>")[1].split(b"</h1>")[0]
        second = page.body.replace(b"<title>" + title, b"<title>" + title + b" - Page 2", 1)
        if len(truth) > 1:
            site += [(page, truth), (replace(page, url=f"{page.url}&page=2", body=second), truth)]
    model = learned(site)
    for page, truth in site:
        wanted = page.body.split(b"<h1>")[1].split(b"</h1>")[0].decode()
        assert {record.title for record in model.apply(page)} == {wanted}
        assert truth
