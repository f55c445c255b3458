"""The aware strategy: follows what leads to content, says why not, asks for each document once, survives a stop."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.errors import UsageError
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load_bytes
from siteseer.model import JSON, Action, Follow, Keep, Note, Outcome, Page, Remember, Seed, Skip
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.aware.crawl_policies import AwareOptions, chosen_policies
from siteseer.strategies.aware.navigation_targets import sitemap_urls
from siteseer.strategies.aware.url_memory import HashSet
from siteseer.strategies.scope import SeedScope

HTML = (("Content-Type", "text/html; charset=utf-8"),)
HOME = "http://e.org/"
BOARD = b"""<application id="board" category="forum"><detect><pattern decisive="yes">body#board</pattern></detect>
<identity><drop-parameter name="sid" because="session id"/><paging parameter="page" first="1"/></identity>
<avoid><url contains="reply" because="writing form"/>
<url contains="user" because="profiles" policy="profiles" is="no"/></avoid>
<policy name="profiles" default="no">Keep profiles</policy>
<entry role="sitemap" url="/map.xml" to="thread" because="lists all threads" policy="map"/>
<policy name="map" default="no">Use the sitemap</policy>
<follow role="child" to="profile" policy="profiles">a.user/@href</follow>
<level id="list" kind="intermediate"><detect><pattern>ul.threads</pattern></detect>
<follow role="child" to="thread" priority="5">ul.threads//a/@href</follow>
<follow role="next" priority="9">a.next/@href</follow></level>
<level id="thread" kind="terminal"><detect priority="1"><pattern>div.post</pattern></detect>
<follow role="next">a.next/@href</follow>
<follow role="same" url="{address}?page={number}" matches="^[^?]*$">b.current</follow>
<extract type="record" of="post" scope="div.post"><field type="id">./@id</field>
<field type="body">p</field></extract></level>
</application>"""
LIST = """<body id=board><ul class=threads><li><a href="/t1?sid=9">1</a>
<li><a href="/t2?page=1">2</a><li><a href="/t2">2</a></ul>
<a class=next href="/?page=2">next</a><a href="/reply?t=1">r</a><a class=user href="/user/1">u</a><a href="/help">h</a>
<a href="http://other.example/">o</a>"""


class Memory:
    """What a strategy remembered."""

    def __init__(self, rows: Iterable[Remember] = ()) -> None:
        self.rows = {(row.kind, row.key): row.value for row in rows}

    def recall(self, kind: str) -> list[tuple[str, JSON]]:
        return [(key, value) for (of, key), value in self.rows.items() if of == kind]

    def earlier_objects(self, url: str) -> list[Any]:
        return []

    def earlier_pages(self) -> list[Any]:
        return []


def strategy(**policies: str) -> AwareStrategy:
    return AwareStrategy(KnowledgeBase([load_bytes(BOARD, "b.xml")]), SeedScope([HOME]), AwareOptions(policies))


def visit(
    aware: AwareStrategy, body: str, url: str = HOME, state: JSON = None, status: int = 200, **more: Any
) -> list[Action]:
    page = Page(url, status, more.get("headers", HTML), body.encode())
    return list(aware.decide(Outcome(url, "page", page=page), Follow(url, "test", state=state)))


def follows(actions: Iterable[Action]) -> list[str]:
    return [action.url for action in actions if isinstance(action, Follow)]


def started(aware: AwareStrategy, memory: Memory | None = None) -> AwareStrategy:
    assert follows(aware.start([Seed(HOME)], memory or Memory())) == [HOME]
    return aware


def test_only_what_leads_to_content_is_followed_once() -> None:
    actions = visit(started(strategy()), LIST)
    assert follows(actions) == ["http://e.org/t1", "http://e.org/t2?page=1", "http://e.org/?page=2"]
    priorities = [action.priority for action in actions if isinstance(action, Follow)]
    assert priorities == [5.0, 5.0, 9.0]
    assert all(action.because.startswith("board/list: ") for action in actions if isinstance(action, Follow))


def test_every_other_link_in_scope_is_skipped_with_its_rule() -> None:
    aware = started(strategy())
    skipped = {action.url: action.rule for action in visit(aware, LIST) if isinstance(action, Skip)}
    assert skipped == {
        "http://e.org/reply?t=1": "writing form",
        "http://e.org/user/1": "profiles",
        "http://e.org/help": "not towards content",
    }
    assert [action for action in visit(aware, LIST, "http://e.org/?page=3") if isinstance(action, Skip)] == []


def test_policies_switch_rules_and_actions() -> None:
    assert "http://e.org/user/1" in follows(visit(started(strategy(profiles="yes")), LIST))


def test_recognition_is_noted_for_every_page() -> None:
    aware = started(strategy())
    (note,) = [action for action in visit(aware, LIST) if isinstance(action, Note)]
    assert note.recognition is not None
    assert (note.recognition.application, note.recognition.level) == ("board", "list")
    unknown = visit(aware, "<a href=/x>x</a>", "http://e.org/other")
    assert any(isinstance(action, Note) and action.event == "unknown_application" for action in unknown)


def test_pages_of_unknown_software_are_crawled_breadth_first() -> None:
    actions = visit(
        started(strategy()), "<a href=/a>a</a><a href=/b>b</a><a href=/a#x>a</a><a href='http://o.example/'>o</a>"
    )
    assert follows(actions) == ["http://e.org/a", "http://e.org/b"]
    assert {action.priority for action in actions if isinstance(action, Follow)} == {-1.0}


def test_an_unknown_level_is_crawled_without_what_is_avoided() -> None:
    actions = visit(started(strategy()), "<body id=board><a href=/a>a</a><a href=/reply?x>r</a>")
    assert follows(actions) == ["http://e.org/a"]
    assert [action.rule for action in actions if isinstance(action, Skip)] == ["writing form"]


def test_a_known_list_whose_actions_find_nothing_does_not_end_the_crawl() -> None:
    body = "<body id=board><ul class=threads></ul><a href=/a>a</a><a href=/reply?x>r</a>"
    actions = visit(started(strategy()), body)
    assert follows(actions) == ["http://e.org/a"]
    assert "failed_action" in [action.event for action in actions if isinstance(action, Note)]
    aware = started(strategy())
    visit(aware, LIST)
    assert follows(visit(aware, body, "http://e.org/?page=2")) == []


def test_objects_are_kept_once_and_failures_are_noted() -> None:
    aware = started(strategy())
    body = "<body id=board><div class=post id=4><p>Hi</p></div>"
    assert [action.object.text for action in visit(aware, body, "http://e.org/t1") if isinstance(action, Keep)] == [
        "Hi"
    ]
    assert [action for action in visit(aware, body, "http://e.org/t1?page=2") if isinstance(action, Keep)] == []
    empty = "<body id=board><div class=post></div>"
    assert failed(visit(aware, empty, "http://e.org/t5")) == []


def failed(actions: list[Action]) -> list[tuple[str, str]]:
    notes = [action for action in actions if isinstance(action, Note) and action.event == "failed_action"]
    return [(note.details["level"], note.details["field"]) for note in notes]


def test_an_action_that_fails_is_told_once() -> None:
    aware, empty = started(strategy()), "<body id=board><div class=post></div>"
    assert failed(visit(aware, empty, "http://e.org/t5")) == [("thread", "post/record")]
    assert failed(visit(aware, empty, "http://e.org/t6")) == []
    rows = [row for row in visit(started(strategy()), empty) if isinstance(row, Remember)]
    assert failed(visit(started(strategy(), Memory(rows)), empty)) == []


def test_a_page_of_known_software_that_no_level_explains_is_told_where_it_was_expected() -> None:
    aware, unknown = started(strategy()), "<body id=board><a href=/a>a</a>"
    assert failed(visit(aware, unknown, state={"role": "link"})) == []
    assert failed(visit(aware, unknown, state={"role": "seed"})) == [("", "level")]
    assert failed(visit(aware, unknown, state={"role": "child", "to": "thread"})) == [("thread", "level")]
    visit(aware, LIST)
    assert failed(visit(aware, unknown, state={"role": "child", "to": "list"})) == []


def test_another_spelling_of_this_page_is_not_asked_for() -> None:
    aware = started(strategy())
    body = "<body id=board><div class=post id=4><p>Hi</p></div>"
    body += '<a class=next href="/t1?page={}">n</a><b class=current>2</b>'
    assert follows(visit(aware, body.format(3), "http://e.org/t1")) == ["http://e.org/t1?page=3"]
    assert follows(visit(aware, body.format(2), "http://e.org/t1?page=3")) == []


def test_redirects_lead_on_unless_the_target_is_known() -> None:
    aware = started(strategy())
    why = Follow("http://e.org/r", "x", "family", 3.0, {"role": "child"})
    (target,) = [
        a for a in aware.decide(Outcome(why.url, "redirect", target="http://e.org/t9"), why) if isinstance(a, Follow)
    ]
    assert (target.url, target.family, target.state, target.hops) == ("http://e.org/t9", "family", {"role": "child"}, 1)
    assert follows(aware.decide(Outcome("http://e.org/r2", "redirect", target="http://e.org/t9"), why)) == []


def test_errors_and_broken_pages_lead_nowhere() -> None:
    aware = started(strategy())
    assert list(aware.decide(Outcome(HOME, "error", "timeout"), Follow(HOME, "x"))) == []
    assert follows(visit(aware, LIST, status=404)) == []
    assert list(aware.refill(5)) == []


def test_after_a_stop_nothing_is_asked_for_twice() -> None:
    aware = started(strategy())
    rows = [action for action in visit(aware, LIST) if isinstance(action, Remember)]
    thread = "<body id=board><div class=post id=4><p>Hi</p></div>"
    rows += [action for action in visit(aware, thread, "http://e.org/t1") if isinstance(action, Remember)]
    again = started(strategy(), Memory(rows))
    assert follows(visit(again, LIST, "http://e.org/?page=7")) == []
    assert [action for action in visit(again, thread, "http://e.org/t1?page=2") if isinstance(action, Keep)] == []


def test_entry_points_are_asked_for_when_wanted() -> None:
    assert "http://e.org/map.xml" not in follows(visit(started(strategy()), LIST))
    aware = started(strategy(map="yes"))
    assert follows(visit(aware, LIST))[0] == "http://e.org/map.xml"
    body = "<urlset><url><loc>http://e.org/t1</loc></url><url><loc>http://e.org/t7</loc></url><url><loc>http://e.org/reply</loc></url></urlset>"
    actions = visit(aware, body, "http://e.org/map.xml", {"role": "sitemap"}, headers=(("Content-Type", "text/xml"),))
    assert follows(actions) == ["http://e.org/t7"]


def test_sitemaps_of_strangers_are_harmless() -> None:
    for body in (
        b"",
        b"<",
        b'<!DOCTYPE a [<!ENTITY x "y">]><urlset><url><loc>&x;</loc></url></urlset>',
        b"<loc>" * 9999,
    ):
        assert sitemap_urls(Page("http://e.org/s", body=body))[0] == []
    index = b"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>"
    assert sitemap_urls(Page("http://e.org/s", body=index)) == (["http://e.org/a.xml"], [])


def test_the_same_pages_give_the_same_decisions() -> None:
    assert visit(started(strategy()), LIST) == visit(started(strategy()), LIST)


def test_a_blog_beside_a_forum_is_crawled_as_a_blog() -> None:
    aware = started(AwareStrategy(KnowledgeBase.shipped(), SeedScope([HOME])))
    forum = "<body id=phpbb class=section-index><a href='http://www.phpbb.com/'>phpBB</a>"
    blog = (
        "<head><meta name=generator content='WordPress 6'><link rel='https://api.w.org/' href='/blog/wp-json/'></head>"
        "<body class='single-post postid-7'><article class='post type-post hentry'><h1 class=entry-title>A</h1>"
        "<div class=entry-content><p>Words</p></div></article><a href='/forum/'>our phpBB forum</a>"
    )
    seen = []
    for url, body in (("forum/", forum), ("blog/a/", blog), ("forum/index.php", forum), ("blog/b/", blog)):
        actions = visit(aware, body, HOME + url)
        seen += [one.recognition.application for one in actions if isinstance(one, Note) and one.event == "recognised"]
    assert seen == ["phpbb", "wordpress", "phpbb", "wordpress"]


def test_entry_points_lie_where_the_application_lies() -> None:
    known = load_bytes(BOARD.replace(b'because="lists all threads" policy="map"', b'because="lists all"'), "b.xml")
    for home, head in (("http://e.org/forum/t1", "<link rel=home href='/forum/'>"), ("http://e.org/t1", "")):
        aware = started(AwareStrategy(KnowledgeBase([known]), SeedScope([HOME])))
        found = follows(visit(aware, f"<head>{head}</head><body id=board><div class=post><p>x</p></div>", home))
        assert found == ["http://e.org/forum/map.xml" if head else "http://e.org/map.xml"]


def test_policies_are_read_from_the_options() -> None:
    assert chosen_policies(["profiles=yes", "map = no"]) == {"profiles": "yes", "map": "no"}
    with pytest.raises(UsageError):
        chosen_policies(["profiles"])


def test_what_is_left_out_unless_chosen_is_followed_once_chosen() -> None:
    page = LIST + "<a href='/user/2'>not under any action</a><a href='/user/reply'>under another rule</a>"
    chosen = started(strategy(profiles="yes"))
    actions = visit(chosen, page)
    assert {"http://e.org/user/1", "http://e.org/user/2"} <= set(follows(actions))
    assert "http://e.org/user/reply" not in follows(actions)
    by_choice = next(one for one in actions if isinstance(one, Follow) and one.url == "http://e.org/user/2")
    assert by_choice.because == "board/list: profiles are wanted (profiles)"
    profile = "<body id=board><a href='/help'>h</a><a href='/user/3'>a friend</a>"
    page_of = Page(by_choice.url, 200, HTML, profile.encode())
    then = list(chosen.decide(Outcome(by_choice.url, "page", page=page_of), by_choice))
    assert follows(then) == ["http://e.org/user/3"], "the other links of an unknown page are not followed"
    assert "http://e.org/user/2" not in follows(visit(started(strategy()), page))


def test_a_skip_is_told_again_only_after_much_else() -> None:
    aware = started(strategy())
    assert any(isinstance(action, Skip) for action in visit(aware, LIST))
    assert not any(isinstance(action, Skip) for action in visit(aware, LIST, "http://e.org/?page=5"))


@given(st.lists(st.integers(0, 50)))
def test_keys_are_a_set(numbers: list[int]) -> None:
    keys = HashSet(waiting=4)
    keys.update(numbers)
    assert [number in keys for number in range(51)] == [number in set(numbers) for number in range(51)]
    assert len(keys) == len(set(numbers))


def test_a_million_keys_take_eight_bytes_each() -> None:
    keys = HashSet()
    keys.update(range(0, 2**64, 2**64 // 300_000))
    assert 2**64 // 300_000 * 7 in keys and 5 not in keys
    assert sum(row.nbytes for row in keys._rows) <= 8 * len(keys)
