"""Help in a match of the service with a time limit: the service finds it, and the player's clock stands still."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbook.online.seats import SeatStore
from duelbook.web.match.help import DELIVERY_SECONDS
from tests.support.service.asking import get, wait_until
from tests.support.service.harness import RunningServer
from tests.terminal.online.conftest import Sit

SLOW = {"DUELBOOK_GAMES": "tests.support.games.slow_stones:SlowStones"}


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service with a game that takes seconds to solve."""
    folder: Path = tmp_path_factory.mktemp("slow")
    server = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}, environment=SLOW)
    yield server.start()
    server.kill()


def test_the_clock_stands_still_while_the_service_looks_for_help(
    slow: RunningServer, sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = f"slow-stones --server {slow.url} --p2 random --first 1 --time-limit 600 --option pause=1500"
    ann = sit("ann", command, TERM="xterm", NO_COLOR="1", **SLOW)
    ann.expect(r"\[\d+:\d\d\]")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "ann"))
    [seat] = SeatStore().at()
    ann.sendline("hint")
    wait_until(lambda: get(slow, f"/api/matches/{seat.match}")["clocks"]["stopped"] > DELIVERY_SECONDS)
    ann.expect_exact("Type hint again for the move")
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
