"""What tests of wrappers share: small sites of a few pages, served by real HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html


@pytest.fixture
def serve_pages(serve: Callable[..., Server]) -> Callable[[dict[str, Any]], Server]:
    """Serve these pages: path to HTML, to an answer, or to a function that answers."""

    def start(pages: dict[str, Any]) -> Server:
        def answer(request: SiteRequest) -> SiteResponse:
            found = pages.get(request.path)
            if found is None:
                return html("<h1>Not here</h1>", 404)
            if isinstance(found, str):
                return html(found)
            return found if isinstance(found, SiteResponse) else found(request)

        return serve(Site(Truth("small", 0, "", (), frozenset(), frozenset(), 0), answer))

    return start
