"""Writes a citable HTML file of one object: what was said, by whom, when, where, and in which capture.

The file is HTML that needs nothing else; the same facts stand in it once more as JSON, for machines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape

from siteseer.model import JSON
from siteseer.version import __version__

_STYLE = "body{font:17px/1.6 Georgia,serif;max-width:42em;margin:3em auto;padding:0 1em}dt{color:#666;font-size:.85em}\
dd{margin:0 0 .6em;overflow-wrap:anywhere}blockquote{white-space:pre-line;border-left:3px solid #0f766e;margin:1.5em 0;\
padding-left:1em}"
_NAMES = (
    ("author", "Author"),
    ("published", "Published"),
    ("modified", "Changed"),
    ("permalink", "Address"),
    ("url", "Page"),
    ("id", "Identifier"),
)
_UNSAFE = re.compile(r"[^0-9A-Za-z]+")


def citation(found: Mapping[str, JSON], collection: str) -> str:
    """Return the file of one object.

    >>> made = citation({"id": "urn:x:1", "kind": "post", "author": "<b>ann</b>", "text": "Which lens?"}, "board")
    >>> "&lt;b&gt;ann" in made, "Which lens?" in made, "<b>" in made
    (True, True, False)
    """
    title = escape(str(found.get("title") or f"{found.get('kind', 'object')} by {found.get('author') or 'unknown'}"))
    capture = found.get("capture") or {}
    facts = [(name, found.get(key)) for key, name in _NAMES]
    facts += [
        ("Archived", capture.get("time")),
        ("Archive file", f"{capture['file']}, record at byte {capture['offset']}" if "file" in capture else None),
        ("Digest of the page", capture.get("digest")),
        ("Collection", collection),
        ("Found by", found.get("because")),
    ]
    listed = "".join(f"<dt>{name}</dt><dd>{escape(str(value))}</dd>" for name, value in facts if value)
    told = json.dumps(dict(found), ensure_ascii=True, indent=1).replace("<", "\\u003c").replace(">", "\\u003e")
    return (
        f"<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>{title}</title>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<meta name=generator content='siteseer {__version__}'><style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p><cite>{escape(sentence(found))}</cite></p><blockquote>{escape(str(found.get('text') or ''))}</blockquote>"
        f"<dl>{listed}</dl><script type='application/json'>{told}</script></body></html>\n"
    )


def sentence(found: Mapping[str, JSON]) -> str:
    """Return how the object is cited.

    >>> sentence({"author": "ann", "published": "2014-03-02T10:00:00Z", "url": "http://f.example/t/9", "title": "Lens"})
    'ann (2014-03-02): Lens. http://f.example/t/9'
    """
    author, day = found.get("author") or "Unknown author", str(found.get("published") or "no date")[:10]
    what = " ".join(str(found.get("title") or found.get("text") or found.get("kind") or "").split())[:120].rstrip(".")
    archived = str((found.get("capture") or {}).get("time") or "")
    when = f" (archived {archived})" if archived else ""
    return f"{author} ({day}): {what}. {found.get('permalink') or found.get('url') or found.get('id')}{when}"


def file_name(found: Mapping[str, JSON]) -> str:
    """Return a name for the file that every system can keep.

    >>> file_name({"id": "http://f.example/t/9?p=1#x"})
    'f-example-t-9-p-1-x.html'
    """
    last = _UNSAFE.sub("-", str(found.get("id") or "object").partition("://")[2] or str(found.get("id"))).strip("-")
    return f"{last[-80:].strip('-') or 'object'}.html"
