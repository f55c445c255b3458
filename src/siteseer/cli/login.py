"""`siteseer login`: records a login by hand, for crawls with `--profile`."""

from __future__ import annotations

import select
import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("login")(login)


def login(
    url: Annotated[str, typer.Argument(help="The page on which you log in.")],
    profile: Annotated[str, typer.Option(help="The name under which the login is kept.")],
    file: Annotated[
        Path | None, typer.Option("--from", help="A storage state of Playwright, or cookies.txt, recorded elsewhere.")
    ] = None,
) -> None:
    """Log in by hand in a browser window, and keep the login for crawls with --profile NAME."""
    from siteseer.cli.terminal import print_message
    from siteseer.fetch.browser.playwright_library import require_browser
    from siteseer.fetch.browser.record_login import WHO, record_login
    from siteseer.fetch.login_profiles import profile_path, read_state, save_profile

    profile_path(profile)
    if file is not None:
        state = read_state(file)
    else:
        require_browser(WHO)
        print_message("log in in the window that opens; then close it, or press Enter here")
        state = record_login(url if "://" in url else f"https://{url}", _was_enter_pressed)
    path = save_profile(profile, state)
    kept = len(state["cookies"]), sum(len(origin["localStorage"]) for origin in state["origins"])
    print_message(f"{kept[0]} cookies and {kept[1]} stored values are in {path}, which only you can read")
    print_message(f"use them with: siteseer crawl URL --profile {profile} -o DIR")


def _was_enter_pressed() -> bool:
    if not sys.stdin.isatty():
        return False
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return bool(ready and sys.stdin.readline())
