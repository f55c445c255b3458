"""Content decoding: every encoding, layers, bombs, damage."""

import gzip
import io
import resource
import zlib

import pytest
from fastwarc import stream_io
from hypothesis import given
from hypothesis import strategies as st

from siteseer.archive.decode import DECODERS, content_encoding, decode

TEXT = b"<html><p>" + b"a rather repetitive page " * 4000


class Sink(io.BytesIO):
    def close(self):
        pass


def written_by(writer_class, data: bytes) -> bytes:
    out = Sink()
    with writer_class(out) as writer:
        writer.write(data)
    return out.getvalue()


def brotli(data: bytes) -> bytes:
    return written_by(stream_io.BrotliWriter, data)


def zstd(data: bytes) -> bytes:
    return written_by(stream_io.ZstdWriter, data)


def raw_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(data) + engine.flush()


ENCODERS = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli, "zstd": zstd}


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 300_000])
def test_each_encoding(name, size):
    data = (TEXT * 4)[:size]
    decoded = decode(ENCODERS[name](data), name)
    assert decoded.body == data
    assert decoded.complete


@given(st.binary(max_size=200_000), st.lists(st.sampled_from(sorted(ENCODERS)), max_size=4))
def test_layers_come_off_in_reverse(data, names):
    body = data
    for name in names:
        body = ENCODERS[name](body)
    assert decode(body, ", ".join(names)).body == data


def test_raw_deflate_and_aliases_and_identity():
    assert decode(raw_deflate(TEXT), "deflate").body == TEXT
    assert decode(gzip.compress(TEXT), "X-GZIP , identity").body == TEXT
    assert decode(TEXT, "").body == TEXT


def test_gzip_of_several_members_and_padding():
    assert decode(gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 9, "gzip").body == b"one two"


def test_torn_gzip_gives_what_is_there():
    import random

    noise = random.Random(0).randbytes(50_000)
    whole = gzip.compress(noise)
    decoded = decode(whole[: len(whole) // 2], "gzip")
    assert noise.startswith(decoded.body) and len(decoded.body) > 20_000
    assert not decoded.complete and "ends early" in decoded.note


def test_damaged_gzip_keeps_the_part_before():
    whole = bytearray(gzip.compress(TEXT * 10 + bytes(range(256)) * 400))
    whole[-5] ^= 0xFF
    decoded = decode(bytes(whole), "gzip")
    assert decoded.body.startswith(TEXT)
    assert "damaged" in decoded.note


@pytest.mark.parametrize("name", ENCODERS)
def test_what_is_not_encoded_is_left_alone(name):
    decoded = decode(b"<html>" + TEXT, name)
    assert decoded.body == b"<html>" + TEXT
    assert decoded.note == f"not {name}"


def test_unknown_encoding_is_said_and_left_on():
    decoded = decode(gzip.compress(b"abc"), "compress-o-matic, gzip")
    assert decoded.body == b"abc"
    assert "compress-o-matic" in decoded.note


@pytest.mark.parametrize("names", [["gzip"], ["deflate"], ["br"], ["zstd"], ["gzip", "gzip"], ["zstd", "br"]])
def test_bomb_costs_no_more_than_the_limit(names):
    bomb = b"\0" * 64_000_000
    for name in names:
        bomb = ENCODERS[name](bomb)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    decoded = decode(io.BytesIO(bomb), ",".join(names), limit=1_000_000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert len(decoded.body) == 1_000_000
    assert not decoded.complete and "cut" in decoded.note
    assert grown < 30_000


@given(st.binary(max_size=3000), st.sampled_from(sorted(DECODERS)))
def test_no_bytes_make_it_fail(data, name):
    decode(data, name, limit=100_000)


def test_content_encoding_joins_repeated_headers():
    assert content_encoding((("Content-Type", "a"), ("CONTENT-ENCODING", "gzip"), ("content-encoding", "br"))) == (
        "gzip, br"
    )
