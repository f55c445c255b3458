"""The plan of submissions, driven by a small database behind a form."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from siteseer.archive.cdxj import lookup
from siteseer.archive.request_keys import request_query
from siteseer.crawler.run import crawl
from siteseer.forms.answer_types import as_key, of_key
from siteseer.forms.form import Choice, Field, Form
from siteseer.forms.query_plan import Plan
from siteseer.forms.result_pages import Answer
from siteseer.settings import CrawlOptions

COLOURS = ("red", "green", "blue")
FORM = Form(
    0, "http://e.org/", "http://e.org/find", "GET", "", "utf-8",
    (
        Field("q", "text"),
        Field("colour", "select", choices=(Choice("", "Any"), *(Choice(one, one) for one in COLOURS))),
        Field("sort", "select", label="Sort by", choices=(Choice("a", "a"), Choice("b", "b"))),
    ),
)  # fmt: skip
PATHS = ("/search?", "/antiquarian/results", "/academic/find", "/academic/subjects")


def run(plan: Plan, items: dict[str, str], cap: int = 1000) -> list[dict[str, str]]:
    sent = []
    while wanted := plan.wanted():
        for query in wanted:
            values = dict(query)
            sent.append(values)
            found = [name for name, colour in items.items() if values.get("colour", "") in ("", colour)]
            found = [name for name in found if values.get("q", "") in name]
            url = "http://e.org/find?" + urlencode(values)
            records = tuple(f"http://e.org/{name}" for name in found[:cap])
            plan.hear(of_key(as_key(query)), Answer(url, 1, len(records), records, (), (("items", len(found)),)))
    return sent


def test_one_submission_where_the_first_answer_lists_everything():
    items = {f"item{at}": COLOURS[at % 3] for at in range(9)}
    plan = Plan(FORM)
    assert run(plan, items) == [{}] and len(plan.records) == 9


def test_what_is_cut_off_is_split_and_useless_fields_are_left_alone():
    items = {f"item{at:02}": COLOURS[at % 3] for at in range(60)}
    plan = Plan(FORM)
    sent = run(plan, items, cap=30)
    assert len(plan.records) == 60 and len(sent) == 4
    assert not any("sort" in values for values in sent)


def test_given_values_are_sent_with_every_search():
    sent = run(Plan(FORM, {"colour": "red", "unknown": "x"}), {"apple": "red", "sky": "blue"})
    assert sent == [{"colour": "red"}]


def test_plans_are_bounded():
    many = Form(
        0,
        "",
        "http://e.org/find",
        "GET",
        "",
        "utf-8",
        (Field("n", "select", choices=tuple(Choice(str(at), "x") for at in range(1, 250))),),
    )
    plan = Plan(many, most=20)
    sent = 0
    while wanted := plan.wanted():
        for query in wanted:
            plan.hear(query, Answer("http://e.org/find", 1, sent, (f"http://e.org/{sent}",) if query else (), ()))
            sent += 1
    assert sent == 20


@pytest.mark.parametrize(("seed", "template", "size"), [(4, "modern", 120), (11, "classic", 120), (6, "modern", 300)])
def test_shop_behind_three_forms(serve, tmp_path, seed, template, size):
    server = serve("shop", seed=seed, template=template, size=size)
    seeds = tuple(server.url + path for path in ("/", "/antiquarian", "/academic"))
    summary = crawl(CrawlOptions(seeds, tmp_path / "shop", "probe", delay=0.0, assets="none", browser="never"))
    truth = server.site.truth
    found = {entry.path for entry in server.log} & truth.content_paths
    assert len(found) >= 0.98 * len(truth.content_paths)
    sent = [
        entry
        for entry in server.log
        if entry.path.startswith(PATHS) and "page=" not in entry.path and "blatt=" not in entry.path
    ]
    necessary = [path for path in truth.oracle_paths if path.removeprefix("POST ").startswith(PATHS)]
    assert len(sent) <= 1.5 * len(necessary)
    assert not server.violations
    assert summary["stopped_by"] is None and summary["errors"] == 0


def test_posted_forms_are_archived_so_that_they_replay(serve, run_crawl, tmp_path):
    server = serve("shop", seed=4)
    run_crawl(server.url + "/antiquarian", strategy="probe")
    posted = [entry for entry in server.log if entry.method == "POST"]
    assert len(posted) >= 6
    index = tmp_path / "collection" / "indexes" / "index.cdxj"
    kind = "application/x-www-form-urlencoded"
    for entry in posted:
        query = request_query("POST", kind, entry.body)
        (line,) = lookup(index, server.url + entry.path, "POST", query)
        assert (line.method, line.query) == ("POST", query)
    before = len(server.log)
    again = run_crawl(server.url + "/antiquarian", "again", strategy="probe", offline=tmp_path / "collection")
    assert len(server.log) == before and again["errors"] == 0
    lines = (tmp_path / "again" / "pages" / "pages.jsonl").read_text().count('"answer"')
    assert lines == len(posted)


def test_get_only_posts_nothing(serve, run_crawl):
    server = serve("shop", seed=4)
    run_crawl(server.url + "/antiquarian", strategy="probe-get")
    assert {entry.method for entry in server.log} == {"GET"}


@pytest.mark.parametrize("limit", [5, 17, 30])
def test_stopped_and_resumed_nothing_is_sent_twice_or_lost(serve, run_crawl, limit):
    server = serve("shop", seed=4, template="classic")
    for options in ({"limit": limit}, {"limit": limit + 11}, {}):
        summary = run_crawl(server.url + "/", strategy="probe", concurrency=2, **options)
    assert summary["stopped_by"] is None
    asked = [(entry.method, entry.path, entry.body) for entry in server.log]
    assert len(asked) == len(set(asked))
    wanted = {text.page for text in server.site.truth.texts if "new" in text.tags}
    assert wanted <= {entry.path for entry in server.log}
