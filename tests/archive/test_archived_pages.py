"""Reading back: what others write in odd ways, revisits in any order, POST, bombs, zstd, hostile bytes."""

import gzip
import io
import random

import pytest
from fastwarc.stream_io import ZstdWriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from siteseer.archive.archived_pages import exchanges, pages, read_capture, read_stored
from siteseer.archive.http_parse import Dechunker
from siteseer.archive.warc_reader import Archive
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.archive.warc_writer import Original, WarcWriter
from siteseer.errors import ArchiveError
from tests.archive.exchanges import INFO, an_exchange


def record(kind="response", url="http://example.org/", block=b"", **fields) -> bytes:
    named = {"WARC-Type": kind, "WARC-Target-URI": url, "WARC-Date": "2020-01-02T03:04:05Z"}
    named |= {"WARC-Record-ID": f"<urn:test:{random.random()}>", "Content-Type": "application/http"}
    named |= {name.replace("_", "-"): value for name, value in fields.items()} | {"Content-Length": str(len(block))}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return b"WARC/1.0\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def archived(tmp_path, *parts, name="a.warc", pack=lambda data: data):
    path = tmp_path / name
    path.write_bytes(b"".join(pack(part) for part in parts))
    return path


def bodies(path):
    return [page.body for page, _ in pages(path)]


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("block", "body"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\nplain", b"plain"),
        (b"HTTP/1.1 200\r\nA: b\r\n\r\nno reason", b"no reason"),
        (b"HTTP/2 200 \r\nA: b\r\n\r\nhttp 2", b"http 2"),
        (b"HTTP/1.1 200 OK\nA: b\n\nonly newlines", b"only newlines"),
        (CHUNKED + b"5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\n\r\n", b"hello world"),
        (CHUNKED + b"<p>decoded long ago", b"<p>decoded long ago"),
        (CHUNKED + b"5\r\nhello\r\nzz\r\nrest", b"hellozz\r\nrest"),
        (CHUNKED + b"5\r\nhel", b"hel"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"packed", mtime=0), b"packed"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nunpacked long ago", b"unpacked long ago"),
    ],
)
def test_bodies_as_other_tools_store_them(tmp_path, block, body):
    path = archived(tmp_path, record(block=block))
    ((page, capture),) = pages(path)
    assert (page.body, page.status, page.url) == (body, 200, "http://example.org/")
    assert (capture.offset, capture.length) == (0, path.stat().st_size)


@given(st.binary(max_size=400), st.lists(st.integers(1, 50), max_size=20), st.integers(1, 30))
def test_chunks_come_off_however_the_body_is_cut(body, sizes, piece):
    chunked, rest = b"", body
    for size in [*sizes, len(body) + 1]:
        if rest:
            chunked += b"%x\r\n%s\r\n" % (len(rest[:size]), rest[:size])
            rest = rest[size:]
    chunked += b"0\r\n\r\n"
    dechunker = Dechunker()
    out = b"".join(dechunker.feed(chunked[at : at + piece]) for at in range(0, len(chunked), piece))
    assert out + dechunker.finish() == body


def test_what_is_no_page_is_left_out(tmp_path):
    path = archived(
        tmp_path,
        record("warcinfo", block=b"software: x\r\n"),
        record("response", "dns:example.org", b"20200101 example.org. 1 IN A 192.0.2.1", Content_Type="text/dns"),
        record("response", block=b"this is not HTTP\r\n\r\n"),
        record("resource", "urn:screenshot:1", b"png", Content_Type="image/png"),
        record("resource", "http://example.org/r", b"<p>resource", Content_Type="text/html"),
        record("metadata", block=b"via: x\r\n"),
    )
    ((page, _),) = pages(path)
    assert (page.url, page.body, page.header("content-type")) == ("http://example.org/r", b"<p>resource", "text/html")


@pytest.mark.parametrize("request_first", [True, False])
@pytest.mark.parametrize("linked", [True, False])
def test_a_post_is_known_in_either_order(tmp_path, request_first, linked):
    ask = b"POST /s HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nq=wine"
    concurrent = {"WARC_Concurrent_To": "<urn:test:response>"} if linked else {}
    request = record("request", "http://example.org/s", ask, **concurrent)
    response = record(
        "response", "http://example.org/s", b"HTTP/1.1 200 OK\r\n\r\nfound", WARC_Record_ID="<urn:test:response>"
    )
    other = record("response", "http://example.org/", b"HTTP/1.1 200 OK\r\n\r\nother")
    pair = [request, response] if request_first else [response, request]
    path = archived(tmp_path, other, *pair, other, pack=gzip.compress, name="a.warc.gz")
    found = [(stored.method, stored.asked.body if stored.asked else b"", page.body) for stored, page in exchanges(path)]
    assert found == [("GET", b"", b"other"), ("POST", b"q=wine", b"found"), ("GET", b"", b"other")]


def test_revisits_resolve_also_when_the_original_comes_later_or_elsewhere(tmp_path):
    original = record(
        "response",
        "http://example.org/o",
        b"HTTP/1.1 200 OK\r\nX: original\r\n\r\nbody",
        WARC_Payload_Digest="sha1:AAAA",
    )
    revisit = record(
        "revisit", "http://example.org/r", b"HTTP/1.1 200 OK\r\nX: revisit\r\n\r\n", WARC_Payload_Digest="sha1:AAAA"
    )
    lost = record("revisit", "http://example.org/lost", b"", WARC_Payload_Digest="sha1:BBBB")
    archived(tmp_path, revisit, lost, name="1.warc")
    archived(tmp_path, original, revisit, name="2.warc")
    found = [(page.url, page.header("x"), page.body) for page, _ in pages(tmp_path)]
    assert found == [
        ("http://example.org/o", "original", b"body"),
        ("http://example.org/r", "revisit", b"body"),
        ("http://example.org/r", "revisit", b"body"),
    ]


def test_a_revisit_by_random_access(tmp_path):
    with WarcWriter(tmp_path, INFO) as writer:
        first = writer.write(an_exchange("http://example.org/1", b"the body"))
        refers = Original(first.record, "http://example.org/1", first.time)
        again = writer.write(an_exchange("http://example.org/2", b"the body"), revisit_of=refers)
    path = tmp_path / first.file
    assert read_capture(path, again.offset).body == b""
    assert read_stored(path, again.offset).capture.offset == again.offset
    (_, page), _ = [(place, page) for page, place in pages(tmp_path)][::-1]
    assert (page.url, page.body) == ("http://example.org/2", b"the body")


def test_random_access_to_nothing_is_said(tmp_path):
    path = archived(tmp_path, record("warcinfo", block=b"a: b\r\n"), record(block=b"HTTP/1.1 200 OK\r\n\r\nx"))
    for offset in (0, 5, path.stat().st_size, path.stat().st_size + 100):
        with pytest.raises(ArchiveError, match=f"offset {offset}"):
            read_capture(path, offset)


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: data])
def test_one_gzip_member_or_none_for_the_whole_file(tmp_path, pack):
    parts = b"".join(record(block=b"HTTP/1.1 200 OK\r\n\r\n%d" % n) for n in range(5))
    assert bodies(archived(tmp_path, parts, pack=pack)) == [b"0", b"1", b"2", b"3", b"4"]


def test_zstd(tmp_path):
    path = tmp_path / "a.warc.zst"
    with ZstdWriter(str(path)) as writer:
        for n in range(5):
            writer.write(record(block=b"HTTP/1.1 200 OK\r\n\r\n" + b"%d" % n * 1000))
            writer.finish()
    assert bodies(path) == [b"%d" % n * 1000 for n in range(5)]
    assert {capture.offset for _, capture in pages(path)} == {-1}
    with pytest.raises(ArchiveError, match="offset -1"):
        read_capture(path, -1)


def test_a_bomb_is_cut_at_the_limit(tmp_path):
    bomb = gzip.compress(b"\0" * 50_000_000)
    path = archived(
        tmp_path, record(block=b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + bomb), pack=gzip.compress
    )
    ((page, _),) = pages(path, limit=100_000)
    assert len(page.body) == 100_000


def test_what_warcio_writes_comes_back(tmp_path):
    path = tmp_path / "w.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        payload = io.BytesIO(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>gone")
        writer.write_record(writer.create_warc_record("http://example.org/gone", "response", payload=payload))
    ((page, capture),) = pages(path)
    assert (page.status, page.body, capture.digest[:5]) == (404, b"<p>gone", "sha1:")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.integers(0, 900), st.booleans())
def test_no_damage_makes_reading_fail_or_hang(tmp_path_factory, noise, at, packed):
    good = record(block=b"HTTP/1.1 200 OK\r\n\r\nfirst") + record(block=CHUNKED + b"3\r\nabc\r\n0\r\n\r\n")
    data = gzip.compress(good[: len(good) // 2]) + gzip.compress(good[len(good) // 2 :]) if packed else good
    path = tmp_path_factory.mktemp("noise") / "n.warc"
    path.write_bytes(data[:at] + noise + data[at + len(noise) :])
    list(pages(path))


def test_damage_is_listed_with_its_place(tmp_path):
    first, second = record(block=b"HTTP/1.1 200 OK\r\n\r\n1"), record(block=b"HTTP/1.1 200 OK\r\n\r\n2")
    path = archived(tmp_path, first, b"garbage\r\nmore\r\n", second)
    archive = Archive(WarcFile(path.name, path))
    assert [found.offset for found in archive] == [0, len(first) + 15]
    assert [offset for offset, _ in archive.damage] == [len(first)]


@pytest.mark.parametrize("name", ["missing.warc.gz", "broken.wacz"])
def test_what_cannot_be_opened_is_named(tmp_path, name):
    if name.startswith("broken"):
        (tmp_path / name).write_bytes(b"no zip")
    with pytest.raises(ArchiveError, match=name):
        warc_files(tmp_path / name)
