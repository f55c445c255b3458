"""After a campaign, through the command line: analyse, report, propose, select; the originals stay as they are."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from siteseer.campaigns.run_campaign import run_campaign
from siteseer.cli.main import run
from siteseer.collection.verify import verify
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.demo.web import definition_text, make_web, write_web
from tests.campaigns.changing_web import ChangingSite

SEED, SITES, REQUESTS = 3, 12, 50
WEB = write_web(SEED, SITES)


def call(*arguments: str | Path, code: int = 0) -> str:
    """Run a command as people do; return what it printed."""
    from siteseer.cli.main import build

    done = CliRunner().invoke(build(), [str(one) for one in arguments])
    said = str(done.exception or "")
    found = getattr(done.exception, "exit_code", done.exit_code)
    assert found == code, f"{found}: {done.output} {said}"
    return done.stdout if code == 0 else said


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign on a small Web, as its crawl left it."""
    folder = tmp_path_factory.mktemp("web")
    with Server(make_web(SEED, WEB)) as server:
        (folder / "kelp.toml").write_text(definition_text(WEB, server.port, REQUESTS))
        run_campaign(folder / "kelp.toml", folder / "KELP")
    return folder / "KELP"


@pytest.fixture(scope="module")
def analysed(crawled: Path) -> Path:
    folder = crawled.with_name("ANALYSED")
    shutil.copytree(crawled, folder)
    call("campaign", "analyse", folder)
    return folder


@pytest.fixture
def campaign(analysed: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the analysed campaign that a test may change."""
    shutil.copytree(analysed, tmp_path / "KELP")
    yield tmp_path / "KELP"


def readings(folder: Path) -> list[tuple[object, ...]]:
    db = sqlite3.connect(folder / "analysis.db")
    try:
        return db.execute("SELECT * FROM reading ORDER BY object, analyser, kind, label").fetchall()
    finally:
        db.close()


def archives(folder: Path) -> dict[str, str]:
    """The bytes of all WARC files and databases of crawls."""
    files = [*folder.glob("sites/*/archive/*"), *folder.glob("sites/*/pages/*")]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def of_truth(url: str) -> str:
    host, _, path = url.removeprefix("http://").partition("/")
    return f"{host.partition(':')[0]}/{path}"


def test_objects_are_annotated_found_by_queries_and_running_again_changes_nothing(
    crawled: Path, campaign: Path
) -> None:
    before = readings(campaign)
    summary = json.loads(call("campaign", "analyse", campaign, "--json"))
    assert summary["read"] == {"plain": 0} and readings(campaign) == before
    assert summary["objects"] == summary["annotated"] > 15 and set(summary["annotations"]) == {
        "entity",
        "topic",
        "opinion",
    }
    assert archives(crawled) == archives(campaign)
    person, body = WEB.topic.person, WEB.topic.body
    told = {label for _, _, kind, label, _ in before if kind == "entity"}
    assert {person, body} <= told
    site = max((campaign / "sites").iterdir(), key=lambda one: len((one / "pages" / "pages.jsonl").read_text()))
    objects = [json.loads(line) for line in call("objects", site, "--format", "jsonl").splitlines()]
    named = {one["id"] for one in objects for told in one["annotations"] if told["label"] == person}
    for one in objects:
        for reading in one["annotations"]:
            if "start" in reading:
                assert one["text"][reading["start"] : reading["end"]] == reading["quote"]
    query = f'SELECT DISTINCT ?o {{ ?o schema:mentions ?e . ?e rdfs:label "{person}" }}'
    answer = json.loads(call("query", site, query, "--format", "json"))
    assert {row["o"]["value"] for row in answer["results"]["bindings"]} == named != set()
    exported = call("objects", site, "--format", "nq")
    assert "http://purl.org/marl/ns#polarityValue" in exported and "ns/oa#TextPositionSelector" in exported


def test_a_catalogue_that_was_deleted_is_made_again(campaign: Path) -> None:
    before = readings(campaign)
    for file in campaign.glob("analysis.db*"):
        file.unlink()
    summary = json.loads(call("campaign", "analyse", campaign, "--json"))
    assert summary["read"] == {"plain": 0} and readings(campaign) == before != []


def test_analysis_goes_on_after_a_kill(crawled: Path, analysed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "KILLED"
    shutil.copytree(crawled, folder)
    command = [sys.executable, "-m", "siteseer", "campaign", "analyse", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and _sites_read(folder) < 3:
        threading.Event().wait(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert readings(folder)
    call("campaign", "analyse", folder)
    assert readings(folder) == readings(analysed)


def _sites_read(folder: Path) -> int:
    """How many sites an analyser has read something of."""
    if not (folder / "analysis.db").exists():
        return 0
    db = sqlite3.connect(folder / "analysis.db", timeout=60)
    try:
        sql = "SELECT count(DISTINCT p.site) FROM reading r JOIN written w USING (object) JOIN page p ON p.key = w.page"
        return int(db.execute(sql).fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # its tables are just being made
    finally:
        db.close()


def test_the_threshold_selects_the_topic_and_the_package_is_valid(campaign: Path, tmp_path: Path) -> None:
    before, target = archives(campaign), tmp_path / "kelp.wacz"
    summary = json.loads(call("campaign", "select", campaign, "-o", target, "--threshold", "0.5", "--json"))
    assert archives(campaign) == before
    with zipfile.ZipFile(target) as package:
        package.extractall(tmp_path / "unpacked")
        pages = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()][1:]
        statements = gzip.decompress(package.read("siteseer/objects.nq.gz")).decode()
    chosen = {of_truth(one["url"]) for one in pages if one["role"] == "page"}
    archived = {of_truth(json.loads(line)["url"]) for line in _lines(campaign)}
    wanted = WEB.on_topic & archived
    assert len(chosen & wanted) >= 0.9 * len(wanted) and len(chosen & wanted) >= 0.9 * len(chosen)
    assert summary["pages"] == len(pages) < len(archived) and all(one["because"] for one in pages)
    assert WEB.topic.person in statements and "ns/oa#Annotation" in statements
    assert verify(tmp_path / "unpacked").is_sound
    kept = [
        record.rec_headers["WARC-Target-URI"]
        for file in (tmp_path / "unpacked" / "archive").iterdir()
        for record in ArchiveIterator(file.open("rb"), check_digests="raise")
        if record.rec_type == "response"
    ]
    assert sorted(kept) == sorted(one["url"] for one in pages)
    checked = subprocess.run(
        [Path(sys.executable).with_name("wacz"), "validate", "-f", target], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def _lines(folder: Path) -> list[str]:
    return [line for path in folder.glob("sites/*/pages/pages.jsonl") for line in path.read_text().splitlines()[1:]]


def test_a_person_decides_and_marks_outlast_a_new_proposal(campaign: Path, tmp_path: Path) -> None:
    call("campaign", "propose", campaign)
    file = campaign / "proposal.tsv"
    rows = [line.split("\t") for line in file.read_text().splitlines() if not line.startswith("#")]
    pages = [row for row in rows if row[1] == "page"]
    assert len(pages) == len(_lines(campaign)) and all(row[5] for row in rows)
    assert "nothing is accepted" in call("campaign", "select", campaign, "-o", tmp_path / "x.wacz", code=2)
    best, poor = max(pages, key=lambda row: float(row[2])), min(pages, key=lambda row: float(row[2]))
    text = file.read_text().replace(f"?\tpage\t{poor[2]}\t{poor[3]}\t", f"accept\tpage\t{poor[2]}\t{poor[3]}\t")
    file.write_text(text.replace(f"?\tpage\t{best[2]}\t{best[3]}\t", f"reject\tpage\t{best[2]}\t{best[3]}\t"))
    call("campaign", "propose", campaign)
    call("campaign", "select", campaign, "-o", tmp_path / "x.wacz", "--threshold", "0.5")
    with zipfile.ZipFile(tmp_path / "x.wacz") as package:
        found = {json.loads(line)["url"] for line in package.read("pages/pages.jsonl").splitlines()[1:]}
    assert poor[3] in found and best[3] not in found
    for end in ("", "-wal", "-shm"):
        (campaign / f"analysis.db{end}").unlink(missing_ok=True)
    call("campaign", "select", campaign, "-o", tmp_path / "x.wacz")  # it is made again
    file.write_text("accept\tpage\t0.5\thttp://e.org/x\tx\ty\n" + file.read_text())
    assert "http://e.org/x is accepted, but" in call("campaign", "select", campaign, "-o", tmp_path / "y.wacz", code=2)
    file.write_text("maybe\tpage\t0.5\thttp://e.org/\tx\ty\n")
    assert "line 1" in call("campaign", "select", campaign, "-o", tmp_path / "y.wacz", code=2)
    assert not (tmp_path / "y.wacz").exists()


def test_what_cannot_be_written_gets_one_sentence(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for target in ("", ".", campaign):
        assert "is a directory" in call("campaign", "select", campaign, "-o", target, "--threshold", "0.5", code=2)
    assert "cannot be written" in call("campaign", "select", campaign, "-o", "file/x", "--threshold", "0.5", code=2)
    assert "is a directory" in call("campaign", "propose", campaign, "-o", tmp_path, code=2)
    call("campaign", "propose", campaign, "-o", "new/p.tsv")
    assert (tmp_path / "new" / "p.tsv").is_file()


def test_the_report_tells_links_authors_and_terms(campaign: Path) -> None:
    (campaign / "sites" / "broken").mkdir()  # no collection: left alone
    told = json.loads(call("campaign", "report", campaign, "--json"))
    folder = campaign / "reports" / "analysis"
    page = (folder / "report.html").read_text()
    assert told["totals"]["pages"] == len(_lines(campaign)) and told["totals"]["authors"] > 10
    assert told["entities"][0]["label"] in (WEB.topic.person, WEB.topic.body)
    assert all(row["linking_sites"] <= SITES for row in told["linked_sites"])
    published = next(one for one in told["terms"] if one["clock"] == "published")
    assert sum(published["objects"]) + published["undated"] == told["totals"]["objects"]
    assert max(published["terms"][WEB.topic.keywords[0]]) > 0
    assert page.count("<svg") >= 2 and "<script" not in page
    header, *rows = (folder / "terms-published.csv").read_text().splitlines()
    assert header.startswith("time,objects,") and len(rows) == len(published["times"])
    for name in ("authors", "linked-pages", "entities", "opinions"):
        assert len((folder / f"{name}.csv").read_text().splitlines()) > 2


def test_links_and_authors_are_those_of_the_web(analysed: Path) -> None:
    truth = {page.address: page for site in WEB.sites.values() for page in site.pages}
    db = sqlite3.connect(analysed / "analysis.db")
    try:
        rows = db.execute("SELECT p.url, l.url FROM link l JOIN page p ON p.key = l.source").fetchall()
        wrote = db.execute(
            "SELECT p.url, a.name, w.published FROM written w JOIN page p ON p.key = w.page "
            "JOIN author a ON a.key = w.author"
        ).fetchall()
        kept = {_address(url) for (url,) in db.execute("SELECT url FROM page")} & truth.keys()
    finally:
        db.close()
    found = {(_address(source), _address(target)) for source, target in rows}
    wanted = {(source, target) for source in kept for target, _ in truth[source].links if target != source}
    assert len(wanted) > 100 and {one for one in found if one[0] in truth} == wanted
    told = {_address(url): (author, published[:10]) for url, author, published in wrote}
    assert told == {address: (truth[address].author, str(truth[address].date)[:10]) for address in kept}


def _address(url: str) -> str:
    host, _, path = url.removeprefix("http://").partition("/")
    return f"{host.partition(':')[0]}/{path}"


def test_texts_of_scripts_that_do_not_part_their_words_are_objects_too(tmp_path: Path) -> None:
    days = (
        "港で昆布の収穫が始まり、港湾委員会は漁を認めた",
        "風の強い朝に漁師が船を出し、昆布を浜に広げた",
        "市場では新しい昆布の値段が話題になり、人が集まった",
    )

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path == "/":
            return html("".join(f'<p><a href="/{number}">昆布 {number}</a>' for number in range(3)))
        if request.path[1:] not in ("0", "1", "2"):
            return html("", 404)
        said = days[int(request.path[1:])]
        return html(
            f"<title>昆布</title><article><p>{said}。</p><p>{said}と人は話す。</p><p>{said}と聞いた。</p></article>"
        )

    truth = Truth("kelp", 0, "modern", (), frozenset(), frozenset(), 4)
    with Server(Site(truth, answer)) as server:
        text = f'name = "昆布"\nseeds = ["{server.url}/"]\nkeywords = ["昆布"]\n[politeness]\ndelay = 0.0\n'
        (tmp_path / "k.toml").write_text(f'{text}[[entities]]\nname = "港湾委員会"\n', encoding="utf-8")
        run_campaign(tmp_path / "k.toml", tmp_path / "out")
    figures = json.loads(call("campaign", "analyse", tmp_path / "out", "--json"))
    assert figures["objects"] == figures["annotated"] == 3 and figures["annotations"]["entity"] == 1


def test_crawls_of_a_campaign_are_compared(tmp_path: Path) -> None:
    web = ChangingSite()
    with Server(web.site()) as server:
        urls = ", ".join(f'"{server.url}/{path}"' for path in ("", "kelp-1.html", "kelp-2.html"))
        text = f'name = "Kelp"\nseeds = [{urls}]\nkeywords = ["kelp"]\nassets = "all"\n'
        (tmp_path / "k.toml").write_text(text + '[politeness]\ndelay = 0.0\n[sites]\nfollow = "seeds"\n')
        run_campaign(tmp_path / "k.toml", tmp_path / "first")
        web.day = 2
        run_campaign(tmp_path / "k.toml", tmp_path / "second")
        second = call("campaign", "report", tmp_path / "second", "--before", tmp_path / "first", "--json")
        (site,) = (tmp_path / "first" / "sites").iterdir()
        again = ["crawl", f"{server.url}/", "-o", str(site), "--recrawl", "--strategy", "blind", "--delay", "0"]
        assert run(again) == 0
    (later,) = json.loads(second)["crawls"]
    assert later["pages"]["gone"] == 1 and later["pages"]["changed"] == 1
    (own,) = json.loads(call("campaign", "report", tmp_path / "first", "--json"))["crawls"]
    assert (own["crawl"], own["pages"]["new"], own["pages"]["changed"]) == (2, 1, 1)
    assert own["pages"]["not asked"] == 1, "nothing leads to the page that is gone: nobody knows that it is"
    rows = [json.loads(line) for line in (tmp_path / "first/reports/analysis/changes.jsonl").read_text().splitlines()]
    assert {row["url"].rpartition("/")[2]: row["change"] for row in rows} == {
        "kelp-4.html": "new",
        "kelp-1.html": "changed",
    }
    call("campaign", "select", tmp_path / "first", "-o", tmp_path / "x.wacz", "--threshold", "0.4")
    with zipfile.ZipFile(tmp_path / "x.wacz") as package:
        index = gzip.decompress(package.read("indexes/index.cdx.gz")).decode()
        pages = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()[1:]]
    assert index.count("/style.css") >= 1, "what pages need comes along"
    assert {one["url"].rpartition("/")[2] for one in pages} >= {"kelp-1.html", "kelp-4.html"}


def test_what_is_no_campaign_gets_one_sentence(tmp_path: Path) -> None:
    for command in (["analyse"], ["propose"], ["report"], ["select", "-o", str(tmp_path / "x.wacz")]):
        assert "is no campaign" in call("campaign", command[0], tmp_path / "absent", *command[1:], code=2)
    (tmp_path / "campaign.toml").write_text('name = "x"\nseeds = ["http://e.org/"]\nkeywords = ["kelp"]\n')
    assert "no site yet" in call("campaign", "analyse", tmp_path, code=2)
    assert not (tmp_path / "analysis.db").exists()


def test_a_broken_catalogue_and_an_unknown_analyser_get_one_sentence(campaign: Path) -> None:
    assert "no analyser 'magic'" in call("campaign", "analyse", campaign, "--with", "magic", code=2)
    (campaign / "analysis.db").write_bytes(b"no database at all" * 100)
    for name in ("analysis.db-wal", "analysis.db-shm"):
        (campaign / name).unlink(missing_ok=True)
    assert "delete it" in call("campaign", "report", campaign, code=17)
