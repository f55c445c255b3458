"""WARC and WACZ files that other tools wrote: Heritrix, wget, wpull, pywb, warcio, with and without faults."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from siteseer.archive.archived_pages import exchanges, pages, read_stored
from siteseer.archive.cdxj import Entry, entries_of, lookup, write_index
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.collection.verify import verify

LABELLED = Path(__file__).parents[2] / ".." / "shared" / "data" / "labelled.tar.xz"
pytestmark = pytest.mark.skipif(not LABELLED.is_file(), reason=f"needs the captures of real software at {LABELLED}")


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    with tarfile.open(LABELLED) as tar:
        for member in tar:
            if "/warcs/" in f"/{member.name}" and member.isfile():
                tar.extract(member, folder, filter="data")
    return folder


def only_warcs(samples: Path) -> list[WarcFile]:
    return [file for file in warc_files(samples) if not file.member]


def responses_by_warcio(path: Path) -> dict[tuple[str, str], list[bytes]]:
    found: dict[tuple[str, str], list[bytes]] = {}
    with path.open("rb") as file:
        try:
            for record in ArchiveIterator(file):
                if record.rec_type == "response" and record.http_headers:
                    key = record.rec_headers.get_header("WARC-Record-ID"), record.http_headers.get_statuscode()
                    found.setdefault(key, []).append(record.content_stream().read())
        except ArchiveLoadFailed:
            pass
    return found


def test_there_are_samples_and_all_of_them_hold_pages(samples):
    files = warc_files(samples)
    assert len(files) > 20
    for file in files:
        if file.name != "example-digest.warc":  # requests only
            kinds = [stored for stored, _ in exchanges(file.path)]
            assert kinds or "revisit" in file.name or "resource" in file.name or "target-uri" in file.name, file.name


def test_bodies_are_those_that_warcio_reads(samples):
    compared = 0
    for file in only_warcs(samples):
        theirs = responses_by_warcio(file.path)
        for stored, page in exchanges(file.path):
            expected = theirs.get((f"<{stored.capture.record}>", str(stored.status)))
            if stored.kind == "response" and expected is not None and "wrong-chunks" not in file.name:
                assert page.body in expected, (file.name, stored.capture)
                compared += 1
    assert compared > 60


def test_every_index_line_leads_back_and_is_found(samples, tmp_path):
    index = tmp_path / "index.cdxj"
    for file in only_warcs(samples):
        entries = list(entries_of(file))
        if len({entry.offset for entry in entries}) < len(entries):
            continue  # the whole file is one gzip member: no random access
        write_index(entries, index)
        assert [Entry.parse(line).key for line in index.read_bytes().splitlines()] == sorted(
            entry.key for entry in entries
        )
        for entry in entries:
            assert read_stored(file, entry.offset).url == entry.url
            assert entry.offset in [found.offset for found in lookup(index, entry.url, entry.method, entry.query)]


def test_posts_are_known(samples):
    (path, *_) = samples.rglob("post-test.warc.gz")
    assert [(stored.method, stored.asked.body) for stored, _ in exchanges(path) if stored.asked][:1] == [
        ("POST", b"foo=bar&test=abc")
    ]


def test_a_revisit_in_another_file_resolves(samples):
    (original,) = samples.rglob("example-url-agnostic-orig.warc.gz")
    found = {capture.file: page.body for page, capture in pages(original.parent) if "url-agnostic" in capture.file}
    assert len(found) == 2 and len(set(found.values())) == 1


def test_a_wacz_of_another_tool(samples):
    (path,) = samples.rglob("valid_example_1.wacz")
    found = list(pages(path))
    assert found and all(page.url.startswith("http") for page, _ in found)


def test_fixity_of_other_tools_files(samples, tmp_path):
    for path in sorted(samples.rglob("iana.warc.gz")):
        (tmp_path / "archive").mkdir()
        (tmp_path / "archive" / path.name).write_bytes(path.read_bytes())
        report = verify(tmp_path)
        assert report.is_sound, report.problems
        assert report.digests > 40
