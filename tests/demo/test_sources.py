"""The searchable sites: films and places."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from lxml import html as lxml_html

from siteseer.demo import TEMPLATES, Server, Site, TrueText, make_site
from tests.demo.demo_walker import ask, header, links, visible

BOTH = pytest.mark.parametrize("template", TEMPLATES)
PATHS = {("films", "modern"): "/films", ("films", "classic"): "/cherche.php",
         ("places", "modern"): "/places", ("places", "classic"): "/buscar.asp"}  # fmt: skip
HITS = "//section[@class='hits']//h3/a/@href | //table[@class='list']//a/@href"


def find(site: Site, **asked: str) -> list[str]:
    """Return all that a search lists, by the names of attributes; ends of a range are called from and to."""
    truth = site.truth
    assert truth.search is not None
    names = {attribute: name for name, attribute in reversed(truth.search.fields)}
    names |= dict(zip(("from", "to"), [name for name, at in truth.search.fields if at == "year"], strict=False))
    target = f"{PATHS[truth.kind, truth.template]}?{urlencode({names[key]: value for key, value in asked.items()})}"
    found: list[str] = []
    while target:
        tree = lxml_html.document_fromstring(ask(site, target).body)
        found += tree.xpath(HITS)
        target = next(iter(tree.xpath("//a[@rel='next']/@href")), "")
    return found


def field(text: TrueText, name: str) -> str:
    return dict(text.fields).get(name, "")


def choices(site: Site, path: str = "/") -> dict[str, str]:
    """Return what the first list of the form offers: label and value."""
    tree = lxml_html.document_fromstring(ask(site, path).body)
    options = tree.xpath("(//select)[1]/option[@value != '']")
    return {option.text: option.get("value") for option in options}


@BOTH
def test_films_are_found_by_every_field(template):
    site = make_site("films", 4, template)
    films = site.truth.texts
    one = films[7]
    assert one.page in find(site, title=one.title)
    assert find(site, title=max(one.title.split(), key=len).upper())
    by_director = {film.page for film in films if set(one.author.split()) <= set(film.author.split())}
    assert set(find(site, director=one.author)) == by_director
    genre = field(one, "genre")
    found = find(site, genre=choices(site)[genre])
    assert sorted(found) == sorted(film.page for film in films if field(film, "genre") == genre)
    between = {film.page for film in films if "1960" <= field(film, "year") <= "1979"}
    assert set(find(site, **{"from": "1960", "to": "1979"})) == between
    assert set(find(site, title="the", **{"from": "1960", "to": "1979"})) < between


@BOTH
@pytest.mark.parametrize("seed", range(4))
def test_words_are_joined_and_indexed_as_the_truth_says(seed, template):
    site = make_site("films", seed, template)
    search = site.truth.search
    assert search is not None
    words = {word for film in site.truth.texts for word in film.title.lower().split()}
    one, two = site.truth.texts[3], site.truth.texts[4]
    long, other = (max(film.title.split(), key=len) for film in (one, two))
    assert long != other and len(words) > 50
    both = set(find(site, title=f"{long} {other}"))
    assert ({one.page, two.page} <= both) == (search.joined == "or")
    assert bool(find(site, title="the")) == search.has_stop_words
    assert one.page in find(site, title=f"the {long}") or (search.has_stop_words and "the" not in one.title.lower())
    assert find(site, title=one.title)[0] == one.page


@BOTH
def test_cities_lie_in_their_region(template):
    site = make_site("places", 4, template)
    form = lxml_html.document_fromstring(ask(site, "/").body)
    region, city = form.xpath("//select/@name")
    assert form.xpath(f"//select[@name='{city}']/option") == []
    offered, found = {}, []
    for value in choices(site).values():
        answer = ask(site, f"/cities?{urlencode({region: value})}")
        assert header(answer, "Content-Type") == "application/json"
        offered[value] = [str(one["id"]) if isinstance(one, dict) else one for one in json.loads(answer.body)]
        found += [page for one in offered[value] for page in find(site, region=value, city=one)]
    assert sorted(found) == sorted(text.page for text in site.truth.texts)
    first, second = list(offered)[:2]
    assert not set(offered[first]) & set(offered[second])
    assert find(site, region=first, city=offered[second][0]) == find(site, city=offered[first][0]) == []
    apart = visible(ask(site, f"{PATHS['places', template]}?{urlencode({city: offered[first][0]})}"))
    nothing = visible(ask(site, f"{PATHS['places', template]}?{urlencode({region: 'nowhere'})}"))
    assert apart != nothing
    assert json.loads(ask(site, "/cities").body) == []


@BOTH
@pytest.mark.parametrize("kind", ["films", "places"])
def test_answers_show_what_the_truth_says_they_list(kind, template):
    site = make_site(kind, 5, template)
    search = site.truth.search
    assert search is not None and search.reachable == site.truth.content_paths
    by_page = {text.page: text for text in site.truth.texts}
    seen: set[str] = set()
    name = lxml_html.document_fromstring(ask(site, "/").body).xpath("//select/@name")[0]
    for value in choices(site).values():
        answer = ask(site, f"{PATHS[kind, template]}?{urlencode({name: value})}")
        tree = lxml_html.document_fromstring(answer.body.decode())
        for row in tree.xpath("//article[@class='hit'] | //table[@class='list']//tr[td]"):
            text = by_page[row.xpath(".//a/@href")[0]]
            seen.add(text.page)
            shown = [part.strip() for part in row.itertext() if part.strip()]
            wanted = [text.title, *(value for name, value in text.fields if name in search.listed)]
            assert [part for part in shown if part in wanted] == wanted
            assert template == "modern" or len(shown) == len(search.listed)
    assert len(seen) > 20
    gaps = [name for name in search.listed[1:] if any(not field(text, name) for text in site.truth.texts)]
    assert len(gaps) == 3


@BOTH
def test_empty_and_hopeless_searches_say_so(template):
    for kind in ("films", "places"):
        site = make_site(kind, 4, template)
        hopeless = "&".join(f"{name}=xqzzy" for name in ("title", "titre", "name", "nombre"))
        pages = [visible(ask(site, PATHS[kind, template] + query)) for query in ("", f"?{hopeless}")]
        assert pages[0] != pages[1]
        assert find(site, title="xqzzy") == find(site, title=" ") == []


@BOTH
def test_oracle_requests_list_everything(template):
    for kind in ("films", "places"):
        site = make_site(kind, 6, template)
        lists = site.truth.oracle_paths - site.truth.content_paths
        found = [page for path in lists for page in lxml_html.document_fromstring(ask(site, path).body).xpath(HITS)]
        assert sorted(found) == sorted(site.truth.content_paths)


@BOTH
def test_searches_that_end_badly(template):
    with Server(make_site("films", 4, template)) as server:
        site = server.site
        assert {"/press", "/lost", "/members"} <= links("/", ask(site, "/"))
        for name in ("press", "lost", "members"):
            form = lxml_html.document_fromstring(ask(site, f"/{name}").body).forms[0]
            assert form.action == f"/{name}/find" and form.method == "GET"
        assert [ask(site, f"/{name}/find?title=the").status for name in ("press", "lost", "members")] == [500, 200, 302]
        assert not lxml_html.document_fromstring(ask(site, "/lost/find?genre=1&genre=drama").body).xpath(HITS)
        assert b"password" in ask(site, header(ask(site, "/members/find?title=the"), "Location")).body
        assert ask(site, "/login", "POST", b"email=a").violation == "login"
