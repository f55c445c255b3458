from __future__ import annotations

import re

import pytest

from siteseer.demo import TEMPLATES, make_site
from tests.demo.demo_walker import ask, links, visible, walk, words

BOTH = pytest.mark.parametrize("template", TEMPLATES)


@BOTH
def test_there_is_no_end(template):
    site = make_site("trap", 1, template)
    answers = walk(site, limit=600)
    assert len(answers) == 600
    assert {answer.status for answer in answers.values()} == {200}


@BOTH
def test_calendar_goes_on(template):
    site = make_site("trap", 1, template)
    path = "/calendar/2024/5"
    for _ in range(30):
        path = next(link for link in sorted(links(path, ask(site, path)), key=len) if _is_later(link, path))
    assert path.startswith("/calendar/2026/11")


def _is_later(link: str, path: str) -> bool:
    there, here = (re.match(r"/calendar/(\d+)/(\d+)\?sid|/calendar/(\d+)/(\d+)$", text) for text in (link, path))
    if not there or not here:
        return False
    one, two = (tuple(int(part) for part in found.groups() if part) for found in (there, here))
    return one > two


def test_session_ids_change_on_every_page():
    site = make_site("trap", 1)
    one, two = (set(re.findall(rb"sid=(\w+)", ask(site, path).body)) for path in ("/", "/post/1"))
    assert len(one) == len(two) == 1
    assert one != two


def test_paths_grow():
    site = make_site("trap", 1)
    assert any(link.startswith("/a/b/a/b/a") for link in links("/a/b/a/b", ask(site, "/a/b/a/b")))


def test_unknown_paths_are_soft_errors():
    site = make_site("trap", 1)
    answer = ask(site, "/no/such/thing")
    assert answer.status == 200
    assert "could not find" in visible(answer)


def test_mirrors_show_the_same_text():
    site = make_site("trap", 1)
    text = site.truth.texts[0]
    for mirror in ("/print", "/m"):
        assert words(text.text.split("\n")[0]) in visible(ask(site, mirror + text.page))
