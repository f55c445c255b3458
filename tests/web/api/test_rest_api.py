"""The service over real HTTP: what it answers, whom it refuses, and that nothing sent to it breaks it."""

from __future__ import annotations

import io
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import uvicorn

from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.settings import CrawlOptions
from siteseer.verbs.opened_collection import LIMITS, Collection
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library

TOKEN = "let-me-in"
CHANGING = ("post", "put", "patch", "delete")
ONLY_READS = ("/api/collections/{name}/sparql",)


class Service:
    """A running service and a small client."""

    def __init__(self, port: int, app: Any) -> None:
        self.port, self.app = port, app

    def call(
        self, path: str, method: str = "GET", body: Any = None, token: str | None = TOKEN, **headers: str
    ) -> tuple[int, Any, dict[str, str]]:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent.setdefault("Authorization", f"Bearer {token}")
        if isinstance(body, dict):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            content, found = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()
        return answer.status, _read(content, found.get("content-type", "")), found


def _read(content: bytes, kind: str) -> Any:
    is_json = kind.partition(";")[0] in ("application/json", "application/sparql-results+json")
    return json.loads(content) if is_json and content else content


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Server(make_site("blog", 1)) as server:
        yield server.url


@pytest.fixture(scope="module")
def root(site, tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("library")
    for name, strategy in (("blog", "auto"), ("everything", "blind")):
        options = CrawlOptions((site,), root / name, strategy, delay=0.0, concurrency=4, assets="none", limit=150)
        crawl(options)
    return root


@pytest.fixture(scope="module")
def service(root) -> Iterator[Service]:
    app = make_app(Library(root), TOKEN)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Service(server.servers[0].sockets[0].getsockname()[1], app)
    server.should_exit = True
    thread.join(10)


def until(claim, seconds: float = 30.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := claim()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)
    return found


def test_collections_and_their_figures(service, site):
    status, found, _ = service.call("/api/collections", token=None)
    assert status == 200 and {one["name"] for one in found} == {"blog", "everything"}
    figures = service.call("/api/collections/blog")[1]
    assert figures["requests"] > 5 and figures["seeds"] == [site]
    assert service.call("/api/collections/blog/curve")[1][-1] == [figures["requests"], figures["two_grams"]]
    decisions = service.call("/api/collections/everything/decisions?status=waiting&limit=2")[1]
    assert decisions["count"] == figures_waiting(service) and len(decisions["urls"]) == 2
    queue = service.call("/api/collections/everything/queue?limit=3")[1]
    assert sum(one["waiting"] for one in queue) == decisions["count"]
    assert queue[0]["next"][0]["because"]
    assert service.call("/api/collections/nothing")[0] == 404


def figures_waiting(service: Service) -> int:
    return int(service.call("/api/collections/everything")[1]["waiting"])


def test_objects_in_every_form(service):
    found = service.call("/api/collections/blog/objects?kind=post&limit=3")[1]
    assert found["count"] >= 3 and len(found["objects"]) == 3
    post = found["objects"][0]
    one = service.call(f"/api/collections/blog/object?id={quote(post['id'], safe='')}")[1]
    assert one == post
    thread = service.call(f"/api/collections/blog/thread?id={quote(post['id'], safe='')}")[1]
    assert post["id"] in [each["id"] for each in thread]
    words = quote(" ".join(re.findall(r"\w+", post["text"])[:12])) + "&limit=1000"
    assert post["id"] in [each["id"] for each in service.call(f"/api/collections/blog/search?words={words}")[1]]
    total = service.call("/api/collections/blog/objects?limit=0")[1]["count"]
    for form, count in (("jsonl", lambda body: body.count(b"\n")), ("csv", csv_rows), ("parquet", parquet_rows)):
        status, body, headers = service.call(f"/api/collections/blog/export?format={form}&limit=0")
        assert status == 200 and count(body) == total, form
        assert "attachment" in headers["content-disposition"]
    assert b"sioc:" in service.call("/api/collections/blog/export?format=ttl&limit=5")[1]
    assert b"sioc/ns#" in service.call("/api/collections/blog/export?format=nq&limit=5")[1]
    status, refused, _ = service.call("/api/collections/blog/export?format=pdf")
    assert status == 422 and "choose one of jsonl, csv" in refused["error"]


def csv_rows(body: bytes) -> int:
    import csv

    return sum(1 for _ in csv.reader(io.StringIO(body.decode(), newline=""))) - 1


def parquet_rows(body: bytes) -> int:
    import pyarrow.parquet

    return int(pyarrow.parquet.read_table(io.BytesIO(body)).num_rows)


def test_sparql_by_the_protocol(service):
    path, query = "/api/collections/blog/sparql", "SELECT ?p ?t { ?p a sioc:Post ; dcterms:title ?t } LIMIT 2"
    status, found, headers = service.call(f"{path}?{urlencode({'query': query})}", token=None)
    assert status == 200 and headers["content-type"].startswith("application/sparql-results+json")
    assert found["head"]["vars"] == ["p", "t"] and len(found["results"]["bindings"]) == 2
    assert found["captures"][0]["file"].endswith(".warc.gz")
    by_form = service.call(path, "POST", urlencode({"query": query}), Content_Type="application/x-www-form-urlencoded")
    by_body = service.call(path, "POST", query, Content_Type="application/sparql-query")
    assert by_form[1] == by_body[1] == found
    assert service.call(f"{path}?{urlencode({'query': query})}", Accept="text/csv")[1].startswith(b"p,t\r\n")
    xml = service.call(f"{path}?{urlencode({'query': 'ASK { ?s ?p ?o }'})}", Accept="application/sparql-results+xml")
    assert b"<boolean>true</boolean>" in xml[1]
    for wrong in ("DROP ALL", "LOAD <http://e.org/>", "SELECT * { SERVICE <http://e.org/> { ?s ?p ?o } }", "SELECT ("):
        status, found, _ = service.call(f"{path}?{urlencode({'query': wrong})}")
        assert status == 400 and found["error"]
    assert service.call(path, "POST", "update=DROP+ALL", Content_Type="application/x-www-form-urlencoded")[0] == 400
    assert service.call(path, "POST", "x", Content_Type="text/plain")[0] == 415


def test_sparql_answers_in_the_form_that_is_asked_for(service):
    path = "/api/collections/blog/sparql?" + urlencode({"query": "SELECT ?t { ?p dcterms:title ?t } LIMIT 1"})
    graph = "/api/collections/blog/sparql?" + urlencode({"query": "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o } LIMIT 1"})
    kinds = {
        "": "application/sparql-results+json",
        "*/*": "application/sparql-results+json",
        "application/sparql-results+xml": "application/sparql-results+xml",
        "text/csv": "text/csv",
        "application/json, text/csv;q=0.5": "application/sparql-results+json",
        "text/csv;q=0.2, application/sparql-results+xml": "application/sparql-results+xml",
        "text/html, */*;q=0.1": "application/sparql-results+json",
    }
    for accept, kind in kinds.items():
        status, _, headers = service.call(path, **({"Accept": accept} if accept else {}))
        assert status == 200 and headers["content-type"].startswith(kind), accept
    assert service.call(graph, Accept="text/csv")[2]["content-type"].startswith("text/turtle")


def test_a_query_costs_no_more_than_it_may(service, monkeypatch):
    path = "/api/collections/blog/sparql?"
    many = "SELECT ?a ?b { ?a ?p ?o . ?b ?q ?r }"
    status, found, headers = service.call(path + urlencode({"query": many}))
    assert status == 200 and headers["x-siteseer-truncated"] == "true"
    assert len(found["results"]["bindings"]) == LIMITS.rows
    monkeypatch.setattr(Collection.query, "__defaults__", (replace(LIMITS, seconds=1.0),))
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?p ?o . ?b ?q ?r . ?c ?s ?t . ?d ?u ?v }"
    began = time.monotonic()
    status, found, _ = service.call(path + urlencode({"query": endless}))
    assert status == 400 and "1" in found["error"] and time.monotonic() - began < 20
    monkeypatch.undo()
    assert service.call(path + urlencode({"query": "ASK {}"}))[0] == 200


def test_events_tell_of_a_crawl_from_its_beginning_to_its_end(service, site):
    body = {"name": "told", "seeds": [site], "strategy": "blind", "delay": 0.02, "assets": "none", "limit": 30}
    assert service.call("/api/crawls", "POST", body)[0] == 201
    connection = HTTPConnection("127.0.0.1", service.port, timeout=60)
    connection.request("GET", "/api/crawls/told/events")
    answer = connection.getresponse()
    assert answer.getheader("content-type").startswith("text/event-stream")
    events = [one.split("\n") for one in answer.read().decode().strip().split("\n\n")]
    assert all(one[0].startswith("event: ") and one[1].startswith("data: ") for one in events)
    told = [json.loads(one[1][6:]) for one in events]
    assert [one[0][7:] for one in events] == [one["phase"] for one in told]
    requests = [one.get("requests", 0) for one in told]
    assert requests == sorted(requests) and requests[-1] == 30 and len(set(requests)) > 1
    assert service.call("/api/crawls/none/events")[0] == 404


def test_a_stopped_crawl_is_resumed_with_other_limits(service, site):
    body = {"name": "again", "seeds": [site], "strategy": "blind", "delay": 0.05, "concurrency": 1, "assets": "none"}
    service.call("/api/crawls", "POST", body)
    until(lambda: service.call("/api/crawls/again")[1].get("requests", 0) > 3)
    assert service.call("/api/crawls/again/stop", "POST")[1]["phase"] == "stopping"
    stopped = until(lambda: (now := service.call("/api/crawls/again")[1])["phase"] == "stopped" and now)
    waiting = service.call("/api/collections/again/queue?limit=1")[1]
    assert sum(one["waiting"] for one in waiting) == service.call("/api/collections/again")[1]["waiting"] > 0
    limits = {"limit": stopped["requests"] + 4, "delay": 0.0}
    assert service.call("/api/crawls/again/resume", "POST", limits)[0] == 200
    done = until(lambda: (now := service.call("/api/crawls/again")[1])["phase"] == "stopped" and now)
    assert done["requests"] == stopped["requests"] + 4 and done["summary"]["stopped_by"] == "limit"
    assert service.call("/api/crawls/again", "PATCH", {"limit": -1})[0] == 422
    assert service.call("/api/crawls/again", "PATCH", {"seeds": ["http://e.org/"]})[0] == 422
    metrics = service.call("/metrics", token=None)[1].decode()
    assert f'siteseer_crawl_requests_total{{collection="again"}} {done["requests"]}\n' in metrics
    names = re.findall(r"^# TYPE (\S+) (counter|gauge)$", metrics, re.MULTILINE)
    assert len(names) > 5 and all(f"# HELP {name} " in metrics for name, _ in names)


def test_a_crawl_is_started_watched_and_stopped(service, site):
    body = {"name": "new", "seeds": [site], "strategy": "blind", "delay": 0.05, "concurrency": 1, "assets": "none"}
    status, begun, _ = service.call("/api/crawls", "POST", body)
    assert status == 201 and begun["phase"] in ("waiting", "running")
    until(lambda: service.call("/api/crawls/new")[1].get("requests", 0) > 3)
    assert service.call("/api/crawls", "POST", body)[0] == 409
    assert service.call("/api/crawls/new/pause", "POST")[1]["phase"] == "paused"
    changed = service.call("/api/crawls/new", "PATCH", {"limit": 12, "delay": 0.0})[1]
    assert changed["limit"] == 12
    assert service.call("/api/crawls/new/preview?expression=*")[0] == 200
    assert service.call("/api/crawls/new/exclude", "POST", {"expression": "re:("})[0] == 422
    metrics = service.call("/metrics", token=None)[1].decode()
    assert 'siteseer_crawl_requests_total{collection="new"}' in metrics and 'phase="paused"} 1' in metrics
    service.call("/api/crawls/new/resume", "POST")
    connection = HTTPConnection("127.0.0.1", service.port, timeout=30)
    connection.request("GET", "/api/crawls/new/events")
    answer = connection.getresponse()
    told = [json.loads(line[6:]) for line in answer.read().decode().splitlines() if line.startswith("data: ")]
    assert answer.getheader("content-type").startswith("text/event-stream")
    assert told[-1]["phase"] == "stopped" and told[-1]["summary"]["requests"] == 12
    assert service.call("/api/crawls/new/stop", "POST")[0] == 409
    assert service.call("/api/crawls", "POST", {**body, "name": "../out"})[0] == 422
    assert service.call("/api/crawls", "POST", {**body, "name": "secret", "allow_private": True})[0] == 422
    assert service.call("/api/crawls", "POST", {**body, "name": "file", "cookies": "/etc/passwd"})[0] == 422


def test_comparing_is_a_task(service):
    status, task, _ = service.call("/api/compare", "POST", {"collections": ["everything", "blog"]})
    assert status == 202
    done = until(lambda: (found := service.call(f"/api/tasks/{task['id']}")[1])["phase"] != "running" and found)
    assert done["phase"] == "finished", done
    assert done["result"]["reference"] == "everything"
    assert done["result"]["strategies"]["everything"]["coverage"] == 1.0
    assert service.call("/api/compare", "POST", {"collections": ["everything", "nothing"]})[0] == 404


def test_another_crawler_asks_what_to_do(service, site):
    from urllib.request import urlopen

    status, begun, _ = service.call("/api/sessions", "POST", {"seeds": [site], "strategy": "learned"})
    assert status == 201
    waiting = [one["url"] for one in begun["actions"] if one["action"] == "follow"]
    objects, asked = [], 0
    while waiting and asked < 12:
        url = waiting.pop(0)
        with urlopen(url) as answer:
            page = {
                "url": url,
                "status": answer.status,
                "headers": dict(answer.headers),
                "body": answer.read().decode(),
            }
        asked += 1
        status, told, _ = service.call("/api/decide", "POST", {"session": begun["session"], **page})
        assert status == 200
        objects += told["objects"]
        waiting += [one["url"] for one in told["actions"] if one["action"] == "follow"]
        assert all(one["because"] for one in told["actions"])
        if not waiting:
            more = service.call(f"/api/sessions/{begun['session']}/refill", "POST")[1]
            waiting += [one["url"] for one in more["actions"] if one["action"] == "follow"]
    assert asked == 12
    assert service.call(f"/api/sessions/{begun['session']}", "DELETE")[0] == 204
    assert service.call("/api/decide", "POST", {"session": begun["session"], **page})[0] == 404


def test_one_page_is_decided_by_itself(service):
    body = (Path(__file__).parents[2] / "knowledge" / "pages").glob("phpbb/*thread*.html")
    page = {"url": "http://forum.example/viewtopic.php?t=1", "body": next(body).read_text(encoding="utf-8")}
    found = service.call("/api/decide", "POST", {**page, "headers": {"Content-Type": "text/html"}})[1]
    assert found["objects"] and {one["kind"] for one in found["objects"]} >= {"post"}
    html = {"html": page["body"], "url": page["url"]}
    assert service.call("/api/detect", "POST", html)[1]["application"] == "phpbb"


def test_the_knowledge_base_is_shown_and_checked(service):
    names = [one["application"] for one in service.call("/api/knowledge")[1]]
    assert {"phpbb", "wordpress"} <= set(names)
    xml = service.call("/api/knowledge/phpbb")[1]
    assert service.call("/api/knowledge/check", "POST", xml, Content_Type="application/xml")[0] == 200
    wrong = xml.replace(b"<level ", b"<lvl ", 1)
    assert service.call("/api/knowledge/check", "POST", wrong, Content_Type="application/xml")[1][0]["line"] > 0
    assert b"--reject-regex" in service.call("/api/knowledge/phpbb?format=wget")[1]
    assert service.call("/api/knowledge/nothing")[0] == 404


# ── whom it refuses ───────────────────────────────────────────────────────────────────────────────────────────────


def operations(app: Any) -> list[tuple[str, str]]:
    paths = app.openapi()["paths"]
    return [(method, path) for path, methods in paths.items() for method in methods]


def test_nothing_that_fetches_or_changes_answers_without_the_token(service):
    changing = [(m, p) for m, p in operations(service.app) if m in CHANGING and p not in ONLY_READS]
    assert len(changing) >= 12
    for method, path in changing:
        filled = re.sub(r"\{(\w+)\}", "blog", path)
        for token in (None, "wrong", TOKEN + "x"):
            assert service.call(filled, method.upper(), {}, token=token)[0] == 401, (method, path)


def test_other_hosts_and_origins_are_refused(service):
    assert service.call("/api/collections", Host="evil.example")[0] == 421
    assert service.call("/api/collections", Host=f"evil.example:{service.port}")[0] == 421
    assert service.call("/api/collections", Host="127.0.0.1.evil.example")[0] == 421
    assert service.call("/api/crawls", "POST", {}, Origin="http://evil.example")[0] == 403
    assert service.call("/api/collections", Origin="null")[0] == 403
    assert service.call("/api/collections", Sec_Fetch_Site="cross-site")[0] == 403
    assert service.call("/api/collections", Origin=f"http://127.0.0.1:{service.port}")[0] == 200
    assert "access-control-allow-origin" not in service.call("/api/collections")[2]


def test_paths_do_not_lead_outside(service, root):
    (root.parent / "outside").mkdir(exist_ok=True)
    for name in ("..", "%2e%2e", "..%2foutside", "..%5coutside", "%00", "blog%2f..%2fblog", "/etc", "."):
        for rest in ("", "/objects", "/page?url=x"):
            assert service.call(f"/api/collections/{name}{rest}")[0] in (404, 405), name


def test_giant_bodies_are_refused(service):
    huge = b"x" * (2**20 + 1)
    assert service.call("/api/crawls", "POST", huge, Content_Type="application/json")[0] == 413

    def endless() -> Iterator[bytes]:
        for _ in range(3_000):
            yield b"y" * 1024

    assert service.call("/api/crawls", "POST", endless(), Content_Type="application/json")[0] == 413


def test_archived_bytes_are_never_shown_here(service, site):
    url = service.call("/api/collections/blog/decisions?status=done&limit=5")[1]["urls"][-1]["url"]
    status, _, headers = service.call(f"/api/collections/blog/capture?url={quote(url, safe='')}")
    assert status == 200 and headers["content-type"] == "application/octet-stream"
    assert headers["x-content-type-options"] == "nosniff" and "sandbox" in headers["content-security-policy"]
    assert service.call(f"/api/collections/blog/page?url={quote(url, safe='')}")[1]["text"]
