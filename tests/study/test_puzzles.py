"""Puzzles: positions with exactly one winning move."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.solve import Value, solved
from duelbook.study.puzzles import (
    find_any_puzzle,
    find_puzzle,
    games_of_the_day,
    greedy_choices,
    has_many_positions,
    puzzle_of_the_day,
)
from tests.support.games.last_stone import LastStone


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_has_exactly_one_winning_move(game: str) -> None:
    rules = make(game)
    for seed in range(2):
        puzzle = find_puzzle(rules, str(seed))
        winning = [move.move for move in solved(rules).moves(puzzle.state) if move.value is Value.WIN]
        assert winning == [puzzle.answer]
        assert puzzle == find_puzzle(rules, str(seed))


def test_levels_follow_the_length_of_the_win_and_the_greedy_player() -> None:
    rules = make("crystal-capture")
    for seed in range(30):
        puzzle = find_puzzle(rules, str(seed))
        assert puzzle.level <= 2 or puzzle.plies >= 5
        assert puzzle.level == 1 or greedy_choices(rules, puzzle.state) > 2 or puzzle.plies > 3


def test_a_puzzle_of_one_level_can_be_requested() -> None:
    assert find_puzzle(make("crystal-capture"), "1", level=3).level == 3
    with pytest.raises(RefusedError, match="no puzzle of level 5"):
        find_puzzle(make("flag-chase"), "1", level=5)


def test_the_daily_puzzle_is_the_same_for_everybody_and_changes_with_the_day() -> None:
    day = date(2026, 11, 14)
    assert puzzle_of_the_day(day) == puzzle_of_the_day(day)
    assert puzzle_of_the_day(day).game != puzzle_of_the_day(day - timedelta(days=1)).game


def test_the_daily_puzzle_does_not_depend_on_the_games_that_are_installed(use_games: Callable[[str], None]) -> None:
    days = [date(2026, 11, 1) + timedelta(days=number) for number in range(len(GAMES))]
    before = [games_of_the_day(day) for day in days]
    use_games("tests.support.games.last_stone:LastStone")
    assert [games_of_the_day(day) for day in days] == before


def test_a_game_with_few_positions_has_no_daily_puzzle_and_all_others_take_turns() -> None:
    large = {name for name in GAMES if has_many_positions(make(name))}
    days = [date(2026, 11, 1) + timedelta(days=number) for number in range(len(large))]
    assert {games_of_the_day(day)[0] for day in days} == large
    assert not has_many_positions(LastStone(stones=20))
    assert has_many_positions(LastStone(stones=99))


def test_a_puzzle_of_any_game_is_found_where_there_is_one() -> None:
    assert find_any_puzzle(["flag-chase", "crystal-capture"], "1", level=3).game == make("crystal-capture")
    with pytest.raises(RefusedError, match="None of these games has a puzzle of level 5: flag-chase"):
        find_any_puzzle(["flag-chase"], "1", level=5)


def test_a_puzzle_of_a_game_by_name_is_drawn_by_its_seed_and_a_game_in_hand_is_taken_as_it_is(number_row: str) -> None:
    puzzles = [find_puzzle(number_row, str(seed)) for seed in (1, 1, 2, 3)]
    assert puzzles[0] == puzzles[1]
    assert len({puzzle.game for puzzle in puzzles}) == 3
    for puzzle in puzzles:
        winning = [move.move for move in solved(puzzle.game).moves(puzzle.state) if move.value is Value.WIN]
        assert winning == [puzzle.answer]
    game = make(number_row, length=6, row="2,6,1,4,3,5")
    assert find_puzzle(game, "1").game == game
    with pytest.raises(RefusedError, match="no puzzle of level 5"):
        find_puzzle(make(number_row, length=3), "1", level=5)
