from __future__ import annotations

import http.client
import json
from urllib.parse import urlencode

import pytest
from lxml import html as lxml_html

from siteseer.demo import TEMPLATES, Server, Site, make_site
from tests.demo.demo_walker import ask, links, visible, walk

BOTH = pytest.mark.parametrize("template", TEMPLATES)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def names(template: str) -> dict[str, str]:
    german = {
        "title": "titel",
        "author": "verfasser",
        "category": "rubrik",
        "subject": "fach",
        "min": "von",
        "max": "bis",
    }
    return german if template == "classic" else {name: name for name in german}


def search(site: Site, path: str, **fields: str):
    return ask(site, f"{path}?{urlencode(fields)}")


def books(site: Site, answer) -> set[str]:
    return links("/search", answer) & site.truth.content_paths


@BOTH
def test_few_records_can_be_reached_by_links(template):
    site = make_site("shop", 4, template)
    answers = walk(site)
    assert {answer.status for answer in answers.values()} == {200}
    assert len(answers.keys() & site.truth.content_paths) == 10


@BOTH
def test_search_form_finds_by_every_field(template):
    site, name = make_site("shop", 4, template), names(template)
    new = [text for text in site.truth.texts if "new" in text.tags]
    wanted = new[3]
    category = wanted.tags[0].lower()
    assert wanted.page in books(site, search(site, "/search", **{name["title"]: wanted.title[:9]}))
    assert books(site, search(site, "/search", **{name["author"]: wanted.author})) == {
        text.page for text in new if text.author == wanted.author
    }
    expected = {text.page for text in new if text.tags[0].lower() == category}
    found, target = set(), f"/search?{urlencode({name['category']: category})}"
    while target:
        answer = ask(site, target)
        found |= books(site, answer)
        tree = lxml_html.document_fromstring(answer.body)
        target = next(iter(tree.xpath("//a[@rel='next']/@href")), "")
    assert found == expected
    price = dict(wanted.fields)["price"].strip("£ EUR")
    assert books(site, search(site, "/search", **{name["min"]: price, name["max"]: price})) == {wanted.page}


@BOTH
def test_empty_and_hopeless_searches_say_so(template):
    site, name = make_site("shop", 4, template), names(template)
    assert not books(site, search(site, "/search", **{name["title"]: ""}))
    assert not books(site, search(site, "/search", **{name["title"]: "xqzzyv"}))
    assert visible(search(site, "/search", **{name["title"]: ""})) != visible(
        search(site, "/search", **{name["title"]: "xqzzyv"})
    )


@BOTH
def test_post_form_needs_its_token(template):
    site, name = make_site("shop", 4, template), names(template)
    form = lxml_html.document_fromstring(ask(site, "/antiquarian").body).forms[0]
    assert form.method == "POST"
    fields = {"token": form.fields["token"], name["category"]: "nature"}
    used = {text.page for text in site.truth.texts if text.tags == ("Nature", "used")}
    answer = ask(site, "/antiquarian/results", "POST", urlencode(fields).encode())
    assert books(site, answer) == used
    bad = ask(site, "/antiquarian/results", "POST", urlencode({**fields, "token": "x"}).encode())
    assert bad.status == 403
    assert ask(site, "/antiquarian/results").status == 403


@BOTH
def test_dependent_lists(template):
    site, name = make_site("shop", 4, template), names(template)
    page = lxml_html.document_fromstring(ask(site, "/academic").body)
    assert page.xpath(f"//select[@name='{name['subject']}']/option") == []
    categories = [option for option in page.xpath(f"//select[@name='{name['category']}']/option/@value") if option]
    found = set()
    for category in categories:
        subjects = json.loads(search(site, "/academic/subjects", **{name["category"]: category}).body)
        for subject in subjects:
            fields = {name["category"]: category, name["subject"]: subject.lower()}
            found |= books(site, search(site, "/academic/find", **fields))
        assert not books(site, search(site, "/academic/find", **{name["category"]: category}))
    assert found == {text.page for text in site.truth.texts if "academic" in text.tags}


@BOTH
def test_oracle_requests_find_every_record(template):
    site = make_site("shop", 4, template)
    found: set[str] = set()
    for request in site.truth.oracle_paths:
        method, _, rest = request.rpartition(" ")
        path, _, query = rest.partition("?")
        answer = ask(site, path, "POST", query.encode()) if method else ask(site, request)
        assert answer.status == 200
        if request not in site.truth.content_paths:
            found |= links("/", answer) & site.truth.content_paths
    assert found == site.truth.content_paths
    assert len(site.truth.oracle_paths) == site.truth.oracle_requests


@BOTH
def test_submissions_that_change_something_are_recorded(template):
    with Server(make_site("shop", 4, template)) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        for path in ("/login", "/newsletter", "/basket/add", "/order", "/review"):
            connection.request("POST", path, "email=a%40example.org", FORM)
            connection.getresponse().read()
        connection.request("GET", "/newsletter?email=a")
        connection.getresponse().read()
        connection.request("GET", "/login")
        connection.getresponse().read()
        token = server.site.truth.oracle_paths
        query = next(request for request in token if request.startswith("POST")).partition("?")[2]
        connection.request("POST", "/antiquarian/results", query, FORM)
        assert connection.getresponse().status == 200
        assert [violation.form for violation in server.violations] == [
            "login", "newsletter", "basket", "order", "review", "newsletter",
        ]  # fmt: skip
        assert server.violations[0].body == b"email=a%40example.org"


@BOTH
def test_every_state_changing_form_on_the_pages_is_watched(template):
    site = make_site("shop", 4, template)
    actions = set()
    for path in ("/", "/login", "/basket", next(iter(sorted(site.truth.content_paths)))):
        for form in lxml_html.document_fromstring(ask(site, path).body).forms:
            if form.method == "POST":
                actions.add(form.action)
                assert ask(site, form.action, "POST", b"a=b").violation
    assert actions == {"/login", "/newsletter", "/basket/add", "/order", "/review"}


def test_isbn_numbers_are_valid_and_distinct():
    numbers = [dict(text.fields)["isbn"] for text in make_site("shop", 4).truth.texts]
    assert len(set(numbers)) == len(numbers)
    assert all(sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(number)) % 10 == 0 for number in numbers)


@BOTH
def test_answers_list_what_the_truth_says(template):
    site, name = make_site("shop", 4, template), names(template)
    truth = site.truth.search
    assert truth is not None and dict(truth.fields) == {name["title"]: "title", name["author"]: "author", name["category"]: "category", name["min"]: "price", name["max"]: "price"}  # fmt: skip # noqa: E501
    new = {text.page: text for text in site.truth.texts if "new" in text.tags}
    assert truth.reachable == new.keys()
    answer = search(site, "/search", **{name["category"]: "nature"})
    tree = lxml_html.document_fromstring(answer.body.decode())
    rows = tree.xpath("//div[@class='card'] | //table[@class='treffer']//tr[td]")
    assert rows and any("year" not in dict(text.fields) for text in new.values())
    for row in rows:
        text = new[row.xpath(".//a/@href")[0]]
        shown = [part.strip() for part in row.itertext()]
        assert all(value in shown for value in (text.title, *dict(text.fields).values()))
