"""Draws docs/pictures/architecture.svg from the import graph: packages in the order of their layers, arrows for imports.

    python bench/draw_architecture.py [--output FILE]

The order is that of the first contract of import-linter in pyproject.toml. Only arrows of ten imports and more are drawn, and the widest
of a package that has none so wide. What the picture shows also stands in it as JSON, which a test compares with the source tree.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from html import escape
from pathlib import Path

from harness import ROOT, run
from house import import_graph, read_modules

PICTURE = ROOT / "docs" / "pictures" / "architecture.svg"
DESCRIPTIONS = {
    "cli": "the command line: a file per command",
    "web": "REST, web interface, service beneath both",
    "verbs": "what the package offers: crawl, query, …",
    "integrations": "our strategies inside other crawlers",
    "demo": "seeded local sites with ground truth",
    "deepweb": "understanding a search form",
    "wrapper": "OXPath, induction, designer, jobs, repair",
    "campaigns": "many sites for one topic",
    "batch": "archives that exist",
    "platforms": "programming interfaces of platforms",
    "schedule": "tables of schedules, cron, runners",
    "workers": "leases, fencing tokens, registry",
    "measure": "coverage, comparison, certificate",
    "crawler": "run, loop, frontier, results",
    "collection": "state.db, objects, RDF, WACZ, upload",
    "fetch": "HTTP, replay, robots.txt, politeness, browser",
    "archive": "WARC, CDXJ, storage",
    "strategies": "what to do next: blind, aware, learned, …",
    "forms": "parsing and filling forms, query plans",
    "alignment": "the same things in two sources: PARIS",
    "change": "what changed, how often, what signals it",
    "extract": "fields, records, articles, timestamps",
    "knowledge": "knowledge base, recognising pages",
    "xpath": "XPath fragment, pattern index, YFilter",
    "page": "tree, text, links, URLs, dates, feeds",
}
GROUPS = {
    "presenting": ("#6a4c93", "cli web verbs integrations demo"),
    "features": ("#c0562b", "deepweb wrapper campaigns batch platforms"),
    "doing": ("#1f6f8b", "schedule workers measure crawler collection fetch archive"),
    "thinking": ("#3b7a3b", "strategies forms alignment change extract knowledge xpath page"),
}
GROUP_OF = {package: group for group, (_, packages) in GROUPS.items() for package in packages.split()}
BANDS = {1: 2.0, 10: 3.5, 20: 6.0, 40: 10.0, 80: 16.0}
"""The width of an arrow of so many imports and more."""
FEWEST = 10
LEFT, BOX, WIDTH, GAP, PAD, TOP = 350, 430, 1230, 9, 9, 84


@dataclass(frozen=True)
class Arrow:
    """Imports of one package by another: at least so many."""

    importer: str
    imported: str
    imports: int


@dataclass(frozen=True)
class Architecture:
    """What the picture shows: packages from the top layer down, modules that all import, arrows."""

    packages: list[str]
    shapes: list[str]
    arrows: list[Arrow]

    def as_json(self) -> str:
        arrows = [[arrow.importer, arrow.imported, arrow.imports] for arrow in self.arrows]
        return json.dumps({"packages": self.packages, "shapes": self.shapes, "imports": arrows})


def main(output: Path = PICTURE) -> None:
    """Draw the picture."""
    output.write_text(draw(architecture(ROOT)), encoding="utf-8")
    print(f"wrote {output}")


def architecture(root: Path) -> Architecture:
    """Return what there is to draw of a checkout."""
    modules = read_modules(root / "src")
    there = {package(module.name) for module in modules}
    order = [name for name in layers(root) if name in there]
    packages = [name for name in order if name in DESCRIPTIONS]
    imports = Counter(
        (package(importer), package(imported))
        for importer, targets in import_graph(modules).items()
        for imported in targets
    )
    among = Counter({pair: n for pair, n in imports.items() if set(pair) <= set(packages) and pair[0] != pair[1]})
    drawn = {pair for pair, n in among.items() if n >= FEWEST}
    for name in packages:
        if not any(name in pair for pair in drawn):
            drawn |= {max((pair for pair in sorted(among) if name in pair), key=lambda pair: among[pair])}
    arrows = [Arrow(*pair, max(least for least in BANDS if least <= among[pair])) for pair in sorted(drawn)]
    return Architecture(packages, [name for name in order if name not in DESCRIPTIONS], arrows)


def layers(root: Path) -> list[str]:
    """Return the packages in the order of import-linter's first contract, the top layer first."""
    contract = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    return [name for layer in contract["layers"] for name in re.findall(r"siteseer\.(\w+)", layer)]


def package(module: str) -> str:
    """Return the package below `siteseer` that a module lies in."""
    return (module.split(".") + [""])[1]


def draw(shown: Architecture) -> str:
    """Return the picture: boxes in a column, arrows to thinking on the right, all other arrows on the left."""
    ports: dict[tuple[str, bool], list[Arrow]] = defaultdict(list)
    for arrow in shown.arrows:
        right = GROUP_OF[arrow.imported] == "thinking"
        ports[arrow.importer, right].append(arrow)
        ports[arrow.imported, right].append(arrow)
    tops, y, group = {}, float(TOP), ""
    heights = {
        name: max(38.0, *(2 * PAD + sum(BANDS[arrow.imports] + 4 for arrow in ports[name, side]) for side in (False, True)))
        for name in shown.packages
    }  # fmt: skip
    bands = {}
    for name in shown.packages:
        if GROUP_OF[name] != group:
            group = GROUP_OF[name]
            y += 20
            bands[group] = [y - 8, 0.0]
        tops[name] = y
        y += heights[name] + GAP
        bands[group][1] = y
    place = {name: number for number, name in enumerate(shown.packages)}
    ends: dict[tuple[Arrow, str], float] = {}
    for (name, _), arrows in ports.items():
        # arrows from above end over those that go down; the shorter lies inside the longer
        into = sorted((a for a in arrows if a.imported == name), key=lambda a: -place[a.importer])
        out = sorted((a for a in arrows if a.importer == name), key=lambda a: -place[a.imported])
        used = sum(BANDS[arrow.imports] + 4 for arrow in arrows)
        at = tops[name] + (heights[name] - used) / 2
        for arrow in (*into, *out):
            ends[arrow, name] = at + (BANDS[arrow.imports] + 4) / 2
            at += BANDS[arrow.imports] + 4
    height = y + 92
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" font-family="DejaVu Sans, Verdana, sans-serif">',
        "<title>The packages of siteseer and their imports</title>",
        f"<metadata>{escape(shown.as_json(), quote=False)}</metadata>",
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#fff"/>',
        *legend(),
        *(band(name, top, bottom) for name, (top, bottom) in bands.items()),
    ]
    for arrow in sorted(shown.arrows, key=lambda a: place[a.importer] - place[a.imported]):
        lines += curve(arrow, ends[arrow, arrow.importer], ends[arrow, arrow.imported])
    for name in shown.packages:
        lines += box(f"{name}/", DESCRIPTIONS[name], tops[name], heights[name], GROUPS[GROUP_OF[name]][0])  # fmt: skip
    lines += box("shapes", "every package imports these: no arrows drawn", y + 20, 60, "#555", ", ".join(shown.shapes))
    return "\n".join([*lines, "</svg>"]) + "\n"


def legend() -> list[str]:
    """Return the heading: what an arrow means, and how wide it is."""
    lines = [
        text(WIDTH / 2, 22, "An arrow leads from a package to one that it imports; all lead down.", 14, "middle"),
        text(WIDTH / 2, 42, "Left: what acts. Right: what thinks. Fewer than ten imports: only where a package has no other arrow.", 12, "middle"),
    ]  # fmt: skip
    words = ["fewer than 10", *(f"{least} and more" for least in list(BANDS)[1:])]
    for number, (width, word) in enumerate(zip(BANDS.values(), words, strict=True)):
        x = 210 + number * 170
        lines.append(f'<path d="M{x} 66h40" stroke="#777" stroke-width="{width}"/>')
        lines.append(text(x + 48, 70, word, 12))
    return lines


def band(name: str, top: float, bottom: float) -> str:
    """Return the background of a group of layers and its name."""
    colour = GROUPS[name][0]
    return (
        f'<rect x="8" y="{top:.0f}" width="{WIDTH - 16}" height="{bottom - top - 1:.0f}" rx="8" fill="{colour}" opacity=".07"/>'
        + text(20, top + 20, name, 14, colour=colour)
    )


def curve(arrow: Arrow, start: float, end: float) -> list[str]:
    """Return an arrow from the importer's side to the imported package's side."""
    colour, width = GROUPS[GROUP_OF[arrow.importer]][0], BANDS[arrow.imports]
    right = GROUP_OF[arrow.imported] == "thinking"
    edge, out = (LEFT + BOX, 1) if right else (LEFT, -1)
    far, head = edge + out * (34 + 0.33 * (end - start)), 6 + width / 2
    tip = edge + out * 1.5
    told = f"{arrow.importer} imports {arrow.imported}: {'fewer than 10' if arrow.imports < FEWEST else f'{arrow.imports} and more'}"
    return [
        f'<g opacity=".62"><title>{told}</title>'
        f'<path d="M{edge} {start:.1f}C{far:.1f} {start:.1f} {far:.1f} {end:.1f} {tip + out * head:.1f} {end:.1f}"'
        f' fill="none" stroke="{colour}" stroke-width="{width}"/>'
        f'<path d="M{tip:.1f} {end:.1f}l{out * head:.1f} {-width / 2 - 2:.1f}v{width + 4:.1f}z" fill="{colour}"/></g>'
    ]


def box(title: str, description: str, top: float, height: float, colour: str, below: str = "") -> list[str]:
    """Return the box of a package: its name, what is in it, and a line below."""
    middle = top + height / 2 + (5 if not below else -6)
    return [
        f'<rect x="{LEFT}" y="{top:.1f}" width="{BOX}" height="{height:.1f}" rx="5" fill="#fff" stroke="{colour}" stroke-width="1.5"/>',
        text(LEFT + 10, middle, title, 14, weight="bold", colour=colour),
        text(LEFT + 126, middle, description, 11),
        *([text(LEFT + BOX / 2, middle + 24, below, 9, "middle")] if below else []),
    ]


def text(x: float, y: float, words: str, size: int, anchor: str = "start", *, weight: str = "normal", colour: str = "#222") -> str:  # fmt: skip
    """Return a line of text."""
    return f'<text x="{x:.0f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" fill="{colour}">{escape(words)}</text>'


if __name__ == "__main__":
    run(main)
