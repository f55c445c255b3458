"""The parts of the economical learner: templates, opinions, rewards, duplicates, aliases, identities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from siteseer.model import Page
from siteseer.strategies.learned.online_learner.identity_rules import Identities
from siteseer.strategies.learned.online_learner.learned_patterns import LinkPattern, PatternMatcher
from siteseer.strategies.learned.online_learner.learner import OnlineLearner
from siteseer.strategies.learned.online_learner.link_classes import LinkClasses
from siteseer.strategies.learned.online_learner.link_facts import PAGER, found_links
from siteseer.strategies.learned.online_learner.near_duplicates import Duplicates
from siteseer.strategies.learned.online_learner.next_urls import THRESHOLD, choose, second_look
from siteseer.strategies.learned.online_learner.prose import pack, prose, unpack
from siteseer.strategies.learned.online_learner.rewards import Rewards
from siteseer.strategies.learned.online_learner.sitemap_urls import read_sitemap
from siteseer.strategies.learned.online_learner.url_aliases import Aliases
from siteseer.strategies.learned.online_learner.url_templates import Template, Templates
from siteseer.strategies.learned.online_learner.url_words import Words, is_pager, suspicious_word

HTML = (("Content-Type", "text/html; charset=utf-8"),)
SITE = "http://e.org"


def templates_of(paths: list[str]) -> list[str]:
    templates = Templates()
    for path in paths:
        templates.add(SITE + path)
    templates.rebuild()
    return [templates.of(number).name for number in range(len(paths))]


def test_scripts_stay_and_numbers_go() -> None:
    assert templates_of(["/f/viewtopic.php?t=12&start=20", "/f/login.php", "/2020/05/"]) == [
        "/f/viewtopic.php?start=0&t=0",
        "/f/login.php",
        "/0/0/",
    ]


def test_one_of_many_is_a_name_and_one_of_few_a_section() -> None:
    names = [f"/wiki/{word}" for word in "oak elm ash fir yew box bay fig nut pear plum lime".split()]
    found = templates_of([*names, *(f"/wiki/special/{number}" for number in range(9)), "/about"])
    assert set(found[:12]) == {"/wiki/*"}
    assert set(found[12:21]) == {"/wiki/special/0"}
    assert found[-1] == "/about"


def test_a_kind_of_url_is_one_however_many_others_there_are() -> None:
    """A hundred threads beside links to each of their thousand posts."""
    paths = [f"/post/{number}" for number in range(1200)] + [f"/thread{number}.html" for number in range(30)]
    paths += [f"/last/{number}" for number in range(30)] + [
        f"/{word}" for word in "login faq members user recent".split()
    ]
    paths += [f"/{word}.html" for word in "about rules search team".split()]
    found = templates_of(paths)
    assert set(found[:1200]) == {"/post/0"} and set(found[1200:1230]) == {"/thread0.html"}
    assert set(found[1230:1260]) == {"/last/0"}


@pytest.mark.parametrize("threads", [5, 30], ids=["few", "many"])
def test_a_thread_of_many_posts_is_no_kind_of_its_own(threads: int) -> None:
    """Its title is two words and a number, and its posts are parameters of its address."""
    words = "oak elm ash fir yew box".split()
    names = [f"{words[n % 6]}-{words[n // 6]}-{n + 10}" for n in range(threads)]
    paths = [f"/forum/tea-4/topic/{name}/?post={n}" for name in names for n in range(40)]
    paths += [f"/forum/tea-4/topic/{name}/?page=2" for name in names]
    assert set(templates_of(paths)) == {"/forum/tea-0/topic/*/?post=0", "/forum/tea-0/topic/*/?page=0"}


def test_pages_of_a_list_with_a_word_stay_a_kind_among_titles() -> None:
    words = [a + b for a in "oak elm ash fir yew box bay".split() for b in "wood leaf root bark seed twig".split()]
    found = templates_of([f"/{word}/page-{n}" for word in words for n in (2, 3)] + [f"/{word}/" for word in words])
    assert set(found[: 2 * len(words)]) == {"/*/page-0"}


def test_a_parameter_with_many_values_is_a_name_unless_a_value_is_common() -> None:
    names = "oak elm ash fir yew box bay fig nut pear".split()
    paths = [f"/doku.php?id={word}{do}" for word in names for do in ("", "&do=edit")]
    assert set(templates_of(paths)) == {"/doku.php?id=*", "/doku.php?do=edit&id=*"}


def test_names_with_digits_and_keyless_components_are_one_kind() -> None:
    assert len(set(templates_of([f"/x.php?{number}-title{number}" for number in range(30)]))) == 1


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("/viewtopic.php?t=3", "A thread", ""),
        ("/posting.php?mode=reply&t=3", "", "function"),
        ("/index.php?action=post;board=1", "", "function"),
        ("/post/7", "A post", ""),
        ("/thread/7", "Antworten", "function"),
        ("/topic.php?id=4&view=next", "", "function"),
        ("/doku.php?id=a&do=diff", "", "older"),
        ("/wiki/Special:WhatLinksHere/A_very_long_title_of_a_page", "", "function"),
        ("/w/index.php?title=Special%3ACreateAccount&returnto=A+very+long+title", "", "function"),
        ("/wiki/Talk:A_very_long_title_of_a_page", "", "talk"),
        ("/wiki/Benutzer_Diskussion:Ada", "", "talk"),
        ("/w/index.php?title=Talk:Tea&action=edit&section=2", "", "function"),
        ("/w/index.php?title=Talk:Tea&oldid=12", "", "older"),
        ("/discussion/12/how-to-make-tea", "", ""),
        ("/2021/05/", "May 2021", "arrangement"),
        ("/?m=202105", "May 2021", "arrangement"),
        ("/index.php?monat=2021-05", "Mai", "arrangement"),
        ("/2021/05/login-is-the-new-logout-and-more", "Login is the new logout", ""),
        ("/how-to-search-and-print-a-feed", "x", ""),
    ],
)
def test_first_opinions(path: str, text: str, kind: str) -> None:
    assert suspicious_word(SITE + path, text)[0] == kind


def test_a_word_that_was_cleared_is_not_held_against_a_url() -> None:
    assert suspicious_word(SITE + "/help/tea", "", Words())[0] == "function"
    assert suspicious_word(SITE + "/help/tea", "", Words(cleared=frozenset(["help"])))[0] == ""
    assert suspicious_word(SITE + "/tea/1", "", Words(frozenset(["tea"])))[0] == "function"


def test_pager_links_in_several_languages() -> None:
    assert all(is_pager(text, ()) for text in ("12", "»", "Next page →", "← previous page", "Weiter", "Seite 3"))
    assert not any(is_pager(text, ()) for text in ("#12", "Next steps", "A page of history", ""))


def test_prose_counts_no_numbers_no_menus_and_no_borders() -> None:
    body = "<ul><li>Home<li>About</ul><p>Seen 12 times by 3 people on 5 May<p>the quick brown fox jumps over it"
    found = prose(Page(SITE, 200, HTML, body.encode()))
    assert len(found.grams) == 2 + 6, "times-by and people-on, and six of the sentence"
    assert len(found.blocks) == 2 and len(found.shorter) == 2
    chinese = prose(Page(SITE, 200, HTML, "<p>今天天气很好我们去公园散步".encode()))
    assert len(chinese.grams) > 8


@given(some.lists(some.integers(0, 2**32 - 1)))
def test_hashes_survive_packing(hashes: list[int]) -> None:
    assert unpack(pack(tuple(hashes))).tolist() == hashes


def test_a_page_that_leads_to_four_is_worth_about_one() -> None:
    rewards = Rewards()
    rewards.add(0, 0)
    for page in range(1, 5):
        rewards.add(page, 400, 0)
    assert rewards.own(0) == 0.0
    assert 0.6 < rewards.worth(0) <= 0.9
    assert rewards.worth(1) > 0.8


def test_duplicates_are_found_among_boilerplate() -> None:
    pages = Duplicates()
    frame = (1, 2, 3)
    for number in range(30):
        assert pages.add(number, (*frame, 100 + number, 200 + number)) == []
    assert pages.add(30, (*frame, 107, 207)) == [7]
    assert pages.is_same(30, 7) and not pages.is_same(30, 8)


def test_the_preferred_name_has_the_worth_whichever_came_first() -> None:
    templates, rewards = Templates(), Rewards()
    alias, thread = templates.add(SITE + "/t.php?p=9&x=1"), templates.add(SITE + "/t.php?p=9")
    rewards.add(alias, 500)
    rewards.add(thread, 0)
    aliases = Aliases(templates.of, lambda name, source: 0, rewards)
    assert set(aliases.pair(thread, alias)) == {alias, thread}
    assert rewards.worth(alias) == 0.0 and rewards.worth(thread) > 0.8
    assert aliases.preferred_to("/t.php?p=0&x=0", 1) == "/t.php?p=0"
    assert aliases.preferred_to("/t.php?p=0&x=0", 9) is None, "one page in nine says nothing about its kind"


def test_links_to_each_post_lose_against_threads_however_few_are_known() -> None:
    """Early in a crawl a list has shown many threads, and one thread the links to its few posts."""
    templates = Templates()
    thread, post, last = (templates.add(f"{SITE}/{name}/7") for name in ("thread", "post", "last"))
    further = templates.add(SITE + "/thread/7/5")
    shown = {("/post/0", "/thread/0"): 19, ("/thread/0/0", "/thread/0"): 3}
    found_first = {"/post/0": 1, "/thread/0": 2, "/last/0": 3, "/thread/0/0": 4}
    rewards = Rewards()
    for page in (thread, post, last, further):
        rewards.add(page, 100)
    aliases = Aliases(templates.of, lambda name, source: shown.get((name, source), 0), rewards, found_first.__getitem__)
    aliases.pair(thread, post)
    assert aliases.demoted == {"/post/0": "/thread/0"}, "a thread shows links to many of its posts"
    aliases.pair(last, further)
    aliases.pair(post, further)
    assert aliases.demoted["/thread/0/0"] == "/last/0", "found first, and nothing else is known"
    aliases.pair(thread, last)
    assert aliases.demoted["/last/0"] in ("/thread/0", "/thread/0/0") and "/thread/0/0" not in aliases.demoted


def test_a_page_with_many_names_of_one_kind_is_noticed() -> None:
    templates, rewards = Templates(), Rewards()
    posts = [templates.add(f"{SITE}/post/{number}") for number in (21, 22, 23)]
    aliases = Aliases(templates.of, lambda name, source: 0, rewards)
    for post in posts[1:]:
        assert not aliases.repeats_itself("/post/0", 3)
        aliases.pair(post, posts[0])
    assert aliases.repeats_itself("/post/0", 3) and not aliases.repeats_itself("/post/0", 30)


def test_numeric_parameters_are_never_dropped_everywhere() -> None:
    identities = Identities(lambda one, other: True)
    for number, path in enumerate(["/a?id=1", "/a?id=2", "/b?id=1", "/b?id=2"]):
        identities.observe(number, SITE + path)
    assert identities.reduced(SITE + "/c?id=1") == SITE + "/c?id=1"
    for number, path in enumerate(["/a?s=0a1b2c3d", "/a?s=9z8y7x6w", "/b?s=11aa22bb", "/b?s=33cc44dd"], 4):
        identities.observe(number, SITE + path)
    assert identities.reduced(SITE + "/c?s=55ee66ff&id=1") == SITE + "/c?id=1"


def test_links_of_a_page_are_taken_together() -> None:
    body = (
        b'<a href="/x" rel="nofollow">1</a><a href="/x#c">X</a><a href="/y.pdf">file</a><a href="mailto:a@e.org">m</a>'
    )
    (found,) = found_links(Page(SITE + "/", 200, HTML, body))
    assert (found.url, found.text, found.flags) == (SITE + "/x", "1", PAGER)


def test_sitemaps_that_are_bombs_or_none_are_harmless() -> None:
    assert read_sitemap(Page(SITE + "/s.xml", 200, (), b"<html><loc>http://e.org/a</loc>")) == ([], [])
    assert read_sitemap(Page(SITE + "/s.xml.gz", 200, (), b"\x1f\x8b broken")) == ([], [])
    many = b"<urlset>" + b"<url><loc>http://e.org/%d</loc></url>" % 1 * 100_000 + b"</urlset>"
    assert read_sitemap(Page(SITE + "/s.xml", 200, (), many)) == ([], ["http://e.org/1"])


def test_the_closest_stored_pattern_is_found() -> None:
    wide = LinkPattern("/*/*", "lists", 0.4, 1, 1, 1)
    close = LinkPattern("/tag/*", "nothing new", 0.0, 1, 1, 1)
    matcher = PatternMatcher([wide, close])
    assert matcher.find("/tag/tea") is close and matcher.find("/cat/tea") is wide and matcher.find("/tea") is None


def learner_with(paths: list[str]) -> OnlineLearner:
    learner = OnlineLearner()
    learner.happened(["found", None, [[SITE + path, "", 0] for path in paths]])
    return learner


def test_a_class_that_brings_nothing_is_given_up_and_one_that_brings_text_is_not() -> None:
    learner = learner_with([f"/{kind}.php?id={number}" for kind in ("good", "idle") for number in range(40)])
    grams = 0
    for _ in range(70):
        for choice in choose(learner, 1):
            learner.happened(["asked", [choice.number], False])
            fresh = range(grams, grams + 300) if choice.number < 40 else range(0)
            grams += len(fresh)
            learner.happened(["page", choice.number, 200, [], pack(tuple(fresh)), "", None])
    fetched = [number < 40 for number in learner.fetched]
    assert fetched.count(True) == 40
    assert 2 <= fetched.count(False) <= 9


def test_what_only_words_speak_against_gets_a_second_look_that_clears_it() -> None:
    learner = learner_with([f"/help.php?topic={number}" for number in range(20)])
    assert choose(learner, 1) == []
    look = second_look(learner)
    assert look is not None
    learner.happened(["asked", [look.number], True])
    learner.happened(["page", look.number, 200, [], pack(tuple(range(400))), "", None])
    assert len(choose(learner, 5)) == 2, "no more than one page justifies"
    assert {one.kind for one in learner.known} == {""}


def test_further_pages_of_comments_are_tried_where_links_to_such_pages_lead_back_to_the_post() -> None:
    assert is_pager("Older Comments", ())
    kind = Template("/0/*/comment-page-0/", "/0/*/comment-page-0/", "/0/*/comment-page-0/", "/0/*/comment-page-0/")
    classes = LinkClasses(lambda page: 0.0, lambda name: True)
    for page in range(6):
        classes.observe(page, kind, "")
    classes.add(6, kind, "pager")
    classes.add(7, kind, "")
    further, others = (classes.estimate(classes.of(kind, one)) for one in ("pager", ""))
    assert others < THRESHOLD < further
    for page in range(8, 12):
        classes.observe(page, kind, "pager")
    assert classes.estimate(classes.of(kind, "pager")) < THRESHOLD, "if they repeat the post too, they are left"
