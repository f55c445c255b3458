"""What cannot work is said before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from siteseer.crawler.run import crawl
from siteseer.errors import SiteseerError
from siteseer.settings import CrawlOptions

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"seeds": ()}, "nothing to crawl"),
    ({"seeds": ("ftp://e.org/",)}, "no URL that can be crawled"),
    ({"strategy": "clever"}, "no strategy 'clever'"),
    ({"headers": ("Accept",)}, "no header"),
    ({"include": ("re:[",)}, "is not a valid regular expression"),
    ({"cookies": Path("/no/such/cookies.txt")}, "no cookies.txt"),
    ({"profile": "nobody"}, "there is no profile 'nobody'"),
    ({"browser": "always"}, "^pages whose content needs scripts need Chromium: install your system's package [^;]*$"),
]


@pytest.mark.parametrize(("options", "words"), WRONG, ids=lambda one: next(iter(one)) if isinstance(one, dict) else "")
def test_a_crawl_that_cannot_begin_leaves_no_folder(
    options: dict[str, Any], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITESEER_PROFILES", str(tmp_path / "profiles"))
    monkeypatch.setenv("SITESEER_CHROMIUM", str(tmp_path / "no-chromium"))
    with pytest.raises(SiteseerError, match=words):
        crawl(CrawlOptions(**{"seeds": ("http://127.0.0.1:9/",), "collection": tmp_path / "c", **options}))
    assert list(tmp_path.iterdir()) == []
