"""The index: other tools make the same keys, lookups find what a plain search finds, memory stays flat."""

import gzip
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.archive import cdxj
from siteseer.archive.cdxj import Entry, entries_of, lookup, merge_indexes, write_index
from siteseer.archive.request_keys import request_key, request_query
from siteseer.archive.warc_sources import warc_files
from siteseer.archive.warc_writer import Original, WarcWriter
from siteseer.errors import ArchiveError
from tests.archive.exchanges import INFO, TIME, an_exchange, entry_of

BIN = Path(sys.executable).parent
FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n"
JSON = "Content-Type: application/json\r\nContent-Length: {}\r\n"
PARTS = "Content-Type: multipart/form-data; boundary=zz\r\nContent-Length: {}\r\n"
MULTIPART = b'--zz\r\nContent-Disposition: form-data; name="q"\r\n\r\nred wine\r\n--zz--\r\n'


def posted(url, kind, body):
    return an_exchange(url, method="POST", asked_with=kind.format(len(body)), request_body=body)


EXCHANGES = [
    an_exchange("http://www.example.org/b?z=1&a=2"),
    an_exchange("https://example.org/Ümlaut"),
    an_exchange("http://example.org/x", headers=()),
    an_exchange("http://example.org/head", b"", method="HEAD"),
    posted("http://example.org/s", FORM, b"q=red+wine&page=1"),
    posted("http://example.org/s?x=1", FORM, b"q=red+wine"),
    posted("http://example.org/api", JSON, b'{"q": ["red", "wine"], "deep": {"n": 3}}'),
    posted("http://example.org/up", PARTS, MULTIPART),
    posted("http://example.org/raw", "Content-Type: application/x-unknown\r\nContent-Length: {}\r\n", b"\0\1\2"),
]


@pytest.fixture
def archive(tmp_path):
    with WarcWriter(tmp_path / "archive", INFO) as writer:
        entries = [entry_of(exchange, writer.write(exchange)) for exchange in EXCHANGES]
        original = writer.write(an_exchange("http://example.org/o"))
        refers = Original(original.record, "http://example.org/o", original.time)
        again = an_exchange("http://example.org/o2")
        entries += [
            entry_of(an_exchange("http://example.org/o"), original),
            entry_of(again, writer.write(again, revisit_of=refers), revisit=True),
        ]
    return warc_files(tmp_path)[0], entries


def test_index_from_the_file_equals_index_from_the_crawl(archive):
    file, entries = archive
    assert sorted(entry.line() for entry in entries_of(file)) == sorted(entry.line() for entry in entries)


def test_the_field_s_indexer_agrees(archive):
    file, entries = archive
    done = subprocess.run([BIN / "cdxj-indexer", "-p", file.path], capture_output=True, text=True, check=True)
    theirs = {}
    for line in done.stdout.splitlines():
        key, stamp, text = line.split(" ", 2)
        fields = json.loads(text)
        theirs[key] = (stamp, int(fields["offset"]), int(fields["length"]), fields.get("method"), fields["digest"])
    ours = {}
    for entry in entries:
        method = None if entry.method == "GET" else entry.method
        ours[entry.key] = ("20260304050607", entry.offset, entry.length, method, entry.digest)
    del ours["org,example)/head?__wb_method=head"], theirs["org,example)/head"]  # they write it like a GET
    assert ours == theirs


def test_lines_lead_to_their_records(archive):
    file, entries = archive
    data = file.path.read_bytes()
    for entry in entries:
        record = gzip.decompress(data[entry.offset : entry.offset + entry.length])
        assert f"WARC-Target-URI: {entry.url}\r\n".encode() in record
        assert f"WARC-Payload-Digest: {entry.digest}\r\n".encode() in record
        assert Entry.parse(entry.line()) == Entry(
            **{name: getattr(entry, name) for name in Entry.__slots__ if name != "time"},
            time=TIME.replace(microsecond=0),
        )


def test_a_post_is_found_by_its_body(archive, tmp_path):
    index = tmp_path / "index.cdxj"
    write_index(archive[1], index)
    query = request_query("POST", "application/x-www-form-urlencoded", b"q=red+wine&page=1")
    assert [entry.method for entry in lookup(index, "http://example.org/s", "POST", query)] == ["POST"]
    assert not list(lookup(index, "http://example.org/s"))
    assert json.loads(next(lookup(index, "http://example.org/s", "POST", query)).line().split(b" ", 2)[2])[
        "requestBody"
    ] == ("q=red wine&page=1")


def test_other_tools_write_numbers_as_strings():
    fields = b'{"url": "http://a.org/", "status": "200", "offset": "7", "length": "9", "filename": "f"}'
    entry = Entry.parse(b"org,a)/ 20200101000000 " + fields + b"\n")
    assert (entry.status, entry.offset, entry.length, entry.digest) == (200, 7, 9, "")


@pytest.mark.parametrize("line", [b"", b"a b\n", b"a 20200101000000 {}\n", b'a 2020 {"offset": 1}\n', b"\xff a b"])
def test_a_bad_line_is_named(line):
    with pytest.raises(ArchiveError, match="Not a CDXJ line"):
        Entry.parse(line)


def numbered(n, url=None):
    url = url or f"http://h{n % 7}.example.org/{n * 7919 % 1009}"
    return Entry(url, TIME + timedelta(seconds=n), 200, "text/html", f"sha256:{n:x}", "f.warc.gz", n, 10)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 60), max_size=60), st.integers(0, 60))
def test_lookup_finds_what_a_plain_search_finds(tmp_path_factory, numbers, wanted):
    index = tmp_path_factory.mktemp("lookup") / "index.cdxj"
    entries = [numbered(n) for n in numbers]
    write_index(entries, index)
    url = numbered(wanted).url
    plain = sorted({entry.line() for entry in entries if entry.url == url})
    assert [entry.offset for entry in lookup(index, url)] == [Entry.parse(line).offset for line in plain]


def test_sorting_in_pieces_gives_the_same_index(tmp_path, monkeypatch):
    entries = [numbered(n) for n in range(500)]
    write_index(entries, tmp_path / "whole.cdxj")
    monkeypatch.setattr(cdxj, "LINES_IN_MEMORY", 37)
    write_index(iter(entries), tmp_path / "pieces.cdxj")
    whole = (tmp_path / "whole.cdxj").read_bytes()
    assert (tmp_path / "pieces.cdxj").read_bytes() == whole
    assert whole.splitlines() == sorted(entry.line().rstrip() for entry in entries)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pieces.cdxj", "whole.cdxj"]


def test_merging_keeps_order_and_doubles_nothing(tmp_path):
    index, added = tmp_path / "index.cdxj", tmp_path / "added.cdxj"
    write_index([numbered(n) for n in range(0, 60, 2)], index)
    write_index([numbered(n) for n in range(0, 60, 3)], added)
    merge_indexes([index, added], index)
    lines = index.read_bytes().splitlines(keepends=True)
    assert lines == sorted({numbered(n).line() for n in range(60) if n % 2 == 0 or n % 3 == 0})


def test_a_failure_leaves_the_index_as_it_was(tmp_path):
    index = tmp_path / "index.cdxj"
    write_index([numbered(1)], index)
    before = index.read_bytes()

    def failing():
        yield numbered(2)
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        write_index(failing(), index)
    assert index.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["index.cdxj"]


@given(st.text(max_size=80), st.sampled_from(["GET", "POST"]), st.text(max_size=40))
def test_any_url_makes_one_line(url, method, query):
    key = request_key(url, method, query)
    assert not set(key) & set(" \t\r\n")
    assert Entry(url, TIME, 200, "a/b", "d", "f", 0, 1, method, query).line().count(b"\n") == 1


@given(
    st.binary(max_size=300), st.sampled_from(["application/json", "multipart/form-data; boundary=zz", "text/plain", ""])
)
def test_any_body_makes_a_query(body, kind):
    assert len(request_query("POST", kind, body)) <= 4096
