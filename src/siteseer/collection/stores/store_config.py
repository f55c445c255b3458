"""Configures where a collection keeps its bytes and statements besides its own directory (`siteseer/stores.json`).

The file holds addresses and the collection's own name, never keys or passwords: those come from the environment.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from urllib.parse import urlsplit

from siteseer.collection.layout import STORES
from siteseer.collection.whole_file import write_text
from siteseer.errors import ConfigurationError, UsageError

LARGEST_FILE = 100_000
_UPDATES = (("/query", "/update"),)
"""Where the common servers take updates, by how the address for queries ends (Oxigraph, Fuseki)."""
_REPOSITORY = "/repositories/"
"""RDF4J and GraphDB take updates at `statements` below the repository."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of one collection."""

    name: str = ""
    """What tells this collection from all others that share a store; made once."""
    archive: str = ""
    """The shelf of its files, as `archive.storage` reads it."""
    objects: str = ""
    """The SPARQL 1.1 endpoint of its statements; empty: the embedded store."""
    objects_update: str = ""
    """Where that endpoint takes updates."""

    @property
    def graph(self) -> str:
        """The named graph of the collection in a shared endpoint."""
        return f"urn:x-siteseer:collection:{self.name}"


def load_stores(collection: Path) -> Stores:
    """Return what was chosen for a collection; nothing is chosen where the file is missing."""
    path = _path(collection)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError("too long")
        found = json.loads(path.read_text(encoding="utf-8"))
        return Stores(**{one.name: _text(found.get(one.name, "")) for one in fields(Stores)})
    except (FileNotFoundError, NotADirectoryError):
        return Stores()
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise ConfigurationError(f"{path} cannot be read as JSON; delete it and choose the stores again") from error


def choose_stores(collection: Path, archive: str = "", objects: str = "", objects_update: str = "") -> Stores:
    """Choose stores for a collection; what is not given stays, `none` takes a store away.

    >>> import tempfile
    >>> chosen = choose_stores(Path(tempfile.mkdtemp()), objects="http://127.0.0.1:7878/query")
    >>> chosen.objects_update
    'http://127.0.0.1:7878/update'
    """
    before = load_stores(collection)
    if not (archive or objects or objects_update):
        return before
    made = replace(before, name=before.name or str(uuid.uuid4()))
    if archive:
        made = replace(made, archive="" if archive == "none" else archive)
    if objects:
        made = replace(made, objects="" if objects == "none" else checked_endpoint(objects), objects_update="")
    if made.objects:
        made = replace(made, objects_update=checked_endpoint(objects_update or made.objects_update or _update(made)))
    if made != before:
        write_text(_path(collection), json.dumps(asdict(made), indent=2) + "\n")
    return made


def checked_endpoint(url: str) -> str:
    """Return the address of an endpoint; complain about one that is none, or that holds a password."""
    try:
        parts = urlsplit(url)
        port_is_good = parts.port is None or parts.port > 0
    except ValueError:
        parts, port_is_good = urlsplit(""), False
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_good or not url.isprintable():
        raise UsageError(f"{url[:100]!r} is no SPARQL endpoint; write it as http://host:port/query")
    if "@" in parts.netloc:
        raise UsageError(f"{parts.hostname}: a password belongs in SITESEER_SPARQL_PASSWORD, not in an address")
    return url


def _update(stores: Stores) -> str:
    for end, update in _UPDATES:
        if stores.objects.endswith(end):
            return stores.objects.removesuffix(end) + update
    before, found, name = stores.objects.partition(_REPOSITORY)
    is_repository = bool(found) and "/" not in name.rstrip("/")
    return f"{before}{found}{name.rstrip('/')}/statements" if is_repository else stores.objects


def _path(collection: Path) -> Path:
    return collection / STORES


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value
