"""Shared parts of the demo sites with result pages: cutting results into pages, and the script that draws them."""

from __future__ import annotations

import json
from html import escape

from siteseer.demo.site import SiteResponse, document

PER_PAGE = 10
DRAW = """
async function draw(start) {
  const answer = await fetch(DATA + (DATA.includes('?') ? '&' : '?') + 'start=' + start);
  const page = await answer.json();
  await new Promise(done => setTimeout(done, 30));
  const place = document.getElementById('results');
  place.innerHTML = page.rows.join('');
  const next = document.getElementById('next');
  next.innerHTML = page.next === null ? '' : NEXT;
  if (page.next !== null) {
    next.querySelector('a').addEventListener('click', event => { event.preventDefault(); draw(page.next); });
  }
}
draw(0);
"""
"""Fetches one page of results and puts it where the last one stood; the address stays the same."""


def cut(rows: list[str], start: str) -> tuple[list[str], int | None]:
    """Return the rows of a page that begins at `start`, and where the next page begins."""
    at = int(start) if start.isdigit() and len(start) < 9 else 0
    return rows[at : at + PER_PAGE], at + PER_PAGE if at + PER_PAGE < len(rows) else None


def as_data(rows: list[str], start: str) -> SiteResponse:
    """Answer a script that asks for one page of results."""
    page, following = cut(rows, start)
    return document(json.dumps({"rows": page, "next": following}), "application/json")


def drawing(data: str, next_link: str) -> str:
    """Return the script of a page that draws its results itself."""
    return f"<script>const DATA = {json.dumps(data)}, NEXT = {json.dumps(next_link)};{DRAW}</script>"


def page(title: str, body: str, style: str = "") -> str:
    """Return a page."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{style}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>'
