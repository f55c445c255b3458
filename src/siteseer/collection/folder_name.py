"""Returns the name of the folder in which a site's collection lies."""

from __future__ import annotations

import re

from siteseer.page.text_hash import hash_of


def folder_name(host: str) -> str:
    """Return the name of the directory that a site's collection gets.

    >>> folder_name("site7.localhost:8000"), folder_name("..").startswith("site-")
    ('site7.localhost_8000', True)
    """
    name = re.sub(r"[^a-z0-9.-]", "_", host.lower())
    return name if name[:1].isalnum() and len(name) <= 100 else f"site-{hash_of(host):x}"
