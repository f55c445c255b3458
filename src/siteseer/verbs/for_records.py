"""Verbs about records and facts: `induce`, `run_wrapper`, `align`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siteseer.errors import UsageError
from siteseer.event_loops import outside_event_loops
from siteseer.model import JSON

if TYPE_CHECKING:
    from siteseer.alignment import Fact
    from siteseer.wrapper.oxpath.output.records import Record

Place = str | Path


@outside_event_loops
def induce(
    pages: Place | Sequence[Place],
    examples: Sequence[str] = (),
    records: Sequence[str] = (),
    following: Sequence[str] = (),
) -> JSON:
    """Find robust expressions for what examples show on pages, best first, and the wrapper that they make.

    Examples are written as for `siteseer wrapper induce`: `title=The text`, `2:price=//span[@class='p']`.
    """
    from siteseer.batch.article_sources import named_pages, raise_error
    from siteseer.fetch.fetch_one import fetch_page
    from siteseer.wrapper.induction.induce_attributes import view_of
    from siteseer.wrapper.induction.induced_json import induced_json
    from siteseer.wrapper.induction.parse_marks import parse_marks, with_default_name

    names = [str(pages)] if isinstance(pages, str | Path) else [str(page) for page in pages]
    read = [each.page for each in named_pages(names, None, fetch_page, raise_error)]
    views = [view_of(page) for page in read]
    marks = parse_marks(views, list(examples))
    rows = parse_marks(views, [with_default_name(text, "record") for text in records])
    links = parse_marks(views, [with_default_name(text, "next") for text in following])
    if not (marks or rows or links):
        raise UsageError("nothing is marked; give examples, records or following")
    return induced_json(read, marks, rows, links, read[0].url or "http://example.org/")


@outside_event_loops
def run_wrapper(wrapper: Place, variables: Mapping[str, str] | None = None, **options: Any) -> JSON:
    """Run a wrapper, a file or its text; return its records with what they took: `pages`, `values`, `warnings`.

    `options` are those of `wrapper.run.ExtractionOptions`: `start`, `offline`, `collection`, `browser`, `delay`, ...
    """
    from siteseer.settings import ExtractionOptions
    from siteseer.wrapper.oxpath.language.parser import parse
    from siteseer.wrapper.oxpath.output.record_formats import as_json
    from siteseer.wrapper.run import extract
    from siteseer.wrapper.wrapper_text import wrapper_text

    known = {field.name for field in fields(ExtractionOptions)} - {"variables"}
    for name in options:
        if name not in known:
            raise UsageError(f"there is no option {name!r}; choose among {', '.join(sorted(known))}")
    for name in ("offline", "collection"):
        if options.get(name):
            options[name] = Path(options[name])
    found: list[JSON] = []
    warnings: list[str] = []

    def keep(record: Record) -> None:
        found.append({record.label: as_json(record)})

    chosen = ExtractionOptions(variables=dict(variables or {}), **options)
    took = extract(parse(wrapper_text(str(wrapper))), keep, chosen, warnings.append)
    return {"pages": took["pages"], "values": took["values"], "records": found, "warnings": warnings}


@outside_event_loops
def align(left: Place, right: Place, **settings: Any) -> list[JSON]:
    """Find which instances, relations and classes of two sources, files or SPARQL endpoints, belong together (PARIS).

    `settings` are `joins`, `literals`, `theta`, `rounds` and `negative`, as of `siteseer align`.
    """
    from siteseer.alignment import Settings
    from siteseer.alignment import align as paris

    known = [field.name for field in fields(Settings)]
    for name in settings:
        if name not in known:
            raise UsageError(f"there is no setting {name!r}; choose among {', '.join(known)}")
    found = paris(_facts(str(left)), _facts(str(right)), Settings(**settings))
    matches = (*found.instances, *found.relations, *found.classes)
    return [{name: value for name, value in asdict(match).items() if value is not None} for match in matches]


def _facts(name: str) -> Iterable[Fact]:
    from siteseer.collection.rdf.rdf_reader import read_facts
    from siteseer.fetch.sparql_client import endpoint_facts

    return endpoint_facts(name) if name.startswith(("http://", "https://")) else read_facts(Path(name))
