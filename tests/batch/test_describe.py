"""Objects from archives that exist already."""

from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.batch.describe import describe_archives
from siteseer.collection.description import Description
from siteseer.errors import ArchiveError, UsageError
from siteseer.knowledge.knowledge_base import KnowledgeBase


def texts(collection: Path) -> set[tuple[str, str | None]]:
    with Description.of(collection) as description:
        return {(one["text"], one.get("author")) for one in description.objects() if one.get("text")}


def test_describing_a_collection_again_gives_the_same_objects(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    server = serve("forum", seed=6)
    run_crawl(server.url, strategy="auto")
    first = texts(tmp_path / "collection")
    found = describe_archives([tmp_path / "collection"], None, KnowledgeBase.shipped())
    again = texts(tmp_path / "collection")
    assert len(first) > 50 and len(first & again) >= 0.95 * len(first)
    assert sum(found["objects"].values()) > 50


def test_a_warc_needs_a_place_for_its_description(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=6, size=8)
    run_crawl(server.url, strategy="blind")
    warc = next((tmp_path / "collection" / "archive").iterdir())
    with pytest.raises(UsageError, match="-o DIR"):
        describe_archives([warc], None, KnowledgeBase.shipped())
    describe_archives([warc], tmp_path / "described", KnowledgeBase.shipped())
    assert texts(tmp_path / "described")


def test_a_file_that_is_no_archive_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "notes.warc").write_text("not an archive at all\n")
    with pytest.raises(ArchiveError, match=r"notes\.warc holds no WARC record"):
        describe_archives([tmp_path / "notes.warc"], tmp_path / "described", KnowledgeBase.shipped())
    assert not (tmp_path / "described").exists()
