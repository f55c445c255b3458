from __future__ import annotations

import pytest
from hypothesis import given

from siteseer.errors import ConfigurationError
from siteseer.xpath.parser import XPathSyntaxError, parse
from siteseer.xpath.syntax import And, Compare, Exists, Expression, Not, Or, Path, Position, Step
from tests.xpath.expressions import expressions

KNOWLEDGE_EXAMPLES = (
    "body[@id='phpbb']",
    "http-cookie[contains(@name,'phpbb3_')]",
    "div[contains(@class,'postbody')]",
    "div.pagination//a[@rel='next']/@href",
    "div[contains(@id,'p')][.//div.postbody]",
    ".username-coloured | .username",
    "time/@datetime | p.author",
    "h3/a/@href",
    "//script/@src[contains(.,'x')]",
    "td/parent::tr/preceding-sibling::tr[1]",
)


@pytest.mark.parametrize("text", KNOWLEDGE_EXAMPLES)
def test_examples_of_the_knowledge_base_round_trip(text: str) -> None:
    assert parse(str(parse(text))) == parse(text)


@given(expressions)
def test_str_parses_back(expression: Expression) -> None:
    assert parse(str(expression)) == expression


def test_nodes_of_a_rich_expression() -> None:
    assert parse("DIV#main.post//A[not(@Rel='no') and (b or text())][2]/@HREF") == Expression(
        (
            Path(
                "",
                (
                    Step("div", ids=("main",), classes=("post",)),
                    Step(
                        "a",
                        "descendant",
                        predicates=(
                            And(
                                (
                                    Not(Compare("=", Path("", (Step("@rel"),)), "no")),
                                    Or((Exists(Path("", (Step("b"),))), Exists(Path("", (Step("text()"),))))),
                                )
                            ),
                            Position(2),
                        ),
                    ),
                    Step("@href"),
                ),
            ),
        )
    )


def test_and_binds_stronger_than_or() -> None:
    assert parse("a[b or c and d]") == parse("a[b or (c and d)]") != parse("a[(b or c) and d]")


def test_doubled_quotes_stand_for_one() -> None:
    (path,) = parse("a[.='it''s \"it\"']").alternatives
    assert path.steps[0].predicates == (Compare("=", Path(".", ()), 'it\'s "it"'),)


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [
        ("", 1, "ends too early"),
        ("a[", 3, "ends too early"),
        ("div .x", 5, "write '//'"),
        ("../a", 2, "parent::*"),
        ("a//parent::b", 10, "single '/'"),
        ("self::a", 5, "only parent::"),
        ("a/@href/b", 8, "last step"),
        ("a[foo(@x)]", 6, "known functions"),
        ("a[@x=3]", 6, "string in quotes"),
        ("a[@x='y]", 6, "close the string"),
        ("a[0]", 3, "counted from 1"),
        ("a[1 and @x]", 5, "between the steps"),
        ("a, b", 2, "'|'"),
        ("a > b", 3, "child"),
        ("a b", 3, "between the steps"),
        ("a]", 2, "remove the bracket"),
        ("a[@x='\x01']", 7, "control character"),
        ("a" + "[b" * 40 + "]" * 40, 50, "nest at most"),
        ("a" * 5000, 4001, "shorten"),
    ],
)
def test_errors_point_at_the_column_and_say_what_to_do(text: str, column: int, hint: str) -> None:
    with pytest.raises(XPathSyntaxError) as caught:
        parse(text)
    error = caught.value
    assert isinstance(error, ConfigurationError)
    assert (error.text, error.column) == (text, column)
    assert hint in error.hint and hint in str(error)


def test_the_caret_stands_under_the_column() -> None:
    with pytest.raises(XPathSyntaxError) as caught:
        parse("div .x")
    _, shown, caret = str(caught.value).split("\n")
    assert shown[caret.index("^")] == "."


@pytest.mark.parametrize("steps", [(), (Step("a", "descendant"),), (Step("@a"), Step("b"))])
def test_impossible_paths_cannot_be_made(steps: tuple[Step, ...]) -> None:
    with pytest.raises(ValueError, match=r"path|last step"):
        Path("", steps)
