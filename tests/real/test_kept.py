"""Captures with broken fields and in another style: what works is left alone, what was read is read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from siteseer.extract.by_knowledge import extract
from tests.real.captures import SITES

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(not SITES.is_dir(), reason="the captured sites are not beside the project (../shared/sites)"),
    pytest.mark.slow,
]


@pytest.mark.parametrize("name", ["phpbb-prosilver", "fluxbb", "serendipity-bulletproof"])
@pytest.mark.parametrize("broken", [("body",), ("title", "body"), ("author", "published", "body")])
def test_working_fields_keep_their_values(name: str, broken: tuple[str, ...]) -> None:
    import adaptation_kept as kept
    from mutations import captured

    ((_, application, level, pages),) = captured([name], 30)
    authors = {str(one.author) for page in pages for one in extract(page, level, application) if one.author}
    family = kept.of_one_family(pages, authors)
    unfit = kept.broken(application, broken)
    unfit_level = unfit.level(level.id)
    assert unfit_level is not None
    known = kept.adapted(unfit, unfit_level, family[::2])
    now = known.level(level.id)
    assert now is not None
    told = kept.Kept()
    for page in family:
        working = [one for one in kept.FIVE if one not in broken]
        kept.compare(extract(page, level, application), extract(page, now, known), working, told)
    assert told.values > 50 and not told.changed, told.examples[:3]
    assert told.found >= 0.97 * told.objects


@pytest.mark.parametrize("name", ["phpbb-prosilver", "fluxbb", "wordpress-2021"])
def test_texts_and_fields_are_read_again_in_another_style(name: str) -> None:
    import adaptation_kept as kept
    from mutations import captured, score
    from other_style import in_other_style

    ((_, application, level, pages),) = captured([name], 24)
    wanted = [extract(page, level, application) for page in pages]
    new = [in_other_style(page) for page in pages]
    known = kept.adapted(application, level, new)
    now = known.level(level.id)
    assert now is not None
    days = [[replace(one, published=(one.published or "")[:10] or None) for one in objects] for objects in wanted]
    found = [
        [replace(one, published=(one.published or "")[:10] or None) for one in extract(page, now, known)]
        for page in new
    ]
    told = score(days, found)
    assert told.recovered >= 0.97 and told.accepted <= 0.01
