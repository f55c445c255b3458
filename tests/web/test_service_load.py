"""The service under load, briefly: `bench/service.py` does the same for minutes."""

from __future__ import annotations

import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from service import clients_beside_a_crawl, memory_over_requests

from tests.web.chromium import interface

WARM = 1.25
"""A service that has just started still loads what it needs first; a leak of 10 KB a request would show."""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    return folder


def test_memory_stays_where_it_is_over_many_requests(library: Path) -> None:
    errors, growth = memory_over_requests(library, 3_000)
    assert errors == 0 and growth < WARM


def test_many_clients_beside_a_crawl_are_all_answered(library: Path) -> None:
    errors, growth = clients_beside_a_crawl(library, 20, 10.0)
    assert errors == 0 and growth < WARM


def test_answers_on_an_open_connection_do_not_wait_for_the_other_side(library: Path) -> None:
    """Head and body leave as two packets: the second one waited 40 ms for the first to be acknowledged."""
    with interface(library) as running:
        connection = HTTPConnection("127.0.0.1", urlsplit(running.base).port or 0, timeout=20)
        taken = []
        for _ in range(40):
            began = time.monotonic()
            connection.request("GET", "/health")
            connection.getresponse().read()
            taken.append(time.monotonic() - began)
    assert sorted(taken)[len(taken) // 2] < 0.035
