"""Content decoding: every encoding, layers, bombs, damage."""

import gzip
import io
import random
import resource
import time
import zlib

import pytest
from fastwarc import stream_io
from hypothesis import given
from hypothesis import strategies as st

from siteseer.archive.content_decoding import DECODERS, Decoded, content_encoding, decode

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


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_members_that_begin_at_the_border_of_a_piece_are_read(missing):
    first = gzip.compress(random.Random(7).randbytes(65_536 - 23 - missing), 0)
    body = first + gzip.compress(b"the second member")
    assert 65_536 - len(first) == missing
    assert decode(body, "gzip") == Decoded(gzip.decompress(body))


@pytest.mark.parametrize("name", ["gzip", "zstd"])
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_empty_members_cost_little(name, layers):
    body = ENCODERS[name](b"")
    body *= 16 * 2**20 // len(body)
    for _ in range(layers - 1):
        body = gzip.compress(body)
    began = time.process_time()
    decoded = decode(body, ", ".join([name] + ["gzip"] * (layers - 1)))
    assert time.process_time() - began < 1
    assert (decoded.complete, decoded.cut) == (False, f"{name} of more than 10,000 members")


def test_work_that_brings_nothing_ends():
    body = b"\x00\x00\x00\xff\xff" * (16 * 2**20 // 5)  # stored blocks of no bytes
    began = time.process_time()
    assert decode(body, "deflate").cut == "deflate that unpacks to less than it holds"
    assert time.process_time() - began < 0.5


def test_blocks_of_an_honest_compressor_are_members_enough():
    blocks = [TEXT[at : at + 1000] for at in range(0, len(TEXT), 1000)] * 20
    decoded = decode(b"".join(map(gzip.compress, blocks)), "gzip")
    assert decoded.complete and decoded.body == b"".join(blocks)


def test_what_was_never_encoded_is_not_cut():
    assert decode(b"<p>plain", "gzip").cut == "" and decode(b"<p>plain", "quantum").cut == ""
    assert decode(gzip.compress(TEXT)[:-9], "gzip").cut == "gzip ends early"
