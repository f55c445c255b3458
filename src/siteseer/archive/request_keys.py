"""Computes the index key of a request: SURT, with method and body of what is not a GET.

The convention is that of pywb and the WACZ tools (`__wb_method`, `__wb_post_data`), so that they replay what we index.
"""

from __future__ import annotations

import base64
import json
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import unquote_plus, urlencode

from siteseer.archive.surt import search_key

QUERY_LENGTH = 4096
"""The convention cuts the encoded body here."""
DEPTH = 100


def request_key(url: str, method: str = "GET", query: str = "") -> str:
    """Return the key of a request.

    >>> request_key("http://a.org/s", "POST", "q=wine")
    'org,a)/s?__wb_method=post&q=wine'
    """
    if method == "GET":
        return search_key(url)
    asked = f"{url}{'&' if '?' in url else '?'}__wb_method={method}"
    return search_key(f"{asked}&{query}" if query else asked)


def request_query(method: str, content_type: str, body: bytes) -> str:
    """Return the body of a POST or PUT as the convention writes it into the key.

    >>> request_query("POST", "application/json", b'{"q": "wine", "page": [1, true]}')
    'q=wine&page=1&page.2_=true'
    >>> request_query("POST", "application/octet-stream", b"abc")
    '__wb_post_data=YWJj'
    """
    if method not in ("POST", "PUT") or not body:
        return ""
    kind = content_type.split(";")[0].strip().lower()
    try:
        query = _ENCODERS.get("multipart" if kind.startswith("multipart/") else kind, _binary)(content_type, body)
    except (ValueError, RecursionError):
        query = "" if kind == "application/json" else _binary(content_type, body)
    return query[:QUERY_LENGTH]


def _binary(content_type: str, body: bytes) -> str:
    # Three quarters of the limit suffice: the rest would be cut off.
    return "__wb_post_data=" + base64.b64encode(body[:QUERY_LENGTH]).decode("ascii")


def _form(content_type: str, body: bytes) -> str:
    return unquote_plus(body.decode("utf-8"))


def _multipart(content_type: str, body: bytes) -> str:
    if "boundary=" not in content_type:
        raise ValueError("multipart without boundary")
    head = b"Content-Type: " + content_type.encode("utf-8", "replace").replace(b"\n", b" ") + b"\r\n\r\n"
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    values: list[tuple[str, bytes]] = []
    for part in message.iter_parts():
        name = part.get_param("name", "", header="content-disposition")
        payload = part.get_payload(decode=True)
        values.append((str(name), payload if isinstance(payload, bytes) else b""))
    return urlencode(values)


def _json(content_type: str, body: bytes) -> str:
    found: dict[str, str] = {}
    times: dict[str, int] = {}
    _flatten(json.loads(body), "", found, times, DEPTH)
    return urlencode(found)


def _flatten(value: Any, name: str, found: dict[str, str], times: dict[str, int], depth: int) -> None:
    if depth == 0:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(inner, key, found, times, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _flatten(inner, name, found, times, depth - 1)
    elif name:
        times[name] = times.get(name, 0) + 1
        found[name if times[name] == 1 else f"{name}.{times[name]}_"] = _as_script_writes(value)


def _as_script_writes(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


_ENCODERS = {
    "application/x-www-form-urlencoded": _form,
    "multipart": _multipart,
    "application/json": _json,
    "text/plain": _json,
}
