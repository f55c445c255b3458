"""Understands a form on the Web into a collection: queries it through a crawl, stores the results, applies corrections.

`siteseer/understanding.json` holds all results, `siteseer/corrections.jsonl` the corrections of people,
`reports/enrichment.trig` the proposed additions to the ontology; the records are objects of the collection.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from siteseer.alignment import Fact
from siteseer.collection.collection import Collection
from siteseer.collection.layout import CORRECTIONS, ENRICHMENT, UNDERSTANDING, state_path
from siteseer.collection.state import State
from siteseer.crawler.results.derived_files import describe_new
from siteseer.crawler.run import Watch, crawl
from siteseer.crawler.strategy_memory import CollectionMemory
from siteseer.deepweb.corrections import Correction, apply_corrections, stored_correction
from siteseer.deepweb.enrichment_rdf import trig
from siteseer.deepweb.ontology.ontology_paths import Ontology
from siteseer.deepweb.understanding import Options
from siteseer.deepweb.understanding_model import Record, Understanding
from siteseer.deepweb.understanding_strategy import UnderstandingStrategy
from siteseer.errors import ArchiveError, NotFoundError, UsageError
from siteseer.forms.form import Field, Form
from siteseer.forms.form_request import body_of, submission
from siteseer.interfaces import StrategyContext
from siteseer.model import JSON, WebObject
from siteseer.page.urls import capture_key, identity, url_key
from siteseer.settings import CrawlOptions

STRATEGY = "understand"
PATIENCE = 60.0
"""Seconds to wait for another process before what was understood is written."""


def understand(
    options: CrawlOptions,
    facts: Iterable[Fact] | None,
    how: Options = Options(),  # noqa: B008
    watch: Watch = lambda snapshot: None,
) -> tuple[Understanding, JSON]:
    """Query the form of a page, politely and archived as any crawl, until it is understood; return the result and the
    summary.

    The same call on the same collection continues where it stopped; when no query is left, it only evaluates the
    answers again, as the ontology may be another one. Corrections of people are applied and used: they may raise new
    queries.
    """
    ontology = Ontology(facts) if facts is not None else None
    said = corrections_of(options.collection)
    how = replace(how, corrections=tuple(said))
    if said and not options.overwrite and state_path(options.collection).exists():
        _reopen(options.collection, ontology, how)
    made: list[UnderstandingStrategy] = []

    def factory(context: StrategyContext) -> UnderstandingStrategy:
        made.append(UnderstandingStrategy(context, ontology, how))
        return made[-1]

    summary = crawl(options, watch, None, factory)
    if made and made[0].failure is not None:
        raise made[0].failure
    found = made[0].result if made and made[0].result is not None else _again(options.collection, ontology, how)
    _keep(options.collection, found)
    return found, summary


def _again(collection: Path, ontology: Ontology | None, how: Options) -> Understanding:
    """Think once more about what the last crawl asked and heard."""
    with Collection.open(collection) as opened:
        strategy = UnderstandingStrategy(None, ontology, how)
        strategy.recall(CollectionMemory(opened.state, _number(opened.state)))
        return strategy.conclude()


def _reopen(collection: Path, ontology: Ontology | None, how: Options) -> None:
    """Let a finished crawl go on where the words of people raise questions that were not asked yet."""
    with Collection.open(collection, "write") as opened:
        state = opened.state
        last = state.last_crawl()
        if last is None or not last[2] or last[1] != STRATEGY:
            return
        strategy = UnderstandingStrategy(None, ontology, how)
        strategy.recall(CollectionMemory(state, last[0]))
        if strategy.has_questions:
            state.end_crawl(last[0], "corrected")
            state.commit()


def _line(one: Correction) -> str:
    return json.dumps(asdict(one), ensure_ascii=False)


def _number(state: State) -> int:
    last = state.last_crawl()
    return last[0] if last is not None else 0


# ── what is kept ───────────────────────────────────────────────────────────────────────────────────────────────────


def _keep(collection: Path, found: Understanding) -> None:
    with Collection.open(collection, "write", PATIENCE) as opened:
        _keep_records(opened.state, found)
        opened.write(UNDERSTANDING, json.dumps(found.as_json(), ensure_ascii=False, indent=1) + "\n")
        opened.write(ENRICHMENT, trig(load(collection)) + "\n")


def _keep_records(state: State, found: Understanding) -> None:
    """Store the records as objects, each with the capture of the answer that showed it."""
    number = _number(state)
    known = {row[0] for row in state.rows("SELECT id FROM objects WHERE crawl = ?", (number,))}
    names = {column.id: column.name for column in found.columns}
    post = _posts(found)
    for record in found.records:
        if record.id not in known:
            capture = _capture(state, number, record, post)
            thing = _object(record, names, found)
            state.add_object(number, capture, thing)
    state.commit()
    describe_new(state)


def _object(record: Record, names: dict[str, str], found: Understanding) -> WebObject:
    fields = {names[name]: " | ".join(texts) for name, texts in record.values.items() if name in names}
    first = next((column for column in found.columns if column.type == "text" and column.id in record.values), None)
    title = record.values[first.id][0] if first is not None else None
    text = " ".join(value for value in fields.values() if value)
    because = "listed by the search form of " + found.url
    return WebObject(
        "record", record.id, record.url, record.permalink or None, title, text=text, fields=fields, because=because
    )


def _posts(found: Understanding) -> Form | None:
    """Return the form again where it is posted: answers then share one address."""
    told = found.form
    if told["method"] != "POST":
        return None
    fields = tuple(Field(**one) for one in told["sent"])
    return Form(told["index"], found.url, told["action"], "POST", told["encoding"], told["charset"], fields)


def _capture(state: State, number: int, record: Record, form: Form | None) -> int | None:
    key = url_key(record.url)
    if form is not None and identity(record.url) == identity(form.action):
        _, body = body_of(submission(form, dict(record.query), ""))
        key = capture_key(form.action, {"body": body.decode("utf-8", "replace")})
    rows = state.rows("SELECT id FROM captures WHERE key = ? AND crawl = ? ORDER BY id LIMIT 1", (key, number))
    return next((int(row[0]) for row in rows), None)


# ── what is read and corrected ─────────────────────────────────────────────────────────────────────────────────────


def load(collection: Path) -> Understanding:
    """Return what is understood of the form of a collection, with all corrections."""
    path = collection / UNDERSTANDING
    try:
        known = Understanding.of_json(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise NotFoundError(
            f"nothing is understood in {collection}: run siteseer form understand URL -o {collection}"
        ) from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ArchiveError(f"{path} is damaged ({error}); run siteseer form understand again") from error
    return _still_fitting(known, corrections_of(collection))


def corrections_of(collection: Path) -> list[Correction]:
    """Return what people said about what was understood, oldest first."""
    path = collection / CORRECTIONS
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [Correction(**json.loads(line)) for line in lines if line.strip()]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError) as error:
        raise ArchiveError(f"{path} is damaged ({error}); remove the line, or the file") from error


def correct(collection: Path, correction: Correction) -> Understanding:
    """Keep a person's word, and return what is believed now."""
    load(collection)  # complains where nothing is understood
    with Collection.open(collection, "write", PATIENCE) as opened:
        before = load(collection)
        known = apply_corrections(before, [correction])
        with (collection / CORRECTIONS).open("a", encoding="utf-8") as file:
            file.write(_line(stored_correction(before, correction)) + "\n")
        opened.write(ENRICHMENT, trig(known) + "\n")
    return known


def _still_fitting(known: Understanding, corrections: list[Correction]) -> Understanding:
    """Apply corrections; those of fields and columns that are gone are passed over."""
    for one in corrections:
        try:
            known = apply_corrections(known, [one])
        except UsageError:
            continue
    return known
