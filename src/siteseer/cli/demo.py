"""`siteseer demo`: crawls small local sites of several kinds with each strategy, and compares the results."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from siteseer.cli.parameters.every_command import AsJson, Quiet, Verbose
from siteseer.cli.terminal import answer, print_message, set_verbosity
from siteseer.errors import UsageError

demo_app = typer.Typer(help="Small local sites to try things on.", invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(demo_app, name="demo")


@demo_app.callback()
def demo(
    context: typer.Context,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where the collections go.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed makes other sites.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Make small local sites, crawl each cleverly and blindly, and print what that took."""
    if context.invoked_subcommand is not None:
        return
    from siteseer.cli.demo_run import print_rows, rows_json, showcase

    folder = output or Path(tempfile.mkdtemp(prefix="siteseer-demo-"))
    set_verbosity(-1 if quiet else 1 if verbose else 0, as_json)
    rows = showcase(folder, seed)
    if as_json:
        answer({"folder": str(folder), "crawls": rows_json(rows)})
    else:
        print_rows(rows, folder)


@demo_app.command("ontology")
def ontology(
    kind: Annotated[str, typer.Argument(help="shop, films or places.")],
    seed: Annotated[int, typer.Option(help="The seed of the site.")] = 0,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where the Turtle goes.")] = None,
) -> None:
    """Write a small reference ontology that knows a part of what a demo site holds, as Turtle."""
    from siteseer.demo.ontology import make_ontology

    made = make_ontology(kind, seed).turtle
    if output is None:
        print(made, end="")
        return
    try:
        output.write_text(made, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}") from error
    print_message(f"{made.count(chr(10))} lines of Turtle in {output}")


@demo_app.command("serve")
def serve(
    kind: Annotated[
        str,
        typer.Argument(help="blog, forum, wiki, shop, films, places, scholar, estate, scripted, trap, hostile or web."),
    ],
    seed: Annotated[int, typer.Option(help="Another seed makes another site.")] = 0,
    template: Annotated[str | None, typer.Option(help="One of the kind's templates.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free port.")] = 8000,
) -> None:
    """Serve one of the sites on loopback until Ctrl-C."""
    import threading

    from siteseer.demo import KINDS, Server, make_site
    from siteseer.demo.web import make_web

    if kind not in (*KINDS, "web"):
        raise UsageError(f"there is no site of kind {kind!r}; choose one of {', '.join((*KINDS, 'web'))}")
    try:
        site = make_web(seed) if kind == "web" else make_site(kind, seed, template)
    except ValueError as error:
        raise UsageError(str(error)) from error
    try:
        server = Server(site, port=port)
    except OSError as error:
        raise UsageError(f"port {port} cannot be used: {error.strerror}") from error
    with server:
        print_message(f"{kind} (seed {seed}, template {template or 'first'}) at {server.url} — Ctrl-C ends it")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print_message("ended")
