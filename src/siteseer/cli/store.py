"""`siteseer store`: keeps a collection's bytes and statements in shared stores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siteseer.cli.output.work_display import work_display
from siteseer.cli.terminal import answer, print_message
from siteseer.errors import NotFoundError, StoreError, UsageError

if TYPE_CHECKING:
    from siteseer.settings import CrawlOptions

store_app = typer.Typer(help="Keep a collection in stores that others share.", no_args_is_help=True)

Collection = Annotated[Path, typer.Argument(metavar="DIR", help="The collection's directory.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(store_app, name="store")


@store_app.command("use")
def use(
    collection: Collection,
    archive: Annotated[str, typer.Option(help="s3://bucket/prefix, hdfs://, or a folder; none: no more.")] = "",
    objects: Annotated[str, typer.Option(help="A SPARQL 1.1 endpoint; none: the collection's own store.")] = "",
    objects_update: Annotated[str, typer.Option(help="Where that endpoint takes updates, if elsewhere.")] = "",
    as_json: AsJson = False,
) -> None:
    """Choose where a collection is kept besides its directory, or say what is chosen."""
    from dataclasses import asdict

    from siteseer.archive.storage import Storage
    from siteseer.collection.stores.store_config import choose_stores, load_stores

    _make_sure(collection)
    if archive not in ("", "none"):
        Storage(archive)
    stores = (
        choose_stores(collection, archive, objects, objects_update)
        if archive or objects or objects_update
        else (load_stores(collection))
    )
    if as_json:
        answer({**asdict(stores), "graph": stores.graph if stores.objects else ""})
        return
    print_message(f"files: {stores.archive or 'only here'}")
    print_message(f"objects: {f'{stores.objects} in the graph {stores.graph}' if stores.objects else 'only here'}")


@store_app.command("push")
def push(collection: Collection, as_json: AsJson = False) -> None:
    """Copy what is new in a collection to the stores that were chosen for it; each file once, checked there."""
    from siteseer.collection.description import Description
    from siteseer.collection.layout import has_objects
    from siteseer.collection.stores.store_config import load_stores
    from siteseer.collection.stores.upload import push as push_files

    _make_sure(collection)
    stores = load_stores(collection)
    if not (stores.archive or stores.objects):
        raise UsageError(f"no store is chosen for {collection}; say siteseer store use {collection} --archive URL")
    told: dict[str, Any] = {}
    if stores.archive:
        with work_display():
            told = push_files(collection, print_message)
    if stores.objects and has_objects(collection):
        with Description.of(collection) as description:
            description.settle()
        told["objects"] = stores.objects
    if as_json:
        answer(told)
    elif stores.archive:
        print_message(
            f"{told['files']:,} files are there, {told['sent_files']:,} of them new ({told['sent_bytes']:,} bytes)"
        )


@store_app.command("pull")
def pull(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where a collection was pushed to.")],
    collection: Collection,
    as_json: AsJson = False,
) -> None:
    """Fetch a collection from where it was pushed to; every file is checked."""
    from siteseer.collection.stores.upload import pull as pull_files

    told = pull_files(url, collection, print_message)
    if as_json:
        answer(told)
    else:
        print_message(f"{told['files']:,} files are in {collection}, {told['fetched_files']:,} of them new")


@store_app.command("check")
def check(collection: Collection, as_json: AsJson = False) -> int:
    """Read a collection's files back from where they were pushed to, and compare every byte."""
    from siteseer.collection.stores.store_config import load_stores
    from siteseer.collection.stores.upload import check as check_files

    _make_sure(collection)
    if not load_stores(collection).archive:
        raise UsageError(f"{collection} is kept only here; say siteseer store use {collection} --archive URL")
    report = check_files(collection)
    if as_json:
        answer(report)
    else:
        for problem in report["problems"]:
            print(problem)
        print(f"{report['files']:,} files: {len(report['problems'])} problems")
    return 1 if report["problems"] else 0


def print_stores(options: CrawlOptions) -> None:
    """Say at the start of a crawl where it will be kept; complain about a place that can never be right.

    A store that only does not answer now is told of: the crawl goes on without it.
    """
    from siteseer.archive.storage import Storage
    from siteseer.collection.layout import ARCHIVE
    from siteseer.collection.stores.store_config import Stores, checked_endpoint, load_stores
    from siteseer.collection.stores.upload import manifest

    for url in (options.objects_to, options.objects_update):
        if url not in ("", "none"):
            checked_endpoint(url)
    stores = Stores() if options.overwrite else load_stores(options.collection)
    archive = options.archive_to or stores.archive
    if archive in ("", "none"):
        return
    shelf = Storage(archive)
    try:
        shelf.names(f"{ARCHIVE}/")  # asks the bucket itself
        manifest(shelf, stores.name or "a new one")
        print_message(f"when this run ends, the collection is copied to {shelf}")
    except StoreError as error:
        print_message(f"{error}; the crawl goes on, and everything is kept in {options.collection}")


def _make_sure(collection: Path) -> None:
    from siteseer.collection.layout import OWN

    if not (collection / OWN).is_dir():
        raise NotFoundError(f"{collection} is no collection: there is no {OWN}/ in it")
