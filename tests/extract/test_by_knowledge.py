"""Objects by the knowledge base: one object per IRI, text as people read it, dates in UTC."""

from datetime import UTC, datetime
from time import process_time

import pytest
from lxml import html

from siteseer.extract.by_knowledge import extract
from siteseer.extract.json_records import values_at
from siteseer.extract.read_values import plain_text, read_url
from siteseer.knowledge.load import load_bytes
from siteseer.knowledge.types import Application
from siteseer.model import Page, WebObject

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def application(extracts: str, before: str = "", level: str = "") -> Application:
    text = f"""<application id="a" category="blog"><detect><pattern decisive="yes">p</pattern></detect>{before}
    <level id="thread" kind="terminal" {level}><detect><pattern>p</pattern></detect>{extracts}</level></application>"""
    return load_bytes(text.encode(), "a.xml")


def objects(body: str, known: Application, url: str = "http://e.org/t?id=1", **more: object) -> list[WebObject]:
    page = Page(url, 200, HTML, body.encode(), **more)  # type: ignore[arg-type]
    return extract(page, known.levels[0], known)


POSTS = """<extract type="record" of="thread" scope="/html"><field type="title">h1</field></extract>
<extract type="record" of="post" scope="div.post"><field type="author">b</field>
<field type="published" read="date">i</field>
<field type="body" without="blockquote, .sig">.text</field>
<field type="permalink" read="url">a.link/@href</field></extract>"""
PAGING = '<identity><paging parameter="page" first="1"/></identity>'


def post(number: int, text: str, when: str = "2020-05-01 10:00") -> str:
    link = f'<a class=link href="/t?id=1&amp;page=1#p{number}">#</a>'
    return f"<div class=post><b>Ann</b> <i>{when}</i>{link}<div class=text>{text}</div></div>"


def test_thread_and_posts_name_each_other() -> None:
    known = application(POSTS, PAGING)
    thread, first, second = objects("<h1>Re: Knots</h1>" + post(1, "one") + post(2, "two"), known)
    assert (thread.kind, thread.title, thread.text, thread.id) == ("thread", "Knots", None, "http://e.org/t?id=1#this")
    assert (first.title, first.thread, first.text) == ("Knots", thread.id, "one")
    assert second.id == "http://e.org/t?id=1#p2"
    assert first.because == "a/thread/post"


def test_pages_of_a_thread_are_one_thread_and_a_post_met_twice_is_one() -> None:
    known = application(POSTS, PAGING)
    one = objects("<h1>Knots</h1>" + post(1, "one"), known)
    other = objects("<h1>Knots</h1>" + post(1, "one"), known, "http://e.org/t?id=1&page=2")
    assert [found.id for found in one] == [found.id for found in other]


def test_the_only_post_of_a_thread_is_not_the_thread() -> None:
    thread, found = objects("<h1>Knots</h1><div class=post><p class=text>Hi</p></div>", application(POSTS))
    assert (thread.kind, found.kind, found.thread) == ("thread", "post", thread.id)
    assert found.id != thread.id


def test_quotes_and_signatures_are_left_out() -> None:
    (found,) = objects(
        post(1, "<blockquote>old <a href=/q>q</a></blockquote>new <a href=/n>n</a><p class=sig>bye</p>"),
        application(POSTS),
    )[1:]
    assert found.text == "new n"
    assert found.links == ("http://e.org/n",)


def test_text_has_lines_and_no_scripts() -> None:
    tree = html.fromstring("<div>a <b>b</b>c<br>d<p>e</p><pre>f\n  g</pre><script>x</script><!-- y -->h</div>")
    assert plain_text(tree) == "a bc\nd\ne\nf\ng\nh"


def test_numeric_dates_are_read_as_the_page_votes() -> None:
    body = post(1, "one", "05/04/2020") + post(2, "two", "25/04/2020")
    assert [found.published for found in objects(body, application(POSTS))[1:]] == ["2020-04-05", "2020-04-25"]


def test_format_settles_ambiguous_dates() -> None:
    known = application(POSTS.replace('read="date">i', 'read="date" format="month-first">i'))
    assert objects(post(1, "one", "05/04/2020"), known)[1].published == "2020-05-04"


def test_relative_dates_need_the_moment_of_fetching() -> None:
    known = application(POSTS)
    when = datetime(2020, 5, 2, 12, 0, tzinfo=UTC)
    assert objects(post(1, "one", "Yesterday, 10:30"), known, fetched_at=when)[1].published == "2020-05-01T10:30:00Z"
    assert objects(post(1, "one", "Yesterday, 10:30"), known)[1].published is None


def test_nested_comments_answer_each_other_and_keep_their_own_text() -> None:
    known = application(
        """<extract type="record" of="article" scope="main"><field type="body">p.lead</field></extract>
        <extract type="record" of="comment" scope="li"><field type="id">./@id</field><field type="author">b</field>
        <field type="body" without="b, ul">.</field></extract>"""
    )
    article, outer, inner = objects(
        "<main><p class=lead>Lead</p></main>"
        "<ul><li id=c1><b>Ann</b> outer<ul><li id=c2><b>Bo</b> inner</li></ul></li></ul>",
        known,
    )
    assert (outer.text, outer.author, outer.parent) == ("outer", "Ann", article.id)
    assert (inner.text, inner.author, inner.parent, inner.thread) == ("inner", "Bo", outer.id, article.id)


def test_alternatives_are_tried_until_one_says_something() -> None:
    known = application(
        """<extract type="record" of="post" scope="div.post"><field type="published" read="date">i | u</field>
        <field type="author" regex="by (.+)">b | s</field><field type="author">s</field>
        <field type="body">.text</field></extract>"""
    )
    (found,) = objects(
        "<div class=post><i>soon</i><u>1 May 2020</u><b>Ann</b><s>Bo</s><p class=text>x</p></div>", known
    )
    assert (found.published, found.author) == ("2020-05-01", "Bo")


def test_the_next_extraction_serves_where_the_first_finds_nothing() -> None:
    known = application(
        '<extract type="record" of="post" scope="div.new"><field type="body">p</field></extract>'
        '<extract type="record" of="post" scope="div.old"><field type="body">p</field></extract>'
    )
    assert [found.text for found in objects("<div class=old><p>x</p></div>", known)] == ["x"]


def test_templates_switch_fields() -> None:
    known = application(
        '<extract type="record" of="post" scope="div"><field type="author" template="red">i</field>'
        '<field type="author">b</field><field type="body">p</field></extract>',
        '<template id="red"><pattern>body.red</pattern></template>',
    )
    body = "<div><i>Ann</i><b>Bo</b><p>x</p></div>"
    assert objects(f"<body class=red>{body}", known)[0].author == "Ann"
    assert objects(f"<body>{body}", known)[0].author == "Bo"


def test_without_permalink_the_content_names_the_object() -> None:
    known = application('<extract type="record" of="comment" scope="li"><field type="body">p</field></extract>')
    one, other = objects("<li><p>first words</p></li><li><p>other words</p></li>", known)
    assert one.id.startswith("urn:sha256:")
    assert one.id != other.id
    assert [one.id, other.id] == [
        found.id for found in objects("<li><p>first words</p></li><li><p>other words</p></li>", known)
    ]


def test_answers_of_an_api() -> None:
    known = application(
        """<extract type="record" of="post" scope="items[]"><field type="author" read="json">by.name | by.login</field>
        <field type="published" read="json">at</field><field type="body" read="json">html</field>
        <field type="permalink" read="json">link</field><field type="tags" read="json">tags[].name</field></extract>""",
        level='format="json"',
    )
    body = (
        b'{"items": [{"by": {"login": "ann"}, "at": "2020-05-01T10:00:00Z", "html": "<p>Hi <a href=\\"/x\\">x</a></p>",'
    )
    body += b'"link": "/p/1", "tags": [{"name": "a"}, {"name": "b"}]}, 7]}'
    page = Page("http://e.org/api", 200, (("Content-Type", "application/json"),), body)
    (found,) = extract(page, known.levels[0], known)
    assert (found.author, found.published, found.text, found.tags) == (
        "ann",
        "2020-05-01T10:00:00Z",
        "Hi x",
        ("a", "b"),
    )
    assert (found.id, found.links) == ("http://e.org/p/1#this", ("http://e.org/x",))


@pytest.mark.parametrize("body", [b"", b"[", b"7", b"[" * 100_000, b'{"items": {"a": 1}}', b'{"items": [[[]]]}'])
def test_hostile_answers_give_nothing(body: bytes) -> None:
    known = application(
        '<extract type="record" of="post" scope="items[]"><field type="body" read="json">b</field></extract>',
        level='format="json"',
    )
    page = Page("http://e.org/api", 200, (("Content-Type", "application/json"),), body)
    assert extract(page, known.levels[0], known) == []
    assert list(values_at(None, "a.b[]")) == []


def test_deep_and_crowded_pages_take_no_longer() -> None:
    deep = "<div class=post><div class=text>" + "<span>" * 1500 + "<a href=/x>x</a>" * 3000 + "</div></div>"
    started = process_time()
    (_, found) = objects(deep, application(POSTS))
    assert process_time() - started < 5
    assert found.links == ("http://e.org/x",)


def test_urls_keep_their_fragment() -> None:
    assert read_url("#c5", "http://e.org/a?b#old") == "http://e.org/a?b#c5"
    assert read_url("/x#y", "http://e.org/") == "http://e.org/x#y"
    assert read_url("mailto:a@e.org", "http://e.org/") is None
    assert read_url("", "http://e.org/") is None


def test_a_post_linked_as_its_thread_is_not_the_thread() -> None:
    body = "<h1>Knots</h1><div class=post><a class=link href='/t?id=1'>#</a><p class=text>Hi</p></div>"
    thread, found = objects(body, application(POSTS))
    assert (found.kind, found.text, found.thread) == ("post", "Hi", thread.id)
    assert found.id != thread.id


@pytest.mark.parametrize(("dates", "day"), [(("5/4/2020", "5/13/2020"), "2020-05-04"), (("5/4/2020",), "2020-04-05")])
def test_the_dates_of_a_page_win_over_the_usual_order(dates: tuple[str, ...], day: str) -> None:
    usual = POSTS.replace('read="date"', 'read="date" format="day-first"')
    body = "<h1>x</h1>" + "".join(post(number, "t", when) for number, when in enumerate(dates))
    assert objects(body, application(usual))[1].published == day


@pytest.mark.parametrize(
    "date", ['<i data-time="1588327200">May</i>', '<i><u data-timestamp="1588327200000">x</u></i>']
)
def test_time_stamps_of_unix_are_read(date: str) -> None:
    body = post(1, "one").replace("<i>2020-05-01 10:00</i>", date)
    assert objects("<h1>x</h1>" + body, application(POSTS))[1].published == "2020-05-01T10:00:00Z"


def test_a_value_ends_at_its_mark() -> None:
    known = application(POSTS.replace('without="blockquote, .sig"', 'until="______"'))
    text = "Hello <a href='/a'>a</a><br>________<br>my <a href='/mine'>site</a><img src=/me.png>"
    found = objects("<h1>x</h1>" + post(1, text), known)[1]
    assert (found.text, found.links, found.media) == ("Hello a", ("http://e.org/a",), ())


def test_values_of_nested_comments_are_theirs() -> None:
    known = application(
        '<extract type="record" of="post" scope="div.post"><field type="body">p</field><field type="author">b</field>'
        '<field type="tags">i</field></extract>'
        '<extract type="record" of="comment" scope="div.answer"><field type="body">p</field>'
        '<field type="author">b</field></extract>'
    )
    body = "<div class=post><p>one</p><div class=answer><p>two</p><b>Bea</b><i>x</i>"
    body += "<div class=answer><p>three</p><b>Cy</b></div></div></div>"
    found = objects(body, known)
    assert [(one.text, one.author, one.tags) for one in found] == [
        ("one", None, ()),
        ("two", "Bea", ()),
        ("three", "Cy", ()),
    ]


def test_a_picture_does_not_stand_for_the_text() -> None:
    known = application(POSTS.replace(">.text<", ">.picture | .text<"))
    picture = "<div class=picture><img src=/a.png></div>"
    body = f"<h1>x</h1><div class=post><a class=link href=#p1></a>{picture}<div class=text>words</div></div>"
    assert objects(body, known)[1].text == "words"
    only = objects(body.replace("words", ""), known)[1]
    assert (only.text, only.media) == (None, ("http://e.org/a.png",))
