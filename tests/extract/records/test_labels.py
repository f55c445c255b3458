"""Authors and dates that pages label, claim in their heads or write as mails do: found, and never somebody else's."""

from __future__ import annotations

from collections import Counter

import pytest

from siteseer.extract.records.fields.labels import labelled_values, person_name
from siteseer.extract.records.record_document import document
from siteseer.model import Page
from siteseer.strategies.learned.record_extraction import harvest_records
from tests.extract.records.labelled_sites import SITES, page
from tests.extract.records.sites_of_languages import LANGUAGES
from tests.extract.records.software_sites import SOFTWARE


def fields_of(name: str) -> Counter[str]:
    """Count the authors and days that a site shows, that its objects give, and that are right."""
    site = (SITES | SOFTWARE | LANGUAGES)[name]()
    pages = [shown for shown, _ in site]
    objects = {" ".join((one.text or "").split()): one for _, one in harvest_records(lambda: pages)}
    count = Counter[str]()
    for _, said in site:
        for one in said:
            found = objects.get(one.text)
            count["lost"] += found is None
            given = (found.author, (found.published or "")[:10] or None) if found else (None, None)
            for shown, value in zip((one.author, one.day), given, strict=True):
                count["shown"] += shown is not None
                count["right"] += shown is not None and value == shown
                count["wrong"] += value is not None and value != shown
    return count


@pytest.mark.parametrize("name", [*SITES, *SOFTWARE, *LANGUAGES])
def test_every_author_and_day_that_pages_show_is_found_and_no_other(name: str) -> None:
    count = fields_of(name)
    assert (count["lost"], count["wrong"]) == (0, 0)
    assert count["right"] == count["shown"]


LABELLED = {
    "item": "<ul><li><em>From</em>: Ann Lee &lt;<a href='mailto:a@e.org'>a@e.org</a>&gt;</li>"
    "<li><em>To</em>: Bob</li></ul>",
    "definition": "<dl><dt>Autor</dt><dd>Ann Lee</dd><dt>Verlag</dt><dd>Bob</dd></dl>",
    "header cell": "<table><tr><th>Auteur</th><td>Ann Lee</td><th>Titre</th><td>Bob</td></tr></table>",
    "plain cells": "<table><tr><td>Автор:</td><td>Ann Lee</td></tr><tr><td>Тема:</td><td>Bob</td></tr></table>",
    "bold": "<p><b>Posted by:</b> Ann Lee<br><b>Subject:</b> Bob</p>",
    "one text": "<div>作者：Ann Lee</div><div>标题：Bob</div>",
    "boxes": "<div><div>Yazar:</div><div>Ann Lee</div></div><div><div>Konu:</div><div>Bob</div></div>",
    "one line": "<p>Autor: Ann Lee | Rubrik: <a href='/c'>Bob</a></p>",
    "second in its row": "<table><tr><td class='k'>Stand</td><td>offen</td>"
    "<td class='k'>Autor</td><td>Ann Lee</td></tr></table>",
    "before a link": "<p>Posted by <a href='mailto:a@e.org'>Ann Lee</a> on 5 May 2015: Bob</p>",
    "no colon": "<p><span>Par</span> <a href='/u/1'>Ann Lee</a></p><p>Bob</p>",
    "mail": "<pre>\nFrom: Ann Lee &lt;a@e.org&gt;\nDate: Thu, 16 Jan 2003 02:41:00 +0000\n\nIt is late, Bob.</pre>",
}


@pytest.mark.parametrize("form", LABELLED)
def test_labels_are_found_in_every_form(form: str) -> None:
    doc = document(page("http://e.org/", "A page", LABELLED[form]))
    assert [found.value for found in labelled_values(doc) if found.role == "author"] == ["Ann Lee"]


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><th>Date</th><th>User</th><th>Action</th></tr></table>",
        "<dl><dd><span>From: Oslo</span></dd><dd><span>Registered: 2015</span></dd></dl>",
        "<div>From the sea: a tale</div>",
        "<div class='rank'>User</div><div>Posts 12</div>",
    ],
)
def test_headings_towns_and_ranks_are_no_labelled_authors(body: str) -> None:
    doc = document(page("http://e.org/", "A page", body))
    assert not [found.value for found in labelled_values(doc) if found.role == "author"]


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        ("Ann Lee <ann@example.org>", "Ann Lee"),
        ("ann@example.org (Ann Lee)", "Ann Lee"),
        ("Ann Lee [mailto:ann@example.org]", "Ann Lee"),
        ('"Lee, Ann" < ann at example.org >', "Lee, Ann"),
        ("ann@example.org", "ann@example.org"),
        ("rosa.grieve", "rosa.grieve"),
    ],
)
def test_names_of_mails(shown: str, name: str) -> None:
    assert person_name(shown) == name


def test_a_page_without_text_has_no_labels() -> None:
    assert not list(labelled_values(document(Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p></p>"))))
