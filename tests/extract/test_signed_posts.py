"""Talk pages hold signed posts: who wrote what, when, and to whom, whatever the language and however it is indented."""

import pytest

from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.model import Page, WebObject

KNOWN = KnowledgeBase.shipped()


def posts(inside: str, kind: str = "ns-1 ns-talk") -> list[WebObject]:
    body = f'<body class="mediawiki {kind}"><h1 id="firstHeading">Talk:Tea</h1><div id="mw-content-text">{inside}</div>'
    page = Page("http://w.example/wiki/Talk:Tea", 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode())
    seen = recognise_in_full(page, KNOWN)
    assert seen.level is not None
    return [one for one in extract(page, seen.level, seen.application) if one.kind == "comment"]


def signed(name: str, time: str, namespace: str = "User") -> str:
    return f'<a href="/wiki/{namespace}:{name}">{name}</a> (<a href="/wiki/{namespace}_talk:{name}">talk</a>) {time}'


@pytest.mark.parametrize(
    ("namespace", "time", "published"),
    [
        ("User", "12:04, 3 May 2020 (UTC)", "2020-05-03T12:04:00Z"),
        ("Benutzerin", "12:04, 3. Mai 2020 (UTC)", "2020-05-03T12:04:00Z"),
        ("Utilisateur", "3 mai 2020 à 12:04 (UTC)", "2020-05-03T12:04:00Z"),
        ("Usuario", "12:04 3 may 2020 (UTC)", "2020-05-03T12:04:00Z"),
        ("Gebruiker", "3 mei 2020 12:04 (UTC)", "2020-05-03T12:04:00Z"),
        ("Участник", "12:04, 3 мая 2020 (UTC)", "2020-05-03T12:04:00Z"),
        ("利用者", "2020年5月3日 (日) 12:04 (UTC)", "2020-05-03T12:04:00Z"),
    ],
)
def test_signatures_in_many_languages(namespace: str, time: str, published: str) -> None:
    (post,) = posts(f"<p>It tastes of smoke. {signed('Ada', time, namespace)}</p>")
    assert (post.author, post.published, post.text) == ("Ada", published, "It tastes of smoke.")


def test_a_name_in_the_text_is_not_the_author() -> None:
    (post,) = posts(f'<p>As <a href="/wiki/User:Eve">Eve</a> says. {signed("Ada", "12:04, 3 May 2020 (UTC)")}</p>')
    assert (post.author, post.text) == ("Ada", "As Eve says.")


def test_a_decorated_signature_names_the_account() -> None:
    decorated = '<a href="/wiki/User:Fox42"><b>the Fox</b></a> <sup><a href="/wiki/User_talk:Fox42">yap</a></sup>'
    (post,) = posts(f"<p>Yes. — {decorated} 12:04, 3 May 2020 (UTC)</p>")
    assert (post.author, post.author_url, post.text) == ("Fox42", "http://w.example/wiki/User:Fox42", "Yes.")


def test_two_posts_in_one_paragraph_and_one_in_three() -> None:
    first, second = signed("Ada", "12:04, 3 May 2020 (UTC)"), signed("Bert", "13:00, 3 May 2020 (UTC)")
    found = posts(f"<p>One. {first}\nTwo. {second}</p><p>Three,</p><ul><li>four,</li></ul><p>five. {first}</p>")
    assert [(one.author, one.text) for one in found] == [
        ("Ada", "One."),
        ("Bert", "Two."),
        ("Ada", "Three,\nfour,\nfive."),
    ]


def test_an_answer_is_indented_more_than_what_it_answers() -> None:
    stamps = [signed(name, f"1{number}:00, 3 May 2020 (UTC)") for number, name in enumerate("ABCD")]
    found = posts(
        f"<h2>Taste</h2><p>a {stamps[0]}</p><dl><dd>b {stamps[1]}<dl><dd>c {stamps[2]}</dd></dl></dd>"
        f"<dd>d {stamps[3]}</dd></dl><h2>Price</h2><dl><dd>e {stamps[0]}</dd></dl>"
    )
    by_text = {one.text: one for one in found}
    answers = {text: next((k for k, v in by_text.items() if v.id == one.parent), None) for text, one in by_text.items()}
    assert answers == {"a": None, "b": "a", "c": "b", "d": "a", "e": None}
    assert [by_text[text].title for text in "ade"] == ["Taste", "Taste", "Price"]


@pytest.mark.parametrize(
    "inside",
    [
        "<p>Written on 12:04, 3 May 2020 (UTC) by nobody who is linked.</p>",
        '<p>Ask <a href="/wiki/User:Ada">Ada</a>, who has not been here since she left for the sea in spring, '
        "I think, at 12:04, 3 May 2020 (UTC)</p>",
        '<p>See <a href="/wiki/Help:Signatures">the help</a> 12:04, 3 May 2020 (UTC)</p>',
        '<p><a href="/wiki/User:Ada">Ada</a> (<a href="/wiki/User_talk:Ada">talk</a>) is here.</p>',
    ],
)
def test_what_is_not_signed_is_nobodys_post(inside: str) -> None:
    assert posts(inside) == []


def test_notices_above_a_post_are_not_its_text() -> None:
    box = "<table><tr><td>This page is old.</td></tr></table><div>Archives: 1 2 3</div>"
    (post,) = posts(f"{box}<p>One,</p><p>two. {signed('Ada', '12:04, 3 May 2020 (UTC)')}</p>")
    assert post.text == "One,\ntwo."


def test_a_long_text_that_nobody_signed_is_not_that_of_the_next_author() -> None:
    (post,) = posts(f"{'<p>Some more words.</p>' * 50}<p>Mine. {signed('Ada', '12:04, 3 May 2020 (UTC)')}</p>")
    assert post.text == "Mine."


def test_articles_hold_no_posts() -> None:
    assert posts(f"<p>A quoted letter. {signed('Ada', '12:04, 3 May 2020 (UTC)')}</p>", "ns-0 ns-subject") == []


def test_times_that_are_links() -> None:
    time = '<a href="#c-{}" class="ext-discussiontools-init-timestamplink">12:04, 3 May 2020 (UTC)</a>'
    reply = '<span class="ext-discussiontools-init-replylink-buttons">[<a href="#">reply</a>]</span>'
    first, second = (signed(name, time.format(name)) for name in ("Ada", "Bert"))
    found = posts(f"<p>One. {first}{reply}</p><p>Two. {second}{reply}</p>")
    assert [(one.author, one.text) for one in found] == [("Ada", "One."), ("Bert", "Two.")]
    assert found[1].permalink == "http://w.example/wiki/Talk:Tea#c-Bert"
