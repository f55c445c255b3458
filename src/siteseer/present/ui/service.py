"""The service under the interface."""

from __future__ import annotations

from fastapi import FastAPI

from siteseer.present.api.app import make_app
from siteseer.present.service.crawls import Crawls
from siteseer.present.service.library import Library


def make_service(library: Library, crawls: Crawls, token: str, port: int) -> FastAPI:
    """Return the application under which the interface is mounted."""
    return make_app(library, token, crawls, [f"{name}:{port}" for name in ("127.0.0.1", "localhost")])
