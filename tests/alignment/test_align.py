"""What an alignment finds, and what it must not depend on."""

from __future__ import annotations

import random

import pytest
from align_made import catalogues, repeated, worse

from siteseer.alignment import Alignment, Fact, Settings, align
from siteseer.errors import SiteseerError, UsageError


def pairs(found: Alignment) -> set[tuple[str, str]]:
    return {(match.left, match.right) for match in found.instances}


def figures(found: Alignment, gold: set[tuple[str, str]]) -> tuple[float, float]:
    """Precision and recall on the books."""
    told = {(x, y) for x, y in pairs(found) if not y.startswith("r:a")}
    return len(told & gold) / max(len(told), 1), len(told & gold) / len(gold)


def test_two_catalogues() -> None:
    left, right, gold = catalogues(2_000, noise=0.3)
    found = align(left, right)
    precision, recall = figures(found, gold)
    assert precision >= 0.99 and recall >= 0.99
    told = {(m.left, m.direction, m.right): m for m in found.relations}
    assert told["author", "<", "created~ / label"].probability > 0.9
    assert told["title", "<", "label"].probability > 0.9
    assert told["isbn", ">", "code"].support > 50
    assert found.rounds <= 12


def test_results_do_not_depend_on_theta_nor_on_order() -> None:
    left, right, _ = catalogues(1_200, noise=0.4)
    found = [align(left, right, Settings(theta=theta)) for theta in (0.01, 0.05, 0.1, 0.2)]
    assert len({frozenset(pairs(one)) for one in found}) == 1
    rng = random.Random(1)
    rng.shuffle(left)
    rng.shuffle(right)
    assert align(left + left[:50], right) == found[2]


def test_a_side_that_repeats_itself() -> None:
    left, right, gold = catalogues(2_000, noise=0.2)
    copied, further = repeated(left, 3)
    gold |= {(copy, right_one) for left_one, right_one in gold for copy in further.get(left_one, ())}
    precision, recall = figures(align(copied, right), gold)
    assert precision >= 0.97 and recall >= 0.97
    turned = {(y, x) for x, y in gold}
    found = align(right, copied)
    told = {(x, y) for x, y in pairs(found) if not x.startswith("r:a")}
    assert len(told & turned) / len(told) >= 0.97 and len(told & turned) / len(turned) >= 0.97


def test_a_side_that_does_not_repeat_itself_has_one_match_each() -> None:
    left, right, _ = catalogues(2_000, noise=0.3)
    found = align(left, right)
    assert len({m.left for m in found.instances}) == len({m.right for m in found.instances}) == len(found.instances)


def test_what_is_not_on_the_other_side_is_not_matched() -> None:
    left, right, gold = catalogues(4_000, noise=0.3)
    some = {x for x, _ in sorted(gold)[::3]}
    there = {y for x, y in gold if x not in some}
    kept = [fact for fact in right if fact.subject not in there and fact.object not in there]
    precision, recall = figures(align(left, kept), {(x, y) for x, y in gold if x in some})
    assert precision >= 0.97 and recall >= 0.97


def test_many_slips_and_lost_values() -> None:
    left, right, gold = catalogues(2_000, noise=0.1)
    precision, recall = figures(align(left, worse(right, 5, slips=0.4, lost=0.2)), gold)
    assert precision >= 0.97 and recall >= 0.95


def test_joins_of_two_and_three_steps() -> None:
    flat, nested = [], []
    for k in range(30):
        flat += [
            Fact(f"f{k}", "phone", f"555{k * 7919:06d}", True),
            Fact(f"f{k}", "town", f"town number {k % 7}a", True),
        ]
        flat.append(Fact(f"f{k}", "state", ("north", "south", "east")[k % 7 % 3], True))
        nested += [Fact(f"n{k}", "telephone", f"555 {k * 7919:06d}", True), Fact(f"n{k}", "is_in_city", f"c{k % 7}")]
    for k in range(7):
        nested += [Fact(f"c{k}", "name", f"town number {k}a", True), Fact(f"c{k}", "part_of", f"s{k % 3}")]
    nested += [Fact(f"s{k}", "called", name, True) for k, name in enumerate(("north", "south", "east"))]

    def joins(found: Alignment, direction: str) -> set[tuple[str, str]]:
        return {(m.left, m.right) for m in found.relations if m.direction == direction and m.probability > 0.9}

    assert ("town", "is_in_city / name") in joins(align(flat, nested), "<")
    assert ("state", "is_in_city / part_of / called") in joins(align(flat, nested, Settings(joins=3)), "<")
    assert ("is_in_city / name", "town") in joins(align(nested, flat), ">"), "joins of the left side are found too"
    assert not any(" / " in m.right for m in align(flat, nested, Settings(joins=1)).relations)


def test_an_inverse_relation_is_found() -> None:
    left = [Fact(f"b{k}", "author", f"p{k}") for k in range(5)]
    left += [Fact(f"b{k}", "title", f"title {'xyzuv'[k]}", True) for k in range(5)]
    left += [Fact(f"p{k}", "name", f"name {'abcde'[k]}", True) for k in range(5)]
    right = [Fact(f"q{k}", "created", f"c{k}") for k in range(5)]
    right += [Fact(f"c{k}", "label", f"title {'xyzuv'[k]}", True) for k in range(5)]
    right += [Fact(f"q{k}", "label", f"name {'abcde'[k]}", True) for k in range(5)]
    found = align(left, right)
    assert ("author", "created~") in {(m.left, m.right) for m in found.relations if m.probability > 0.9}
    assert found.right_of("b3") == "c3" and found.right_of("p4") == "q4" and found.right_of("nobody") is None


def test_classes_are_judged_by_all_and_by_matched_members() -> None:
    left, right, _ = catalogues(800)
    left += [Fact(x, "rdf:type", "Record") for x in {fact.subject for fact in left}]
    right += [
        Fact(x, "rdf:type", "Person" if x.startswith("r:a") else "Book") for x in {fact.subject for fact in right}
    ]
    found = {(m.left, m.direction, m.right): m for m in align(left, right).classes}
    assert found["Record", "<", "Book"].probability < 0.95 < found["Record", "<", "Book"].among_matched  # type: ignore[operator]
    assert ("Record", "<", "Person") not in found


def test_hints_decide_where_facts_cannot() -> None:
    left = [Fact("x", "r1", "seven", True), Fact("x", "r2", "seven", True), Fact("x", "id", "k1", True)]
    right = [Fact("p", "author", "seven", True), Fact("q", "editor", "seven", True)]
    plain, hinted = align(left, right), align(left, right, Settings(hints={"r1": "Editor", "r2": "editor"}))
    assert plain.right_of("x") == "p" and hinted.right_of("x") == "q"


def test_negative_evidence_is_off_by_default_and_lowers_certainty() -> None:
    left, right, gold = catalogues(1_000, noise=0.3)
    plain, negative = align(left, right), align(left, right, Settings(negative=True))
    assert Settings().negative is False
    assert figures(negative, gold)[0] >= 0.97
    assert len(pairs(negative) & gold) < len(pairs(plain) & gold)


def test_nothing_in_nothing_out() -> None:
    some = [Fact("a", "r", "x", True)]
    for left, right in (([], []), (some, []), ([], some), (some, [Fact("b", "s", "entirely other", True)])):
        assert pairs(align(left, right)) == set()
    assert pairs(align([Fact("a", "r", "  ", True)], [Fact("b", "r", "", True)])) == set(), "empty texts are dropped"


def test_the_same_names_on_both_sides_are_different_things() -> None:
    left = [Fact("x", "name", "alpha", True), Fact("y", "name", "beta", True)]
    right = [Fact("y", "name", "alpha", True), Fact("x", "name", "beta", True)]
    assert pairs(align(left, right)) == {("x", "y"), ("y", "x")}


def test_hubs_cost_nothing_and_hide_nothing() -> None:
    left = [Fact(f"a{k}", "in", "country") for k in range(20_000)] + [Fact("country", "name", "Utopia", True)]
    right = [Fact(f"b{k}", "in", "land") for k in range(20_000)] + [Fact("land", "name", "Utopia", True)]
    assert pairs(align(left, right)) == {("country", "land")}
    same = [[Fact(f"{side}{k}", "kind", "thing", True) for k in range(20_000)] for side in "ab"]
    assert pairs(align(*same)) == set()


def test_too_many_relations_are_refused() -> None:
    with pytest.raises(SiteseerError, match="relations"):
        align([Fact("a", f"r{k}", "x", True) for k in range(2_000)], [])


@pytest.mark.parametrize(
    "wrong", [{"theta": 0}, {"theta": 2}, {"joins": 0}, {"joins": 9}, {"literals": "no"}, {"rounds": 0}]
)
def test_wrong_settings(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Settings(**wrong)  # type: ignore[arg-type]
