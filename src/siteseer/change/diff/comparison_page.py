"""Renders the comparison of two pages as HTML: merged, side by side, or only the differences.

The views hold text only, escaped: no script, style or picture of the compared pages runs when a view is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from html import escape

from lxml import etree

from siteseer.change.diff.compare_captures import Comparison
from siteseer.change.diff.tree_matching import is_unread
from siteseer.model import Page
from siteseer.page.text import BLOCKS
from siteseer.page.tree import title, tree

MOST_LINES = 5_000
_STYLE = (
    "body{font:16px/1.5 Georgia,serif;max-width:74rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "h1{font-size:1.4rem}ins{background:#c8f0c8;text-decoration:none}del{background:#f6c9c9}"
    "table{width:100%;border-collapse:collapse;table-layout:fixed}td,th{vertical-align:top;padding:.2rem .6rem;"
    "overflow-wrap:anywhere;text-align:left}td+td{border-left:1px solid #ddd}p{margin:.4rem 0}.what{color:#555;"
    "font:13px sans-serif}.facts td:first-child{width:9rem}.region{border-radius:3px;padding:0 .3rem;background:#eee}"
)
Line = tuple[str, str, str]
"""What happened to a line (`equal`, `replace`, `delete`, `insert`), and how it read before and after."""


def comparison_html(name: str, old: Page, new: Page, found: Comparison) -> str:
    """Draw a view by its name: `merged`, `side` or `only`."""
    lines = list(_lines(_read(old), _read(new)))
    body = VIEWS[name](lines, found)
    head = f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Changes: {escape(title(new))}</title>"
    return (
        f"{head}<style>{_STYLE}</style><h1>{escape(title(new) or new.url)}</h1>{_facts(old, new, found)}{body}</html>\n"
    )


def _facts(old: Page, new: Page, found: Comparison) -> str:
    alike = ", ".join(f"{name} {value:.3f}" for name, value in found.page.items())
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(found.kinds.items())) or "none"
    rows = [("verdict", f"{found.verdict}: {found.because}"), ("changes", kinds), ("similarity", alike)]
    rows += [("old", _when(old)), ("new", _when(new))]
    cells = "".join(f"<tr><td>{name}</td><td>{escape(value)}</td></tr>" for name, value in rows if value)
    return f'<table class="facts what">{cells}</table><hr>'


def _when(page: Page) -> str:
    return page.url + (f" ({page.fetched_at:%Y-%m-%d %H:%M})" if page.fetched_at else "")


def _merged(lines: Sequence[Line], found: Comparison) -> str:
    return "".join(f"<p>{_marked(one)}</p>" for one in lines)


def _side(lines: Sequence[Line], found: Comparison) -> str:
    rows = "".join(f"<tr><td>{_half(one, 'del')}</td><td>{_half(one, 'ins')}</td></tr>" for one in lines)
    return f"<table><tr><th>before</th><th>after</th></tr>{rows}</table>"


def _only(lines: Sequence[Line], found: Comparison) -> str:
    texts = "".join(f"<p>{_marked(one)}</p>" for one in lines if one[0] != "equal") or "<p>No words changed.</p>"
    rows = "".join(
        f"<tr><td>{change.kind} {change.what} <span class=region>{change.region}</span></td><td>{escape(change.xpath)}"
        f"</td><td><del>{escape(change.old[:300])}</del> <ins>{escape(change.new[:300])}</ins></td></tr>"
        for change in found.changes[:500]
    )
    return f"{texts}<hr><table class=what><tr><th>change</th><th>where</th><th>what</th></tr>{rows}</table>"


VIEWS: dict[str, Callable[[Sequence[Line], Comparison], str]] = {"merged": _merged, "side": _side, "only": _only}


def _read(page: Page) -> list[str]:
    """Return the visible text, a line for each block."""
    lines: list[str] = []
    current: list[str] = []

    def end() -> None:
        if text := " ".join("".join(current).split()):
            lines.append(text)
        current.clear()

    walk = etree.iterwalk(tree(page), events=("start", "end"))
    for event, element in walk:
        if element.tag in BLOCKS:
            end()
        if event == "start":
            if is_unread(element):
                walk.skip_subtree()
            elif element.text:
                current.append(element.text)
        elif element.tail:
            current.append(element.tail)
    end()
    return lines[:MOST_LINES]


def _lines(old: list[str], new: list[str]) -> Iterator[Line]:
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > 4_000_000).get_opcodes():
        before, after = old[a:b], new[c:d]
        for number in range(max(len(before), len(after))):
            one = before[number] if number < len(before) else ""
            two = after[number] if number < len(after) else ""
            yield (what if one and two else "delete" if one else "insert"), one, two


def _marked(line: Line) -> str:
    what, old, new = line
    if what == "equal":
        return escape(new)
    return "".join(
        (f"<del>{escape(a)}</del> " if a and a != b else "")
        + (f"<ins>{escape(b)}</ins> " if b and a != b else escape(b) + " " * (a == b))
        for a, b in _words(old, new)
    )


def _half(line: Line, mark: str) -> str:
    what, old, new = line
    if what == "equal":
        return escape(new)
    number = 0 if mark == "del" else 1
    return " ".join(
        escape(pair[number]) if pair[0] == pair[1] else f"<{mark}>{escape(pair[number])}</{mark}>"
        for pair in _words(old, new)
        if pair[number]
    )


def _words(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Return runs of words before and after; equal runs are equal."""
    a, b = old.split(), new.split()
    for _, i, j, k, m in SequenceMatcher(None, a, b, autojunk=len(a) * len(b) > 4_000_000).get_opcodes():
        yield " ".join(a[i:j]), " ".join(b[k:m])
