"""Real servers for the tests of remote stores: S3 by moto, SPARQL by Oxigraph, each on a free port."""

import logging
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def refused_port() -> Iterator[int]:
    """Hold a port at which nobody answers."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


@contextmanager
def sparql_server(port: int | None = None, location: Path | None = None) -> Iterator[str]:
    """Run an Oxigraph server; yield its address."""
    port = port or free_port()
    program = Path(sys.executable).parent / "oxigraph"
    kept = ["--location", str(location)] if location else []
    process = subprocess.Popen(
        [program, "serve", "--bind", f"127.0.0.1:{port}", *kept], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_it_listens(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def wait_until_it_listens(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Return when a server that was started takes connections."""
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise AssertionError("the server did not start")


KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "verysecret", "AWS_DEFAULT_REGION": "us-east-1"}


class S3Server:
    """An S3 server in this process; what it holds outlives its going away."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        from moto.server import ThreadedMotoServer

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self.port, verbose=False)
        self._server.start()

    def stop(self) -> None:
        self._server.stop()

    def make_bucket(self, name: str) -> None:
        request = urllib.request.Request(f"{self.address}/{name}", method="PUT")
        urllib.request.urlopen(request, timeout=30).close()


def ask_for_keys(address: str, wanted: bool) -> None:
    """Let the S3 server refuse keys that it does not know, or take all."""
    body = b"0" if wanted else b"1000000000"
    request = urllib.request.Request(f"{address}/moto-api/reset-auth", body, {"Content-Type": "text/plain"})
    urllib.request.urlopen(request, timeout=30).close()
