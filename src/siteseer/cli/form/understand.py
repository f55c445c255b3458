"""`siteseer form understand`: learns what a search form asks for, its records, and what they add to an ontology."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.errors import UsageError
from siteseer.settings import CrawlOptions, FetchLimits

if TYPE_CHECKING:
    from siteseer.alignment import Fact
    from siteseer.deepweb.understanding_model import FieldMeaning, Understanding

WIDEST = 100
SHOWN = 8
"""New instances that are printed; the rest is in the files."""


@takes(CrawlOptions, "form understand")
def understand(
    given: dict[str, Any],
    url: Annotated[str, typer.Argument(metavar="URL", help="The page with the form.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The collection (understood-HOST).")] = None,
    ontology: Annotated[str, typer.Option(help="A file or SPARQL endpoint to align with.")] = "",
    form: Annotated[int | None, typer.Option("--form", min=0, help="Which form of the page, from 0.")] = None,
    details: Annotated[bool, typer.Option("--details", help="Read the records' own pages too.")] = False,
    enough: Annotated[bool, typer.Option("--enough", help="Stop when the alignment gets no better.")] = False,
    questions: Annotated[int, typer.Option(min=1, help="Ask no more than this.")] = 400,
    get_only: Annotated[bool, typer.Option("--get-only", help="Send no form by POST.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was understood as JSON.")] = False,
) -> int:
    """Learn what a form asks for, what its records are, and what they add to an ontology."""
    from siteseer.cli.crawl import check_crawl, politeness_line, print_problems
    from siteseer.cli.live_progress import live
    from siteseer.collection.exit_codes import exit_code
    from siteseer.deepweb.run import understand as run
    from siteseer.deepweb.understanding import Options
    from siteseer.strategies.form_search.sent_searches import given_values

    folder = output or Path(_folder(url))
    options = CrawlOptions((url,), folder, "understand", assets="none", limits=FetchLimits(retries=1), **given)
    how = Options(
        budget=questions, form=form, given=tuple(given_values(options.values).items()),
        details=details, enough=enough, post=not get_only,
    )  # fmt: skip
    facts = read_ontology(ontology) if ontology else None
    check_crawl(options)
    print_message(f"{politeness_line(options)}; into {folder}")
    with live() as watch:
        found, summary = run(options, facts, how, watch)
    print_problems(summary)
    if as_json:
        answer({"collection": str(folder), "requests": summary["requests"], **found.as_json()})
    else:
        print_understanding(found)
        print(f"\nIn {folder}: siteseer/understanding.json, reports/enrichment.trig, and the records as objects.")
    return exit_code(summary)


def correct(
    collection: Annotated[Path, typer.Argument(metavar="DIR", help="The collection of the form.")],
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What kind of thing is put right.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    decision: Annotated[str, typer.Argument(metavar="confirm|reject|set", help="The decision.")],
    value: Annotated[str, typer.Argument(metavar="[VALUE]", help="With set: what it is.")] = "",
) -> int:
    """Keep a person's word on what was understood: the next `form understand` uses it."""
    from siteseer.deepweb.corrections import DECISIONS, WHAT, Correction
    from siteseer.deepweb.run import correct as keep

    if what not in WHAT or decision not in DECISIONS:
        raise UsageError(
            f"form correct takes a collection, one of {', '.join(WHAT)}, its name, one of {', '.join(DECISIONS)}, and "
            "with set a value"
        )
    keep(collection, Correction(WHAT[WHAT.index(what)], name, DECISIONS[DECISIONS.index(decision)], value))
    print(
        plain(
            f"Kept in {collection}/siteseer/corrections.jsonl; the next siteseer form understand into {collection} "
            "uses it."
        )
    )
    return 0


def read_ontology(source: str) -> Iterable[Fact]:
    """Return the facts of a file or of a SPARQL endpoint."""
    if source.startswith(("http://", "https://")):
        from siteseer.fetch.sparql_client import endpoint_facts

        return list(endpoint_facts(source))
    from siteseer.collection.rdf.rdf_reader import read_facts

    if not Path(source).is_file():
        raise UsageError(f"there is no ontology {source}; name a file (.ttl, .nt, .rdf, .tsv) or a SPARQL endpoint")
    return list(read_facts(Path(source)))


def _folder(url: str) -> str:
    host = urlsplit(url if "://" in url else f"http://{url}").netloc
    return "understood-" + "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in host)


# ── the summary ────────────────────────────────────────────────────────────────────────────────────────────────────


def print_understanding(found: Understanding) -> None:
    """Print what was found out about a form, for people."""
    for line in summary_lines(found):
        print(plain(line)[: 3 * WIDEST])


def summary_lines(found: Understanding) -> list[str]:
    """Return the summary line by line."""
    form = found.form
    lines = [f"Form {form['index']} of {found.url} ({form['method']} {form['action']}), {form['because']}"]
    lines.append(f"{found.submissions} questions asked, {len(found.records)} records found")
    if found.stopped_by:
        lines.append("The budget ended before everything was asked: there may be more records.")
    lines += [f"Not read: {one}." for one in found.shortfalls]
    lines += ["", "Fields"]
    lines += [_field(field) for field in found.fields]
    lines += ["", "Columns of the records"]
    for column in found.columns:
        examples = ", ".join(column.examples[:3])[:WIDEST]
        source = {"details": ", from the records' own pages", "form": ", told by the form only"}.get(column.source, "")
        label = f' "{column.label}"' if column.label and column.label.lower() != column.id else ""
        lines.append(f"  {column.id}{label}: {column.type}, {column.filled:.0%} of records{source} ({examples})")
    lines += _habits(found)
    lines += [f"  {one.field} depends on {one.on} ({one.because})" for one in found.dependencies]
    return lines + _alignment(found)


def _field(field: FieldMeaning) -> str:
    how = {
        "text": "searches", "option": "chooses", "lowest": "is the lowest", "highest": "is the highest",
        "order": "only changes the order",
    }.get(field.role, "has no meaning that was found")  # fmt: skip
    columns = f" {' or '.join(field.columns)}" if field.columns else ""
    relation = f", which is {short(field.relation)}" if field.relation else ""
    cls = f" (names of {_last(field.range_class)})" if field.range_class else ""
    samples = f"; try {', '.join(field.samples[:3])}" if field.samples else ""
    label = f' "{field.label}"' if field.label else ""
    return f"  {field.name}{label} {how}{columns}{relation}{cls}: {field.because}, {field.confidence:.2f}{samples}"


def _habits(found: Understanding) -> list[str]:
    habits = found.habits
    said = []
    if habits.as_it_stands:
        said.append(f"  the form as it stands brings {habits.as_it_stands}")
    if habits.stop_words:
        said.append(f"  stop words are {'indexed' if habits.stop_words == 'yes' else 'not indexed'}")
    if habits.joined:
        said.append(
            {"and": "  words are joined by and", "or": "  words are joined by or"}.get(
                habits.joined, "  words are searched as a phrase"
            )
        )
    if habits.parts_of_words:
        said.append(f"  parts of words are {'found' if habits.parts_of_words == 'yes' else 'not found'}")
    if habits.spelling:
        said.append(f"  misspelt words are {'found' if habits.spelling == 'yes' else 'not found'}")
    if habits.error_place:
        said.append(f"  an answer that finds nothing repeats the question at {habits.error_place}")
    return ["", "How it searches", *said] if said or found.dependencies else []


def _alignment(found: Understanding) -> list[str]:
    if not found.rounds:
        return []
    lines = ["", "In the ontology"]
    for cls in found.classes:
        lines.append(f"  records are instances of {_last(cls.cls)}: {cls.confidence:.2f}")
    for match in found.relations:
        lines.append(f"  {match.column} is {short(match.relation)}: {match.confidence:.2f}, {match.support} facts")
    last = found.rounds[-1]
    lines.append(f"  {len(found.instances)} records are known there")
    lines.append(f"  mean confidence of the relations: {last.confidence:.2f}, after {len(found.rounds)} rounds")
    if not found.relations:
        lines.append("  no column was recognised")
    ids = {record.id: record for record in found.records}
    new = [one for one in found.proposals if one.kind == "instance" and one.subject in ids]
    others = sum(one.kind == "instance" for one in found.proposals) - len(new)
    facts = sum(one.kind == "fact" for one in found.proposals)
    relations = sum(one.kind == "relation" for one in found.proposals)
    lines += [
        "",
        f"To propose: {len(new)} new records, {others} other new instances, {facts} facts, {relations} relations",
    ]
    for one in new[:SHOWN]:
        values = [text for texts in ids[one.subject].values.values() for text in texts]
        lines.append(f"  {' · '.join(values[:3])[:WIDEST]}: {one.confidence:.2f}")
    if len(new) > SHOWN:
        lines.append(f"  and {len(new) - SHOWN} more")
    return lines


def short(path: Iterable[str]) -> str:
    """Return a path of relations as people read it.

    >>> short(("http://o.org/created~", "http://o.org/label"))
    'created backwards, then label'
    """
    return ", then ".join(f"{_last(one[:-1])} backwards" if one.endswith("~") else _last(one) for one in path)


def _last(iri: str) -> str:
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] or iri
