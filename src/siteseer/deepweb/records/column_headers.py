"""Recognises header rows among the items of many answers, and the link that identifies each record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from siteseer.deepweb.records.output_schema import AnswerRecord
from siteseer.deepweb.records.value_types import fold

LEAST_HEADED = 3
"""Answers that must begin with the same item for it to be a head."""
MOST_OF_IT = 0.6
"""This share of all that items say must be said by those with the link of a record."""


def record_texts(one: AnswerRecord) -> tuple[str, ...]:
    """Return the texts of a record."""
    return tuple(leaf.text for leaf in one.leaves)


def find_head(answers: Iterable[Sequence[AnswerRecord]]) -> tuple[str, ...]:
    """Return the text of the header row: the same first item in all longer answers, with a structure unlike other
    items.
    """
    filled = [answer for answer in answers if answer]
    first = {record_texts(answer[0]) for answer in filled}
    if len(filled) < LEAST_HEADED or len(first) > 1 or max(map(len, filled)) < 2:
        return ()
    built = {leaf.path for leaf in filled[0][0].leaves}
    others = [{leaf.path for leaf in one.leaves} for answer in filled for one in answer[1:]]
    (head,) = first
    is_text = not any(map(str.isdigit, "".join(head))) and len(head) > 1
    return head if is_text and not any(paths <= built for paths in others) else ()


def find_main_link(answers: Iterable[Sequence[AnswerRecord]]) -> tuple[str, int]:
    """Return the path of the link that is common to the items with most of the text, and how little text strays have.

    Where paragraphs are records, other paragraphs around them lack the link and have hardly any text.
    """
    shown = list(answers)
    said: Counter[str] = Counter()
    links: dict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
    sizes: dict[str, list[int]] = defaultdict(list)
    for number, one in ((number, one) for number, answer in enumerate(shown) for one in answer):
        for path, link in {leaf.path: leaf.link for leaf in one.leaves if leaf.link}.items():
            said[path] += len(one.leaves)
            links[path][number, link] += 1
            sizes[path].append(len(one.leaves))
    total = sum(len(one.leaves) for answer in shown for one in answer)
    for path, count in said.most_common(3):
        if count >= MOST_OF_IT * total and len(links[path]) >= 0.98 * links[path].total():
            return path, sorted(sizes[path])[len(sizes[path]) // 2] // 2
    return "", 0


def is_stray(one: AnswerRecord, core: tuple[str, int]) -> bool:
    """Say whether an item stands among records without being one."""
    path, little = core
    return len(one.leaves) <= little and not any(leaf.path == path for leaf in one.leaves)


def find_link_path(answers: Iterable[Sequence[AnswerRecord]]) -> str:
    """Return the path of the leaf whose link identifies records: nearly all have one, no two of an answer share it."""
    links: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    pages: dict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
    total = 0
    for number, one in ((number, one) for number, answer in enumerate(answers) for one in answer):
        total += 1
        for leaf in {leaf.path: leaf for leaf in reversed(one.leaves) if leaf.link}.values():
            links[leaf.path][leaf.link].add(fold(leaf.text))
            pages[leaf.path][number, leaf.link] += 1
    fitting = {
        path: len(known)
        for path, known in links.items()
        if pages[path].total() >= 0.9 * total
        and len(pages[path]) >= 0.98 * pages[path].total()
        and sum(len(texts) == 1 for texts in known.values()) >= 0.9 * len(known)
    }
    return max(fitting, key=lambda path: fitting[path], default="")
