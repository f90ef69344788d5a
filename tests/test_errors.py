"""The check that everybody uses, and errors that cross processes."""

import pickle
from collections.abc import Iterator

import pytest

from duelbook import IllegalMoveError, RefusedError
from duelbook.agents import Forfeit, ForfeitKind
from duelbook.contract import BrokenRulesError
from duelbook.errors import PicklableError, check_range
from duelbook.games import GAMES
from duelbook.registry import UnknownNameError
from tests.support.games.broken import NoMoves

ERRORS = [
    IllegalMoveError("charge 9", ["block", "steal"]),
    UnknownNameError(GAMES, "chess", "Unknown game 'chess'."),
    BrokenRulesError(NoMoves(), "No move is legal.", ("1", "2")),
    Forfeit(ForfeitKind.TIMEOUT, "The program did not answer."),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_after_it_was_pickled(error: PicklableError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)


def classes(base: type[PicklableError]) -> Iterator[type[PicklableError]]:
    yield base
    for below in base.__subclasses__():
        yield from classes(below)


def test_every_class_of_errors_can_be_pickled() -> None:
    for kind in set(classes(PicklableError)):
        error = kind.__new__(kind, "A sentence.")
        error.__dict__["seen"] = 1
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.args, again.__dict__) == (kind, ("A sentence.",), {"seen": 1})


def test_a_number_outside_its_range_is_refused_with_the_range() -> None:
    check_range("goal", 1, 1, 60)
    check_range("goal", 60, 1, 60)
    for value in (0, 61, float("nan")):
        with pytest.raises(RefusedError, match=rf"^goal must be from 1 to 60, not {value}\.$"):
            check_range("goal", value, 1, 60)
