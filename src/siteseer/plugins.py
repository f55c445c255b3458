"""Finds what can be added by name, ours and those of packages: strategies, extractors, formats, stores, fetchers."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from siteseer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from siteseer.interfaces import AnalyserFactory, FetcherFactory, ObjectFormat, StoragePlace, StrategyFactory

STRATEGIES = {
    "auto": "siteseer.strategies.auto_strategy:make",
    "aware": "siteseer.strategies.aware.adaptive_strategy:make",
    "learned": "siteseer.strategies.learned.learned_strategy:make",
    "acebot": "siteseer.strategies.acebot.acebot_strategy:make",
    "acebot-sample": "siteseer.strategies.acebot.acebot_strategy:make_sample",
    "example": "siteseer.strategies.example.example_strategy:make",
    "probe": "siteseer.strategies.form_search.probe_strategy:make",
    "probe-get": "siteseer.strategies.form_search.probe_strategy:make_get_only",
    "understand": "siteseer.deepweb.understanding_strategy:make",
    "focused": "siteseer.campaigns.relevance.focused_strategy:make",
    "blind": "siteseer.strategies.blind_strategy:make",
    "revisit": "siteseer.strategies.revisit.revisit_strategy:make",
}
"""Name to `module:factory`; a module is only imported when its strategy is asked for."""
OF_A_COMMAND = frozenset(("acebot-sample", "probe", "probe-get", "understand", "focused", "revisit"))
"""Strategies that commands of their own use: `learn`, `form`, `campaign`, `revisit`. They are not offered to choose."""
_STRATEGIES = "siteseer.strategies"
"""The group of entry points under which other packages offer theirs."""

EXTRACTORS = {
    "auto": "siteseer.batch.article_batches:by_auto",
    "forest": "siteseer.batch.article_batches:by_forest",
    "sigfeed": "siteseer.batch.article_batches:by_sigfeed",
    "coverage": "siteseer.batch.article_batches:by_coverage",
    "description": "siteseer.batch.article_batches:by_description",
}
"""What `--method` of `siteseer article` may be, to a `batch.article_batches.Method`."""

ANALYSERS = {
    "plain": "siteseer.campaigns.analysers.builtin_analyser:make",
    "spacy": "siteseer.campaigns.analysers.spacy_analyser:make",
}

OBJECT_FORMATS = {
    "jsonl": "siteseer.collection.objects.object_formats:JsonLines",
    "csv": "siteseer.collection.objects.object_formats:Csv",
    "ttl": "siteseer.collection.objects.object_formats:Turtle",
    "nq": "siteseer.collection.objects.object_formats:NQuads",
    "parquet": "siteseer.collection.objects.parquet:Parquet",
}
"""Name, which is also the ending of files, to the class of a format of objects."""
_OBJECT_FORMATS = "siteseer.object_formats"

STORES = {
    "file": "siteseer.archive.storage_places:folder",
    "s3": "siteseer.archive.storage_places:bucket",
    "hdfs": "siteseer.archive.storage_places:hdfs",
}
"""Scheme of an address to a function that takes the address and returns an `interfaces.StoragePlace`."""
_STORES = "siteseer.stores"

FETCHERS = {
    "http": "siteseer.crawler.build:network_fetcher",
    "archive": "siteseer.crawler.build:archive_fetcher",
}
"""Name to a function that makes an `interfaces.Fetcher` from the options of a crawl and its seeds."""


def strategy_factory(name: str) -> StrategyFactory:
    """Return the factory of the strategy of that name.

    >>> strategy_factory("blind").__module__
    'siteseer.strategies.blind_strategy'
    """
    return cast("StrategyFactory", _found("strategy", _STRATEGIES, STRATEGIES, name))


def installed_strategies() -> list[str]:
    """Return the names of the strategies of other packages."""
    return sorted(_installed(_STRATEGIES))


def extractor(name: str) -> Any:
    """Return the extractor of articles of that name.

    >>> extractor("forest").__name__
    'by_forest'
    """
    return _found("extractor", "siteseer.extractors", EXTRACTORS, name)


def store_factory(scheme: str) -> Callable[[str], StoragePlace] | None:
    """Return what opens a place of storage with addresses of that scheme; None where fsspec may know it.

    >>> store_factory("s3").__name__
    'bucket'
    """
    if scheme not in STORES and scheme not in _installed(_STORES):
        return None
    return cast("Callable[[str], StoragePlace]", _found("store", _STORES, STORES, scheme))


def fetcher_factory(name: str) -> FetcherFactory:
    """Return what makes the fetcher of that name.

    >>> fetcher_factory("http").__name__
    'network_fetcher'
    """
    return cast("FetcherFactory", _found("fetcher", "siteseer.fetchers", FETCHERS, name))


def analyser_factory(name: str) -> AnalyserFactory:
    """Return the factory of the analyser of that name.

    >>> analyser_factory("plain").__module__
    'siteseer.campaigns.analysers.builtin_analyser'
    """
    return cast("AnalyserFactory", _found("analyser", "siteseer.analysers", ANALYSERS, name))


def object_format(name: str) -> ObjectFormat:
    """Return the format of objects of that name.

    >>> object_format("csv").media_type
    'text/csv; charset=utf-8'
    """
    return cast("ObjectFormat", _found("format", _OBJECT_FORMATS, OBJECT_FORMATS, name)())


def object_formats() -> list[str]:
    """Return the names of all formats of objects, those of installed packages last.

    >>> object_formats()[:5]
    ['jsonl', 'csv', 'ttl', 'nq', 'parquet']
    """
    return [*OBJECT_FORMATS, *sorted(_installed(_OBJECT_FORMATS) - OBJECT_FORMATS.keys())]


def _installed(group: str) -> set[str]:
    """The names under which installed packages offer something; their metadata is only read when it is asked for."""
    from importlib.metadata import entry_points

    return set(entry_points(group=group).names)


def _found(what: str, group: str, shipped: dict[str, str], name: str) -> Any:
    if name in shipped:
        return _load(shipped[name])
    from importlib.metadata import entry_points

    for entry in entry_points(group=group, name=name):
        try:
            return entry.load()
        except (ImportError, AttributeError) as error:
            raise UsageError(f"the {what} {name!r} of an installed package cannot be loaded: {error}") from error
    known = [*(one for one in shipped if one not in OF_A_COMMAND), *sorted(_installed(group) - shipped.keys())]
    near = get_close_matches(name, known, 1)
    advice = f"did you mean {near[0]}? There are" if near else "choose one of"
    raise UsageError(f"there is no {what} {name!r}; {advice} {', '.join(known)}")


def _load(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
