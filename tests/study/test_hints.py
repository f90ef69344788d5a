"""Hints: the best move in words, counted in the player's own moves."""

import pytest

from duelbook import make
from duelbook.game import AnyGame
from duelbook.study.hints import HintSteps, hint, plies_text
from tests.support.games.broken import Carousel
from tests.support.games.last_stone import LastStone
from tests.support.games.pits import Pits
from tests.support.playing import played


@pytest.mark.parametrize(
    ("name", "moves", "move", "why"),
    [
        (
            "flag-chase",
            [],
            "2",
            "reaches the flag and wins at once; every other move loses.",
        ),
        (
            "crystal-capture",
            [],
            "6",
            "brings you to 6 points and wins in 3 of your moves. "
            "It threatens to win with 9, so your opponent must play it first; then you play 1.",
        ),
        (
            "crystal-capture",
            ["8"],
            "7",
            "every move loses; this one holds out longest (3 more turns). "
            "It sets a trap: only 2 of your opponent's 6 replies win (1 and 3).",
        ),
        (
            "crystal-capture",
            ["4", "9", "6"],
            "5",
            "takes the crystal that your opponent needs and wins in 2 of your moves; every other move loses. "
            "It threatens to win with 1, so your opponent must play it first; "
            "then you pass and win whatever your opponent plays.",
        ),
        (
            "crystal-capture",
            ["6", "8", "1", "5"],
            "2",
            "every move loses; this one holds out longest (2 more turns). Your opponent passes and still wins.",
        ),
        (
            "charge",
            [],
            "charge 5",
            "brings you to 5 points and wins in 6 of your moves. "
            "Whatever your opponent replies, charge 5 or steal keeps the win.",
        ),
        (  # of six moves that hold out as long, the one against which the fewest replies win
            "charge",
            ["charge 5"],
            "steal",
            "every move loses; this one holds out longest (5 more turns). "
            "It sets a trap: only one of your opponent's 7 replies wins (charge 5).",
        ),
        (
            Pits(),
            ["pit 7"],
            "pit 3",
            "wins in 4 of your moves. You move again: pit 6, then pit 2.",
        ),  # where the turn ends
    ],
)
def test_a_hint_gives_the_best_move_and_the_reason(name: str | AnyGame, moves: list[str], move: str, why: str) -> None:
    game = make(name)
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
