"""Definitions are read with helpful complaints, asked for, and completed by what a reference crawl found."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from siteseer.campaigns.relevance.definition import Term
from siteseer.campaigns.relevance.definition_toml import definition_toml, entity_of
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.vocabulary.reference_crawl import Proposal, complete_definition, read_proposals, write_proposals
from siteseer.cli.campaign.campaign_new import QUESTIONS, interview
from siteseer.cli.main import build
from siteseer.errors import ConfigurationError, UsageError

SMALL = 'name = "Kelp"\nseeds = ["e.org"]\nkeywords = ["kelp"]\n'


def test_everything_that_can_be_said() -> None:
    found = read_definition(
        SMALL + 'since = 2019-01-01\nuntil = "2019-12-31"\nsocial = 0\nlanguages = ["en"]\n'
        '[[entities]]\nname = "Harbour Board"\naliases = ["HB"]\n[budget]\nbytes = "2M"\nrequests = 9\ndays = 0.5\n'
        '[politeness]\ndelay = 2\n[sites]\nfollow = "seeds"\n[learned]\nterms.frond = 0.4\nsites = ["http://f.org/"]\n'
    )
    assert (found.since, found.until, found.social) == (date(2019, 1, 1), date(2019, 12, 31), 0.0)
    assert found.entities[0].aliases == ("HB",)
    assert (found.budget.bytes, found.budget.requests, found.politeness.delay) == (2 * 2**20, 9, 2.0)
    assert found.terms == (Term("kelp"), Term("frond", 0.4))
    assert found.all_seeds == ("http://e.org/", "http://f.org/")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (SMALL + "keyword = []\n", "line 4: there is no key 'keyword'; did you mean 'keywords'?"),
        (SMALL + "[budget]\nrequest = 5\n", "line 5: there is no key 'request' in [budget]; did you mean 'requests'?"),
        (SMALL + "[budget]\nrequests = -5\n", "line 5: 'requests' wants a whole number above 0, not -5"),
        (SMALL + '\nsince = "May"\n', "line 5: 'since' wants a day such as 2019-03-31, not 'May'"),
        (SMALL + "since = 2020-01-01\nuntil = 2019-01-01\n", "line 5: 'until' (2019-01-01) lies before 'since'"),
        (SMALL + "social = 3\n", "line 4: 'social' wants a number from 0 to 1, not 3"),
        (SMALL + 'strategy = "blnd"\n', "line 4: there is no strategy 'blnd'; did you mean blind"),
        (SMALL + "[politeness]\nrobots = 'no'\n", "line 5: 'robots' no is unknown; use one of obey"),
        (SMALL + "budget = 5\n", "line 4: 'budget' is a table: write it as [budget]"),
        (SMALL.replace("e.org", "ftp://e.org"), "line 2: 'ftp://e.org' in 'seeds' is no URL"),
        ('name = "Kelp"\nkeywords = ["kelp"]\n', "'seeds' is missing"),
        ('name = "Kelp"\nseeds = ["e.org"]\n', "nothing says what is looked for"),
        ("name = \n", "no TOML"),
        ("a = " + "[" * 100_000, "spec.toml"),
        (SMALL + "[learned]\nterms.frond = 2\n", "weights go from 0 to 1"),
        (SMALL + "since = 19-1-1\n", "line 4: 'since' wants a day such as 2019-03-31, not 19-1-1"),
        (SMALL + 'name = "Tea"\n', "line 4: 'name' stands there twice"),
        (SMALL + 'languages = ["English"]\n', "line 4: 'languages' wants codes such as en, de or pt-BR, not 'English'"),
        (SMALL + 'policies = ["profiles"]\n', "line 4: 'policies' wants NAME=VALUE each"),
        (SMALL.replace('"kelp"', '"kelp", "!?"'), "line 3: '!?' in 'keywords' has no letters or digits"),
        (SMALL + '[[entities]]\nname = "..."\n', "line 5: '...' in 'name' has no letters or digits"),
    ],
)
def test_complaints_name_the_line_and_the_nearest_key(text: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        read_definition(text, "spec.toml")
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_check_tells_everything_that_is_wrong_once(tmp_path: Path) -> None:
    file = tmp_path / "spec.toml"
    file.write_text('name = "Kelp"\nseeds = ["ftp://e.org"]\nkeywords = [""]\nsocial = 3\n[budget]\nrequest = 5\n')
    said = CliRunner().invoke(build(), ["campaign", "check", str(file)])
    assert isinstance(said.exception, ConfigurationError)
    lines = [*said.stderr.splitlines(), str(said.exception)]
    assert [line.partition("line ")[2][0] for line in lines] == ["2", "3", "4", "6"], lines
    file.write_text(SMALL + 'examples = ["none.html"]\n')
    missing = CliRunner().invoke(build(), ["campaign", "check", str(file)])
    assert isinstance(missing.exception, UsageError) and "none.html" in str(missing.exception)


def test_what_was_given_is_told_as_it_was_given() -> None:
    given = {"name": "Kelp", "seeds": ["e.org"], "keywords": ["kelp"], "since": "19-1-1"}
    with pytest.raises(ConfigurationError, match="'since' wants a day such as 2019-03-31, not '19-1-1'"):
        read_definition(definition_toml(given))


def test_what_was_asked_for_can_be_read() -> None:
    answers = {"What": 'The "kelp"', "Where": "e.org, http://f.org/x", "Which words": "kelp, kelp harvest"}
    given = dict.fromkeys(
        ("name", "seeds", "keywords", "entities", "examples", "since", "until", "languages", "requests")
    )
    said = interview(
        {**given, "requests": 500}, lambda question: next((v for k, v in answers.items() if question.startswith(k)), "")
    )
    said["entities"] = [entity_of("Board = HB")]
    found = read_definition(definition_toml(said))
    assert (found.name, found.seeds) == ('The "kelp"', ("http://e.org/", "http://f.org/x"))
    assert (found.keywords, found.budget.requests, found.entities[0].aliases) == (
        ("kelp", "kelp harvest"),
        500,
        ("HB",),
    )


def test_an_answer_that_cannot_be_used_is_asked_for_again_and_the_others_stay() -> None:
    answers = iter(
        ["", "Kelp", "x y:z", "e.org http://f.org/", "", "", "", "kelp", "= HB", "Board = HB", "", "2019-2-30",
         "2019-02-03", "2019-01-01", "2019-03-01", "english", "en", "-5", "007", "500", "lots", "2G", ".5", "0.5"]
    )  # fmt: skip
    given = interview(dict.fromkeys(key for key, _, _ in QUESTIONS), lambda question: next(answers))
    assert next(answers, None) is None
    made = read_definition(definition_toml(given | {"entities": [entity_of(one) for one in given["entities"]]}))
    assert (made.name, made.seeds, made.keywords) == ("Kelp", ("http://e.org/", "http://f.org/"), ("kelp",))
    assert (str(made.since), str(made.until), made.languages) == ("2019-02-03", "2019-03-01", ("en",))
    assert (made.budget.requests, made.budget.bytes, made.budget.days) == (500, 2 * 2**30, 0.5)


def test_accepted_terms_complete_the_definition_and_nothing_else_changes() -> None:
    text = SMALL + "# mine\n[learned]\nterms.old = 0.1\n[budget]\nrequests = 5\n"
    made = complete_definition(text, [Proposal("word", 'fr"ond', 0.5, 9, 0), Proposal("site", "f.org:81", 1.0, 3, 0)])
    found = read_definition(made)
    assert found.learned.terms == (Term('fr"ond', 0.5),)
    assert found.learned.sites == ("http://f.org:81/",)
    assert "# mine" in made and found.budget.requests == 5
    assert complete_definition(made, []).count("[learned]") == 1


def test_the_file_of_proposals_is_read_back_and_wrong_lines_are_named() -> None:
    proposals = [Proposal("phrase", "kelp bed", 0.5, 9, 1, "accept"), Proposal("word", "a\tb\nc", 0.1, 1, 0)]
    read = read_proposals(write_proposals(proposals), "x.tsv")
    assert read[0] == proposals[0]
    assert read[1].text == "a b c"
    with pytest.raises(UsageError, match=r"x\.tsv, line 1"):
        read_proposals("maybe\tword\tfrond\t0.5\t1\t1", "x.tsv")
    with pytest.raises(UsageError, match="no number from 0 to 1"):
        read_proposals("?\tword\tfrond\tmuch\t1\t1", "x.tsv")


def test_what_is_wrong_is_told_with_the_line_of_the_entity_that_is_meant() -> None:
    two = 'name = "Kelp"\nseeds = ["e.org"]\n[[entities]]\nname = "Board"\n[[entities]]\n'
    wrong = {
        'name = "..."': "line 6: '...'",
        'nam = "B"': "line 6: there is no key 'nam'",
        "aliases = []": "line 5: an",
    }
    for further, told in wrong.items():
        with pytest.raises(ConfigurationError, match=told):
            read_definition(two + further)


@pytest.mark.parametrize("seed", ["http://a.org/ http://b.org/", "mailto:a@b.org", "ftp://a.org/"])
def test_seeds_that_are_no_one_url_are_told(seed: str) -> None:
    with pytest.raises(ConfigurationError, match="is no URL"):
        read_definition(f'name = "Kelp"\nseeds = ["{seed}"]\nkeywords = ["kelp"]')


@pytest.mark.parametrize(("strategy", "told"), [('["blind"]', "no strategy"), ('"example"', "told about each site")])
def test_strategies_that_cannot_lead_a_campaign_are_told(strategy: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        read_definition(f'name = "Kelp"\nseeds = ["e.org:8000"]\nkeywords = ["kelp"]\nstrategy = {strategy}')
