"""The core by itself, for all tests of this folder."""

from __future__ import annotations

import pytest

from tests.fresh.core_install import CoreInstall, core_install


@pytest.fixture(scope="session")
def core() -> CoreInstall:
    """Return an environment without extras."""
    return core_install()
