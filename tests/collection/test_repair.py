"""Whatever happens to a file of a collection, `verify` sees it, `repair` heals it, and a crawl can go on."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import damage
import pytest

import siteseer
from siteseer.cli.main import run
from siteseer.collection.collection import Collection
from siteseer.collection.history.saved_options import last_options
from siteseer.collection.layout import state_path
from siteseer.collection.lock import hold_lock
from siteseer.crawler.revisit_options import earlier_options
from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.errors import ArchiveError, SiteseerError
from siteseer.settings import CrawlOptions, HostOptions, SeedOptions
from siteseer.wrapper.wrapper_collection import WrapperCollection

DERIVED = [(kind, way) for kind, way in damage.damages() if kind not in ("WARC", "database", *damage.STAMPS)]
SITE: dict[str, Any] = {"kind": "forum", "seed": 3, "size": 6}


def options(url: str, folder: Path, **more: Any) -> CrawlOptions:
    usual: dict[str, Any] = {"strategy": "learned", "delay": 0.0, "concurrency": 1, "assets": "none"}
    return CrawlOptions((url,), folder, **(usual | more))


@pytest.fixture(scope="module")
def served() -> Any:
    with Server(make_site(**SITE)) as server:
        yield server


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, served: Server) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "c"
    crawl(options(served.url, folder))
    assert not siteseer.verify(folder)["problems"]
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "c"))


def hurt(folder: Path, kind: str, way: str) -> None:
    {**damage.WAYS, **damage.OF_TEXTS}[way](damage.files(folder, kind)[0])


@pytest.mark.parametrize(("kind", "way"), DERIVED, ids=lambda value: value)
def test_what_is_derived_is_made_again(whole: Path, copy: Path, kind: str, way: str) -> None:
    hurt(copy, kind, way)
    found = siteseer.verify(copy)["problems"]
    assert found and all("siteseer repair" in problem["next"] for problem in found)
    report = siteseer.repair(copy)
    assert not report["problems"] and not report["lost"]
    assert not siteseer.verify(copy)["problems"]
    assert damage.contents(copy) == damage.contents(whole)
    assert objects_of(copy) == objects_of(whole)


@pytest.mark.parametrize("way", ["flip", "cut", "empty", "delete"])
def test_the_stamp_of_what_is_derived_is_missed_and_written_again(copy: Path, way: str) -> None:
    hurt(copy, "stamp", way)
    (problem,) = siteseer.verify(copy)["problems"]
    assert problem["file"] == "siteseer/derived.json"
    assert not siteseer.repair(copy)["problems"] and not siteseer.verify(copy)["problems"]


@pytest.mark.parametrize("way", ["flip", "cut", "empty"])
def test_the_stamp_of_the_objects_is_written_again(copy: Path, way: str) -> None:
    hurt(copy, "stamp of the objects", way)
    (problem,) = siteseer.verify(copy)["problems"]
    assert problem["file"] == "objects/made_from.json"
    assert not siteseer.repair(copy)["problems"] and not siteseer.verify(copy)["problems"]


@pytest.mark.parametrize(
    "change",
    ["url = url || 'x'", "status = 404", "digest = 'sha256:00'", "time = '2001-01-01T00:00:00+00:00'",
     "time = '20x1-01-01T00:00:00+00:00'", "record = 'urn:uuid:0'", "length = length + 1", "offset = offset + 1"],
)  # fmt: skip
def test_what_a_database_says_wrong_of_a_capture_is_corrected(whole: Path, copy: Path, change: str) -> None:
    with closing(sqlite3.connect(copy / "siteseer" / "state.db")) as db:
        db.execute(f"UPDATE captures SET {change} WHERE id = (SELECT min(id) FROM captures WHERE title NOTNULL)")
        db.commit()
    said = [problem["what"] for problem in siteseer.verify(copy)["problems"]]
    assert any("the database names" in what or "cannot be read" in what for what in said)
    report = siteseer.repair(copy)
    if not change.startswith("offset"):  # its place is lost: it is asked for again
        assert not report["problems"] and not report["lost"]
    assert damage.contents(copy)["archived"] == damage.contents(whole)["archived"]
    assert {one[:2] for one in damage.contents(copy)["captures"]} == {
        one[:2] for one in damage.contents(whole)["captures"]
    }


def test_a_database_of_a_later_version_is_left_to_that_version(copy: Path) -> None:
    with closing(sqlite3.connect(copy / "siteseer" / "state.db")) as db:
        db.execute("UPDATE about SET value = '99' WHERE name = 'version'")
        db.commit()
    (problem,) = siteseer.verify(copy)["problems"]
    assert "install the version" in problem["next"] and "repair" not in problem["next"]


def test_a_damaged_certificate_is_put_aside(copy: Path) -> None:
    siteseer.audit(copy, sample=3)
    assert not siteseer.verify(copy)["problems"]
    damage.alter(copy / "reports" / "audit.json")
    assert [problem["file"] for problem in siteseer.verify(copy)["problems"]] == ["reports/audit.json"]
    report = siteseer.repair(copy)
    assert not report["problems"] and "reports/audit.json" in report["lost"][0]
    assert Path(report["kept_aside"][0]).is_file() and not (copy / "reports" / "audit.json").exists()


def objects_of(folder: Path) -> dict[str, str]:
    return {found["id"]: found.get("text", "") for found in siteseer.objects(folder)}


@pytest.mark.parametrize("way", damage.WAYS)
def test_a_database_is_made_again_from_what_is_left(whole: Path, copy: Path, way: str) -> None:
    path = copy / "siteseer" / "state.db"
    if way == "flip":
        damage.flip(path, path.read_bytes().index(b'"kind": "post"') / path.stat().st_size)
    else:
        hurt(copy, "database", way)
    assert any(problem["file"] == "state.db" for problem in siteseer.verify(copy)["problems"])
    report = siteseer.repair(copy)
    assert not report["problems"] and "state.db was made again" in report["done"][0]
    assert damage.contents(copy) == damage.contents(whole)
    kept = list((copy / "siteseer").glob("state.damaged-*.db"))
    assert len(kept) == (way in ("flip", "cut", "empty")) and all(str(path) in report["kept_aside"] for path in kept)
    figures = siteseer.open(copy).figures()
    assert figures["requests"] == siteseer.open(whole).figures()["requests"]


@pytest.mark.parametrize("share", [0.05, 0.2, 0.35, 0.65, 0.8, 0.95])
def test_a_flipped_byte_of_a_database_changes_no_capture_unseen(whole: Path, copy: Path, share: float) -> None:
    damage.flip(copy / "siteseer" / "state.db", share)
    if siteseer.verify(copy)["problems"]:
        assert not siteseer.repair(copy)["problems"]
    got, truth = damage.contents(copy), damage.contents(whole)
    assert got["archived"] == truth["archived"] and got["objects"].keys() == truth["objects"].keys()


def test_a_lost_database_is_gone_on_with(copy: Path, served: Server) -> None:
    (copy / "siteseer" / "state.db").unlink()
    with pytest.raises(ArchiveError, match="siteseer repair"):
        crawl(options(served.url, copy))
    assert not (copy / "siteseer" / "state.db").exists()  # nothing was made that looks like a database
    siteseer.repair(copy)
    assert crawl(options(served.url, copy))["finished"]  # it had finished; there is nothing to do
    again = crawl(options(served.url, copy, recrawl=True))
    assert again["finished"] and again["requests"] > 20
    assert not siteseer.verify(copy)["problems"]
    assert siteseer.revisit(copy, budget=5)["requests"] > 0


def test_a_frontier_that_is_lost_is_said_and_looked_for_again(whole: Path, tmp_path: Path, served: Server) -> None:
    folder = tmp_path / "c"
    crawl(options(served.url, folder, limit=12))
    (folder / "siteseer" / "state.db").unlink()
    report = siteseer.repair(folder)
    assert any("which URLs still waited is unknown" in sentence for sentence in report["lost"])
    (problem,) = report["problems"]
    assert "crawl 2 (learned) did not come to its end" in problem["what"] and "same command" in problem["next"]
    result = crawl(options(served.url, folder))
    assert result["finished"]
    got, truth = damage.contents(folder), damage.contents(whole)
    assert {url for url, *_ in got["archived"]} >= {url for url, *_ in truth["archived"]}
    assert got["objects"].keys() == truth["objects"].keys()


def test_a_damaged_capture_is_fetched_again(whole: Path, copy: Path, served: Server) -> None:
    with sqlite3.connect(copy / "siteseer" / "state.db") as db:
        (place,) = db.execute(
            "SELECT offset + length / 2 FROM captures WHERE url LIKE '%/thread/%' AND title NOTNULL LIMIT 1"
        ).fetchone()
    (warc,) = damage.files(copy, "WARC")
    damage.flip(warc, place / warc.stat().st_size)
    assert any(problem["file"] == warc.name for problem in siteseer.verify(copy)["problems"])
    report = siteseer.repair(copy)
    assert any("captures are in no WARC file any more" in sentence for sentence in report["lost"])
    assert any("set-aside" in path for path in report["kept_aside"])
    (problem,) = report["problems"]
    assert "did not come to its end" in problem["what"]
    crawl(options(served.url, copy))
    assert not siteseer.verify(copy)["problems"]
    got, truth = damage.contents(copy), damage.contents(whole)
    assert {key[:2] for key in got["archived"]} == {key[:2] for key in truth["archived"]}
    assert got["objects"].keys() == truth["objects"].keys()


@pytest.mark.parametrize("way", ["cut", "empty", "delete"])
def test_a_lost_end_of_an_archive_is_fetched_again(whole: Path, copy: Path, served: Server, way: str) -> None:
    hurt(copy, "WARC", way)
    assert run(["verify", str(copy)]) == 1
    assert run(["repair", str(copy)]) == 1
    (problem,) = siteseer.verify(copy)["problems"]
    assert "did not come to its end" in problem["what"]  # what is lost waits again
    crawl(options(served.url, copy))
    assert run(["verify", str(copy)]) == 0
    got, truth = damage.contents(copy), damage.contents(whole)
    assert {key[:2] for key in got["archived"]} >= {key[:2] for key in truth["archived"]}
    assert got["objects"].keys() == truth["objects"].keys()


def test_bytes_of_an_interrupted_run_are_said_and_kept_aside(copy: Path) -> None:
    (warc,) = damage.files(copy, "WARC")
    size = warc.stat().st_size
    with warc.open("ab") as file:
        file.write(b"\x1f\x8b torn")
    later = warc.with_name(warc.name.replace("-00001-", "-00002-"))
    shutil.copy(warc, later)
    assert sum("not committed" in problem["what"] for problem in siteseer.verify(copy)["problems"]) == 2
    report = siteseer.repair(copy)
    assert not report["problems"] and not report["lost"]
    assert warc.stat().st_size == size and not later.exists()
    assert sorted(Path(path).stat().st_size for path in report["kept_aside"]) == [7, size + 7]


def test_what_was_never_committed_is_set_aside_and_fetched_again(whole: Path, tmp_path: Path, served: Server) -> None:
    folder = tmp_path / "c"
    with Collection.open(folder, "create") as opened:  # a run that is killed before its first commit leaves this
        opened.state.new_crawl("learned", {"seeds": [served.url]})
        opened.state.commit()
        opened.archive.mkdir()
        shutil.copy(damage.files(whole, "WARC")[0], opened.archive)
    assert any("were not committed" in problem["what"] for problem in siteseer.verify(folder)["problems"])
    report = siteseer.repair(folder)
    assert not report["lost"] and len(report["kept_aside"]) == 1
    (problem,) = report["problems"]
    assert "did not come to its end" in problem["what"]
    crawl(options(served.url, folder))
    assert not siteseer.verify(folder)["problems"]
    assert damage.contents(folder) == damage.contents(whole)


@pytest.mark.parametrize("command", [["objects"], ["export", "--format", "jsonl"], ["query"], ["revisit"]])
def test_a_malformed_database_of_objects_is_one_sentence(copy: Path, command: list[str], capsys: Any) -> None:
    for kind in ("objects", "database"):
        damage.files(copy, kind)[0].write_bytes(b"SQLite format 3\0" + os.urandom(20_000))
    more = ["SELECT ?s { ?s ?p ?o }"] if command == ["query"] else []
    assert run([command[0], str(copy), *command[1:], *more]) == 17
    assert f"siteseer repair {copy}" in capsys.readouterr().err


def test_what_a_killed_crawl_left_is_not_called_complete(copy: Path, capsys: Any) -> None:
    folder = copy
    with sqlite3.connect(folder / "siteseer" / "state.db") as db:  # as a kill before the description leaves it
        db.execute("UPDATE about SET value = value - 3 WHERE name = 'described'")
    assert run(["objects", str(folder), "--format", "jsonl"]) == 1
    assert "3 objects are not among these" in capsys.readouterr().err
    assert run(["repair", str(folder)]) == 0
    assert run(["objects", str(folder), "--format", "jsonl"]) == 0


def test_a_crawl_that_was_killed_is_not_called_whole_until_it_has_ended(tmp_path: Path, served: Server) -> None:
    folder = tmp_path / "c"
    command = [sys.executable, "-m", "siteseer", "crawl", served.url, "-o", str(folder), "--strategy", "learned"]
    for limit in (12, 20):  # begun, and gone on with after it had stopped
        pages, until = _pages(folder), time.monotonic() + 60
        process = subprocess.Popen([*command, "--delay", "0.5", "--assets", "none"], stderr=subprocess.DEVNULL)
        while _pages(folder) == pages and time.monotonic() < until:
            time.sleep(0.05)
        process.kill()
        process.wait()
        siteseer.repair(folder)
        (problem,) = siteseer.verify(folder)["problems"]
        assert "crawl 1 (learned) did not come to its end" in problem["what"] and "same command" in problem["next"]
        crawl(options(served.url, folder, limit=limit))
        assert not siteseer.verify(folder)["problems"]  # a limit is an end


@pytest.mark.parametrize("made", ["lock", "database", "crawl"])
def test_a_command_that_was_killed_before_it_wrote_anything_is_said(tmp_path: Path, made: str, capsys: Any) -> None:
    folder = tmp_path / "c"
    if made == "lock":
        with hold_lock(folder):
            pass
    else:
        with Collection.open(folder, "create") as opened:
            if made == "crawl":
                opened.state.new_crawl("wrapper", {})
                opened.state.commit()
    assert run(["verify", str(folder)]) == 1
    assert "run the same command again" in capsys.readouterr().out


def test_a_wrapper_is_known_to_have_begun(tmp_path: Path) -> None:
    with WrapperCollection.at(tmp_path / "c", "doc('x')"), Collection.open(tmp_path / "c") as looked_at:
        last = looked_at.state.last_crawl()
    assert last is not None and last[1:3] == ("wrapper", False)


def _pages(folder: Path) -> int:
    try:
        return siteseer.open(folder).pages()[0]
    except SiteseerError:
        return 0


@pytest.mark.parametrize("moment", [0.25, 0.5, 0.75, 0.9])
def test_a_kill_during_describe_leaves_the_old_or_the_new(whole: Path, copy: Path, moment: float) -> None:
    before = objects_of(copy)
    command = [sys.executable, "-m", "siteseer", "describe", str(copy)]
    started = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    duration = time.monotonic() - started
    described = objects_of(copy)
    shutil.rmtree(copy)
    shutil.copytree(whole, copy)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(duration * moment)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert objects_of(copy) in (before, described)
    assert not siteseer.verify(copy)["problems"]
    siteseer.repair(copy)
    assert not [path for path in (copy / "siteseer").iterdir() if path.name.startswith(".objects")]


def test_a_kill_during_repair_is_repaired(whole: Path, copy: Path) -> None:
    hurt(copy, "database", "delete")
    hurt(copy, "objects", "cut")
    for pause in (0.3, 0.6, 0.8, 1.0, 1.2, 1.4):
        process = subprocess.Popen(
            [sys.executable, "-m", "siteseer", "repair", str(copy)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(pause)
        process.kill()
        process.wait()
    report = siteseer.repair(copy)
    assert not report["problems"]
    assert damage.contents(copy)["archived"] == damage.contents(whole)["archived"]


def test_the_report_as_json(copy: Path, capsys: Any) -> None:
    hurt(copy, "index", "flip")
    assert run(["verify", str(copy), "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert problem["file"] == "indexes/index.cdxj" and problem["next"] == f"siteseer repair {copy}"
    assert run(["repair", str(copy), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["done"] == ["indexes/index.cdxj: made again"]


def test_a_directory_that_disappears_under_a_crawl_is_an_error(tmp_path: Path, serve: Callable) -> None:
    url = serve("blog", seed=3, size=12).url
    command = [sys.executable, "-m", "siteseer", "crawl", url, "-o", str(tmp_path / "c")]
    process = subprocess.Popen([*command, "--delay", "0.2", "--strategy", "blind"], stderr=subprocess.PIPE, text=True)
    while not list((tmp_path / "c" / "archive").glob("*.warc.gz")):
        time.sleep(0.05)
    time.sleep(1.0)
    shutil.rmtree(tmp_path / "c", ignore_errors=True)
    shutil.rmtree(tmp_path / "c", ignore_errors=True)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 17 and "was deleted or moved" in said


def test_what_was_said_of_hosts_and_seeds_outlives_a_lost_database(tmp_path: Path, served: Server) -> None:
    folder, host = tmp_path / "told", HostOptions("127.0.0.1", delay=0.01, concurrency=1)
    seed = SeedOptions(f"{served.url}/", limit=2, exclude=("*/tag/*",))
    crawl(
        CrawlOptions(
            (f"{served.url}/",), folder, strategy="blind", delay=0.0, assets="none", hosts=(host,), seed_options=(seed,)
        )
    )
    state_path(folder).unlink()
    siteseer.repair(folder)
    with Collection.open(folder) as opened:
        _, options = last_options(opened.state)
    assert (options.hosts, options.seed_options) == ((host,), (seed,))
    assert earlier_options(folder)["hosts"] == (host,)
