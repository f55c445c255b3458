"""PARIS in plain Python, told straight from its equations: slow, small, and what the fast one is compared with.

Texts are equal when their letters and digits are. Returns what `siteseer.alignment.paris.fixed_point.rounds` believes after its last
round: the assignment with its probabilities, and how far relations contain each other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from siteseer.alignment import Fact
from siteseer.alignment.literals.normalise import alnum_key

FLOOR, LEAST, SETTLED, DAMPED_AFTER = 0.01, 0.1, 0.002, 6
Relation = tuple[str, bool]
"""A name, and whether it is read backwards."""


@dataclass
class Source:
    out: dict[str, list[tuple[Relation, str, bool]]] = field(default_factory=lambda: defaultdict(list))
    into: dict[tuple[str, bool], list[tuple[str, Relation]]] = field(default_factory=lambda: defaultdict(list))
    """By node, and whether it is a text: who has it, and as what."""
    fun_inverse: dict[Relation, float] = field(default_factory=dict)

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> Source:
        source, pairs = cls(), defaultdict(set)
        for s, r, o, literal in sorted(set(facts)):
            pairs[r, False].add((s, o))
            pairs[r, True].add((o, s))
            source.add(s, (r, False), o, literal)
            if not literal:
                source.add(o, (r, True), s, False)
        source.fun_inverse = {r: len({o for _, o in found}) / len(found) for r, found in pairs.items()}
        return source

    def add(self, s: str, r: Relation, o: str, literal: bool) -> None:
        self.out[s].append((r, o, literal))
        self.into[o, literal].append((s, r))


Beliefs = dict[tuple[Relation, Relation], float]


@dataclass
class Believed:
    assigned: dict[str, str]
    weight: dict[str, float]
    within: Beliefs
    contains: Beliefs
    rounds: int


def plain(left: Iterable[Fact], right: Iterable[Fact], theta: float = 0.1, most: int = 10) -> Believed:
    one, two = Source.of(left), Source.of(right)
    texts = _equal_texts(one, two)
    within: Beliefs = {(r, s): theta for r in one.fun_inverse for s in two.fun_inverse}
    contains = dict(within)
    before: dict[str, str] = {}
    earlier: dict[str, str] = {}
    weight: dict[str, float] = {}
    earlier_weight: dict[str, float] = {}
    said: dict[tuple[object, ...], float] = {}
    for number in range(1, most + 1):
        evidence, said = _evidence(one, two, texts, within, contains, before, weight, said)
        assigned, new = _mutual(evidence)
        learned = _included(one, two, assigned, new, texts)
        settled = (
            number > 1
            and min(_change(assigned, new, before, weight), _change(assigned, new, earlier, earlier_weight)) <= SETTLED
        )
        if settled or number == most:
            return Believed(assigned, new, *learned, number)
        within, contains = (
            {pair: _kept(found.get(pair, 0.0), old[pair], number) for pair in old}
            for found, old in zip(learned, (within, contains), strict=True)
        )
        earlier, earlier_weight, before, weight = before, weight, assigned, new
    raise AssertionError


def _kept(new: float, old: float, number: int) -> float:
    mixed = (new + old) / 2 if number >= DAMPED_AFTER else new
    return mixed if mixed >= LEAST else 0.0


def _equal_texts(one: Source, two: Source) -> dict[str, list[str]]:
    keys = defaultdict(list)
    for text, literal in two.into:
        if literal:
            keys[alnum_key(text)].append(text)
    return {text: sorted(keys[alnum_key(text)]) for text, literal in one.into if literal and alnum_key(text) in keys}


def _factor(weight_of_relation: float, p: float) -> float:
    return -math.log(max(1 - weight_of_relation * p, FLOOR))


def _evidence(one, two, texts, within, contains, assigned, weight, before):  # type: ignore[no-untyped-def]
    total: dict[tuple[str, str], float] = defaultdict(float)
    said = {}
    values = [(y, z, True, None) for y, found in texts.items() for z in found]
    values += [(y, z, False, weight[y]) for y, z in assigned.items()]
    for y, z, literal, known in values:
        for x, r in one.into.get((y, literal), ()):
            for x2, s in two.into.get((z, literal), ()):
                echo = before.get((y, (r[0], not r[1]), x, z, (s[0], not s[1]), x2), 0.0)
                p = 1.0 if known is None else -math.expm1(-max(known - echo, 0.0))
                a = _factor(contains[r, s] * one.fun_inverse[r], p) + _factor(within[r, s] * two.fun_inverse[s], p)
                if a > 0:
                    total[x, x2] += a
                if not literal:
                    said[x, r, y, x2, s, z] = a
    return total, said


def _mutual(evidence: dict[tuple[str, str], float]) -> tuple[dict[str, str], dict[str, float]]:
    best: dict[str, float] = defaultdict(float)
    best_of_right: dict[str, float] = defaultdict(float)
    for (x, y), w in evidence.items():
        best[x], best_of_right[y] = max(best[x], w), max(best_of_right[y], w)
    top = sorted(p for p, w in evidence.items() if w >= max(best[p[0]], best_of_right[p[1]]) - 1e-9)
    assigned: dict[str, str] = {}
    for _ in range(8):
        top = [(x, y) for x, y in top if x not in assigned and y not in assigned.values()]
        first, first_of_right = {}, {}
        for x, y in top:
            first.setdefault(x, y)
            first_of_right.setdefault(y, x)
        assigned |= {x: y for x, y in top if first[x] == y and first_of_right[y] == x}
    return assigned, {x: evidence[x, y] for x, y in assigned.items()}


def _change(now: dict[str, str], weight: dict[str, float], then: dict[str, str], old: dict[str, float]) -> float:
    def p(weights: dict[str, float], x: str) -> float:
        return -math.expm1(-weights.get(x, 0.0))

    moved = {x for x in {*now, *then} if now.get(x) != then.get(x)}
    return sum(max(p(weight, x), p(old, x)) for x in moved) / max(sum(p(weight, x) for x in now), 1e-9)


def _included(one, two, assigned, weight, texts):  # type: ignore[no-untyped-def]
    """Return Pr(r <= r') and Pr(r' <= r)."""
    back = {y: x for x, y in assigned.items()}
    texts_back = defaultdict(list)
    for y, found in texts.items():
        for z in found:
            texts_back[z].append(y)
    p = {x: -math.expm1(-w) for x, w in weight.items()}
    p_back = {y: p[x] for x, y in assigned.items()}
    return (
        _contained(one, two, assigned, p, texts, p),
        {(r, s): v for (s, r), v in _contained(two, one, back, p_back, texts_back, p_back).items()},
    )


def _contained(one, two, assigned, p, texts, p_of):  # type: ignore[no-untyped-def]
    shared: dict[tuple[Relation, Relation], float] = defaultdict(float)
    known: dict[Relation, float] = defaultdict(float)
    for x, x2 in assigned.items():
        for r, y, literal in one.out[x]:
            equal = dict.fromkeys(texts.get(y, ()), 1.0) if literal else {}
            if not literal and y in assigned:
                equal = {assigned[y]: p_of[y]}
            known[r] += 1 - math.prod(1 - min(p[x] * q, 1 - 1e-12) for q in equal.values())
            missing: dict[Relation, float] = defaultdict(lambda: 1.0)
            for s, z, literal2 in two.out[x2]:
                if literal == literal2 and z in equal:
                    missing[s] *= 1 - min(p[x] * equal[z], 1 - 1e-12)
            for s, q in missing.items():
                shared[r, s] += 1 - q
    return {(r, s): min(q / max(known[r], 1e-12), 1.0) for (r, s), q in shared.items()}
