"""What knowledge files say of pages in a browser: read, written back, complained about with the line."""

from __future__ import annotations

import pytest

from siteseer.knowledge.load import read
from siteseer.knowledge.merge import merge
from siteseer.knowledge.save import to_xml
from siteseer.knowledge.types import Application

FILE = """<application id="drawn" category="forum">
  <detect><pattern decisive="yes">body[@data-drawn]</pattern></detect>
  <level id="list" kind="intermediate">
    <detect><pattern>div.rows</pattern></detect>
    {}
  </level>
</application>"""
GOOD = """<interact do="accept">button#consent</interact>
<interact do="scroll-until-still" most="20"/>
<interact do="expand">a.unfold</interact>
<interact do="click-until-gone">button.more | a.older</interact>"""


def made(steps: str) -> Application:
    found = read(FILE.format(steps).encode(), "drawn.xml")
    assert not found.problems
    assert found.application is not None
    return found.application


def test_steps_are_read_in_order_and_written_back() -> None:
    application = made(GOOD)
    steps = application.levels[0].interactions
    assert [(step.do, step.text, step.most) for step in steps] == [
        ("accept", "button#consent", 0),
        ("scroll-until-still", "", 20),
        ("expand", "a.unfold", 0),
        ("click-until-gone", "button.more | a.older", 0),
    ]
    again = read(to_xml(application), "again.xml").application
    assert again is not None
    written = [(step.do, step.text, step.most) for step in again.levels[0].interactions]
    assert written == [(step.do, step.text, step.most) for step in steps]


def test_another_file_adds_its_steps_first() -> None:
    added = made('<interact do="expand">b.new</interact>')
    assert [step.text for step in merge(made(GOOD), added).levels[0].interactions][:2] == ["b.new", "button#consent"]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ('<interact do="dance">a</interact>', "write one of: click-until-gone scroll-until-still expand accept"),
        ("<interact>a</interact>", "<interact> has no do"),
        ('<interact do="expand"/>', "<interact> is empty"),
        ('<interact do="scroll-until-still">div</interact>', "leave the expression out"),
        ('<interact do="expand">a[</interact>', "outside the fragment"),
        ('<interact do="expand">a/@href</interact>', "finds the button itself"),
        ('<interact do="expand" most="0">a</interact>', "a number of 1 or more"),
        ('<interact do="expand" most="many">a</interact>', "is not a number"),
    ],
)
def test_mistakes_are_told_with_their_line(step: str, says: str) -> None:
    problems = read(FILE.format(step).encode(), "drawn.xml").problems
    assert problems, step
    assert str(problems[0]).startswith("drawn.xml:5:")
    assert says in " ".join(map(str, problems))
