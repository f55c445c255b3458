"""Oita's thesis, chapter 3: the books of Figure 3.1, the graph of Figure 3.2, and what PARIS makes of them."""

from __future__ import annotations

from siteseer.alignment import Fact
from siteseer.deepweb.ontology.ontology_paths import TYPE, Ontology
from siteseer.deepweb.ontology.record_graph import align_records, facts_of
from siteseer.deepweb.records.list_score import AnsweredQuery
from siteseer.deepweb.records.result_lists import find_list, items_at
from siteseer.deepweb.source import Source
from siteseer.deepweb.understanding_model import Record
from siteseer.model import Page

from siteseer.forms.form import Field, Form  # isort: skip

BOOKS = {
    "Great Expectations": "Charles Dickens",
    "David Copperfield": "Charles Dickens",
    "Hamlet (French Edition)": "William Shakespeare",
    "Emma": "Jane Austen",
    "Persuasion": "Jane Austen",
    "Middlemarch": "George Eliot",
}
NAME, CREATED = "y:hasPreferredName", "y:created"


def answer(number: int, books: list[tuple[str, str]]) -> Page:
    rows = "".join(
        f'<div class="result"><a class="title" href="/dp/{title.replace(" ", "")}">{title}</a> by '
        f'<span class="ptBrand">{author}</span>'
        f'<div class="stock">In Stock.</div><b class="price">${7 + len(title)}.{len(author)}</b></div>'
        for title, author in books
    )
    body = f'<html><body><div id="nav"><a href="/">Books</a></div><div id="atfResults">{rows}</div></body></html>'
    return Page(f"http://books.example/s?page={number}", 200, (("Content-Type", "text/html"),), body.encode())


def records() -> tuple[Source, list[Record]]:
    source = Source(
        Form(0, "http://books.example/", "http://books.example/s", "GET", "", "utf-8", (Field("t", "text"),))
    )
    books = list(BOOKS.items())
    for number in range(3):
        source.add((("t", "the"),), answer(number, books[2 * number : 2 * number + 2]))
    assert source.learn()
    return source, list(source.records().values())


def test_titles_have_a_common_location_pattern_and_what_never_differs_is_dropped() -> None:
    source, found = records()
    assert [column.path for column in source.columns] == ["a.title", "span.ptBrand", "b.price"]
    assert found[0].values["title"] == ("Great Expectations",)
    assert found[1].values["title"] == ("David Copperfield",)
    assert "In Stock." not in str(found)


def test_records_are_a_star_around_an_entity_of_one_class() -> None:
    source, found = records()
    facts = facts_of("http://books.example/", found, source.columns)
    assert len({fact.object for fact in facts if fact.relation == TYPE}) == 1
    assert len([fact for fact in facts if fact.subject == found[0].id]) == 1 + len(source.columns)


def test_title_is_the_preferred_name_and_author_the_preferred_name_of_who_created_it() -> None:
    source, found = records()
    facts = []
    for number, (title, author) in enumerate(BOOKS.items()):
        book, person = f"y:book{number}", f"y:{author.replace(' ', '_')}"
        plain = title.partition(" (")[0]
        facts += [Fact(book, TYPE, "y:Book"), Fact(book, NAME, plain, True), Fact(person, TYPE, "y:Person")]
        facts += [Fact(person, NAME, author, True), Fact(person, CREATED, book)]
    aligned = align_records("http://books.example/", found, source.columns, Ontology(facts))
    relations = {match.column: match.relation for match in aligned.relations}
    assert relations == {"title": (NAME,), "by": (f"{CREATED}~", NAME)}
    assert len(aligned.instances) == 6
    assert aligned.classes[0].cls == "y:Book"


def test_records_are_found_by_forest_with_the_query_as_keywords() -> None:
    pages = [answer(number, list(BOOKS.items())[number : number + 2]) for number in (0, 2)]
    key = find_list([AnsweredQuery(page, frozenset(("charles", "jane"))) for page in pages])
    assert key is not None
    assert (key.parent, key.first) == ("/div#atfResults", "div.result")
    assert [len(items_at(page, key)) for page in pages] == [2, 2]
