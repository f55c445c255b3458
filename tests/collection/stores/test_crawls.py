"""Crawls and campaigns with stores elsewhere, as a user runs them: what fails is told, and delivered later."""

import json

import pytest

from siteseer.archive.storage import Storage
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.cli.main import run
from siteseer.collection.description import Description
from siteseer.collection.stores.store_config import load_stores
from siteseer.collection.stores.upload import manifest
from tests.collection.stores.servers import refused_port, sparql_server

COUNT = "SELECT (COUNT(DISTINCT ?p) AS ?n) { ?p a sioc:Post }"


def posts(collection):
    with Description.of(collection) as description:
        return int(description.query(COUNT).result.rows[0][0].value)


@pytest.fixture
def embedded(serve, run_crawl, tmp_path):
    """Address of a forum, and how many posts a crawl into the embedded store finds."""
    address = serve("forum", seed=3, size=4).url
    run_crawl(address, "embedded", strategy="auto")
    assert not (tmp_path / "embedded" / "siteseer" / "stores.json").exists()
    return address, posts(tmp_path / "embedded")


def test_objects_go_to_an_endpoint_now_or_later(embedded, tmp_path, capsys, monkeypatch):
    address, wanted = embedded
    monkeypatch.setenv("SITESEER_SPARQL_PASSWORD", "hush")
    folder = tmp_path / "forum"
    command = ["crawl", address, "-o", str(folder), "--delay", "0", "--browser", "never", "--json"]
    with refused_port() as port:
        endpoint = f"http://127.0.0.1:{port}/query"
        assert run([*command, "--objects-to", endpoint]) == 9
    said = capsys.readouterr()
    summary = json.loads(said.out)
    assert not summary["finished"] and summary["stopped_by"] is None and len(summary["undelivered"]) == 1
    assert said.err.count("Not delivered: ") == 1 and "Traceback" not in said.err
    with sparql_server(port):
        assert run(command) == 0
        assert "undelivered" not in json.loads(capsys.readouterr().out)
        assert run(["query", str(folder), COUNT, "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["results"]["bindings"][0]["n"]["value"] == str(wanted)
        assert not (folder / "siteseer" / "objects" / "rdf").exists()
        assert run(["query", str(folder), "DROP ALL"]) == 2
        before = load_stores(folder).graph
        assert run([*command, "--overwrite", "--objects-to", endpoint, "--limit", "3"]) == 0
        assert load_stores(folder).graph != before
        assert run(["store", "use", str(folder), "--objects", "none"]) == 0
    assert run(["query", str(folder), COUNT]) in (0, 1)
    assert "hush" not in "".join(capsys.readouterr())
    assert "hush" not in (folder / "siteseer" / "state.db").read_bytes().decode("latin-1")


def test_places_that_can_never_be_right_are_told_at_the_start(serve, tmp_path, capsys, s3):
    address = serve("forum", seed=3, size=4).url
    command = ["crawl", address, "-o", str(tmp_path / "c"), "--delay", "0", "--limit", "3", "--browser", "never"]
    for option in (
        ["--archive-to", "s3://nobucket/x"],
        ["--archive-to", "s3://key:hush@box/x"],
        ["--archive-to", "what://box/x"],
        ["--objects-to", "ftp://host/x"],
    ):
        assert run([*command, *option]) == 2, option
        said = capsys.readouterr().err
        assert "Traceback" not in said and "hush" not in said
    assert not (tmp_path / "c" / "archive").exists()


def test_storage_that_does_not_answer_does_not_stop_a_crawl(serve, tmp_path, capsys, s3):
    address = serve("forum", seed=3, size=4).url
    command = ["crawl", address, "-o", str(tmp_path / "c"), "--delay", "0", "--limit", "3", "--browser", "never"]
    place = f"s3://box/{tmp_path.name}"
    s3.stop()
    try:
        assert run([*command, "--archive-to", place]) == 9
    finally:
        s3.start()
    assert "the crawl goes on" in capsys.readouterr().err
    assert run(["store", "push", str(tmp_path / "c")]) == 0
    assert run(["store", "check", str(tmp_path / "c")]) == 0
    assert run(["store", "pull", place, str(tmp_path / "back"), "--json"]) == 0
    assert run(["verify", str(tmp_path / "back")]) == 0
    assert run(["store", "push", str(tmp_path / "nowhere")]) == 2


def test_the_sites_of_a_campaign_share_stores(serve, tmp_path, s3):
    sites = [serve("forum", seed=3, size=3).url, serve("blog", seed=4, size=2).url]
    spec = tmp_path / "spec.toml"
    with sparql_server() as endpoint:
        spec.write_text(
            f'name = "T"\nseeds = {json.dumps(sites)}\nkeywords = ["lens"]\nstrategy = "aware"\n'
            f'[budget]\nrequests = 60\n[politeness]\ndelay = 0\n[sites]\nfollow = "seeds"\n'
            f'[stores]\narchive = "s3://box/t?endpoint={s3.address}"\nobjects = "{endpoint}/query"\n'
        )
        assert "undelivered" not in run_campaign(spec, tmp_path / "t")
        collections = sorted((tmp_path / "t" / "sites").iterdir())
        assert len(collections) == 2
        for one in collections:
            files = manifest(Storage(f"s3://box/t/{one.name}"))
            assert {name for name in files if name.startswith("archive/")} == {
                f"archive/{path.name}" for path in (one / "archive").iterdir()
            }
        assert len({load_stores(one).graph for one in collections}) == 2


@pytest.mark.parametrize("place", ["s3://nobucket/x", "what://box/x"])
def test_a_place_of_a_campaign_that_can_never_be_right_is_told_at_the_start(serve, tmp_path, capsys, s3, place):
    server = serve("blog", seed=4, size=2)
    spec = tmp_path / "spec.toml"
    spec.write_text(
        f'name = "T"\nseeds = ["{server.url}"]\nkeywords = ["lens"]\n[stores]\narchive = "{place}"\n'
        "[budget]\nrequests = 3\n[politeness]\ndelay = 0\n"
    )
    assert run(["campaign", "run", str(spec), "-o", str(tmp_path / "t")]) == 2
    assert not server.log and "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('archive = "s3://k:hush@b/p"', "belong in the environment"),
        ('objects = "host"', "wants a SPARQL endpoint"),
        ('obects = "http://h/q"', "did you mean 'objects'"),
    ],
)
def test_a_wrong_store_of_a_campaign_is_told_with_its_line(tmp_path, capsys, line, why):
    spec = tmp_path / "spec.toml"
    spec.write_text(f'name = "T"\nseeds = ["http://e.org/"]\nkeywords = ["a"]\n[stores]\n{line}\n')
    assert run(["campaign", "check", str(spec)]) == 4
    said = capsys.readouterr().err
    assert why in said and "line 5" in said and "hush" not in said


def test_the_selection_of_a_campaign_goes_there_too(serve, tmp_path, monkeypatch, capsys, s3):
    address, place = serve("blog", seed=4, size=3).url, f"s3://box/{tmp_path.name}"
    spec = tmp_path / "x.toml"
    spec.write_text(f'name = "x"\nseeds = ["{address}/"]\nkeywords = ["the"]\n[politeness]\ndelay = 0\n')
    run_campaign(spec, tmp_path / "t", requests=6)
    monkeypatch.chdir(tmp_path)
    select = ["campaign", "select", "t", "--threshold", "0", "--json", "-o"]
    assert run([*select, f"{place}/x.wacz"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["file"] == f"{place}/x.wacz" and told["bytes"] == Storage(place).size("x.wacz") and told["pages"]
    assert run([*select, f"{place}/"]) == run([*select, "what://box/x.wacz"]) == 2
    assert not list(tmp_path.glob("*:"))
