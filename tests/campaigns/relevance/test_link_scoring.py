"""What a page promises of its links: what a template has said already is not said again, and nothing is lost by it."""

from __future__ import annotations

from collections.abc import Sequence

from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.link_scoring import score_links
from siteseer.campaigns.relevance.relevance import RelevanceScorer
from siteseer.campaigns.relevance.relevance_blocks import Block
from siteseer.campaigns.relevance.term_learner import MANY, TermLearner
from siteseer.demo import SiteRequest, make_site
from siteseer.model import Page

DEFINITION = Definition("Tides", ("http://demo.test/",), ("tide", "rope", "mirror", "brook", "garden"))


class Repeating(RelevanceScorer):
    """Says everything again on every page."""

    def inherited_score(self, block: Block) -> float:
        return -1.0


def pages() -> list[Page]:
    site, found = make_site("blog", 3), []
    for path in sorted(site.truth.oracle_paths)[::3]:
        answer = site.respond(SiteRequest("GET", path, {"host": "demo.test"}))
        found.append(Page(f"http://demo.test{path}", answer.status, answer.headers, answer.body))
    return found


def test_the_best_promise_of_every_source_is_heard_when_templates_speak_once() -> None:
    counts, best = [0, 0], (dict[tuple[str, str], float](), dict[tuple[str, str], float]())
    both = RelevanceScorer(DEFINITION), Repeating(DEFINITION)
    for number, page in enumerate(pages()):
        for which, scorer in enumerate(both):
            said = score_links(page.url, scorer.score(page), scorer, (0.5, 0.1, 0.9)[number % 3])
            counts[which] += len(said)
            for one in said:
                key = one.url, one.source
                best[which][key] = max(best[which].get(key, -1.0), one.score)
        assert best[1].items() <= best[0].items(), page.url
    assert counts[0] < 0.8 * counts[1]


def test_lists_are_known_whose_links_have_the_words_of_other_lists() -> None:
    scorer = RelevanceScorer(DEFINITION)

    def listed(path: str, hosts: str, words: str = "01234567") -> list[bool]:
        links = "".join(
            f'<li><a href="http://{host}.test/">{word}</a>' for host, word in zip(hosts, words, strict=True)
        )
        page = Page(f"http://demo.test/{path}", 200, (("Content-Type", "text/html"),), f"<ul>{links}</ul>".encode())
        return [one.from_hub for one in score_links(page.url, scorer.score(page), scorer, 0.5)]

    assert listed("one", "abcdefgh") == [True] * 8
    assert listed("two", "ijklmnop") == [True] * 8, "other sites with the same numbers"
    assert not any(listed("three", "abcdefgh")), "what stands on every page is a template"
    listed("four", "a", "8")
    assert not any(listed("five", "ijklmnop", "88888888")), "as those of profiles beside posts"


def test_what_stands_on_every_page_is_said_by_the_site_and_not_by_the_author_of_the_page() -> None:
    scorer, sources = RelevanceScorer(DEFINITION), set[str]()
    for author in ("Ada", "Bo", "Cy"):
        body = f"<p class=author>{author}</p><p>Tide of {author}</p><ul><li><a href='/about'>About</a></ul>"
        page = Page(f"http://demo.test/{author}", 200, (("Content-Type", "text/html"),), body.encode())
        sources |= {one.source for one in score_links(page.url, scorer.score(page), scorer, 0.5)}
    assert sources == {"Ada@demo.test", "demo.test"}


class Idle(TermLearner):
    """Learns nothing, so what links promise stays as it is."""

    def learn(self, prose: Sequence[str], degree: float) -> None:
        pass


def test_links_of_a_menu_rest_until_a_page_passes_on_more() -> None:
    scorer, said, resting = RelevanceScorer(DEFINITION, Idle()), list[float | None](), list[int]()
    for number, inherited in enumerate((0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9)):
        menu = "<ul><li><a href='/about'>About us</a></ul>"
        body = f"{menu}<p>Page <a href='/{number}'>number {number}</a></p>".encode()
        page = Page(f"http://demo.test/page{number}", 200, (("Content-Type", "text/html"),), body)
        weighed = scorer.score(page)
        scores = {one.url: one.score for one in score_links(page.url, weighed, scorer, inherited)}
        assert f"http://demo.test/{number}" in scores
        said.append(scores.get("http://demo.test/about"))
        resting.append(len(weighed.resting))
    assert said[0] and said[2:4] == [None, None], "what was said is not said again"
    assert said[4] and said[4] > said[0] and said[6] is None, "but more is"
    assert resting[0] == 0 and resting[3:] == [1, 1, 1, 1]


def test_of_many_pages_a_sample_is_enough_to_learn_from() -> None:
    term_learner = TermLearner()
    for _ in range(MANY + 10):
        term_learner.learn(["tea", "boat"], 0.0)
    assert term_learner.pages == [0, MANY + 5] and term_learner.words[1]["tea"] == MANY + 5
    term_learner.learn(["frond"], 0.9)
    assert term_learner.pages[0] == 1, "pages of the other kind are still few"
