"""Repairs a field: chooses the candidate expression whose values agree best with the expected ones.

Candidates in order: the known expressions, their relaxations, and what the places suggest where the values stand. The
one whose readings agree best with what is expected wins; ties go to the earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lxml import html

from siteseer.extract.record_fields import facts_of
from siteseer.knowledge.types import Extraction, Field
from siteseer.strategies.aware.adaptation.extraction.field_candidates import FieldRepair, body_exclusions, candidates
from siteseer.strategies.aware.adaptation.extraction.record_scope import Budget, Pair
from siteseer.strategies.aware.adaptation.extraction.value_checks import Context, are_plausible
from siteseer.strategies.aware.adaptation.extraction.value_similarity import nearness, shared_pairs
from siteseer.strategies.aware.adaptation.extraction.working_fields import still_works
from siteseer.xpath.page_vocabulary import Vocabulary

GOOD = 0.97
EXACT, CLOSER = 0.995, 0.002
"""How like the expected texts those of a body are with which the search ends; by how much others must be more like."""
MORE = 60
"""Candidates for a body that are tried after a good one: a signature beside it is a small part of its text."""
LOWEST = 0.8
MOST_PAIRS, FEWEST_PAIRS = 30, 8
MOST_CHARACTERS = 100_000
PROBED = 4
"""Records on which a candidate is tried first; most fail there."""
Others = dict[int, set[html.HtmlElement]]


def read(field: Sequence[Field], pair: Pair, others: Others) -> str | None:
    """Read a field of a record as extraction would."""
    page = pair.expected.page
    probe = Extraction("record", ".", tuple(field))
    facts = facts_of(page, pair.element, probe, others.get(id(page), set()) - {pair.element})
    return facts.values.get(field[0].type)


def agreement(field: Sequence[Field], pairs: Sequence[Pair], others: Others) -> float:
    """Return for what share of the records that have an expected value the field says the same."""
    type = field[0].type
    wanted = [pair for pair in pairs if type in pair.expected.values]
    right = 0.0
    for pair in wanted:
        value = read(field, pair, others)
        right += nearness(type, value, pair.expected.values[type]) if value is not None else 0.0
    return right / len(wanted) if wanted else 0.0


def closeness(field: Sequence[Field], pairs: Sequence[Pair], others: Others) -> float:
    """Return the mean similarity of the body texts that a field reads to the expected ones."""
    read_texts = [(read(field, pair, others) or "", pair.expected.values["body"]) for pair in pairs]
    return sum(shared_pairs(text, wanted) for text, wanted in read_texts) / len(read_texts)


def works(known: Sequence[Field], pairs: Sequence[Pair], others: Others, context: Context) -> bool:
    """Say whether known fields of one type still read the right values of the records."""
    if not known or not pairs:
        return False
    sample = _sample(pairs)
    expected = [pair.expected.values.get(known[0].type) for pair in sample]
    return still_works(known, _read_all(known, sample, others), expected, context)


def reads_nonsense(known: Sequence[Field], pairs: Sequence[Pair], others: Others, context: Context) -> bool:
    """Say whether known fields of one type read values that cannot be of this type: then no value is better."""
    if not known or not pairs:
        return False
    values = [value for value in _read_all(known, _sample(pairs), others) if value]
    return bool(values) and not are_plausible(known[0].type, values, context)


def _read_all(known: Sequence[Field], sample: Sequence[Pair], others: Others) -> list[str | None]:
    return [read(known, pair, others) for pair in sample]


def repair_field(
    type: str, known: Sequence[Field], pairs: Sequence[Pair], others: Others, words: Vocabulary, budget: Budget
) -> FieldRepair | None:
    """Return the fields that read a type as expected; None where nothing does."""
    sample = _sample([pair for pair in pairs if type in pair.expected.values])
    if not sample:
        return None
    if type == "body":
        known = [replace(one, without=body_exclusions(one.without, sample)) for one in known]
    best: FieldRepair | None = None
    near, more = 1.0, MORE
    probe = sample[:: max(1, len(sample) // PROBED)][:PROBED]
    for repair in candidates(type, known, sample, words):
        if not budget.spend():
            break
        least = best.agreement if best else 0.0
        if agreement(repair.fields, probe, others) < max(0.5, least - 0.25) and not repair.is_known:
            continue
        score = agreement(repair.fields, sample, others)
        is_better = best is None or score > best.agreement + 0.01
        if type == "body" and not repair.is_known and (is_better or score >= GOOD):
            closer = closeness(repair.fields, sample, others)
            is_better = is_better or closer > near + CLOSER
            near = closer if is_better else near
        if is_better:
            best = replace(repair, agreement=score)
        if best is not None and best.agreement >= GOOD:
            more -= 1
            if best.is_known or near >= EXACT or not more:
                break
    if best is None or best.agreement < LOWEST:
        return None
    return replace(best, agreement=agreement(best.fields, pairs, others))


def _sample(pairs: Sequence[Pair]) -> list[Pair]:
    """Return records to try candidates on, spread evenly; fewer of them where they are long."""
    length = sum(len(pair.expected.values.get("body", "")) for pair in pairs)
    most = min(MOST_PAIRS, max(FEWEST_PAIRS, len(pairs) * MOST_CHARACTERS // max(1, length)))
    step = max(1.0, len(pairs) / most)
    return [pairs[int(place * step)] for place in range(min(most, len(pairs)))]
