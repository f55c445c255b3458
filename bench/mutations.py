"""Known templates in, changed ones out, and how much of what was read before is read again after adaptation.

A change renames a class or an id, changes a tag, wraps or unwraps elements, or moves a block; it is drawn with a seed from
the names that the known actions use, and applied to all pages of the template alike. Prints one row for every number of
changes: the share of field values recovered (equal to those read from the unchanged pages), and of wrong ones accepted.

    python bench/mutations.py [--sites NAME...] [--seeds N] [--pages N]

The sites are the demo sites in both of their templates (`demo`), and the captures of real software beside the project.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from harness import Names, run
from lxml import html

from siteseer.demo import Site, SiteRequest, make_site
from siteseer.demo.catalogue import TEMPLATES
from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.load import load
from siteseer.knowledge.merge import merge
from siteseer.knowledge.recognise import level_of
from siteseer.knowledge.types import Application, Level
from siteseer.model import Page, WebObject
from siteseer.page.tree import tree
from siteseer.strategies.aware.adaptation.extraction.value_similarity import same_text
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation

DEMO = Path(__file__).parents[1] / "tests" / "strategies" / "aware" / "adaptation" / "demo"
FETCHED = datetime(2026, 1, 1, tzinfo=UTC)
CAPTURES = (
    "serendipity-2k11 serendipity-bulletproof wordpress-2021 textpattern fluxbb smf phpbb-prosilver dokuwiki".split()
)
TAGS = {"span": "div", "div": "section", "article": "div", "section": "article", "li": "div", "p": "div", "h2": "h3"}
FIELDS = ("text", "author", "published", "title")
SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "mi", "na", "po", "ru", "se", "ti", "vo", "xa", "zu")
_NAMES = re.compile(r"[.#]([A-Za-z][\w-]*)|@(?:class|id),'([\w-]+)'")
Change = Callable[[html.HtmlElement], None]


@dataclass(slots=True)
class Score:
    """Field values: how many there were, how many are read again, how many are wrong."""

    wanted: int = 0
    right: int = 0
    wrong: int = 0
    given: int = 0

    @property
    def recovered(self) -> float:
        """Share of the values that are read again."""
        return self.right / max(1, self.wanted)

    @property
    def accepted(self) -> float:
        """Share of the values read that are wrong."""
        return self.wrong / max(1, self.given)

    def add(self, other: Score) -> None:
        """Add up."""
        self.wanted += other.wanted
        self.right += other.right
        self.wrong += other.wrong
        self.given += other.given


def draw_changes(level: Level, pages: Sequence[Page], number: int, seed: int) -> list[tuple[str, Change]]:
    """Draw changes of a template, each with its description, from the names that the level's actions use."""
    chance = random.Random(seed)
    present: dict[str, int] = {}
    for page in pages[:5]:
        for element in tree(page).iter("*"):
            for name in {*(element.get("class") or "").split(), element.get("id") or ""} - {""}:
                present[name] = present.get(name, 0) + 1
    texts = [text for one in level.extractions for text in (one.scope, *(field.text for field in one.fields))]
    used = {a or b for text in texts for a, b in _NAMES.findall(text)}
    names = sorted(name for name in present if name in used or any(len(u) > 3 and u in name for u in used))
    kinds = (_rename, _rename, _retag, _wrap, _unwrap, _move)
    return [chance.choice(kinds)(chance.choice(names), chance) for _ in range(number)]


def _having(root: html.HtmlElement, name: str) -> list[html.HtmlElement]:
    return [
        one for one in root.iter("*") if name in (one.get("class") or "").split() or one.get("id") == name
    ]  # fmt: skip


def _rename(name: str, chance: random.Random) -> tuple[str, Change]:
    new = "".join(chance.choice(SYLLABLES) for _ in range(3))

    def change(root: html.HtmlElement) -> None:
        for one in _having(root, name):
            if one.get("class"):
                one.set("class", " ".join(new if word == name else word for word in one.get("class").split()))
            if one.get("id") == name:
                one.set("id", new)

    return f"rename {name} to {new}", change


def _retag(name: str, chance: random.Random) -> tuple[str, Change]:
    def change(root: html.HtmlElement) -> None:
        for one in _having(root, name):
            one.tag = TAGS.get(one.tag, one.tag)

    return f"other tag for {name}", change


def _wrap(name: str, chance: random.Random) -> tuple[str, Change]:
    def change(root: html.HtmlElement) -> None:
        for one in _having(root, name):
            parent = one.getparent()
            if parent is None or one.tag in ("html", "body", "tr", "td", "li", "tbody"):
                continue
            box = html.Element("div")
            box.set("class", "box")
            box.tail, one.tail = one.tail, None
            parent.replace(one, box)
            box.append(one)

    return f"wrap {name}", change


def _unwrap(name: str, chance: random.Random) -> tuple[str, Change]:
    def change(root: html.HtmlElement) -> None:
        for one in _having(root, name):
            parent = one.getparent()
            if parent is None or parent.tag not in ("div", "section", "span") or len(parent) > 1:
                continue
            above, is_bare = parent.getparent(), not (parent.text or "").strip() and not (one.tail or "").strip()
            if is_bare and above is not None:
                one.tail = parent.tail
                above.replace(parent, one)

    return f"unwrap {name}", change


def _move(name: str, chance: random.Random) -> tuple[str, Change]:
    to_front = chance.random() < 0.5

    def change(root: html.HtmlElement) -> None:
        for one in _having(root, name):
            parent = one.getparent()
            if parent is None or parent.tag in ("html", "body", "tr", "tbody", "table") or len(parent) < 2:
                continue
            tail, one.tail = one.tail, None
            previous = one.getprevious()
            if previous is not None:
                previous.tail = (previous.tail or "") + (tail or "")
            else:
                parent.text = (parent.text or "") + (tail or "")
            parent.remove(one)
            parent.insert(0 if to_front else len(parent), one)

    return f"move {name} to the {'front' if to_front else 'end'}", change


def changed(page: Page, changes: Iterable[tuple[str, Change]]) -> Page:
    """Return a page of the changed template."""
    root = html.document_fromstring(page.body, parser=html.HTMLParser(encoding="utf-8"))
    for _, change in changes:
        change(root)
    return Page(page.url, page.status, page.headers, html.tostring(root, encoding="utf-8"), page.fetched_at)


def score(wanted: Sequence[Sequence[WebObject]], found: Sequence[Sequence[WebObject]]) -> Score:
    """Compare objects page by page: matched by text, then field by field."""
    total = Score()
    for old, new in zip(wanted, found, strict=True):
        waiting = [one for one in new if one.text]
        for one in old:
            if not one.text:
                continue
            match = next((n for n in waiting if n.text == one.text), None)
            match = match or next(
                (n for n in waiting if n.kind == one.kind and same_text(n.text or "", one.text)), None
            )
            if match is not None:
                waiting.remove(match)
            for name in FIELDS:
                before, after = getattr(one, name), getattr(match, name) if match else None
                equal = _equal(name, before, after)
                total.wanted += before is not None
                total.right += before is not None and equal
                total.given += after is not None
                total.wrong += after is not None and before is not None and not equal
        total.given += len(waiting)
        total.wrong += len(waiting)
    return total


def _equal(name: str, before: str | None, after: str | None) -> bool:
    if before is None or after is None:
        return False
    if name == "text":
        return same_text(before, after)
    return before[:16] == after[:16] if name == "published" and len(after) > 10 else before == after


def recover(
    application: Application, level: Level, pages: Sequence[Page], number: int, seed: int
) -> tuple[Score, list[str]]:
    """Change a template, adapt, and score what is read then against what was read before."""
    wanted = [extract(page, level, application) for page in pages]
    changes = draw_changes(level, pages, number, seed)
    new = [changed(page, changes) for page in pages]
    site = SiteAdaptation(application, "changed.example", lambda url: ())
    for page in new:
        site.watch(page, level, extract(page, level, application))
    if failing := site.failing(level):
        site.repair(level, failing)
    learned = site.repaired.get(level.id)
    known = merge(application, replace(application, levels=(learned,), detections=())) if learned else application
    adapted = known.level(level.id) or level
    return score(wanted, [extract(page, adapted, known) for page in new]), [name for name, _ in changes]


def table(
    sites: Sequence[tuple[str, Application, Level, Sequence[Page]]], seeds: int, show: bool = False
) -> dict[int, Score]:
    """Return the scores by number of changes, over all sites and seeds."""
    rows: dict[int, Score] = {}
    for number in (1, 2, 4):
        rows[number] = Score()
        for name, application, level, pages in sites:
            for seed in range(seeds):
                one, what = recover(application, level, pages, number, 1000 * number + seed)
                rows[number].add(one)
                if show and (one.recovered < 0.99 or one.accepted > 0.01):
                    print(f"  {name} {what}: {one.recovered:.3f} recovered, {one.accepted:.3f} wrong", file=sys.stderr)
    return rows


def demos(most: int) -> list[tuple[str, Application, Level, Sequence[Page]]]:
    """Return the demo sites in each of their templates, with some of the pages that hold their texts."""
    sites = []
    for kind in ("blog", "forum", "wiki"):
        for template in TEMPLATES:
            site = make_site(kind, seed=3, template=template, size=30)
            application = load(DEMO / f"{kind}-{template}.xml")
            paths = list(dict.fromkeys(text.page for text in site.truth.texts if text.kind in ("post", "page")))
            pages = [_page_of(site, path) for path in paths]
            seen = [(page, level_of(page, application)) for page in pages]
            name = Counter(found[0].id for _, found in seen if found).most_common(1)[0][0]
            fitting = [page for page, found in seen if found and found[0].id == name]
            level = application.level(name)
            assert level is not None
            step = max(1, len(fitting) // most)
            sites.append((f"demo {kind} {template}", application, level, fitting[::step][:most]))
    return sites


def _page_of(site: Site, path: str) -> Page:
    answer = site.respond(SiteRequest("GET", path, {"host": "demo.test"}))
    return Page(f"http://demo.test{path}", answer.status, answer.headers, answer.body, FETCHED)


def captured(names: Sequence[str], most: int) -> list[tuple[str, Application, Level, Sequence[Page]]]:
    """Return captured sites beside the project, each with its terminal level and some of its pages."""
    from tests.real.captures import capture

    from siteseer.knowledge.knowledge_base import KnowledgeBase
    from siteseer.knowledge.recognise import recognise_in_full
    from siteseer.page.urls import identity

    sites = []
    for name in names:
        site = capture(name)
        paths = list(dict.fromkeys(text["page"] for text in site.truth["texts"]))
        paths = paths[:: max(1, len(paths) // most)][:most]
        pages = [site.pages[identity(site.truth["origin"] + path)] for path in paths]
        seen = recognise_in_full(pages[0], KnowledgeBase.shipped())
        assert seen.application and seen.level
        sites.append((name, seen.application, seen.level, pages))
    return sites


def main(sites: Names = ("demo", *CAPTURES), seeds: int = 6, pages: int = 24) -> None:
    """Print the table."""
    templates = demos(pages) if "demo" in sites else []
    templates += captured([name for name in sites if name != "demo"], pages)
    print(f"{len(templates)} templates\nchanges  recovered  wrong   values")
    for number, one in table(templates, seeds, show=True).items():
        print(f"{number:7}  {one.recovered:9.4f}  {one.accepted:.4f}  {one.wanted}", flush=True)


if __name__ == "__main__":
    run(main)
