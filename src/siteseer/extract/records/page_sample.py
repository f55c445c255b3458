"""Tabulates a sample of documents for numpy: every position of every page on one common line.

Each page gets a stretch of the line; elements, texts and atoms of all pages are then sorted arrays of numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
import numpy.typing as npt

from siteseer.extract.records.element_keys import KeyedDocument, KeyScheme, learn_scheme
from siteseer.extract.records.fields.field_atoms import Atom, DateReader, all_atoms
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.unique_text import unique_lengths
from siteseer.page.dates.date_context import DateContext, Order, learn_order
from siteseer.page.dates.page_context import context_of
from siteseer.page.urls import host_of

"""Languages whose speakers write the year, then the month."""
Numbers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Instances:
    """All elements of one key, in order: page, number in the page, positions and texts on the common line."""

    key: str
    page: Numbers
    element: Numbers
    start: Numbers
    end: Numbers
    first_text: Numbers
    stop_text: Numbers

    @property
    def tag(self) -> str:
        """The tag of the elements."""
        step = self.key.partition("<")[0]
        for sign in "#.[:~":
            step = step.partition(sign)[0]
        return step


@dataclass(slots=True)
class AtomColumn:
    """All atoms of one atom key, in order."""

    key: str
    page: Numbers
    at: Numbers
    atoms: list[Atom]


@dataclass
class Sample:
    """Pages of one template, ready to be learned from."""

    docs: Sequence[Document]
    now: datetime | None
    scheme: KeyScheme = field(init=False)
    keyed: list[KeyedDocument] = field(init=False)
    order: Order | None = field(init=False)
    reader: DateReader = field(init=False)

    def __post_init__(self) -> None:
        self.scheme = learn_scheme(self.docs)
        self.keyed = [KeyedDocument(doc, self.scheme) for doc in self.docs]
        shown = (text for doc in self.docs for text in doc.texts if len(text) < 90)
        self.order = learn_order(shown, now=self.now)
        languages = Counter(context_of(doc.page).language for doc in self.docs)
        language = languages.most_common(1)[0][0] if languages else ""
        host = host_of(self.docs[0].page.url) if self.docs else ""
        self.reader = DateReader(DateContext(self.now, self.order, language, host))
        longest = max((doc.end_at[0] for doc in self.docs if doc.tags), default=0) + 2
        self.offsets = np.arange(len(self.docs), dtype=np.int64) * longest
        self.stride = longest
        self.text_offsets = np.cumsum([0] + [len(doc.texts) for doc in self.docs]).astype(np.int64)
        self.elements = self._instances()
        self.scheme.learning = False
        unique = unique_lengths(self.docs, self.reader)
        self.unique: Numbers = np.array([length for doc in unique for length in doc], dtype=np.int64)
        self.length: Numbers = np.array([len(text) for doc in self.docs for text in doc.texts], dtype=np.int64)

    def _instances(self) -> dict[str, Instances]:
        rows: dict[str, list[tuple[int, ...]]] = defaultdict(list)
        for page, keyed in enumerate(self.keyed):
            doc, offset, texts = keyed.doc, int(self.offsets[page]), int(self.text_offsets[page])
            for element in range(len(doc.tags)):
                rows[keyed.key(element)].append(
                    (
                        page,
                        element,
                        doc.start_at[element] + offset,
                        doc.end_at[element] + offset,
                        doc.first_text[element] + texts,
                        doc.stop_text[element] + texts,
                    )
                )
        return {key: Instances(key, *np.array(row, dtype=np.int64).T) for key, row in rows.items()}

    def columns(self) -> dict[str, AtomColumn]:
        """Return all atoms of the sample by atom key, those with fewer than three instances left out."""
        found: dict[str, list[tuple[int, Atom]]] = defaultdict(list)
        for page, keyed in enumerate(self.keyed):
            for key, atom in all_atoms(keyed, self.reader):
                found[key].append((page, atom))
        fewest = max(3, 0.02 * len(self.docs))
        columns = {}
        for key, rows in found.items():
            if len(rows) >= fewest:
                rows.sort(key=lambda row: (row[0], row[1].at))
                pages = np.array([page for page, _ in rows], dtype=np.int64)
                at = np.array([atom.at for _, atom in rows], dtype=np.int64) + self.offsets[pages]
                columns[key] = AtomColumn(key, pages, at, [atom for _, atom in rows])
        return columns
