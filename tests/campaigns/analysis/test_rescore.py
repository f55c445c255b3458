"""What was gathered before the definition changed is judged by the definition as it is now, from the archive."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from siteseer.campaigns.analysis import rescore
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.cli.main import build
from siteseer.collection.description import Description
from siteseer.collection.state import State
from siteseer.crawler.results.derived_files import write_pages
from siteseer.demo import Server, make_site
from siteseer.demo.web import definition_text, make_web, write_web
from tests.campaigns.small_web import definition, ring

WEB = write_web(3, 12)


def degrees(folder: Path) -> dict[str, float]:
    """What the page lists say, by title."""
    files = folder.glob("sites/*/pages/pages.jsonl")
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()[1:]]
    return {line["title"]: line["relevance"] for line in lines}


def call(*arguments: str | Path) -> str:
    done = CliRunner().invoke(build(), [str(one) for one in arguments])
    assert done.exit_code == 0, f"{done.output} {done.exception}"
    return done.stdout


def test_pages_of_an_earlier_definition_are_weighed_anew_without_asking_for_them(tmp_path: Path) -> None:
    file, out = tmp_path / "kelp.toml", tmp_path / "out"
    with Server(ring(3, 7)) as server:
        text = definition(server.port)
        file.write_text(text)
        first = run_campaign(file, out)
        kelp, asked = degrees(out), len(server.log)
        file.write_text(text.replace("kelp", "tea"))
        second = run_campaign(file, out)
        assert len(server.log) == asked
        tea = degrees(out)
        file.write_text(text)
        assert run_campaign(file, out)["relevant_pages"] == first["relevant_pages"]
    assert (first["relevant_pages"], second["relevant_pages"]) == (9, 12)
    assert degrees(out) == kelp
    assert tea["tea 1 2"] > 0.5 > tea["kelp harvest 1 3"] and kelp["tea 1 2"] < 0.5 < kelp["kelp harvest 1 3"]
    told = [json.loads(line) for line in (out / "reports" / "sites.jsonl").read_text().splitlines()]
    assert {one["relevant"] for one in told} == {3}


def test_pages_whose_files_are_elsewhere_keep_their_degrees(tmp_path: Path) -> None:
    file, out = tmp_path / "kelp.toml", tmp_path / "out"
    with Server(ring(1, 4)) as server:
        file.write_text(definition(server.port))
        run_campaign(file, out)
        text = definition(server.port).replace("kelp", "tea")
    (site,) = (out / "sites").iterdir()
    for one in (site / "archive").iterdir():
        one.rename(tmp_path / one.name)
    before, state = degrees(out), State(site, create=False)
    assert rescore.rescore_site(state, read_definition(text))
    write_pages(state)
    state.close()
    assert degrees(out) == before


def test_pages_are_weighed_once_while_the_definition_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, out = tmp_path / "kelp.toml", tmp_path / "out"
    with Server(ring(2, 3)) as server:
        file.write_text(definition(server.port))
        with monkeypatch.context() as patched:
            patched.setattr(rescore, "read_kept", None)
            run_campaign(file, out)
            file.write_text(definition(server.port, "contact = 'a@example.org'\n"))
            run_campaign(file, out)
            call("campaign", "analyse", out)


def test_accepted_terms_judge_the_pages_of_the_reference_crawl(tmp_path: Path) -> None:
    file, out = tmp_path / "kelp.toml", tmp_path / "out"
    with Server(make_web(3, WEB)) as server:
        file.write_text(definition_text(WEB, server.port, 60))
        call("campaign", "learn", file, "-o", out, "--limit", "60")
        before, asked = degrees(out), len(server.log)
        call("campaign", "terms", file, "--accept-all")
        call("campaign", "run", file, "-o", out)
        assert len(server.log) == asked
    after = degrees(out)
    assert after.keys() == before.keys() and sum(after.values()) > sum(before.values())


def test_analysis_report_and_proposal_follow_the_definition(tmp_path: Path) -> None:
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    with Server(make_web(3, WEB)) as server:
        (tmp_path / "kelp.toml").write_text(definition_text(WEB, server.port, 50))
        run_campaign(tmp_path / "kelp.toml", out)
    call("campaign", "analyse", out, "--all")
    copy = out / "campaign.toml"
    keywords = next(line for line in copy.read_text().splitlines() if line.startswith("keywords"))
    copy.write_text(copy.read_text().replace(keywords, 'keywords = ["harbour", "boat", "weather"]'))
    shutil.copytree(out, fresh, ignore=shutil.ignore_patterns("analysis.db*", "objects", "proposal.tsv"))
    before = (out / "proposal.tsv").read_text()
    for folder in (out, fresh):
        call("campaign", "analyse", folder, "--all")
    assert (out / "proposal.tsv").read_text() == (fresh / "proposal.tsv").read_text() != before
    questions = (
        "SELECT key, relevance, because FROM page ORDER BY key",
        "SELECT object, relevance FROM written ORDER BY object",
        "SELECT * FROM mention ORDER BY object, term",
        "SELECT source, target FROM link ORDER BY source, target",
    )
    for question in questions:
        told = [sqlite3.connect(folder / "analysis.db").execute(question).fetchall() for folder in (out, fresh)]
        assert told[0] == told[1] != []
    site = max((out / "sites").iterdir(), key=lambda one: len((one / "pages" / "pages.jsonl").read_text()))
    question = 'SELECT ?o ?r { ?a rdfs:label "relevance" . ?o ?a ?r } ORDER BY ?o ?r'
    answers = [call("query", folder / "sites" / site.name, question, "--format", "json") for folder in (out, fresh)]
    rows = [json.loads(answer)["results"]["bindings"] for answer in answers]
    assert rows[0] == rows[1] != []


def test_objects_of_a_strategy_are_weighed_anew(tmp_path: Path) -> None:
    file, out = tmp_path / "x.toml", tmp_path / "out"
    with Server(make_site("forum", 1, size=4)) as server:
        text = f'name = "x"\nseeds = ["{server.url}/"]\nkeywords = ["zebra"]\nstrategy = "auto"\n'
        text += '[politeness]\ndelay = 0.0\n[sites]\nfollow = "seeds"\n[budget]\nrequests = 60\n'
        file.write_text(text)
        run_campaign(file, out)
        (folder,) = (out / "sites").iterdir()
        with Description(folder) as description:
            found = [one for one in description.objects() if one.get("text")]
        assert {one["fields"]["relevance"] for one in found} == {"0.0000"}
        word = max(found[0]["text"].split(), key=len).strip(".,")
        file.write_text(text.replace("zebra", word))
        run_campaign(file, out)
    state = State(folder, create=False)
    stored = [(one.id, one.fields["relevance"]) for _, one, _ in state.objects()]
    state.close()
    with Description(folder) as description:
        told = {one["id"]: one["fields"]["relevance"] for one in description.objects()}
        met = [one["id"] for one in description.search(f'"{word}"')]
    assert told[found[0]["id"]] > "0.0000" and found[0]["id"] in met and told.items() <= set(stored)
