"""Rates the robustness of an expression: a product over its parts, larger where it should survive more redesigns.

The factors were set by hand on open data; they encode what designers rarely change (meaning: itemprop, headings, lists
of definitions, labels that name the attribute) and what they often change (positions, layout elements).
"""

from __future__ import annotations

import re

from siteseer.wrapper.induction.induced_xpath import Expression, Label, Leaf, Move, Test

TAGS = {
    tag: factor
    for tags, factor in (
        ("h1 title", 0.96), ("dd dt", 0.95), ("h2 h3", 0.93), ("a", 0.92), ("li", 0.90), ("td tr", 0.88),
        ("b p table tbody", 0.85), ("div span section", 0.80), ("font center", 0.75),
    )
    for tag in tags.split()
}  # fmt: skip
OTHER_TAG = 0.90
ATTRIBUTES = {"itemprop": 0.97, "property": 0.97, "id": 0.92, "headers": 0.93, "rel": 0.93, "class": 0.86}
OTHER_ATTRIBUTE = 0.85
HAS_DIGIT = 0.75
ANYWHERE = 0.97
CHILD = 0.94
LAST = 0.60
OWN_TEXT = 0.93
FOLLOWING = 0.68
"""Whatever is put between a label and its value comes next: advertisements, icons with a text, notes."""
AXES = {"ancestor": 0.97, "following-sibling": 0.93, "preceding-sibling": 0.85, "following": 0.93, "preceding": 0.85}
_WORD = re.compile(r"[^\W\d_]{3,}")
_COUNTER = re.compile(r"\d{3}|\d/\d")


def robustness(expression: Expression, name: str = "", scoped: float = 1.0) -> float:
    """Return a number up to 1, larger for expressions that should survive more changes.

    >>> by_label = Expression(Label("Author:"), (), Leaf("following", 1))
    >>> by_place = Expression(None, (Move("descendant", Test("div", position=3)),), Leaf("child"))
    >>> robustness(by_label, "author") > robustness(by_place)
    True
    """
    factor = scoped
    if expression.label:
        factor *= _label(expression.label, name)
    for move in expression.moves:
        factor *= _move(move)
    return factor * _leaf(expression.leaf)


def _move(move: Move) -> float:
    factor = _test(move.test)
    if move.axis in ("child", "descendant"):
        return factor * (CHILD if move.axis == "child" else ANYWHERE)
    return factor * AXES[move.axis] * 0.8 ** max(0, move.nth - 1)


def _test(test: Test) -> float:
    factor = TAGS.get(test.tag, OTHER_TAG) if test.tag != "*" else 1.0
    if test.attribute:
        factor *= ATTRIBUTES.get(test.attribute, OTHER_ATTRIBUTE)
        factor *= HAS_DIGIT if re.search(r"\d", test.value) else 1.0
    if test.text:
        factor *= OWN_TEXT
    if test.position:
        factor *= LAST if test.position < 0 else 0.62 / (1 + 0.05 * test.position)
    return factor


def _label(label: Label, name: str) -> float:
    text = label.text
    words = {word[:5] for word in _WORD.findall(text.lower())}
    shares = bool(words & {word[:5] for word in _WORD.findall(name.lower().replace("_", " "))})
    factor = 0.97 if shares else 0.93 if text.endswith(":") else 0.88
    if len(text.split()) >= 4 and not shares:
        factor *= 0.92
    if _COUNTER.search(text):
        factor *= 0.60
    return factor * (_test(label.scope) * ANYWHERE if label.scope else 1.0)


def _leaf(leaf: Leaf) -> float:
    if leaf.kind == "following":
        return FOLLOWING * 0.72 ** (leaf.nth - 1)
    if leaf.kind == "preceding":
        return 0.60 * 0.70 ** (leaf.nth - 1)
    if leaf.kind == "sibling":
        return 0.92 * 0.72 ** (leaf.nth - 1)
    if leaf.nth:
        return 0.72 if leaf.nth < 0 else 0.72 / (1 + 0.05 * leaf.nth) if leaf.kind == "child" else 0.90
    return {"inside": 0.97, "child": 0.95}.get(leaf.kind, 1.0)
