"""Writes the report of a campaign: an HTML page with charts, and the figures as JSON and CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from siteseer.campaigns.analysis.campaign_index import CampaignIndex
from siteseer.campaigns.analysis.crawl_history import Round, rounds
from siteseer.campaigns.analysis.report_page import report_page
from siteseer.campaigns.analysis.statistics import statistics
from siteseer.campaigns.analysis.trends import CLOCKS, Trend, trend
from siteseer.campaigns.analysis.update_index import Tell, update_index
from siteseer.campaigns.load_campaign import LoadedCampaign
from siteseer.collection.layout import REPORTS
from siteseer.collection.objects.object_formats import csv_line
from siteseer.errors import UsageError
from siteseer.measure.charts.timeline import matrix, timeline
from siteseer.model import JSON

FOLDER = Path(REPORTS) / "analysis"
ALL = -1
"""No limit in SQL."""
TITLES = {"published": "Terms by the date of the texts", "captured": "Terms by the time of capture"}


def write_report(
    campaign: LoadedCampaign, folder: Path, before: LoadedCampaign | None = None, tell: Tell = lambda line: None
) -> JSON:
    """Write report.html, report.json, tables and charts into a folder; return the figures."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from error
    with CampaignIndex.of(campaign.folder) as catalogue:
        update_index(campaign, catalogue, tell)
        tell("links, authors and terms are counted")
        figures = statistics(catalogue)
        trends = [trend(catalogue, clock) for clock in CLOCKS]
        _tables(catalogue, folder)
    tell("crawls are compared")
    history = list(rounds(campaign, before))
    pictures = _pictures(figures, trends)
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
    for one in trends:
        _write_csv(folder / f"terms-{one.clock}.csv", ["time", "objects", *one.terms], _trend_rows(one))
    _write_changes(folder, history)
    result = {
        "campaign": campaign.definition.name, **figures, "terms": [one.to_json() for one in trends],
        "crawls": [one.to_json() for one in history],
    }  # fmt: skip
    (folder / "report.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "report.html").write_text(report_page(result, pictures), encoding="utf-8", errors="replace")
    return result


def _pictures(figures: JSON, trends: list[Trend]) -> dict[str, str]:
    links = figures["site_links"]
    pictures = {}
    for one in trends:
        if len(one.times) > 1:
            name = f"{TITLES[one.clock]}, by {one.step}"
            curves = one.terms or {"all objects: none holds a term": one.objects}
            pictures[f"terms-{one.clock}"] = timeline(one.times, curves, name, "objects that hold the term")
    if links["sites"]:
        pictures["links"] = matrix(links["sites"], links["links"], "Who links whom: the row links to the column")
    return pictures


def _tables(catalogue: CampaignIndex, folder: Path) -> None:
    """Write all rows of the lists of which the report shows the first."""
    for name, rows in statistics(catalogue, ALL).items():
        if isinstance(rows, list) and rows:
            _write_csv(folder / f"{name.replace('_', '-')}.csv", list(rows[0]), (list(row.values()) for row in rows))


def _trend_rows(one: Trend) -> Iterable[list[JSON]]:
    for place, time in enumerate(one.times):
        yield [time, one.objects[place], *(counts[place] for counts in one.terms.values())]


def _write_changes(folder: Path, history: list[Round]) -> None:
    names = ("site", "crawl", "started", "kind", "change", "url", "id", "title", "because")
    rows = [row for one in history for row in one.told]
    _write_csv(folder / "changes.csv", names, ([row.get(name) for name in names] for row in rows))
    with (folder / "changes.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _write_csv(path: Path, names: Iterable[str], rows: Iterable[Iterable[JSON]]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(csv_line(names))
        file.writelines(csv_line(row) for row in rows)
