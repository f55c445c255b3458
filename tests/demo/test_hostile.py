from __future__ import annotations

import socket
import time
import zlib

import pytest

from siteseer.demo import Server, make_site
from siteseer.demo.hostile.broken_answers import gzip_bomb
from siteseer.demo.hostile.documents import IMPOSSIBLE
from tests.demo.demo_walker import ask, header, links


@pytest.fixture(scope="module")
def server():
    with Server(make_site("hostile", seed=1, size=1, pause=0.01)) as running:
        yield running


def fetch(server: Server, path: str) -> bytes:
    """Everything that comes back, until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode())
        parts = []
        while part := client.recv(1 << 20):
            parts.append(part)
        return b"".join(parts)


def test_index_links_to_everything_that_must_end(server):
    truth = server.site.truth
    assert links("/", ask(server.site, "/")) == truth.content_paths - {"/"}
    assert len(truth.content_paths) > 80


def test_every_path_does_what_it_does_and_the_server_lives(server):
    failed = {}
    for path in sorted(server.site.truth.content_paths):
        try:
            if b"demo site failed" in fetch(server, path)[:2000]:
                failed[path] = "500"
        except ConnectionResetError:
            if "reset" not in path:
                failed[path] = "reset"
    assert failed == {}
    assert b"200 OK" in fetch(server, "/plain/1")


def test_reset_comes_before_any_byte(server):
    with pytest.raises(ConnectionResetError):
        fetch(server, "/wire/reset")


def test_half_a_response_is_half(server):
    answer = fetch(server, "/wire/half")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"Content-Length: 5000" in head
    assert 0 < len(body) < 5000


def test_slow_body_takes_its_time(server):
    started = time.monotonic()
    fetch(server, "/wire/slow")
    assert time.monotonic() - started > 0.2


@pytest.mark.parametrize(("path", "failures"), [("/heal/500", 2), ("/heal/503", 1), ("/heal/429", 1)])
def test_healing(path, failures):
    site = make_site("hostile", size=1)
    answers = [ask(site, path) for _ in range(failures + 1)]
    assert [answer.status for answer in answers] == [int(path[-3:])] * failures + [200]
    assert path == "/heal/500" or header(answers[0], "Retry-After") == "1"


def test_bomb_unpacks_to_a_thousand_times_its_size():
    body = gzip_bomb(1)
    assert len(body) <= 2**20
    part = body[: 100 * 1024]
    assert len(zlib.decompressobj(31).decompress(part)) > 900 * len(part)


def test_bomb_of_the_default_size_is_cheap_to_make():
    started = time.process_time()
    assert 9 * 2**20 < len(gzip_bomb(10)) <= 10 * 2**20
    assert time.process_time() - started < 2


def test_large_documents_scale_with_size(server):
    assert ask(server.site, "/doc/million-links").body.count(b"<a ") == 100_000
    assert len(ask(server.site, "/doc/huge").body) > 10**6
    assert b"Disallow: /l/" in ask(server.site, "/robots.txt").body


def test_redirects_lead_nowhere_good(server):
    path = "/redirect/loop/0"
    for _ in range(3):
        path = header(ask(server.site, path), "Location")
    assert path == "/redirect/loop/0"
    chain = "/redirect/chain/40"
    for _ in range(40):
        chain = header(ask(server.site, chain), "Location")
    assert ask(server.site, chain).status == 200
    assert header(ask(server.site, "/redirect/to/metadata"), "Location").startswith("http://169.254.169.254/")
    assert header(ask(server.site, "/redirect/to/file"), "Location") == "file:///etc/passwd"
    localhost = ask(server.site, "/redirect/localhost", host="127.0.0.1:8123")
    assert header(localhost, "Location") == "http://localhost:8123/plain/1"


def test_impossible_links_are_all_there(server):
    body = ask(server.site, "/doc/impossible-links").body
    assert body.count(b"<a href=") >= len(IMPOSSIBLE)
    assert b'href="http://[::1"' in body


def test_entity_bombs_are_served_as_feed_sitemap_and_page(server):
    for path in ("/doc/bomb.xhtml", "/sitemap.xml", "/feed.rss"):
        answer = ask(server.site, path)
        assert b"<!ENTITY l9" in answer.body
        assert "xml" in header(answer, "Content-Type")


def test_old_protocols_and_odd_headers(server):
    assert fetch(server, "/wire/no-length").startswith(b"HTTP/1.0 200")
    assert fetch(server, "/wire/many-cookies").count(b"Set-Cookie: ") == 1000
    assert b"\x1b[2J" in fetch(server, "/doc/escapes")
