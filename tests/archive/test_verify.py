"""Fixity: whatever is changed, lost or made up is found, with file and offset."""

import gzip
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from siteseer.archive.cdxj import write_index
from siteseer.archive.warc_writer import Original, WarcWriter
from siteseer.collection.verify import verify
from tests.archive.exchanges import INFO, an_exchange, entry_of


@pytest.fixture
def collection(tmp_path):
    captures, entries = [], []
    with WarcWriter(tmp_path / "archive", INFO, rollover=4000) as writer:
        for n in range(8):
            exchange = an_exchange(f"http://example.org/{n}", b"page %d " % n * 300)
            captures.append(writer.write(exchange, metadata={"via": "x"}))
            entries.append(entry_of(exchange, captures[-1]))
        again = an_exchange("http://example.org/again", b"page 0 " * 300)
        original = Original(captures[0].record, "http://example.org/0", captures[0].time)
        captures.append(writer.write(again, revisit_of=original))
        entries.append(entry_of(again, captures[-1], revisit=True))
    write_index(entries, tmp_path / "indexes" / "index.cdxj")
    return tmp_path, captures, entries


def problems(*given):
    return [(problem.file, problem.offset, problem.what) for problem in verify(*given).problems]


def test_a_sound_collection(collection):
    folder, captures, _ = collection
    report = verify(folder, captures)
    assert report.is_sound, report.problems
    assert (report.captures, report.index_lines, report.state_rows) == (9, 9, 9)
    assert report.records == report.files + 8 * 3 + 2
    assert report.digests == report.records + 8


def rewritten(path: Path, offset: int, length: int, old: bytes, new: bytes) -> None:
    """Change a record's text and pack it again, so that only its digests can tell; the length is kept by padding."""
    data = path.read_bytes()
    text = gzip.decompress(data[offset : offset + length])
    assert old in text
    engine = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = engine.compress(text.replace(old, new, 1)) + engine.flush()
    path.write_bytes(data[:offset] + packed + data[offset + length :])


def test_a_changed_body_is_found(collection):
    folder, captures, _ = collection
    last = captures[-2]
    rewritten(folder / "archive" / last.file, last.offset, last.length, b"page 7", b"pagE 7")
    found = [what for file, offset, what in problems(folder) if (file, offset) == (last.file, last.offset)]
    assert any("block digest" in what for what in found) and any("payload digest" in what for what in found)


def test_a_flipped_byte_is_found(collection):
    folder, captures, _ = collection
    path = folder / "archive" / captures[2].file
    data = bytearray(path.read_bytes())
    data[captures[2].offset + 60] ^= 1
    path.write_bytes(data)
    assert (captures[2].file, captures[2].offset) in [(file, offset) for file, offset, _ in problems(folder)]


def test_a_torn_tail_is_found(collection):
    folder, captures, _ = collection
    path = folder / "archive" / captures[-1].file
    path.write_bytes(path.read_bytes()[:-3])
    assert any("cut short" in what for _, _, what in problems(folder))


def test_index_lines_that_lie_are_found(collection):
    folder, captures, entries = collection
    lies = [
        replace(entries[0], url="http://example.org/other"),
        replace(entries[1], digest="sha256:00"),
        replace(entries[2], offset=entries[2].offset + 1),
        replace(entries[3], length=1),
        *entries[4:8],
    ]
    write_index(lies, folder / "indexes" / "index.cdxj")
    found = {(file, offset): what for file, offset, what in problems(folder)}
    assert "another URL" in found[captures[0].file, captures[0].offset]
    assert "digest sha256:00" in found[captures[1].file, captures[1].offset]
    assert "there is none" in found[captures[2].file, captures[2].offset + 1]
    assert "missing from the index" in found[captures[2].file, captures[2].offset]
    assert "a length of 1" in found[captures[3].file, captures[3].offset]
    assert "missing from the index" in found[captures[8].file, captures[8].offset]


def test_an_unsorted_or_unreadable_index_is_found(collection):
    folder, _, entries = collection
    lines = sorted((entry.line() for entry in entries), reverse=True)
    (folder / "indexes" / "index.cdxj").write_bytes(b"".join(lines) + b"what\n")
    found = [(file, offset) for file, offset, _ in problems(folder)]
    assert ("index.cdxj", 2) in found and ("index.cdxj", 10) in found


def test_state_that_does_not_belong_is_found(collection):
    folder, captures, _ = collection
    made_up = replace(captures[0], file="siteseer-20200101000000-00009-x.warc.gz")
    assert problems(folder, [*captures, made_up]) == [
        (made_up.file, made_up.offset, "the database names a capture, but there is none")
    ]
