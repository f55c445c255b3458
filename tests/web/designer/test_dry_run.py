"""A wrapper replayed before eyes goes where its job will go, and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.web.designer.dry_run import DryRun
from tests.web.chromium import required


def answer(request: SiteRequest) -> SiteResponse:
    if request.path == "/robots.txt":
        return SiteResponse(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /closed\n")
    following = {"/": "<a href=/2>next</a>", "/2": "<a href=/closed>next</a>"}.get(request.path, "")
    return html(f"<li>{request.path}</li>{following}")


def test_what_robots_txt_closes_is_not_replayed(serve: Callable[..., Server]) -> None:
    required()
    server = serve(Site(Truth("list", 0, "", (), frozenset(), frozenset(), 0), answer))
    dry_run = DryRun(f"doc('{server.url}/')/(//a/{{nextclick /}})*//li:<row=string(.)>", delay=0)
    first = asyncio.run(dry_run.page())
    assert ([one.value for one in first.records], first.pages, first.error) == (["/"], 1, "")
    shown = asyncio.run(dry_run.rest())
    assert shown.is_over and [one.value for one in shown.records] == ["/", "/2"]
    assert "/closed: robots.txt" in shown.error and not any(one.path == "/closed" for one in server.log)


def test_a_replay_that_nobody_begins_opens_no_browser() -> None:
    dry_run = DryRun("doc('http://127.0.0.1:9/')//li:<row>")
    dry_run.close()
    assert dry_run.shown.is_over and not dry_run.shown.error
