"""What another crawler is told: every action that a strategy may answer with is JSON."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from siteseer.interfaces import Verdict
from siteseer.model import (
    Action,
    Appraise,
    Evidence,
    Follow,
    Keep,
    Note,
    Rank,
    Recognition,
    Remember,
    Skip,
    Submit,
    Vote,
    WebObject,
    Weigh,
)
from siteseer.web.service.sessions import Session

URL = "http://forum.example/t/1"
EXAMPLES: dict[type, Action] = {
    Follow: Follow(URL, "a thread", state={"page": 2}, headers=(("Accept", "text/html"),)),
    Rank: Rank("threads", 2.0, "they brought most"),
    Keep: Keep(WebObject("post", f"{URL}#p1", URL, tags=("a",), fields={"price": "3"}), "a post"),
    Submit: Submit(URL, "a search", fields=(("q", "lens"),)),
    Skip: Skip(URL, "a print view", "print"),
    Remember: Remember("seen", "1", {"grams": [1, 2]}),
    Note: Note(
        "recognised", Recognition("phpbb", evidence=(Evidence("//a", "body"),)), "recognised", {"level": "list"}
    ),
    Weigh: Weigh(0.0, "off topic"),
    Vote: Vote(URL, 0.5, "its text", "link text", 3),
    Appraise: Appraise(3, 0.0, "brought nothing"),
}


class Anywhere:
    """A scope that allows everything."""

    def verdict(self, url: str, depth: int = 0) -> Verdict:
        return Verdict(True, "")


@pytest.mark.parametrize("kind", get_args(Action), ids=lambda kind: kind.__name__)
def test_every_action_is_json(kind):
    action: Any = EXAMPLES[kind]
    session = Session("1", strategy=None, scope=Anywhere())
    answer = json.loads(json.dumps(session.serialise([action])))
    if kind is Remember:
        assert answer == {"actions": [], "objects": []}
        assert list(session.memory.recall("seen")) == [("1", {"grams": [1, 2]})]
        return
    (told,) = answer["objects" if kind is Keep else "actions"]
    assert told["because"] == action.because
    assert kind is Keep or told["action"] == kind.__name__.lower()
    assert kind not in (Weigh, Appraise) or told["degree"] == 0.0


def test_an_example_of_every_action():
    assert set(EXAMPLES) == set(get_args(Action))
