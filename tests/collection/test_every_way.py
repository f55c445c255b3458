"""However a collection is made, every command that reads one works on it, or says in a sentence why it cannot."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import siteseer
from siteseer.cli.main import run
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.demo import Server, make_site
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library
from tests.web.chromium import Interface, interface, launched

WAYS = ("crawl", "recrawl", "revisit", "describe", "wrapper", "probe", "campaign")
UNCRAWLED = ("describe", "wrapper")
"""Ways in which no crawl chose the pages: nothing was skipped, and there is nothing to come back to."""
FLATS = """
doc($site)//select#sale_type_id/{"Lettings"}/following::button.formbtn/{click /}
  /(//a[.='NEXT'][1]/{click /})*{0,30}
  //div.proplist_wrap:<Property>[? .//span.prop_price:<Price=string(.)>][? .//p:<Descr=string(.)>]
"""
QUICK = ("--delay", "0")
READS = (
    "", "/summary", "/curve", "/decisions", "/skipped", "/queue", "/broken", "/adaptations", "/objects", "/kinds",
    "/crawls", "/search?words=the", "/sparql?query=ASK+%7B+%7D",
)  # fmt: skip
EXPORTS = tuple(f"/export?format={form}" for form in ("jsonl", "csv", "ttl", "nq"))
ABOUT_A_PAGE = ("/page", "/capture")
ABOUT_AN_OBJECT = ("/object", "/thread")
OVER_HISTORY = "/history"
MAYBE = ("/certificate", "/understanding")
"""What only some collections have; of others a sentence says that they do not."""
VIEWS = ("result", "read", "ask", "skipped", "form")
PAGES = ("/", "/live", "/compare")


UI = Path(siteseer.__file__).parent / "web" / "ui" / "views"


def test_every_question_and_view_is_tried(tmp_path: Path) -> None:
    """What the service and the interface offer about a collection is what the tests below go through."""
    offered = make_app(Library(tmp_path), "secret").openapi()["paths"]
    start = "/api/collections/{name}"
    questions = {path.removeprefix(start) for path, how in offered.items() if path.startswith(start) and "get" in how}
    tried = {
        path.partition("?")[0] for path in (*READS, *EXPORTS, *ABOUT_A_PAGE, *ABOUT_AN_OBJECT, OVER_HISTORY, *MAYBE)
    }
    assert questions == tried
    views = {
        view for file in UI.glob("*.py") for view in re.findall(r'ui\.page\("/c/\{name\}/(\w+)"\)', file.read_text())
    }
    assert views == set(VIEWS)


def done(*arguments: str | Path, code: int = 0) -> None:
    assert run([str(one) for one in arguments]) == code


def site_of(root: Path, way: str) -> Path:
    """Return the collection that was made in a way; a campaign has one for each site."""
    (folder,) = (root / "campaign" / "sites").iterdir() if way == "campaign" else (root / way,)
    return folder


def name_of(root: Path, way: str) -> str:
    return "~".join(site_of(root, way).relative_to(root).parts)


def written_by_another_tool(path: Path, urls: list[str]) -> Path:
    with path.open("wb") as out:
        writer = WARCWriter(out)
        for url in urls:
            with urllib.request.urlopen(url, timeout=20) as answer:
                head = StatusAndHeaders(f"{answer.status} OK", list(answer.headers.items()), protocol="HTTP/1.1")
                writer.write_record(writer.create_warc_record(url, "response", payload=answer, http_headers=head))
    return path


def written_by_wget(path: Path, url: str) -> Path:
    """Let wget crawl a site into a WARC file."""
    asked = ["wget", "-q", "-r", "-l", "3", "-e", "robots=off", f"--warc-file={path.name}", "--no-warc-digests", url]
    subprocess.run(asked, cwd=path.parent, check=False, timeout=120)
    return path.with_name(f"{path.name}.warc.gz")


def pages_of(folder: Path) -> list[str]:
    return [str(one["url"]) for one in ReadOnlyState(folder).pages(limit=200)[1]]


def make_all(root: Path, elsewhere: Path, sites: dict[str, str]) -> None:
    """Make a collection in each of the ways."""
    for way in ("crawl", "recrawl", "revisit"):
        done("crawl", sites["blog"], "-o", root / way, "--strategy", "auto", *QUICK)
    done("crawl", sites["blog"], "-o", root / "recrawl", "--strategy", "auto", "--recrawl", *QUICK)
    done("revisit", root / "revisit", *QUICK)
    forum = elsewhere / "forum"
    if shutil.which("wget"):
        by_wget = written_by_wget(forum, sites["forum"])
    else:
        done("crawl", sites["forum"], "-o", forum, "--strategy", "auto", "--limit", "60", *QUICK)
        by_wget = written_by_another_tool(elsewhere / "forum.warc.gz", pages_of(forum))
    by_warcio = written_by_another_tool(elsewhere / "blog.warc.gz", pages_of(root / "crawl"))
    done("describe", by_warcio, by_wget, "-o", root / "describe")
    wrapper = elsewhere / "flats.oxpath"
    wrapper.write_text(FLATS)
    usual = ("--var", f"site={sites['estate']}", "--browser", "never", *QUICK)
    done("wrapper", "run", wrapper, "-o", root / "wrapper", *usual)
    done("form", "probe", sites["shop"], "-o", root / "probe", "--limit", "90", *QUICK)
    spec = elsewhere / "kelp.toml"
    spec.write_text(
        f'name = "x"\nseeds = ["{sites["blog"]}/"]\nkeywords = ["harbour"]\nstrategy = "auto"\n[politeness]\n'
        'delay = 0.0\n[sites]\nfollow = "seeds"\n[budget]\nrequests = 80\n'
    )
    done("campaign", "run", spec, "-o", root / "campaign")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root, elsewhere = tmp_path_factory.mktemp("library"), tmp_path_factory.mktemp("elsewhere")
    kinds: dict[str, dict[str, Any]] = {
        "blog": {"size": 4}, "forum": {"size": 6}, "estate": {"template": "classic", "size": 23}, "shop": {"size": 30},
    }  # fmt: skip
    with ExitStack() as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SITESEER_KNOWLEDGE", str(elsewhere / "own-knowledge"))
        sites = {kind: running.enter_context(Server(make_site(kind, seed=1, **how))).url for kind, how in kinds.items()}
        make_all(root, elsewhere, sites)
        yield root


@pytest.fixture
def made(library: Path, request: pytest.FixtureRequest) -> Path:
    return site_of(library, request.param)


every_way = pytest.mark.parametrize("made", WAYS, indirect=True, ids=WAYS)


@every_way
def test_it_is_sound(made: Path) -> None:
    done("verify", made)
    assert siteseer.verify(made)["captures"] >= 5


@every_way
def test_its_objects_are_listed_and_asked_for(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done("objects", made, "--format", "jsonl")
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(listed) >= 4
    for form in ("table", "csv", "ttl", "nq"):
        done("objects", made, "--format", form, "--limit", "5")
        assert capsys.readouterr().out.strip()
    for form in ("table", "json"):
        done("query", made, "SELECT ?o { GRAPH ?g { ?o a ?type } } LIMIT 3", "--format", form)
        assert len(capsys.readouterr().out) > 50
    done("query", made, "SELECT (COUNT(DISTINCT ?o) AS ?n) { GRAPH ?g { ?o a ?type } }", "--format", "csv")
    assert int(capsys.readouterr().out.split()[1].partition(",")[0]) >= len(listed)
    assert sum(ReadOnlyState(made).kinds().values()) >= len(listed)
    for one in listed[:5]:
        page = siteseer.open(made).page_at(one["capture"]["file"], one["capture"]["offset"])
        assert page.status == 200 and page.body


@every_way
def test_it_is_packed_and_what_is_packed_is_whole(made: Path, tmp_path: Path) -> None:
    done("export", made, "--wacz", tmp_path / "c.wacz")
    for ending in ("csv", "jsonl", "ttl", "nq"):
        done("export", made, "--format", ending, "-o", tmp_path / f"objects.{ending}")
        assert (tmp_path / f"objects.{ending}").stat().st_size > 500
    done("export", made, "--object", siteseer.open(made).objects()[0]["id"], "-o", tmp_path / "one")
    with zipfile.ZipFile(tmp_path / "c.wacz") as package:
        assert package.testzip() is None
        packed = {name.removeprefix("archive/") for name in package.namelist() if name.startswith("archive/")}
        statements = gzip.decompress(package.read("siteseer/objects.nq.gz")).splitlines()
    assert packed == {path.name for path in (made / "archive").iterdir()}
    assert len(statements) > 20
    assert (tmp_path / "objects.csv").read_text().count("\n") > 4


@every_way
def test_its_pages_are_read_and_measured_beside_those_of_another(
    made: Path, library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(made, tmp_path / "c")
    done("article", tmp_path / "c")
    assert len(capsys.readouterr().out.splitlines()) >= 4
    done("compare", "--collections", library / "crawl", tmp_path / "c", "-o", tmp_path / "compared", "--json")
    first, other = json.loads(capsys.readouterr().out)["strategies"].values()
    assert first["coverage"] == 1.0 and other["two_grams"] > 50 and other["requests"]


@every_way
def test_it_is_repaired_without_a_change(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "c")
    before = siteseer.open(tmp_path / "c").objects()
    for lost in ("indexes/index.cdxj", "pages/pages.jsonl", "siteseer/objects/text.db"):
        (tmp_path / "c" / lost).unlink()
    assert siteseer.verify(tmp_path / "c")["problems"]
    done("repair", tmp_path / "c")
    assert not siteseer.verify(tmp_path / "c")["problems"] and siteseer.open(tmp_path / "c").objects() == before


@every_way
def test_its_objects_are_compared(made: Path) -> None:
    found = siteseer.changes(made, made)
    assert found["same"] >= 4 and (found["new"], found["gone"], found["edited"]) == (0, 0, 0)
    done("changes", made, made)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ["revisit", "audit"])
def test_it_is_revisited_and_audited_or_says_why_not(
    library: Path, tmp_path: Path, way: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "c"
    shutil.copytree(site_of(library, way), copy)
    more = ("--delay", "0", "--budget", "12") if command == "revisit" else ("--sample", "5")
    if way in UNCRAWLED:
        done(command, copy, *more, code=2)
        (line,) = capsys.readouterr().err.splitlines()
        assert "no crawl chose its pages" in line
    else:
        done(command, copy, *more)
    done("verify", copy)


@pytest.fixture(scope="module")
def running(library: Path) -> Iterator[Interface]:
    with interface(library) as started:
        yield started


def get(running: Interface, path: str) -> Any:
    """Ask the service; it answers with 200, and JSON but for what was archived and for downloads."""
    asked = urllib.request.Request(running.at(path), headers={"Authorization": f"Bearer {running.token}"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        body = answer.read()
        return json.loads(body) if answer.headers["Content-Type"].startswith("application/json") else body


@pytest.mark.parametrize("way", WAYS)
def test_the_service_answers_every_question_about_it(running: Interface, library: Path, way: str) -> None:
    name = quote(name_of(library, way))
    answers = {path: get(running, f"/api/collections/{name}{path}") for path in READS}
    assert answers[""]["requests"] and answers["/objects"] and sum(answers["/kinds"].values()) >= 4
    url, id_ = (
        quote(pages_of(site_of(library, way))[0], safe=""),
        quote(answers["/objects"]["objects"][0]["id"], safe=""),
    )
    about = [*(f"{path}?url={url}" for path in ABOUT_A_PAGE), *(f"{path}?id={id_}" for path in ABOUT_AN_OBJECT)]
    assert all(get(running, f"/api/collections/{name}{path}") for path in about)
    for path in EXPORTS:
        assert len(get(running, f"/api/collections/{name}{path}")) > 200, path
    assert bool(get(running, f"/api/collections/{name}{OVER_HISTORY}?url={url}")) == (way not in UNCRAWLED)
    for path in MAYBE:
        try:
            assert get(running, f"/api/collections/{name}{path}")
        except HTTPError as error:
            assert error.code == 404 and json.loads(error.read())["error"], path
    if way != "campaign":  # the sites of a campaign are opened by name and not listed
        (card,) = [one for one in get(running, "/api/collections") if one["name"] == name_of(library, way)]
        assert card["objects"] >= 4 and card["requests"] and card["seed"]


def test_the_views_show_every_one(running: Interface, library: Path) -> None:
    with launched() as browser:
        tab = browser.new_page()
        problems: list[str] = []
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.on("response", lambda answer: problems.append(answer.url) if answer.status >= 500 else None)
        tab.goto(running.link)
        places = [(view, f"/c/{quote(name_of(library, way))}/{view}") for way in WAYS for view in VIEWS]
        for view, place in (*places, *((page, page) for page in PAGES)):
            tab.goto(running.at(place))
            tab.locator(".page-content").wait_for(timeout=60_000)
            if view == "read":
                tab.locator(".thing").first.wait_for(timeout=60_000)
    assert problems == []


@pytest.mark.parametrize("command", ["verify", "repair", "objects", "revisit", "audit", "export", "query", "describe"])
def test_a_campaign_as_a_whole_names_its_sites(
    library: Path, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {"export": ("--wacz", tmp_path / "c.wacz"), "query": ("ASK {}",), "describe": ("-o", library / "campaign")}
    done(command, library / "campaign", *more.get(command, ()), code=2)
    (line,) = capsys.readouterr().err.splitlines()
    assert "is a campaign: name one of its sites" in line
