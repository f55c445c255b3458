"""Names the tags that are not read, for each purpose: the one table of them.

What a page shows depends on who asks. A date is not looked for in a frame's fallback, a record is not in a form, and an
expression may begin at a picture. Each purpose is a policy with a name; no other module spells such a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BLOCKS = frozenset(
    ("address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog", "dir")
    + ("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6")
    + ("header", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre", "section", "select")
    + ("summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul")
)
"""Elements whose borders end a run of text."""

CODE = frozenset(("script", "style"))
"""What holds no text in any language of people."""
DECLARED = frozenset(("title", "meta", "link", "base"))
"""What a head says of the page, wherever it stands."""
_WITHOUT_SCRIPTS = CODE | {"noscript", "template"}
_UNSHOWN = _WITHOUT_SCRIPTS | {"head"}

UNREAD_IN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "text": _UNSHOWN | {"svg", "textarea"},
        "dates": _UNSHOWN | {"svg", "textarea", "iframe"},
        "head": _WITHOUT_SCRIPTS | DECLARED | {"object"},
        "likeness of trees": _UNSHOWN | {"svg", "meta", "link"},
        "expressions": _WITHOUT_SCRIPTS,
        "proposed records": _UNSHOWN | {"option", "br", "hr", "meta", "link", "col"},
        "records": _UNSHOWN
        | {"svg", "math", "canvas", "audio", "video", "iframe", "object"}
        | {"select", "option", "textarea", "button"},
        "texts looked up": CODE | {"head", "template"},
        "marks of templates": CODE | {"html", "head", "body"},
        "what a browser shows": _UNSHOWN | {"title", "meta", "link"},
        "errors repeated": CODE | {"title"},
    }
)
"""What is left out, by purpose. `head`: what may stand in a head and does not end it."""
