"""A game is compared with a second implementation of its rules."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from duelbook.game import Outcome, move_names, outcome_name
from duelbook.testing import CHECKS, check_game
from tests.support.games.last_stone import LastStone
from tests.support.games.number_row import NumberRow
from tests.support.playing import played

ONLY_ORACLE = tuple(CHECKS)


class Heap:
    """Last Stone with lists as states, and its moves as numbers."""

    limit = 3

    def __init__(self, stones: int, most: int) -> None:
        self.stones, self.most = stones, min(most, self.limit)

    def initial(self) -> Any:
        return [0, self.stones]

    def mover(self, state: Any) -> int:
        return int(state[0])

    def legal_moves(self, state: Any) -> Iterator[int]:
        return iter(range(min(self.most, state[1])))

    def play(self, state: Any, move: int) -> Any:
        return [1 - state[0], state[1] - move - 1]

    def outcome(self, state: Any) -> Outcome:
        return Outcome.UNDECIDED if state[1] else Outcome(1 - state[0])


class Limited(Heap):
    limit = 2


class NamedInReverse(Heap):
    """Its moves have the same names, but other numbers."""

    def play(self, state: Any, move: int) -> Any:
        return [1 - state[0], state[1] - self._stones(state, move)]

    def move_name(self, state: Any, move: int) -> str:
        return f"take {self._stones(state, move)}"

    def _stones(self, state: Any, move: int) -> int:
        return min(self.most, int(state[1])) - move


class LostByTheLastStone(Heap):
    def outcome(self, state: Any) -> Outcome:
        return Outcome.UNDECIDED if state[1] else Outcome(state[0])


def verdict(options: Mapping[str, Any], moves: list[str]) -> tuple[list[str], str]:
    left = options["stones"] - sum(int(name.removeprefix("take ")) for name in moves)
    legal = [f"take {stones}" for stones in range(1, min(options["most"], left) + 1)]
    return legal, "" if left else ("second", "first")[len(moves) % 2]


@pytest.mark.parametrize("oracle", [Heap, Heap(12, 3), NamedInReverse, verdict])
def test_implementations_that_agree_pass(oracle: Any) -> None:
    assert check_game(LastStone(), oracle=oracle, skip=ONLY_ORACLE) == []


def test_an_object_is_compared_with_the_start_that_it_knows_and_a_class_with_drawn_starts_too() -> None:
    game = NumberRow(length=4)
    assert check_game(game, oracle=NumberRow(length=4), skip=ONLY_ORACLE) == []
    assert check_game(game, oracle=NumberRow, skip=ONLY_ORACLE) == []
    [failure] = check_game(game, oracle=_sorted_row, skip=ONLY_ORACLE)
    assert failure.reason.startswith("With row=")


def _sorted_row(options: Mapping[str, Any], moves: list[str]) -> tuple[list[str], str]:
    """Return the verdict of somebody who did not notice that the row is shuffled."""
    game = NumberRow(length=options["length"])
    state = played(game, *moves)
    return [*move_names(game, state)], outcome_name(game.outcome(state))


@pytest.mark.parametrize(
    ("oracle", "said"),
    [
        (Limited, "The legal moves differ: the game has [0, 1, 2], the oracle [0, 1]. In the initial state."),
        (LostByTheLastStone, "The outcome differs: the game has second, the oracle first. After: take 1, take 3."),
        (
            lambda options, moves: (["take 1"], ""),
            "The legal moves differ: the game has ['take 1', 'take 2', 'take 3'], the oracle ['take 1']. ",
        ),
        (3, "An oracle must be a class, an object or a function, not 3."),
    ],
)
def test_what_differs_is_found_with_the_shortest_moves_that_show_it(oracle: Any, said: str) -> None:
    [failure] = check_game(LastStone(stones=4), oracle=oracle, skip=ONLY_ORACLE)
    assert failure.sentence().startswith(said)
