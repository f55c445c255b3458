"""A campaign whose sites show their pages by scripts: one browser for all of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.campaigns.engines.shared_browser import SharedBrowser
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from tests.web.chromium import required

SHOWN = "<title>Bay</title><div id=app></div><script>document.getElementById('app').innerHTML = %s</script>"


def answer(request: SiteRequest) -> SiteResponse:
    """Two sites; each page writes its text, and its links, with a script."""
    host, path = request.headers["host"], request.path
    if path not in ("/", "/two"):
        return html("<h1>No</h1>", 404)
    other = "http://" + host.replace("a.", "b.") + "/"
    said = f"<p>Kelp of {host}{path} and the kelp harvest.</p><a href='/two'>kelp two</a> <a href='{other}'>kelp</a>"
    return html(SHOWN % json.dumps(said))


@pytest.mark.large
@pytest.mark.parametrize(("browser", "pages"), [("auto", 4), ("never", 1)])
def test_pages_that_need_scripts_are_shown_where_the_definition_says_so(
    tmp_path: Path, serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch, browser: str, pages: int
) -> None:
    required()
    made: list[SharedBrowser] = []
    begin = SharedBrowser.__init__

    def count(self: SharedBrowser, *given: object) -> None:
        made.append(self)
        begin(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(SharedBrowser, "__init__", count)
    server = serve(Site(Truth("shown", 0, "", (), frozenset(), frozenset(), 4), answer))
    spec = tmp_path / "kelp.toml"
    spec.write_text(
        f'name = "Kelp"\nseeds = ["http://a.localhost:{server.port}/"]\nkeywords = ["kelp", "kelp harvest"]\n'
        f'browser = "{browser}"\n[politeness]\ndelay = 0\n'
    )
    summary = run_campaign(spec, tmp_path / "out")
    assert (summary["pages"], summary["relevant_pages"]) == (pages, pages if browser == "auto" else 0)
    assert len(made) == (browser == "auto")
