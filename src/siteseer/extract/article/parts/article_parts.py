"""Divides the content of an article into parts: paragraphs, headings, lists, tables, code, quotes, images, comments.

The tree is walked as `marked_text.walked` does, so that each run of text has the number under which it was classified.
A table is one of data where it has rows of several short cells; others only lay out the page. Lists, tables, code and
headings between kept text are kept whole, even where the model left out a short item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from siteseer.extract.article.classify_blocks import ClassifiedBlocks
from siteseer.extract.article.element_flags import BIT, flags_of, is_unseen
from siteseer.extract.article.forest.comment_zones import comment_zones
from siteseer.extract.article.marked_text import FOREIGN, INLINE, SKIPPED
from siteseer.extract.read_values import plain_text
from siteseer.model import Page
from siteseer.page.links import base

STRUCTURE = {
    "ul": "list", "ol": "list", "dl": "list", "li": "item", "dt": "item", "dd": "item", "blockquote": "quote",
    "pre": "code", "table": "table", "tr": "row", "td": "cell", "th": "header", "figure": "figure",
    "figcaption": "caption", "caption": "caption",
    **{f"h{level}": "heading" for level in range(1, 7)},
}  # fmt: skip
STYLES = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "code": "code", "kbd": "code", "samp": "code",
    "tt": "code", "s": "del", "strike": "del", "del": "del", "sub": "sub", "sup": "sup",
}  # fmt: skip
_TABLE = frozenset(("table", "row", "cell", "header"))
_WHOLE = frozenset(("list", "table", "code", "heading", "quote"))
"""Parts that are kept whole between kept text."""
_FURNITURE = sum(
    BIT[name] for name in "comment related share nav navt ad promo hidden side aside foot form byline".split()
)
_CAPTION = BIT["caption"] | BIT["figure"]
_SCHEMES = frozenset(("http", "https", "mailto"))
_SMALL_IMAGE, _LONG_CELL, _LONG_CAPTION, _LINKED = 40, 100, 1_000, 0.5
_LEAST_COMMENT = 2


class Span(NamedTuple):
    """Text of one style."""

    text: str
    styles: frozenset[str] = frozenset()
    href: str = ""


@dataclass(slots=True)
class Part:
    """A part of an article; lists, tables and quotes hold others."""

    kind: str
    """paragraph, heading, list, item, table, row, cell, header, code, quote, image."""
    spans: list[Span] = field(default_factory=list)
    children: list[Part] = field(default_factory=list)
    level: int = 0
    """Of a heading; 1 for a list that is numbered."""
    language: str = ""
    """Of code."""
    src: str = ""
    caption: str = ""

    @property
    def text(self) -> str:
        """The text without its styles."""
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of an article in page order, and the comments below it."""

    content: tuple[Part, ...] = ()
    comments: tuple[str, ...] = ()


@dataclass(slots=True)
class _Frame:
    """An open block element."""

    element: Any
    kind: str
    flags: int
    inside: bool
    """Whether it lies in the article's element."""
    part: Part | None = None


def parts_of(page: Page, verdict: ClassifiedBlocks) -> Parts:
    """Return the parts of a classified page."""
    if not verdict.kept.any():
        return Parts()
    return Parts(tuple(_Walk(page, verdict).parts()), tuple(_comments(verdict)))


class _Walk:
    """Walks a page and gathers the parts of its article."""

    def __init__(self, page: Page, verdict: ClassifiedBlocks) -> None:
        self.verdict, self.base = verdict, base(page)
        blocks = verdict.page.blocks
        self.root, self.article = blocks.root, blocks.element(verdict.element)
        self.block_of = {run: block for block, run in enumerate(blocks.runs.tolist())}
        kept = blocks.runs[verdict.kept]
        self.first, self.last = int(kept[0]), int(kept[-1])
        self.node_of = {number: node for node, number in enumerate(blocks.numbers.tolist())}
        self.frames: list[_Frame] = []
        self.styles: list[tuple[str, str]] = []
        self.found: list[Part] = []
        self.spans: list[Span] = []
        self.run = self.number = 0
        self.breaks = 0
        self.image: Part | None = None

    def parts(self) -> list[Part]:
        """Return the parts in page order."""
        walk: Any = etree.iterwalk(self.root, events=("start", "end", "comment"))
        for event, element in walk:
            if event == "start":
                if self._begins(element):
                    walk.skip_subtree()
                continue
            if event == "end":
                self._ends(element)
            if element is not self.root:
                self._text(element.tail)
        return self.found

    def _begins(self, element: html.HtmlElement) -> bool:
        """Begin an element; return whether what is in it is left out."""
        tag = element.tag
        if tag == "img" and self.frames:
            self._picture(element)
        if tag in SKIPPED or (tag in INLINE and is_unseen(element.get("style"))):
            return True
        if tag == "br":
            self._break()
            return True
        if tag in INLINE:
            self.styles.append((STYLES.get(tag, ""), self._link(element) if tag == "a" else ""))
        else:
            self._edge()
            self.frames.append(self._frame(element))
            self.number += 1
        self._text(element.text)
        return False

    def _ends(self, element: html.HtmlElement) -> None:
        tag = element.tag
        if tag in SKIPPED or tag == "br" or (tag in INLINE and is_unseen(element.get("style"))):
            return
        if tag in INLINE:
            self.styles.pop()
        else:
            self._edge()
            self.frames.pop()

    def _frame(self, element: html.HtmlElement) -> _Frame:
        above = self.frames[-1] if self.frames else None
        node = self.node_of.get(self.number)
        page = self.verdict.page
        own = int(page.inherited[node]) if node is not None else flags_of(element.tag, dict(element.attrib))
        kind = STRUCTURE.get(element.tag, "")
        if kind in _TABLE and not _holds_data(element):
            kind = ""
        inside = element is self.article or bool(above and above.inside)
        return _Frame(element, kind, own if node is not None or not above else own | above.flags, inside)

    def _link(self, element: html.HtmlElement) -> str:
        return absolute(self.base, element.get("href") or "")

    def _text(self, text: str | None) -> None:
        if not text:
            return
        is_linked = any(href for _, href in self.styles)
        if self.breaks and (is_linked or not text.isspace()):
            self._after_breaks()
        if self.breaks:
            return
        styles = frozenset(style for style, _ in self.styles if style)
        self.spans.append(
            Span(text.translate(FOREIGN), styles, next((href for _, href in reversed(self.styles) if href), ""))
        )

    def _break(self) -> None:
        self.breaks += 1

    def _after_breaks(self) -> None:
        """End a line after one break, the run after several."""
        breaks, self.breaks = self.breaks, 0
        if breaks > 1:
            self._flush()
            self.run += 1
        else:
            self.spans.append(Span("\n"))

    def _edge(self) -> None:
        """End a run of text at the border of a block element."""
        self._after_breaks() if self.breaks > 1 else None
        self.breaks = 0
        self._flush()
        self.run += 1

    def _flush(self) -> None:
        spans, self.spans = self.spans, []
        block = self.block_of.get(self.run)
        if block is None or not self.frames:
            return
        kinds = {frame.kind for frame in self.frames}
        is_kept = bool(self.verdict.kept[block])
        flags, page = self.frames[-1].flags, self.verdict.page
        is_caption = "caption" in kinds or "figure" in kinds or bool(flags & _CAPTION)
        text = page.blocks.facts[block].text
        is_named = bool(kinds & {"caption", "figure"})
        is_free = "table" not in kinds and len(text) < _LONG_CAPTION and (is_named or not is_kept)
        if self.image and not self.image.caption and self.frames[-1].inside and is_caption and is_free:
            self.image.caption = text
            return
        if not is_kept:
            is_plain = page.density[block] < _LINKED and not flags & _FURNITURE and block != page.title
            if not (kinds & _WHOLE and self.first < self.run < self.last and is_plain and self.frames[-1].inside):
                return
        self._add(spans)

    def _add(self, spans: list[Span]) -> None:
        """Add a run of text where it stands in the structure."""
        holder = self._holder()
        if holder is not None and holder.kind == "code":
            return
        if holder is not None and holder.kind == "heading" and holder.spans:
            holder.spans = trimmed([*holder.spans, Span(" "), *spans])
            return
        if holder is not None and holder.kind in ("item", "cell", "header", "heading") and not holder.spans:
            holder.spans = trimmed(spans)
        else:
            (self.found if holder is None else holder.children).append(Part("paragraph", trimmed(spans)))
        self.image = None

    def _holder(self) -> Part | None:
        """Return the part of the innermost structure; makes those that are not there yet."""
        holder: Part | None = None
        structure = [frame for frame in self.frames if frame.kind and frame.kind not in ("figure", "caption")]
        for frame in structure:
            if frame.kind == "heading" and frame is not structure[-1]:
                continue
            if frame.kind == "item" and (holder is None or holder.kind != "list"):
                continue
            if frame.part is None:
                frame.part = _structure(frame.element, frame.kind)
                (self.found if holder is None else holder.children).append(frame.part)
            holder = frame.part
            if holder.kind == "code":
                break
        return holder

    def _picture(self, element: html.HtmlElement) -> None:
        frame = self.frames[-1]
        source = element.get("data-src") or element.get("src") or ""
        sizes = (element.get("width") or "", element.get("height") or "")
        is_small = any(size.isdecimal() and int(size) < _SMALL_IMAGE for size in sizes)
        address = absolute(self.base, source)
        if not address or is_small or not frame.inside or frame.flags & _FURNITURE or self.run > self.last:
            return
        alt = " ".join((element.get("alt") or "").split())
        self.image = Part("image", [Span(alt)] if alt else [], src=address)
        self.found.append(self.image)


def absolute(root: str, address: str) -> str:
    """Return an absolute address; an empty string for one that leads nowhere safe.

    >>> absolute("http://e.org/a/", "b.png"), absolute("http://e.org/", " javascript:x()")
    ('http://e.org/a/b.png', '')
    """
    try:
        joined = urljoin(root, address.strip()) if address.strip() else ""
        return joined if urlsplit(joined).scheme in _SCHEMES else ""
    except ValueError:
        return ""


def trimmed(spans: list[Span]) -> list[Span]:
    """Return spans with spaces folded, none at the ends, and neighbours of one style joined.

    >>> trimmed([Span(" a  "), Span(" b"), Span("c ", frozenset({"em"}))])
    [Span(text='a b', styles=frozenset(), href=''), Span(text='c', styles=frozenset({'em'}), href='')]
    """
    made: list[Span] = []
    for text, styles, href in spans:
        if text == "\n":
            folded = "\n"
        else:
            lead, tail = " " if text[:1].isspace() else "", " " if text[-1:].isspace() else ""
            folded = (lead + " ".join(text.split()) + tail) if text.strip() else " "
        before = made[-1].text if made else ""
        if not made or before[-1:] in (" ", "\n"):
            folded = folded.lstrip(" ") if folded != "\n" else folded
        if not folded or (not made and folded == "\n"):
            continue
        if made and made[-1][1:] == (styles, href):
            made[-1] = Span(before + folded, styles, href)
        else:
            made.append(Span(folded, styles, href))
    while made and not made[-1].text.rstrip():
        made.pop()
    if made:
        made[-1] = made[-1]._replace(text=made[-1].text.rstrip())
    return made


def _structure(element: html.HtmlElement, kind: str) -> Part:
    part = Part(kind)
    if kind == "heading":
        part.level = int(element.tag[1])
    elif kind == "list":
        part.level = int(element.tag == "ol")
    elif kind == "code":
        part.spans = [Span("".join(_lines(element)).strip("\r\n"))]
        part.language = _language(element)
    return part


def _lines(element: html.HtmlElement) -> Iterator[str]:
    """Yield the text of preformatted lines as it stands."""
    for event, one in etree.iterwalk(element, events=("start", "end", "comment")):
        if event == "start":
            yield "\n" if one.tag == "br" else one.text or ""
        elif one is not element:
            yield one.tail or ""


def _language(element: html.HtmlElement) -> str:
    said = " ".join(one.get("class") or "" for one in (element, *element.iter("code")))
    for name in said.replace("brush:", "language-").replace("language- ", "language-").split():
        for lead in ("language-", "lang-"):
            if name.startswith(lead) and name[len(lead) :].replace("+", "").replace("#", "").isalnum():
                return name[len(lead) :].lower()
    return ""


def _holds_data(element: html.HtmlElement) -> bool:
    """Say whether the table around an element is one of data: rows of several short cells, no table inside."""
    table = element if element.tag == "table" else next(element.iterancestors("table"), None)
    if table is None or table.get("role") == "presentation" or any(True for _ in table.iterdescendants("table")):
        return False
    rows = [[cell for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
    texts = [[len(" ".join(cell.itertext()).split()) for cell in row] for row in rows]
    return sum(sum(map(bool, row)) > 1 for row in texts) > 1 and max(map(max, filter(None, texts))) <= _LONG_CELL


def _comments(verdict: ClassifiedBlocks) -> Iterator[str]:
    """Yield the comments of the page: what is repeated in elements that are named so and do not hold the article."""
    blocks = verdict.page.blocks
    article = blocks.element(verdict.element)
    around = {article, *article.iterancestors()}
    for zone in comment_zones(blocks.root):
        if zone in around:
            continue
        for one in _repeated(zone):
            text = plain_text(one)
            if len(text.split()) >= _LEAST_COMMENT or not text.isascii():
                yield text


def _repeated(zone: html.HtmlElement) -> list[html.HtmlElement]:
    """Return the outermost elements below a zone that stand beside others of their tag and first class."""
    waiting = [zone]
    while waiting:
        above = waiting.pop(0)
        groups: dict[tuple[str, str], list[html.HtmlElement]] = {}
        for one in above:
            if isinstance(one.tag, str) and one.tag not in SKIPPED and one.tag not in INLINE | {"p", "br", "form"}:
                first = (one.get("class") or "").split()[:1]
                groups.setdefault((one.tag, "".join(first).rstrip("0123456789-_")), []).append(one)
        best = max(groups.values(), key=lambda group: (len(group), len(group[0].text_content())), default=[])
        if len(best) > 1:
            return best
        waiting += [one for group in groups.values() for one in group]
    return []
