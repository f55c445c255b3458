from __future__ import annotations

import http.client
import json
import socket
import threading
import time

import pytest

from siteseer.demo import Server, make_site
from tests.demo.demo_walker import walk


@pytest.fixture
def server():
    with Server(make_site("shop", seed=2)) as running:
        yield running


def get(server: Server, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def test_many_requests_share_one_connection(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    bodies = []
    for _ in range(3):
        connection.request("GET", "/")
        bodies.append(connection.getresponse().read())
        kept = connection.sock
        assert kept is not None
    assert bodies[0] == bodies[1] == bodies[2] == make_site("shop", seed=2).respond(request_for("/", server)).body


def request_for(path: str, server: Server):
    from siteseer.demo import SiteRequest

    return SiteRequest("GET", path, {"host": f"127.0.0.1:{server.port}"})


def test_log_tells_what_was_asked(server):
    get(server, "/nothing?x=1", **{"User-Agent": "tester"}).read()
    (entry,) = server.log
    assert (entry.method, entry.path, entry.status) == ("GET", "/nothing?x=1", 404)
    assert entry.headers["user-agent"] == "tester"
    assert entry.bytes > 100
    assert entry.time_started <= entry.time_finished


def test_head_has_no_body(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("HEAD", "/")
    response = connection.getresponse()
    assert int(response.headers["Content-Length"]) > 1000
    assert response.read() == b""
    connection.request("GET", "/")
    assert connection.getresponse().status == 200


def test_latency_and_concurrency_are_measured():
    with Server(make_site("wiki", seed=1), latency=1.0) as server:
        threads = [threading.Thread(target=lambda: get(server, "/").read()) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.max_concurrent == 3
        assert all(entry.time_finished - entry.time_started >= 0.99 for entry in server.log)


def test_stop_hangs_up_and_frees_the_port():
    server = Server(make_site("wiki", seed=1))
    server.start()
    idle = socket.create_connection(("127.0.0.1", server.port))
    idle.sendall(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert idle.recv(10_000).startswith(b"HTTP/1.1 200")
    started = time.monotonic()
    server.stop()
    assert time.monotonic() - started < 2
    idle.settimeout(2)
    assert idle.recv(10) == b""
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.port), timeout=1)


def test_garbage_from_a_client_does_not_stop_the_server(server):
    for garbage in (b"\x00\xff\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(garbage)
            client.shutdown(socket.SHUT_WR)
            client.recv(100)
    assert get(server, "/").status == 200


def test_conditional_request_is_answered_not_modified():
    with Server(make_site("blog", seed=4)) as server:
        first = get(server, "/")
        tag = first.headers["ETag"]
        assert get(server, "/", **{"If-None-Match": tag}).status == 304
        assert get(server, "/", **{"If-None-Match": '"other"'}).status == 200


def test_server_answers_a_thousand_requests_in_a_second_of_processor_time():
    """Over one connection, every page of the blog, client included; half of what an idle machine does."""
    site = make_site("blog", seed=1)
    paths = list(walk(site))
    with Server(site) as server, socket.create_connection(("127.0.0.1", server.port)) as client:
        stream = client.makefile("rb")
        started = time.process_time()
        for path in paths:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            length = 0
            while (line := stream.readline()) != b"\r\n":
                if line.startswith(b"Content-Length"):
                    length = int(line.split(b":")[1])
            stream.read(length)
        assert len(paths) / (time.process_time() - started) > 1000


def test_truth_as_json_has_the_keys_that_scoring_reads():
    truth = make_site("blog", seed=1).truth
    document = json.loads(truth.to_json("http://127.0.0.1:8000/", blind_requests=800))
    assert {"site", "software", "theme", "kind", "entry", "origin", "blind_requests", "oracle_requests"} <= set(
        document
    )
    assert document["origin"] == "http://127.0.0.1:8000"
    assert len(document["texts"]) == len(truth.texts)
    assert {"kind", "page", "thread", "title", "author", "date", "text"} <= set(document["texts"][0])
    assert set(document["external_links"]) == truth.external_links
