"""Computes element keys: elements of one role share a key across the records and pages of a site.

A key is a suffix of the tag path, normalised: steps upward until two of them carry an attribute, at most six. It is a
suffix and not the whole path so that nested replies keep their key. A step is the tag with

- its id, digits folded, where that stem is on a quarter of the sample's pages (ids of records are more stable than
  their classes), else
- up to two classes, digits folded, without words that only say where in a list or in what state a record is, else
- for an element without attributes, its place in the row (cells, those that span columns apart), among its like
  (leaves), or the cluster of its shape (containers): what lies below it, as a set of tag paths.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from siteseer.extract.records.record_document import Document
from siteseer.page.similarity.set_measures import jaccard

ID_SHARE = 0.25
TOKEN_SHARE = 0.5
SHAPE_LIKENESS = 0.5
MOST_SHAPES = 12
LONGEST_KEY = 6
SPANNING = 50
"""Added to the place of a cell that spans columns: a text below a row of short cells has another role than those."""
VARIANT_ELEMENTS = 5
VARIANT_SHARE = 0.01
VARIANT_LIKENESS = 0.6

_POSITIONAL = re.compile(
    r"(?:odd|even|alt|first|last|row|bg|clearfix|clear|cf|active|inactive|unread|read|new|hot|sticky|online|offline|group|current|selected"
    r"|parent|left|right|depth|level|bypostauthor|byuser|thread-(?:odd|even|alt)|(?:has|is|depth|level|status|format|tag|category|author)[-_].*"
    r"|comment-author-.*|col\d.*|.*[-_](?:odd|even|alt|first|last|unread|read|active|online|offline))[-_]?\d*",
    re.I,
)
_DIGITS = re.compile(r"\d+")
_TAG = re.compile(r"[^#.\[~]+?(?=[#.\[~]|:\d+$|$)")
SHAPE_DEPTH = 4
SHAPE_ELEMENTS = 300
STRUCTURAL = frozenset(
    "address article aside body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header li "
    "main nav ol section table tbody td tfoot th thead tr ul".split()
)
"""What templates build with; paragraphs, quotes and rules are what people write with, they would split one role."""
_CONTAINERS = STRUCTURAL - frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "body"))

Shape = frozenset[str]


@dataclass
class KeyScheme:
    """How the elements of one template are named; learned from a sample, kept with the model."""

    ids: frozenset[str]
    tokens: dict[str, int]
    variants: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    """Classes that lost a number at their end."""
    shapes: dict[str, list[Shape]] = field(default_factory=lambda: defaultdict(list))
    learning: bool = False
    _steps: dict[tuple[str, str | None, str | None, str | None], str] = field(default_factory=dict)

    def attributed(self, doc: Document, element: int) -> str:
        """Return the step of an element by its attributes, or an empty string where it has no telling one."""
        itemprop = doc.elements[element].get("itemprop")
        facts = (doc.tags[element], doc.ids[element], doc.classes[element], itemprop)
        step = self._steps.get(facts)
        if step is None:
            step = self._steps[facts] = self._by_attributes(*facts)
        return step

    def _by_attributes(self, tag: str, id_: str | None, class_: str | None, itemprop: str | None) -> str:
        if id_ and (stem := folded(id_)) in self.ids:
            return f"{tag}#{stem}"
        names = [name for name in tokens_of(class_) if name not in self.variants] if class_ else []
        best = max((self.tokens.get(name, 0) for name in names), default=0)
        kept = [name for name in names if self.tokens.get(name, 0) >= TOKEN_SHARE * best][:2]
        step = tag + "".join(f".{name}" for name in kept) + (f"[{itemprop[:40]}]" if itemprop else "")
        return step if step != tag else ""

    def shaped(self, doc: Document, element: int, parent_step: str) -> str:
        """Return the step of an element without attributes."""
        tag = doc.tags[element]
        if tag in ("td", "th"):
            spans = SPANNING if doc.elements[element].get("colspan", "1") not in ("", "0", "1") else 0
            return f"{tag}:{self._place(doc, element, ('td', 'th')) + spans}"
        if tag not in _CONTAINERS and tag != "span":
            return tag
        if not any(doc.tags[child] in STRUCTURAL for child in doc.children(element)):
            return f"{tag}:{min(self._place(doc, element, (tag,)), 4)}" if tag in ("div", "span") else tag
        known = self.shapes[f"{parent_step}/{tag}"]
        shape = shape_of(doc, element)
        alike = [jaccard(shape, other) for other in known]
        best = max(range(len(known)), key=alike.__getitem__, default=-1)
        if best >= 0 and (alike[best] >= SHAPE_LIKENESS or (self.learning and len(known) >= MOST_SHAPES)):
            return f"{tag}~{best}"
        if self.learning:
            known.append(shape)
            return f"{tag}~{len(known) - 1}"
        return f"{tag}~?"

    def _place(self, doc: Document, element: int, alike: tuple[str, ...]) -> int:
        place = 0
        for sibling in doc.children(doc.parent[element])[:40]:
            if sibling == element:
                break
            place += doc.tags[sibling] in alike
        return place


class KeyedDocument:
    """A document with the keys of its elements, each computed when first asked for."""

    def __init__(self, doc: Document, scheme: KeyScheme) -> None:
        self.doc = doc
        self.scheme = scheme
        self._steps: list[str | None] = [None] * len(doc.tags)
        self._keys: list[str | None] = [None] * len(doc.tags)
        self._shared: tuple[dict[int, str], dict[int, str]] = ({}, {})

    def step(self, element: int) -> str:
        """Return the element's own step."""
        known = self._steps[element]
        if known is None:
            known = self.scheme.attributed(self.doc, element)
            if not known:
                parent = self.doc.parent[element]
                known = self.scheme.shaped(self.doc, element, self.step(parent)) if parent >= 0 else "html"
            self._steps[element] = known
        return known

    def key(self, element: int) -> str:
        """Return the element's key, its own step first."""
        known = self._keys[element]
        if known is None:
            step = self.step(element)
            above = self._above(self.doc.parent[element], carries_attribute(step))
            known = self._keys[element] = f"{step}<{above}" if above else step
        return known

    def _above(self, element: int, attributes: int) -> str:
        """Return the part of a key that the children of an element share: of those with an attribute, and without."""
        known = self._shared[attributes].get(element)
        if known is None:
            steps: list[str] = []
            at, seen = element, attributes
            while at >= 0 and seen < 2 and len(steps) < LONGEST_KEY - 1:
                step = self.step(at)
                # What has a name of its own is one role, whatever else stands in the row around it.
                steps.append(step.partition("~")[0] if seen else step)
                seen += carries_attribute(step)
                at = self.doc.parent[at]
            known = self._shared[attributes][element] = "<".join(steps)
        return known


def learn_scheme(docs: Sequence[Document]) -> KeyScheme:
    """Learn from a sample which ids and classes name roles, then name all its elements once to learn the shapes."""
    id_pages: Counter[str] = Counter()
    token_pages: Counter[str] = Counter()
    for doc in docs:
        id_pages.update({folded(id_) for id_ in doc.ids if id_})
        token_pages.update({name for class_ in set(doc.classes) if class_ for name in tokens_of(class_)})
    ids = frozenset(stem for stem, pages in id_pages.items() if pages >= ID_SHARE * len(docs))
    classes = {class_ for doc in docs for class_ in doc.classes if class_}
    numbered = {_DIGITS.sub("", token) for class_ in classes for token in class_.split() if token[-1].isdigit()}
    return KeyScheme(
        ids, dict(token_pages), variant_tokens(docs), frozenset(numbered & token_pages.keys()), learning=True
    )


def variant_tokens(docs: Sequence[Document]) -> frozenset[str]:
    """Return classes in which like neighbours differ (`evenbox` and `oddbox`, `by-author`): they name no role.

    Neighbours are elements of one tag at one depth that follow each other, share a class and hold much the same.
    """
    differing: Counter[str] = Counter()
    pairs = 0
    for doc in docs:
        previous: dict[tuple[int, str], int] = {}
        depth = [0] * len(doc.tags)
        for element, parent in enumerate(doc.parent):
            depth[element] = depth[parent] + 1 if parent >= 0 else 0
            class_ = doc.classes[element]
            if not class_ or doc.stop[element] - element < VARIANT_ELEMENTS:
                continue
            place = (depth[element], doc.tags[element])
            before = previous.get(place)
            previous[place] = element
            if before is None or doc.classes[before] == class_:
                pairs += before is not None
                continue
            names, others = set(tokens_of(class_)), set(tokens_of(doc.classes[before] or ""))
            if names & others and _alike(doc, before, element):
                pairs += 1
                differing.update(names ^ others)
    return frozenset(name for name, times in differing.items() if times >= 2 and times > VARIANT_SHARE * pairs)


def _alike(doc: Document, one: int, other: int) -> bool:
    left, right = (Counter(doc.tags[e + 1 : min(doc.stop[e], e + SHAPE_ELEMENTS)]) for e in (one, other))
    return (left & right).total() >= VARIANT_LIKENESS * (left | right).total()


def folded(name: str) -> str:
    """Return an id with its digits folded.

    >>> folded("post-123")
    'post-0'
    """
    return _DIGITS.sub("0", name.strip()[:60])


def tokens_of(class_: str) -> list[str]:
    """Return the telling tokens of a class attribute, digits folded.

    >>> tokens_of("post post-12 odd has-avatar")
    ['post', 'post-0']
    """
    names: list[str] = []
    for token in class_.split()[:12]:
        if not _POSITIONAL.fullmatch(token[:60]):
            name = _DIGITS.sub("0", token[:60])
            name = name[:-1] if len(name) > 1 and name[-1] == "0" and name[-2].isalpha() else name
            if name not in names:
                names.append(name)
    return names


def carries_attribute(step: str) -> bool:
    """Say whether a step names an id, class or property."""
    return "#" in step or "." in step or "[" in step


def tag_of(step: str) -> str:
    """Return the tag of a step.

    >>> [tag_of(step) for step in ("div#posts", "li.post", "td:2", "div~0", "span[author]", "p", "fb:like:1")]
    ['div', 'li', 'td', 'div', 'span', 'p', 'fb:like']
    """
    found = _TAG.match(step)
    return found[0] if found else step


def shape_of(doc: Document, element: int) -> Shape:
    """Return what lies below an element: tag paths of structural elements, four levels, nothing inside paragraphs."""
    found: set[str] = set()
    pending = [(element, "", 0)]
    seen = 0
    while pending and seen < SHAPE_ELEMENTS:
        at, path, depth = pending.pop()
        for child in doc.children(at):
            seen += 1
            tag = doc.tags[child]
            if tag in STRUCTURAL:
                below = f"{path}/{tag}"
                found.add(below)
                if depth + 1 < SHAPE_DEPTH:
                    pending.append((child, below, depth + 1))
    return frozenset(found)
