"""Puzzles: positions with exactly one winning move."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.records.record import replay
from duelbook.solve import Value, solved
from duelbook.solve.cache import clear_cache
from duelbook.study import puzzle_bank
from duelbook.study.daily_puzzle import (
    WEEK_LEVELS,
    daily_game,
    games_of_the_day,
    has_many_positions,
    puzzle_of_the_day,
)
from duelbook.study.documents import puzzle_view
from duelbook.study.puzzle_bank import bank_of, puzzle_levels, puzzles_after
from duelbook.study.puzzle_kinds import Puzzle, PuzzleKind, greedy_choices
from duelbook.study.puzzles import find_any_puzzle, find_puzzle
from tests.support.games.last_stone import LastStone


def test_levels_follow_the_length_of_the_win_and_the_greedy_player() -> None:
    rules = make("crystal-capture")
    for seed in range(30):
        puzzle = find_puzzle(rules, str(seed))
        assert puzzle.level <= 2 or puzzle.plies >= 5
        assert puzzle.level == 1 or greedy_choices(rules, puzzle.state) > 2 or puzzle.plies > 3


def test_a_level_that_a_game_lacks_is_refused_with_those_that_it_has_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("solved")

    monkeypatch.setattr(puzzle_bank, "solved", fail)
    with pytest.raises(RefusedError, match=r"no puzzle of level 3\. It has: win \(level 1\), trap \(level 2\)\."):
        find_puzzle("word-clash", "1", level=3)
    with pytest.raises(RefusedError, match=r"the kind 'only-move' \(one move does not lose\)\. It has: win"):
        find_puzzle("word-clash", "1", kind=PuzzleKind.ONLY_MOVE)
    wanted = r"\(a tempting move loses\) of level 1: word-clash, charge\. They have: .*trap \(levels 2, 3, 4, 5\)"
    with pytest.raises(RefusedError, match=wanted):
        find_any_puzzle(["word-clash", "charge"], "1", 1, PuzzleKind.TRAP)


class TestKeptSurvey:
    @pytest.fixture
    def surveys(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[object]]:
        """The surveys that are made, with an empty cache folder."""
        made: list[object] = []

        def note(game: object, *limits: int) -> puzzle_bank.Bank:
            made.append(game)
            return survey(game, *limits)  # type: ignore[arg-type]

        survey = puzzle_bank.survey
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(puzzle_bank, "survey", note)
        bank_of.cache_clear()
        yield made
        bank_of.cache_clear()

    @pytest.mark.parametrize("drawn", [False, True])
    def test_the_levels_of_a_game_without_a_bank_are_found_once_and_kept(
        self, drawn: bool, surveys: list[object], number_row: str
    ) -> None:
        game = number_row if drawn else make(number_row, length=6, row="2,6,1,4,3,5")
        found = bank_of(game)
        bank_of.cache_clear()
        assert bank_of(game) == found != {}
        assert len(surveys) == 1

    def test_a_kept_file_that_is_damaged_is_made_again(self, surveys: list[object], tmp_path: Path) -> None:
        found = bank_of("flag-chase")
        [file] = tmp_path.rglob("*.puzzles")
        for damage in (b"", b"{", b'{"code": "", "places": []}', b'{"code": 1}'):
            file.write_bytes(damage)
            bank_of.cache_clear()
            assert bank_of("flag-chase") == found
        assert len(surveys) == 5
        assert clear_cache() == 0
        assert not file.exists()


def check_claims(puzzle: Puzzle) -> None:
    """Check what a puzzle claims by the exact values of its moves."""
    solution, game = solved(puzzle.game), puzzle.game
    values = {move.move: move.value for move in solution.moves(puzzle.state)}
    best = max(values.values())
    assert best is not Value.LOSS
    assert sorted(puzzle.right) == sorted(move for move, value in values.items() if value is best)
    assert puzzle.answer == puzzle.right[0]
    if puzzle.kind is PuzzleKind.WIN:
        assert (best, len(puzzle.right)) == (Value.WIN, 1)
    if puzzle.kind is PuzzleKind.ONLY_MOVE:
        assert [move for move, value in values.items() if value is not Value.LOSS] == [puzzle.answer]
    if puzzle.kind is PuzzleKind.TRAP:
        assert puzzle.trap is not None
        assert values[puzzle.trap] is Value.LOSS
        after = game.play(puzzle.state, puzzle.trap)
        replies = solution.moves(after)
        winning = [game.move_name(after, reply.move) for reply in replies if reply.value is Value.WIN]
        assert 0 < len(winning) <= len(replies) / 3
        assert not any(game.outcome(game.play(after, reply.move)) == game.mover(after) for reply in replies)
        view = puzzle_view(puzzle, game.move_name(puzzle.state, puzzle.trap))
        assert (view.right, view.trap) == (False, game.move_name(puzzle.state, puzzle.trap))
        assert len(winning) > 4 or all(name in str(view.why) for name in winning)


@pytest.mark.parametrize(
    "moves",
    [(), ("9",)],
    ids=["three of eight replies win", "every losing move loses to the next one"],
)
def test_a_losing_move_that_tempts_nobody_is_no_trap(moves: tuple[str, ...]) -> None:
    game = make("crystal-capture")
    numbers = tuple(move for move, _ in replay(game, moves))
    assert PuzzleKind.TRAP not in [puzzle.kind for puzzle in puzzles_after(game, numbers)]


def test_nobody_is_asked_for_the_only_move_that_does_not_lose_where_another_one_draws() -> None:
    game = make("crystal-capture", crystals=7, goal=13, deadlock="draw")
    state = game.play(game.initial(), 2)
    assert [move.value for move in solved(game).moves(state)] == [Value.WIN, *[Value.DRAW] * 5]
    assert [puzzle.kind for puzzle in puzzles_after(game, (2,))] == [PuzzleKind.WIN]


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_and_level_that_a_game_has_is_found_and_what_it_claims_is_true(game: str) -> None:
    for kind, levels in puzzle_levels(game).items():
        for level in levels:
            puzzle = find_puzzle(game, "1", level, kind)
            assert puzzle == find_puzzle(game, "1", level, kind)
            assert (puzzle.kind, puzzle.level) == (kind, level)
            check_claims(puzzle)


@pytest.mark.slow
def test_the_puzzles_in_the_folders_of_the_games_are_what_they_are_listed_as() -> None:
    for name in GAMES:
        for (kind, level), found in bank_of(make(name)).items():
            for rules, moves in found[:: max(1, len(found) // 3)]:  # some of each
                listed = [puzzle for puzzle in puzzles_after(rules, moves) if puzzle.kind is kind]
                assert [puzzle.level for puzzle in listed] == [level], (name, moves)
                check_claims(listed[0])


def test_the_daily_puzzle_is_easy_on_mondays_and_hard_on_sundays_and_of_every_kind() -> None:
    monday = date(2026, 11, 2)
    puzzles = [puzzle_of_the_day(monday + timedelta(days=number)) for number in range(28)]
    assert [puzzle.level for puzzle in puzzles] == [*WEEK_LEVELS] * 4
    assert {type(puzzle.game) for puzzle in puzzles} == {*GAMES.values()}
    assert {puzzle.kind for puzzle in puzzles} == {*PuzzleKind}
    for puzzle in puzzles:
        check_claims(puzzle)


def test_the_operator_decides_which_games_have_the_daily_puzzle(use_games: Callable[[str], None]) -> None:
    use_games("tests.support.games.last_stone:LastStone")
    day = date(2026, 11, 14)
    assert games_of_the_day(day, ["charge"]) == ["charge"]
    assert type(puzzle_of_the_day(day, ["charge"]).game) is GAMES["charge"]


def test_the_daily_puzzle_is_the_same_for_everybody_and_changes_with_the_day() -> None:
    day = date(2026, 11, 14)
    assert puzzle_of_the_day(day) == puzzle_of_the_day(day)
    assert puzzle_of_the_day(day).game != puzzle_of_the_day(day - timedelta(days=1)).game


def test_the_daily_puzzle_does_not_depend_on_the_games_that_are_installed(use_games: Callable[[str], None]) -> None:
    days = [date(2026, 11, 1) + timedelta(days=number) for number in range(len(GAMES))]
    before = [games_of_the_day(day) for day in days]
    use_games("tests.support.games.last_stone:LastStone")
    assert [games_of_the_day(day) for day in days] == before


def test_all_games_take_turns_and_one_with_few_positions_with_a_preset_that_has_more() -> None:
    days = [date(2026, 11, 1) + timedelta(days=number) for number in range(len(GAMES))]
    assert {games_of_the_day(day)[0] for day in days} == set(GAMES)
    for name in GAMES:
        game = daily_game(name)
        assert game is not None
        assert has_many_positions(game)
        assert (game == make(name)) == has_many_positions(make(name))
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
