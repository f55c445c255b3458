"""The largest captures are left to `make prove` where smaller ones show the same."""

import pytest

LARGE = ("smf", "phpbb-prosilver", "wordpress-2021", "[serendipity-bulletproof]", "test_all_sites")
ALSO_ON_LARGE: tuple[str, ...] = ()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if (
            "tests/real" in item.nodeid
            and item.path.name not in ALSO_ON_LARGE
            and any(name in item.name for name in LARGE)
        ):
            item.add_marker(pytest.mark.large)
