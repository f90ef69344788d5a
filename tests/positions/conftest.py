"""Fixtures: the command line within the test process, and a small dataset."""

from pathlib import Path

import pytest

from duelbook.positions import make_dataset
from tests.support.models import duelbook

__all__ = ["duelbook"]

SMALL = ("crystal-capture:deadlock=draw", "flag-chase")


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("positions") / "dataset"
    make_dataset(SMALL, folder, per_cell=6, seed=1)
    return folder
