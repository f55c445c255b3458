"""Values of a definition are changed in its text; what a person wrote besides stays."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.campaigns.relevance.edit_definition import edit_values, values_of
from siteseer.campaigns.relevance.parse_definition import definition_errors, read_definition
from siteseer.errors import ConfigurationError

TEXT = """# My campaign
name = "Kelp"   # not the weed
seeds = [
  "http://e.org/",   # the board
  "http://f.org/",
]
keywords = ["kelp"]

# who
[[entities]]
name = "Harbour Board"
aliases = ["HB"]

[budget]
requests = 500  # one night
# bytes = "2G"

[learned]
terms.frond = 0.8
"""
STRINGS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
LISTS = st.lists(STRINGS, max_size=4)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "name": STRINGS,
        "seeds": LISTS,
        "keywords": LISTS,
        "languages": LISTS,
        "since": st.dates().map(str) | STRINGS,
        "social": st.floats(0, 1),
        "entities": st.lists(st.fixed_dictionaries({"name": STRINGS, "aliases": LISTS}), max_size=3),
        "budget": st.fixed_dictionaries({}, optional={"requests": st.integers(1) | st.none(), "bytes": STRINGS}),
        "politeness": st.fixed_dictionaries({}, optional={"delay": st.floats(0, 9), "allow_private": st.booleans()}),
    },
)


def test_only_what_changes_is_written_anew() -> None:
    made = edit_values(TEXT, {"name": "Kelp again", "budget": {"requests": 900, "days": 2}, "keywords": ["kelp"]})
    assert made == TEXT.replace('"Kelp"', '"Kelp again"').replace("500", "900").replace(
        "# one night", "# one night\ndays = 2"
    )
    same = {key: value for key, value in values_of(TEXT).items() if key != "learned"}
    assert edit_values(TEXT, same) == TEXT


def test_lists_entities_and_new_tables() -> None:
    made = edit_values(
        TEXT,
        {"seeds": ["http://g.org/"], "entities": [{"name": "Ada", "aliases": []}], "politeness": {"delay": 2.5}},
    )
    found = read_definition(made)
    assert found.seeds == ("http://g.org/",) and [one.name for one in found.entities] == ["Ada"]
    assert found.politeness.delay == 2.5 and found.learned.terms[0].text == "frond"
    assert "# who" in made and "# My campaign" in made and "HB" not in made
    assert read_definition(edit_values(made, {"budget": {"requests": None}})).budget.requests is None


@settings(max_examples=80, deadline=None)
@given(CHANGES)
def test_whatever_is_asked_for_arrives(changes: dict[str, Any]) -> None:
    made = edit_values(TEXT, changes)
    now = values_of(made)
    for key, value in changes.items():
        if key in ("budget", "politeness"):
            assert all(now.get(key, {}).get(name) == one for name, one in value.items() if one is not None)
        else:
            assert now.get(key, []) == value
    assert tomllib.loads(made)["learned"] == {"terms": {"frond": 0.8}}


def test_what_cannot_be_changed_is_told() -> None:
    with pytest.raises(ConfigurationError, match="change the text itself"):
        edit_values('name = "K"\nbudget = { requests = 5 }', {"budget": {"days": 2}})
    with pytest.raises(ConfigurationError, match="no TOML"):
        edit_values("name = ", {"name": "x"})


def test_everything_that_is_wrong_is_told_at_once() -> None:
    found = definition_errors(
        {"name": "", "seeds": ["http://[::"], "keywords": "kelp", "budget": {"requests": -1, "day": 1}}
    )
    assert {(table, key) for table, key, _ in found} == {
        ("", "name"),
        ("", "seeds"),
        ("", "keywords"),
        ("budget", "requests"),
        ("budget", "day"),
    }
    assert definition_errors(values_of(TEXT)) == []
