"""The offline phase of campaigns: what analysis costs, whether memory stays flat, and what the proposal selects.

    python bench/analyse.py [--parts speed,campaign,memory] [--seeds 0,1,2] [--objects 20000]

`speed`: processor time of the built-in analyser for an object, beside that of spaCy's tokeniser with its entity ruler for the
same names (a model costs more) where spaCy is installed. `campaign`: demo webs of forty sites, each crawled with a fifth of their
pages as budget; the processor time of the whole analysis for an object, a second run, and the share of the on-topic pages
that were archived among those that `select --threshold 0.5` takes. `memory`: so many made objects in one collection.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import tempfile
import time
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness import Names, run

from siteseer.campaigns.analysers.builtin_analyser import BuiltinAnalyser
from siteseer.campaigns.analysers.corpus_statistics import read_corpus
from siteseer.campaigns.analysis.analyse_objects import analyse
from siteseer.campaigns.analysis.campaign_index import CampaignIndex
from siteseer.campaigns.analysis.campaign_report import write_report
from siteseer.campaigns.load_campaign import LoadedCampaign, locked_campaign
from siteseer.campaigns.relevance.definition import Definition, Entity
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.campaigns.selection.proposal import FILE, propose, write_proposal
from siteseer.campaigns.selection.select_records import select
from siteseer.collection.annotations import Annotations
from siteseer.collection.description import Description
from siteseer.collection.layout import rows_of
from siteseer.collection.objects.object_json import from_json
from siteseer.demo import Server
from siteseer.demo.web import definition_text, make_web, write_web
from siteseer.model import Capture, WebObject


def row(name: str, wanted: str, measured: str) -> None:
    """Print one line of the table."""
    print(f"{name:64} {wanted:>10} {measured:>24}", flush=True)


def texts(number: int, seed: int = 0) -> list[WebObject]:
    """Return made objects of about two hundred words, on the topic of a demo web and off it."""
    pages = [(page, site) for site in write_web(seed, 40).sites.values() for page in site.pages]
    picks = random.Random(seed)
    made = []
    for place in range(number):
        page, _ = pages[place % len(pages)]
        words = " ".join(page.paragraphs).split()
        start = picks.randrange(max(1, len(words) - 200))
        text = " ".join(words[start : start + 200])
        made.append(WebObject("post", f"urn:x:{place}", f"http://e.org/{place}", text=text, author=f"a{place % 97}"))
    return made


def speed() -> None:
    """Measure the analyser alone."""
    web = write_web(0, 40)
    topic = web.topic
    entities = (Entity(topic.person), Entity(topic.body, (topic.alias,)))
    definition = Definition(topic.name, ("http://e.org/",), tuple(topic.keywords), entities)
    things = texts(600)
    began = time.process_time()
    told = read_corpus(things)
    row("study of names and topics, ms an object", "", f"{(time.process_time() - began) / len(things) * 1e3:.2f}")
    analyser = BuiltinAnalyser(definition, told)
    plain = _each(analyser.analyse, things)
    row("plain analyser, ms an object of 200 words", "", f"{plain:.2f}")
    try:
        import spacy
    except ImportError:
        row("spaCy's tokeniser and entity ruler", "", "not installed")
        return
    model = spacy.blank("en")
    model.add_pipe("sentencizer")
    names = [topic.person, topic.body, topic.alias, *told.names]
    model.add_pipe("entity_ruler").add_patterns([{"label": "NAME", "pattern": name} for name in names])
    peer = _each(lambda thing: model(thing.text or ""), things)
    row(
        "spaCy: tokeniser, sentences, entity ruler of the same names", "", f"{peer:.2f}, {peer / plain:.1f} times plain"
    )


def _each(work: object, things: list[WebObject]) -> float:
    """Return milliseconds of processor time an object, the best of three rounds."""
    spent = []
    for _ in range(3):
        began = time.process_time()
        for thing in things:
            work(thing)  # type: ignore[operator]
        spent.append((time.process_time() - began) / len(things) * 1e3)
    return min(spent)


def campaign(seeds: list[int]) -> None:
    """Crawl, analyse and select on demo webs."""
    cost, recall, precision = [], [], []
    for seed in seeds:
        web = write_web(seed)
        with tempfile.TemporaryDirectory() as name, Server(make_web(seed, web)) as server:
            folder = Path(name)
            (folder / "k.toml").write_text(definition_text(web, server.port))
            run_campaign(folder / "k.toml", folder / "K")
            with locked_campaign(folder / "K") as found:
                began = time.process_time()
                told = analyse(found, ["plain"])
                first = time.process_time() - began
                again = _timed(found)
                got, right, wanted, size = _selected(found, web.on_topic)
                began = time.process_time()
                write_report(found, folder / "report")
                reported = time.process_time() - began
        cost.append(first / told["objects"] * 1e3)
        recall.append(right / wanted)
        precision.append(right / got)
        row(
            f"seed {seed}: {told['objects']} objects, {sum(told['annotations'].values())} annotations: first run",
            "",
            f"{first:.1f} s, again {again:.1f} s",
        )
        row(f"seed {seed}: select --threshold 0.5: on-topic of archived", "", f"{right} of {wanted}, {got} taken")
        row(f"seed {seed}: WACZ; report", "", f"{size / 1e6:.2f} MB; {reported:.1f} s")
    row("whole analysis, ms of processor time an object (median)", "", f"{statistics.median(cost):.0f}")
    row("on-topic pages that the selection takes, least", "90 %", f"{min(recall):.1%}")
    row("taken pages that are on the topic, least", "90 %", f"{min(precision):.1%}")


def _timed(found: LoadedCampaign) -> float:
    began = time.process_time()
    analyse(found, ["plain"])
    return time.process_time() - began


def _selected(found: LoadedCampaign, on_topic: frozenset[str]) -> tuple[int, int, int, int]:
    """Return pages taken, those of them on the topic, on-topic pages archived, and the size of the package."""
    with CampaignIndex.of(found.folder) as catalogue:
        write_proposal(found.folder / FILE, propose(catalogue, found.definition))
        archived = {_of_truth(url) for (url,) in catalogue.rows("SELECT url FROM page")}
    target = found.folder / "x.wacz"
    select(found, found.folder / FILE, target, 0.5)
    with zipfile.ZipFile(target) as package:
        pages = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()[1:]]
    taken = {_of_truth(one["url"]) for one in pages if one["role"] == "page"}
    return len(taken), len(taken & on_topic), len(archived & on_topic), target.stat().st_size


def _of_truth(url: str) -> str:
    host, _, path = url.removeprefix("http://").partition("/")
    return f"{host.partition(':')[0]}/{path}"


def memory(number: int) -> None:
    """Annotate many objects of one collection, and watch the memory of the process."""
    base = datetime(2026, 1, 1, tzinfo=UTC)
    made = texts(2_000)
    definition = Definition("kelp", ("http://e.org/",), ("kelp",))
    with tempfile.TemporaryDirectory() as name:
        site = Path(name)
        with Description(site) as description:
            for start in range(0, number, 2_000):
                batch = [
                    (
                        WebObject("post", f"urn:x:{start + place}", f"http://e.org/{start + place}", text=thing.text),
                        Capture("a.warc.gz", start + place, 1, base + timedelta(seconds=start + place), "sha256:0", f"urn:uuid:{start + place}"),
                    )
                    for place, thing in enumerate(made[: number - start])
                ]  # fmt: skip
                description.add(batch)
        with Description(site) as description:
            told = read_corpus(from_json(one) for one in description.objects())
        analyser = BuiltinAnalyser(definition, told)
        marks, done = [], 0
        with Annotations.at(rows_of(site), "plain", analyser.version) as annotations:
            while waiting := annotations.waiting():
                annotations.keep([(seq, key, analyser.analyse(thing)) for seq, key, thing in waiting])
                done += len(waiting)
                if done % (number // 4) == 0:
                    marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        row(f"memory after each quarter of {number:,} objects, MB", "flat", " ".join(map(str, marks)))
        began = time.process_time()
        with Description(site) as description:
            description.settle()
        row("RDF of objects and annotations, ms an object", "", f"{(time.process_time() - began) / number * 1e3:.2f}")


def main(parts: Names = ("speed", "campaign", "memory"), seeds: Names = ("0", "1", "2"), objects: int = 20_000) -> None:
    """Run the parts that were asked for."""
    print(f"{'':64} {'wanted':>10} {'measured':>24}")
    if "speed" in parts:
        speed()
    if "campaign" in parts:
        campaign([int(seed) for seed in seeds])
    if "memory" in parts:
        memory(objects)


if __name__ == "__main__":
    run(main)
