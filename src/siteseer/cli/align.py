"""`siteseer align`: finds the things, relations and classes that are the same in two sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siteseer.cli.output.work_display import work_display
from siteseer.cli.terminal import answer, plain, print_message

if TYPE_CHECKING:
    from siteseer.alignment import Alignment, Fact, Match

SHOWN = 20
"""Rows of each kind in the table for people; --json and -o tell all."""
WIDEST = 60
_AROUND = re.compile(r"^https?://\S{1,1000}[#/](?=[^#/]{1,200}$)")
"""What stands before the name in an address."""
SIGNS = {"=": "is", "<": "is contained in", ">": "contains"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("align")(align)


def align(
    left: Annotated[str, typer.Argument(metavar="LEFT", help="A file (.nt .ttl .rdf .owl .tsv) or SPARQL endpoint.")],
    right: Annotated[str, typer.Argument(metavar="RIGHT", help="Another one: the larger, or the reference.")],
    joins: Annotated[int, typer.Option(min=1, max=3, help="Longest path that may equal one relation.")] = 2,
    literals: Annotated[str, typer.Option(help="How texts are compared: exact, alnum or shingle.")] = "shingle",
    theta: Annotated[float, typer.Option(help="The belief that boots the first round.")] = 0.1,
    rounds: Annotated[int, typer.Option(min=1, max=50, help="Give up after so many rounds.")] = 10,
    negative: Annotated[bool, typer.Option("--negative", help="Values that differ speak against equality.")] = False,
    output: Annotated[Path | None, typer.Option("-o", metavar="FILE", help="Write JSON lines here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines on stdout instead of a table.")] = False,
) -> None:
    """Find which instances, relations and classes of two sources belong together (PARIS)."""
    from siteseer.alignment import Settings
    from siteseer.alignment import align as paris

    settings = Settings(theta=theta, joins=joins, literals=literals, rounds=rounds, negative=negative)
    with work_display():
        found = paris(_facts(left), _facts(right), settings)
    lines = [_line(match) for match in (*found.instances, *found.relations, *found.classes)]
    if output is not None:
        output.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        print_message(f"{len(lines)} matches written to {output}")
    if as_json:
        for line in lines:
            answer(line)
    elif output is None:
        _print_tables(found)


def _facts(name: str) -> Iterable[Fact]:
    from siteseer.collection.rdf.rdf_reader import read_facts
    from siteseer.fetch.sparql_client import endpoint_facts

    return endpoint_facts(name) if name.startswith(("http://", "https://")) else read_facts(Path(name))


def _line(match: Match) -> dict[str, Any]:
    return {key: value for key, value in asdict(match).items() if value is not None}


def _print_tables(found: Alignment) -> None:
    for title, matches in (
        ("relations", found.relations),
        ("classes", found.classes),
        ("instances", found.instances),
    ):
        print(f"\n{len(matches)} {title}" + (f", the {SHOWN} surest" if len(matches) > SHOWN else ""))
        for match in matches[:SHOWN]:
            sign = SIGNS[match.direction]
            print(f"  {match.probability:5.3f}  {_short(match.left)}  {sign}  {_short(match.right)}  ({match.support})")
    print(f"\nsettled after {found.rounds} rounds; --json tells everything, one match a line")


def _short(name: str) -> str:
    name = " / ".join(_AROUND.sub("", step) or step for step in plain(name).replace("\n", " ").split(" / "))
    return name if len(name) <= WIDEST else f"…{name[1 - WIDEST :]}"
