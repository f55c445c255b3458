# ruff: noqa: E501 - tables read best one thing to a line
"""What has one place in `page/` has no second one: style sheets, lists of tags, measures of similarity, dates.

Each exception of today stands here with its reason. The lists are to become shorter: an exception that is none any more
fails too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import siteseer

SOURCES = Path(siteseer.__file__).parent
TAGS = frozenset(
    "a abbr address article aside b blockquote body br button caption center col datalist dd details dialog div dl dt em "
    "fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input label legend li "
    "link main menu meta nav noscript ol optgroup option p pre script section select small span strong style summary svg table "
    "tbody td template textarea tfoot th thead title tr ul".split()
)
MANY = 5
"""So many names of tags in one constant are a list of tags."""

SHEETS_ELSEWHERE = {
    "extract/timestamps/text_with_offsets.py": "the text of dates with offsets; becomes a cut of the one walk",
    "extract/article/marked_text.py": "the article's tokens; becomes a cut of the one walk",
    "campaigns/relevance/text_marks.py": "the blocks of relevance; becomes a cut of the one walk",
}
OWN_TABLE = "until the walk has a policy for it"
KINDS = "a class of tags that means something to this algorithm alone, not what is read"
TAGS_ELSEWHERE = {
    "extract/article/forest/forest_document.py: DROPPED": OWN_TABLE,
    "extract/article/sigfeed.py: BLOCKS": OWN_TABLE,
    "extract/article/sigfeed.py: _HOLDERS": OWN_TABLE,
    "web/service/locate_object.py: BLOCKS": OWN_TABLE,
    "change/diff/comment_lists.py: _HEADINGS": KINDS,
    "change/diff/comment_lists.py: _UNWRITTEN": KINDS,
    "change/diff/page_regions.py: _AROUND": KINDS,
    "deepweb/records/record_leaves.py: CONTROLS": KINDS,
    "extract/article/element_appearance.py: TAGS": KINDS,
    "extract/article/block_features.py: _HELD_BY_PARENT": KINDS,
    "extract/article/block_features.py: _INSIDE_CONTAINER": KINDS,
    "extract/article/forest/comment_zones.py: _ZONES": KINDS,
    "extract/article/forest/forest_extractor.py: PARTS": KINDS,
    "extract/records/element_keys.py: STRUCTURAL": KINDS,
    "extract/records/element_keys.py: _CONTAINERS": KINDS,
    "extract/records/fields/other_objects.py: ITEMS": KINDS,
    "extract/records/fields/record_headings.py: HEADINGS": KINDS,
    "extract/signed_posts.py: WRITTEN_IN": KINDS,
    "strategies/aware/adaptation/extraction/element_expressions.py: BOXES": KINDS,
    "strategies/aware/adaptation/extraction/field_candidates.py: TELLING": KINDS,
    "web/service/page_view.py: INNER": KINDS,
    "wrapper/induction/candidates/ancestor_paths.py: STRUCTURAL": KINDS,
    "wrapper/induction/to_xpath.py: STRUCTURE": KINDS,
    "xpath/relaxation.py: RELATED_TAGS": KINDS,
}
MEASURE = re.compile(
    r"(?:^|_)(?:likeness|jaccard|shingles?|dice|jaro|winkler|levenshtein|cosine|lcs|common_subsequence|edit_distance)(?:_|$)"
)
SEQUENCES_ELSEWHERE = {
    "change/diff/tree_matching.py": "pairs equal children of two elements in order: no measure",
    "change/diff/comparison_page.py": "shows which words differ: no measure",
    "knowledge/validate.py": "suggests a name to somebody who mistyped one",
    "plugins.py": "suggests a name to somebody who mistyped one",
    "settings/read_value.py": "suggests a name to somebody who mistyped one",
    "settings/config_file.py": "suggests a name to somebody who mistyped one",
    "settings/hosts_and_seeds.py": "suggests a name to somebody who mistyped one",
    "knowledge/knowledge_base.py": "suggests a name to somebody who mistyped one",
    "campaigns/relevance/parse_definition.py": "suggests a name to somebody who mistyped one",
    "campaigns/relevance/definition_values.py": "suggests a name to somebody who mistyped one",
}
PARSERS = frozenset(("strptime", "parsedate", "parsedate_tz", "parsedate_to_datetime", "dateutil", "dateparser"))
HEADER = "a date of an HTTP header, which RFC 9110 fixes"
PARSERS_ELSEWHERE = {
    "archive/cdxj.py": "the fourteen digits of a CDX index",
    "crawler/polite_fetch.py": HEADER,
    "integrations/scrapy.py": HEADER,
    "extract/timestamps/combine.py": HEADER,
}
MONTH_NAMES = re.compile(r"\b(?:january|februar|janvier|enero|janeiro|gennaio|января|févr|märz)\b|\bjan\|feb", re.I)
MONTHS_ELSEWHERE = {
    "extract/article/runs_of_text.py": "whether a run of text looks like a date is one feature of boilerplate; no day is read",
    "campaigns/analysers/entity_candidates.py": "names of months are no names of people; no day is read",
    "demo/blog/classic.py": "a demo site writes dates",
}


@cache
def modules() -> dict[str, ast.Module]:
    """Return the modules outside of `page/` by their path."""
    found = {path.relative_to(SOURCES).as_posix(): path for path in sorted(SOURCES.rglob("*.py"))}
    return {name: ast.parse(path.read_text()) for name, path in found.items() if not name.startswith("page/")}


def words_of(node: ast.AST) -> Iterator[str]:
    """Yield the words of the texts that make up a constant."""
    match node:
        case ast.Constant(value=str(text)):
            yield from re.split(r"[\s|,]+", text.strip())
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            for part in parts:
                yield from words_of(part)
        case ast.BinOp(left=left, right=right):
            yield from words_of(left)
            yield from words_of(right)
        case ast.Call(func=ast.Attribute(value=value)):
            yield from words_of(value)
        case ast.Call(args=arguments):
            for argument in arguments:
                yield from words_of(argument)


def lists_of_tags(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the constants of a module that list tags."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            words = [word for word in words_of(node.value) if word]
            tags = sum(word in TAGS for word in words)
            if tags >= MANY and tags >= 0.8 * len(words):
                yield ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)


def names_used(tree: ast.Module) -> set[str]:
    """Return the names that a module imports or takes from something else."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {part for alias in names for part in alias.name.split(".")}
            case ast.ImportFrom(module=module, names=names):
                found |= {alias.name for alias in names} | set((module or "").split("."))
            case ast.Attribute(attr=name):
                found.add(name)
    return found


def texts_of(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a module, its docstrings left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            continue
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                yield child.value


def test_style_sheets() -> None:
    found = {name for name, tree in modules().items() if "XSLT" in names_used(tree)}
    assert found == SHEETS_ELSEWHERE.keys()


def test_a_list_of_tags_is_recognised() -> None:
    made = "A = frozenset(('p', 'li', 'td', 'h1', 'h2'))\nB: set[str] = set('p li td h1 h2'.split())\nC = ('p', 'li')"
    assert list(lists_of_tags(ast.parse(made))) == ["A", "B"]


def test_lists_of_tags() -> None:
    found = {f"{name}: {constant}" for name, tree in modules().items() for constant in lists_of_tags(tree)}
    assert found == TAGS_ELSEWHERE.keys()


def test_measures_of_similarity() -> None:
    defined = [
        f"{name}: {node.name}"
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and MEASURE.search(node.name)
    ]
    assert defined == []
    assert {name for name, tree in modules().items() if "difflib" in names_used(tree)} == SEQUENCES_ELSEWHERE.keys()


def test_readers_of_dates() -> None:
    found = {name for name, tree in modules().items() if names_used(tree) & PARSERS}
    assert found == PARSERS_ELSEWHERE.keys()
    named = {name for name, tree in modules().items() if any(map(MONTH_NAMES.search, texts_of(tree)))}
    assert named == MONTHS_ELSEWHERE.keys()
