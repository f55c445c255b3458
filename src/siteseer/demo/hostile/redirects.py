"""Hostile redirects: loops, endless chains, other hosts, private addresses."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import re

from siteseer.demo.site import SiteRequest, SiteResponse, html, redirect

FORBIDDEN = {
    "private": "http://10.0.0.1/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "router": "http://192.168.0.1/",
    "ipv6-loopback": "http://[::1]:9/",
    "mapped": "http://[::ffff:10.0.0.1]/",
    "decimal": "http://167772161/",
    "invalid-host": "http://example.invalid/",
    "file": "file:///etc/passwd",
    "script": "javascript:alert(1)",
    "data": "data:text/html,<p>hello",
    "ftp": "ftp://ftp.example.invalid/file",
    "bad-port": "http://127.0.0.1:99999/",
    "unclosed": "http://[::1/",
    "blank": "",
    "spaces": "/never/404 with spaces",
    "letters": "/never/ünï",
    "long": "/" + "x" * 100_000,
    "userinfo": "http://user:secret@example.invalid/",
}
CHAIN = re.compile(r"/redirect/chain/(\d{1,4})")
LOOP = re.compile(r"/redirect/loop/(\d)")
STARTS = ("/redirect/self", "/redirect/loop/0", "/redirect/chain/5", "/redirect/chain/40", "/redirect/endless/0",
          "/redirect/no-location", "/redirect/localhost", "/redirect/refresh-self", "/redirect/refresh/0")  # fmt: skip
PATHS = STARTS + tuple(f"/redirect/to/{name}" for name in FORBIDDEN)


def answer_redirect(request: SiteRequest) -> SiteResponse | None:
    """Answer what lies under `/redirect/`."""
    path = request.path
    if path.startswith("/redirect/to/"):
        target = FORBIDDEN.get(path.rpartition("/")[2])
        return None if target is None else redirect(target)
    if chain := CHAIN.fullmatch(path):
        left = int(chain[1])
        return (
            redirect(f"/redirect/chain/{left - 1}", 301)
            if left
            else html("<title>End</title><p>The end of the chain.</p>")
        )
    if loop := LOOP.fullmatch(path):
        return redirect(f"/redirect/loop/{(int(loop[1]) + 1) % 3}")
    if path.startswith("/redirect/endless/"):
        step = path.rpartition("/")[2]
        return redirect(f"/redirect/endless/{int(step) + 1 if step.isdigit() else 0}")
    if path.startswith("/redirect/refresh/"):
        return _refresh(f"/redirect/refresh/{1 - int(path[-1]) if path[-1] in '01' else 0}")
    port = request.headers.get("host", "").rpartition(":")[2]
    return {
        "/redirect/self": redirect("/redirect/self"),
        "/redirect/no-location": SiteResponse(302, (("Content-Type", "text/html"),), b"<p>Gone, but where?</p>"),
        "/redirect/localhost": redirect(f"http://localhost:{port}/plain/1"),
        "/redirect/refresh-self": _refresh("/redirect/refresh-self"),
    }.get(path)


def _refresh(target: str) -> SiteResponse:
    return html(
        f'<html><head><meta http-equiv="refresh" content="0; url={target}"><title>Wait</title></head><body>Please wait.</body></html>'
    )
