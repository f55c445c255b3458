"""Opens the collection that a URL of the interface names, or says that there is none."""

from __future__ import annotations

from siteseer.errors import SiteseerError
from siteseer.verbs.opened_collection import Collection
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import empty, in_thread


async def opened(app_context: AppContext, name: str) -> Collection | None:
    """Return the collection of that name; say so where there is none."""
    try:
        return await in_thread(app_context.library.open, name)
    except SiteseerError:
        empty(texts.NO_SUCH_COLLECTION)
        return None
