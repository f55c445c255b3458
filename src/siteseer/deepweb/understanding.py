"""Understands a search form step by step: yields queries, takes answers, and learns schema, mapping and alignment.

Probing without domain knowledge, records and their schema, mapping of columns to fields, alignment with an ontology: in
rounds, until the alignment stops improving; then the results suggest further queries.
Reference: Oita's thesis, chapter 3, Figure 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from siteseer.deepweb.corrections import Correction, UserCorrections
from siteseer.deepweb.field_mapping.field_dependencies import find_dependencies
from siteseer.deepweb.field_mapping.field_matching import columns_of, match_fields, searchable
from siteseer.deepweb.field_mapping.field_semantics import give_meaning, names_to_try
from siteseer.deepweb.field_mapping.search_behaviour import learn_search_behaviour
from siteseer.deepweb.form_json import form_as_json
from siteseer.deepweb.ontology.enrichment import enrich
from siteseer.deepweb.ontology.ontology_paths import Ontology
from siteseer.deepweb.ontology.record_graph import AlignedGraph, align_records
from siteseer.deepweb.records.detail_pages import add_details
from siteseer.deepweb.records.unread_pages import unread_page_sentences
from siteseer.deepweb.sampling.first_queries import choose_form, error_place, send_first_queries
from siteseer.deepweb.sampling.query_budget import QueryBudget, Steps
from siteseer.deepweb.sampling.sampling import Exploration
from siteseer.deepweb.source import Source
from siteseer.deepweb.understanding_model import (
    Column,
    Dependency,
    FieldMeaning,
    Proposal,
    Record,
    Round,
    SearchBehaviour,
    Understanding,
)
from siteseer.forms.answer_types import Query
from siteseer.forms.field_roles import ranges
from siteseer.forms.form import Form
from siteseer.model import Page

FIRST_SAMPLE = 24
"""Records that are wanted before the fields are matched."""
GROWTH = 1.5
"""Alignment is tried again when there are so many times more records."""
GAIN = 0.01
"""A mean confidence that rises by less than this has stopped improving."""


@dataclass(frozen=True, slots=True)
class Options:
    """The limits of understanding a form."""

    budget: int = 400
    """Requests for answers, further pages, lists and details."""
    form: int | None = None
    """Which form of the page, from 0; the search form with the most fields where it is not named."""
    given: Query = ()
    """Values that are sent with everything."""
    details: bool = False
    """Whether the pages behind the records are read too."""
    enough: bool = False
    """Stop as soon as the alignment stops getting better, instead of collecting all records."""
    joins: int = 2
    post: bool = True
    corrections: tuple[Correction, ...] = ()
    """What people said of what an earlier run found out."""


_USUAL = Options()


def understand(page: Page, ontology: Ontology | None, options: Options = _USUAL) -> Steps[Understanding]:
    """Understand the form of a page: a generator that yields queries, is sent the pages, and returns the result."""
    form = choose_form(page, options.form, options.post)
    return (yield from _Process(form, page, ontology, options).run())


class _Process:
    def __init__(self, form: Form, page: Page, ontology: Ontology | None, options: Options) -> None:
        self.options, self.ontology = options, ontology
        named = {field.name for field in form.fields}
        given = tuple(pair for pair in options.given if pair[0] in named)
        self.inquiry = QueryBudget(form, page, options.budget, given)
        self.source = Source(form)
        self.guidance = UserCorrections(options.corrections)
        self.fields: list[FieldMeaning] = []
        self.rounds: list[Round] = []
        self.aligned = AlignedGraph()
        self.columns: list[Column] = []
        self.compared: tuple[int, tuple[Column, ...]] = (0, ())
        """What was aligned last."""
        self.paths: dict[str, str] = {}
        """The path of each column, by the name under which it was known."""

    def run(self) -> Steps[Understanding]:
        inquiry, source = self.inquiry, self.source
        yield from send_first_queries(inquiry, source)
        exploration = Exploration(inquiry, source)
        for query in list(inquiry.answers):
            exploration.hear(query)
        yield from self._sample(exploration)
        yield from self._match(exploration)
        self._bound(exploration)
        yield from self._grow(exploration)
        self._relearn(exploration)
        yield from self._match(exploration)
        habits = yield from self._habits(exploration)
        dependencies = yield from find_dependencies(exploration, self.fields)
        if self.options.details:
            yield from add_details(inquiry, source)
        self._align()
        return self._result(habits, dependencies)

    # ── stages ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _sample(self, exploration: Exploration) -> Steps[None]:
        """Search until there are enough records to match fields with."""
        while len(self.source.records()) < FIRST_SAMPLE:
            if not (yield from exploration.step()):
                break
        self._relearn(exploration)

    def _match(self, exploration: Exploration) -> Steps[None]:
        """Learn what each field asks for; corrected and settled fields are not tried again."""
        columns = self.source.columns
        unknown = [FieldMeaning(one.name, one.label, one.type) for one in self.inquiry.form.fields if one.name]
        told = [one for one in self.guidance.fields(unknown, columns) if one.confirmed]
        found = yield from match_fields(exploration, [*self._settled(), *told])
        self.fields = self.guidance.fields(found, self.source.columns)

    def _grow(self, exploration: Exploration) -> Steps[None]:
        """Search for more, aligning now and then, until nothing is left, or nothing gets better and that is enough."""
        self._align()
        yield from self._ask_names(exploration)
        known = len(self.source.records())
        is_stable = False
        while True:
            is_going = yield from exploration.step()
            count = len(self.source.records())
            if not is_stable and (count >= GROWTH * known or not is_going):
                known = count
                self._relearn(exploration)
                self._align()
                is_stable = self._has_settled()
            if not is_going or (is_stable and self.options.enough):
                return

    def _ask_names(self, exploration: Exploration) -> Steps[None]:
        """Search for names that the ontology has and no record shows yet."""
        if self.ontology is None:
            return
        for query in names_to_try(self._meanings(), self._records(), self.aligned, self.ontology):
            yield from exploration.search([query], "a name from the ontology")

    def _has_settled(self) -> bool:
        if len(self.rounds) < 2:
            return False
        before, now = self.rounds[-2], self.rounds[-1]
        return now.relations <= before.relations and now.confidence - before.confidence < GAIN and now.relations > 0

    def _relearn(self, exploration: Exploration) -> None:
        """Learn list and columns anew from all answers, and plan anew with them."""
        before = self.source.key, self.source.link_path
        self.paths |= {column.id: column.path for column in self.source.columns}
        self.source.learn()
        if (self.source.key, self.source.link_path) != before:
            exploration.restart()

    def _bound(self, exploration: Exploration) -> None:
        """Let ranges be split at the amounts of the columns that they bound."""
        columns = {one.name: one.columns[0] for one in self.fields if one.role in ("lowest", "highest") and one.columns}
        for low, high in ranges(self.inquiry.form):
            column = columns.get(low.name) or columns.get(high.name)
            if column:
                self.source.bounded[low.name] = column
        if self.source.bounded:
            exploration.restart()

    def _settled(self) -> list[FieldMeaning]:
        """Return the fields whose columns are all still there, under their names of now."""
        now = {column.path: column.id for column in self.source.columns}
        found = []
        for field in self.fields:
            if all(self.paths.get(name) in now for name in field.columns):
                renamed = {name: now[self.paths[name]] for name in field.columns}
                because = field.because.replace(", ".join(renamed), ", ".join(renamed.values()))
                found.append(replace(field, columns=tuple(renamed.values()), because=because))
        return found

    def _habits(self, exploration: Exploration) -> Steps[SearchBehaviour]:
        found = searchable(self.inquiry.form, self.fields, self._records())
        habits = SearchBehaviour()
        if found is not None:
            habits = yield from learn_search_behaviour(*found, exploration)
        root = self.inquiry.answers.get(self.inquiry.whole(()))
        shown = "error" if root is None or root.status >= 400 else ""
        if root is not None and not shown:
            shown = "records" if self.source.read((), root) else "nothing"
        return replace(habits, as_it_stands=shown, error_place=error_place(self.inquiry, self.source))

    # ── alignment ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _records(self) -> list[Record]:
        return list(self.source.records().values())

    def _align(self) -> None:
        self.columns = columns_of(self.fields, self.source.columns)
        if self.ontology is None:
            return
        records = self._records()
        compared = (len(records), tuple(self.columns))
        if compared == self.compared:
            return
        self.compared = compared
        found = align_records(self.inquiry.form.page, records, self.columns, self.ontology, self.options.joins)
        self.aligned = self.guidance.aligned(found)
        mean = round(self.aligned.confidence, 4)
        self.rounds.append(Round(self.inquiry.asked, len(records), len(self.aligned.relations), mean))

    def _meanings(self) -> tuple[FieldMeaning, ...]:
        if self.ontology is None:
            return tuple(self.fields)
        return give_meaning(self.fields, self._records(), self.aligned, self.ontology)

    def _result(self, habits: SearchBehaviour, dependencies: Sequence[Dependency]) -> Understanding:
        inquiry, records = self.inquiry, self._records()
        fields = self._meanings()
        url = inquiry.form.page
        proposals: tuple[Proposal, ...] = ()
        if self.ontology is not None:
            made = enrich(url, records, self.columns, fields, self.aligned, self.ontology)
            proposals = tuple(self.guidance.proposals(made))
        return Understanding(
            url=url,
            form=form_as_json(inquiry.form),
            fields=fields,
            columns=tuple(self.columns),
            records=tuple(records),
            relations=self.aligned.relations,
            instances=self.aligned.instances,
            classes=self.aligned.classes,
            dependencies=tuple(dependencies),
            habits=habits,
            proposals=proposals,
            rounds=tuple(self.rounds),
            submissions=inquiry.asked,
            stopped_by="budget" if inquiry.is_cut else None,
            shortfalls=unread_page_sentences(
                (page, self.source.answer(query, page)) for query, page in self.source.pages
            ),
        )
