"""What the tests of this folder share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from small_grid import Grid


@pytest.fixture(scope="session")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grid]:
    """A broker and one worker, for all tests that harm neither."""
    with Grid(tmp_path_factory.mktemp("grid")) as made:
        made.hire("steady", "--sites", "3")
        made.ready("steady")
        yield made
