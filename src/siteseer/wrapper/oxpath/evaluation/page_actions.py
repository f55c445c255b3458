"""Evaluates actions: acts on a node and runs the rest of the wrapper on the new page before the next node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from siteseer.errors import FetchError
from siteseer.interfaces import Browser, WebNode
from siteseer.wrapper.oxpath.evaluation.evaluate_pure import Context, PureEvaluator
from siteseer.wrapper.oxpath.evaluation.item_flow import ActionOutcomes, Batch, Flow, Item, WrapperError
from siteseer.wrapper.oxpath.evaluation.xpath_values import boolean, string
from siteseer.wrapper.oxpath.language.syntax import Action, Call, Path, Step

_DISABLED = Call("boolean", (Path("", (Step("disabled", "attribute"),)),))
_ADDRESS = Call("string", (Path("", (Step("href", "attribute"),)),))
_SAYS = Call("normalize-space", (Path("", (Step("node()", "self"),)),))
FOLLOWS = ("click", "nextclick", "movetohref")


@dataclass
class Actions:
    """Performs actions; `must_go_on` says that a failure ends the run, as nothing after it would be reached."""

    browser: Browser
    looks: PureEvaluator
    variables: Mapping[str, str]
    warn: Callable[[str], None]
    strict: bool
    must_go_on: Callable[[], bool]
    pages: int = 0
    """Pages that actions led to."""

    def flow(self, action: Action, batches: Flow) -> Flow:
        """Act on every node; yield where the wrapper continues after each."""
        visited: set[str] = set()
        tried = ActionOutcomes(self.warn)
        with closing(batches):
            for batch in batches:
                for at, item in enumerate(batch.items, 1):
                    is_last = at == len(batch.items)
                    keep = batch.protected or not is_last
                    before = self._before(action, item)
                    if before is None:
                        continue
                    root = self._acted(action, item, keep, tried)
                    if root is None:
                        continue
                    try:
                        target = self._after(action, item, root, before, visited)
                        if target is not None:
                            stays = keep and target.page == item.node.page
                            yield Batch([replace(item, node=target)], stays, batch.final and not keep)
                    finally:
                        if keep:
                            self.browser.release(root, item.node)
        tried.end()

    def turn(self, action: Action, batches: Flow) -> Flow:
        """Act at the end of a star's body: of links with the same text and address only one is followed."""
        follows = action.deed == "keyword" and action.value in FOLLOWS and action.absolute
        return self.flow(action, self._distinct(batches) if follows else batches)

    def _distinct(self, batches: Flow) -> Flow:
        with closing(batches):
            for batch in batches:
                if len(batch.items) < 2:
                    yield batch
                    continue
                places = [Context(item.node) for item in batch.items]
                links = zip(self.looks.values(_ADDRESS, places), self.looks.values(_SAYS, places), strict=True)
                kept: dict[object, Item] = {}
                for item, (address, said) in zip(batch.items, links, strict=True):
                    kept.setdefault((string(address), string(said)) if leads_away(string(address)) else item, item)
                yield replace(batch, items=list(kept.values()))

    def _acted(self, action: Action, item: Item, keep: bool, tried: ActionOutcomes) -> WebNode | None:
        """Do it; None where that failed and the others can still be done. A star that cannot go on ends the run."""
        deed, value = action.deed, action.value
        if deed == "variable":
            deed, value = "text", self.variables[value]
        plain = "click" if value in ("nextclick", "clkwithchange") and deed == "keyword" else value
        self.looks.asked.forget()
        try:
            root = self.browser.act(item.node, deed, plain, action.wait, keep and not action.noback)
        except FetchError as error:
            failure = WrapperError(f"{replace(action, qualifiers=())} failed: {error}")
            failure.__cause__ = error  # raised at once, or when no node was acted upon
            if self.strict or self.must_go_on():
                raise failure from error
            tried.failed(failure)
            return None
        tried.went_well()
        self.pages += root.page != item.node.page
        return root

    def _before(self, action: Action, item: Item) -> str | None:
        """Return what the page is like before an action that must change it; None where it cannot be done at all."""
        if action.deed != "keyword" or action.value not in ("nextclick", "clkwithchange"):
            return ""
        if boolean(self.looks.values(_DISABLED, [Context(item.node)])[0]):
            return None
        what = "url" if action.value == "nextclick" else "fingerprint"
        return self.browser.tell([item.node], what)[0]

    def _after(self, action: Action, item: Item, root: WebNode, before: str, visited: set[str]) -> WebNode | None:
        """Return where to go on after an action, None where it led nowhere."""
        if before:
            what = "url" if action.value == "nextclick" else "fingerprint"
            now = self.browser.tell([root], what)[0]
            if now == before or now in visited:
                return None
            visited.update((before, now) if what == "url" else ())
        if action.absolute or action.value in ("enterframe", "movetoframe"):
            return root
        found = self.browser.again(item.node, root)
        if found is None:
            text = f"after {replace(action, qualifiers=())} the node is no longer on the page"
            if self.strict:
                raise WrapperError(text)
            self.warn(f"{text}: it was left out")
        return found


def leads_away(address: str) -> bool:
    """Say whether a link leads to another page, rather than to a fragment or a script of its own.

    >>> [leads_away(address) for address in ("/list?page=2", "#", "javascript:turn()", "")]
    [True, False, False, False]
    """
    return bool(address.strip()) and not address.strip().lower().startswith(("#", "javascript:"))
