"""Dependencies that the REST calls share: the library, its crawls, tasks and sessions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.responses import JSONResponse

from siteseer.verbs.opened_collection import Collection
from siteseer.web.service.campaign_library import CampaignLibrary
from siteseer.web.service.crawl_library import CrawlLibrary
from siteseer.web.service.job_library import JobLibrary
from siteseer.web.service.library import Library
from siteseer.web.service.sessions import Sessions
from siteseer.web.service.tasks import Tasks


class Answer(JSONResponse):
    """JSON that can always be sent: half characters from pages are replaced."""

    def render(self, content: Any) -> bytes:
        """Return the body."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return super().render(_whole(content))


def _whole(content: Any) -> Any:
    if isinstance(content, str):
        return content.encode("utf-8", "replace").decode()
    if isinstance(content, dict):
        return {_whole(key): _whole(value) for key, value in content.items()}
    return [_whole(one) for one in content] if isinstance(content, list | tuple) else content


@dataclass(slots=True)
class ServiceState:
    """Everything that one service has open."""

    library: Library
    crawls: CrawlLibrary
    allow_private: bool = False
    tasks: Tasks = field(default_factory=Tasks)
    sessions: Sessions = field(default_factory=Sessions)
    jobs: JobLibrary = field(init=False)
    campaigns: CampaignLibrary = field(init=False)

    def __post_init__(self) -> None:
        self.jobs = JobLibrary(self.library.root)
        self.campaigns = CampaignLibrary(self.library, self.allow_private)


def service_state(request: Request) -> ServiceState:
    """Return what the service has open."""
    found: ServiceState = request.app.state.shelf
    return found


OnShelf = Annotated[ServiceState, Depends(service_state)]
Name = Annotated[str, Path(max_length=200, description="The name of a collection.")]


def open_collection(name: Name, on: OnShelf) -> Collection:
    """Return the collection that the path names."""
    return on.library.open(name)


Opened = Annotated[Collection, Depends(open_collection)]
