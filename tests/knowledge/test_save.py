"""What is written reads back the same; files of one application add up."""

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase, shipped_applications
from siteseer.knowledge.load import load, load_bytes
from siteseer.knowledge.save import save, to_xml
from siteseer.knowledge.types import Application

ADDITION = b"""<application id="phpbb" category="forum">
<learned from="http://b.example/" method="relax" confidence="0.75"/>
<level id="thread" kind="terminal"><extract type="record" of="post" scope="div.beitrag"><field type="body">div.text
<learned at="2024-01-01T00:00:00Z" replaces="div.content"/></field></extract></level>
<site host="b.example"><level id="thread" kind="terminal"><follow role="next">a.weiter/@href</follow></level>
<avoid><url contains="druck" because="print view"/></avoid></site></application>"""


def without_lines(value: Any) -> Any:
    if is_dataclass(value):
        return [without_lines(getattr(value, one.name)) for one in fields(value) if one.name not in ("line", "source")]
    return [without_lines(one) for one in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("application", shipped_applications(), ids=lambda application: application.id)
def test_round_trip_of_shipped_files(application: Application) -> None:
    assert without_lines(load_bytes(to_xml(application), "again")) == without_lines(application)


def test_learned_entries_survive(tmp_path: Path) -> None:
    learned = load_bytes(ADDITION, "addition")
    save(learned, tmp_path / "phpbb.xml")
    again = load(tmp_path / "phpbb.xml")
    assert without_lines(again) == without_lines(learned)
    assert again.learned is not None
    assert again.learned.confidence == 0.75
    field_learned = again.levels[0].extractions[0].fields[0].learned
    assert field_learned is not None
    assert field_learned.replaces == "div.content"
    assert [file.name for file in tmp_path.iterdir()] == ["phpbb.xml"]


def test_an_addition_is_tried_first_and_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "phpbb.xml").write_bytes(ADDITION)
    known, both = KnowledgeBase.shipped()["phpbb"], KnowledgeBase.with_files([tmp_path])["phpbb"]
    level, old = both.level("thread"), known.level("thread")
    assert level is not None
    assert old is not None
    assert level.extractions[0].scope == "div.beitrag"
    assert level.extractions[1:] == old.extractions
    assert both.detections == known.detections


def test_what_is_known_of_one_site_stays_there(tmp_path: Path) -> None:
    (tmp_path / "phpbb.xml").write_bytes(ADDITION)
    knowledge = KnowledgeBase.with_files([tmp_path])
    here, elsewhere = knowledge.of_site("phpbb", "b.example"), knowledge.of_site("phpbb", "c.example")
    assert here.avoids[0].because == "print view"
    assert here.level("thread").navigations[0].text == "a.weiter/@href"  # type: ignore[union-attr]
    assert elsewhere.avoids == replace(knowledge["phpbb"]).avoids


def test_none_leaves_the_shipped_files_out(tmp_path: Path) -> None:
    (tmp_path / "phpbb.xml").write_bytes(ADDITION)
    assert [one.id for one in KnowledgeBase.with_files(["none", tmp_path])] == ["phpbb"]
    assert len(KnowledgeBase.with_files(["none"])) == 0
    assert len(KnowledgeBase.with_files([])) == len(shipped_applications())
