"""The door of the interface without a browser: token, Host, Origin, websockets, the origin of archived pages."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from siteseer.demo import Server, make_site
from siteseer.web.service.library import Library
from siteseer.web.service.page_view import HERE
from siteseer.web.ui.archived_page_server import ArchivedPageServer
from siteseer.web.ui.try_expression import ExpressionTrial
from siteseer.web.ui.ui_auth import UiAuth, new_token
from tests.web.chromium import crawl_beside

TOKEN, PORT = "right-token", 8080
BASE = f"http://127.0.0.1:{PORT}"


async def hello(request):
    return PlainTextResponse("inside")


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("inside")
    await websocket.close()


@pytest.fixture
def client() -> TestClient:
    app = Starlette(routes=[Route("/", hello), Route("/{rest:path}", hello), WebSocketRoute("/ws", socket)])
    gate = UiAuth(app, TOKEN, PORT, ["http://localhost:9000"])
    return TestClient(gate, base_url=BASE, follow_redirects=False)


def test_without_the_token_nobody_gets_in(client):
    for path in ("/", "/c/x/read", "/_nicegui/x", "/?token=wrong", "/?token="):
        answer = client.get(path)
        assert answer.status_code == 401 and "inside" not in answer.text


def test_the_link_turns_into_a_cookie_that_scripts_cannot_read(client):
    answer = client.get(f"/live?token={TOKEN}&a=1")
    assert answer.status_code == 303 and answer.headers["location"] == "/live?a=1"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and TOKEN in cookie
    assert client.get("/").text == "inside"


def test_a_redirect_never_leaves_the_interface(client):
    answer = client.get(f"http://127.0.0.1:{PORT}//evil.example/?token={TOKEN}")
    assert answer.headers["location"] == "/evil.example/"


def let_in(client: TestClient) -> TestClient:
    client.get(f"/?token={TOKEN}")
    return client


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:9999", "localhost.evil.example:8080", ""])
def test_another_host_is_refused_even_with_the_cookie(client, host):
    cookie = {"cookie": f"siteseer-{PORT}={TOKEN}", "host": host}
    assert client.get("/", headers=cookie).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9000", "https://127.0.0.1:8080"])
def test_other_origins_are_refused_even_with_the_cookie(client, origin):
    assert let_in(client).post("/", headers={"origin": origin}).status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws", headers={"origin": origin}):
        pass


def test_a_request_that_another_site_makes_is_refused_and_a_link_from_there_is_not(client):
    let_in(client)
    assert client.get("/", headers={"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}).status_code == 403
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert client.get("/", headers=visit).text == "inside"


def test_websockets_need_the_cookie_and_our_origin(client):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws", headers={"host": f"127.0.0.1:{PORT}"}):
        pass
    ours = {"host": f"127.0.0.1:{PORT}", "origin": BASE, "cookie": f"siteseer-{PORT}={TOKEN}"}
    with client.websocket_connect("/ws", headers=ours) as open_socket:
        assert open_socket.receive_text() == "inside"


def test_every_answer_says_what_the_browser_may_load(client):
    for path in ("/", f"/?token={TOKEN}"):
        policy = client.get(path).headers["content-security-policy"]
        assert "frame-src http://localhost:9000" in policy and "frame-ancestors 'none'" in policy


def test_tokens_differ():
    assert len({new_token() for _ in range(50)}) == 50 and len(new_token()) >= 30


# ── the origin of archived pages ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def archived(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archived")
    with Server(make_site("blog", 2, size=3)) as server:
        crawl_beside(server.url, folder / "blog", strategy="auto", assets="all")
    library = Library(folder)
    origin = ArchivedPageServer(library, ExpressionTrial(), TOKEN, 9000, PORT)
    return library, origin, TestClient(origin.app(), base_url="http://localhost:9000")


def path_of(address: str) -> str:
    split = urlsplit(address)
    return f"{split.path}?{split.query}"


def test_an_object_opens_at_its_place_and_nothing_there_runs(archived):
    library, origin, client = archived
    things = library.open("blog").objects()
    assert len(things) > 5
    for thing in things:
        address = origin.address("blog", thing["url"], "127.0.0.1:8080", thing)
        assert address.startswith("http://localhost:9000/") and address.endswith(f"#{HERE}")
        answer = client.get(path_of(address))
        assert answer.status_code == 200 and answer.text.count(f'id="{HERE}"') == 1, thing
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("sandbox;") and "default-src 'none'" in policy and "script-src" not in policy
        assert "<script" not in answer.text and " onclick" not in answer.text


def test_links_and_pictures_lead_back_into_the_archive(archived):
    library, origin, client = archived
    url = library.open("blog").pages()[1][0]["url"]
    page = client.get(path_of(origin.address("blog", url))).text
    assert (
        f"http://127.0.0.1:9000/{origin.secret}/page?in=blog" in page
        or f"http://localhost:9000/{origin.secret}/page" in page
    )
    assert 'href="/' not in page


def test_the_report_on_adaptation_is_read_where_nothing_runs(archived):
    library, origin, client = archived
    address = path_of(origin.report_address("blog"))
    assert client.get(address).status_code == 404
    report = library.open("blog").path / "reports" / "adaptation.html"
    report.write_text("<p>old and new</p><script>alert(1)</script>", encoding="utf-8")
    answer = client.get(address)
    assert answer.status_code == 200 and "old and new" in answer.text
    assert answer.headers["content-security-policy"].startswith("sandbox;")


def test_the_secret_is_needed_and_is_not_the_token(archived):
    library, origin, client = archived
    url = library.open("blog").pages()[1][0]["url"]
    address = path_of(origin.address("blog", url))
    assert TOKEN not in address
    assert client.get(address).status_code == 200
    assert client.get(address.replace(origin.secret, "0" * 40)).status_code == 404
    assert client.get(address, headers={"host": "evil.example"}).status_code in (400, 404)


@pytest.mark.parametrize("name", ["../etc", "", "nothing", "blog/../../x", "%2e%2e"])
def test_only_collections_are_opened(archived, name):
    _, origin, client = archived
    assert client.get(path_of(origin.address(name, "http://e.org/"))).status_code == 404


def test_a_file_outside_the_archive_is_not_read(archived):
    _, origin, client = archived
    thing = {"id": "", "capture": {"file": "../../siteseer/state.db", "offset": 0}}
    answer = client.get(path_of(origin.address("blog", "http://e.org/", thing=thing)))
    assert answer.status_code == 404


def test_the_addresses_of_both_names_show_the_other_one(archived):
    _, origin, _ = archived
    assert origin.address("a", "http://e.org/", "localhost:8080").startswith("http://127.0.0.1:9000/")
    assert parse_qs(urlsplit(origin.address("a b", "http://e.org/?x=1&y=2")).query)["url"] == ["http://e.org/?x=1&y=2"]


def test_lifespan_is_handed_on():
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["type"])

    asyncio.run(UiAuth(app, TOKEN, PORT, [])({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]
