"""Stores recorded logins (cookies and storage of a browser) in files that nobody else can read.

A profile is the storage state of Playwright, as JSON. It is never logged and never archived.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from siteseer.errors import ConfigurationError, NotFoundError, UsageError
from siteseer.fetch.cookies import read_cookies
from siteseer.model import JSON

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MOST_BYTES = 20 * 2**20
HTTP_ONLY = "HTTPOnly"
"""What the standard library calls the attribute of cookies.txt that hides a cookie from scripts."""


def profile_path(name: str) -> Path:
    """Return where a profile lies.

    >>> profile_path("my-forum").name
    'my-forum.json'
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"--profile {name!r} is no name: use letters, digits, dots and hyphens")
    named = os.environ.get("SITESEER_PROFILES")
    folder = Path(named) if named else Path.home() / ".config" / "siteseer" / "profiles"
    return folder / f"{name}.json"


def save_profile(name: str, state: JSON) -> Path:
    """Write a profile that only its owner can read; an older one is replaced in one step."""
    path = profile_path(name)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"cookies": state["cookies"], "origins": state["origins"]}, file)
    draft.replace(path)
    return path


def load_profile(name: str) -> JSON:
    """Return a profile; raise where there is none, or where others can read it."""
    path = profile_path(name)
    if not path.is_file():
        raise NotFoundError(f"there is no profile {name!r}; record one with: siteseer login URL --profile {name}")
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise ConfigurationError(f"others can read {path}: keep it to yourself with chmod 600")
    return read_state(path)


def read_state(path: Path) -> JSON:
    """Read a file of cookies and storage: Playwright's storage state, or cookies.txt."""
    try:
        text = path.read_bytes()[:MOST_BYTES].decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is neither a storage state of a browser nor cookies.txt") from None
    if not text.lstrip().startswith("{"):
        return _from_jar(path)
    try:
        found = json.loads(text)
        cookies = [_cookie(one) for one in found.get("cookies", [])]
        origins = [{"origin": str(one["origin"]), "localStorage": _items(one)} for one in found.get("origins", [])]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigurationError(f"{path} is no storage state of a browser ({type(error).__name__})") from None
    return {"cookies": cookies, "origins": origins}


def _items(origin: JSON) -> list[JSON]:
    return [{"name": str(one["name"]), "value": str(one["value"])} for one in origin.get("localStorage", [])]


def _cookie(one: JSON) -> JSON:
    same = str(one.get("sameSite", "Lax")).capitalize()
    return {
        "name": str(one["name"]),
        "value": str(one["value"]),
        "domain": str(one["domain"]),
        "path": str(one.get("path") or "/"),
        "expires": float(one.get("expires", -1)),
        "httpOnly": bool(one.get("httpOnly")),
        "secure": bool(one.get("secure")),
        "sameSite": same if same in ("Lax", "Strict", "None") else "Lax",
    }


def _from_jar(path: Path) -> JSON:
    """Read cookies.txt."""
    cookies = [
        _cookie({
            "name": one.name, "value": one.value or "", "domain": one.domain, "path": one.path,
            "expires": one.expires or -1, "secure": one.secure, "httpOnly": one.has_nonstandard_attr(HTTP_ONLY),
        })
        for one in read_cookies(path)
    ]  # fmt: skip
    return {"cookies": cookies, "origins": []}
