"""A board of vacancies: a posted form, radio buttons, a table whose heads are no th, pay that the ontology has too."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from siteseer.alignment import Fact
from siteseer.deepweb.ontology.ontology_paths import TYPE, Ontology
from siteseer.deepweb.understanding_model import Understanding
from siteseer.model import Page
from tests.deepweb.small_sites import Row, SmallSite

TOWNS = ("Leeds", "York", "Hull", "Derby")
TERMS = ("Permanent", "Temporary", "Part-time")
FIRMS = ("Halden Works", "Brightwater Ltd", "Osprey Sons", "Kestrel Group", "Marlow Foundry", "Quayside Trust")
TRADES = ("carpenter", "welder", "gardener", "baker", "plumber", "surveyor", "chemist", "editor", "cook", "driver")
RANKS = ("Senior", "Junior", "Chief", "Deputy")
OWN = "http://o.example/"
FORM = """<h1>Find a job</h1><form method=post action="/vacancies"><p>Job title <input name=jt></p>
<p>Employer <input name=emp></p><p>Contract <select name=ct><option value=0>All contracts</option>{terms}</select></p>
<p>Where: {towns}</p>
<p>Minimum salary <input name=sal></p><input type=submit value="Find vacancies"></form>"""


def vacancies(count: int = 36) -> list[Row]:
    return [
        {
            "id": str(at),
            "title": f"{RANKS[at * 3 % 4]} {TRADES[at % 10]}",
            "firm": FIRMS[at * 5 % 6 if at % 7 else at % 3],
            "town": TOWNS[at * 7 % 4 if at % 3 else at % 2],
            "term": TERMS[at * 2 % 3],
            "pay": str(18_000 + at * 1_250),
        }
        for at in range(count)
    ]


@dataclass
class JobsBoard(SmallSite):
    draw: object = None  # type: ignore[assignment]
    rows: list[Row] = field(default_factory=vacancies)

    def get(self, url: str, body: bytes = b"") -> Page:
        self.requests.append(url)
        terms = "".join(f"<option value={at}>{term}" for at, term in enumerate(TERMS, 1))
        towns = "".join(f"<label><input type=radio name=where value={town}>{town}</label>" for town in TOWNS)
        said = self._found(dict(parse_qsl(body.decode()))) if body else FORM.format(terms=terms, towns=towns)
        html = f"<body><div><a href=/>Home</a> <a href=/about>About us</a></div>{said}<div>Since 1998.</div></body>"
        return Page(url, 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode())

    def _found(self, asked: dict[str, str]) -> str:
        pay = asked.get("sal", "")
        found = [
            row
            for row in self.rows
            if set(asked.get("jt", "").lower().split()) <= set(row["title"].lower().split())
            and asked.get("emp", "").lower() in row["firm"].lower()
            and asked.get("ct", "0") in ("0", str(TERMS.index(row["term"]) + 1))
            and asked.get("where", "") in ("", row["town"])
            and (not pay.isdigit() or int(row["pay"]) >= int(pay))
        ]
        if not found or not any(value for name, value in asked.items() if (name, value) != ("ct", "0")):
            return "<p>Sorry, no vacancy matches.</p>"
        head = "".join(f"<td><b>{name}</b></td>" for name in ("Position", "Employer", "Location", "Salary", "Contract"))
        lines = "".join(
            f"<tr><td><a href=/v/{row['id']}>{row['title']}</a></td><td>{row['firm']}</td><td>{row['town']}</td>"
            f"<td>&pound;{int(row['pay']):,} p.a.</td><td>{row['term']}</td></tr>"
            for row in found
        )
        return f"<p>{len(found)} vacancies</p><table><tr>{head}</tr>{lines}</table>"


def ontology(rows: list[Row]) -> Ontology:
    """Return an ontology with two of three vacancies, under other names, and all firms but one."""
    facts = []
    for at, name in enumerate(FIRMS[:-1]):
        facts += [
            Fact(f"{OWN}org{at}", TYPE, f"{OWN}Organisation"),
            Fact(f"{OWN}org{at}", f"{OWN}orgName", name.upper(), True),
        ]
    for at, row in enumerate(rows):
        if at % 3 and row["firm"] in FIRMS[:-1]:
            facts += [
                Fact(f"{OWN}post{at}", TYPE, f"{OWN}Post"),
                Fact(f"{OWN}post{at}", f"{OWN}designation", row["title"], True),
                Fact(f"{OWN}post{at}", f"{OWN}offeredBy", f"{OWN}org{FIRMS.index(row['firm'])}"),
                Fact(f"{OWN}post{at}", f"{OWN}yearlyPay", row["pay"], True),
            ]
    return Ontology(facts)


def known(rows: list[Row]) -> dict[str, str]:
    return {
        f"http://small.example/v/{at}#this": f"{OWN}post{at}"
        for at, row in enumerate(rows)
        if at % 3 and row["firm"] in FIRMS[:-1]
    }


def test_a_board_of_vacancies_is_understood() -> None:
    site = JobsBoard()
    found: Understanding = site.understand(ontology(site.rows))
    fields = {one.name: (one.role, one.columns) for one in found.fields}
    assert fields == {
        "jt": ("text", ("position",)), "emp": ("text", ("employer",)), "ct": ("option", ("contract",)),
        "where": ("option", ("location",)), "sal": ("lowest", ("salary",)),
    }  # fmt: skip
    assert next(one.label for one in found.fields if one.name == "where") == "Where"
    assert {record.values["position"][0] for record in found.records} == {row["title"] for row in site.rows}
    assert len(found.records) == len(site.rows), "the heads of the table are no record"
    relations = {one.column: one.relation for one in found.relations}
    assert relations["position"] == (f"{OWN}designation",)
    assert relations["employer"] == (f"{OWN}offeredBy", f"{OWN}orgName")
    assert relations["salary"] == (f"{OWN}yearlyPay",)
    same = {one.record: one.instance for one in found.instances}
    assert same == known(site.rows)
    new = {one.subject for one in found.proposals if one.value == f"{OWN}Post"}
    assert new
    assert new.isdisjoint(known(site.rows))
    firms = [one for one in found.proposals if one.value == f"{OWN}Organisation"]
    assert len(firms) == 1, "known firms are linked, and the unknown one is made once"
