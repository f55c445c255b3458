"""After a crash: torn tails at every byte, later files, full disks."""

import os
import random
import resource
import signal
import subprocess
import sys

import pytest

from siteseer.archive import warc_writer
from siteseer.archive.archived_pages import pages
from siteseer.archive.repair_warc import damage_of, repair
from siteseer.archive.warc_sources import WarcFile
from siteseer.archive.warc_writer import WarcWriter
from siteseer.collection.recovery.torn_warcs import torn_end
from siteseer.collection.verify import verify
from siteseer.errors import ArchiveError, DiskFullError
from tests.archive.exchanges import INFO, an_exchange


def two_exchanges(folder):
    with WarcWriter(folder, INFO) as writer:
        first = writer.write(an_exchange("http://example.org/1"))
        committed = writer.position()
        writer.write(an_exchange("http://example.org/2"))
        return first, committed, writer.position()


def places_of_damage(path):
    return [offset for offset, _ in damage_of(WarcFile(path.name, path))]


def test_a_tail_torn_at_any_byte_is_found_and_mended(tmp_path):
    _, (name, committed), (_, end) = two_exchanges(tmp_path)
    path = tmp_path / name
    whole = path.read_bytes()
    starts = [committed, whole.index(b"\x1f\x8b\x08", committed + 1)]
    for cut in range(committed, end + 1):
        path.write_bytes(whole[:cut])
        clean = cut in (*starts, end)
        expected = max(start for start in starts if start <= cut)
        assert places_of_damage(path) == ([] if clean else [expected]), cut
        assert torn_end(path) == (None if clean else expected)
        os.truncate(path, expected)
        assert places_of_damage(path) == []
        urls = [page.url for page, _ in pages(path)]
        assert urls == ["http://example.org/1", "http://example.org/2"][: 1 if cut < starts[1] else 2]


def test_pages_before_a_torn_tail_are_read_without_mending(tmp_path, caplog):
    _, (name, committed), _ = two_exchanges(tmp_path)
    os.truncate(tmp_path / name, committed + 100)
    assert [page.url for page, _ in pages(tmp_path)] == ["http://example.org/1"]
    assert f"offset {committed}" in caplog.text


def test_repair_cuts_back_to_the_commit(tmp_path):
    _, (name, committed), (_, end) = two_exchanges(tmp_path)
    with WarcWriter(tmp_path, INFO) as writer:
        later = writer.write(an_exchange("http://example.org/3"))
    (tmp_path / "rec-of-another-tool.warc.gz").write_bytes(b"theirs")
    cut = repair(tmp_path, name, committed)
    assert (cut.files, cut.bytes) == ((later.file,), end - committed)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rec-of-another-tool.warc.gz", name]
    assert [page.url for page, _ in pages(tmp_path / name)] == ["http://example.org/1"]
    assert repair(tmp_path, name, committed).bytes == 0


def test_repair_when_nothing_was_committed(tmp_path):
    two_exchanges(tmp_path)
    assert len(repair(tmp_path, "", 0).files) == 1
    assert not list(tmp_path.iterdir())


def test_repair_refuses_when_committed_bytes_are_missing(tmp_path):
    _, (name, committed), _ = two_exchanges(tmp_path)
    os.truncate(tmp_path / name, committed - 1)
    with pytest.raises(ArchiveError, match="restore"):
        repair(tmp_path, name, committed)
    with pytest.raises(ArchiveError, match="restore"):
        repair(tmp_path, name.replace("00001", "00002"), 10)
    assert (tmp_path / name).stat().st_size == committed - 1


def test_damage_in_the_middle_is_stepped_over_but_not_cut(tmp_path):
    first, (name, _), _ = two_exchanges(tmp_path)
    path = tmp_path / name
    data = bytearray(path.read_bytes())
    data[first.offset + first.length // 2] ^= 0xFF
    path.write_bytes(data)
    assert [page.url for page, _ in pages(path)] == ["http://example.org/2"]
    assert places_of_damage(path) == [first.offset]
    assert torn_end(path) is None


@pytest.mark.parametrize("size", [9000, 3 << 20])
def test_a_full_disk_leaves_whole_records_only(tmp_path, size):
    """The kernel refuses to let files grow beyond a limit, in the middle of a write, as a full disk does."""
    noise = random.Random(3)
    limit, before = size * 2 + size // 2, resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    writer = WarcWriter(tmp_path, INFO)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
        for n in range(2):
            writer.write(an_exchange(f"http://example.org/{n}", noise.randbytes(size)))
        kept = writer.position()
        with pytest.raises(DiskFullError, match="No room left"):
            writer.write(an_exchange("http://example.org/2", noise.randbytes(size)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    path = tmp_path / kept[0]
    assert writer.position() == kept == (path.name, path.stat().st_size)
    assert places_of_damage(path) == []
    writer.write(an_exchange("http://example.org/2", b"room again"))
    writer.close()
    assert len(list(pages(tmp_path))) == 3


def test_no_room_for_even_the_first_record(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    writer = WarcWriter(tmp_path, INFO)
    with monkeypatch.context() as patch:
        patch.setattr(warc_writer.os, "write", full)
        with pytest.raises(DiskFullError):
            writer.write(an_exchange())
    assert not list(tmp_path.iterdir())
    assert writer.write(an_exchange()).file.split("-")[2] == "00001"
    writer.close()


def test_other_failures_are_not_called_full(tmp_path):
    blocked = tmp_path / "archive"
    blocked.write_text("a file where the folder should be")
    with pytest.raises(ArchiveError, match="Could not write"):
        WarcWriter(blocked, INFO).write(an_exchange())


ENDLESS = """
import sys
from pathlib import Path
from tests.archive.exchanges import INFO, an_exchange
from siteseer.archive.warc_writer import WarcWriter

writer = WarcWriter(Path(sys.argv[1]), INFO, rollover=40_000)
number = 0
while True:
    for _ in range(3):
        writer.write(an_exchange(f"http://example.org/{number}", b"word %d " % number * 900))
        number += 1
    writer.flush(sync=False)
    print(number, *writer.position(), flush=True)
"""


@pytest.mark.parametrize("commits", [1, 7, 23])
def test_killed_while_writing(tmp_path, commits):
    search = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", ENDLESS, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": search}) as process:
        lines = [process.stdout.readline() for _ in range(commits)]
        process.kill()
    number, file, offset = lines[-1].split()
    repair(tmp_path, file.decode(), int(offset))
    assert [page.url for page, _ in pages(tmp_path)] == [f"http://example.org/{n}" for n in range(int(number))]
    assert verify(tmp_path).is_sound
    with WarcWriter(tmp_path, INFO) as writer:
        writer.write(an_exchange("http://example.org/resumed"))
    assert len(list(pages(tmp_path))) == int(number) + 1
