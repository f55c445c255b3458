"""Writing: other tools read what we write, byte for byte; rollover, revisits, secrets."""

import gzip
import io
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from siteseer.archive.archived_pages import pages, read_capture
from siteseer.archive.warc_writer import Original, WarcWriter, payload_digest
from siteseer.errors import ArchiveError
from tests.archive.exchanges import HTML, INFO, TIME, an_exchange

WARCIO = Path(sys.executable).with_name("warcio")


def by_warcio(path):
    with path.open("rb") as file:
        return [(r.rec_type, r.rec_headers, r.http_headers, r.raw_stream.read()) for r in ArchiveIterator(file)]


def the_file(folder):
    (path,) = folder.glob("*.warc.gz")
    return path


def test_three_records_per_exchange_as_warcio_reads_them(tmp_path):
    with WarcWriter(tmp_path, INFO) as writer:
        capture = writer.write(an_exchange(), metadata={"via": "http://example.org/from", "fetchTimeMs": "12"})
    info, response, request, metadata = by_warcio(the_file(tmp_path))
    assert [info[0], response[0], request[0], metadata[0]] == ["warcinfo", "response", "request", "metadata"]
    assert info[1].get_header("WARC-Filename") == the_file(tmp_path).name == capture.file
    assert b"software: siteseer/0.1\r\n" in info[3] and b"sha256" in info[3]
    assert response[1].get_header("WARC-Record-ID") == f"<{capture.record}>"
    assert response[1].get_header("WARC-Date") == "2026-03-04T05:06:07.123456Z"
    assert response[1].get_header("WARC-IP-Address") == "192.0.2.1"
    assert response[1].get_header("WARC-Protocol") == "http/1.1"
    assert response[1].get_header("WARC-Payload-Digest") == capture.digest == payload_digest(an_exchange())
    assert response[3] == b"<p>hello"
    for other in (request, metadata):
        assert other[1].get_header("WARC-Concurrent-To") == f"<{capture.record}>"
        assert other[1].get_header("WARC-Target-URI") == "http://example.org/"
        assert other[1].get_header("WARC-Warcinfo-ID") == info[1].get_header("WARC-Record-ID")
    assert metadata[3] == b"via: http://example.org/from\r\nfetchTimeMs: 12\r\n"


def test_warcio_check_finds_nothing_wrong(tmp_path):
    with WarcWriter(tmp_path, INFO) as writer:
        first = writer.write(an_exchange(body=b"x" * 5000))
        writer.write(an_exchange("http://example.org/2", b"y" * (3 << 20)))
        writer.write(
            an_exchange("http://example.org/3", b"x" * 5000),
            revisit_of=Original(first.record, "http://example.org/", first.time),
        )
    done = subprocess.run([WARCIO, "check", "-v", the_file(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "digest pass" in done.stdout and "digest failed" not in done.stdout


def test_offset_and_length_are_one_gzip_member(tmp_path):
    with WarcWriter(tmp_path, INFO) as writer:
        captures = [writer.write(an_exchange(f"http://example.org/{n}", b"b" * n * 700)) for n in range(5)]
        assert writer.position() == (captures[0].file, the_file(tmp_path).stat().st_size)
    data = the_file(tmp_path).read_bytes()
    for n, capture in enumerate(captures):
        record = gzip.decompress(data[capture.offset : capture.offset + capture.length])
        assert record.startswith(b"WARC/1.1\r\nWARC-Type: response\r\n")
        assert record.endswith(b"\r\n\r\n" + b"b" * n * 700 + b"\r\n\r\n")


def test_chunked_becomes_plain_and_says_so(tmp_path):
    headers = (*HTML, ("transfer-encoding", "chunked"), ("Trailer", "X"))
    with WarcWriter(tmp_path, INFO) as writer:
        writer.write(an_exchange(headers=headers))
    http = by_warcio(the_file(tmp_path))[1][2]
    assert http.get_header("Transfer-Encoding") is None
    assert http.get_header("X-Archive-Orig-transfer-encoding") == "chunked"
    assert http.get_header("Content-Length") == "8"


@pytest.mark.parametrize(
    ("status", "method", "body", "claimed", "expected", "original"),
    [
        (200, "GET", b"12345678", "8", ["8"], []),
        (200, "GET", b"1234", "8", ["4"], ["8"]),
        (200, "HEAD", b"", "8", ["8"], []),
        (304, "GET", b"", "8", ["8"], []),
        (200, "GET", b"", "8", ["0"], ["8"]),
    ],
)
def test_content_length_tells_the_truth(tmp_path, status, method, body, claimed, expected, original):
    with WarcWriter(tmp_path, INFO) as writer:
        writer.write(an_exchange(body=body, headers=(("Content-Length", claimed),), status=status, method=method))
    headers = by_warcio(the_file(tmp_path))[1][2].headers
    assert [value for name, value in headers if name == "Content-Length"] == expected
    assert [value for name, value in headers if name == "X-Archive-Orig-Content-Length"] == original


def test_truncation_and_protocol_are_recorded(tmp_path):
    with WarcWriter(tmp_path, INFO) as writer:
        writer.write(an_exchange(truncated="time", protocol="h2"))
    _, fields, http, _ = by_warcio(the_file(tmp_path))[1]
    assert fields.get_header("WARC-Truncated") == "time"
    assert fields.get_header("WARC-Protocol") == "h2"
    assert http.protocol == "HTTP/1.1"


def test_secrets_stay_out(tmp_path):
    secrets = (
        "Cookie: session=hunter2\r\nauthorization: Basic\r\n hunter2\r\nProxy-Authorization: hunter2\r\nX-Kept: a\r\n"
    )
    with WarcWriter(tmp_path, INFO) as writer:
        writer.write(an_exchange(asked_with=secrets))
    data = gzip.decompress(the_file(tmp_path).read_bytes())
    assert b"hunter2" not in data
    assert b"Cookie: redacted\r\nauthorization: redacted\r\nProxy-Authorization: redacted\r\nX-Kept: a\r\n" in data
    assert b"redacted-request-headers: authorization, cookie, proxy-authorization" in data


def test_files_roll_over_and_serials_go_on(tmp_path):
    noise = random.Random(1)
    with WarcWriter(tmp_path, INFO, rollover=20_000) as writer:
        captures = [writer.write(an_exchange(f"http://example.org/{n}", noise.randbytes(9000))) for n in range(7)]
    with WarcWriter(tmp_path, INFO) as writer:
        captures.append(writer.write(an_exchange("http://example.org/again")))
    names = sorted({capture.file for capture in captures})
    assert [name.split("-")[:3] for name in names] == [
        ["siteseer", "20260304050607", f"0000{serial}"] for serial in range(1, len(names) + 1)
    ]
    assert len(names) == 5
    for name in names:
        first = by_warcio(tmp_path / name)[0]
        assert first[0] == "warcinfo" and first[1].get_header("WARC-Filename") == name
    assert [page.url for page, _ in pages(tmp_path)] == [
        *(f"http://example.org/{n}" for n in range(7)),
        "http://example.org/again",
    ]


def test_revisits_say_what_they_refer_to_and_resolve(tmp_path):
    body = b"<p>" + b"same " * 1000
    with WarcWriter(tmp_path, INFO) as writer:
        first = writer.write(an_exchange("http://example.org/a", body))
        original = Original(first.record, "http://example.org/a", first.time, first.digest)
        again = writer.write(an_exchange("http://example.org/b", body), revisit_of=original)
        same = writer.write(an_exchange("http://example.org/a", b"", (), status=304), revisit_of=original)
    kinds = by_warcio(the_file(tmp_path))
    revisits = [fields for kind, fields, _, _ in kinds if kind == "revisit"]
    assert [fields.get_header("WARC-Profile").rsplit("/", 1)[1] for fields in revisits] == [
        "identical-payload-digest",
        "server-not-modified",
    ]
    for fields in revisits:
        assert fields.get_header("WARC-Refers-To") == f"<{first.record}>"
        assert fields.get_header("WARC-Refers-To-Target-URI") == "http://example.org/a"
        assert fields.get_header("WARC-Refers-To-Date") == "2026-03-04T05:06:07.123456Z"
    assert again.digest == same.digest == first.digest
    assert [(page.url, page.status, page.body) for page, _ in pages(tmp_path)] == [
        ("http://example.org/a", 200, body),
        ("http://example.org/b", 200, body),
        ("http://example.org/a", 200, body),
    ]


def test_a_large_body_is_streamed(tmp_path):
    class Watched(io.BytesIO):
        largest = 0

        def read(self, size=-1):
            Watched.largest = max(Watched.largest, size if size >= 0 else 1 << 60)
            return super().read(size)

    body = random.Random(2).randbytes(5 << 20)
    exchange = an_exchange(body=b"")
    fields = {name: getattr(exchange, name) for name in exchange.__slots__}
    exchange = type(exchange)(**(fields | {"body": Watched(body), "body_length": len(body)}))
    with WarcWriter(tmp_path, INFO) as writer:
        capture = writer.write(exchange)
    assert Watched.largest <= 1 << 20
    assert read_capture(the_file(tmp_path), capture.offset).body == body


@pytest.mark.parametrize("length", [100, 3 << 20])
def test_a_body_shorter_than_announced_leaves_nothing_behind(tmp_path, length):
    exchange = an_exchange(body=b"x" * length)
    exchange.body.truncate(length - 1)
    with WarcWriter(tmp_path, INFO) as writer:
        writer.write(an_exchange())
        before = writer.position()
        with pytest.raises(ArchiveError, match="shorter"):
            writer.write(exchange)
        assert writer.position() == before
        assert the_file(tmp_path).stat().st_size == before[1]


names = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=":"), min_size=1, max_size=20)
values = st.binary(max_size=60).map(lambda raw: raw.replace(b"\r", b"").replace(b"\n", b"").replace(b"\0", b"").strip())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(names, values), max_size=6),
    st.binary(max_size=3000),
    st.sampled_from([200, 301, 404, 500, 999]),
    st.text(max_size=20),
)
def test_any_headers_and_body_come_back(tmp_path_factory, headers, body, status, reason):
    folder = tmp_path_factory.mktemp("any")
    given = tuple((name, value.decode("utf-8", "surrogateescape")) for name, value in headers)
    given = tuple(
        (name, value)
        for name, value in given
        if name.lower() not in ("content-encoding", "transfer-encoding", "content-length")
    )
    with WarcWriter(folder, INFO) as writer:
        capture = writer.write(an_exchange(body=body, headers=given, status=status, reason=reason))
    page = read_capture(folder / capture.file, capture.offset)
    assert page.headers == given
    assert (page.body, page.status, page.fetched_at) == (body, status, TIME)
    assert by_warcio(folder / capture.file)[1][3] == body


@given(st.text(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_no_url_or_metadata_breaks_a_record(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("odd")
    with WarcWriter(folder, INFO | {"description": text}) as writer:
        writer.write(an_exchange("http://example.org/" + text), metadata={"note": text})
    assert [kind for kind, *_ in by_warcio(the_file(folder))] == ["warcinfo", "response", "request", "metadata"]
