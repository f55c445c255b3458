"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.campaigns.engines.small_grid import Grid


@pytest.fixture(scope="session")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grid]:
    """A broker and one worker, for all tests that harm neither."""
    with Grid(tmp_path_factory.mktemp("grid")) as made:
        made.hire("steady", "--sites", "3")
        made.ready("steady")
        yield made
