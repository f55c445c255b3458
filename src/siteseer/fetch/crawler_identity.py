"""Says who asks: the User-Agent and From headers of everything that Siteseer sends."""

from __future__ import annotations

from siteseer.settings import USER_AGENT, Politeness
from siteseer.version import __version__


def user_agent(options: Politeness) -> str:
    """Return what the crawler calls itself.

    >>> user_agent(Politeness(user_agent="Library/1.0"))
    'Library/1.0'
    """
    name = options.user_agent or USER_AGENT.format(version=__version__)
    return f"{name} (+{options.contact})" if options.contact and not options.user_agent else name


def identity_headers(options: Politeness) -> list[tuple[str, str]]:
    """Return the headers that say whom a webmaster can write to.

    >>> identity_headers(Politeness(contact="me@example.org"))
    [('From', 'me@example.org')]
    """
    return [("From", options.contact)] if options.contact else []
