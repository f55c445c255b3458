"""`siteseer crawl --strategy example` and `siteseer form`, as a person types them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def siteseer(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "siteseer", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_more_pages_like_this_one_behind_forms_then_with_values(serve: Callable, tmp_path: Path) -> None:
    server = serve("shop", seed=4, size=60)
    truth, folder = server.site.truth, tmp_path / "books"
    sample = server.url + sorted(truth.content_paths)[5]
    usual = ("-o", folder, "--strategy", "example", "--delay", "0", "--assets", "none")
    done = siteseer("crawl", server.url, *usual, "--example", sample)
    assert done.returncode == 0, done.stderr
    assert f"{len(truth.content_paths)} pages like the sample" in done.stdout
    assert f"POST {server.url}/antiquarian/results?token=" in done.stdout and "category=*" in done.stdout
    before = len(server.log)
    again = siteseer("crawl", server.url, *usual, "--recrawl", "--set", "category=travel", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["finished"]
    asked = [entry for entry in server.log[before:] if entry.path.startswith("/search?") or entry.method == "POST"]
    assert asked and all("category=travel" in entry.path + entry.body.decode() for entry in asked)
    travel = {text.page for text in truth.texts if "Travel" in text.tags}
    assert travel <= {entry.path for entry in server.log[before:]}
    assert not server.violations


def test_forms_of_a_page_and_of_one_without_any(serve: Callable) -> None:
    server = serve("shop", seed=4, size=20)
    found = siteseer("form", server.url + "/", "--json")
    first, second = map(json.loads, found.stdout.splitlines())
    assert (first["type"], first["method"], first["submitted"]) == ("search", "GET", True)
    assert [field["name"] for field in first["fields"]][:3] == ["title", "author", "category"]
    assert (second["type"], second["submitted"]) == ("mailing", False)
    nothing = siteseer("form", server.url + "/nowhere")
    assert nothing.returncode == 0 and "there is no form in the answer 404" in nothing.stderr
    assert {entry.method for entry in server.log} == {"GET"} and not server.violations
