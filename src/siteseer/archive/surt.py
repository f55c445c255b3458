"""Computes the SURT (Sort-friendly URI Reordering Transform) of a URL: `org,example)/path?query`, the key of CDXJ.

URLs are made canonical first, as the Wayback Machine and pywb do after the rules of Google's Safe Browsing API: what
hardly ever tells two pages apart is left out (scheme, `www.`, case, session ids, the order of a query).
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

URL_LENGTH = 64 * 1024
DEFAULT_PORTS = {"http": "80", "https": "443"}
_BREAKS_A_LINE = re.compile(r"[\x00-\x20\x7f]")
_DROPPED = re.compile(r"[\t\r\n]")
NAMES_OF_FILES = ("filedesc", "warcinfo")
"""Schemes of records that name a file: kept as they are."""
_PLAIN = re.compile(rb"""[!"$&-~]*""")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):/+", re.IGNORECASE)
_WITHOUT_HOST = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_AUTHORITY = re.compile(r"[^/?]*")
_HOST_AND_PORT = re.compile(r"(\[[^\]]*\]|[^:]*):?(\d*)")
_WWW = re.compile(r"www\d*\.")
_OCTAL = re.compile(r"0[0-7]*(?:\.[0-7]+){3}")
_SESSION_FOLDERS = tuple(
    re.compile(rf"^(.*/)\({folder}\)/([^?]+\.aspx.*)$") for folder in (r"(?:[a-z]\([0-9a-z]{24}\))+", "[0-9a-z]{24}")
)
"""Session ids that ASP.NET writes into the path."""
_SESSION_PARAMETERS = tuple(
    re.compile(rf"^(.*){parameter}(?:&(.*))?$")
    for parameter in (
        "jsessionid=[0-9a-z]{32}", "phpsessid=[0-9a-z]{32}", "sid=[0-9a-z]{32}", "aspsessionid[a-z]{8}=[a-z]{24}",
        "cfid=[^&]+&cftoken=[^&]+",
    )
)  # fmt: skip


def search_key(url: str) -> str:
    """Return the searchable form of a URL.

    >>> search_key("http://www.Example.org/b?z=1&a=2")
    'org,example)/b?a=2&z=1'
    """
    try:
        key = surt(url[:URL_LENGTH])
    except ValueError:  # what cannot be taken apart still needs a line
        key = url.lower()
    return _BREAKS_A_LINE.sub(lambda found: f"%{ord(found[0]):02X}", key)


def surt(url: str) -> str:
    """Return the SURT of a URL's canonical form; raise ValueError where the URL has no such form.

    >>> surt("https://www2.example.co.uk:443/A/../b/?PHPSESSID=0123456789abcdefghijklmnopqrstuv&x=1#top")
    'uk,co,example)/b?x=1'
    >>> surt("urn:rendered:http://e.org/X")
    'urn:rendered:http://e.org/x'
    """
    url = _DROPPED.sub("", url).strip()
    found = _SCHEME.match(url)
    if found is not None and found[1].lower() in NAMES_OF_FILES:
        return url
    if found is None:
        if _WITHOUT_HOST.match(url):
            return _without_host(url.partition("#")[0])
        return surt(f"http://{url}") if url else "-"
    authority, path, query = _parts(url[found.end() :].partition("#")[0])
    host, port = _host_and_port(authority)
    if not host:
        raise ValueError("no host")
    shown = "" if port in ("", DEFAULT_PORTS.get(found[1].lower())) else f":{port}"
    return f"{','.join(reversed(host.split('.')))}{shown}){_path(path)}{_query(query)}"


def _without_host(url: str) -> str:
    """Return the canonical form of a URL such as `urn:…`, `dns:…` or `mailto:…`."""
    name, _, query = url.partition("?")
    return f"{_escaped(_unescaped(name)).lower().rstrip('/')}{_query(query)}"


def _parts(rest: str) -> tuple[str, str, str]:
    authority = _AUTHORITY.match(rest)
    assert authority is not None  # it matches nothing, too
    path, _, query = rest[authority.end() :].partition("?")
    return authority[0], path, query


def _host_and_port(authority: str) -> tuple[str, str]:
    found = _HOST_AND_PORT.fullmatch(authority.rpartition("@")[2])
    if found is None or int(found[2] or 0) > 65_535:
        raise ValueError("no host and port")
    return _host(found[1].strip("[]")), found[2]


def _host(name: str) -> str:
    """Return a host in lower case and ASCII, without `www.`; an address of four numbers as such."""
    raw = _unescaped(name)
    if not raw.isascii():
        raw = raw.decode("utf-8").encode("idna")  # both complain with a ValueError
    host = re.sub(r"\.{2,}", ".", _escaped(raw)).strip(".").lower()
    if host.isdigit() and int(host) < 2**32:
        return ".".join(map(str, int(host).to_bytes(4, "big")))
    if _OCTAL.fullmatch(host):
        return ".".join(str(int(number, 8) & 255) for number in host.split("."))
    return _WWW.sub("", host, count=1) if _WWW.match(host) else host


def _path(path: str) -> str:
    """Return a path in lower case without dot segments, empty segments, session ids and the last slash."""
    segments: list[str] = []
    for segment in _unescaped(path).decode("utf-8", "surrogateescape").split("/"):
        if segment == "..":
            segments[-1:] = []
        elif segment != ".":
            segments.append(segment)
    kept = "/".join(segment for segment in segments if segment)
    canonical = _escaped(f"/{kept}".encode("utf-8", "surrogateescape")).lower()
    if ".aspx" in canonical:
        for session in _SESSION_FOLDERS:
            canonical = session.sub(r"\1\2", canonical)
    return canonical


def _query(query: str) -> str:
    """Return a query in lower case, sorted, without session ids, with its question mark where anything is left."""
    canonical = _escaped(_unescaped(query)).lower()
    if "id" in canonical:
        for session in _SESSION_PARAMETERS:
            canonical = session.sub(r"\1\2", canonical)
    parameters = sorted(canonical.split("&"), key=lambda parameter: parameter.split("=", 1))
    return f"?{'&'.join(parameters)}" if canonical else ""


def _unescaped(text: str) -> bytes:
    """Undo percent-encoding until there is none left."""
    raw = text.encode("utf-8", "surrogatepass")
    if b"%" not in raw:
        return raw
    while (shorter := unquote_to_bytes(raw)) != raw:
        raw = shorter
    return raw


def _escaped(raw: bytes) -> str:
    """Percent-encode what is no printable ASCII character, `#` and `%`."""
    if _PLAIN.fullmatch(raw):
        return raw.decode("ascii")
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte not in b"#%" else f"%{byte:02x}" for byte in raw)
