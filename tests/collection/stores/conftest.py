"""One S3 server for all tests of this folder."""

import pytest

from tests.collection.stores.servers import KEYS, S3Server


@pytest.fixture(scope="session")
def s3_running():
    server = S3Server()
    server.make_bucket("box")
    yield server
    server.stop()


@pytest.fixture
def s3(s3_running, monkeypatch):
    """A running S3 server with the bucket `box`; its address and keys are in the environment."""
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": s3_running.address}.items():
        monkeypatch.setenv(name, value)
    return s3_running
