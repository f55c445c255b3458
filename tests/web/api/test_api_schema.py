"""The service keeps to its OpenAPI document: every check of schemathesis, on right calls and wrong ones."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

pytest.importorskip("schemathesis", reason="the comparison of the service with its document needs schemathesis")

from schemathesis import GenerationMode

from tests.web.api.schema_cases import SchemaTarget, schema_target

EXAMPLES = int(os.environ.get("SITESEER_EXAMPLES", "4"))


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SchemaTarget]:
    with schema_target(tmp_path_factory.mktemp("library")) as made:
        yield made


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_the_service_keeps_to_its_document(target: SchemaTarget, mode: GenerationMode) -> None:
    before = target.answers.total()
    for operation in target.operations:
        target.send(operation, mode, EXAMPLES)
    assert target.answers.total() - before > 50 * EXAMPLES and len(target.answers) > 3, target.answers
    assert target.failures == {}
    if (
        mode is GenerationMode.POSITIVE
    ):  # what was asked for was begun; that crawls fetch is proved in test_separate_crawl.py
        assert target.answers[201] and target.answers[202], target.answers
