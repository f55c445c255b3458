"""What the calls of the service share: the library, its crawls, tasks and sessions, found through the request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.responses import JSONResponse

from siteseer.present.service.campaigns import Campaigns
from siteseer.present.service.collection import Collection
from siteseer.present.service.crawls import Crawls
from siteseer.present.service.jobs import JobDesk
from siteseer.present.service.library import Library
from siteseer.present.service.sessions import Sessions
from siteseer.present.service.tasks import Tasks


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
class Shelf:
    """Everything that one service has open."""

    library: Library
    crawls: Crawls
    allow_private: bool = False
    tasks: Tasks = field(default_factory=Tasks)
    sessions: Sessions = field(default_factory=Sessions)
    jobs: JobDesk = field(init=False)
    campaigns: Campaigns = field(init=False)

    def __post_init__(self) -> None:
        self.jobs = JobDesk(self.library.root)
        self.campaigns = Campaigns(self.library, self.allow_private)


def shelf(request: Request) -> Shelf:
    """Return what the service has open."""
    found: Shelf = request.app.state.shelf
    return found


OnShelf = Annotated[Shelf, Depends(shelf)]
Name = Annotated[str, Path(max_length=200, description="The name of a collection.")]


def opened(name: Name, on: OnShelf) -> Collection:
    """Return the collection that the path names."""
    return on.library.open(name)


Opened = Annotated[Collection, Depends(opened)]
