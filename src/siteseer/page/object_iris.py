"""Mints the IRI of an object from its permalink, its number on the site or its text.

An object that has a URL of its own is named by it: with its fragment on the site (`.../t/9#p100`), or with `#this`
where the URL is a whole page, as a post is not the document that shows it. Without a URL the site's own number for it
serves (`urn:x-siteseer:{host}:{type}:{number}`), and without a number a digest of its text. No session id and no date
of crawl enters, so one object that is found on two pages has one name.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import quote, urlsplit

from siteseer.page.urls import host_of, identity

MAX_LENGTH = 8_000
"""No honest address is longer; a longer name is replaced by its digest."""

TYPES = {"user": "account"}
"""Names of kinds inside minted IRIs, where they differ from the kind."""

_PLAIN = re.compile(
    r"(?:https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?=[/?#]|$)|urn:)[A-Za-z0-9\-._~/:?@!$&'()*+,;=]*"
    r"(?:#[A-Za-z0-9\-._~/:?@!$&'()*+,;=]*)?"
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?!\Z)")
_AUTHORITY = re.compile(
    r"(?:[A-Za-z0-9\-._~!$&'()*+,;=%:]*@)?(?:\[([0-9a-fA-F:.]{2,45})\]|[A-Za-z0-9\-._~!$&'()*+,;=%]*)(?::[0-9]*)?"
)
_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE = "-._~/:?@!$&'()*+,;=%"


def object_iri(
    kind: str,
    *,
    permalink: str | None = None,
    page_url: str | None = None,
    site: str | None = None,
    native_id: str | None = None,
    container: str | None = None,
    author: str | None = None,
    created: str | None = None,
    text: str | None = None,
) -> str:
    """Return the IRI of an object; the same facts always give the same IRI.

    >>> object_iri("post", permalink="http://f.example/t/9?sid=0123456789abcdef0123456789abcdef#p100")
    'http://f.example/t/9#p100'
    >>> object_iri("article", permalink="http://b.example/2014/hello")
    'http://b.example/2014/hello#this'
    >>> object_iri("user", site="www.b.example", native_id="zoe")
    'urn:x-siteseer:example,b:account:zoe'
    """
    if permalink and _SCHEME.match(permalink):
        return from_permalink(permalink)
    host = site_key(site or page_url or "")
    if native_id:
        return legal(
            f"urn:x-siteseer:{host}:{quote(TYPES.get(kind, kind), safe='')}:{quote(_shown(native_id), safe='')}"
        )
    said = [kind, host, container or "", author or "", created or "", " ".join(_shown(text or "").split())]
    return "urn:sha256:" + hashlib.sha256(json.dumps(said).encode()).hexdigest()


def from_permalink(permalink: str) -> str:
    """Return the IRI of the object with this permalink.

    >>> from_permalink("http://F.example:80/u/45")
    'http://f.example/u/45#this'
    """
    page, _, fragment = permalink.strip().partition("#")
    return legal(f"{identity(page)}#{fragment or 'this'}")


@lru_cache(maxsize=20_000)
def site_key(site: str) -> str:
    """Return the host of a URL, or a host, with its labels in reverse order.

    >>> site_key("http://www.forum.example:8080/t/9"), site_key("127.0.0.1:80")
    ('example,forum%3A8080', '127.0.0.1%3A80')
    """
    host = (host_of(site) if "//" in site else site.partition("/")[0]).lower()
    name, colon, port = host.rpartition(":")
    if not colon or not port.isdigit() or name.endswith(":"):
        name, colon, port = host, "", ""
    labels = name.removeprefix("www.").split(".")
    ordered = labels if labels[-1].isdigit() or "[" in name else labels[::-1]
    glue = "." if ordered is labels else ","
    return quote(_shown(glue.join(ordered)), safe=",.") + quote(colon) + port


@lru_cache(maxsize=20_000)
def legal(iri: str) -> str:
    """Return the IRI with everything percent-encoded that an IRI may not hold; what has no scheme becomes a URN.

    >>> legal("http://e.org/a b|c"), legal("7"), legal("http://[bad/x")
    ('http://e.org/a%20b%7Cc', 'urn:x-siteseer:name:7', 'http://%5Bbad/x')
    """
    if len(iri) <= MAX_LENGTH and _PLAIN.fullmatch(iri):
        return iri
    text = _shown(iri).strip()
    if len(text) > MAX_LENGTH:
        return "urn:sha256:" + hashlib.sha256(text.encode()).hexdigest()
    scheme = _SCHEME.match(text)
    if not scheme:
        return "urn:x-siteseer:name:" + quote(text, safe="")
    rest = text[scheme.end() :]
    body, hash_sign, fragment = rest.partition("#")
    return f"{scheme[1].lower()}:{_authority_and_path(body)}{hash_sign}{_quoted(fragment)}"


def _authority_and_path(body: str) -> str:
    if not body.startswith("//"):
        return _quoted(body)
    end = next((place for place, letter in enumerate(body) if place > 1 and letter in "/?"), len(body))
    authority = body[2:end]
    known = _AUTHORITY.fullmatch(authority)
    if not known or (known[1] and not _is_ipv6(known[1])):
        authority = quote(authority, safe="%")
    return "//" + _ESCAPE.sub("%25", authority) + _quoted(body[end:])


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def _quoted(text: str) -> str:
    return _ESCAPE.sub("%25", quote(text, safe=_SAFE))


def _shown(text: str) -> str:
    """Return the text without lone surrogates, which no encoding can write."""
    return text.encode("utf-8", "replace").decode("utf-8")


def site_iri(url: str) -> str:
    """Return the IRI of the site that a URL belongs to.

    >>> site_iri("http://f.example/t/9")
    'http://f.example/#this'
    """
    parts = urlsplit(legal(url).partition("#")[0]) if "[" not in url else None
    return (
        legal(f"{parts.scheme}://{parts.netloc}/#this")
        if parts and parts.netloc
        else legal(f"urn:x-siteseer:{site_key(url)}:site:this")
    )
