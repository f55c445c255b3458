"""Serves archived pages on an origin of their own: another port, another host name, no cookies, no scripts.

The interface runs at 127.0.0.1 and archived pages at localhost, or the other way round: two sites for a browser, so
that neither cookies nor storage are shared. A long secret in the address keeps others out; it opens archived pages
only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from urllib.parse import quote, urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from siteseer.errors import SiteseerError
from siteseer.model import JSON, Page
from siteseer.page.encoding import decode_name
from siteseer.page.tree import content_type, is_html, tree
from siteseer.page.whole_number import whole_number
from siteseer.verbs.opened_collection import Collection
from siteseer.web.service.campaign_library import campaign_folders
from siteseer.web.service.campaign_results import report_page
from siteseer.web.service.library import Library
from siteseer.web.service.page_view import HERE, Rewrite, page_view, safe_css
from siteseer.web.ui.texts import texts
from siteseer.web.ui.try_expression import ExpressionTrial

SHOWN_TYPES = ("image/", "font/", "audio/", "video/")
KINDS = ("page", "resource", "trial", "report", "campaign")
NAMES = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}
"""The host name of the interface, and the one under which archived pages are then shown."""


class ArchivedPageServer:
    """Where archived pages are shown, and what is answered there."""

    def __init__(self, library: Library, trial: ExpressionTrial, token: str, port: int, interface_port: int) -> None:
        self.library, self.trial, self.port = library, trial, port
        self.secret = hashlib.sha256(f"archived pages {token}".encode()).hexdigest()[:40]
        self.hosts = [f"{name}:{port}" for name in NAMES]
        own = " ".join(f"http://{host}" for host in self.hosts)
        interface = " ".join(f"http://{name}:{interface_port}" for name in NAMES)
        self.headers = {
            "content-security-policy": (
                f"sandbox; default-src 'none'; img-src {own} data:; style-src {own} 'unsafe-inline'; "
                f"font-src {own} data:; media-src {own}; base-uri 'none'; form-action 'none'; "
                f"frame-ancestors {interface}"
            ),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cache-control": "private, max-age=60",
        }

    def address(self, collection: str, url: str, host: str = "127.0.0.1", thing: JSON = None) -> str:
        """Return where a page is shown; with an object, opened where it stands, as it was captured."""
        asked = {"in": collection, "url": url}
        if thing:
            capture = thing.get("capture") or {}
            asked |= {"here": str(thing["id"]), "file": capture.get("file", ""), "offset": capture.get("offset", "")}
        return self._at("page", asked, host) + (f"#{HERE}" if thing else "")

    def trial_address(self, number: str, host: str = "127.0.0.1") -> str:
        """Return where the page of a trial is shown, its hits highlighted."""
        return self._at("trial", {"number": number}, host) + f"#{HERE}"

    def report_address(self, collection: str, host: str = "127.0.0.1") -> str:
        """Return where the report on failed and repaired actions is shown."""
        return self._at("report", {"in": collection}, host)

    def campaign_address(self, name: str, host: str = "127.0.0.1") -> str:
        """Return where the report on a campaign is shown."""
        return self._at("campaign", {"in": name}, host)

    def frames(self) -> list[str]:
        """Return the origins that the interface may put into frames."""
        return [f"http://{host}" for host in self.hosts]

    def app(self, more: Sequence[BaseRoute] = ()) -> Starlette:
        """Return what answers at this origin; `more` is answered there too."""
        routes = [*(Route(f"/{self.secret}/{kind}", getattr(self, f"_{kind}")) for kind in KINDS), *more]
        return Starlette(routes=routes, exception_handlers={SiteseerError: self._complain, 404: self._missing})

    def _at(self, kind: str, asked: dict[str, str], host: str) -> str:
        name = NAMES.get(host.partition(":")[0], "localhost")
        return f"http://{name}:{self.port}/{self.secret}/{kind}?{urlencode(asked, quote_via=quote)}"

    def _page(self, request: Request) -> Response:
        asked = request.query_params
        collection = self._collection(request)
        thing = collection.object(asked["here"]) if asked.get("here") else None
        page = self._captured(collection, request)
        if content_type(page).startswith(SHOWN_TYPES):
            return self._bytes(page)
        return self._html(page_view(page, self._rewrite(request), thing))

    def _resource(self, request: Request) -> Response:
        page = self._collection(request).page(request.query_params.get("url", ""))
        if content_type(page) == "text/css":
            source = page.body.decode(decode_name(page), "replace")
            style = safe_css(source, page.url, self._rewrite(request))
            return Response(style, media_type="text/css", headers=self.headers)
        if content_type(page).startswith(SHOWN_TYPES):
            return self._bytes(page)
        return self._missing(request, None)

    def _trial(self, request: Request) -> Response:
        page = self.trial.page(request.query_params.get("number", ""))
        return self._html(page_view(page, lambda kind, url: url if kind == "page" else ""))

    def _report(self, request: Request) -> Response:
        found = self._collection(request).adaptation_report()
        return self._missing(request, None) if found is None else self._html(found)

    def _campaign(self, request: Request) -> Response:
        self._check_host(request)
        folder = campaign_folders(self.library.root).get(request.query_params.get("in", ""))
        found = report_page(folder) if folder else None
        return self._missing(request, None) if found is None else self._html(found)

    def _captured(self, collection: Collection, request: Request) -> Page:
        """Return the very capture that the object names; its newest one where that holds no page of its own."""
        asked = request.query_params
        offset = whole_number(asked.get("offset", ""))
        if asked.get("file") and offset is not None:
            page = collection.page_at(asked["file"], offset)
            if page.body and (not is_html(page) or len(tree(page))):
                return page
        return collection.page(asked.get("url", ""))

    def _check_host(self, request: Request) -> None:
        if request.headers.get("host") not in self.hosts:
            raise SiteseerError(texts.WRONG_HOST)

    def _collection(self, request: Request) -> Collection:
        self._check_host(request)
        return self.library.open(request.query_params.get("in", ""))

    def _rewrite(self, request: Request) -> Rewrite:
        name, host = request.query_params.get("in", ""), request.headers.get("host", "").partition(":")[0]

        def rewrite(kind: str, url: str) -> str:
            return self._at(kind, {"in": name, "url": url}, NAMES.get(host, "127.0.0.1"))

        return rewrite

    def _bytes(self, page: Page) -> Response:
        return Response(page.body, media_type=content_type(page), headers=self.headers)

    def _html(self, source: str, status: int = 200) -> Response:
        return HTMLResponse(source, status, self.headers)

    def _complain(self, request: Request, error: Exception) -> Response:
        return self._missing(request, error)

    def _missing(self, request: Request, error: Exception | None) -> Response:
        return self._html(texts.REFUSED_PAGE.format(texts.NOT_ARCHIVED), 404)
