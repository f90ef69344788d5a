"""Help in a match of the service with a time limit: the service finds it, and the player's clock stands still."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.service.harness import RunningServer
from tests.terminal.online.conftest import Sit

SLOW = {"DUELBOOK_GAMES": "tests.support.games.slow_stones:SlowStones"}
LIMIT = 8  # seconds, in which the game is not solved


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service with a game that takes seconds to solve."""
    folder: Path = tmp_path_factory.mktemp("slow")
    server = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}, environment=SLOW)
    yield server.start()
    server.kill()


def test_help_that_takes_longer_than_a_turn_costs_no_time(slow: RunningServer, sit: Sit) -> None:
    command = f"slow-stones --server {slow.url} --p2 random --first 1 --time-limit {LIMIT} --option pause=2500"
    ann = sit("ann", command, TERM="xterm", NO_COLOR="1", **SLOW)
    ann.expect(r"\[0:0\d\]")
    ann.sendline("hint")
    ann.expect_exact("Type hint again for the move", timeout=60)
    ann.expect(r"\[0:0\d\]")
    ann.sendline("take 1")
    ann.expect_exact("Stones: 8999")


def test_values_and_hints_of_the_service_are_those_of_this_program(server: RunningServer, sit: Sit) -> None:
    texts = []
    for limit in ("", " --time-limit 500"):
        ann = sit("ann", f"crystal-capture --server {server.url} --p2 random --first 1{limit}", TERM="dumb")
        ann.expect_exact("choose")
        for command in ("values", "hint", "hint", "hint"):
            ann.sendline(command)
        ann.sendline("quit")
        ann.expect_exact("You have left the match")
        texts.append(re.sub(r"\[\d+:\d\d\] ?", "", ann.before or ""))
    assert texts[0] == texts[1]
