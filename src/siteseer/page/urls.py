"""Resolves URLs to the form that is requested, and canonicalises them to the form by which they are compared.

`resolve` turns a reference in a page into the URL that is requested; `identity` is the canonical form under which it is
known: scheme and host in lower case, no default port, no dot segments, percent-encoding normalised, no fragment, no
session ids, no tracking parameters. The order of query parameters is kept, as servers may read it.
A *route* is a fragment by which a page's script tells its views apart (`#/topic/5`): absolute URLs keep it.
Reference: RFC 3986 section 6.2, and the URL standard for what browsers repair.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

from xxhash import xxh3_128_digest

from siteseer.model import JSON

MAX_LENGTH = 8_000
"""Servers refuse longer request lines; what is longer in a page is a mistake or an attack."""

SESSION_PARAMETERS = frozenset(
    ("sid", "phpsessid", "jsessionid", "aspsessionid", "sessionid", "session_id", "sess_id", "cfid", "cftoken")
    + ("zenid", "oscsid")
)
TRACKING_PARAMETERS = frozenset(
    ("fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi")
)

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_EDGES = "".join(map(chr, range(0x21))) + "\x7f"
_INSIDE = re.compile(r"[\t\r\n]")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_HOST = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_TOKEN_VALUE = re.compile(r"[0-9a-fA-F]{26,64}|[0-9a-zA-Z,-]{22,64}")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)
_NEEDS_CARE = re.compile(r"[^A-Za-z0-9\-._~/:?#\[\]@!$&'()*+,;=]")
_PERCENT = re.compile(r"%([0-9a-fA-F]{2})|%")
_IS_WIRE = re.compile(
    r"https?://[a-z0-9.-]+(?::(?!0|80/|443/)(?:[1-5]?\d{1,4}|6[0-4]\d{3}))?/[A-Za-z0-9\-._~/=&;,+*'()!$@:%]*(?:\?[A-Za-z0-9\-._~/?=&;,+*'()!$@:%]+)?"
)
"""What `wire` would return as it is."""
_QUERY = r"(?:\?[A-Za-z0-9\-._~/?=&;,+*'()!$@:%]+)?"
_PLAIN_NAME = re.compile(r"(?:\./)?[A-Za-z0-9_~-][A-Za-z0-9\-._~/]*" + _QUERY)
_PLAIN_PATH = re.compile(r"/(?!/)[A-Za-z0-9\-._~/]*" + _QUERY)
_ESCAPES = {f"{code:02X}": chr(code) for code in range(0x21, 0x7F) if chr(code) not in '%#+<>"\\^`{|}'} | {"20": "+"}
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def resolve(base: str, href: str) -> str | None:
    """Return the absolute URL as it is requested, without fragment; None where it is no usable http(s) URL.

    >>> resolve("http://e.org/a/b?x", "../c d#top")
    'http://e.org/c%20d'
    >>> resolve("http://e.org/", "mailto:a@e.org") is None
    True
    """
    if "#" in base:
        base = base.partition("#")[0]
    if href[:1] not in ("", "?", "#"):  # relative to the directory only, so that pages share what is remembered
        base = base.partition("?")[0].rpartition("/")[0] + "/"
    return resolve_below(base, href)


def route_of(url: str) -> str:
    """Return the route of an absolute URL with its `#`; empty where it has none.

    >>> route_of("http://e.org/app#/topic/5"), route_of("http://e.org/app#top"), route_of("#/topic/5")
    ('#/topic/5', '', '')
    """
    document, hash_sign, fragment = url.partition("#")
    is_route = hash_sign and fragment.startswith(("/", "!/")) and "://" in document
    return f"#{_quoted(fragment)}" if is_route else ""


@lru_cache(maxsize=30_000)
def resolve_below(base: str, href: str) -> str | None:
    """Return the same as `resolve` for a base that is a directory; remembered, as pages repeat their links."""
    text = _INSIDE.sub("", href.strip(_EDGES))
    if "#" in text:
        text = text.partition("#")[0] + route_of(text)
    if len(text) > MAX_LENGTH:
        return None
    if (quick := _join_plain(base, text)) is not None:
        return quick
    scheme = _SCHEME.match(text)
    if scheme and scheme[1].lower() not in _DEFAULT_PORTS:
        return None
    if not scheme and "\\" in text.partition("?")[0]:
        text = text.replace("\\", "/")
    try:
        return wire(urljoin(base, text))
    except ValueError:
        return None


def _join_plain(base: str, text: str) -> str | None:
    """Join what nearly all links are, a plain name or path below a directory, without taking URLs apart."""
    if not text:
        return base if _IS_WIRE.fullmatch(base) and "/." not in base else None
    if "/." in text.removeprefix("./") or not base.endswith("/"):
        return None
    if "//" in text.partition("://")[2] or ("//" in text and "://" not in text):
        return None
    if _PLAIN_NAME.fullmatch(text):
        return base + text.removeprefix("./")
    if _PLAIN_PATH.fullmatch(text) and _IS_WIRE.fullmatch(base):
        return origin_of(base) + text
    return text if _IS_WIRE.fullmatch(text) else None


def wire(url: str) -> str | None:
    """Return an absolute http(s) URL in the form that is requested, or None where it cannot be.

    >>> wire("HTTP://Bücher.example:80/ä?q=ü")
    'http://xn--bcher-kva.example/%C3%A4?q=%C3%BC'
    """
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    host = _host(parts.hostname or "")
    if scheme not in _DEFAULT_PORTS or host is None:
        return None
    port = parts.port
    netloc = host if port is None or str(port) == _DEFAULT_PORTS[scheme] else f"{host}:{port}"
    path = _quoted(_without_dots(parts.path)) or "/"
    query = f"?{_quoted(parts.query)}" if parts.query else ""
    return f"{scheme}://{netloc}{path}{query}{route_of(url) if parts.fragment else ''}"


def _host(name: str) -> str | None:
    name = name.rstrip(".").lower()
    if not name.isascii():
        try:
            name = ".".join(label.encode("idna").decode("ascii") for label in name.split("."))
        except UnicodeError:
            return None
    if ":" in name:
        name = f"[{name}]"
    return name if _HOST.fullmatch(name) else None


def _quoted(text: str) -> str:
    """Percent-encode what may not be sent as it is; existing escapes stay."""
    if not _NEEDS_CARE.search(text):
        return text
    return quote(text, safe="%/:?#[]@!$&'()*+,;=~")


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")):
        kept.append("")
    return "/".join(kept)


@lru_cache(maxsize=30_000)
def identity(url: str) -> str:
    """Return the canonical form of a URL. It is for comparing, not for fetching.

    >>> identity("http://E.org:80/%7euser/?b=1&a=2&sid=0123456789abcdef0123456789abcdef&utm_source=x#top")
    'http://e.org/~user/?b=1&a=2'
    """
    sent = url if _IS_WIRE.fullmatch(url) and "/." not in url else resolve(url, url) or url
    scheme, _, rest = sent.partition("://")
    authority, slash, path_query = rest.partition("/")
    path_query, mark, route = path_query.partition("#")
    path, _, query = path_query.partition("?")
    if ";" in path:
        path = _PATH_SESSION.sub("", path)
    kept = "&".join(part for part in _plain_query(query).split("&") if part and not _is_noise(part))
    return f"{scheme}://{authority}{slash}{_normal(path)}" + (f"?{kept}" if kept else "") + mark + route


def _is_noise(parameter: str) -> bool:
    """Say whether a query parameter names a session or a campaign instead of a document."""
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in SESSION_PARAMETERS:
        return bool(_TOKEN_VALUE.fullmatch(value)) or not value or name != "sid"
    if name == "s":
        return bool(re.fullmatch(r"[0-9a-f]{32}", value))
    return name in TRACKING_PARAMETERS or name.startswith("utm_")


def _normal(text: str) -> str:
    return _PERCENT.sub(_one_escape, text) if "%" in text else text


def _plain_query(text: str) -> str:
    """Return a query as people would write it: software escapes an address in a query in one place, not in another.

    What ends a query or an escape (`#`, `%`), and what means a space or a plus, stays apart.
    """
    if "%" not in text:
        return text
    return _PERCENT.sub(lambda match: _ESCAPES.get((match[1] or "").upper()) or _one_escape(match), text)


def _one_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else f"%{match[1].upper()}"


def host_of(url: str) -> str:
    """Return host and port as they stand in a wire URL.

    >>> host_of("http://e.org:8080/x")
    'e.org:8080'
    """
    return url.partition("://")[2].partition("/")[0].partition("?")[0].lower()


def origin_of(url: str) -> str:
    """Return scheme, host and port.

    >>> origin_of("http://e.org:8080/x")
    'http://e.org:8080'
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme.lower()}://{rest.partition('/')[0].partition('?')[0].lower()}"


def site_of(url: str) -> str:
    """Return the site of a URL: its host without `www.`, with its port where that is no usual one; schemes are alike.

    >>> site_of("https://www.e.org/x"), site_of("http://e.org:80/"), site_of("http://e.org:8080/x")
    ('e.org', 'e.org', 'e.org:8080')
    """
    scheme, _, rest = origin_of(url).partition("://")
    host = rest.rpartition("@")[2].removesuffix(f":{_DEFAULT_PORTS.get(scheme, '')}")
    return host.removeprefix("www.") or host


def folder_of(url: str) -> str:
    """Return the folder in which a URL's page stands, with a slash at its end.

    >>> folder_of("http://e.org/board/topic.php?id=/5"), folder_of("http://e.org")
    ('/board/', '/')
    """
    path = url.partition("://")[2].partition("#")[0].partition("?")[0].partition("/")[2]
    return f"/{path.rpartition('/')[0]}/".replace("//", "/")


def readable(url: str) -> str:
    """Return the URL in readable form: escapes decoded where that gives printable text."""
    try:
        text = unquote_to_bytes(url).decode("utf-8")
    except UnicodeDecodeError:
        return url
    return text if text.isprintable() else url


def url_key(url: str) -> bytes:
    """Return the key of a URL."""
    return digest_of(identity(url))


def digest_of(name: str) -> bytes:
    """Return the digest of a name."""
    return xxh3_128_digest(name.encode("utf-8", "replace"))


def capture_key(url: str, request: JSON) -> bytes:
    """Return the key of a capture: that of its URL, with the body of a form that was posted."""
    return digest_of(f"{identity(url)}\n{request['body']}" if request else identity(url))
