"""The context of all views: library, crawls, jobs, campaigns, live browsers, archived pages, replay, trials."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nicegui import ui

from siteseer.model import JSON
from siteseer.web.designer.browsers import Browsers
from siteseer.web.designer.frame import PageFrame
from siteseer.web.designer.live_browser import View
from siteseer.web.replay_server import Replay
from siteseer.web.service.campaign_library import CampaignLibrary
from siteseer.web.service.crawl_library import CrawlLibrary
from siteseer.web.service.job_library import JobLibrary
from siteseer.web.service.library import Library
from siteseer.web.ui.archived_page_server import NAMES, ArchivedPageServer
from siteseer.web.ui.try_expression import ExpressionTrial


@dataclass(frozen=True, slots=True)
class AppContext:
    """The tools of one running interface."""

    library: Library
    crawls: CrawlLibrary
    origin: ArchivedPageServer
    replay: Replay
    trial: ExpressionTrial
    jobs: JobLibrary
    campaigns: CampaignLibrary
    browsers: Browsers
    window: PageFrame
    scratch: Path
    """A folder for files on their way to the person; removed at the end."""

    def archived(self, collection: str, url: str, thing: JSON = None) -> str:
        """Return where a page is shown to the person who looks now."""
        return self.origin.address(collection, url, _host(), thing)

    def report(self, collection: str) -> str:
        """Return where the report on failed and repaired actions is shown to the person who looks now."""
        return self.origin.report_address(collection, _host())

    def campaign_report(self, name: str) -> str:
        """Return where the report on a campaign is shown to the person who looks now."""
        return self.origin.campaign_address(name, _host())

    def tried(self, number: str) -> str:
        """Return where the page of a trial is shown to the person who looks now."""
        return self.origin.trial_address(number, _host())

    def live_address(self, view: View) -> str:
        """Return where a page of a live browser is shown to the person who looks now."""
        return self.window.address(view, _host())

    def other_host(self) -> str:
        """Return the name of this machine that the person who looks now does not use for the interface."""
        return NAMES.get(_host().partition(":")[0], "localhost")


def _host() -> str:
    return ui.context.client.request.headers.get("host", "")
