"""Pages in, pages of a changed template out: what designers do to a site, at random, alike on all its pages.

Whether and how a thing is changed is drawn from a hash of what it is (a name, a label, the path of tags and names of an
element), so that all pages of a site change the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from hashlib import blake2b

from lxml import etree, html

TAGS = {
    "div": "section", "span": "em", "section": "div", "b": "strong", "strong": "b", "p": "div",
    "h1": "h2", "h2": "h3", "h3": "h4", "h4": "h3", "h5": "h4",
}  # fmt: skip
SKIP = frozenset(("html", "head", "body", "script", "style", "title", "meta", "link", "option", "select", "noscript"))
FIXED = frozenset(
    ("tr", "td", "th", "tbody", "thead", "tfoot", "li", "dd", "dt", "option", "caption", "col", "colgroup")
)
"""What may only stand in its own parent is not wrapped."""
Rates = dict[str, float]
KINDS: dict[str, Rates] = {
    "names renamed .3": {"names": 0.3},
    "tags changed .3": {"tags": 0.3},
    "wrappers in or out .3": {"wrappers": 0.3},
    "ads between siblings .15": {"ads": 0.15},
    "labels altered .3": {"labels": 0.3},
}
TOGETHER: dict[str, Rates] = {
    "all together .1": {"names": 0.1, "tags": 0.1, "wrappers": 0.1, "ads": 0.05, "labels": 0.03},
    "all together .2": {"names": 0.2, "tags": 0.2, "wrappers": 0.2, "ads": 0.1, "labels": 0.06},
}


class Drift:
    """One redesign of one site."""

    def __init__(self, rates: Rates, seed: str, labels: Iterable[str] = ()) -> None:
        self.rates = rates
        self.seed = seed
        self.labels = frozenset(labels)
        """The texts that belong to the template; only these may be altered."""

    def chance(self, *what: str) -> float:
        digest = blake2b("\0".join((self.seed, *what)).encode("utf-8", "replace"), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**64

    def changed(self, root: html.HtmlElement) -> html.HtmlElement:
        """Return a page after the redesign."""
        new = deepcopy(root)
        for script in new.iter("script", "style"):
            script.text = "x"  # never selected, but slow to pass by
        keys = self._keys(new)
        steps: dict[str, Callable[[html.HtmlElement, str], None]] = {
            "labels": self._label, "ads": self._ad, "wrappers": self._wrap, "tags": self._tag, "names": self._name,
        }  # fmt: skip
        for kind, step in steps.items():
            if self.rates.get(kind):
                for element, key in keys:
                    step(element, key)
        return new

    def _keys(self, root: html.HtmlElement) -> list[tuple[html.HtmlElement, str]]:
        """Return the elements that may change, each with the path of tags and names that it has in the old template."""
        known: dict[html.HtmlElement, str] = {}
        for one in root.iter("*"):
            above = known.get(one.getparent(), "")
            known[one] = f"{above[-300:]}/{one.tag}.{one.get('class') or ''}"
        return [(one, key) for one, key in known.items() if one.tag not in SKIP]

    def _hits(self, kind: str, key: str) -> bool:
        return self.chance(kind, key) < self.rates[kind]

    def _name(self, element: html.HtmlElement, key: str) -> None:
        for attribute in ("id", "class"):
            if words := (element.get(attribute) or "").split():
                element.set(attribute, " ".join(f"x{w[::-1]}" if self._hits("names", w) else w for w in words))

    def _tag(self, element: html.HtmlElement, key: str) -> None:
        if element.tag in TAGS and self._hits("tags", key):
            element.tag = TAGS[element.tag]

    def _wrap(self, element: html.HtmlElement, key: str) -> None:
        parent = element.getparent()
        if parent is None or element.tag in FIXED or parent.tag in SKIP - {"body"} or not self._hits("wrappers", key):
            return
        tail, element.tail = element.tail, None
        is_bare = len(element) > 0 and not (element.text or "").strip()
        if element.tag in ("div", "span", "section", "b", "em") and is_bare and self.chance("out", key) < 0.5:
            _dissolve(element, tail)
            return
        inline = element.tag in ("a", "b", "em", "span", "i", "strong", "font")
        box = html.Element("span" if inline else "div")
        box.set("class", "wrap")
        parent.replace(element, box)
        box.append(element)
        box.tail = tail

    def _ad(self, element: html.HtmlElement, key: str) -> None:
        parent = element.getparent()
        if parent is None or parent.tag in SKIP - {"body"} or not self._hits("ads", key):
            return
        ad = html.Element(element.tag if element.tag in FIXED else "div")
        ad.set("class", "ad")
        (ad if ad.tag != "tr" else etree.SubElement(ad, "td")).text = "Advertisement"
        parent.insert(parent.index(element), ad)

    def _label(self, element: html.HtmlElement, key: str) -> None:
        element.text = self._altered(element.text)
        for child in element:
            child.tail = self._altered(child.tail)

    def _altered(self, text: str | None) -> str | None:
        label = " ".join((text or "").split())
        if label not in self.labels or not self._hits("labels", label):
            return text
        ways: tuple[Callable[[str], str], ...] = (
            str.upper,
            str.lower,
            _other_colon,
            lambda one: f"{one.rstrip(':')} info",
        )
        return ways[int(self.chance("way", label) * 4)](label)


def _other_colon(label: str) -> str:
    return label[:-1] if label.endswith(":") else f"{label}:"


def _dissolve(element: html.HtmlElement, tail: str | None) -> None:
    """Put the content of an element in its place."""
    parent, before = element.getparent(), element.getprevious()
    text = element.text or ""
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
    at = parent.index(element)
    children = list(element)
    parent.remove(element)
    for offset, child in enumerate(children):
        parent.insert(at + offset, child)
    last = children[-1] if children else before
    if last is not None:
        last.tail = (last.tail or "") + (tail or "")
    else:
        parent.text = (parent.text or "") + (tail or "")
