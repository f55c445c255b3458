"""Loads the rest of a page in a browser: follows the knowledge base's steps, or scrolls and presses "more".

Only buttons without an address are pressed, and none that sends a form: what a reader does to read on, nothing else.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from siteseer.knowledge.types import Interaction
from siteseer.page.scripts.more_buttons import says_more
from siteseer.settings import ShowLimits
from siteseer.xpath.evaluation import to_xpath

ENDLESS = "the page went on after {} rounds"
GROWN = "the page has grown beyond {} elements"
FEWEST_LETTERS = 20
"""Less is a clock, not content."""


class ShownPage(Protocol):
    """A page that can be asked and waited for."""

    limits: ShowLimits
    elements: int
    refused: str

    async def ask(self, what: str, **call: Any) -> Any:
        """Ask the page."""
        ...

    async def settle(self) -> dict[str, Any]:
        """Wait until the page is at rest."""
        ...


async def load_whole_page(shown: ShownPage, steps: tuple[Interaction, ...] | None) -> tuple[list[str], str]:
    """Do what shows all of a page; return what was done, in words, and why it may not be all."""
    done: Counter[str] = Counter()
    unfinished = ""
    if steps is None:
        unfinished = await _show_all(shown, done)
    else:
        for step in steps:
            unfinished = await _KINDS[step.do](shown, step, done) or unfinished
    if shown.refused and not unfinished:
        unfinished = f"its scripts asked for more than {shown.limits.requests} documents"
    return [f"{what} {times} times" if times > 1 else what for what, times in done.items()], unfinished


async def _show_all(shown: ShownPage, done: Counter[str]) -> str:
    """Scroll until the page is still, press what says more, and begin again, until nothing shows more."""
    for _ in range(shown.limits.rounds):
        if shown.elements > shown.limits.elements:
            return GROWN.format(shown.limits.elements)
        if await _scrolled(shown):
            done["scrolled"] += 1
        elif not await _pressed(shown, done):
            await shown.ask("top")
            return ""
    return ENDLESS.format(shown.limits.rounds)


async def _scrolled(shown: ShownPage) -> bool:
    """Scroll to the end; say whether that made the page longer."""
    before = await shown.ask("state")
    await shown.ask("scroll")
    after = await shown.settle()
    return bool(after["elements"] > before["elements"] or after["text"] > before["text"] + FEWEST_LETTERS)


async def _pressed(shown: ShownPage, done: Counter[str]) -> bool:
    """Press a button that says more; say whether there was one."""
    labels: list[str] = await shown.ask("buttons")
    for number, label in enumerate(labels):
        if says_more(label):
            before = await shown.ask("state")
            await shown.ask("press", number=number)
            after = await shown.settle()
            if after["elements"] <= before["elements"] and after["text"] <= before["text"]:
                await shown.ask("give up", number=number)
            else:
                done[f"pressed {label!r}"] += 1
            return True
    return False


async def _scroll(shown: ShownPage, step: Interaction, done: Counter[str]) -> str:
    most = step.most or shown.limits.rounds
    for _ in range(most):
        if not await _scrolled(shown):
            return ""
        done["scrolled"] += 1
    return "" if step.most else ENDLESS.format(most)


async def _click(shown: ShownPage, step: Interaction, done: Counter[str]) -> str:
    """Press what the expression finds, one at a time, until nothing is found or nothing changes."""
    most = step.most or shown.limits.rounds
    for _ in range(most):
        if shown.elements > shown.limits.elements:
            return GROWN.format(shown.limits.elements)
        before = await shown.ask("state")
        found = await shown.ask("press all", xpath=_xpath(step), most=1, number=0)
        if not found["pressed"]:
            return ""
        after = await shown.settle()
        if (after["elements"], after["text"]) == (before["elements"], before["text"]):
            return ""
        done[f"pressed {step.text}"] += 1
    return "" if step.most else ENDLESS.format(most)


async def _expand(shown: ShownPage, step: Interaction, done: Counter[str]) -> str:
    """Press everything that the expression finds, each once."""
    found = await shown.ask("press all", xpath=_xpath(step), most=step.most or shown.limits.rounds, number=1)
    await shown.settle()
    if found["pressed"]:
        done[f"expanded {step.text}"] += found["pressed"]
    return ""


async def _accept(shown: ShownPage, step: Interaction, done: Counter[str]) -> str:
    """Press the first of what the expression finds."""
    found = await shown.ask("press all", xpath=_xpath(step), most=1, number=1)
    await shown.settle()
    if found["pressed"]:
        done[f"accepted {step.text}"] += 1
    return ""


def _xpath(step: Interaction) -> str:
    return to_xpath(step.expression)


_KINDS = {"scroll-until-still": _scroll, "click-until-gone": _click, "expand": _expand, "accept": _accept}
