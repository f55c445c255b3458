"""Pages are weighed by degrees, and links promise what their texts and pages say of them."""

from __future__ import annotations

from datetime import date

from siteseer.campaigns.relevance.definition import Definition, Sites
from siteseer.campaigns.relevance.focused_strategy import OUTBOX, FocusedStrategy
from siteseer.campaigns.relevance.link_scoring import score_links
from siteseer.campaigns.relevance.relevance import RelevanceScorer
from siteseer.campaigns.relevance.relevance_blocks import blocks_of
from siteseer.campaigns.relevance.term_learner import TermLearner
from siteseer.model import Appraise, Follow, Keep, Outcome, Page, Remember, Seed, Vote, WebObject, Weigh
from siteseer.strategies.blind_strategy import BlindStrategy
from siteseer.strategies.noisy_or import joined_score
from tests.real.captures import NoMemory

KELP = Definition("Kelp", ("http://e.org/",), ("kelp", "seaweed", "frond"))
TEA = "<p>" + "We carried the old teapot to the market and came home late. " * 12 + "</p>"


def page(body: str, url: str = "http://e.org/") -> Page:
    return Page(url, 200, (("Content-Type", "text/html"),), body.encode())


def test_relevance_is_a_degree() -> None:
    scorer = RelevanceScorer(KELP)
    none = scorer.score(page(TEA)).degree
    noise = scorer.score(page(TEA + "<p>It was as old as kelp.")).degree
    some = scorer.score(page(TEA + "<p>Kelp and seaweed are cut.")).degree
    much = scorer.score(page("<title>Kelp</title><p>Seaweed again<p>A frond of kelp<p>Kelp and seaweed fronds")).degree
    assert none == 0 < noise < 0.2 < some < 0.5 < much < 1


def test_what_the_template_repeats_does_not_count() -> None:
    scorer = RelevanceScorer(KELP)
    foot = "<footer><p>Also here: kelp, seaweed and a frond</p></footer>"
    first = scorer.score(page(TEA + foot, "http://e.org/1")).degree
    assert scorer.score(page(TEA + "<p>More tea</p>" + foot, "http://e.org/2")).degree == 0 < first


def test_another_time_or_language_leaves_less() -> None:
    body = '<p>Kelp, seaweed, frond</p><time datetime="2018-05-01">1 May</time>'
    other = Definition("x", ("http://e.org/",), KELP.keywords, since=date(2019, 1, 1))
    german = Definition("x", ("http://e.org/",), KELP.keywords, languages=("de",))
    full = RelevanceScorer(KELP).score(page(body)).degree
    late = RelevanceScorer(other).score(page(body))
    assert late.degree < full / 2 and "2018-05-01" in late.because
    assert RelevanceScorer(german).score(page(f'<html lang="en">{body}')).degree < full / 2
    assert RelevanceScorer(german).score(page(f'<html lang="de">{body}')).degree == full


def test_blocks_know_their_author_and_survive_anything() -> None:
    post = '<article><p class="author">Ada</p><p>Kelp <a href="/x">x</a></p></article><div><a href="/y">y</a></div>'
    links = {url: block.author for block in blocks_of(page(post)) for url, _ in block.links}
    assert links == {"http://e.org/x": "Ada", "http://e.org/y": ""}
    assert len(blocks_of(page("<div>" * 50_000 + "x"))) <= 1
    assert len(blocks_of(page("<p>x<a href='/" * 30_000))) <= 5_001
    assert blocks_of(Page("http://e.org/", body=b"\x00\xff<a href='http://[::'>")) is not None


def test_links_promise_by_text_surroundings_and_page() -> None:
    body = TEA + (
        '<div><h2><a href="/1">A frond of kelp</a></h2></div>'
        '<div><h2><a href="/2">The teapot</a></h2><p>Seaweed news</p></div>'
        '<div><h2><a href="/3">The jacket</a></h2></div><ul><li><a href="/kelp-and-seaweed.html">more</a></ul>'
    )
    scorer = RelevanceScorer(KELP)
    said = {one.url[13:]: one.score for one in score_links("http://e.org/", scorer.score(page(body)), scorer, 1.0)}
    assert said["1"] > said["2"] > said["3"] > 0
    assert said["kelp-and-seaweed.html"] > said["2"]


def test_in_a_row_of_links_each_speaks_for_itself() -> None:
    scorer = RelevanceScorer(KELP)
    row = 'Tags: <a href="/tag/kelp">kelp</a>, <a href="/tag/1">old teapots</a>, <a href="/tag/2">my jackets</a>'
    told = '<p>Seaweed and kelp, as <a href="/3">Ada</a> told <a href="/4">Bo</a> at the market yesterday evening</p>'
    found = score_links(
        "http://e.org/", scorer.score(page(f"{TEA}<div><footer>{row}</footer></div>{told}")), scorer, 0.0
    )
    said = {one.url.removeprefix("http://e.org/"): one.score for one in found}
    assert said["tag/kelp"] > 0.5 and said["tag/1"] == said["tag/2"] < 0.1, "tags beside it are no text around it"
    assert said["3"] == said["4"] > 0.2, "a sentence is"


def test_irrelevant_pages_pass_on_less_and_lists_of_sites_nearly_all() -> None:
    scorer = RelevanceScorer(KELP)
    few = '<ul><li><a href="http://f.org/">one</a></ul>'
    many = "<ul>" + "".join(f'<li><a href="http://f{number}.org/">{number}</a>' for number in range(12)) + "</ul>"
    weighed = [scorer.score(page(TEA + body, f"http://e.org/{number}")) for number, body in enumerate((few, many))]
    plain, hub = (score_links("http://e.org/x", one, scorer, 0.4)[0] for one in weighed)
    assert 0 < plain.inherited < 0.4 and plain.inherited < hub.inherited < 0.4
    assert plain.score < hub.score


def test_a_page_that_says_little_besides_is_a_list_of_the_few_sites_that_it_names() -> None:
    scorer = RelevanceScorer(KELP)
    names = "<ul>" + "".join(f'<li><a href="http://f{number}.org/">{number}</a>' for number in range(5)) + "</ul>"
    bare, wordy = (
        score_links("http://e.org/x", scorer.score(page(body, f"http://e.org/{len(body)}")), scorer, 0.4)
        for body in (names, TEA + names)
    )
    assert all(one.from_hub for one in bare) and not any(one.from_hub for one in wordy)


def test_one_keyword_is_enough_to_find_pages_about_it() -> None:
    only = Definition("Kelp", ("http://e.org/",), ("kelp",))
    about = TEA + "<p>They cut kelp here, and dry kelp there</p><p>No kelp, no tea</p><p>So much of the kelp</p>"
    assert RelevanceScorer(only).score(page(f"<title>Kelp</title>{about}")).degree > 0.5
    assert RelevanceScorer(only).score(page(f"{TEA}<p>As old as kelp: kelp, kelp, kelp!</p>")).degree < 0.2


def test_what_distinct_sources_say_adds_up_by_the_social_weight() -> None:
    assert joined_score([0.4], 0.5) < joined_score([0.4, 0.4], 0.5) < joined_score([0.4, 0.4], 1.0)
    assert joined_score([0.4, 0.3, 0.2], 0.0) == joined_score([0.4], 0.5)


def test_the_apprentice_helps_links_but_never_judges_pages() -> None:
    term_learner = TermLearner(KELP.keywords)
    scorer = RelevanceScorer(KELP, term_learner)
    for number in range(12):
        scorer.score(page(f"<p>{number} kelp holdfast<p>{number} seaweed, frond", f"http://e.org/k{number}"))
        scorer.score(page(f"<p>{number} {TEA}", f"http://e.org/t{number}"))
    weighed = scorer.score(
        page('<p>A holdfast</p><ul><li><a href="/1">the holdfast</a></ul><ul><li><a href="/2">a jacket</a></ul>')
    )
    said = {one.url[-1]: one.score for one in score_links("http://e.org/", weighed, scorer, 0.0)}
    assert weighed.degree == 0
    assert said["1"] > 0.2 > said["2"]
    again = TermLearner(KELP.keywords)
    again.recall(term_learner.to_json())
    assert dict(again.weights()) == dict(term_learner.weights())


def test_the_apprentice_learns_words_of_scripts_that_do_not_part_them() -> None:
    dam = Definition("大坝", ("http://e.org/",), ("大坝",))
    scorer = RelevanceScorer(dam)
    for number in range(12):
        scorer.score(page(f"<p>{number}大坝泄洪<p>{number}大坝的事", f"http://e.org/k{number}"))
        scorer.score(page(f"<p>{number}面包和事", f"http://e.org/t{number}"))
    weighed = scorer.score(page('<ul><li><a href="/1">为何泄洪</a></ul><ul><li><a href="/2">面包</a></ul>'))
    said = {one.url[-1]: one.score for one in score_links("http://e.org/", weighed, scorer, 0.0)}
    assert said["1"] > 0.2 > said["2"]


def test_the_strategy_weighs_votes_and_hands_on_links_to_other_sites() -> None:
    focused = FocusedStrategy(BlindStrategy(), KELP, "e.org")
    (seed,) = focused.start([Seed("http://e.org/")], NoMemory())
    assert isinstance(seed, Follow) and seed.priority == 1.0
    found = page('<p>Kelp and seaweed <a href="/in">kelp</a> <a href="http://f.org/out">frond</a>')
    said = list(focused.decide(Outcome("http://e.org/", "page", page=found), seed))
    assert [type(one) for one in said if isinstance(one, Weigh | Appraise)] == [Weigh]
    assert [one.url for one in said if isinstance(one, Vote)] == ["http://e.org/in"]
    (link,) = (one for one in said if isinstance(one, Follow) and one.family == "links")
    assert link.url == "http://e.org/in" and "kelp" in link.because
    assert [one.value[0] for one in said if isinstance(one, Remember) and one.kind == OUTBOX] == ["http://f.org/out"]
    below = list(focused.decide(Outcome("http://e.org/in", "page", page=page(TEA, "http://e.org/in")), link))
    assert [one.degree for one in below if isinstance(one, Appraise)] == [0.0]


def test_sites_outside_the_definition_are_left_where_it_says_so() -> None:
    only = Definition("Kelp", ("http://e.org/",), ("kelp",), sites=Sites(follow="seeds"))
    focused = FocusedStrategy(BlindStrategy(), only, "e.org")
    found = page('<a href="http://f.org/out">kelp</a>')
    said = list(focused.decide(Outcome("http://e.org/", "page", page=found), Follow("http://e.org/", "seed")))
    assert not [one for one in said if isinstance(one, Remember) and one.kind == OUTBOX]


def test_objects_carry_their_degree_and_reason() -> None:
    class Inside(BlindStrategy):
        def decide(self, outcome, why):  # type: ignore[no-untyped-def]
            yield Keep(WebObject("post", "urn:1", outcome.url, title="Kelp", text="seaweed and a frond"), "test")

    said = list(
        FocusedStrategy(Inside(), KELP, "e.org").decide(
            Outcome("http://e.org/", "page", page=page(TEA)), Follow("", "")
        )
    )
    (kept,) = (one.object for one in said if isinstance(one, Keep))
    assert float(kept.fields["relevance"]) > 0.5
    assert "seaweed" in kept.fields["relevant because"]
