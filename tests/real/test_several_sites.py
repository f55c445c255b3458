"""Captures of several sites described together: the objects of each are those that it has alone."""

import lzma
from pathlib import Path

import pytest

from siteseer.batch.describe import describe_archives
from siteseer.collection.description import Description
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import JSON
from tests.real.replays import SITES, needs_captures


def described(folder: Path, names: tuple[str, ...]) -> tuple[JSON, dict[str, str]]:
    """Describe one WARC that holds these captures; return the summary, and the text of each object by its name."""
    with (folder / "all.warc").open("wb") as warc:
        for name in names:
            warc.write(lzma.decompress((SITES / f"{name}.warc.xz").read_bytes()))
    result = describe_archives([folder / "all.warc"], folder / "-".join(names), KnowledgeBase.shipped())
    with Description.of(folder / "-".join(names)) as description:
        return result, {found["id"]: found.get("text", "") for found in description.objects()}


@needs_captures
@pytest.mark.parametrize(
    ("names", "outcomes"),
    [
        (("textpattern", "roundup"), {"recognised", "learned"}),
        (("fluxbb", "roundup"), {"recognised", "learned"}),
        (("roundup", "mhonarc"), {"learned"}),
        (("textpattern", "fluxbb"), {"recognised"}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_each_site_gives_what_it_gives_alone(names: tuple[str, ...], outcomes: set[str], tmp_path: Path) -> None:
    alone = [described(tmp_path, (name,))[1] for name in names]
    result, together = described(tmp_path, names)
    assert all(len(objects) > 250 for objects in alone)
    assert together == alone[0] | alone[1]
    assert {site["outcome"] for site in result["sites"]} == outcomes
    assert sorted(sum(site["objects"].values()) for site in result["sites"]) == sorted(map(len, alone))
    assert result["problems"] == []
