from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

import siteseer
from siteseer.errors import UsageError
from siteseer.extract.article import Article, article
from siteseer.extract.article.parts.article_output import as_rows
from siteseer.model import Page
from tests.extract.article.article_site import HTML

_SAID = "They fly high over the hill, and people look up to see them, because the wind is strong in the spring. " * 2
_BODY = f"""<html><head><title>Kites over the hill - The Paper</title></head><body>
<div class=nav><ul><li><a href=/>Home</a><li><a href=/s>Sport</a></ul></div>
<div class=article><h1>Kites over the hill</h1><p class=byline>By Ann Example, 3 May 2020</p>
<figure><img src=/k.jpg alt="A kite" onerror="x()"><figcaption>A red kite in May.</figcaption></figure>
<img src=/p.gif width=1>
<p>{_SAID}It is <b>very</b> <a href="/wind" onclick="x()">windy</a> &amp; <em>cold</em>.<br>New line *star*.</p>
<h2>How to build one</h2><ul><li>Paper<li>Two sticks<ol><li>long<li>short</ol><li>String</ul><p>{_SAID}</p>
<blockquote><p>{_SAID}</p><p>So said he.</p></blockquote>
<pre><code class="language-python">def fly():
    return "up" * 2

# done</code></pre><p>{_SAID}<script>alert(1)</script><a href=" javascript:alert(2)">click</a></p>
<table><tr><th>Kind<th>Price<tr><td>Delta<td>12<tr><td>Box<td>30</table><p>{_SAID}</p>
<p>one&nbsp;two<br><br>{_SAID}</p>
</div><div id=comments><h3>2 comments</h3><div class=comment><p>I love kites so much!</p></div>
<div class=comment><p>Me too, thanks for the plan.</p></div></div><div class=footer>Copyright 2020</div></body>"""


def _article(body: str = _BODY) -> Article:
    return article(Page("http://e.org/x/y", 200, HTML, body.encode()))


def test_the_parts_of_an_article_are_told_apart() -> None:
    found = _article().parts
    kinds = [part.kind for part in found.content]
    assert kinds == [
        "image", "paragraph", "heading", "list", "paragraph", "quote", "code", "paragraph", "table", "paragraph",
        "paragraph", "paragraph",
    ]  # fmt: skip
    image, _, heading, items, _, quote, code, _, table = found.content[:9]
    assert (image.src, image.text, image.caption) == ("http://e.org/k.jpg", "A kite", "A red kite in May.")
    assert (heading.text, heading.level) == ("How to build one", 2)
    assert [item.text for item in items.children] == ["Paper", "Two sticks", "String"]
    assert [item.text for item in items.children[1].children[0].children] == ["long", "short"]
    assert len(quote.children) == 2
    assert (code.language, code.text) == ("python", 'def fly():\n    return "up" * 2\n\n# done')
    assert [[cell.text for cell in row.children] for row in table.children] == [
        ["Kind", "Price"], ["Delta", "12"], ["Box", "30"],
    ]  # fmt: skip
    assert found.comments == ("I love kites so much!", "Me too, thanks for the plan.")


def test_markdown_has_headings_lists_links_emphasis_code_tables_quotes_and_images() -> None:
    made = _article().markdown()
    assert made.startswith("# Kites over the hill\n\n![A kite](http://e.org/k.jpg)\n\n*A red kite in May.*\n\n")
    assert "It is **very** [windy](http://e.org/wind) & *cold*.  \nNew line \\*star\\*." in made
    assert "## How to build one\n\n- Paper\n- Two sticks\n  1. long\n  2. short\n- String" in made
    assert '```python\ndef fly():\n    return "up" * 2\n\n# done\n```' in made
    assert "| Kind | Price |\n| --- | --- |\n| Delta | 12 |\n| Box | 30 |" in made
    assert ">\n> So said he." in made and "javascript" not in made and "alert" not in made


def test_html_holds_nothing_but_plain_markup() -> None:
    made = html.fromstring(_article().html())
    assert {element.tag for element in made.iter()} == set(
        "article h1 h2 figure img figcaption p strong em a br ul ol li blockquote pre code table tr th td".split()
    )
    assert {name for element in made.iter() for name in element.attrib} == {"src", "alt", "href", "class"}
    assert [link.get("href") for link in made.iter("a")] == ["http://e.org/wind"]
    assert made.xpath("string(.//pre/code[@class='language-python'])").endswith("# done")


def test_a_table_that_only_lays_out_the_page_is_none() -> None:
    inner = _BODY.partition("<body>")[2].partition("</body>")[0]
    found = _article(
        "<title>Kites over the hill</title><body><table><tr><td>Menu one<td>" + inner + "<td>Right column here</table>"
    )
    assert [part.kind for part in found.parts.content].count("table") == 1
    assert found.parts.content[1].kind == "paragraph"


_PIECES = st.lists(
    st.sampled_from(
        [
            f"<p>{_SAID}</p>",
            "<script>alert(1)</script>",
            "<ul><li>",
            "</ul>",
            "<pre>",
            "</pre>",
            "<table><tr><td>a<td>b",
        ]
        + ["</table>", "<br><br>", "<br>", "<a href='javascript:x'>", "<a href='//[x'>", "</a>", "<b>", "</b>", "words"]
        + ["<img src=/i.png onload=x>", "<img src='data:x'>", "<h2>", "</h2>", "&lt;script&gt;", "<!-- c -->", "<li>"]
        + [
            "<blockquote>",
            "</blockquote>",
            "<figure><img src=a><figcaption>",
            "</figure>",
            "\ufdd0",
            "<dl><dt>",
            "|`*_",
        ]
    ),
    max_size=25,
)


@settings(max_examples=80, deadline=None)
@given(_PIECES)
def test_no_page_brings_scripts_into_the_output_or_loses_the_text(pieces: list[str]) -> None:
    one = _article(f"<title>Kites</title><body><div class=content><h1>Kites</h1>{' '.join(pieces)}</div>")
    made = html.fromstring(one.html())
    assert not set(made.xpath("//@*/..//script | //script | //style | //iframe"))
    assert all(not name.startswith("on") for element in made.iter() for name in element.attrib)
    assert all(link.startswith(("http", "mailto")) for link in made.xpath("//@href | //@src"))
    shown = "".join("".join(made.itertext()).split())
    assert [line for line in one.text.split("\n") if "".join(line.split()) not in shown] == []
    assert json.dumps(as_rows(one.parts.content)) and isinstance(one.markdown(), str)


def test_formats_and_parts_stand_beside_the_text(tmp_path: Path) -> None:
    page = tmp_path / "kites.html"
    page.write_text(_BODY)
    (row,) = siteseer.article(page, url="http://e.org/x/y", formats="markdown,html", parts=True)
    assert list(row)[-4:] == ["markdown", "html", "parts", "comments"] and row["text"]
    assert row["parts"][2] == {"kind": "heading", "text": "How to build one", "level": 2}
    with pytest.raises(UsageError, match="pdf"):
        siteseer.article(page, formats="pdf")
