"""What a reference crawl proposes: words of any script, names, each once."""

from __future__ import annotations

from pathlib import Path

from siteseer.campaigns.relevance.definition import Definition, Learned
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.campaigns.vocabulary.reference_crawl import Proposal, complete_definition, read_reference, with_marks
from siteseer.demo import Server, SiteRequest
from siteseer.demo.web import make_web, write_web
from siteseer.model import Page

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def proposed(folder: Path, keyword: str, *texts: str) -> list[Proposal]:
    pages = [Page(f"http://e.org/{number}", 200, HTML, f"<p>{text}".encode()) for number, text in enumerate(texts)]
    return read_reference(folder, Definition("x", ("http://e.org/",), (keyword,)), pages)


def test_words_of_scripts_that_do_not_part_them_are_proposed_whole(tmp_path: Path) -> None:
    found = proposed(
        tmp_path, "大坝", "大坝泄洪的消息", "河谷联盟与泄洪", "我们的泄洪和河谷联盟", "是河谷联盟在大坝", "窗户和泄洪"
    )
    assert {one.text for one in found} == {"泄洪", "河谷联盟"}
    assert {one.kind for one in found} == {"word"}


def test_examples_of_the_same_name_in_other_folders_all_count(tmp_path: Path) -> None:
    pages = [Page("file:///one.html", 200, HTML, f"<p>{text} by the holdfast".encode()) for text in ("Ada", "Bo", "Cy")]
    found = read_reference(tmp_path, Definition("x", ("http://e.org/",), ("kelp",)), pages)
    assert [(one.text, one.pages) for one in found if one.kind == "word"] == [("holdfast", 3)]


def test_a_name_is_not_proposed_as_a_phrase_besides(tmp_path: Path) -> None:
    texts = [f"Today {word} saw Maren Ostby cut the kelp" for word in ("Ada", "Bo", "Cy", "Di")]
    found = {(one.kind, one.text) for one in proposed(tmp_path, "kelp", *texts)}
    assert ("name", "maren ostby") in found and ("phrase", "maren ostby") not in found


def test_sites_are_proposed_with_the_scheme_of_their_links(tmp_path: Path) -> None:
    links = '<p><a href="https://s.example/a">one</a> <a href="http://p.example/">two</a> of the kelp'
    texts = [f"{links} by {name}" for name in ("Ada", "Bo", "Cy", "Di")]
    found = sorted((one for one in proposed(tmp_path, "kelp", *texts) if one.kind == "site"), key=lambda one: one.text)
    assert {one.text for one in found} == {"https://s.example/", "p.example"}
    text = 'name = "x"\nseeds = ["http://e.org/"]\nkeywords = ["kelp"]\n'
    learned = read_definition(complete_definition(text, found)).learned
    assert set(learned.sites) == {"https://s.example/", "http://p.example/"}
    earlier = [Proposal("site", "s.example", 1.0, 3, 0, "reject")]
    assert [one.mark for one in with_marks(found, earlier, Learned())] == ["reject", "?"]
    assert all(one.mark == "accept" for one in with_marks(found, [], learned))


def test_a_few_examples_alone_tell_the_vocabulary_of_a_topic(tmp_path: Path) -> None:
    web = write_web(1)
    site = make_web(1, web)
    with Server(site) as server:
        here = [f"http://{one.replace('/', f':{server.port}/', 1)}" for one in web.seeds]
        addresses = sorted(one for one in web.on_topic if f"{one.partition('/')[0]}/" in web.seeds)[:4]
        examples = []
        for one in addresses:
            host, _, path = one.partition("/")
            answer = site.respond(SiteRequest("GET", f"/{path}", {"host": f"{host}:{server.port}"}))
            examples.append(Page(f"http://{host}:{server.port}/{path}", 200, HTML, answer.body))
        spec = tmp_path / "examples.toml"
        spec.write_text(
            f'name = "Examples"\nseeds = {here}\nexamples = {[one.url for one in examples]}\n'
            "[politeness]\ndelay = 0.0\n[sites]\nat_once = 1\n".replace("'", '"')
        )
        run_campaign(spec, tmp_path / "out", requests=150, needs_terms=False)
    found = read_reference(tmp_path / "out", read_definition(spec.read_text()), examples)
    topic = web.topic
    told = {word for name in (*topic.keywords, *topic.further, topic.person, topic.body) for word in words_of(name)}
    proposed = [one.text for one in found if one.kind == "word"][:10]
    assert len(set(proposed) & told) >= 8, proposed
    assert " ".join(words_of(topic.person)) in {one.text for one in found if one.kind == "name"}
    assert max(one.pages for one in found) > len(examples)  # pages like them, and none of them twice
