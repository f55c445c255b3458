"""Every error that Siteseer raises on purpose.

SiteseerError                 something a person can act on; its text is one sentence
├── UsageError                the command or call was wrong                     exit 2
│   ├── NotFoundError         ... it names something that is not there
│   ├── BusyError             ... another process is at work there now         exit 9
│   └── MissingExtraError     ... it needs a part of Siteseer that is not installed
├── ConfigurationError        a settings or knowledge file is wrong             exit 4
│   └── KnowledgeError        ... with file, line and what to do
├── FetchError                a page could not be had                           (recorded, crawl goes on)
│   ├── TemporaryFetchError   ... but may be had later                            exit 9
│   └── UnreachableError      ... nor any other: nothing at all answered          exit 9
├── StoreError                a store elsewhere refused or did not answer       exit 9
├── ArchiveError              an archive file is damaged or does not belong     exit 17
└── DiskFullError             no room left; everything reported done is saved   exit 3
"""

import errno

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Numbers of the errors of a full disk."""


class SiteseerError(Exception):
    """The root of the tree: its text is one sentence that says what to do next."""

    exit_code = 1


class UsageError(SiteseerError):
    """The command or call was wrong."""

    exit_code = 2


class NotFoundError(UsageError):
    """Something that the command or call names does not exist."""


class BusyError(UsageError):
    """Another process is writing to the same collection; the same command works when that has ended."""

    exit_code = 9


class MissingExtraError(UsageError):
    """A command needs a part of Siteseer that is not installed; the launcher installs it and runs the command again."""

    def __init__(self, extra: str, why: str) -> None:
        self.extra = extra
        super().__init__(f"{why}; install it with: pip install 'siteseer[{extra}]'")


class ConfigurationError(SiteseerError):
    """A settings or knowledge file is wrong."""

    exit_code = 4


class KnowledgeError(ConfigurationError):
    """A knowledge-base file is wrong; the text names file and line."""


class FetchError(SiteseerError):
    """A page could not be fetched, and trying again will not help."""

    was_sent = True
    """Whether a request left this machine: not where a host has no address or refuses connections."""


BEYOND = "more than an answer may cost: "
"""How the reasons begin why an answer was given up that would only cost as much again."""


class TemporaryFetchError(FetchError):
    """A page could not be fetched now, but may be later."""

    exit_code = 9


class UnreachableError(FetchError):
    """None of the hosts of a crawl answered; nothing was archived, and the same command tries again."""

    exit_code = 9


class StoreError(SiteseerError):
    """A store elsewhere refused or did not answer; local files are untouched, and the same command tries again."""

    exit_code = 9


class ArchiveError(SiteseerError):
    """An archive file is damaged, or does not belong where it was found."""

    exit_code = 17


class DiskFullError(SiteseerError):
    """The disk is full; everything that was reported done is saved."""

    exit_code = 3
