"""Caches a browser's answers to XPath at many nodes until an action changes the page."""

from __future__ import annotations

from collections.abc import Sequence

from siteseer.interfaces import Browser, WebNode

Answer = str | float | bool | list[WebNode]


class BatchCache:
    """Evaluates XPath at nodes in one browser, with a cache."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._known: dict[tuple[str, WebNode], Answer] = {}

    def forget(self) -> None:
        """Clear the cache: an action has changed a page."""
        self._known.clear()

    def evaluate(self, nodes: Sequence[WebNode], xpath: str) -> list[Answer]:
        """Evaluate XPath at nodes unless the answer is cached; answers at many nodes are cached."""
        open_ones = [node for node in nodes if (xpath, node) not in self._known]
        answers = self.browser.evaluate(open_ones, xpath) if open_ones else []
        if len(nodes) == 1:
            return answers or [self._known[xpath, nodes[0]]]
        self._known.update(((xpath, node), answer) for node, answer in zip(open_ones, answers, strict=True))
        return [self._known[xpath, node] for node in nodes]


def string_of(value: Answer) -> str:
    """Return the result of `string(.)`."""
    return value if isinstance(value, str) else ""
