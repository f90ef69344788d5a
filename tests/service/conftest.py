"""Fixtures: the servers, one of a kind for the whole run; a test that needs one which is not there is skipped."""

import shutil
from collections.abc import Iterator
from typing import TypeVar

import pytest

from tests.service.backends import Missing, Postgres, Redis, Server, new_folder

Kind = TypeVar("Kind", bound=Server)


def running(kind: type[Kind]) -> Iterator[Kind]:
    """Answer a server that runs until the tests have ended."""
    folder = new_folder(kind.__name__.lower())
    try:
        server = kind.start(folder)
    except Missing as reason:
        shutil.rmtree(folder)
        pytest.skip(str(reason))
    yield server
    server.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Answer a PostgreSQL server."""
    yield from running(Postgres)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """Answer a Redis server."""
    yield from running(Redis)
