"""Serves the frame that shows a page of a live browser, on the origin of archived pages, under a strict policy.

No script of the page is in it, and none could run: only ours may, by a number that is used once, in a sandbox without
an origin. It tells our page what was clicked; it can reach nothing else.
"""

from __future__ import annotations

import json
import secrets
from functools import lru_cache
from importlib.resources import files
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from siteseer.errors import SiteseerError
from siteseer.web.designer.browsers import Browsers
from siteseer.web.designer.live_browser import View
from siteseer.web.designer.static_snapshot import snapshot_html
from siteseer.web.service.page_view import safe_css

OTHER = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}
"""The name of this machine under which the interface is shown, and the one of the frame."""
POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{nonce}'; img-src {own} data:; font-src {own} data:; "
    "style-src {own} 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors {home}"
)
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store"}


@lru_cache(maxsize=2)
def _text(name: str) -> str:
    return files("siteseer.web.designer").joinpath(name).read_text(encoding="utf-8")


class PageFrame:
    """Serves what live browsers show."""

    def __init__(self, browsers: Browsers, secret: str, port: int, interface_port: int) -> None:
        self.browsers, self.secret, self.port, self.interface_port = browsers, secret, port, interface_port

    def address(self, view: View, host: str) -> str:
        """Return where a view is shown to somebody who uses the interface under that host."""
        return self._at("snapshot", {"edition": str(view.edition)}, OTHER.get(host.partition(":")[0], "localhost"))

    def routes(self) -> list[Route]:
        """Return what answers on the origin of archived pages."""
        return [Route(f"/{self.secret}/{kind}", getattr(self, f"_{kind}")) for kind in ("snapshot", "asset")]

    def _at(self, kind: str, asked: dict[str, str], name: str) -> str:
        return f"http://{name}:{self.port}/{self.secret}/{kind}?{urlencode(asked, quote_via=quote)}"

    def _snapshot(self, request: Request) -> Response:
        view, name = self._asked(request)

        def address(url: str) -> str:
            return self._at("asset", {"edition": str(view.edition), "url": url}, name)

        nonce = secrets.token_urlsafe(18)
        home = f"http://{OTHER[name]}:{self.interface_port}"
        script = _text("overlay.js").replace("%EDITION%", str(view.edition)).replace("'%HOME%'", json.dumps(home))
        ours = f'<style>{_text("overlay.css")}</style><script nonce="{nonce}">{script}</script>'
        policy = POLICY.format(nonce=nonce, own=f"http://{name}:{self.port}", home=home)
        source = snapshot_html(view.snapshot, address, lambda url: _css(view, url), ours)
        return HTMLResponse(source, headers={**HEADERS, "content-security-policy": policy})

    def _asset(self, request: Request) -> Response:
        view, name = self._asked(request)
        url = request.query_params.get("url", "")
        found = view.assets.get(url)
        if found is None:
            raise SiteseerError("the page did not fetch this")
        kind, body = found
        if kind == "text/css":
            where = {"edition": str(view.edition)}
            style = safe_css(_css(view, url) or "", url, lambda _, one: self._at("asset", {**where, "url": one}, name))
            body = style.encode("utf-8", "replace")
        # a font is asked for by an origin, and a sandbox has none
        rules = {"content-security-policy": "default-src 'none'; sandbox", "access-control-allow-origin": "null"}
        return Response(body, media_type=kind, headers={**HEADERS, **rules})

    def _asked(self, request: Request) -> tuple[View, str]:
        name, _, port = request.headers.get("host", "").partition(":")
        if name not in OTHER or port != str(self.port):
            raise SiteseerError("another host was asked")
        edition = request.query_params.get("edition", "")
        return self.browsers.view(int(edition) if edition.isascii() and edition[:12].isdigit() else 0), name


def _css(view: View, url: str) -> str | None:
    found = view.assets.get(url)
    return found[1].decode("utf-8", "replace") if found and found[0] == "text/css" else None
