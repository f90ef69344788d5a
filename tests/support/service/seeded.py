"""The service in which agents draw the same moves in every match, so that a test is the same in every run."""

import pytest

from duelbook.__main__ import run

SEEDED = (__name__, "serve")  # the program, for a `RunningServer`

if __name__ == "__main__":
    pytest.MonkeyPatch().setattr("duelbook.web.match.lobby.new_seed", lambda: 7)
    run()
