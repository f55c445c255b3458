"""Renders a report on adaptation as HTML: per field the old action and the new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from siteseer.model import Note

METHODS = {
    "relaxation": "the known expression, relaxed",
    "alignment": "found again: what the last crawl stored",
    "records": "learned from records in the pages",
    "links": "where links of one kind stand",
    "addresses": "what the addresses look like",
    "names": "names that only these pages have",
    "address": "how the addresses begin",
    "relaxed type": "the software itself, by relaxed patterns",
}
STYLE = """
:root{--ink:#1d2733;--soft:#5d6b7a;--line:#dde3ea;--paper:#fff;--ground:#f4f6f9;--good:#1c7c4a;--was:#a33a2c;--mark:#1c5fb8}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#9aa8b7;--line:#323d4a;--paper:#1b232c;--ground:#12181f;--good:#5fc48f;--was:#ef8d7f;--mark:#7fb2f5}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}h1{font-size:1.7rem;margin:0 0 .3rem}h2{font-size:1.15rem;margin:2.4rem 0 .8rem}
p.lead{color:var(--soft);margin:0 0 1.6rem}.figures{display:flex;flex-wrap:wrap;gap:.8rem;margin:0;padding:0;list-style:none}
.figures li{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:.7rem 1.1rem;min-width:9rem}
.figures b{display:block;font-size:1.6rem;line-height:1.2;font-variant-numeric:tabular-nums}.figures span{color:var(--soft);font-size:.86rem}
article{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:1rem 1.2rem;margin:0 0 .8rem}
article h3{margin:0 0 .6rem;font-size:1rem;display:flex;flex-wrap:wrap;gap:.6rem;align-items:baseline}
article h3 small{color:var(--soft);font-weight:400}dl{display:grid;grid-template-columns:6.5rem 1fr;gap:.3rem .9rem;margin:0}
dt{color:var(--soft);font-size:.88rem}dd{margin:0;min-width:0;overflow-wrap:anywhere}code{font:.9em/1.5 ui-monospace,monospace}
.old code{color:var(--was)}.new code{color:var(--good)}a{color:var(--mark)}
.bar{display:inline-block;width:7rem;height:.5rem;border-radius:4px;background:var(--line);vertical-align:middle;margin-right:.5rem;overflow:hidden}
.bar i{display:block;height:100%;background:var(--good)}ul.plain{margin:0;padding-left:1.1rem}@media(max-width:36rem){dl{grid-template-columns:1fr}dt{margin-top:.4rem}}
"""  # noqa: E501 - a style sheet reads better so


def render(notes: Iterable[Note]) -> str:
    """Return the report as one self-contained HTML page.

    >>> change = {"level": "post", "field": "post/title", "old": "h2.a", "new": "h2.b", "confidence": 1.0}
    >>> "h2.b" in render([Note("post: title adapted", event="adapted_action", details=change)])
    True
    """
    kept = list(notes)
    adapted = _latest(note for note in kept if note.event == "adapted_action")
    repaired = {(one.get("level"), one.get("field")) for one in adapted}
    failed = _latest(note for note in kept if note.event == "failed_action" and note.details.get("field"))
    open_ = [one for one in failed if (one.get("level"), one.get("field")) not in repaired]
    body = [f"<main><h1>Adaptation</h1><p class=lead>{escape(_sentence(adapted, open_))}</p>", _figures(adapted, open_)]
    for level in dict.fromkeys(str(one.get("level", "")) for one in adapted):
        body.append(f"<h2>{f'Level {escape(level)}' if level else 'The software'}</h2>")
        body.extend(_article(one) for one in adapted if str(one.get("level", "")) == level)
    if open_:
        body.append("<h2>Still failing</h2><ul class=plain>")
        body.extend(f"<li>{escape(_name(one))}: {_page(one)}</li>" for one in open_)
        body.append("</ul>")
    head = "<meta charset=utf-8><meta name=viewport content='width=device-width'><title>Adaptation</title>"
    head += f"<style>{STYLE}</style>"
    return f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(body)}</main></body></html>\n"


def _latest(notes: Iterable[Note]) -> list[Mapping[str, Any]]:
    """Return the last word on each field, in the order in which they were first spoken of."""
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for note in notes:
        found[str(note.details.get("level", "")), str(note.details.get("field", ""))] = note.details
    return list(found.values())


def _sentence(adapted: list[Mapping[str, Any]], failing: list[Mapping[str, Any]]) -> str:
    if not adapted and not failing:
        return "All known actions worked: nothing had to be adapted."
    if not adapted:
        return "Some known actions gave nothing, and no repair could be proven. They are listed below."
    return (
        "The template of this site is not the one that was known. What no longer worked was repaired, tested on "
        "several pages and is remembered beside the collection."
    )


def _figures(adapted: list[Mapping[str, Any]], failing: list[Mapping[str, Any]]) -> str:
    methods = Counter(str(one.get("method", "")) for one in adapted)
    rows = [(len(adapted), "actions adapted"), (len(failing), "still failing")]
    rows += [(count, METHODS.get(method, method)) for method, count in methods.most_common()]
    items = "".join(f"<li><b>{count}</b><span>{escape(what)}</span></li>" for count, what in rows)
    return f"<ul class=figures>{items}</ul>"


def _article(one: Mapping[str, Any]) -> str:
    rows = [("before", _code(one.get("old")), "old"), ("now", _code(one.get("new")), "new")]
    if relaxations := one.get("relaxations"):
        rows.append(("changed", escape("; ".join(str(change) for change in relaxations)), ""))
    if one.get("confidence") is not None:
        rows.append(("proven", _confidence(one.get("confidence")), ""))
    rows.append(("example", _page(one), ""))
    said = "".join(f"<dt>{name}</dt><dd class='{kind}'>{value}</dd>" for name, value, kind in rows if value)
    method = str(one.get("method", ""))
    title = f"{escape(str(one.get('field', '')))} <small>{escape(METHODS.get(method, method))}</small>"
    return f"<article><h3>{title}</h3><dl>{said}</dl></article>"


def _code(expression: object) -> str:
    return f"<code>{escape(str(expression))}</code>" if expression else ""


def _confidence(value: object) -> str:
    share = float(value) if isinstance(value, int | float) else 0.0
    bar = f"<span class=bar><i style='width:{100 * min(1.0, share):.0f}%'></i></span>"
    return f"{bar}on {share:.0%} of the records or pages"


def _page(one: Mapping[str, Any]) -> str:
    url = str(one.get("example", ""))
    return f"<a href='{escape(url, quote=True)}'>{escape(url)}</a>" if url.startswith(("http://", "https://")) else ""


def _name(one: Mapping[str, Any]) -> str:
    return f"{one.get('level', '')} {one.get('field', '')}".strip()
