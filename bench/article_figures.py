"""Figures 2.9, 2.10 and 2.11 of Oita's thesis drawn again on big9, as SVG: pages, keywords, and J and U alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from article_pages import Labelled, mean_scores, score

from siteseer.extract.article.forest import Found, coverage, forest

PAGES = (2, 3, 5, 8, 10)
KEYWORDS = (1, 2, 5, 10, 20, 50)
COLOURS = ("#1f5a99", "#b5541c", "#3b7d3b")
WIDTH, HEIGHT, MARGIN = 560, 340, 50
Line = list[tuple[float, float]]


def f1(pages: Sequence[Labelled], find: Callable[[list[Labelled]], list[Found | None]]) -> tuple[float, float, float]:
    groups: dict[str, list[Labelled]] = {}
    for one in pages:
        groups.setdefault(one.group, []).append(one)
    rows = []
    for group in groups.values():
        for one, found in zip(group, find(group), strict=True):
            rows.append(score(found.text if found else "", one.gold))
    return mean_scores(rows)


def in_parts(group: list[Labelled], size: int, method: Callable[..., list[Found | None]]) -> list[Found | None]:
    """Let a method see so many pages of a group at once; the last part is filled up with pages from the beginning."""
    found: list[Found | None] = []
    for start in range(0, len(group), size):
        part = group[start : start + size]
        filled = part + group[: size - len(part)]
        found += method([one.page for one in filled])[: len(part)]
    return found


def draw_figures(pages: Sequence[Labelled], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    methods: dict[str, Callable[..., list[Found | None]]] = {"FOREST (tf-idf)": forest, "COVERAGE": coverage}
    by_pages = {
        name: [(float(n), f1(pages, lambda group, n=n, m=method: in_parts(group, n, m))[2]) for n in PAGES]  # type: ignore[misc]
        for name, method in methods.items()
    }
    by_keywords = {
        name: [
            (float(k), f1(pages, lambda group, k=k, m=method: m([one.page for one in group], None, k))[2])
            for k in KEYWORDS
        ]  # type: ignore[misc]
        for name, method in methods.items()
    }
    bars = {m: f1(pages, lambda group, m=m: forest([one.page for one in group], measure=m)) for m in ("J", "U", "I")}  # type: ignore[misc]
    write(folder / "figure-2.9.svg", curves("F1 by number of pages (Figure 2.9, on big9)", "pages", by_pages))
    write(
        folder / "figure-2.10.svg",
        curves("F1 by number of signifiers (Figure 2.10, on big9)", "signifiers", by_keywords),
    )
    write(folder / "figure-2.11.svg", columns("Influence of J and U (Figure 2.11, on big9)", bars))
    for title, told in (("2.9", by_pages), ("2.10", by_keywords)):
        for name, line in told.items():
            print(f"  Figure {title} {name:16} " + "  ".join(f"{int(x)}: {y:.3f}" for x, y in line))
    print("  Figure 2.11 " + "  ".join(f"{name}: P {p:.3f} R {r:.3f} F1 {f:.3f}" for name, (p, r, f) in bars.items()))


def write(path: Path, body: str) -> None:
    path.write_text(body, encoding="utf-8")
    print(f"  drawn: {path}")


def _frame(title: str, inner: str) -> str:
    grid = "".join(
        f'<line x1="{MARGIN}" x2="{WIDTH - 20}" y1="{_y(v / 5):.1f}" y2="{_y(v / 5):.1f}" stroke="#ddd"/>'
        f'<text x="{MARGIN - 8}" y="{_y(v / 5) + 4:.1f}" text-anchor="end">{v / 5:.1f}</text>'
        for v in range(6)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><text x="{MARGIN}" y="22" font-size="14">{title}</text>{grid}{inner}</svg>\n'
    )


def _y(value: float) -> float:
    return HEIGHT - MARGIN - value * (HEIGHT - 2 * MARGIN)


def curves(title: str, axis: str, lines: dict[str, Line]) -> str:
    widest = max(x for line in lines.values() for x, _ in line)
    parts = []
    for place, (name, line) in enumerate(lines.items()):
        points = [(MARGIN + x / widest * (WIDTH - MARGIN - 20), _y(y)) for x, y in line]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{COLOURS[place]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[place]}"/>' for x, y in points]
        parts.append(f'<text x="{WIDTH - 180}" y="{HEIGHT - 90 + 18 * place}" fill="{COLOURS[place]}">{name}</text>')
    for x, _ in next(iter(lines.values())):
        parts.append(
            f'<text x="{MARGIN + x / widest * (WIDTH - MARGIN - 20):.1f}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{x:.0f}</text>'
        )
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">{axis}</text>')
    return _frame(title, "".join(parts))


def columns(title: str, bars: dict[str, tuple[float, float, float]]) -> str:
    parts = []
    for group, (name, values) in enumerate(bars.items()):
        left = MARGIN + 30 + group * 160
        for place, value in enumerate(values):
            top = _y(value)
            parts.append(
                f'<rect x="{left + place * 36}" y="{top:.1f}" width="32" height="{_y(0) - top:.1f}" fill="{COLOURS[place]}"/>'
            )
            parts.append(
                f'<text x="{left + place * 36 + 16}" y="{top - 4:.1f}" text-anchor="middle">{value:.2f}</text>'
            )
        shown = {"I": "J × U"}.get(name, name)
        parts.append(f'<text x="{left + 54}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{shown}</text>')
    legend = zip(("precision", "recall", "F1"), COLOURS, strict=True)
    parts += [
        f'<text x="{MARGIN + 30 + 100 * n}" y="{HEIGHT - 12}" fill="{c}">{word}</text>'
        for n, (word, c) in enumerate(legend)
    ]
    return _frame(title, "".join(parts))
