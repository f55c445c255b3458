"""A collection goes to real S3 storage and comes back: each file once, checked, whatever happens on the way."""

import json
import os
import shutil
import subprocess
import sys
import time

import pytest

from siteseer import verify
from siteseer.archive.storage import Storage
from siteseer.collection.lock import hold_lock
from siteseer.collection.stores import upload
from siteseer.collection.stores.store_config import choose_stores
from siteseer.crawler.results.export_collection import send_package
from siteseer.errors import ArchiveError, NotFoundError, StoreError, UsageError


@pytest.fixture
def collection(serve, run_crawl, tmp_path):
    """A small collection of two crawls."""
    address = serve("blog", seed=4, size=3).url
    run_crawl(address, "blog", limit=6)
    run_crawl(address, "blog", limit=12)
    return tmp_path / "blog"


@pytest.fixture
def place(s3, tmp_path):
    return f"s3://box/{tmp_path.name}"


def tree(folder):
    """What lies in a collection, without locks and what SQLite keeps beside its files."""
    left = ("siteseer/lock", "siteseer/push.lock", "siteseer/state.db", "siteseer/objects/")
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name: (folder / name).read_bytes() for name in names if not name.startswith(left)}


def test_a_collection_comes_back_and_goes_on(collection, place, serve, run_crawl, tmp_path):
    choose_stores(collection, archive=place)
    told = upload.push(collection)
    assert told["sent_files"] == told["files"] >= 7
    fetched = upload.pull(place, tmp_path / "back")
    assert fetched["fetched_files"] == told["files"]
    assert tree(tmp_path / "back") == tree(collection)
    report = verify(tmp_path / "back")
    assert not report["problems"] and report["records"] == verify(collection)["records"]
    summary = run_crawl(serve("blog", seed=4, size=3).url, "back", limit=14)
    assert summary["requests"] >= 12
    assert "undelivered" not in summary


def test_each_file_is_sent_once(collection, place, monkeypatch):
    choose_stores(collection, archive=place)
    upload.push(collection)
    put = []
    monkeypatch.setattr(Storage, "put", lambda self, path, name: put.append(name))
    assert upload.push(collection)["sent_files"] == 0
    assert put == []


def test_a_crawl_delivers_by_itself(serve, run_crawl, place, tmp_path):
    address = serve("blog", seed=4, size=3).url
    run_crawl(address, "blog", limit=6, archive_to=place)
    first = upload.manifest(Storage(place))
    run_crawl(address, "blog", limit=12)
    second = upload.manifest(Storage(place))
    warcs = [name for name in second if name.startswith("archive/")]
    assert len(warcs) == 2
    assert all(second[name] == first[name] for name in warcs if name in first)
    assert upload.check(tmp_path / "blog")["problems"] == []


def test_a_server_that_goes_away_half_way_loses_nothing(collection, place, s3, monkeypatch, tmp_path):
    choose_stores(collection, archive=place)
    before = tree(collection)
    put, whole = [], Storage.put

    def put_two(self, path, name):
        if len(put) == 2:
            s3.stop()
        put.append(name)
        whole(self, path, name)

    monkeypatch.setattr(Storage, "put", put_two)
    try:
        with pytest.raises(StoreError):
            upload.push(collection)
    finally:
        s3.start()
    assert tree(collection) == before
    monkeypatch.setattr(Storage, "put", lambda self, path, name: (put.append(name), whole(self, path, name)))
    upload.push(collection)
    warcs = [name for name in put if name.startswith("archive/")]
    assert len(warcs) == len(set(warcs)) == 2, "a WARC file that had arrived was sent again"
    assert upload.check(collection)["problems"] == []
    upload.pull(place, tmp_path / "back")
    assert tree(tmp_path / "back") == before


@pytest.mark.large
def test_a_killed_push_goes_on(collection, place, tmp_path):
    """Killed when the first file is there, at whatever it does then."""
    choose_stores(collection, archive=place)
    before = tree(collection)
    command = [sys.executable, "-m", "siteseer", "store", "push", str(collection)]
    with subprocess.Popen(command, env=dict(os.environ), stderr=subprocess.DEVNULL) as process:
        shelf = Storage(place)
        while process.poll() is None and not shelf.names("archive/"):
            time.sleep(0.05)
        process.kill()
    upload.push(collection)
    assert upload.check(collection)["problems"] == []
    upload.pull(place, tmp_path / "back")
    assert tree(tmp_path / "back") == before == tree(collection)


def test_finished_files_go_while_a_crawl_writes(collection, place):
    choose_stores(collection, archive=place)
    older, newest = sorted(f"archive/{path.name}" for path in (collection / "archive").iterdir())
    with hold_lock(collection):
        assert upload.push(collection)["sent_files"] == 1
        assert list(upload.manifest(Storage(place))) == [older]
        assert upload.push(collection)["sent_files"] == 0
    upload.push(collection)
    assert {older, newest} <= set(upload.manifest(Storage(place)))
    assert upload.check(collection)["problems"] == []
    with hold_lock(collection):
        upload.push(collection)
    assert upload.check(collection)["problems"] == []


def test_bytes_that_change_on_the_way_are_noticed(collection, place, monkeypatch, tmp_path):
    choose_stores(collection, archive=place)
    whole = Storage.put

    def put_damaged(self, path, name):
        whole(self, path, name)
        if name.endswith(".warc.gz"):
            self.write(name, self.read(name)[:-1] + b"!")

    monkeypatch.setattr(Storage, "put", put_damaged)
    with pytest.raises(StoreError, match="other bytes"):
        upload.push(collection)
    monkeypatch.setattr(Storage, "put", whole)
    upload.push(collection)
    shelf = Storage(place)
    name = shelf.names("archive/")[0]
    shelf.write(name, b"gone bad")
    assert upload.check(collection)["problems"] == [f"{name} has other bytes on {shelf}"]
    with pytest.raises(ArchiveError, match="damaged"):
        upload.pull(place, tmp_path / "back")
    assert not (tmp_path / "back" / name).exists()


def test_nothing_is_replaced(collection, place, tmp_path):
    choose_stores(collection, archive=place)
    upload.push(collection)
    back = tmp_path / "back"
    upload.pull(place, back)
    (back / "pages" / "pages.jsonl").write_text("mine")
    shutil.rmtree(back / "archive")
    with pytest.raises(UsageError, match=r"pages\.jsonl"):
        upload.pull(place, back)
    assert (back / "pages" / "pages.jsonl").read_text() == "mine"
    (tmp_path / "other" / "siteseer").mkdir(parents=True)
    choose_stores(tmp_path / "other", archive=place)
    with pytest.raises(UsageError, match="another collection"):
        upload.push(tmp_path / "other")


@pytest.mark.parametrize(
    "manifest",
    [
        "{",
        "[]",
        json.dumps({"format": "siteseer-manifest-1", "files": {"../evil": {"size": 1, "sha256": "", "changed": 0}}}),
        json.dumps({"format": "siteseer-manifest-1", "files": {"evil": {"size": 1, "sha256": "", "changed": 0}}}),
        json.dumps({"format": "siteseer-manifest-1", "files": {"archive/a": {"size": 1}}}),
        json.dumps({"format": "other", "files": {}}),
        "[" * 50_000,
    ],
)
def test_a_hostile_manifest_is_refused(manifest, tmp_path):
    shelf = Storage(str(tmp_path / "shelf"))
    shelf.write("manifest.json", manifest.encode())
    with pytest.raises((ArchiveError, UsageError)):
        upload.pull(str(tmp_path / "shelf"), tmp_path / "back")
    assert not (tmp_path / "evil").exists()


def test_a_place_without_a_collection_is_told(tmp_path, s3):
    for url in (str(tmp_path / "shelf"), "s3://box/empty", "s3://nobucket/x"):
        with pytest.raises(NotFoundError):
            upload.pull(url, tmp_path / "back")


def test_a_package_goes_there_too(collection, place):
    assert send_package(collection, f"{place}/blog.wacz") == f"{place}/blog.wacz"
    assert Storage(place).read("blog.wacz")[:2] == b"PK"
