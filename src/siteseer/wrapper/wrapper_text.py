"""Returns the text of a wrapper, given as text or as the name of a file."""

from __future__ import annotations

from pathlib import Path

from siteseer.errors import ConfigurationError, NotFoundError


def is_file(source: str) -> bool:
    """Say whether a wrapper is given as the name of a file."""
    try:
        return Path(source).is_file()
    except (OSError, ValueError):
        return False


def wrapper_text(source: str) -> str:
    """Return the text of a wrapper, given as text or as the name of a file."""
    if is_file(source):
        try:
            return Path(source).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{source} is no text in UTF-8") from error
    if source.endswith((".oxpath", ".txt")):
        raise NotFoundError(f"there is no file {source}")
    return source
