"""A site that changed its template and all its addresses between two crawls: the old ones lead nowhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, make_site

KNOWLEDGE = Path(__file__).with_name("demo")


class Changing:
    """A site that is served in one template, then in the other."""

    def __init__(self, one: Site, other: Site) -> None:
        self.current, self.other, self.truth = one, other, one.truth

    def respond(self, request: SiteRequest) -> SiteResponse:
        return self.current.respond(request)


def crawled(url: str, folder: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "siteseer", "crawl", url, "-o", str(folder), "--delay", "0", "--json"]
    done = subprocess.run([*command, "--strategy", "aware", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_lists_are_found_again_where_every_address_is_new(tmp_path: Path) -> None:
    known, new = "modern", "classic"
    one, other = (make_site("blog", seed=4, template=template, size=25) for template in (known, new))
    site, options = Changing(one, other), ("--knowledge", "none", "--knowledge", str(KNOWLEDGE / f"blog-{known}.xml"))
    with Server(site) as server:
        first = crawled(f"{server.url}/", tmp_path, *options)
        site.current = site.other
        again = crawled(f"{server.url}/", tmp_path, *options, "--recrawl")
    posts = sum(text.kind == "post" for text in other.truth.texts)
    assert first["adapted_actions"] == 0 and again["adapted_actions"] > 0
    assert again["objects"]["post"] == posts
    assert again["requests"] <= other.truth.oracle_requests + 20  # a few links of each kind are tried
