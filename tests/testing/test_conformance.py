"""The conformance kit finds what is wrong with a game, and shows the moves that prove it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.game import AnyGame
from duelbook.testing import CHECKS, Failure, check_game, run_checks
from tests.support.broken_package import write_package
from tests.support.games import broken
from tests.support.games.drop_four import DropFour
from tests.support.games.grid import Grid
from tests.support.games.last_stone import LastStone
from tests.support.games.number_row import NumberRow
from tests.support.games.numbered_stones import NumberedStones
from tests.support.games.pits import Pits
from tests.support.playing import legal_names

BOARD_WITHOUT_ONE = """from duelbook.board import Board, Cell, PlayerSide, Row


def board(at):
    return Board((PlayerSide(), PlayerSide()), [Row([Cell(text="1", words=("climb 1",))])])
"""
SLOW = ("compiled",)  # tests/compiled compares all games

FOUND = {
    broken.ThreePlayers: ("players", "mover is 2, but there are exactly two players, 0 and 1."),
    broken.Dice: ("deterministic", "The move 'take "),
    broken.ShuffledStart: ("deterministic", "initial differs when asked twice."),
    broken.UnseededDraw: ("draws", "The same seed draws deal="),
    broken.DrawnMoves: ("draws", "With most="),
    broken.DrawnLength: ("draws", "With row=1,1,1,1"),
    broken.NoMoves: ("moves", "No move is legal, but the game is undecided."),
    broken.MovesAfterTheEnd: ("moves", "The game is decided, but there are legal moves: [0, 1, 2]."),
    broken.UnknownMoves: ("moves", "legal_moves has the move 3; moves are whole numbers from 0 to 2"),
    broken.DescendingMoves: ("moves", "legal_moves are not in ascending order: [2, 1, 0]."),
    broken.WrongCount: ("moves", "count_legal is 3, but there are 2 legal moves."),
    broken.WrongPlace: ("moves", "nth_legal is -1 at place 0, but that legal move is 0."),
    broken.PlainOutcome: ("outcomes", "outcome is 3; it must be a member of Outcome"),
    broken.ListStates: ("states", "The state holds [12], a list; only whole numbers and tuples of them are allowed."),
    broken.RaisingPlay: ("deterministic", "play raises ZeroDivisionError: "),
    broken.SameNames: ("names", "The moves number 0 and 1 have the same name 'take some'."),
    broken.UnreadableNames: ("names", "The move number 0 has the name 'take  1'; it must be printable text"),
    broken.RaisingText: ("text", "render raises IndexError: list index out of range"),
    broken.InexactView: ("text", "The view holds 1152921504606846988; a browser reads only whole numbers below 2**53"),
    broken.Carousel: ("ends", "No game ever ends: none of the states that can be reached is decided."),
    broken.Growing: ("ends", "A game neither ended nor came back to an earlier state within 10,000 moves."),
    broken.ChangingOptions: ("options", "The options {'stones': '13', 'most': '3'} written as text make another game"),
    broken.WordlessOptions: ("options", "The option share of WordlessOptions needs a default that can be written"),
    broken.ChangeableOptions: ("options", "The class ChangeableOptions is not a game: it has no initial, mover"),
    broken.TooManyStones: ("observations", "The feature stones is 13; its range is 0 to 12."),
    broken.WrongTwins: ("equivalents", "The moves of the canonical state lead to other canonical states."),
    broken.MixedClasses: ("equivalents", "class_of does not tell the same states apart as canonical."),
    broken.WrongProfiles: ("equivalents", "profile_of is the same for states from which not equally many moves lead"),
}


@pytest.mark.parametrize("rules", FOUND, ids=lambda rules: rules.__name__)
def test_each_fault_is_found_by_its_check(rules: type[AnyGame]) -> None:
    check, reason = FOUND[rules]
    found = {failure.check: failure for failure in check_game(rules(), skip=SLOW)}
    assert found[check].reason.startswith(reason)


def test_a_failure_names_the_game_its_options_and_the_shortest_moves_that_show_it() -> None:
    [failure] = check_game(broken.NoMoves(stones=6), skip=SLOW)
    assert failure == Failure("moves", "NoMoves(stones=6, most=3)", failure.reason, ("take 1", "take 3"))
    assert legal_names(broken.NoMoves(stones=6), "take 1", "take 3") == []
    assert str(failure).startswith("NoMoves(stones=6, most=3): moves: No move is legal")
    assert str(failure).endswith("After: take 1, take 3.")


def test_a_fault_that_only_some_drawn_starts_have_is_found_and_names_what_was_drawn() -> None:
    [failure] = check_game(broken.FaultyDeal(stones=6), skip=SLOW)
    assert failure.game == "FaultyDeal(stones=6, most=3, deal=5)"
    assert failure.sentence().startswith("With deal=5: No move is legal, but the game is undecided. ")
    assert legal_names(broken.FaultyDeal(stones=6, deal=5), *(failure.moves or ())) == []


def test_a_move_that_cannot_be_pressed_on_the_board_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: Callable[[str], None]
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    use_games(write_package(tmp_path, "short_board", board=BOARD_WITHOUT_ONE))
    [failure] = check_game("staircase")
    assert (failure.check, failure.reason) == ("board", "The move 'climb 2' cannot be pressed on the board.")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes(name: str) -> None:
    assert check_game(name, skip=SLOW, positions=200) == []


@pytest.mark.parametrize("game", [LastStone(), NumberedStones(), Pits(), DropFour(), Grid(), NumberRow()], ids=repr)
def test_toy_games_pass(game: AnyGame) -> None:
    assert check_game(game, skip=SLOW) == []


def test_a_state_that_the_compiled_solver_has_no_room_for_is_no_failure() -> None:
    [result] = [result for result in run_checks(DropFour(), skip=SLOW) if result.skipped]
    assert result.check == "packing"
    assert re.match("A state takes 9[0-9] bits; the compiled solver has 62", result.skipped)


def test_checks_that_rely_on_a_failed_one_are_skipped() -> None:
    results = {result.check: result for result in run_checks(broken.ThreePlayers())}
    assert list(results) == list(CHECKS)
    assert results["narration"].skipped == "It relies on players, which failed."


def test_the_same_seed_finds_the_same_line() -> None:
    found = [check_game(broken.Rare(stones=200), seed=seed, positions=20_000, skip=SLOW) for seed in (1, 1)]
    assert found[0] == found[1]


@pytest.mark.slow
def test_compiled_rules_that_play_another_game_are_found() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    others = [name for name in CHECKS if name != "compiled"]
    [failure] = check_game(broken.WideSteps(), skip=others)
    assert "compiled, they lead to another state" in failure.reason
    assert check_game(Pits(), skip=others) == []


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(RefusedError, match=r"Unknown check 'dice'. Checks: options, presets"):
        check_game("charge", skip=["dice"])


def test_a_name_and_a_game_are_checked_alike() -> None:
    assert [*run_checks("flag-chase", skip=SLOW)] == [*run_checks(make("flag-chase"), skip=SLOW)]
