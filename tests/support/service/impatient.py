"""The service with short time limits for its database, so that tests of them are short: `python -m … serve`."""

import pytest

from duelbook.__main__ import run

SECONDS = {
    "threads.WORK_SECONDS": 1.0,
    "threads.CLOSE_SECONDS": 0.5,
    "writer.WAIT_SECONDS": 1.0,
    "writer.LOCK_SECONDS": 0.8,
    "health.HOLD_SECONDS": 1.0,
}

if __name__ == "__main__":
    for name, seconds in SECONDS.items():
        pytest.MonkeyPatch().setattr(f"duelbook.web.db.{name}", seconds)
    run()
