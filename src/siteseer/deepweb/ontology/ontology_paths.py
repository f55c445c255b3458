"""Follows paths of relations through an ontology, forwards and backwards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from siteseer.alignment.alignment_model import Fact

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
TYPES = frozenset((TYPE, "rdf:type", "a"))
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
BACK = "~"
Path = tuple[str, ...]


def path_of(name: str) -> Path:
    """Return the relations of a join path, given its name in an alignment.

    >>> path_of("http://e.org/created~ / http://e.org/label")
    ('http://e.org/created~', 'http://e.org/label')
    """
    return tuple(part.strip() for part in name.split(" / "))


class Ontology:
    """The facts of an ontology, indexed for following paths."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.facts = tuple(facts)
        self.types: dict[str, set[str]] = defaultdict(set)
        self._out: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._into: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for fact in self.facts:
            if fact.relation in TYPES:
                self.types[fact.subject].add(fact.object)
                continue
            self._out[fact.relation][fact.subject].append(fact.object)
            self._into[fact.relation][fact.object].append(fact.subject)

    def follow(self, start: str, path: Path) -> list[str]:
        """Return the nodes to which a path leads from an instance, or (backwards) from a literal.

        >>> books = Ontology([Fact("ann", "wrote", "tea"), Fact("ann", "label", "Ann Lee", True)])
        >>> books.follow("tea", ("wrote~", "label"))
        ['Ann Lee']
        """
        found = [start]
        for relation in path:
            name, table = (relation[:-1], self._into) if relation.endswith(BACK) else (relation, self._out)
            found = [end for one in found for end in table.get(name, {}).get(one, ())]
        return list(dict.fromkeys(found))

    def starting(self, path: Path) -> Iterator[str]:
        """Yield the instances from which the first step of a path leads somewhere."""
        relation = path[0]
        table = self._into if relation.endswith(BACK) else self._out
        yield from table.get(relation.removesuffix(BACK), {})

    def instances(self, cls: str) -> list[str]:
        """Return the instances of a class, and of the classes below it."""
        below = {cls, *self._into.get(SUBCLASS, {}).get(cls, ())}
        return [one for one, types in self.types.items() if types & below]

    def usual_type(self, instances: Sequence[str]) -> tuple[str, float]:
        """Return the class that most of these instances belong to, and the share that does."""
        known = [one for one in instances if self.types.get(one)]
        counts = Counter(cls for one in known for cls in self.classes_of(one))
        if not counts:
            return "", 0.0
        best = max(counts, key=lambda cls: (counts[cls], -len(self._into.get(SUBCLASS, {}).get(cls, ())), cls))
        return best, counts[best] / len(known)

    def classes_of(self, instance: str) -> set[str]:
        """Return the classes of an instance, and those above them."""
        own = self.types.get(instance, set())
        return own | {above for cls in own for above in self._out.get(SUBCLASS, {}).get(cls, ())}
