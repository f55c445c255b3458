"""Measures how much of a page is new by its slot values, as a fold over pages.

- A text that repeats a number of the page's own address counts without its numbers: months of an endless calendar say
  nothing new then.
- Beside a text of its own, a page may show values that another page shows at another place (the price in a list).
- Where all values are common (a platform, a number of minutes), their combination counts beside a name of its own,
  be it the number of the page's address.
- Counters and clocks, which show another number on every page of every kind, count for nothing.
- A page that mostly lists others is judged by what it leads to, not by its values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from siteseer.page.slot_values import SlotValues

FEW, COMMON = 3, 0.6
"""A text that more pages show than these, and than this share, belongs to the template and is no value."""
LIST_ENTRIES, ENTRIES_PER_VALUE = 8, 3
"""A page with so many links in rows, and so many for each new value, is a list."""
BESIDE_ENTRIES = 0.8
"""So many new values for each entry, all at one place, belong to the entries: prices in a list."""
LIST_SHARE = 0.3
"""Where this share of the pages of one path are lists, one with a single entry is a list too."""
REPEATED = 0.3
"""A combination of values that this share of the pages shows tells nothing."""
EVERYWHERE, LEAST_LISTS = 0.8, 2
"""What shows another number on this share of the lists, and of the other pages, is a counter or a clock."""
ENOUGH = 2
"""A page with so many new values is a record of its own."""


class SlotNovelty:
    """The slot values of all pages so far.

    >>> seen = SlotNovelty()
    >>> [seen.add(SlotValues((1, n, n + 1), (1, 0, 0), (2, 4, 6))) for n in (10, 20, 30)]
    [3, 2, 2]
    >>> seen.add(SlotValues((1, 10, 11), (1, 0, 0), (2, 4, 6)))
    0
    """

    def __init__(self) -> None:
        self._pages = self._lists = 0
        self.is_list = False
        """Whether the page that came last mostly lists others."""
        self._paths: dict[str, tuple[int, int]] = {}
        """How many pages, and how many lists, were seen of each path."""
        self._count: dict[int, int] = {}
        self._template: set[int] = set()
        """Texts that belong to the template."""
        self._keys: set[int] = set()
        self._slots: set[int] = set()
        self._combinations: Counter[int] = Counter()
        self._once: tuple[Counter[int], Counter[int]] = Counter(), Counter()
        """How many pages show a new number once in a slot: of those that are no lists, and of lists."""

    def is_template(self, text: int) -> bool:
        """Say whether a text belongs to the template."""
        return text in self._template

    def own(self, values: SlotValues) -> SlotValues:
        """Return the values of a page without what belongs to the template."""
        kept = [place for place, text in enumerate(values.texts) if text not in self._template]
        texts, forms, places = (
            tuple(found[place] for place in kept) for found in (values.texts, values.forms, values.places)
        )
        return SlotValues(texts, forms, places, tuple(one for one in values.entries if one not in self._template))

    def add(self, values: SlotValues, path: str = "", is_further: bool = False, repeats: bool = False) -> int:
        """Take in a page; return how much of it is new.

        `path` is the kind of its path: where lists are, a short list is one too. `is_further` says that a page like it
        led to it, as one month leads to the next. In both cases a combination of values that was seen before, as on
        empty lists, tells nothing. `repeats` says that another page shows its texts: what is known from there is not
        new at another place.
        """
        keys = [form if place & 1 else text for text, form, place in _rows(values)]
        slots = [_mixed(key, place) for key, place in zip(keys, values.places, strict=True)]
        is_list = self._is_list(values, keys, path)
        volatile = {number for number in range(len(keys)) if self._is_volatile(values, number)}
        own = [number for number in range(len(keys)) if number not in volatile and keys[number] not in self._keys]
        new = len(own) if repeats else self._new(values, keys, slots, volatile, is_further or self._has_lists(path))
        self._take(values, keys, slots, path, is_list)
        self.is_list = is_list
        return 0 if is_list else new

    def _is_list(self, values: SlotValues, keys: Sequence[int], path: str) -> bool:
        """Say whether a page mostly lists others: new values that stand beside each entry do not count."""
        entries = len(values.entries)
        places = Counter(place for place, key in zip(values.places, keys, strict=True) if key not in self._keys)
        new = sum(count for count in places.values() if count < BESIDE_ENTRIES * entries)
        if entries >= max(LIST_ENTRIES, ENTRIES_PER_VALUE * new):
            return True
        return entries > 0 and self._has_lists(path)

    def _has_lists(self, path: str) -> bool:
        """Say whether many pages of a path are lists."""
        pages, lists = self._paths.get(path, (0, 0))
        return lists >= LEAST_LISTS and lists >= LIST_SHARE * pages

    def _new(
        self, values: SlotValues, keys: Sequence[int], slots: Sequence[int], volatile: set[int], is_doubtful: bool
    ) -> int:
        """Return how many values are new; known ones at a new place, or newly combined, count beside a new one."""
        kept = [number for number in range(len(keys)) if number not in volatile]
        own = sum(keys[number] not in self._keys for number in kept)
        known = [number for number in kept if values.texts[number] in self._keys]
        if len(known) == len(kept):
            return 0
        moved = sum(slots[number] not in self._slots for number in known) if own else 0
        if own + moved >= ENOUGH or not known:
            return own + moved
        combination = hash(tuple(sorted(_mixed(values.texts[number], values.places[number]) for number in known)))
        times = self._combinations[combination]
        self._combinations[combination] += 1
        if is_doubtful and not own:
            return 0
        often = 0.0 if is_doubtful or not own else REPEATED * self._combinations.total()
        return ENOUGH if times <= often else own + moved

    def _is_volatile(self, values: SlotValues, number: int) -> bool:
        """Say whether a value is a counter or a clock: lists and other pages alike show another one each time."""
        text, form, place = values.texts[number], values.forms[number], values.places[number]
        if text == form or self._lists < LEAST_LISTS:
            return False
        slot, others = _mixed(form, place), max(1, self._pages - self._lists)
        return self._once[0][slot] >= EVERYWHERE * others and self._once[1][slot] >= EVERYWHERE * self._lists

    def _take(self, values: SlotValues, keys: list[int], slots: list[int], path: str, is_list: bool) -> None:
        self._pages += 1
        self._lists += is_list
        pages, lists = self._paths.get(path, (0, 0))
        self._paths[path] = pages + 1, lists + is_list
        counted = Counter(
            _mixed(form, place) for text, form, place in _rows(values) if text != form and text not in self._keys
        )
        self._once[is_list].update(slot for slot, times in counted.items() if times == 1)
        most, counts = max(FEW, COMMON * self._pages), self._count
        for text in (*values.texts, *values.entries):
            count = counts[text] = counts.get(text, 0) + 1
            if count > most:
                self._template.add(text)
        self._keys.update(keys, values.texts)
        self._slots.update(slots, map(_mixed, values.texts, values.places))


def _rows(values: SlotValues) -> zip[tuple[int, int, int]]:
    return zip(values.texts, values.forms, values.places, strict=True)


def _mixed(text: int, place: int) -> int:
    """Return the hash of a text at a place."""
    return (text * 0x9E3779B1 ^ (place | 1) * 0x85EBCA6B) & 0xFFFFFFFFFFFF
