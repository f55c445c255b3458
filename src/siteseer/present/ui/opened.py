"""The collection that an address names, or one sentence where there is none."""

from __future__ import annotations

from siteseer.errors import SiteseerError
from siteseer.present.service.collection import Collection
from siteseer.present.ui import texts
from siteseer.present.ui.desk import Desk
from siteseer.present.ui.pieces import empty, in_thread


async def opened(desk: Desk, name: str) -> Collection | None:
    """Return the collection of that name; say so where there is none."""
    try:
        return await in_thread(desk.library.open, name)
    except SiteseerError:
        empty(texts.NO_SUCH_COLLECTION)
        return None
