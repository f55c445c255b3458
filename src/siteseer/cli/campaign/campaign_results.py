"""`siteseer campaign analyse`, `propose`, `select`, `report`: works with the results of a campaign."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siteseer.cli.campaign.campaign import campaign_app
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.errors import UsageError

if TYPE_CHECKING:
    from siteseer.campaigns.load_campaign import LoadedCampaign

QUIET_SECONDS = 10.0
NOTE_SECONDS = 0.3
"""How often other programs can read how far the work is."""
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The campaign's directory.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Before = Annotated[
    Path | None, typer.Option(help="An earlier directory of the campaign, to tell what is new, gone or changed.")
]
Threshold = Annotated[float | None, typer.Option(min=0, max=1, help="Pages with a ? enter from this degree on.")]


def register(app: typer.Typer) -> None:
    """Add the commands to those of `campaign`."""
    for name, command in (("analyse", analyse), ("propose", propose), ("select", select), ("report", report)):
        campaign_app.command(name)(command)


def analyse(
    folder: Folder,
    analyser: Annotated[
        list[str] | None, typer.Option("--with", help="An analyser: plain, spacy, or one of an installed package.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Learn names and topics anew; what that changes is read again.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Then write report and proposal too.")] = False,
    before: Before = None,
    as_json: AsJson = False,
) -> None:
    """Annotate the objects of all sites with entities, topics and opinions; only what is new is read."""
    from siteseer.campaigns.analysis.analyse_objects import analyse as analyse_campaign
    from siteseer.campaigns.analysis.campaign_report import FOLDER, write_report
    from siteseer.campaigns.load_campaign import load_campaign, locked_campaign
    from siteseer.campaigns.selection.proposal import FILE, THRESHOLD
    from siteseer.cli.live_progress import print_summary

    if before is not None and not everything:
        raise UsageError("--before is for the report: use it with --all, or with siteseer campaign report")
    earlier = load_campaign(before) if before is not None else None
    with locked_campaign(folder) as campaign, _progress(folder) as watch:
        found = analyse_campaign(campaign, analyser or (), again, watch)
        if everything:
            write_report(campaign, folder / FOLDER, earlier, watch)
            _proposed(campaign, None, THRESHOLD, watch)
    answer(found) if as_json else print_summary(found)
    if everything:
        print_message(f"{folder / FOLDER / 'report.html'} and {folder / FILE} are written")


def propose(
    folder: Folder,
    threshold: Annotated[float, typer.Option(min=0, max=1, help="What the reasons count as good.")] = 0.5,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Instead of DIR/proposal.tsv.")] = None,
) -> None:
    """Propose what enters the final archive, with reasons, in a file that you mark; your marks are kept."""
    from siteseer.campaigns.load_campaign import locked_campaign

    with locked_campaign(folder) as campaign, _progress(folder) as watch:
        file, (sites, pages) = _proposed(campaign, output, threshold, watch)
    print_message(
        f"{file} holds {pages:,} pages of {sites:,} sites: mark them there, then: siteseer campaign select {folder} "
        "-o FILE.wacz"
    )


def select(
    folder: Folder,
    output: Annotated[str, typer.Option("-o", "--output", help="The WACZ file, or s3://bucket/name.")],
    threshold: Threshold = None,
    proposal: Annotated[Path | None, typer.Option(help="Instead of DIR/proposal.tsv.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write one WACZ of what was accepted, over all sites; the campaign itself stays as it is."""
    from siteseer.campaigns.load_campaign import locked_campaign
    from siteseer.campaigns.selection.proposal import FILE
    from siteseer.campaigns.selection.select_records import select as select_pages
    from siteseer.cli.live_progress import print_summary
    from siteseer.crawler.results.export_collection import send_made

    file = proposal or folder / FILE
    with locked_campaign(folder) as campaign, _progress(folder) as watch:
        if not file.is_file():
            if proposal is not None or threshold is None:
                raise UsageError(f"{file} does not exist; siteseer campaign propose {folder} writes it")
            _proposed(campaign, None, threshold, watch)
        found: dict[str, Any] = {}

        def make(target: Path) -> None:
            found.update(select_pages(campaign, file, target, threshold, watch))

        if "://" in output:
            found["file"] = send_made(make, output)
        else:
            make(_file(output))
    answer(found) if as_json else print_summary(found)


def report(
    folder: Folder,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Instead of DIR/reports/analysis.")] = None,
    before: Before = None,
    as_json: AsJson = False,
) -> None:
    """Report on links, authors, entities, topics, opinions, terms over time, and what changed between crawls."""
    from siteseer.campaigns.analysis.campaign_report import FOLDER, write_report
    from siteseer.campaigns.load_campaign import load_campaign, locked_campaign

    target = output or folder / FOLDER
    earlier = load_campaign(before) if before is not None else None
    with locked_campaign(folder) as campaign, _progress(folder) as watch:
        found = write_report(campaign, target, earlier, watch)
    if as_json:
        answer(found)
        return
    for name, count in found["totals"].items():
        print(f"{name.replace('_', ' '):16} {count:,}")
    for name in ("linked_sites", "authors", "entities"):
        best = ", ".join(str(next(iter(row.values()))) for row in found[name][:5])
        print(plain(f"{name.replace('_', ' '):16} {best or 'none'}"))
    print_message(f"{target / 'report.html'} is written; tables and pictures are beside it")


def _file(path: str | Path) -> Path:
    """Return a file that can be written, in a directory that is there from now on."""
    file = Path(path)
    if file.is_dir():
        raise UsageError(f"{file} is a directory: name a file")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from error
    return file


def _proposed(
    campaign: LoadedCampaign, output: Path | None, threshold: float, watch: Callable[[str], None]
) -> tuple[Path, tuple[int, int]]:
    """Bring the proposal up to date; return where it stands, and how many sites and pages it holds."""
    from siteseer.campaigns.analysis.campaign_index import CampaignIndex
    from siteseer.campaigns.analysis.update_index import update_index
    from siteseer.campaigns.selection.proposal import FILE, propose, write_proposal

    file = _file(output or campaign.folder / FILE)
    with CampaignIndex.of(campaign.folder) as catalogue:
        update_index(campaign, catalogue, watch)
        return file, write_proposal(file, propose(catalogue, campaign.definition, threshold))


@contextmanager
def _progress(folder: Path) -> Iterator[Callable[[str], None]]:
    """Give a function that shows how far the work is: one line that changes, or now and then a line of a log.

    The last line also stands in a file, for other programs.
    """
    from siteseer.campaigns.load_campaign import PROGRESS

    last = noted = time.monotonic()
    is_terminal = sys.stderr.isatty()
    note = folder / PROGRESS

    def write(line: str) -> None:
        nonlocal last, noted
        if time.monotonic() - noted >= NOTE_SECONDS:
            noted = time.monotonic()
            note.write_text(plain(line), encoding="utf-8", errors="replace")
        if is_terminal:
            print(f"\r\x1b[K{plain(line)}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - last >= QUIET_SECONDS:
            last = time.monotonic()
            print_message(line)

    try:
        yield write
    finally:
        note.unlink(missing_ok=True)
        if is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
