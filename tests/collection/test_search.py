"""Filters and words: what a person types is never more than words."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.collection.description import Description
from siteseer.collection.objects.object_formats import cell, write
from siteseer.collection.objects.object_search import Filter
from siteseer.errors import UsageError
from tests.collection.examples import BLOG, FORUM, capture, post


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    with Description(tmp_path_factory.mktemp("collection")) as found:
        found.add((thing, capture(1)) for thing in FORUM)
        found.add((thing, capture(2)) for thing in BLOG)
        found.add(
            [
                (
                    post(7, text="Das Müllerfest 镜头选择 =cmd()", author="Ünal", published="2015-01-01", title="=1+1"),
                    capture(3),
                )
            ]
        )
        yield found


def ids(description, **wanted):
    return [found["id"].rpartition("/")[2] for found in description.objects(Filter(**wanted))]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"kind": "comment"}, ["hello#comment-7"]),
        ({"author": "ANN", "kind": "post"}, ["9#p100"]),
        ({"author": "ünal"}, ["9#p7"]),
        ({"since": "2014-03-02", "until": "2014-03-02"}, ["hello#this", "hello#comment-7"]),
        ({"until": "2014-03"}, ["9#p100", "hello#this", "hello#comment-7"]),
        ({"since": "2014-03-02T08:00:00Z", "order": "newest"}, ["9#p7", "hello#comment-7"]),
        ({"text": "lens", "kind": "post"}, ["9#p100"]),
        ({"text": '"first post"'}, ["hello#this"]),
        ({"text": '"post first"'}, []),
        ({"text": "fest*"}, ["hello#this"]),
        ({"text": "fest"}, []),
        ({"text": "mullerfest"}, ["9#p7"]),
        ({"text": "头选"}, ["9#p7"]),
        ({"text": "intro", "site": "b.example"}, ["hello#this"]),
        ({"site": "www.b.example", "limit": 1, "offset": 1}, ["hello#comment-7"]),
        ({"text": "?!"}, []),
        ({"text": ""}, []),
    ],
)
def test_filters(description, wanted, found):
    assert ids(description, **wanted) == found


@pytest.mark.parametrize(
    "typed", ['lens" OR text:*', "lens NOT post", "author:ann", "NEAR(lens post)", "'; DROP TABLE object; --"]
)
def test_operators_are_only_words(description, typed):
    assert ids(description, text=typed, kind="board") == []
    assert description.count() == len(FORUM) + len(BLOG) + 1


@settings(max_examples=100, deadline=None)
@given(st.text() | st.text(alphabet='"*^:()-+ \x00ab{}'))
def test_whatever_is_typed_is_answered(description, typed):
    assert description.count(Filter(text=typed)) <= description.count()
    assert description.count(Filter(author=typed, site=typed)) == 0


def test_wrong_kinds_and_dates_are_told(description):
    with pytest.raises(UsageError, match="no kind 'pots'; choose"):
        ids(description, kind="pots")
    with pytest.raises(UsageError, match="'last week' is no date"):
        ids(description, since="last week")


def exported(description, form, **wanted):
    out = io.BytesIO()
    write(description, Filter(**wanted), form, out)
    return out.getvalue().decode()


def test_csv_holds_no_formula_and_names_the_capture(description):
    (row,) = csv.DictReader(io.StringIO(exported(description, "csv", text="cmd")))
    assert row["title"] == "'=1+1"
    assert (row["capture_file"], row["capture_offset"]) == ("B-00000.warc.gz", "3000")


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs",))))
def test_no_cell_begins_like_a_formula(text):
    assert not cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert "\x00" not in cell(text)


def test_jsonl_is_the_contracts_json(description):
    (line,) = exported(description, "jsonl", kind="comment").splitlines()
    found = json.loads(line)
    assert found["published"] == "2014-03-02T08:30:00Z"
    assert set(found["capture"]) == {"file", "offset", "time", "digest"}


def test_a_selection_as_statements(description):
    assert "f.example/t/9#p100" not in exported(description, "nq", kind="comment")
    turtle = exported(description, "ttl", kind="comment")
    assert "@prefix sioc:" in turtle and "wa:offset 2000" in turtle
