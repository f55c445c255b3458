"""`siteseer audit`: estimates which share of the site's text is missing because the crawl skipped URLs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.output.plain_table import print_table
from siteseer.cli.output.skip_words import rules_in_words
from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.errors import UnreachableError
from siteseer.model import JSON
from siteseer.settings import Politeness


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("audit")(audit)


@takes(Politeness, "audit")
def audit(
    given: dict[str, Any],
    collection: Annotated[Path, typer.Argument(help="The collection's directory.")],
    sample: Annotated[int, typer.Option(min=1, help="How many skipped URLs to look at.")] = 100,
    requests: Annotated[
        int | None, typer.Option(min=1, help="How many requests to send at most (three for each URL of the sample).")
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Lift rules that lost content, and let the crawl go on.")] = False,
    fix_requests: Annotated[
        int | None,
        typer.Option(min=1, help="How many requests --fix may send (what it is expected to need, and half)."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed draws another sample.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
) -> None:
    """Estimate from a random sample of the skipped URLs what share of the site's text the collection lacks."""
    from siteseer.measure.certificate.audit import Budget
    from siteseer.measure.certificate.audit import audit as run

    result = run(collection, sample, fix, seed, print_message, Budget(requests, fix_requests, given))
    if as_json:
        answer(result)
    else:
        _print(result)
    if result["skipped_urls"] and not result["sampled"]:
        raise typer.Exit(UnreachableError.exit_code)


def _print(result: JSON) -> None:
    print(plain("\n".join(result["sentences"])))
    if result["rules"]:
        print()
        heads = ("links that were skipped", "skipped", "looked at", "content", "missing", "95 % interval")
        words = rules_in_words([row["rule"] for row in result["rules"]])
        print_table(heads, [(name, *_row(row)) for name, row in zip(words, result["rules"], strict=True)], 0)
    for text in _fixed(result):
        print(plain(text))


def _row(row: JSON) -> tuple[object, ...]:
    """Return what a rule lost as the figures of its row."""
    return row["skipped_urls"], row["sampled"], row["with_content"], *_shares(row)


def _shares(row: JSON) -> tuple[str, str]:
    if row["missed_share"] is None:
        return "–", "not looked at"
    return f"{row['missed_share']:.1%}", f"{row['low']:.1%} – {row['high']:.1%}"


def _fixed(result: JSON) -> list[str]:
    """Say what lifting rules brought."""
    if "lifted" not in result:
        return []
    if not result["lifted"]:
        return ["No rule was lifted: none was found to lose content."]
    fix = result["fix"]
    brought = f"{fix['pages']:,} pages and {fix['two_grams']:,} new 2-grams with {fix['requests']:,} requests"
    said = [f"Lifted: {', '.join(result['lifted'])}.", f"That brought {brought}."]
    if not fix["is_complete"]:
        said.append("The budget was used up. Run the same command again to go on, or allow more: --fix-requests N.")
    return said
