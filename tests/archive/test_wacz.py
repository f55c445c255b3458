"""WACZ: the reference tool accepts it, replay tools take it in, we read it back."""

import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from siteseer.archive.archived_pages import pages, read_capture
from siteseer.archive.cdxj import write_index
from siteseer.archive.warc_sources import warc_files
from siteseer.archive.warc_writer import WarcWriter
from siteseer.collection.wacz import Package, export_wacz
from siteseer.errors import ArchiveError
from tests.archive.exchanges import INFO, TIME, an_exchange, entry_of

BIN = Path(sys.executable).parent


@pytest.fixture
def collection(tmp_path):
    folder = tmp_path / "collection"
    with WarcWriter(folder / "archive", INFO, rollover=3000) as writer:
        entries = []
        for n in range(12):
            exchange = an_exchange(f"http://example.org/{n}", b"<title>page %d</title>" % n * 40)
            entries.append(entry_of(exchange, writer.write(exchange)))
    write_index(entries, folder / "indexes" / "index.cdxj")
    (folder / "siteseer" / "knowledge" / "learned").mkdir(parents=True)
    (folder / "siteseer" / "knowledge" / "learned" / "example.xml").write_text("<type/>")
    return folder


def packed(collection, **package):
    objects = collection / "objects.nq.gz"
    objects.write_bytes(gzip.compress(b"<a:b> <c:d> <e:f> .\n"))
    package = Package(title="Example", main_url="http://example.org/0", created=TIME, objects=objects, **package)
    return export_wacz(collection, collection.parent / "out.wacz", package)


def test_the_reference_tool_accepts_it(collection):
    done = subprocess.run([BIN / "wacz", "validate", "-f", packed(collection)], capture_output=True, text=True)
    assert done.returncode == 0 and "WACZ is valid" in done.stdout, done.stdout + done.stderr


def test_what_is_inside(collection):
    with zipfile.ZipFile(packed(collection)) as package:
        names = package.namelist()
        stored = {info.filename for info in package.infolist() if info.compress_type == zipfile.ZIP_STORED}
        described = json.loads(package.read("datapackage.json"))
        listed = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()]
        index = gzip.decompress(package.read("indexes/index.cdx.gz"))
    warcs = {name for name in names if name.startswith("archive/")}
    assert len(warcs) > 1 and warcs | {"indexes/index.cdx.gz"} <= stored
    assert {"siteseer/objects.nq.gz", "siteseer/knowledge-learned-example.xml"} <= set(names)
    assert described["wacz_version"] == "1.1.1" and described["created"] == "2026-03-04T05:06:07Z"
    assert {resource["path"] for resource in described["resources"]} == {
        name for name in names if not name.startswith("datapackage")
    }
    assert listed[0]["format"] == "json-pages-1.0" and len(listed) == 13
    assert index == (collection / "indexes" / "index.cdxj").read_bytes()


def test_pages_come_out_again_also_by_random_access(collection):
    target = packed(collection)
    target = target.replace(collection / target.name)  # beside the archive folder it does not count twice
    inside = list(pages(target))
    assert [page for page, _ in inside] == [page for page, _ in pages(collection)]
    files = {file.name: file for file in warc_files(target)}
    for page, capture in inside:
        assert read_capture(files[capture.file], capture.offset) == page


def test_its_own_list_of_pages_is_kept(collection):
    (collection / "pages").mkdir()
    head = '{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}\n'
    text = head + '{"url": "http://example.org/3", "ts": "2026-03-04T05:06:07Z", "title": "Drei", "level": "thread"}\n'
    (collection / "pages" / "pages.jsonl").write_text(text)
    with zipfile.ZipFile(packed(collection)) as package:
        head, page = map(json.loads, package.read("pages/pages.jsonl").splitlines())
    assert head["format"] == "json-pages-1.0"
    assert page.pop("id").startswith("page-")
    assert page == json.loads(text.splitlines()[1])


def test_the_index_is_made_where_it_is_missing(collection):
    kept = (collection / "indexes" / "index.cdxj").read_bytes()
    (collection / "indexes" / "index.cdxj").unlink()
    packed(collection)
    assert (collection / "indexes" / "index.cdxj").read_bytes() == kept


def test_replay_tools_take_it_in(collection, tmp_path):
    target = packed(collection)
    place = tmp_path / "replay"
    place.mkdir()
    for command in (["init", "c"], ["add", "--unpack-wacz", "c", str(target)]):
        done = subprocess.run([BIN / "wb-manager", *command], cwd=place, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    lines = (place / "collections" / "c" / "indexes" / "index.cdxj").read_text().splitlines()
    assert len([line for line in lines if line.startswith("org,example)/")]) == 12


def test_nothing_to_export_and_a_failure_leaves_no_file(tmp_path):
    with pytest.raises(ArchiveError, match="nothing to export"):
        export_wacz(tmp_path, tmp_path / "x.wacz")
    assert not list(tmp_path.iterdir())
