"""Files on a storage: a folder and a real S3 server behave alike; what goes wrong is one sentence without secrets."""

import hashlib
import multiprocessing
import os
import threading
from pathlib import Path

import pytest

from siteseer.archive import storage_places
from siteseer.archive.storage import Storage, below, check_name, safe_address
from siteseer.errors import NotFoundError, StoreError, UsageError
from tests.collection.stores.servers import ask_for_keys


@pytest.fixture(params=["folder", "s3"])
def storage(request, tmp_path):
    if request.param == "folder":
        return Storage(str(tmp_path / "storage"))
    request.getfixturevalue("s3")
    return Storage(f"s3://box/{tmp_path.name}")


def test_a_file_comes_back_as_it_went(storage, tmp_path):
    content = os.urandom(300_000)
    (tmp_path / "a").write_bytes(content)
    storage.put(tmp_path / "a", "site one/archive/a ü.warc.gz")
    storage.get("site one/archive/a ü.warc.gz", tmp_path / "deep" / "b")
    assert (tmp_path / "deep" / "b").read_bytes() == content
    assert storage.size("site one/archive/a ü.warc.gz") == len(content)
    assert storage.digest("site one/archive/a ü.warc.gz") == hashlib.sha256(content).hexdigest()


def test_names_begin_as_asked(storage):
    for name in ("states/a.json", "states/ab/c.json", "state", "other/a"):
        storage.write(name, name.encode())
    assert storage.names() == ["other/a", "state", "states/a.json", "states/ab/c.json"]
    assert storage.names("states/") == ["states/a.json", "states/ab/c.json"]
    assert storage.names("states/a") == ["states/a.json", "states/ab/c.json"]
    assert storage.names("nothing/") == []
    storage.delete("state")
    storage.delete("state")
    assert not storage.exists("state")
    assert not storage.exists("states")


def test_what_is_missing_is_not_found(storage, tmp_path):
    for deed in (storage.read, storage.size, storage.digest, lambda name: storage.get(name, tmp_path / "x")):
        with pytest.raises(NotFoundError, match="nowhere"):
            deed("nowhere")
    assert not (tmp_path / "x").exists()
    with pytest.raises(NotFoundError):
        storage.put(tmp_path / "no such file", "a")


@pytest.mark.parametrize(
    "name", ["../a", "/a", "a//b", "", "a/./b", "a/..", "a\\b", "a\nb", "a\x00", "x.part", "é" * 500, "a/"]
)
def test_no_name_leaves_the_shelf(tmp_path, name):
    with pytest.raises(UsageError):
        check_name(name)
    with pytest.raises(UsageError):
        Storage(str(tmp_path / "storage")).write(name, b"x")
    assert list(tmp_path.iterdir()) == []


def test_readers_see_the_old_or_the_new(storage):
    old, new = b"a" * 200_000, b"b" * 200_000
    storage.write("state", old)
    seen, over = set(), threading.Event()

    def read():
        while not over.is_set():
            seen.add(storage.read("state"))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(12):
        storage.write("state", new if number % 2 else old)
    over.set()
    reader.join()
    assert seen <= {old, new}
    assert storage.names() == ["state"]


def test_a_writer_that_fails_leaves_nothing(tmp_path, monkeypatch):
    storage = Storage(str(tmp_path))
    storage.write("state", b"old")
    monkeypatch.setattr(storage_places.os, "fsync", lambda number: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(Exception, match="no room left"):
        storage.write("state", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    assert storage.read("state") == b"old"


def _in_child(url, answer):
    answer.put(Storage(url).read("a"))


def test_a_process_that_was_forked_has_its_own_connection(s3):
    storage = Storage("s3://box/forked")
    storage.write("a", b"here")
    context = multiprocessing.get_context("fork")
    answer = context.Queue()
    child = context.Process(target=_in_child, args=(storage.url, answer))
    child.start()
    assert answer.get(timeout=60) == b"here"
    child.join()


def test_a_wrong_bucket_is_told(s3):
    for deed in (Storage("s3://nobox/x").names, lambda: Storage("s3://nobox/x").write("a", b"")):
        with pytest.raises(NotFoundError, match="no such bucket"):
            deed()


def test_the_address_may_stand_with_the_bucket(s3, monkeypatch):
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    storage = Storage(f"s3://box/pinned?endpoint={s3.address}")
    storage.write("a", b"1")
    assert storage.names() == ["a"]
    assert str(storage) == "s3://box/pinned"


def test_a_server_that_is_gone_is_one_sentence_without_secrets(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAKEY")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "verysecret")
    with pytest.raises(StoreError) as told:
        Storage("s3://box/x?endpoint=http://127.0.0.1:9&secret=verysecret").read("a")
    assert told.value.exit_code == 9
    assert "\n" not in str(told.value)
    assert "verysecret" not in str(told.value) and "AKIAKEY" not in str(told.value)


def test_keys_are_refused_where_they_are_wrong(s3):
    """The server checks keys after it was told to."""
    storage = Storage(f"s3://box/x?endpoint={s3.address.replace('127.0.0.1', 'localhost')}")
    ask_for_keys(s3.address, True)
    try:
        for deed in (lambda: storage.read("a"), lambda: storage.write("a", b"1"), storage.names):
            with pytest.raises(StoreError, match="refuses these credentials") as told:
                deed()
            assert "verysecret" not in str(told.value)
    finally:
        ask_for_keys(s3.address, False)
    storage.write("a", b"1")


def test_missing_keys_are_told(s3, monkeypatch, tmp_path):
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(StoreError, match="refuses these credentials"):
        Storage(f"s3://box/x?endpoint={s3.address}/").read("a")


@pytest.mark.parametrize("url", ["s3://key:secret@box/x", "s3:///x", "nothing-known://x/y", "hdfs://nowhere:8020/x"])
def test_addresses_that_cannot_be_right(url):
    with pytest.raises(UsageError) as told:
        Storage(url).names()
    assert "secret" not in str(told.value)


def test_shelves_below_shelves(tmp_path):
    assert below("s3://b/p/?endpoint=http://h", "site") == "s3://b/p/site?endpoint=http://h"
    Storage(below(str(tmp_path), "site?1")).write("a", b"")
    assert (tmp_path / "site?1" / "a").is_file()
    assert Storage(tmp_path.as_uri()).names() == ["site?1/a"]
    assert safe_address("/plain/path") == "/plain/path"


def test_other_places_that_fsspec_knows():
    storage = Storage("memory://box/prefix")
    storage.write("a/b", b"1")
    storage.write("a/b", b"2")
    assert (storage.names(), storage.read("a/b")) == (["a/b"], b"2")
    assert Path("memory:").exists() is False
