"""The fast parser and the one made from the grammar read the same language and complain at the same column."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.knowledge.knowledge_base import shipped_applications
from siteseer.knowledge.types import Application
from siteseer.xpath.grammar_parser import parse_by_grammar
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax import Expression
from siteseer.xpath.syntax_hints import XPathSyntaxError
from tests.xpath.expressions import random_expression

PIECES = (
    *(
        "/",
        "//",
        ".",
        "..",
        "@",
        "*",
        "|",
        "[",
        "]",
        "(",
        ")",
        ",",
        "=",
        "!=",
        "'",
        '"',
        " ",
        "\t\n",
        "\xa0",
        ":",
        "::",
    ),
    *(
        "#x",
        ".x",
        ".-1",
        ".é",
        "a",
        "A:b",
        "a::b",
        "text",
        "text()",
        "text( )",
        "last()",
        "last",
        "1",
        "0",
        "0123456789",
    ),
    *("or", "and", " or ", " and ", "or-", "not(", "contains(", "starts-with (", "contains", "'x'", '"x"', "'it''s'"),
    *("parent::", "PARENT ::", "ancestor::", "following-sibling::", "self::", "[1]", "[@a='b']", "é", "<", "\x01"),
)
TRICKY = (
    *("a[or or or]", "a[and and or]", "a[b orc]", "a[b or:c]", "a[b or::c]", "a['a''b'='c']", "a[.='x'or.='y']"),
    *("a[not(b)and not (c)]", "a [ 1 ] / b", "@ a", "@*", "//@a", "//parent::a", ".//ancestor::a", "/parent::a"),
    *("parent::@a", "parent::text()", "parent:: .x", ". / a", ".a", "..a", "a.b#c.d", "a .b", "a. b", "a:b:c", "a:"),
    *(
        "text ( ) [1]",
        "text()/a",
        "a[text]",
        "a[last]",
        "a[last() and b]",
        "a[01]",
        "a[1234567890]",
        "a[()]",
        "a[(b)/c]",
    ),
    *("a[contains(b,'x')='y']", "a[contains(contains(b,'x'),'y')]", "a |", "| a", "a || b", "a///b", "", " ", "a\n "),
)


def outcome(parser: object, text: str) -> Expression | tuple[int, str]:
    try:
        return parser(text)  # type: ignore[operator,no-any-return]
    except XPathSyntaxError as error:
        return error.column, error.hint


def misspelt(random: Random) -> str:
    """An expression in which some pieces were cut out, put in or put in place of others."""
    text = str(random_expression(random))[:200]
    for _ in range(random.randint(0, 3)):
        place = random.randint(0, len(text))
        text = text[:place] + random.choice(("", *PIECES)) + text[place + random.randint(0, 3) :]
    return text


@settings(deadline=None, max_examples=600)
@given(st.integers(0, 2**48).map(Random).map(misspelt))
def test_misspelt_expressions(text: str) -> None:
    assert outcome(parse, text) == outcome(parse_by_grammar, text)


@settings(deadline=None, max_examples=600)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_pieces_in_any_order(text: str) -> None:
    assert outcome(parse, text) == outcome(parse_by_grammar, text)


@pytest.mark.parametrize("text", TRICKY)
def test_tricky_texts(text: str) -> None:
    assert outcome(parse, text) == outcome(parse_by_grammar, text)


@pytest.mark.parametrize("application", shipped_applications(), ids=lambda application: application.id)
def test_shipped_detection_patterns(application: Application) -> None:
    texts = [pattern.text for _, pattern in application.patterns()]
    assert [parse(text) for text in texts] == [parse_by_grammar(text) for text in texts]


@pytest.mark.parametrize("parser", [parse, parse_by_grammar])
def test_words_that_join_conditions_end_where_the_word_ends(parser: object) -> None:
    assert outcome(parser, "a[b orc]") == (5, "write '/' or '//' between the steps")
    assert outcome(parser, "a[or or or]") == parse("a[(or) or (or)]")
