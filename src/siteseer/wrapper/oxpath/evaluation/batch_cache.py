"""What a browser was asked at many nodes at once, remembered until something is done with a page."""

from __future__ import annotations

from collections.abc import Sequence

from siteseer.interfaces import Browser, WebNode

Answer = str | float | bool | list[WebNode]


class Asked:
    """Asks one browser for the value of XPath at nodes."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._known: dict[tuple[str, WebNode], Answer] = {}

    def forget(self) -> None:
        """Forget what was asked: something has been done with a page."""
        self._known.clear()

    def evaluate(self, nodes: Sequence[WebNode], xpath: str) -> list[Answer]:
        """Evaluate XPath at nodes, as far as it is not known; what is asked at many nodes is remembered."""
        open_ones = [node for node in nodes if (xpath, node) not in self._known]
        answers = self.browser.evaluate(open_ones, xpath) if open_ones else []
        if len(nodes) == 1:
            return answers or [self._known[xpath, nodes[0]]]
        self._known.update(((xpath, node), answer) for node, answer in zip(open_ones, answers, strict=True))
        return [self._known[xpath, node] for node in nodes]


def string_of(value: Answer) -> str:
    """Return what `string(.)` gave."""
    return value if isinstance(value, str) else ""
