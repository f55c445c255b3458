"""Starts the web interface: the application behind its gate on one port, archived pages on another, until Ctrl-C."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from nicegui import app as toolkit
from nicegui import ui
from starlette.types import ASGIApp

from siteseer.errors import SiteseerError, UsageError
from siteseer.web.api.app import make_app
from siteseer.web.designer.browsers import Browsers
from siteseer.web.designer.frame import PageFrame
from siteseer.web.replay_server import Replay
from siteseer.web.service.crawl_library import CrawlLibrary
from siteseer.web.service.library import Library
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.archived_page_server import NAMES, ArchivedPageServer
from siteseer.web.ui.texts import texts
from siteseer.web.ui.try_expression import ExpressionTrial
from siteseer.web.ui.ui_auth import UiAuth, new_token
from siteseer.web.ui.views import (
    ask,
    campaigns,
    compare,
    designer,
    form,
    jobs,
    knowledge,
    live,
    new_crawl,
    read,
    result,
    skipped,
)
from siteseer.web.ui.widgets import headline, own_link, tag

VIEWS = (new_crawl, live, campaigns, result, read, ask, form, skipped, designer, jobs, compare, knowledge)
FAVICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#0f766e'/>"
    "<circle cx='14' cy='14' r='7' fill='none' stroke='#fff' stroke-width='3'/>"
    "<path d='M19 19l7 7' stroke='#fff' stroke-width='4' stroke-linecap='round'/></svg>"
)
RECONNECT_SECONDS = 20.0
"""How long the page of somebody whose line broke is kept for them."""

Ready = Callable[[str], None]


def serve(root: Path, port: int = 8080, ready: Ready = print) -> None:
    """Serve the collections below a folder on this machine; `ready` is called with the link to open, with its token."""
    root.mkdir(parents=True, exist_ok=True)
    own, archived = _bound(port), _bound(0)
    ports = own.getsockname()[1], archived.getsockname()[1]
    token = new_token()
    library, trial, replay = Library(root), ExpressionTrial(), Replay()
    crawls = CrawlLibrary(library)
    origin = ArchivedPageServer(library, trial, token, ports[1], ports[0])
    with tempfile.TemporaryDirectory(prefix="siteseer-ui-") as scratch:
        service = make_app(library, token, crawls, [f"{name}:{ports[0]}" for name in NAMES])
        browsers = Browsers()
        window = PageFrame(browsers, origin.secret, ports[1], ports[0])
        service_state = service.state.shelf
        app_context = AppContext(
            library,
            crawls,
            origin,
            replay,
            trial,
            service_state.jobs,
            service_state.campaigns,
            browsers,
            window,
            Path(scratch),
        )
        app = UiAuth(_application(service, app_context), token, ports[0], origin.frames())
        link = f"http://127.0.0.1:{ports[0]}/?token={token}"
        try:
            asyncio.run(_serve((app, own), (origin.app(window.routes()), archived), lambda: ready(link)))
        finally:
            browsers.close()
            replay.close()
            crawls.close()
            service.state.shelf.campaigns.close()


def _application(app: FastAPI, app_context: AppContext) -> ASGIApp:
    """Put the interface onto the service."""
    look = (files("siteseer.web.ui") / "look.css").read_text(encoding="utf-8")
    ui.add_head_html(f"<style>{look}</style>", shared=True)
    for view in VIEWS:
        view.register(app_context)
    toolkit.on_page_exception(_went_wrong)
    ui.run_with(
        app,
        title=texts.NAME,
        favicon=FAVICON,
        dark=None,
        language="en-GB",
        tailwind=False,
        binding_refresh_interval=None,
        reconnect_timeout=RECONNECT_SECONDS,
        show_welcome_message=False,
    )
    return app


def _went_wrong(error: Exception) -> None:
    """Show one sentence instead of a view that could not be made."""
    is_ours = isinstance(error, SiteseerError)
    with ui.element("div").classes("page-content"):
        headline(texts.WENT_WRONG)
        tag("p", str(error) if is_ours else texts.DEFECT.format(what=type(error).__name__), "note")
        own_link(texts.TO_START, "/")


async def _serve(interface: tuple[ASGIApp, Any], archived: tuple[ASGIApp, Any], ready: Callable[[], None]) -> None:
    first, second = _Server(_settings(interface[0]), ready), _Server(_settings(archived[0]), is_second=True)
    beside = asyncio.create_task(second.serve(sockets=[archived[1]]))
    try:
        await first.serve(sockets=[interface[1]])
    finally:
        second.should_exit = True
        await beside


def _settings(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=4 * 2**20,
        timeout_graceful_shutdown=2,
    )


class _Server(uvicorn.Server):
    """A server that tells when it is ready; the second one leaves Ctrl-C to the first."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None] = lambda: None, is_second: bool = False
    ) -> None:
        super().__init__(config)
        self._ready, self._is_second = ready, is_second

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets=sockets)
        if not self.should_exit:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Any:
        """Hear Ctrl-C, once."""
        if self._is_second:
            yield
            return
        with super().capture_signals():
            try:
                yield
            finally:
                self._captured_signals.clear()  # else the process ends here, before replay and crawls are ended


def _bound(port: int) -> socket.socket:
    # with the protocol named, answers in two parts are sent at once: else each waits 40 ms for the other side
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
    except OSError as error:
        made.close()
        raise UsageError(f"port {port} cannot be used: {error.strerror}; choose another with --port") from error
    return made
