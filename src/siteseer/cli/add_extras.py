"""Installs an extra that a command needs, or says which one is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from siteseer.cli.terminal import print_message
from siteseer.errors import MissingExtraError

LAUNCHER = "SITESEER_LAUNCHER"
"""Where the launcher says that it runs us: it may install what is missing."""
ADDED = "SITESEER_ADDED"
"""The extras that were just installed: asking twice for one would never end."""


def add_and_run_again(missing: MissingExtraError, arguments: list[str]) -> None:
    """Where the launcher runs us, install the extra and run the command again; return where that cannot be done."""
    launcher, added = os.environ.get(LAUNCHER), os.environ.get(ADDED, "").split()
    if not launcher or not missing.extra or missing.extra in added:
        return
    print_message(f"adding the extra {missing.extra!r}, which this command needs for the first time")
    environment = Path(launcher).parent / ".ci" / "environment"
    if subprocess.run([environment, missing.extra], check=False).returncode:
        return
    sys.stdout.flush()
    changed = {**os.environ, ADDED: " ".join([*added, missing.extra])}
    os.execve(launcher, [launcher, *arguments], changed)


def add_browser_and_run_again() -> None:
    """Where a crawl missed content for want of a browser, install the extra if that is all that is missing.

    The same command then goes on with these pages, so that what was just archived is not deleted by `--overwrite`.
    Return where Chromium itself is missing, or the launcher is.
    """
    from siteseer.fetch.browser.playwright_library import require_browser

    try:
        require_browser("these pages need")
    except MissingExtraError as error:
        add_and_run_again(error, [word for word in sys.argv[1:] if word != "--overwrite"])
