"""The service with other settings of SQLite: `python -m … synchronous=NORMAL,wal_autocheckpoint=32 serve`."""

import sys

import pytest

from duelbook.__main__ import run
from duelbook.web.db import database

if __name__ == "__main__":
    pytest.MonkeyPatch().setattr(database, "SERVICE_PRAGMAS", (*database.SERVICE_PRAGMAS, *sys.argv.pop(1).split(",")))
    run()
