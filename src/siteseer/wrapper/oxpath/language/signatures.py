"""The functions that a wrapper may call, with their numbers of arguments, and the node tests that look like calls."""

from __future__ import annotations

MANY = 99

XPATH_ARITIES: dict[str, tuple[int, int]] = {
    "last": (0, 0), "position": (0, 0), "count": (1, 1), "id": (1, 1), "local-name": (0, 1), "name": (0, 1),
    "string": (0, 1), "concat": (2, MANY), "starts-with": (2, 2), "contains": (2, 2), "substring-before": (2, 2),
    "substring-after": (2, 2), "substring": (2, 3), "string-length": (0, 1), "normalize-space": (0, 1),
    "translate": (3, 3), "boolean": (1, 1), "not": (1, 1), "true": (0, 0), "false": (0, 0), "lang": (1, 1),
    "number": (0, 1), "sum": (1, 1), "floor": (1, 1), "ceiling": (1, 1), "round": (1, 1),
}  # fmt: skip
"""The functions of XPath 1.0."""
OWN_ARITIES: dict[str, tuple[int, int]] = {
    "matches": (2, 2), "replace": (3, 3), "string-join": (1, 2), "substring-before-reverse": (2, 2),
    "substring-after-reverse": (2, 2), "substring-reverse": (2, 3), "qualify-url": (0, 1), "current-url": (0, 0),
    "innerhtml": (0, 1), "outerhtml": (0, 1), "to-xml": (0, 1), "dom-property": (1, 1), "select-text": (0, 1),
    "page-content": (0, 0), "screenshot": (0, 0), "save-page": (0, 0), "now": (0, 0), "urify": (1, 1),
    "jaro-winkler": (2, 2), "jaro-wrinkler": (2, 2), "is-visible": (0, 1), "is-invisible": (0, 1),
}  # fmt: skip
"""The functions beyond XPath 1.0; `jaro-wrinkler` is how the first implementation spells it."""
ARITIES = XPATH_ARITIES | OWN_ARITIES
NODE_TESTS = frozenset(("text", "node", "comment", "processing-instruction", "field", "any-field"))
