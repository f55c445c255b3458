"""Recorded logins: kept from others, lent only where they belong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from yarl import URL

from siteseer.errors import ConfigurationError, NotFoundError, UsageError
from siteseer.fetch.browser.record_login import NO_DISPLAY, record_login
from siteseer.fetch.cookies import SiteCookies
from siteseer.fetch.login_profiles import load_profile, profile_path, read_state, save_profile

STATE = {
    "cookies": [
        {"name": "sid", "value": "secret", "domain": "forum.example", "path": "/", "secure": False},
        {"name": "wide", "value": "secret2", "domain": ".example.org", "path": "/", "secure": False},
    ],
    "origins": [{"origin": "https://forum.example", "localStorage": [{"name": "token", "value": "abc"}]}],
}


@pytest.fixture(autouse=True)
def own_profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITESEER_PROFILES", str(tmp_path / "profiles"))


def test_only_the_owner_can_read_a_profile() -> None:
    path = save_profile("forum", STATE)
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_profile("forum")["origins"] == STATE["origins"]
    path.chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        load_profile("forum")


def test_a_profile_that_is_not_there() -> None:
    with pytest.raises(NotFoundError, match="siteseer login URL --profile nobody"):
        load_profile("nobody")


@pytest.mark.parametrize("name", ["../evil", "", "a/b", ".hidden", "x" * 80])
def test_names_stay_in_the_folder(name: str) -> None:
    with pytest.raises(UsageError):
        profile_path(name)


@pytest.mark.parametrize("text", ["{", '{"cookies": [{}]}', '{"cookies": 5}', "no cookies at all", '{"origins": [3]}'])
def test_other_files_are_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "state"
    file.write_text(text)
    with pytest.raises(ConfigurationError):
        read_state(file)


def test_cookies_txt_is_a_login_too(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text("# Netscape HTTP Cookie File\nforum.example\tFALSE\t/\tFALSE\t4000000000\tsid\tabc\n")
    assert [(one["name"], one["value"]) for one in read_state(file)["cookies"]] == [("sid", "abc")]


async def _lent() -> list[dict[str, str]]:
    jar = SiteCookies()
    jar.lend(json.loads(json.dumps(STATE))["cookies"])
    urls = ("http://forum.example/x", "http://sub.example.org/", "http://other.example/")
    return [{name: one.value for name, one in jar.filter_cookies(URL(url)).items()} for url in urls]


def test_cookies_go_only_where_they_belong() -> None:
    import asyncio

    assert asyncio.run(_lent()) == [{"sid": "secret"}, {"wide": "secret2"}, {}]


def test_without_a_display_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(UsageError, match="--from FILE"):
        record_login("http://127.0.0.1:1/", lambda: True)
    assert "--from" in NO_DISPLAY
