"""Reading knowledge files: what is right comes in, what is wrong is said with its line."""

import re
from pathlib import Path

import pytest

from siteseer.errors import KnowledgeError
from siteseer.knowledge import schema
from siteseer.knowledge.build import kind_of_evidence
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load, load_bytes, read

DOCS = Path(__file__).parents[2] / "docs" / "knowledge-base.md"
CMS = sorted((Path(__file__).parents[2] / "src/siteseer/knowledge/cms").glob("*.xml"))


def wrap(inside: str) -> bytes:
    return f'<application id="x" category="blog">\n{inside}\n</application>'.encode()


@pytest.mark.parametrize("path", CMS, ids=lambda path: path.stem)
def test_shipped_files_are_valid_and_named_after_their_id(path: Path) -> None:
    assert load(path).id == path.stem


@pytest.mark.parametrize("number", range(2))
def test_examples_of_the_manual_are_valid(number: int) -> None:
    example = re.findall(r"```xml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)[number]
    data = example.encode() if example.startswith("<application") else wrap(example)
    assert read(data, "manual").problems == ()


@pytest.mark.parametrize("name", schema.ELEMENTS)
def test_every_element_and_attribute_is_in_the_manual(name: str) -> None:
    text = DOCS.read_text("utf-8")
    assert f"`<{name}>`" in text
    assert [a for a in schema.ELEMENTS[name].attributes if not re.search(rf"`[^`]*\b{a}\b", text)] == []


@pytest.mark.parametrize(
    ("inside", "line", "said"),
    [
        ("<detekt/>", 2, "did you mean detect?"),
        ('<detect priority="high"><pattern>a</pattern></detect>', 2, "not a number"),
        ("<detect>\n<pattern>div[@id=]</pattern></detect>", 3, "^"),
        ('<avoid>\n\n<url path="(a" because="x"/></avoid>', 4, "regular expression"),
        ('<avoid><url path="(?=a)" because="x"/></avoid>', 2, "regular expression"),
        ('<avoid><url contains="x"/></avoid>', 2, "because"),
        ('<avoid><url because="x"/></avoid>', 2, "says no URL"),
        ('<level id="thred" kind="terminal"/>', 2, "index list thread"),
        ('<level id="list" kind="intermediate"/>', 2, "no detection"),
        ('<field type="author">a</field>', 2, "not known inside <application>"),
        ('<follow role="child" policy="no-such">a</follow>', 2, "not declared"),
        ('<follow role="child" colour="red">a</follow>', 2, "colour"),
        ('<follow role="child"/>', 2, "empty"),
        ("<identity><paging/></identity>", 2, "either parameter, path or matches"),
        ("<nonsense", 3, "well-formed"),
    ],
)
def test_problems_have_a_line_and_advice(inside: str, line: int, said: str) -> None:
    with pytest.raises(KnowledgeError) as raised:
        load_bytes(wrap(inside), "my.xml")
    assert said in str(raised.value)
    assert f"my.xml:{line}:" in str(raised.value)


def test_all_problems_are_said_at_once() -> None:
    assert len(read(wrap("<detekt/>\n<leval/>"), "my.xml").problems) == 2


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE a [<!ENTITY x "y">]><application id="x" category="blog" name="&x;"/>',
        b'<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x.dtd"><application id="x" category="blog"/>',
        '<!DOCTYPE a [<!ENTITY x "y">]><application id="x" category="blog" name="&x;"/>'.encode("utf-16"),
        b"<application" + b" " * (5 << 20) + b"/>",
        b"<a>" * 100_000,
    ],
)
def test_hostile_files_are_refused(data: bytes) -> None:
    with pytest.raises(KnowledgeError):
        load_bytes(data, "my.xml")


def test_a_missing_file_is_said() -> None:
    with pytest.raises(KnowledgeError, match="no-such"):
        load(Path("no-such.xml"))
    with pytest.raises(KnowledgeError, match="no-such"):
        KnowledgeBase.with_files(["no-such.xml"])


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        ("meta[@name='generator'][contains(@content,'x')]", "generator"),
        ("link/@href[contains(.,'x')]", "asset"),
        ("http-header[@name='x']", "header"),
        ("http-url[contains(@path,'x')]", "url"),
        ("div.x", "markup"),
    ],
)
def test_kind_of_evidence_is_found_out(pattern: str, kind: str) -> None:
    assert kind_of_evidence(pattern) == kind
