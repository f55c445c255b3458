"""What `describe -o` makes of archives of other tools is a collection: it holds their bytes and knows every capture."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from siteseer.archive.warc_writer import OUR_NAME
from siteseer.batch.describe import describe_archives
from siteseer.cli.main import run
from siteseer.collection.collection import Collection
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.errors import UsageError
from siteseer.knowledge.knowledge_base import KnowledgeBase

POST = "<html><head><title>Note {0}</title></head><body><h1>Note {0}</h1><p>{1}</p></body></html>"
WORDS = "The ferry to the island of number {0} leaves at noon and takes {0} people with {0} bags across the bay. " * 3


def made_by_warcio(path: Path, host: str = "notes.example", notes: int = 4, gzipped: bool = True) -> Path:
    """Write pages with their requests, a DNS answer and a revisit, as other crawlers do."""
    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=gzipped)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "another/1"}))
        dns = io.BytesIO(b"20200101000000\nnotes.example. 60 IN A 192.0.2.1\n")
        writer.write_record(
            writer.create_warc_record(f"dns:{host}", "response", payload=dns, warc_content_type="text/dns")
        )
        for number in range(notes):
            body = POST.format(number, WORDS.format(number)).encode()
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            url = f"http://{host}/notes/{number}.html"
            record = writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head)
            asked = StatusAndHeaders("GET /", [("Host", host)], is_http_request=True)
            writer.write_request_response_pair(writer.create_warc_record(url, "request", http_headers=asked), record)
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        writer.write_record(
            writer.create_revisit_record(f"http://{host}/last.html", digest, url, "2020-01-01T00:00:00Z", head)
        )
    return path


def described(folder: Path, *sources: Path) -> dict[str, object]:
    return dict(describe_archives(sources, folder, KnowledgeBase.shipped()))


def test_it_knows_every_capture_and_is_sound(tmp_path: Path) -> None:
    one = made_by_warcio(tmp_path / "one.warc.gz")
    other = made_by_warcio(tmp_path / "other.warc", "board.example", gzipped=False)
    folder = tmp_path / "c"
    described(folder, one, other)
    assert run(["verify", str(folder)]) == 0
    look = ReadOnlyState(folder)
    last = look.last()
    assert last is not None and (last.strategy, last.stopped_by) == ("describe", None)
    assert (last.counts["requests"], last.counts["pages"]) == (10, 10)
    assert look.pages()[0] == 10 and look.pages("note 3")[0] == 4
    listed = [json.loads(line) for line in (folder / "pages" / "pages.jsonl").read_text().splitlines()[1:]]
    assert {line["url"] for line in listed} >= {"http://notes.example/notes/0.html", "http://notes.example/last.html"}
    assert (folder / "archive" / "one.warc.gz").samefile(one)  # no second copy on the same disk


def test_describing_again_changes_nothing_and_another_archive_is_added(tmp_path: Path) -> None:
    one = made_by_warcio(tmp_path / "one.warc.gz")
    folder = tmp_path / "c"
    first = described(folder, one)
    assert described(folder, one) == first and described(folder, folder) == first
    (tmp_path / "elsewhere").mkdir()
    described(folder, made_by_warcio(tmp_path / "elsewhere" / "one.warc.gz", "board.example"))
    assert sorted(path.name for path in (folder / "archive").iterdir()) == ["2-one.warc.gz", "one.warc.gz"]
    assert ReadOnlyState(folder).pages()[0] == 10
    assert run(["verify", str(folder)]) == 0


def test_records_that_lie_in_one_gzip_member_can_be_reached(tmp_path: Path) -> None:
    plain = made_by_warcio(tmp_path / "one.warc", gzipped=False)
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(gzip.compress(plain.read_bytes()))
    described(tmp_path / "c", whole)
    assert run(["verify", str(tmp_path / "c")]) == 0
    with (tmp_path / "c" / "archive" / "whole.warc.gz").open("rb") as file, plain.open("rb") as before:
        kinds = [record.rec_type for record in ArchiveIterator(file)]
        assert kinds == [record.rec_type for record in ArchiveIterator(before)]
    assert ReadOnlyState(tmp_path / "c").place("http://notes.example/notes/2.html")


def test_the_files_of_a_wacz_are_brought(tmp_path: Path) -> None:
    described(tmp_path / "first", made_by_warcio(tmp_path / "one.warc.gz"))
    assert run(["export", str(tmp_path / "first"), "--wacz", str(tmp_path / "one.wacz")]) == 0
    with zipfile.ZipFile(tmp_path / "one.wacz") as package:
        inside = package.read("archive/one.warc.gz")
    described(tmp_path / "second", tmp_path / "one.wacz")
    assert (tmp_path / "second" / "archive" / "one.warc.gz").read_bytes() == inside
    assert run(["verify", str(tmp_path / "second")]) == 0


def test_a_collection_of_ours_described_elsewhere_is_never_changed(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    source = tmp_path / "collection"
    run_crawl(serve("blog", seed=1, size=2).url, strategy="auto")
    (warc,) = (source / "archive").iterdir()
    size = warc.stat().st_size
    with warc.open("ab") as file:
        file.write(b"\x1f\x8b torn")  # as if it were being crawled
    described(tmp_path / "c", source)
    (brought,) = (tmp_path / "c" / "archive").iterdir()
    assert brought.stat().st_size == size and not OUR_NAME.fullmatch(brought.name)
    assert run(["verify", str(tmp_path / "c")]) == 0
    with Collection.open(tmp_path / "c", "write"):
        assert brought.exists() and warc.stat().st_size > size


def test_archives_do_not_get_among_what_was_crawled(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    run_crawl(serve("blog", seed=1, size=2).url, limit=3)
    with pytest.raises(UsageError, match="holds crawls of its own: name another directory"):
        described(tmp_path / "collection", made_by_warcio(tmp_path / "one.warc.gz"))
    assert run(["verify", str(tmp_path / "collection")]) == 0


def test_a_folder_of_another_tool_becomes_a_collection_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "c" / "archive").mkdir(parents=True)
    shutil.move(made_by_warcio(tmp_path / "one.warc.gz"), tmp_path / "c" / "archive")
    describe_archives([tmp_path / "c"], None, KnowledgeBase.shipped())
    assert run(["verify", str(tmp_path / "c")]) == 0
    assert ReadOnlyState(tmp_path / "c").pages()[0] == 5
