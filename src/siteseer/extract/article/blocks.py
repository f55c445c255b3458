"""A page in, its blocks of text out: maximal runs of inline text, and the tree of block elements that holds them.

Elements and blocks are numbered in document order, so that what lies inside an element is a range of blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree, html

from siteseer.extract.article.flags import flags_of, is_unseen
from siteseer.model import Page
from siteseer.page.encoding import decode
from siteseer.page.text import WORD
from siteseer.page.tree import cached, is_html, tree

SKIPPED = frozenset(
    ("script style noscript template iframe svg select option textarea button object embed head title audio video")
    .split() + "canvas map img input source track param meta link picture math datalist dialog".split()
)  # fmt: skip
"""Elements whose text is no text of the page."""
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code dfn em font i kbd small span strong sub sup tt u s strike mark q time label"
    " ins del nobr wbr var samp data ruby rt rb rp".split()
)
"""Elements that do not end a run of text."""
_BLOCK, _TEXT, _LINK, _SKIP, _BREAK = range(5)
_KINDS = dict.fromkeys(SKIPPED, _SKIP) | dict.fromkeys(INLINE, _TEXT) | {"a": _LINK, "br": _BREAK}
MAX_BLOCKS = 20_000
MAX_CHARACTERS = 2_000_000
"""What a page may cost: no article lies behind so much text."""
_FEW_TOKENS, _LONG_SOURCE = 60, 3_000
_TELLING = ("class", "id", "style", "role", "itemprop", "hidden")
_SHAPES_LIMIT = 20_000
_DIGITS = re.compile(r"\d+")
_UNREADABLE = re.compile(
    r"<!--.*?(?:-->|$)|<(script|style|noscript)\b.*?(?:</\1\s*>|$)|<title\b[^>]*>(?:[^<]*</title\s*>)?|</?(?:html|body)\b[^>]*>",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(slots=True)
class Blocks:
    """The blocks of a page and the elements around them, column by column."""

    elements: list[html.HtmlElement] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """Tag with the first class, else the id, without numbers: the same for the same place of other pages."""
    parents: list[int] = field(default_factory=list)
    """Number of the parent; the root is its own."""
    depths: list[int] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """The blocks inside an element: from `starts` up to, not including, `ends`."""
    texts: list[str] = field(default_factory=list)
    tokens: list[list[str]] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """Number of the element that holds the block."""
    linked: list[int] = field(default_factory=list)
    """Tokens inside links."""
    links: list[int] = field(default_factory=list)
    """Pieces of text inside links."""

    def __len__(self) -> int:
        return len(self.texts)

    def inside(self, node: int) -> range:
        """Return the blocks inside an element."""
        return range(self.starts[node], self.ends[node])


@cached
def blocks(page: Page) -> Blocks:
    """Return the blocks of a page; parses again, more simply, where the parser lost the text.

    >>> html_type = (("Content-Type", "text/html"),)
    >>> found = blocks(Page("http://e.org/", headers=html_type, body=b"<div>One <b>two</b><p>three</div>"))
    >>> [(text, found.tags[node]) for text, node in zip(found.texts, found.nodes)]
    [('One two', 'div'), ('three', 'p')]
    """
    found = segment(tree(page))
    if len(page.body) > _LONG_SOURCE and is_html(page) and sum(map(len, found.tokens)) < _FEW_TOKENS:
        again = segment(_parsed_again(decode(page)[:MAX_CHARACTERS]))
        return again if sum(map(len, again.tokens)) > sum(map(len, found.tokens)) else found
    return found


def _parsed_again(source: str) -> html.HtmlElement:
    """Parse what is left of a source without what swallows text: unclosed titles, scripts and comments."""
    plain = _UNREADABLE.sub(" ", source).replace("\x00", "")
    return html.document_fromstring(
        f"<html><body>{plain}</body></html>".encode(), parser=html.HTMLParser(encoding="utf-8")
    )


def segment(root: html.HtmlElement) -> Blocks:
    """Cut the text below an element into blocks: one walk, told straight because every page pays for it."""
    found = Blocks()
    pieces: list[str] = []
    linked: list[str] = []
    rows: list[tuple[Any, ...]] = []
    ends: list[int] = []
    node = link_depth = characters = 0

    def flush() -> None:
        nonlocal characters
        text = " ".join("".join(pieces).split())
        if tokens := WORD.findall(text):
            found.texts.append(text)
            found.tokens.append(tokens)
            found.nodes.append(node)
            found.linked.append(len(WORD.findall(" ".join(linked))) if linked else 0)
            found.links.append(len(linked))
            characters += len(text)
        pieces.clear()
        linked.clear()

    kind_of = _KINDS.get
    walk: Any = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        if event == "start":
            tag = element.tag
            kind = kind_of(tag, _BLOCK)
            if kind == _BLOCK:
                if pieces:
                    flush()
                depth = rows[node][2] + 1 if rows else 0
                rows.append((element, node, depth, len(found.texts), *_shape(tag, element)))
                node = len(ends)
                ends.append(-1)
            elif kind == _SKIP:
                walk.skip_subtree()
                continue
            elif kind == _BREAK:
                if _is_second_break(pieces):
                    flush()
                elif pieces:
                    pieces.append("\n")
                continue
            else:
                link_depth += kind == _LINK
                if (style := element.get("style")) and is_unseen(style):
                    walk.skip_subtree()
                    continue
            text = element.text
        else:
            if event == "end":
                kind = kind_of(element.tag, _BLOCK)
                if kind == _BLOCK:
                    if pieces:
                        flush()
                    ends[node] = len(found.texts)
                    node = rows[node][1]
                    if len(found.texts) > MAX_BLOCKS or characters > MAX_CHARACTERS:
                        break
                elif kind == _LINK:
                    link_depth -= 1
            text = element.tail
        if text and (pieces or not text.isspace()):
            pieces.append(text)
            if link_depth and not text.isspace():
                linked.append(text)
    flush()
    columns = [list(column) for column in zip(*rows, strict=True)]
    if columns:
        found.elements, found.parents, found.depths, found.starts, found.tags, found.flags, found.names = columns
    found.ends = [len(found) if end < 0 else end for end in ends]
    return found


def _is_second_break(pieces: list[str]) -> bool:
    """Say whether nothing was written since the last break: two breaks end a block, one is a space."""
    for piece in reversed(pieces):
        if not piece.isspace():
            return False
        if piece == "\n":
            return True
    return False


_shapes: dict[Any, tuple[str, int, str]] = {}


def _shape(tag: str, element: html.HtmlElement) -> tuple[str, int, str]:
    """Return tag, flags and name of an element; most elements of a site look like one met before."""
    key = (tag, *map(element.get, _TELLING)) if element.keys() else tag
    shape = _shapes.get(key)
    if shape is None:
        if len(_shapes) >= _SHAPES_LIMIT:
            _shapes.clear()
        attributes = element.attrib
        shape = (tag, flags_of(tag, attributes), name_of(tag, attributes.get("class"), attributes.get("id")))
        _shapes[key] = shape
    return shape


def name_of(tag: str, classes: str | None, identity: str | None) -> str:
    """Return the name of an element: tag with its first class, else its id; numbers are left out.

    >>> name_of("div", "post-12 wide", None), name_of("p", None, "p7"), name_of("p", " ", "/2020/05/a-page")
    ('div.post', 'p#p', 'p')
    """
    first = (classes or "").split(None, 1)
    if first and (kept := _DIGITS.sub("", first[0]).rstrip("-_.:")):
        return f"{tag}.{kept}"
    if identity and "/" not in identity and len(identity) <= 60 and (kept := _DIGITS.sub("", identity).rstrip("-_.:")):
        return f"{tag}#{kept}"
    return str(tag)
