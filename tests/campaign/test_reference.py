"""What a reference crawl proposes: words of any script, names, each once."""

from __future__ import annotations

from pathlib import Path

from siteseer.decide.focused.definition import Definition
from siteseer.jobs.campaign.reference import Proposal, read_reference
from siteseer.model import Page

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def proposed(folder: Path, keyword: str, *texts: str) -> list[Proposal]:
    pages = [Page(f"http://e.org/{number}", 200, HTML, f"<p>{text}".encode()) for number, text in enumerate(texts)]
    return read_reference(folder, Definition("x", ("http://e.org/",), (keyword,)), pages)


def test_words_of_scripts_that_do_not_part_them_are_proposed_whole(tmp_path: Path) -> None:
    found = proposed(
        tmp_path, "大坝", "大坝泄洪的消息", "河谷联盟与泄洪", "我们的泄洪和河谷联盟", "是河谷联盟在大坝", "窗户和泄洪"
    )
    assert {one.text for one in found} == {"泄洪", "河谷联盟"}
    assert {one.kind for one in found} == {"word"}


def test_a_name_is_not_proposed_as_a_phrase_besides(tmp_path: Path) -> None:
    texts = [f"Today {word} saw Maren Ostby cut the kelp" for word in ("Ada", "Bo", "Cy", "Di")]
    found = {(one.kind, one.text) for one in proposed(tmp_path, "kelp", *texts)}
    assert ("name", "maren ostby") in found and ("phrase", "maren ostby") not in found
