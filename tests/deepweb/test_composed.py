"""A cell of two kinds is split, or left without meaning."""

from __future__ import annotations

import pytest

from siteseer.alignment import Fact
from siteseer.deepweb.ontology.ontology_paths import TYPE, Ontology
from siteseer.deepweb.records.composed_values import composition
from tests.deepweb.small_sites import NOUNS, SmallSite

OWN = "http://o.example/"
LABEL, PAPER, YEAR, VENUE = (OWN + name for name in ("label", "Paper", "year", "publishedIn"))
VENUES = ("VLDB", "SIGMOD", "ICDE", "EDBT", "PODS")


def papers(count: int = 40) -> list[dict[str, str]]:
    return [
        {
            "id": str(at),
            "title": f"On {NOUNS[at % 12]} joins over {NOUNS[(at * 5 + at // 12 + 1) % 12]} {NOUNS[(at * 7 + 3) % 12]}",
            "author": ("Ann Lee", "Bob Roe", "Cleo Marsh", "Dov Stern")[at % 4],
            "kind": ("Novel", "Poetry", "Drama")[at % 3],
            "venue": VENUES[at * 3 % 5],
            "year": str(2001 + at * 7 % 13),
            "price": str(at + 1),
        }
        for at in range(count)
    ]


def table(rows) -> str:
    body = "".join(
        f'<tr><td><a href="/p/{row["id"]}">{row["title"]}</a></td><td>{row["author"]}</td>'
        f"<td>{row['venue']} {row['year']}</td></tr>"
        for row in rows
    )
    return f"<table><tr><th>Title</th><th>Author</th><th>Where</th></tr>{body}</table>"


def ontology(rows) -> Ontology:
    facts = []
    for row in rows:
        venue = f"{OWN}venue/{row['venue']}"
        facts += [Fact(venue, TYPE, f"{OWN}Venue"), Fact(venue, LABEL, row["venue"], True)]
        if int(row["id"]) % 3:
            paper = f"{OWN}paper/{row['id']}"
            facts += [
                Fact(paper, TYPE, PAPER), Fact(paper, LABEL, row["title"], True),
                Fact(paper, YEAR, row["year"], True), Fact(paper, VENUE, venue),
            ]  # fmt: skip
    return Ontology(facts)


def test_venue_and_year_in_one_cell_are_two_columns_with_their_own_meanings():
    rows = papers()
    found = SmallSite(table, rows=rows).understand(ontology(rows))
    relations = {match.relation: match.column for match in found.relations}
    venue, year = relations[(VENUE, LABEL)], relations[(YEAR,)]
    assert venue != year
    for record in found.records:
        row = rows[int(record.permalink.rpartition("/")[2])]
        assert record.values[venue] == (row["venue"],) and record.values[year] == (row["year"],)
    for one in found.proposals:
        assert one.value not in {f"{row['venue']} {row['year']}" for row in rows}
        assert one.predicate != YEAR or one.value.isdigit()


@pytest.mark.parametrize(
    ("texts", "how"),
    [
        ([f"{venue} {year}" for venue in VENUES for year in (2011, 2012)], ("after", "date")),
        ([f"{name} ({1950 + at})" for at, name in enumerate(NOUNS)], ("after", "date")),
        ([f"{1950 + at}, {name}" for at, name in enumerate(NOUNS)], ("before", "date")),
        ([f"{name}, € {at + 1}.50" for at, name in enumerate(NOUNS)], ("after", "price")),
        ([f"{name}, 3 May {1950 + at}" for at, name in enumerate(NOUNS)], ("after", "date")),
        ([f"Room {at}" for at in range(12)], None),
        ([f"Published {1990 + at}" for at in range(12)], None),
        ([f"3 May {1990 + at}" for at in range(12)], None),
        ([*NOUNS, "Yearbook 1999", "Census 1931"], None),
        ([f"{1990 + at}" for at in range(12)], None),
        (["Brandt, Ada", "Lee, Ann", "Li, Bo", "Roe, Bob", "Stern, Dov"], None),
        (["Bath, Avon", "Wells, Somerset", "Frome, Somerset", "Bristol, Avon"], None),
    ],
)
def test_what_is_composed(texts, how):
    assert composition(texts) == how
