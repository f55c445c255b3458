"""The two templates of searchable sites: `modern` with labelled cards, `classic` with tables in another language."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from siteseer.demo.sources.entry import TITLE, Entry, Source, TemplateWords

MODERN_STYLE = """body{margin:0;font:16px/1.5 Georgia,serif;background:#f7f7f4;color:#222}header{background:#12454a;color:#fff;padding:18px 7%}header a{color:#fff;font-size:22px;text-decoration:none}
.wrap{display:grid;grid-template-columns:1fr 240px;gap:28px;padding:24px 7%}.hit{background:#fff;border:1px solid #dde3e0;border-radius:8px;padding:12px 18px;margin:0 0 14px}.hit h3{margin:0 0 6px}
.tag{color:#6b7672;font-size:13px;margin-right:4px}.facts{list-style:none;margin:0;padding:0}.facts li{display:inline-block;margin-right:18px}dl{margin:0}dt{float:left;clear:left;width:110px;color:#6b7672}dd{margin-left:120px}
form{background:#e6eeec;padding:14px 18px;border-radius:8px;margin-bottom:18px}.ask{display:inline-block;margin:4px 14px 4px 0}.ask label{display:block;font-size:13px}.promo{background:#fff3d6;padding:10px;margin:0 0 14px}footer{padding:20px 7%;color:#777}"""
CLASSIC_STYLE = """body{font:12px Verdana,sans-serif;background:#e8e4da}table.page{background:#fff;width:920px;margin:auto;border:1px solid #8b7d5c}td.banner{background:#5b2a1d;color:#fff;padding:10px;font-size:20px}td.banner a{color:#fff}
td.side{width:180px;background:#f3efe4;vertical-align:top;padding:8px}td.main{vertical-align:top;padding:12px}table.list{border-collapse:collapse;width:100%}table.list th{background:#d9cfb4;text-align:left;padding:4px 6px}
table.list td{border-bottom:1px dotted #b8ab86;padding:4px 6px}td.foot{background:#f3efe4;padding:6px;font-size:10px}td.key{background:#f3efe4;font-weight:bold;padding:3px 8px}"""


class Modern:
    """The template `modern`: films as lists of labelled facts, places as definition lists."""

    def __init__(self, tongue: TemplateWords) -> None:
        self.tongue = tongue

    def results(self, source: Source, entries: Iterable[Entry]) -> str:
        """Draw a list of entries; what is not known is not mentioned."""
        return f'<section class="hits">{"".join(self._card(source, entry) for entry in entries)}</section>'

    def _card(self, source: Source, entry: Entry) -> str:
        link = f'<h3><a href="{self.tongue.entry.format(entry.number)}">{escape(entry.get(TITLE))}</a></h3>'
        known = [(name, entry.get(name)) for name in source.attributes[1:] if entry.get(name)]
        labels = self.tongue.labels
        if source.kind == "places":
            return f'<article class="hit">{link}<dl>{"".join(f"<dt>{labels[name]}</dt><dd>{escape(value)}</dd>" for name, value in known)}</dl></article>'
        facts = "".join(
            f'<li class="{name}"><span class="tag">{labels[name]}</span><b>{escape(value)}</b></li>'
            for name, value in known
        )
        return f'<article class="hit">{link}<ul class="facts">{facts}</ul></article>'

    def details(self, source: Source, entry: Entry) -> str:
        """Draw everything about an entry."""
        known = {name: entry.get(name) for name in source.attributes[1:] if entry.get(name)} | dict(entry.more or {})
        rows = "".join(
            f'<div class="row"><span class="tag">{self.tongue.labels[name]}:</span> <span class="{name}">{escape(value)}</span></div>'
            for name, value in known.items()
        )
        return f'<article class="entry"><h1>{escape(entry.get(TITLE))}</h1>{rows}<div class="story">{entry.passage.html()}</div></article>'

    def ask(self, label: str, name: str, control: str) -> str:
        """Draw one field of a form."""
        return f'<div class="ask"><label for="{name}">{label}</label>{control}</div>'

    def form(self, path: str, fields: str) -> str:
        """Draw a search form."""
        return f'<form id="finder" action="{path}" method="get">{fields}<button type="submit">{self.tongue.says["search"]}</button></form>'

    def frame(self, source: Source, title: str, content: str, favourites: str, advert: str) -> str:
        """Draw a page around its content, with all that surrounds answers on such sites."""
        says = self.tongue.says
        side = f'<aside><div class="promo"><small>{says["advert"]}</small><p>{escape(advert)}</p></div><h4>{says["favourites"]}</h4><ol class="loved">{favourites}</ol></aside>'
        return (
            f'<!DOCTYPE html>\n<html lang="{self.tongue.language}"><head><meta charset="utf-8"><title>{escape(title)} · {escape(source.title)}</title><style>{MODERN_STYLE}</style></head><body>'
            f'<header><a href="/">{escape(source.title)}</a></header><div class="wrap"><main>{content}</main>{side}</div><footer>{says["about"]} · {foot(source, self.tongue)}</footer></body></html>'
        )


class Classic:
    """The template `classic`: tables with heads; what is not known is a dash."""

    def __init__(self, tongue: TemplateWords) -> None:
        self.tongue = tongue

    def results(self, source: Source, entries: Iterable[Entry]) -> str:
        """Draw a list of entries."""
        heads = "".join(f"<th>{self.tongue.labels[name]}</th>" for name in source.attributes)
        rows = "".join(
            f'<tr><td><a href="{self.tongue.entry.format(entry.number)}">{escape(entry.get(TITLE))}</a></td>'
            + "".join(f"<td>{escape(entry.get(name)) or '-'}</td>" for name in source.attributes[1:])
            + "</tr>"
            for entry in entries
        )
        return f'<table class="list"><tr>{heads}</tr>{rows}</table>'

    def details(self, source: Source, entry: Entry) -> str:
        """Draw everything about an entry."""
        known = {name: entry.get(name) for name in source.attributes if entry.get(name)} | dict(entry.more or {})
        rows = "".join(
            f'<tr><td class="key">{self.tongue.labels[name]}</td><td>{escape(value)}</td></tr>'
            for name, value in known.items()
        )
        return f'<table class="sheet">{rows}</table><p>{entry.passage.html("br")}</p>'

    def ask(self, label: str, name: str, control: str) -> str:
        """Draw one field of a form."""
        return f'<tr><td align="right">{label}:</td><td>{control}</td></tr>'

    def form(self, path: str, fields: str) -> str:
        """Draw a search form."""
        return f'<form name="f" action="{path}"><table>{fields}<tr><td></td><td><input type="submit" value="{self.tongue.says["search"]}"></td></tr></table></form>'

    def frame(self, source: Source, title: str, content: str, favourites: str, advert: str) -> str:
        """Draw a page around its content."""
        says = self.tongue.says
        return (
            f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>{escape(source.title)} - {escape(title)}</title><style type="text/css">{CLASSIC_STYLE}</style></head><body>'
            f'<table class="page" cellspacing="0"><tr><td class="banner" colspan="2"><a href="/">{escape(source.title)}</a></td></tr><tr><td class="side"><b>{says["favourites"]}</b><ul>{favourites}</ul><i>{says["advert"]}</i><br>{escape(advert)}</td>'
            f'<td class="main">{content}</td></tr><tr><td class="foot" colspan="2">{says["about"]} | {foot(source, self.tongue)}</td></tr></table></body></html>'
        )


Skin = Modern | Classic


def foot(source: Source, tongue: TemplateWords) -> str:
    """Draw the links at the foot of a page: on the film archive, to the searches that end badly."""
    if source.kind != "films":
        return f'<a href="/">{tongue.says["search"]}</a>'
    return " ".join(f'<a href="/{name}">{tongue.says[name]}</a>' for name in ("press", "lost", "members"))
