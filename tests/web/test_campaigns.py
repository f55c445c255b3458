"""Campaigns over the service: defined, checked, learned from, run and watched; nothing leads outside."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from siteseer.demo import Server, Site, SiteRequest, SiteResponse
from siteseer.demo.site import html
from siteseer.demo.truth import Truth
from siteseer.errors import NotFoundError, UsageError
from siteseer.web.api.app import make_app
from siteseer.web.service.campaign_library import CampaignLibrary, Marked
from siteseer.web.service.library import Library

TOKEN = "let-me-in"
TEXT = 'name = "Kelp"  # a weed\nseeds = ["http://e.org/"]\nkeywords = ["kelp"]\n'
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def topical(pages: int = 9) -> Site:
    """Two sites: pages on kelp, which say frond too, and others; each page links to the next two."""

    def answer(request: SiteRequest) -> SiteResponse:
        host, place = request.headers["host"], request.path.strip("/") or "0"
        if not place.isdigit() or int(place) >= pages:
            return html("<h1>No</h1>", 404)
        number = int(place)
        words = "kelp and a frond" if number % 2 == 0 else "tea and a pot"
        links = [f"/{other}" for other in (number + 1, number + 2)] + ["http://" + host.replace("a.", "b.") + "/"]
        items = "".join(f"<li><a href='{url}'>{words} {url[-2:]}</a></li>" for url in links)
        said = f"<p>Of {words}, {number} {host}.</p><p>Again {words} {number}.</p>"
        return html(f"<title>{words} {number}</title>{said}<ul>{items}</ul>")

    return Site(Truth("topical", 0, "modern", (), frozenset(), frozenset(), 2 * pages), answer)


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(topical()) as server:
        yield server


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = make_app(Library(tmp_path / "library"), TOKEN, hosts=["testserver"])
    with TestClient(app, headers=HEADERS) as made:
        yield made


def wait(client: TestClient, name: str, *phases: str) -> Any:
    """Wait for a phase: a machine may be slow, a broken campaign is slow for ever."""
    for _ in range(3_000):
        now = client.get(f"/api/campaigns/{name}").json()
        if now["phase"] in phases:
            return now
        threading.Event().wait(0.05)
    raise AssertionError(now)


def test_a_campaign_is_defined_checked_and_changed(client: TestClient) -> None:
    wrong = TEXT + "social = 3\n[budget]\nrequests = 0\n"
    assert client.post("/api/campaigns", json={"name": "kelp", "definition": wrong}).status_code == 422
    found = client.post("/api/campaigns/check", json={"definition": wrong}).json()["complaints"]
    assert [(one["table"], one["key"]) for one in found] == [("", "social"), ("budget", "requests")]
    assert client.post("/api/campaigns/check", json={"definition": TEXT}).json() == {"complaints": []}
    made = client.post("/api/campaigns", json={"name": "kelp", "definition": TEXT})
    assert (made.status_code, made.json()["phase"]) == (201, "new")
    changed = client.patch("/api/campaigns/kelp/definition", json={"values": {"budget": {"requests": 9}}}).json()
    assert changed["definition"] == TEXT + "\n[budget]\nrequests = 9\n" and changed["values"]["budget"]["requests"] == 9
    refused = client.patch("/api/campaigns/kelp/definition", json={"values": {"social": 3}})
    assert refused.status_code == 422 and "from 0 to 1" in refused.json()["error"]
    assert client.get("/api/campaigns/kelp/definition").json()["definition"] == changed["definition"]
    assert client.put("/api/campaigns/kelp/definition", json={"definition": TEXT}).status_code == 200
    assert [one["name"] for one in client.get("/api/campaigns").json()] == ["kelp"]
    for part in ("sites", "workers", "terms"):
        assert client.get(f"/api/campaigns/kelp/{part}").json() == []


def test_what_changes_or_fetches_needs_the_token(client: TestClient) -> None:
    client.post("/api/campaigns", json={"name": "kelp", "definition": TEXT})
    for method, path in (("put", "definition"), ("patch", "definition"), ("post", "run"), ("post", "learn")):
        answer = getattr(client, method)(f"/api/campaigns/kelp/{path}", json={}, headers={"Authorization": "Bearer no"})
        assert answer.status_code == 401


def test_a_reference_crawl_proposes_and_a_run_goes_on(client: TestClient, site: Server) -> None:
    seed = f"http://a.localhost:{site.port}/"
    text = TEXT.replace("http://e.org/", seed) + "[politeness]\ndelay = 0\n[budget]\nrequests = 14\n"
    client.post("/api/campaigns", json={"name": "kelp", "definition": text})
    assert client.post("/api/campaigns/kelp/learn", json={"limit": 12}).status_code == 202
    assert client.post("/api/campaigns/kelp/run").status_code == 422  # it runs already
    assert wait(client, "kelp", "learned", "failed")["phase"] == "learned"
    terms = {one["text"]: one for one in client.get("/api/campaigns/kelp/terms").json()}
    assert "frond" in terms
    words = [{"text": "frond", "mark": "accept", "weight": 0.35}]
    marked = client.patch("/api/campaigns/kelp/terms", json={"terms": words}).json()
    assert {one["mark"] for one in marked if one["text"] == "frond"} == {"accept"}
    assert client.patch("/api/campaigns/kelp/terms", json={"terms": [{"text": "no", "mark": "?"}]}).status_code == 422
    learned = client.get("/api/campaigns/kelp/definition").json()
    assert learned["values"]["learned"]["terms"] == {"frond": 0.35} and "# a weed" in learned["definition"]
    assert client.post("/api/campaigns/kelp/run").status_code == 202
    now = wait(client, "kelp", "stopped", "finished", "failed")
    assert (now["phase"], now["requests"], now["summary"]["stopped_by"]) == ("stopped", 14, "limit")
    sites = client.get("/api/campaigns/kelp/sites").json()
    assert sum(one["requests"] for one in sites) == 14 and all("promise" in one for one in sites)
    curve = client.get("/api/campaigns/kelp/curve").json()
    assert curve[-1][1] == now["relevant"] > 2
    first = next(one["host"] for one in sites if one["requests"])
    name = f"kelp~sites~{first.replace(':', '_')}"
    assert client.get(f"/api/collections/{name}").status_code == 200
    assert client.get("/api/collections").json() == []


def test_a_running_campaign_is_stopped_and_a_failure_is_told(tmp_path: Path) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def answer(request: SiteRequest) -> SiteResponse:
        asked.set()
        go_on.wait(60)
        return html("<title>kelp</title><p>kelp</p><a href='/a'>a</a>")

    campaigns = CampaignLibrary(Library(tmp_path))
    with Server(Site(Truth("slow", 0, "", (), frozenset(), frozenset(), 1), answer)) as server:
        campaigns.create("slow", TEXT.replace("http://e.org/", f"http://a.localhost:{server.port}/"))
        campaigns.run("slow")
        assert asked.wait(60)
        assert campaigns.state("slow")["phase"] == "running"
        assert CampaignLibrary(Library(tmp_path)).state("slow")["phase"] == "elsewhere"
        campaigns.stop("slow")
        go_on.set()
        campaigns.close()
        assert campaigns.state("slow")["phase"] == "stopped"
    campaigns.create("vague", TEXT.replace('keywords = ["kelp"]', 'examples = ["page.html"]'))
    campaigns.run("vague")
    campaigns._runs["vague"].wait(60)
    now = campaigns.state("vague")
    assert now["phase"] == "failed" and "only example pages" in now["error"]


def test_names_and_examples_lead_nowhere_else(tmp_path: Path) -> None:
    campaigns = CampaignLibrary(Library(tmp_path / "library"))
    for name in ("..", "a/b", "", "kelp~x", "."):
        with pytest.raises(UsageError):
            campaigns.create(name, TEXT)
        with pytest.raises(NotFoundError):
            campaigns.folder(name)
    campaigns.create("kelp", TEXT + 'examples = ["../../secret.html"]\n')
    with pytest.raises(UsageError, match="outside"):
        campaigns.learn("kelp")
    campaigns.revise("kelp", {"examples": None, "politeness": {"allow_private": True}})
    with pytest.raises(UsageError, match="private"):
        campaigns.run("kelp")
    campaigns.revise("kelp", {"politeness": {"allow_private": None}, "stores": {"archive": "/srv/archive"}})
    with pytest.raises(UsageError, match="command line only"):
        campaigns.run("kelp")
    with pytest.raises(UsageError, match="already"):
        campaigns.create("kelp", TEXT)
    with pytest.raises(UsageError, match="nobody proposed"):
        campaigns.mark("kelp", [Marked("x", "accept")])
