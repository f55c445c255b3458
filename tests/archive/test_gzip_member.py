"""Gzip members: with the fast library and without it."""

import gzip
import importlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.archive import gzip_member
from siteseer.archive.warc_writer import WarcWriter
from tests.archive.exchanges import INFO, an_exchange


@pytest.fixture(params=["isal", "zlib"])
def packing(request, monkeypatch):
    if request.param == "isal":
        pytest.importorskip("isal")
    else:
        monkeypatch.setitem(sys.modules, "isal", None)
    yield importlib.reload(gzip_member)
    monkeypatch.undo()
    importlib.reload(gzip_member)


def test_both_libraries_write_members_that_anyone_reads(packing):
    for data in (b"", b"a", b"words and words " * 50_000, bytes(range(256)) * 500):
        for level in (packing.STORED, packing.LEVEL):
            assert gzip.decompress(packing.compress(data, level)) == data
    assert len(packing.compress(b"words and words " * 5000)) < 2000


@given(st.lists(st.binary(max_size=5000), max_size=8), st.sampled_from([gzip_member.STORED, gzip_member.LEVEL]))
def test_pieces_make_one_member(pieces, level):
    packed = gzip_member.compressor(level)
    data = b"".join([*(packed.compress(piece) for piece in pieces), packed.flush()])
    assert gzip.decompress(data) == b"".join(pieces)


def test_a_body_that_is_compressed_already_is_stored(tmp_path):
    body = gzip.compress(b"some words " * 10_000)
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    with WarcWriter(tmp_path, INFO) as writer:
        capture = writer.write(an_exchange(body=body, headers=headers))
    assert body in (tmp_path / capture.file).read_bytes()
