"""What a new user sees: a core install crawls every demo site with plain defaults, and says what it could not get."""

from __future__ import annotations

import json
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.cli.demo_run import content_share
from siteseer.demo import KINDS, Server, make_site
from siteseer.model import JSON
from tests.fresh.core_install import ROOT, CoreInstall
from tests.web.chromium import required

LINKED = ("blog", "forum", "wiki", "trap", "hostile")
"""Sites whose content is reached by links."""
BEHIND_FORMS = ("shop", "films", "places", "scholar", "estate")
"""Sites whose records are reached by their search forms (`form probe`): links lead to their first pages."""
SCRIPTED = "scripted"


def crawled(core: CoreInstall, url: str, folder: Path, *options: str, **environment: str) -> tuple[int, JSON, str]:
    """Crawl with plain defaults but the pause; return exit code, summary and what was said."""
    done = core.run("crawl", url, "-o", folder, "--delay", 0, "--json", *options, **environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr


def test_the_environment_holds_the_core_only(core: CoreInstall) -> None:
    assert core.importable() == []
    assert core.run("--version").stdout.strip()


def test_every_kind_of_demo_site_is_crawled() -> None:
    assert {*LINKED, *BEHIND_FORMS, SCRIPTED} == set(KINDS)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.large] if kind == "hostile" else []) for kind in LINKED]
)
def test_a_site_is_archived_whole(kind: str, core: CoreInstall, tmp_path: Path, serve: Callable[..., Server]) -> None:
    site = make_site(kind)
    code, summary, _ = crawled(core, serve(site).url, tmp_path / "c")
    assert (code, summary["finished"]) == (0, True)
    assert not [problem for problem in summary["problems"] if "browser" in problem["reason"]]
    assert summary["pages"] > 0
    assert content_share(tmp_path / "c", site.truth) >= 0.98


@pytest.mark.parametrize("kind", BEHIND_FORMS)
def test_what_links_reach_of_a_site_behind_a_form(
    kind: str, core: CoreInstall, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    code, summary, _ = crawled(core, serve(kind, size=12).url, tmp_path / "c")
    assert (code, summary["finished"]) == (0, True)
    assert summary["pages"] > 0


def test_a_client_rendered_site_without_a_browser(
    core: CoreInstall, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    code, summary, said = crawled(core, serve(SCRIPTED, size=3).url, tmp_path / "c")
    assert (code, summary["finished"], summary["pages"]) == (9, False, 1)
    (problem,) = summary["problems"]
    assert (problem["reason"], problem["count"]) == ("browser-missing", 1)
    assert "playwright" in problem["next"]
    assert "pip install 'siteseer[browser]'" in problem["next"]
    assert problem["sentence"] in said
    assert said.count("pip install") == 1, "once is enough"


def test_the_sentence_names_chromium_where_that_is_missing(
    core: CoreInstall, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    launcher = fake_launcher(tmp_path)
    missing = {"SITESEER_CHROMIUM": "no-such-program", "SITESEER_LAUNCHER": str(launcher)}
    code, summary, _ = crawled(core, serve(SCRIPTED, size=3).url, tmp_path / "c", **missing)
    assert code == 9
    assert "chromium" in summary["problems"][0]["next"]
    assert "pip install 'siteseer[browser]'" in summary["problems"][0]["next"]
    assert not (tmp_path / ".ci" / "installed").exists(), "the extra alone would not help"


def test_the_launcher_adds_the_extra_and_goes_on(
    core: CoreInstall, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    required()
    site = make_site(SCRIPTED, size=2)
    server = serve(site)
    launcher = fake_launcher(tmp_path)
    code, summary, said = crawled(core, server.url, tmp_path / "c", "--overwrite", SITESEER_LAUNCHER=str(launcher))
    assert (tmp_path / ".ci" / "installed").read_text() == "browser\n"
    assert "adding the extra 'browser'" in said
    assert (code, summary["problems"]) == (0, [])
    assert content_share(tmp_path / "c", site.truth) >= 0.99
    assert [entry.path for entry in server.log].count("/") == 1, "what is archived is not fetched again"


def test_no_extra_is_added_for_pages_with_their_content(
    core: CoreInstall, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    launcher = fake_launcher(tmp_path)
    code, _, _ = crawled(core, serve("blog", size=4).url, tmp_path / "c", SITESEER_LAUNCHER=str(launcher))
    assert code == 0
    assert not (tmp_path / ".ci" / "installed").exists()


def fake_launcher(folder: Path) -> Path:
    """Make a launcher: what it installs is the environment of the tests."""
    scripts = {
        folder / ".ci" / "environment": 'echo "$1" >> "$(dirname "$0")/installed"',
        folder / "siteseer": f'exec {sys.executable} -m siteseer "$@"',
    }
    for path, line in scripts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return folder / "siteseer"


def test_a_client_rendered_site_with_a_browser(tmp_path: Path, serve: Callable[..., Server]) -> None:
    required()
    site = make_site(SCRIPTED, size=4)
    command = [sys.executable, "-m", "siteseer", "crawl", serve(site).url, "-o", str(tmp_path / "c"), "--delay", "0"]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=500)
    summary = json.loads(done.stdout)
    assert (done.returncode, summary["finished"], summary["problems"]) == (0, True, [])
    assert content_share(tmp_path / "c", site.truth) >= 0.99


def readme_commands() -> list[list[str]]:
    """Return the commands of the README that begin with the launcher."""
    lines = re.findall(r"^\./siteseer (.+)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


def test_the_commands_of_the_readme(
    core: CoreInstall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Callable[..., Server]
) -> None:
    commands = readme_commands()
    assert [words[0] for words in commands] == ["demo", "crawl", "objects", "query", "export", "verify", "repair"]
    monkeypatch.chdir(tmp_path)
    url = serve("forum", size=6).url + "/"
    for words in commands:
        given = [url if word == "https://forum.example.org/" else word for word in words]
        done = core.run(*given, *(["--delay", 0] if words[0] == "crawl" else []))
        assert done.returncode == 0, (words, done.stderr)
        assert "Traceback" not in done.stderr
    assert (tmp_path / "forum.wacz").is_file()
