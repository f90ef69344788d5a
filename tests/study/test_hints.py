"""Hints: the best move in words, counted in the player's own moves."""

import json
from pathlib import Path

import pytest

from duelbook import make
from duelbook.study.hints import HintSteps, hint, plies_text
from tests.support.games.broken import Carousel
from tests.support.games.last_stone import LastStone
from tests.support.games.pits import Pits
from tests.support.playing import played

HINTS = json.loads(Path(__file__).with_name("hints.json").read_text())  # a game, its moves, the best move and why


@pytest.mark.parametrize(("name", "moves", "move", "why"), HINTS)
def test_a_hint_gives_the_best_move_and_the_reason(name: str, moves: list[str], move: str, why: str) -> None:
    game = make(Pits() if name == "pits" else name)
    found = hint(game, played(game, *moves))
    assert found
    assert (found.move, found.why) == (move, why)


def test_otherwise_is_said_only_if_every_other_move_loses_at_once() -> None:
    game = make("crystal-capture")
    most, every = hint(game, played(game, "1", "3", "4", "8")), hint(game, played(game, "9"))
    assert most
    assert most.why.endswith(" After most other moves your opponent plays 2 and wins at once.")
    assert every
    assert every.why.endswith(" Otherwise your opponent plays 6 and wins at once.")


def test_it_is_no_trap_if_half_of_the_replies_win() -> None:
    few, half = LastStone(stones=8, most=3), LastStone(stones=6, most=2)
    found = [hint(game, game.initial()) for game in (few, half)]
    assert ["trap" in one.why for one in found if one] == [True, False]


def test_help_comes_in_steps_and_begins_again_in_another_position() -> None:
    game, steps = make("crystal-capture"), HintSteps()
    state = played(game, "4", "1")
    nudge, move, reason, again = [steps.next(game, state) for _ in range(4)]
    assert nudge.text == "Only one of your 7 moves wins. Look for a threat that your opponent has to answer."
    assert (move.text, move.note) == ("Play 3.", "(Type hint again for the reason.)")
    assert reason.text.startswith("3: brings you to 7 points and wins in 3 of your moves; every other move loses. ")
    assert again == reason
    assert steps.next(game, played(game, "4")).number == 0
    flag_chase = make("flag-chase")
    assert hint(flag_chase, played(flag_chase, "2")) is None, "once the game is over"


def test_a_draw_without_end_is_said() -> None:
    game = Carousel()
    found = hint(game, game.initial())
    assert found
    assert found.why == "holds the draw, since the game then never ends."
    assert found.nudge == "You cannot force a win. Every move holds the draw."


def test_players_count_their_own_moves_and_research_counts_plies() -> None:
    assert (plies_text(1), plies_text(3)) == ("1 ply", "3 plies")
