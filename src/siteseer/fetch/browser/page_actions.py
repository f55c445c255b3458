"""Performs a person's actions in a real browser: click, type, choose, press, point, scroll, enter a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from siteseer.errors import FetchError, UsageError
from siteseer.fetch.browser.load import page_script
from siteseer.fetch.browser.playwright_library import playwright_error, playwright_timeout

CLICK_MILLISECONDS = 4_000
"""An element that cannot be reached by a mouse for so long is clicked by an event instead."""
POINTED = ("mouseout", "mouseenter", "mousemove", "mousedown", "mouseup")
CHOOSE = """(select, text) => {
  const fold = words => words.replace(/\\s+/g, ' ').trim();
  const options = [...select.options];
  const tests = [one => one.text === text, one => one.value === text, one => fold(one.text) === fold(text),
    one => fold(one.text).toLowerCase() === fold(text).toLowerCase()];
  for (const test of tests) {
    const found = options.findIndex(test);
    if (found >= 0) return found;
  }
  return -1;
}"""

Ask = Callable[..., Any]


def perform_action(ask: Ask, frame: Any, number: int, deed: str, value: str, key: str) -> Any:
    """Do something with a node; return the frame that was entered, None where none was."""
    if deed == "wait":
        return None  # whoever waits for the page to come to rest waits for that, too
    if deed == "keyword" and value == "wheel":
        ask(frame, "wheel", number=number)
        return None
    with _element(frame, number, key) as element:
        if deed == "keyword":
            return _keyword(element, value)
        if deed == "press":
            element.press(value)
        elif deed == "index":
            element.select_option(index=int(value), timeout=CLICK_MILLISECONDS)
        else:
            _type(element, value)
    return None


@contextmanager
def _element(frame: Any, number: int, key: str) -> Iterator[Any]:
    """Take hold of an element, and let go of it: what is held is kept in three processes for as long as the page."""
    asked = {"key": key, "token": "", "what": "node", "expected": "", "number": number}
    answer = frame.evaluate_handle(page_script(), asked)
    held = answer.get_property("answer")
    try:
        element = held.as_element()
        if element is None or element.evaluate("one => one.nodeType") != 1:
            raise UsageError("an action is done with an element, not with an attribute, a text or the whole page")
        yield element
    finally:
        for one in (held, answer):
            with suppress(playwright_error()):  # its page has gone already, and it with the page
                one.dispose()


def _type(element: Any, text: str) -> None:
    """Type into a field, or choose the option with this text; a trailing \\n presses Enter."""
    if element.evaluate("one => one.localName") == "select":
        found = element.evaluate(CHOOSE, text)
        if found < 0:
            raise FetchError(f"there is no option {text!r} to choose")
        element.select_option(index=found, timeout=CLICK_MILLISECONDS)
        return
    enters = text.endswith(("\\n", "\n"))
    plain = text.removesuffix("\n").removesuffix("\\n")
    element.fill(plain, timeout=CLICK_MILLISECONDS, force=True)
    element.evaluate("""one => { for (const name of ['keydown', 'keyup'])
      one.dispatchEvent(new KeyboardEvent(name, {bubbles: true})); }""")
    if enters:
        element.press("Enter", no_wait_after=True)


def _click(element: Any, count: int = 1) -> None:
    try:
        element.click(timeout=CLICK_MILLISECONDS, click_count=count, no_wait_after=True)
    except playwright_timeout():  # it is covered, or has no size: scripts hear of the event all the same
        element.dispatch_event("click" if count == 1 else "dblclick")
    except playwright_error() as error:
        if "not visible" not in error.message and "outside of the viewport" not in error.message:
            raise
        element.dispatch_event("click" if count == 1 else "dblclick")


def _keyword(element: Any, word: str) -> Any:
    if word in ("enterframe", "movetoframe"):
        return _frame(element, word)
    if word == "click":
        _click(element)
    elif word == "dblclick":
        _click(element, 2)
    elif word in ("check", "uncheck"):
        element.set_checked(word == "check", timeout=CLICK_MILLISECONDS, force=True)
    elif word == "focus":
        element.focus()
    elif word == "mouseover":
        element.hover(timeout=CLICK_MILLISECONDS, force=True)
    elif word in POINTED:
        element.dispatch_event(word)
    elif word == "pressenter":
        element.press("Enter", no_wait_after=True)
    elif word == "submit":
        _submit(element)
    elif word == "movetohref":
        _follow(element)
    return None


def _submit(element: Any) -> None:
    if element.evaluate("one => one.localName") == "form":
        element.evaluate("form => form.requestSubmit()")
    else:
        element.press("Enter", no_wait_after=True)


def _follow(element: Any) -> None:
    if not element.evaluate("one => { if (one.href) location.href = one.href; return Boolean(one.href); }"):
        raise FetchError("the node has no address to follow")


def _frame(element: Any, word: str) -> Any:
    frame = element.content_frame()
    if frame is None:
        raise FetchError("the node is no frame")
    if word == "movetoframe":
        element.evaluate("(one, url) => { location.href = url; }", frame.url)
        return None
    return frame
