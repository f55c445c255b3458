"""Stores files elsewhere: one interface for a folder, S3-compatible storage and HDFS.

    /mnt/archive, file:///mnt/archive      a folder; nothing has to be installed
    s3://bucket/prefix                     Amazon S3 and what speaks like it (extra `cluster`)
    hdfs://host:port/path                  HDFS, through pyarrow and Hadoop's own client

Keys and passwords never stand in the address: S3 takes them from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or any
other way that Amazon's tools know), its address from AWS_ENDPOINT_URL or `s3://bucket/prefix?endpoint=https://host`.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from siteseer.archive.storage_places import PART, FolderStorage, RemoteStorage
from siteseer.errors import DiskFullError, MissingExtraError, NotFoundError, StoreError, UsageError
from siteseer.interfaces import StoragePlace
from siteseer.plugins import store_factory

LONGEST_NAME = 900
"""Bytes in a name: S3 allows 1024 together with the prefix."""
PIECE = 1 << 20
T = TypeVar("T")


class Storage:
    """A folder of files elsewhere, each under a name such as `site/archive/one.warc.gz`.

    >>> import tempfile
    >>> storage = Storage(tempfile.mkdtemp())
    >>> storage.write("states/one.json", b"{}")
    >>> storage.names("states/"), storage.read("states/one.json"), storage.exists("two")
    (['states/one.json'], b'{}', False)
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.place = _place(url)

    def put(self, local: Path, name: str) -> None:
        """Copy a local file to the storage; readers see the old file or the new one."""
        if not local.is_file():
            raise NotFoundError(f"there is no file {local}")
        self._ask(name, lambda: self.place.put(local, check_name(name)))

    def get(self, name: str, local: Path) -> None:
        """Copy a file of the storage to a local path, which is replaced once all of it has arrived."""
        part = local.with_name(f".{secrets.token_hex(8)}{PART}")
        try:
            with _room_for(local):
                local.parent.mkdir(parents=True, exist_ok=True)
            self._ask(name, lambda: self.place.get(check_name(name), part))
            with _room_for(local):
                part.replace(local)
        finally:
            part.unlink(missing_ok=True)

    def read(self, name: str) -> bytes:
        """Return the content of a file of the storage."""
        return self._ask(name, lambda: self.place.read(check_name(name)))

    def write(self, name: str, content: bytes) -> None:
        """Make or replace a file of the storage; readers see the old content or the new."""
        self._ask(name, lambda: self.place.write(check_name(name), content))

    def names(self, prefix: str = "") -> list[str]:
        """Return the sorted names that start with a prefix."""
        folder = prefix.rpartition("/")[0]
        below = check_name(folder) if folder else ""
        return sorted(name for name in self._ask(prefix, lambda: self.place.names(below)) if name.startswith(prefix))

    def delete(self, name: str) -> None:
        """Delete a file of the storage; a missing one is no error."""
        if self.exists(name):
            self._ask(name, lambda: self.place.delete(check_name(name)))

    def exists(self, name: str) -> bool:
        """Tell whether the storage has a file of this name."""

        def is_there() -> bool:
            try:
                return self.place.size(check_name(name)) >= 0
            except FileNotFoundError:
                return False

        return self._ask(name, is_there)

    def size(self, name: str) -> int:
        """Return the length in bytes of a file of the storage."""
        return self._ask(name, lambda: self.place.size(check_name(name)))

    def digest(self, name: str) -> str:
        """Return the SHA-256 of the bytes that the storage returns for a name, in hexadecimal."""

        def digest() -> str:
            told = hashlib.sha256()
            with self.place.open(check_name(name)) as file:
                while piece := file.read(PIECE):
                    told.update(piece)
            return told.hexdigest()

        return self._ask(name, digest)

    def __str__(self) -> str:
        return safe_address(self.url)

    def _ask(self, name: str, deed: Callable[[], T]) -> T:
        try:
            return deed()
        except (UsageError, MissingExtraError):
            raise
        except Exception as error:  # fsspec's clients have each their own errors; all become one sentence
            raise _translated(error, str(self), name) from error


def safe_address(url: str) -> str:
    """Return an address that may be printed: without what might be a secret.

    >>> safe_address("s3://key:secret@bucket/prefix?endpoint=https://host&token=1")
    's3://bucket/prefix'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else url


def below(url: str, name: str) -> str:
    """Return the address of a folder of a storage.

    >>> below("s3://bucket/campaign?endpoint=http://host", "site")
    's3://bucket/campaign/site?endpoint=http://host'
    """
    place, mark, query = url.partition("?") if "://" in url else (url, "", "")
    return f"{place.rstrip('/')}/{check_name(name)}{mark}{query}"


def check_name(name: str) -> str:
    """Return a name that stays inside the storage; raise for any other.

    >>> check_name("../secret")
    Traceback (most recent call last):
        ...
    siteseer.errors.UsageError: '../secret' cannot be the name of a stored file
    """
    steps = name.split("/")
    odd = any(step in ("", ".", "..") for step in steps) or "\\" in name or not name.isprintable()
    if odd or name.endswith(PART) or len(name.encode("utf-8", "replace")) > LONGEST_NAME:
        raise UsageError(f"{name[:80]!r} cannot be the name of a stored file")
    return name


def _place(url: str) -> StoragePlace:
    scheme, separator, rest = url.partition("://")
    if not separator:
        return FolderStorage(Path(url))
    if "@" in urlsplit(url).netloc:
        raise UsageError(f"{safe_address(url)}: keys and passwords belong in the environment, not in an address")
    make = store_factory(scheme)
    return make(url) if make else RemoteStorage(scheme, rest, {})


@contextmanager
def _room_for(local: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{local} cannot be written: {os.strerror(error.errno or 0)}") from error


def _translated(error: Exception, storage: str, name: str) -> Exception:
    """One sentence for what went wrong; never the foreign text, which may hold keys."""
    response = getattr(error.__cause__ or error, "response", None)
    told = response.get("Error", {}) if isinstance(response, dict) else {}
    code = str(told.get("Code", ""))
    if code == "NoSuchBucket" or (isinstance(error, FileNotFoundError) and "bucket" in str(error).lower()):
        return NotFoundError(f"{storage}: there is no such bucket")
    if isinstance(error, FileNotFoundError):
        return NotFoundError(f"{storage} has no {name!r}")
    if isinstance(error, OSError) and error.errno == 28:
        return DiskFullError(f"no room left while copying {name!r} of {storage}")
    if isinstance(error, PermissionError) or "Credential" in type(error).__name__:
        return StoreError(f"{storage} refuses these credentials{f' ({code})' if code.isalnum() else ''}")
    return StoreError(f"{storage} does not answer as it should ({type(error).__name__}); try again later")
