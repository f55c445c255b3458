"""Renders the campaign report as one self-contained HTML page; everything from pages is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from siteseer.collection.objects.object_json import clean
from siteseer.measure.comparison_report import STYLE
from siteseer.model import JSON

LONGEST = 80
SHOWN = 12
"""Rows of a table that people read."""
MORE = """
td.text,th.text{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:9rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.8rem;margin:0 0 1.6rem}
.tiles div{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:.7rem .9rem}
.tiles b{display:block;font-size:1.4rem;font-variant-numeric:tabular-nums}.tiles span{color:var(--soft)}
p.none{color:var(--soft)}a{color:inherit}
i.bar{display:inline-block;height:.6rem;border-radius:3px;vertical-align:middle}
"""
READ = ("entities.csv", "topics.csv", "opinions.csv")
Columns = Sequence[tuple[str, str]]
TEXT = ("site", "url", "title", "author", "label", "started")
TABLES: tuple[tuple[str, str, str, Columns], ...] = (
    ("sites", "Sites", "By pages on the topic.",
     (("site", "site"), ("pages", "pages"), ("relevant", "on the topic"), ("mean_relevance", "mean relevance"))),
    ("linked_sites", "Most linked sites", "By how many other sites link there.",
     (("site", "site"), ("linking_sites", "linking sites"), ("linking_authors", "linking authors"), ("links", "links"),
      ("crawled", "in the campaign"))),
    ("linked_pages", "Most linked pages", "By distinct authors; a site counts as one where its pages name none.",
     (("url", "page"), ("linking_authors", "authors"), ("linking_sites", "sites"), ("relevance", "relevance"))),
    ("linked_authors", "Most linked authors", "By how many other authors link to what they wrote.",
     (("author", "author"), ("site", "site"), ("linking_authors", "by authors"), ("linking_sites", "by sites"),
      ("links", "links"))),
    ("authors", "Authors", "By what they wrote on the topic.",
     (("author", "author"), ("posts", "posts"), ("relevant_posts", "on the topic"), ("first", "first"),
      ("last", "last"))),
    ("entities", "Entities", "Named in the texts.",
     (("label", "entity"), ("objects", "objects"), ("sites", "sites"), ("mean_relevance", "mean relevance"))),
    ("topics", "Topics", "The campaign's own, and terms that occur together.",
     (("label", "topic"), ("objects", "objects"), ("sites", "sites"), ("mean_relevance", "mean relevance"))),
    ("opinions", "Opinions", "Told by word lists: read the sentences before you quote them.",
     (("label", "of"), ("objects", "objects"), ("positive", "in favour"), ("negative", "against"), ("mean", "mean"))),
)  # fmt: skip


def report_page(result: JSON, pictures: Mapping[str, str]) -> str:
    """Return the page."""
    body = [f"<h1>{escape(clean(result['campaign']))}</h1><p class=lead>What the campaign has gathered</p>"]
    body.append(_tiles(result["totals"]))
    for one in result["terms"]:
        body.append(_terms(one, pictures))
    body.append(_crawls(result["crawls"]))
    for key, title, note, columns in TABLES:
        body.append(_section(title, note, columns, result[key], f"{key.replace('_', '-')}.csv"))
        if key == "linked_sites" and "links" in pictures:
            body.append(f"<figure>{pictures['links']}</figure>")
    head = "<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    head += f"<title>{escape(clean(result['campaign']))}: report</title><style>{STYLE}{MORE}</style><main>"
    return head + "".join(body) + "</main></html>\n"


def _tiles(totals: Mapping[str, int]) -> str:
    tiles = (f"<div><b>{count:,}</b><span>{name.replace('_', ' ')}</span></div>" for name, count in totals.items())
    return f"<div class=tiles>{''.join(tiles)}</div>"


def _terms(one: JSON, pictures: Mapping[str, str]) -> str:
    """Return the picture of terms over time, and what it does not show."""
    if (name := f"terms-{one['clock']}") in pictures:
        left = f"<p class=lead>{one['undated']:,} objects do not say when.</p>" if one["undated"] else ""
        return f"<figure>{pictures[name]}</figure>{left}"
    when = (
        f"in one {one['step']}, {escape(one['times'][0].replace('T', ' '))}"
        if one["times"]
        else "at a time that nobody told"
    )
    return f"<p class=none>Everything was {escape(one['clock'])} {when}: there is no curve.</p>"


def _crawls(crawls: Sequence[JSON]) -> str:
    """Return what further crawls found: pages new, gone and changed, and their objects."""
    rows = [
        {
            "site": one["site"], "started": one["started"].replace("T", " "),
            **{f"page {name}": count for name, count in one["pages"].items()},
            **{f"object {name}": count for name, count in one["objects"].items()},
        }
        for one in crawls
    ]  # fmt: skip
    if not rows:
        return (
            "<h2>New, gone, changed</h2><p class=none>Every site was crawled once. <code>siteseer revisit</code> on a "
            "site's collection, or <code>--before DIR</code> with an earlier directory of the campaign, tells what "
            "changed.</p>"
        )
    columns = [("site", "site"), ("started", "crawl of")]
    columns += [(f"page {name}", f"pages {name}") for name in ("new", "gone", "changed", "same", "not asked")]
    columns += [(f"object {name}", f"objects {name}") for name in ("new", "gone", "edited")]
    note = "By crawl of each site; changes.csv names them."
    return _section("New, gone, changed", note, columns, rows, "report.json")


def _section(title: str, note: str, columns: Columns, rows: Sequence[JSON], file: str) -> str:
    head = f"<h2>{escape(title)}</h2>"
    if not rows:
        hint = ": <code>siteseer campaign analyse</code> reads the texts" if file in READ else ""
        return f"{head}<p class=none>None{hint}.</p>"
    names = "".join(f"<th scope=col{_kind(key)}>{escape(name)}</th>" for key, name in columns)
    lines = "".join(f"<tr>{''.join(_cell(key, row) for key, _ in columns)}</tr>" for row in rows[:SHOWN])
    note += f" The first {SHOWN}; {file} has all." if len(rows) > SHOWN else ""
    table = f"<div class=wide><table><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table></div>"
    return f"{head}<p class=lead>{escape(note)}</p>{table}"


def _cell(key: str, row: JSON) -> str:
    value = row.get(key)
    if key == "crawled":
        said = "yes" if value else "no"
    elif key == "url":
        return f"<td{_kind(key)}>{_link(str(value), str(row.get('title') or value))}</td>"
    elif key == "label" and not value:
        said = "whole texts"
    elif isinstance(value, float):
        said = f"{value:.2f}"
    elif isinstance(value, int):
        said = f"{value:,}"
    else:
        said = clean(str(value or "–"))[:LONGEST]
    return f"<td{_kind(key)}>{escape(said)}</td>"


def _link(url: str, text: str) -> str:
    said = escape(clean(text)[:LONGEST])
    if not url.startswith(("http://", "https://")):
        return said
    return f'<a href="{escape(url, quote=True)}" rel="noreferrer noopener">{said}</a>'


def _kind(key: str) -> str:
    return " class=text" if key in TEXT else ""
