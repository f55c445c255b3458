"""Forms as people write them: fields, labels, choices, what is sent; and what may be sent at all."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.forms.dependent_lists import read_choices
from siteseer.forms.field_roles import QUERY, role
from siteseer.forms.form import Form
from siteseer.forms.form_kinds import classify
from siteseer.forms.form_request import body_of, fields_sent, submission
from siteseer.forms.parse_forms import forms
from siteseer.forms.safe_to_submit import permission
from siteseer.model import Page

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def only(markup: str, url: str = "http://e.org/shop/") -> Form:
    (form,) = forms(Page(url, headers=HTML, body=markup.encode()))
    return form


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        ("<label for=x>For</label><input id=x name=a>", "For"),
        ("<label>Around <input name=a></label>", "Around"),
        ("Before: <input name=a> after", "Before"),
        ("<input name=a placeholder=Placed>", "Placed"),
        ("<input name=a aria-label=Spoken>", "Spoken"),
        ("<b id=t>Elsewhere</b><input name=a aria-labelledby=t>", "Elsewhere"),
        ("<input type=checkbox name=a> ticked", "ticked"),
        ("<table><tr><td>Cell</td><td><input name=a></td></tr></table>", "Cell"),
    ],
)
def test_labels(markup, label):
    assert only(f"<form>{markup}</form>").fields[0].label == label


def test_fields_choices_and_defaults():
    form = only(
        "<form method=post enctype=multipart/form-data action=../go id=f><input type=hidden name=t value=7>"
        "<select name=s><option value=1>One<option value=2 selected>Two</select>"
        "<input type=radio name=r value=x><input type=radio name=r value=y checked>"
        "<input type=checkbox name=c value=1><input name=d value=v disabled><input type=strange name=o></form>"
        "<input form=f name=outside value=z>"
    )
    assert (form.method, form.encoding, form.action) == ("POST", "multipart/form-data", "http://e.org/go")
    assert [field.type for field in form.fields] == [
        "hidden", "select", "radio", "checkbox", "text", "text", "text",
    ]  # fmt: skip
    assert fields_sent(form, {}) == (("t", "7"), ("s", "2"), ("r", "y"), ("o", ""), ("outside", "z"))
    assert [choice.label for choice in form.fields[1].choices] == ["One", "Two"]


def test_what_is_posted_can_be_read_back():
    form = only("<form method=post accept-charset=iso-8859-1><input name=q><input type=submit name=go value=Go></form>")
    kind, body = body_of(submission(form, {"q": "müsli & tea"}, "test"))
    assert kind == "application/x-www-form-urlencoded"
    assert parse_qsl(body.decode(), encoding="latin-1") == [("q", "müsli & tea"), ("go", "Go")]


def test_multipart_is_always_the_same_and_well_formed():
    form = only('<form method=post enctype="multipart/form-data"><input name=q></form>')
    first, second = (body_of(submission(form, {"q": "tea\r\n"}, "test")) for _ in range(2))
    assert first == second
    boundary = first[0].partition("boundary=")[2].encode()
    assert first[1].count(b"--" + boundary) == 2 and first[1].endswith(b"--" + boundary + b"--\r\n")


SEARCH = "<input name=q placeholder='Search the shop'><input type=submit value=Search>"
LEFT_ALONE = {
    "login": "<form method=post action=/login><input name=user><input type=password name=p><input type=submit></form>",
    "GET login": "<form action=/login><input name=user><input name=pin><input type=submit value='Log in'></form>",
    "newsletter": "<form action=/newsletter><input name=email><input type=submit value=Subscribe></form>",
    "poll": "<form method=post action=/poll><input type=radio name=v value=1><input type=radio name=v value=2>"
    "<input type=submit value=Vote></form>",
    "poll by GET": "<form action=/find><input name=q><input type=hidden name=do value=vote><input type=submit></form>",
    "basket": "<form action=/basket/add><input name=qty value=1><input type=submit value='Add to basket'></form>",
    "delete": f"<form action=/search/delete>{SEARCH}</form>",
    "comment": "<form method=post action=/c><textarea name=t></textarea><input type=submit value=Search></form>",
    "upload": f"<form method=post action=/search><input type=file name=f>{SEARCH}</form>",
    "script": f"<form action='javascript:search()'>{SEARCH}</form>",
    "captcha": f"<form action=/search>{SEARCH}<input name=captcha></form>",
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_forms_that_act_are_never_sent(name):
    found = permission(only(LEFT_ALONE[name]))
    assert not found.allowed and found.because


@pytest.mark.parametrize("method", ["get", "post"])
def test_search_forms_may_be_sent(method):
    form = only(f"<form id=search method={method} action=/search>{SEARCH}</form>")
    assert classify(form).kind == "search" and permission(form).allowed
    assert role(form.fields[0], form, True) == QUERY
    assert permission(form, post=False).allowed == (method == "get")


def test_choices_of_dependent_lists():
    def read(body: str, kind: str = "application/json") -> tuple[str, ...]:
        return read_choices(Page("http://e.org/", headers=(("Content-Type", kind),), body=body.encode()))

    assert read('["a", "b", "a"]') == ("a", "b")
    assert read('{"items": [{"value": 1, "label": "One"}]}') == ("1",)
    assert read('{"x": "X", "y": "Y"}') == ("x", "y")
    assert read("<option value=1>One</option><option>Two</option>", "text/html") == ("1", "Two")
    assert read("[" * 100_000) == () and read("no json") == ()


@given(st.text(alphabet="<>/= \"'abforminputselecoptiontextareavaluename\x00é", max_size=400))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read(text):
    page = Page("http://e.org/", headers=HTML, body=f"<form>{text}".encode())
    for form in forms(page):
        permission(form)
        assert Form.of_json(form.as_json()) == form


def test_deep_and_large_forms_are_bounded():
    deep = Page("http://e.org/", headers=HTML, body=b"<form>" + b"<div>" * 20_000 + b"<input name=q>")
    assert len(forms(deep)) == 1
    large = Page("http://e.org/", headers=HTML, body=b"<form>" + b"<input name=q>" * 5_000)
    assert len(forms(large)[0].fields) == 500
