"""Exact values at the terminal: solve, hint, marks on moves, review, puzzles."""

import json
import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.solve import Value, solved
from duelbook.study.puzzles import daily, find, greedy_choices, refutation
from duelbook.study.review import Verdict, review
from duelbook.terminal.puzzle import Progress, load_progress, save_progress
from tests.support.keyboard import lines, piped

BLUNDERS = ("1", "8", "7", "2", "6", "3")  # of Crystal Capture: both players give a win away


class TestSolve:
    def test_json_holds_the_known_facts(self) -> None:
        report = json.loads(piped(["solve", "crystal-capture", "--json"]).stdout)
        assert list(report)[:8] == ["game", "options", "after", "states", "counted", "value", "winner", "remoteness"]
        assert (report["states"], report["counted"]) == (1437, "states")
        assert (report["value"], report["winner"], report["remoteness"]) == ("win", "first", 5)
        assert report["moves"]["6"] == {"value": "win", "remoteness": 4}
        assert [name for name, move in report["moves"].items() if move["value"] == "win"] == ["6", "8", "7"]

    def test_values_are_the_movers_and_the_winner_is_a_seat(self) -> None:
        report = json.loads(piped(["solve", "crystal-capture", "--after", "8", "--json"]).stdout)
        assert (report["value"], report["winner"], report["after"]) == ("loss", "first", ["8"])
        report = json.loads(piped(["solve", "word-clash", "--option", "finishing=own-only", "--json"]).stdout)
        assert (report["value"], report["winner"], report["counted"]) == ("loss", "second", "classes")

    def test_the_page_says_it_in_words(self) -> None:
        page = piped(["solve", "flag-chase"]).stdout
        assert page.startswith(
            "Flag Chase, from the start: the first player wins in 1 ply.\n\nwin in 1: 2\nloss in 2: 1\n"
        )
        page = piped(["solve", "flag-chase", "--after", "1, 2"]).stdout
        assert "Flag Chase, after 1, 2: the second player wins in 0 plies.\n\nThe game is over." in page


class TestAtThePrompt:
    def test_a_hint_gives_the_best_move_and_why(self) -> None:
        done = piped(["play", "flag-chase"], lines("hint", "1", "hint"))
        assert "forward): hint\n2: wins in 1 ply; every other move loses.\n" in done.stdout
        done = piped(["play", "crystal-capture", "--first", "1"], lines("hint", "8", "hint"))
        assert "6: wins in 5 plies.\n" in done.stdout
        assert "7: resists longest, but every move loses; this one in 5 plies.\n" in done.stdout

    def test_values_are_shown_in_words(self) -> None:
        done = piped(["play", "crystal-capture", "--first", "1", "--show-values"])
        assert "win in 5: 6\nwin in 6: 8\nwin in 7: 7\nloss in 6: 1, 2, 3, 4, 5, 9\n\nPlayer 1, choose" in done.stdout

    def test_a_game_too_large_to_be_solved_says_so_and_goes_on(self) -> None:
        options = ["--option", "crystals=30", "--option", "goal=60", "--first", "1"]
        done = piped(["play", "crystal-capture", *options], lines("hint", "1"))
        assert "this game has more than 1,500,000 states" in done.stdout
        assert "You have captured crystal 1." in done.stdout

    @pytest.mark.parametrize("wish", [["--show-values"], ["--p2", "perfect"], ["--p1", "club"]])
    def test_what_needs_exact_values_is_refused_before_the_first_turn_of_a_game_too_large(
        self, wish: list[str]
    ) -> None:
        done = piped(["play", "crystal-capture", "--option", "crystals=30", "--option", "goal=60", *wish])
        assert done.stderr == "duelbook: this game has more than 1,500,000 states, the limit for solving it\n"
        assert (done.stdout, done.returncode) == ("", 2)

    @pytest.mark.parametrize("game", ["alpha-chase", "word-clash", "crystal-capture", "flag-chase"])
    def test_a_perfect_first_player_wins(self, game: str) -> None:
        words = ["--option", "words=PLANT,GHOST"] if game == "alpha-chase" else []
        arguments = ["play", game, *words, "--first", "1", "--p1", "perfect", "--p2", "greedy"]
        for seed in range(3):
            assert re.search(r"Player 1\b.* wins", piped([*arguments, "--seed", str(seed)]).stdout)


class TestReview:
    def test_every_move_is_judged(self) -> None:
        judged = review(make("crystal-capture"), BLUNDERS)
        assert [move.verdict for move in judged.moves] == ["blunder", "best", "best", "best", "best", "blunder"]
        assert judged.moves[0].best == "6"
        assert (judged.moves[0].before, judged.moves[0].after, judged.moves[0].regret) == (Value.WIN, Value.LOSS, 2)
        assert judged.values[0] is Value.WIN
        assert judged.values[1] is Value.LOSS

    def test_forced_moves_are_no_decisions(self) -> None:
        judged = review(make("crystal-capture"), ("9", "1", "5", "2", "pass"))
        assert judged.moves[4].verdict is Verdict.FORCED
        assert judged.summary(0).regret == sum(move.regret for move in judged.moves[0:4:2]) / 2

    def test_good_mistake_and_lost_anyway(self) -> None:
        assert review(make("crystal-capture"), ("7",)).moves[0].verdict is Verdict.GOOD
        assert review(make("crystal-capture"), ("8", "1")).moves[1].verdict is Verdict.LOST_ANYWAY
        game = make("crystal-capture", crystals=7, goal=20, deadlock="draw")
        state, names = game.initial(), []
        for _ in range(3):
            scored = solved(game).moves(state)
            names.append(game.move_name(state, scored[-1].move))
            assert review(game, tuple(names)).moves[-1].regret == scored[0].value - scored[-1].value
            state = game.play(state, scored[-1].move)

    def test_accuracy_counts_decisions_that_mattered(self) -> None:
        judged = review(make("crystal-capture"), BLUNDERS)
        assert judged.summary(1).accuracy == pytest.approx(2 / 3)
        assert judged.summary(0).accuracy == 0
        assert (judged.summary(0).first_blunder, judged.summary(1).first_blunder) == (1, 6)
        assert review(make("flag-chase"), ("2",)).summary(1).regret is None

    def test_the_page_shows_moves_the_line_and_the_players(self, tmp_path: Path) -> None:
        file = str(tmp_path / "game.json")
        piped(["play", "crystal-capture", "--first", "2", "--record", file], lines(*BLUNDERS))
        page = piped(["review", file]).stdout
        assert "1. Player 2: 1, blunder (loss in 6; best was 6)\n2. Player 1: 8, best (win in 5)\n" in page
        assert "Player 2 wins |*     *\nlevel         |\nPlayer 1 wins | *****\n" in page
        assert "Player 1: accuracy 67%, mean regret 0.67, first blunder on move 6 (3; right was 4)\n" in page
        report = json.loads(piped(["review", file, "--json"]).stdout)
        assert [move["verdict"] for move in report["moves"]][:2] == ["blunder", "best"]
        assert report["players"][0]["seat"] == "second"

    @pytest.mark.parametrize("game", GAMES)
    def test_every_game_can_be_reviewed(self, game: str, tmp_path: Path) -> None:
        file = str(tmp_path / "game.json")
        piped(["play", game, "--p1", "random", "--p2", "greedy", "--seed", "1", "--record", file])
        done = piped(["review", file])
        assert "mean regret" in done.stdout or "no decision" in done.stdout
        assert done.returncode == 0


class TestPuzzles:
    @pytest.mark.parametrize("game", GAMES)
    def test_a_puzzle_has_exactly_one_winning_move(self, game: str) -> None:
        rules = make(game)
        for seed in range(1 if game == "word-clash" else 4):
            puzzle = find(rules, str(seed))
            winning = [move.move for move in solved(rules).moves(puzzle.state) if move.value is Value.WIN]
            assert winning == [puzzle.answer]
            assert puzzle == find(rules, str(seed))

    def test_levels_follow_the_length_of_the_win_and_the_greedy_player(self) -> None:
        rules = make("crystal-capture")
        for seed in range(30):
            puzzle = find(rules, str(seed))
            assert puzzle.level <= 2 or puzzle.plies >= 5
            assert puzzle.level == 1 or greedy_choices(rules, puzzle.state) > 2 or puzzle.plies > 3

    def test_a_level_can_be_asked_for(self) -> None:
        assert find(make("crystal-capture"), "1", level=3).level == 3
        with pytest.raises(RefusedError, match="no puzzle of level 5"):
            find(make("flag-chase"), "1", level=5)

    def test_the_daily_puzzle_is_the_same_for_everybody_and_changes_with_the_day(self) -> None:
        day = date(2026, 11, 14)
        assert daily(day) == daily(day)
        assert daily(day).game != daily(day - timedelta(days=2)).game

    def test_a_wrong_answer_is_refuted_and_may_be_tried_again(self, tmp_path: Path) -> None:
        seed = next(str(seed) for seed in range(99) if find(make("crystal-capture"), str(seed)).level == 2)
        puzzle = find(make("crystal-capture"), seed)
        right = puzzle.game.move_name(puzzle.state, puzzle.answer)
        wrong = next(move for move in puzzle.game.legal_moves(puzzle.state) if move != puzzle.answer)
        name = puzzle.game.move_name(puzzle.state, wrong)
        answers = lines("help", "moves", "nonsense", name, right)
        done = piped(["puzzle", "crystal-capture", "--seed", seed], answers, XDG_DATA_HOME=str(tmp_path))
        line = refutation(puzzle, wrong)
        assert f"{name} does not win. The answer to it: {', '.join(line)}. Try again.\n" in done.stdout
        assert f"Right: {right} wins in " in done.stdout
        assert "Solved at the first try: 0 of 1." in done.stdout
        assert done.returncode == 0

    def test_giving_up_shows_the_answer_and_leaving_does_not_count(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        assert "It was: 2 wins in 1 ply." in piped(["puzzle", "flag-chase"], lines("answer"), **where).stdout
        assert piped(["puzzle", "flag-chase"], lines("quit"), **where).returncode == 1
        assert "0 of 2." in piped(["puzzle", "flag-chase"], lines("answer"), **where).stdout


class TestProgress:
    def test_the_daily_streak_counts_days_in_a_row_once_each(self) -> None:
        progress, day = Progress(), date(2026, 11, 15)
        for solved_at_once, when, streak in (
            (True, day, 1),
            (True, day, 1),
            (True, day + timedelta(days=1), 2),
            (True, day + timedelta(days=3), 1),
            (False, day + timedelta(days=4), 0),
        ):
            progress.count(solved_at_once, when)
            assert progress.streak == streak
        assert (progress.solved, progress.tried) == (3, 4)

    def test_it_is_kept_and_a_damaged_file_is_a_fresh_start(self, tmp_path: Path) -> None:
        file = tmp_path / "deep" / "puzzles.json"
        save_progress(Progress(3, 4, 2, "2026-11-15"), file)
        assert load_progress(file) == Progress(3, 4, 2, "2026-11-15")
        for damage in ("", "[]", '{"solved": "x"}', "[" * 10_000):
            file.write_text(damage)
            assert load_progress(file) == Progress()
