"""Implements storage as a folder of this machine, and as any place that fsspec reaches.

Both have the same methods; `put` and `write` replace a file at once, so that readers see the old or the new one.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import parse_qs, unquote, urlsplit

from siteseer.errors import MissingExtraError, UsageError

PART = ".part"
"""How the name of a file ends that is still being written; such files are never listed."""
S3_WAITS = {"connect_timeout": 10, "read_timeout": 60, "retries": {"max_attempts": 2}}
"""Seconds that a server may be silent, and how often botocore asks again; s3fs itself repeats up to five times."""
PARALLEL_PARTS = 2
"""Parts of 50 MB of one large file that are on their way at once: they are held in memory."""


class FolderStorage:
    """A folder of this machine, or of a network file system that is mounted here."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, local: Path, name: str) -> None:
        """Copy a file to the folder."""
        with local.open("rb") as source:
            self._fill(name, lambda target: shutil.copyfileobj(source, target, 1 << 20))

    def get(self, name: str, local: Path) -> None:
        """Copy a file of the folder to a local path."""
        shutil.copyfile(self.root / name, local)

    def write(self, name: str, content: bytes) -> None:
        """Make or replace a file."""
        self._fill(name, lambda target: target.write(content))

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        return (self.root / name).read_bytes()

    def open(self, name: str) -> BinaryIO:
        """Read a file from its beginning."""
        return (self.root / name).open("rb")

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder."""
        files = (Path(inside, file) for inside, _, files in os.walk(self.root / folder) for file in files)
        return [file.relative_to(self.root).as_posix() for file in files if not file.name.endswith(PART)]

    def delete(self, name: str) -> None:
        """Remove a file."""
        (self.root / name).unlink()

    def size(self, name: str) -> int:
        """Return a file's length in bytes."""
        path = self.root / name
        if not path.is_file():
            raise FileNotFoundError(name)
        return path.stat().st_size

    def _fill(self, name: str, fill: Callable[[BinaryIO], Any]) -> None:
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{secrets.token_hex(8)}{PART}")
        try:
            with part.open("xb") as file:
                fill(file)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


class RemoteStorage:
    """A bucket of S3-compatible storage, HDFS, or another place that fsspec knows.

    The connection is asked for at each use: fsspec keeps one per process and thread, and a process that was forked
    must not use its parent's.
    """

    def __init__(self, scheme: str, root: str, options: dict[str, Any]) -> None:
        self.scheme, self.root, self.options = scheme, root.rstrip("/"), options

    def put(self, local: Path, name: str) -> None:
        """Copy a file to the place."""
        self._replace(name, lambda system, path: system.put_file(str(local), path))

    def get(self, name: str, local: Path) -> None:
        """Copy a file of the place to a local path."""
        self._system().get_file(self._path(name), str(local))

    def write(self, name: str, content: bytes) -> None:
        """Make or replace a file."""
        self._replace(name, lambda system, path: system.pipe_file(path, content))

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        return bytes(self._system().cat_file(self._path(name)))

    def open(self, name: str) -> BinaryIO:
        """Read a file from its beginning."""
        return cast(BinaryIO, self._system().open(self._path(name), "rb"))

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder."""
        system = self._system()
        found = system.find(self._path(folder).rstrip("/"))
        start = len(system._strip_protocol(self.root).rstrip("/")) + 1
        return [path[start:] for path in found if not path.endswith((PART, "/"))]

    def delete(self, name: str) -> None:
        """Remove a file."""
        self._system().rm_file(self._path(name))

    def size(self, name: str) -> int:
        """Return a file's length in bytes."""
        told = self._system().info(self._path(name))
        if told["type"] != "file":
            raise FileNotFoundError(name)
        return int(told["size"])

    def _replace(self, name: str, fill: Callable[[Any, str], Any]) -> None:
        """An object of S3 appears when its upload is complete; elsewhere a file is written under another name first."""
        system, path = self._system(), self._path(name)
        if self.scheme == "s3":
            fill(system, path)
            return
        part = f"{path}.{secrets.token_hex(8)}{PART}"
        system.makedirs(path.rpartition("/")[0], exist_ok=True)
        try:
            fill(system, part)
            system.mv(part, path)
        finally:
            if system.exists(part):
                system.rm_file(part)

    def _path(self, name: str) -> str:
        return f"{self.root}/{name}"

    def _system(self) -> Any:
        try:
            import fsspec

            return fsspec.filesystem(self.scheme, use_listings_cache=False, **self.options)
        except ModuleNotFoundError as error:
            if self.scheme not in ("s3", "memory") and error.name != "fsspec":
                raise UsageError(f"{self.scheme}:// needs the Python module {error.name}") from error
            raise MissingExtraError("cluster", f"{self.scheme}:// needs fsspec and s3fs") from error
        except ValueError as error:
            raise UsageError(f"{self.scheme}:// is not a kind of storage that is known here") from error
        except (ImportError, OSError) as error:
            needed = "pyarrow, libhdfs and JAVA_HOME" if self.scheme == "hdfs" else "a client of its own"
            raise UsageError(f"{self.scheme}:// needs {needed}, which could not be loaded here") from error


def folder(url: str) -> FolderStorage:
    """Return the folder of a `file://` address."""
    return FolderStorage(Path(unquote(urlsplit(url).path)))


def bucket(url: str) -> RemoteStorage:
    """Return the bucket of an `s3://` address, whose query may name an endpoint."""
    parts = urlsplit(url)
    if not parts.netloc:
        raise UsageError(f"s3://{parts.path} names no bucket; write s3://bucket/prefix")
    usual = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    options = {
        "endpoint_url": parse_qs(parts.query).get("endpoint", [usual])[0],
        "config_kwargs": S3_WAITS,
        "max_concurrency": PARALLEL_PARTS,
    }
    return RemoteStorage("s3", parts.netloc + parts.path, options)


def hdfs(url: str) -> RemoteStorage:
    """Return the place of an `hdfs://host:port/path` address."""
    parts = urlsplit(url)
    return RemoteStorage("hdfs", parts.path or "/", {"host": parts.hostname or "default", "port": parts.port or 0})
