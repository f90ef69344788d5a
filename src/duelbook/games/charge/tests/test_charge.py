"""Charge: its rulings, by their ids, and what its rule book shows. `oracle.py` proves the other rules."""

import pytest

from duelbook import IllegalMoveError, Outcome
from duelbook.games.charge.rules import Charge, Refresh, Side
from duelbook.web.match.previews import previews_of
from tests.support.playing import legal_names, played

# The moves of the worked game, up to turn 6. Its turn 7 is illegal (CH-6).
WORKED_GAME = (
    *("charge 4", "charge 5"),
    *("steal", "block"),
    *("charge 5", "charge 5"),
    *("charge 4", "steal"),
    *("charge 5", "block"),
    *("charge 1", "charge 5"),
)

SAMPLE = (
    *("charge 3", "charge 5"),
    *("steal", "block"),
    *("charge 5", "charge 4"),
    *("charge 5", "steal"),
    *("charge 5", "block"),
)


def totals(*names: str) -> tuple[int, int]:
    """Return both players' points, the first player's first."""
    state = played(Charge(), *names)
    points = (state.mine.points, state.theirs.points)
    return points if state.mover == 0 else (points[1], points[0])


def test_hands_are_open() -> None:
    """CH-7."""
    assert Charge().render(played(Charge(), "block")).count("Charge x5") == 2
    assert "Block x1" in Charge().render(played(Charge(), "block"))


def test_a_refresh_needs_a_hand_without_charge_cards() -> None:
    """CH-1, refresh=no-charges: other cards in hand do not forbid it."""
    spent = ("charge 1", "charge 1") * 5
    assert legal_names(Charge(), *spent) == ["block", "steal", "refresh"]
    assert "refresh" not in legal_names(Charge(), *spent[:8])


def test_only_charge_cards_come_back_and_the_turn_is_forfeited() -> None:
    """CH-1."""
    state = played(Charge(), *("charge 1", "charge 1") * 5, "refresh")
    assert state.theirs == Side(points=5, charges=5, blocks=2, steals=1)
    state = played(Charge(), "block", "block", *("charge 1", "charge 1") * 5, "refresh")
    assert state.theirs.blocks == 1


def test_a_refresh_may_need_an_empty_hand() -> None:
    """CH-1, refresh=empty-hand."""
    game = Charge(refresh=Refresh.EMPTY_HAND)
    spent = ("charge 1", "charge 1") * 5
    assert legal_names(game, *spent) == ["block", "steal"]
    assert legal_names(game, *spent, *("block", "block") * 2, "steal", "steal") == ["refresh"]


@pytest.mark.parametrize("amount", ["0", "6", "-1", "1.5", ""])
def test_other_amounts_are_refused(amount: str) -> None:
    """CH-8."""
    with pytest.raises(
        IllegalMoveError, match="Legal moves: charge 1, charge 2, charge 3, charge 4, charge 5, block, steal"
    ):
        played(Charge(), f"charge {amount}")


def test_a_blocked_charge_has_no_effect_but_the_card_is_gone() -> None:
    state = played(Charge(), "block", "charge 5")
    assert state.theirs == Side(points=0, charges=4, blocks=2, steals=1)


def test_a_block_lasts_one_turn() -> None:
    """CH-2: it lasts for the opponent's next turn, whatever they play."""
    assert totals("block", "block", "charge 1", "charge 2") == (0, 2)
    assert totals("block", "steal", "charge 1", "charge 2") == (1, 2)


def test_two_blocks_do_not_add_up() -> None:
    """CH-2."""
    assert totals("block", "charge 5", "block", "charge 5", "charge 1", "charge 5") == (1, 5)


def test_a_block_does_not_stop_a_steal() -> None:
    assert totals("charge 1", "block", "charge 2", "charge 4", "block", "charge 1") == (1, 4)
    assert totals("charge 5", "charge 1", "block", "charge 1") == (5, 1)
    assert totals("charge 4", "block", "steal") == (4, 0)
    assert totals("block", "charge 1", "charge 4", "steal") == (0, 4)


@pytest.mark.parametrize(
    "before",
    [
        ("charge 4", "block"),
        ("block", "charge 5"),
        ("charge 4", "steal"),
    ],
)
def test_a_steal_takes_nothing_unless_the_opponent_has_just_gained_points(before: tuple[str, ...]) -> None:
    """CH-3, CH-4: the move is legal and the card is used, but no points move."""
    assert totals(*before, "steal") == totals(*before)
    assert played(Charge(), *before, "steal").theirs.steals == 0


def test_stolen_points_cannot_be_stolen_back() -> None:
    """CH-3."""
    assert totals("charge 4", "steal", "steal") == (0, 4)


def test_an_overshoot_or_a_refresh_leaves_nothing_to_steal() -> None:
    """CH-3."""
    over = ("charge 5", "block", "block", "charge 1", "charge 5", "charge 1", "charge 4", "charge 1", "charge 5")
    assert totals(*over) == (0, 2)
    assert totals(*over, "steal") == (0, 2)
    refreshed = ("charge 1", "charge 1") * 5 + ("refresh",)
    assert totals(*refreshed, "steal") == totals(*refreshed) == (5, 5)


def test_an_overshoot_by_a_steal_resets_the_thief_and_the_victim_still_loses_the_points() -> None:
    """CH-5."""
    moves = ("charge 5", "charge 1", "charge 5", "charge 1", "charge 4", "charge 5")
    assert totals(*moves) == (14, 7)
    assert totals(*moves, "steal") == (0, 2)


def test_landing_on_the_goal_by_a_steal_wins() -> None:
    """CH-5."""
    moves = ("charge 5", "charge 1", "charge 5", "charge 5", "steal")
    assert totals(*moves) == (15, 1)
    assert Charge().outcome(played(Charge(), *moves)) is Outcome.FIRST_WINS


def test_exactly_15_wins_at_once() -> None:
    moves = ("charge 5", "charge 1") * 2 + ("charge 5",)
    assert Charge().outcome(played(Charge(), *moves[:-1])) is Outcome.UNDECIDED
    assert Charge().outcome(played(Charge(), *moves)) is Outcome.FIRST_WINS
    assert legal_names(Charge(), *moves) == []


@pytest.mark.parametrize(
    ("moves", "after_turns"),
    [
        (WORKED_GAME, [(4, 5), (9, 0), (9, 5), (9, 9), (14, 9), (14, 14)]),
        (SAMPLE, [(3, 5), (8, 0), (8, 4), (8, 9), (13, 9)]),
    ],
)
def test_the_worked_game_up_to_turn_6_and_the_sample_turn_sequence_add_up(
    moves: tuple[str, ...], after_turns: list[tuple[int, int]]
) -> None:
    for turn, expected in enumerate(after_turns, 1):
        assert totals(*moves[: 2 * turn]) == expected
        assert Charge().outcome(played(Charge(), *moves[: 2 * turn])) is Outcome.UNDECIDED


@pytest.mark.parametrize("plies", [4, 8])
def test_the_worked_game_refuses_an_amount_of_6_on_turns_3_and_5(plies: int) -> None:
    """CH-8."""
    with pytest.raises(IllegalMoveError, match="'charge 6' is not legal here"):
        played(Charge(), *WORKED_GAME[:plies], "charge 6")


def test_the_worked_games_turn_7_plays_a_sixth_charge_card_which_is_refused() -> None:
    """CH-6: a hand has five Charge Cards, and all are used by then."""
    assert played(Charge(), *WORKED_GAME).mine.charges == 0
    with pytest.raises(IllegalMoveError, match=r"'charge 1' is not legal here\. Legal moves: block, refresh"):
        played(Charge(), *WORKED_GAME, "charge 1")


NEARLY = ["charge 5", "charge 4", "charge 5", "charge 4", "charge 3", "charge 2"]  # 13 points against 10


@pytest.mark.parametrize(
    ("after", "move", "words", "result", "warning"),
    [
        (NEARLY, "charge 1", "You would have 14 of 15.", "", False),
        (NEARLY, "charge 2", "You would have exactly 15 of 15.", "This wins the game.", False),
        (NEARLY, "charge 5", "You would have 18, over 15: back to 0.", "", True),
        (
            ["charge 5", "block"],
            "charge 1",
            "You are blocked: this charge adds nothing, and you stay at 5.",
            "",
            True,
        ),
    ],
)
def test_a_preview_says_what_a_card_would_do(
    after: list[str], move: str, words: str, result: str, warning: bool
) -> None:
    preview = previews_of(Charge(), after, move).moves[move]
    assert (preview.words, preview.result, preview.warning) == (words, result, warning)
