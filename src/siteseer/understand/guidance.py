"""What people said of a form in, what the next run makes of it out: their word steers its questions and its alignment.

Fields that a person has set are not tried again, but used: to search for names of the ontology, and to split ranges.
What was rejected is not thought again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from siteseer.understand.corrections import Correction, meant, statement
from siteseer.understand.graph import Aligned
from siteseer.understand.ontology import TYPE, path_of
from siteseer.understand.shape import Column, FieldMeaning, InstanceMatch, Proposal, RelationMatch

SAID = "a person said so"


@dataclass(frozen=True, slots=True)
class Guidance:
    """The words of people, by what they are about."""

    corrections: tuple[Correction, ...] = ()

    def _last(self, what: str) -> dict[str, Correction]:
        return {one.name: one for one in self.corrections if one.what == what}

    # ── fields ────────────────────────────────────────────────────────────────────────────────────────────────────

    def fields(self, found: Sequence[FieldMeaning], columns: Sequence[Column]) -> list[FieldMeaning]:
        """Return the fields as people want them; a word about a column that is not there is passed over.

        >>> price = Column("price", "Price", "", "price", "p", 1.0, 9)
        >>> said = Guidance((Correction("field", "to", "set", "highest price"),))
        >>> [(one.role, one.columns) for one in said.fields([FieldMeaning("to", "", "text")], [price])]
        [('highest', ('price',))]
        """
        words, known = self._last("field"), {column.id for column in columns}
        return [_field(one, words[one.name], known) if one.name in words else one for one in found]

    # ── alignment ─────────────────────────────────────────────────────────────────────────────────────────────────

    def aligned(self, found: Aligned) -> Aligned:
        """Return the alignment with the relations and instances that people gave, without those that they rejected."""
        relations = {match.column: match for match in found.relations}
        for name, word in self._last("relation").items():
            thought = relations.get(name)
            if word.decision != "reject" and word.value:
                support = thought.support if thought is not None else 0
                relations[name] = RelationMatch(name, path_of(word.value), 1.0, support, True)
            elif thought is not None and word.value in ("", " / ".join(thought.relation)):
                del relations[name]
        instances = {match.record: match for match in found.instances}
        apart = set(found.apart)
        for name, word in self._last("instance").items():
            same = instances.get(name)
            if word.decision != "reject" and word.value:
                instances[name] = InstanceMatch(name, word.value.strip(), 1.0, True)
            elif same is not None and word.value in ("", same.instance):
                del instances[name]
            if word.decision == "reject" and word.value:
                apart.add((name, word.value))
        return replace(
            found,
            relations=tuple(relations.values()),
            instances=tuple(instances.values()),
            apart=frozenset(apart),
        )

    # ── proposals ─────────────────────────────────────────────────────────────────────────────────────────────────

    def proposals(self, found: Sequence[Proposal]) -> Iterator[Proposal]:
        """Yield what is proposed, without what was rejected, nor anything about an instance that was."""
        words = self._last("proposal")
        refused = {name for name, word in words.items() if word.decision == "reject"}
        gone = {one.subject for one in found if one.predicate == TYPE and statement(one) in refused}
        for one in found:
            said = statement(one)
            if said in refused or one.subject in gone or one.value in gone:
                continue
            yield replace(one, confirmed=True) if said in words else one


def _field(one: FieldMeaning, word: Correction, known: set[str]) -> FieldMeaning:
    if word.decision == "set":
        role, column = meant(word.value, one)
        if column not in known:
            return one
        return replace(one, role=role, columns=(column,), confidence=1.0, because=SAID, confirmed=True)
    said = tuple(name for name in word.value.split(",") if name)
    if word.decision == "confirm":
        if said and known.issuperset(said):
            return replace(one, columns=said, role=meant(said[0], one)[0], confidence=1.0, confirmed=True)
        return one
    left = tuple(name for name in one.columns if said and name not in said)
    because = f"a person said that it is not {' or '.join(said or one.columns)}"
    return (
        one if left == one.columns else replace(one, columns=left, role=one.role if left else "none", because=because)
    )
