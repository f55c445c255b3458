"""Renders comparisons as one self-contained HTML page: figures, curves, and box charts over many sites.

Reference: Faheem's thesis, figures 3.7 and 5.7 (requests), 3.8 and 5.9 (box charts of seen 2-grams), 5.11 (2-grams over
requests) and table 3.1 (external links).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from statistics import median

from siteseer.measure.charts.svg_charts import Bar, Group, Series, bar_chart, box_plot, colour, line_chart
from siteseer.model import JSON

STYLE = """
:root{--ink:#1d2733;--soft:#5d6b7a;--line:#dde3ea;--paper:#fff;--ground:#f4f6f9;--good:#1c7c4a}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#9aa8b7;--line:#323d4a;--paper:#1b232c;--ground:#12181f;
--good:#5fc48f}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:54rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}h1{font-size:1.7rem;margin:0 0 .3rem;line-height:1.25}
h2{font-size:1.2rem;margin:2.6rem 0 .8rem;overflow-wrap:anywhere}p.lead{color:var(--soft);margin:0 0 1.6rem}
figure{margin:0 0 1rem;background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:.8rem}
figure svg{display:block;width:100%;height:auto}.wide{overflow-x:auto;background:var(--paper);
border:1px solid var(--line);border-radius:12px;margin:0 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.93rem}
th,td{padding:.5rem .8rem;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;
white-space:nowrap}tr:last-child td,tr:last-child th{border-bottom:0}th:first-child,td:first-child{text-align:left}
thead th{color:var(--soft);font-weight:500}tbody th{font-weight:600}i.dot{display:inline-block;width:.7rem;
height:.7rem;border-radius:50%;margin-right:.5rem}summary{cursor:pointer;color:var(--soft);margin:0 0 1rem}
footer{color:var(--soft);font-size:.88rem;margin-top:3rem}
""".strip()
COLUMNS: tuple[tuple[str, str], ...] = (
    ("requests", "requests"), ("times_fewer", "times fewer"), ("pages", "pages"), ("two_grams", "distinct 2-grams"),
    ("coverage", "… share of the reference's"), ("content_per_request", "… per request"),
    ("external_links", "external links"), ("external_coverage", "… share of the reference's"),
    ("external_content_coverage", "… without boilerplate"), ("objects", "objects"), ("duplicates", "duplicates"),
    ("broken_links", "broken links"), ("failed_actions", "failed actions"), ("adapted_actions", "adapted actions"),
)  # fmt: skip
SHARES = ("coverage", "external_coverage", "external_content_coverage")


def report(comparisons: Sequence[JSON]) -> str:
    """Return the report on one or many sites; `comparisons` are results of `Comparison.as_json`."""
    many = len(comparisons) > 1
    body = [f"<h1>{_headline(comparisons)}</h1><p class=lead>{escape(_sentence(comparisons))}</p>"]
    if many:
        body.extend(_over_all(comparisons))
    for one in comparisons:
        if many:
            body.append(f"<h2>{escape(one['site'] or one['reference'])}</h2>")
        body.append(_figure(curves(one)))
        if not many:
            body.append(_figure(requests(one)))
        tables = table(one) + _matrix(one)
        body.append(f"<details><summary>Figures</summary>{tables}</details>" if many else tables)
    body.append(_footer())
    head = "<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    head += f"<title>Siteseer: crawls compared</title><style>{STYLE}</style><main>"
    return head + "".join(body) + "</main></html>\n"


def curves(one: JSON) -> str:
    """Return the distinct 2-grams over requests as SVG: figure 5.11."""
    series = [Series(name, [(0, 0), *map(tuple, row["curve"])]) for name, row in one["strategies"].items()]
    return line_chart(series, "Content seen as requests are sent", "requests", "distinct 2-grams")


def requests(one: JSON) -> str:
    """Return the requests of each crawl as bars: figures 3.7 and 5.7."""
    bars = []
    for name, row in one["strategies"].items():
        fewer = row["times_fewer"]
        tail = f", {fewer:g} times fewer" if fewer and name != one["reference"] else ""
        bars.append(Bar(name, row["requests"], f"{row['requests']:,}{tail}"))
    return bar_chart(bars, "Requests sent")


def table(one: JSON) -> str:
    """Return the figures of one comparison as an HTML table."""
    rows = one["strategies"]
    head = "".join(
        f'<th scope=col><i class=dot style="background:{colour(number)}"></i>{escape(name)}</th>'
        for number, name in enumerate(rows)
    )
    lines = "".join(
        f"<tr><th scope=row>{title}</th>{''.join(f'<td>{_cell(key, row.get(key))}</td>' for row in rows.values())}</tr>"
        for key, title in COLUMNS
    )
    return f"<div class=wide><table><thead><tr><th></th>{head}</tr></thead><tbody>{lines}</tbody></table></div>"


def _over_all(comparisons: Sequence[JSON]) -> Iterable[str]:
    names = _others(comparisons)
    yield _figure(box_plot(_groups(comparisons, names, "coverage"), "Share of the reference's 2-grams seen", "share"))
    groups = _groups(comparisons, names, "external_content_coverage")
    yield _figure(box_plot(groups, "Share of its external links seen, without boilerplate", "share"))
    reference = sum(one["strategies"][one["reference"]]["requests"] for one in comparisons)
    bars = [Bar(f"reference ({comparisons[0]['reference']})", 1.0, f"{reference:,} requests")]
    for name in names:
        mine = sum(_of(one, name, "requests") for one in comparisons)
        same = sum(one["strategies"][one["reference"]]["requests"] for one in comparisons if name in one["strategies"])
        bars.append(Bar(name, mine / max(1, same), f"{mine:,}, {same / max(1, mine):.1f} times fewer"))
    yield _figure(bar_chart(bars, "Requests in proportion to the reference, all sites"))


def _others(comparisons: Sequence[JSON]) -> list[str]:
    return list(dict.fromkeys(name for one in comparisons for name in one["strategies"] if name != one["reference"]))


def _groups(comparisons: Sequence[JSON], names: Sequence[str], key: str) -> list[Group]:
    return [
        Group(name, [one["strategies"][name][key] for one in comparisons if name in one["strategies"]])
        for name in names
    ]


def _of(one: JSON, name: str, key: str) -> int:
    return int(one["strategies"][name][key]) if name in one["strategies"] else 0


def _headline(comparisons: Sequence[JSON]) -> str:
    if len(comparisons) > 1:
        return f"Crawls of {len(comparisons)} sites compared"
    site = comparisons[0]["site"]
    return f"Crawls of {escape(site)} compared" if site else "Archives compared"


def _sentence(comparisons: Sequence[JSON]) -> str:
    said = []
    for name in _others(comparisons):
        rows = [one["strategies"][name] for one in comparisons if name in one["strategies"]]
        fewer = median(row["times_fewer"] or 0 for row in rows)
        seen = median(row["coverage"] for row in rows)
        typically = "Typically " if len(rows) > 1 else ""
        said.append(f"{typically}{name} sees {seen:.1%} of what {comparisons[0]['reference']} sees"
                    f" and sends {fewer:.1f} times fewer requests.")  # fmt: skip
    return " ".join(said)


def _matrix(one: JSON) -> str:
    """Return which share of each crawl's 2-grams every other one has."""
    names = list(one["strategies"])
    if len(names) < 2:
        return ""
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in names)
    lines = []
    for name in names:
        by = one["strategies"][name]["covered_by"]
        cells = "".join(f"<td>{'' if other == name else f'{by[other]:.1%}'}</td>" for other in names)
        lines.append(f"<tr><th scope=row>of {escape(name)}</th>{cells}</tr>")
    top = f"<thead><tr><th>2-grams seen by</th>{head}</tr></thead>"
    return f"<div class=wide><table>{top}<tbody>{''.join(lines)}</tbody></table></div>"


def _cell(key: str, value: JSON) -> str:
    if value is None:
        return ""
    if key in SHARES:
        return f"{value:.2%}"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _figure(svg: str) -> str:
    return f"<figure>{svg}</figure>"


def _footer() -> str:
    return (
        "<footer>A 2-gram is two consecutive words of visible text. Coverage is the share of the reference's distinct "
        "2-grams that a crawl saw too. An external link is boilerplate where it stands on a fifth of the pages or "
        "names the page that it is on. Box charts: minimum and maximum (whiskers), first and third quartiles (box), "
        "median (rule).</footer>"
    )


def write(comparisons: Sequence[JSON], folder: Path) -> None:
    """Write compare.html, compare.svg and compare.json into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compare.html").write_text(report(comparisons), encoding="utf-8")
    drawn = curves(comparisons[0]) if len(comparisons) == 1 else next(iter(_over_all(comparisons)))
    drawn = drawn.removeprefix("<figure>").removesuffix("</figure>")
    (folder / "compare.svg").write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{drawn}\n', encoding="utf-8")
    found = comparisons[0] if len(comparisons) == 1 else {"sites": list(comparisons)}
    (folder / "compare.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
