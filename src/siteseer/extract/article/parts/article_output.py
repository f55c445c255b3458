"""Writes the parts of an article as Markdown, as clean HTML and as JSON.

All markup is made here, from text: nothing of a page's own markup reaches the output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from siteseer.extract.article.parts.article_parts import Part, Parts, Span
from siteseer.model import JSON

_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
_LINE_START = re.compile(r"^(\s*)([#+\-=~]|\d+[.)])(?=\s|$|[=~\-])", re.MULTILINE)
_WRAP = {"strong": ("**", "strong"), "em": ("*", "em"), "del": ("~~", "del"), "sub": ("", "sub"), "sup": ("", "sup")}
"""By style: what stands around it in Markdown, and its tag in HTML."""


def as_markdown(title: str, parts: Parts) -> str:
    """Return an article as Markdown.

    >>> print(as_markdown("Kites", Parts((Part("paragraph", [Span("They "), Span("fly", frozenset({"em"}))]),))))
    # Kites
    <BLANKLINE>
    They *fly*
    """
    lines = [f"# {_escaped(title)}"] if title else []
    return "\n\n".join(filter(None, [*lines, *(_markdown(part) for part in parts.content)]))


def _markdown(part: Part) -> str:
    if part.kind == "heading":
        return f"{'#' * max(2, part.level)} {_inline(part.spans).replace(chr(10), ' ')}"
    if part.kind == "list":
        items = [item for item in part.children if item.kind == "item"]
        marks = [f"{number}. " if part.level else "- " for number in range(1, len(items) + 1)]
        return "\n".join(_indented(mark, _held(item, "\n")) for mark, item in zip(marks, items, strict=True))
    if part.kind == "quote":
        return "\n".join(f"> {line}".rstrip() for line in _held(part, "\n\n").split("\n"))
    if part.kind == "code":
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", part.text)), default=0))
        return f"{fence}{part.language}\n{part.text}\n{fence}"
    if part.kind == "table":
        return _table(part)
    if part.kind == "image":
        image = f"![{_escaped(part.text or part.caption)}]({_address(part.src)})"
        return f"{image}\n\n*{_escaped(part.caption)}*" if part.caption else image
    return _held(part, "\n\n")


def _held(part: Part, between: str) -> str:
    return between.join(filter(None, [_inline(part.spans), *(_markdown(child) for child in part.children)]))


def _indented(mark: str, text: str) -> str:
    return mark + text.replace("\n", "\n" + " " * len(mark))


def _table(part: Part) -> str:
    rows = [[_held(cell, " ").replace("\n", " ").replace("|", "\\|") for cell in row.children] for row in _rows(part)]
    if not rows:
        return ""
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _rows(part: Part) -> list[Part]:
    return [row for row in part.children if row.kind == "row"]


def _inline(spans: Sequence[Span]) -> str:
    made = []
    for text, styles, href in spans:
        core = text.strip(" ")
        if not core.strip():
            made.append("  \n" if "\n" in text else text)
            continue
        lead, tail = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]
        if "code" in styles:
            fence = "`" * (1 + max(map(len, re.findall("`+", core)), default=0))
            shown = f"{fence}{core}{fence}"
        else:
            shown = _escaped(core).replace("\n", "  \n")
        for style in sorted(styles & _WRAP.keys()):
            shown = f"{_WRAP[style][0]}{shown}{_WRAP[style][0]}"
        made.append(lead + (f"[{shown}]({_address(href)})" if href else shown) + tail)
    return "".join(made)


def _escaped(text: str) -> str:
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


def _address(address: str) -> str:
    return address.replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")


def as_html(title: str, parts: Parts) -> str:
    """Return an article as HTML.

    >>> as_html("Kites", Parts((Part("paragraph", [Span("<fly>")]),)))
    '<article>\\n<h1>Kites</h1>\\n<p>&lt;fly&gt;</p>\\n</article>'
    """
    lines = [f"<h1>{escape(title)}</h1>"] if title else []
    return "\n".join(["<article>", *lines, *(_html(part) for part in parts.content), "</article>"])


def _html(part: Part) -> str:
    if part.kind == "heading":
        level = max(2, part.level)
        return f"<h{level}>{_html_inline(part.spans)}</h{level}>"
    if part.kind == "code":
        name = f' class="language-{escape(part.language)}"' if part.language else ""
        return f"<pre><code{name}>{escape(part.text)}</code></pre>"
    if part.kind == "image":
        image = f'<img src="{escape(part.src)}" alt="{escape(part.text)}">'
        caption = f"<figcaption>{escape(part.caption)}</figcaption>" if part.caption else ""
        return f"<figure>{image}{caption}</figure>"
    tags = {"item": "li", "row": "tr", "cell": "td", "header": "th", "quote": "blockquote", "table": "table"}
    tag = {"list": "ol" if part.level else "ul"}.get(part.kind) or tags.get(part.kind, "p")
    return f"<{tag}>{_html_inline(part.spans)}{''.join(map(_html, part.children))}</{tag}>"


def _html_inline(spans: Sequence[Span]) -> str:
    made = []
    for text, styles, href in spans:
        shown = escape(text).replace("\n", "<br>")
        shown = f"<code>{shown}</code>" if "code" in styles else shown
        for style in sorted(styles & _WRAP.keys()):
            shown = f"<{_WRAP[style][1]}>{shown}</{_WRAP[style][1]}>"
        made.append(f'<a href="{escape(href)}">{shown}</a>' if href else shown)
    return "".join(made)


def as_rows(parts: Sequence[Part]) -> list[JSON]:
    """Return parts as JSON; keys without a value are left out.

    >>> as_rows([Part("heading", [Span("One")], level=2)])
    [{'kind': 'heading', 'text': 'One', 'level': 2}]
    """
    return [
        {"kind": part.kind}
        | {name: value for name in ("text", "level", "language", "src", "caption") if (value := getattr(part, name))}
        | ({"parts": as_rows(part.children)} if part.children else {})
        for part in parts
    ]
