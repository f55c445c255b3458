"""Every expression parses to nodes that print back to themselves; what is no wrapper gets a caret."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from siteseer.wrapper.oxpath.language import syntax as s
from siteseer.wrapper.oxpath.language.parser import WrapperSyntaxError, parse

CANONICAL = (
    "doc('http://wwagency.com')//select[@id='sale_type_id']/{'Lettings'}/following::button[@class='formbtn']/{click /}"
    "/(/descendant::a[.='NEXT'][1]/{click /})*{0,30}//div[contains(@class, 'proplist_wrap')]:<Property>"
    "[?.//span[@class='prop_price']:<Price=string(.)>][?.//span[@class='orange']:<Postcode=string(.)>]"
    "[?.//p:<Descr=string(.)>]"
)
VALID = {
    CANONICAL: CANONICAL,
    'doc("scholar.example")/descendant::field()[1]/{"XPath"}\n /following:: field () [1]/ {click/}': (
        "doc('scholar.example')/descendant::field()[1]/{'XPath'}/following::field()[1]/{click /}"
    ),
    '//a[style :: color="blue"][style::font-size="16px"]': "//a[style::color='blue'][style::font-size='16px']",
    ".//div[@class='gs_r']:<publication>[./h3:<title=string(.)>]": None,
    "doc('x')/(// a[contains ( string ( . ) , 'Next ')]/{click/})*//h3:<title>": (
        "doc('x')/(//a[contains(string(.), 'Next ')]/{click /})*//h3:<title>"
    ),
    "doc('x')//a/{click /}(/descendant::a/{click /})*": "doc('x')//a/{click /}/(/descendant::a/{click /})*",
    "/.[? .//button#cookie/{click /}]": "/.[?.//button#cookie/{click /}]",
    'doc("u",[wait=5])//li': "doc('u', [wait=5])//li",
    "{<http://e.org/a>[wait=3]/}//a": "doc('http://e.org/a', [wait=3])//a",
    "//li:<R(schema:Book, foaf:Agent)>[?./a/{click /}//h1:<title=string(.)>]": (
        "//li:<R(schema:Book,foaf:Agent)>[?./a/{click /}//h1:<title=string(.)>]"
    ),
    "//a.forum#top[1].new/@href": None,
    "5-2-1": "5 - 2 - 1",
    "5-(2-1)": "5 - (2 - 1)",
    "(1 or 2) and 3": None,
    "-(1 + 2) * --3": None,
    "//a[position()=last()-1] | //b": "//a[position()=last() - 1] | //b",
    "(//a)[1]/b": None,
    "((//a))": "//a",
    "//*[@class~='x' and @href#='y']": None,
    "/": None,
    "/ = 3": "(/)=3",
    "//x:<big=(1 > 2)>": None,
    "//x:<a=@href>": "//x:<a=(@href)>",
    "./(/a/{click /})*{2}": None,
    "//b/(a)*{2,3}[1]": "//b/(/a)*{2,3}[1]",
    "//select/{3}/../{$town}": None,
    "//input/{press 'Enter'}/{wait=3}": None,
    "//input/{select 'x'}": "//input/{'x'}",
    "$list/a": None,
    "'it''s \"both\"'": None,
    "//a/{click[wait=2,noback] /}[1]//x": None,
    "/{click /}//x": "./{click /}//x",
    ".forum//#main": "*.forum//*#main",
    "ancestor-or-self::*/@*": None,
    "//svg:g/svg:*": None,
    "//processing-instruction('x') | //comment() | //text() | //node()": None,
    "//div[div div div mod mod]": None,
    "matches(., '\\d+')": None,
    "self::node().cit/parent::node()#top/..": None,
    "//a[? 2:<n=string(.)>][position():<p>]": "//a[?(2):<n=string(.)>][position():<p>]",
    "//h2:<name=string(.)>:<list>[../div/{click /}/.:<x='1'>/.:<y=2>]": None,
    "count(doc('u')//*)": None,
    "((//a/{click}//b:<x>) | (//c/{click}))[@href]": "(//a/{click}//b:<x> | //c/{click})[@href]",
    "/(/div/html)*/(/div/html)*/{click}": "./(/div/html)*/(/div/html)*/{click}",
    "//a/style::color/field()/c": None,
    "//tr[replace('abra', '(.*?)b', '$1')].cit#x": None,
}


@pytest.mark.parametrize(("text", "printed"), VALID.items())
def test_a_valid_expression_parses_and_prints_back(text: str, printed: str | None) -> None:
    node = parse(text)
    assert str(node) == (printed or text)
    assert parse(str(node)) == node


@pytest.mark.parametrize("keyword", s.KEYWORDS)
def test_every_action_keyword_parses(keyword: str) -> None:
    assert str(parse(f"//a/{{{keyword}}}/{{{keyword}/}}")) == f"//a/{{{keyword}}}/{{{keyword} /}}"


INVALID = {
    "doc1('x')": (1, 1, "no function doc1"),
    "//a/{clik}": (1, 6, "no action 'clik'"),
    "//a[": (1, 5, "ends too early"),
    "//a/{click": (1, 11, "ends too early"),
    "//b//{click}": (1, 4, "write //*/ before"),
    "//b//(a)*": (1, 4, "write //*/ before"),
    "//a:<x=1>2>": (1, 10, "expected"),
    "//a\n  /b[c\n  ] ] x": (3, 5, "expected"),
    "'abc": (1, 1, "close the string"),
    "//a/(b)*{3,1}": (1, 10, "smaller"),
    "contains(.)": (1, 1, "takes 2 arguments, not 1"),
    "foo::a": (1, 1, "no axis foo::"),
    "//a:<1>": (1, 6, "name of what is extracted"),
    "": (1, 1, "ends too early"),
    "//a/{click[wait=x]}": (1, 17, "whole seconds"),
    "//a\x00b": (1, 4, "control character"),
    "a" + "[a" * 40 + "]" * 40: (1, 66, "nest at most"),
    "a" * 60_000: (1, 50_001, "shorten"),
}


@pytest.mark.parametrize(("text", "wanted"), INVALID.items(), ids=lambda value: str(value)[:20])
def test_what_is_no_wrapper_gets_a_caret(text: str, wanted: tuple[int, int, str]) -> None:
    with pytest.raises(WrapperSyntaxError) as caught:
        parse(text)
    line, column, hint = wanted
    assert (caught.value.line, caught.value.column) == (line, column)
    assert hint in str(caught.value)
    shown, caret = str(caught.value).splitlines()[1:]
    assert caret.index("^") <= len(shown) <= 122


def test_nodes_that_cannot_be_written_cannot_be_made() -> None:
    for start, moves in (("", ()), ("", (s.Step("a", deep=True),)), ("/", (s.Action("keyword", "click"),))):
        with pytest.raises(ValueError):
            s.Path(start, moves)  # type: ignore[arg-type]


names = some.sampled_from(["a", "div", "mod", "or", "text", "x-y", "_z"])
literals = some.text(some.sampled_from("ab'\" \\n>]"), max_size=6).map(s.Literal)
atoms = literals | some.sampled_from(["1", "0.5", "30"]).map(s.Number) | names.map(s.Variable)


def _qualifiers(inner: some.SearchStrategy[s.Expression]) -> some.SearchStrategy[tuple[s.Qualifier, ...]]:
    one = (
        inner.map(s.Predicate)
        | inner.map(s.Optional)
        | some.builds(s.Selector, some.sampled_from([".", "#"]), names)
        | some.builds(s.Marker, names, some.just(()) | some.just(("a:b", "c")), some.none() | inner)
    )
    return some.lists(one, max_size=2).map(tuple)


def _moves(inner: some.SearchStrategy[s.Expression]) -> some.SearchStrategy[tuple[s.Move, ...]]:
    quals = _qualifiers(inner)
    tests = some.sampled_from(["*", "node()", "text()", "field()"])
    step = some.builds(s.Step, names | tests, some.sampled_from(sorted(s.AXES - {"style"})), some.booleans(), quals)
    style = some.builds(s.Step, names, some.just("style"), some.booleans(), quals)
    action = some.builds(
        s.Action, some.just("text"), some.just("x"), some.booleans(), some.integers(0, 3), qualifiers=quals
    )
    bounds = some.sampled_from([(0, None), (2, None), (0, 0), (1, 3)])
    simple = some.lists(step | action, min_size=1, max_size=2).map(tuple)
    star = some.builds(lambda body, at, more: s.Star(body, at[0], at[1], more), simple, bounds, quals)
    return some.lists(step | style | action | star, max_size=3).map(tuple)


def _paths(inner: some.SearchStrategy[s.Expression]) -> some.SearchStrategy[s.Path]:
    here = some.builds(s.Step, names, qualifiers=_qualifiers(inner))
    return (
        some.builds(lambda first, more: s.Path("", (first, *more)), here, _moves(inner))
        | some.builds(lambda first, more: s.Path("/", (first, *more)), here, _moves(inner))
        | some.builds(
            lambda quals, more: s.Path(s.Document(s.Literal("u"), 1, True, quals), more),
            _qualifiers(inner),
            _moves(inner),
        )
        | some.builds(lambda group, first: s.Path(s.Group(group), (first,)), inner, here)
    )


def _compound(inner: some.SearchStrategy[s.Expression]) -> some.SearchStrategy[s.Expression]:
    return (
        _paths(inner)
        | some.builds(s.Binary, some.sampled_from(sorted(s.PRECEDENCE)), inner, inner)
        | some.builds(s.Negative, inner)
        | some.builds(lambda one, two: s.Call("contains", (one, two)), inner, inner)
    )


@settings(max_examples=300, deadline=None)
@given(some.recursive(atoms, _compound, max_leaves=8))
def test_whatever_can_be_made_prints_to_what_parses_back(node: s.Expression) -> None:
    assert parse(str(node)) == node
