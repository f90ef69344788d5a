"""Exact values in the terminal: `duelbook solve`."""

import json

from tests.support.keyboard import run


class TestSolve:
    def test_json_holds_the_known_facts(self) -> None:
        report = json.loads(run(["solve", "crystal-capture", "--json"]).stdout)
        assert list(report)[:8] == ["game", "options", "after", "states", "counted", "value", "winner", "remoteness"]
        assert (report["states"], report["counted"]) == (1437, "states")
        assert (report["value"], report["winner"], report["remoteness"]) == ("win", "first", 5)
        assert report["moves"]["6"] == {"value": "win", "remoteness": 4, "own_moves": 3}
        assert [name for name, move in report["moves"].items() if move["value"] == "win"] == ["6", "8", "7"]

    def test_the_value_is_the_movers_and_the_winner_is_a_seat(self) -> None:
        report = json.loads(run(["solve", "crystal-capture", "--after", "8", "--json"]).stdout)
        assert (report["value"], report["winner"], report["after"]) == ("loss", "first", ["8"])
        report = json.loads(run(["solve", "word-clash", "--option", "finishing=own-only", "--json"]).stdout)
        assert (report["value"], report["winner"], report["counted"]) == ("loss", "second", "classes")

    def test_the_page_says_it_in_words(self) -> None:
        page = run(["solve", "flag-chase"]).stdout
        assert page.startswith(
            "Flag Chase, from the start: the first player wins in 1 ply.\n\n"
            "The moves, with the plies (moves of either player) to the end:\nwin in 1: 2\nloss in 2: 1\n"
        )
        page = run(["solve", "flag-chase", "--after", "1, 2"]).stdout
        assert "Flag Chase, after 1, 2: the second player wins in 0 plies.\n\nThe game is over." in page


class TestDrawnStart:
    def test_solve_says_from_which_start_and_draws_others_by_seed(self, number_row: str) -> None:
        page = run(["solve", number_row, "--option", "length=4"]).stdout
        assert "\n\nIt starts with row=1,2,3,4. Choose others with --seed or --option.\n\n" in page
        one, again, two = (
            json.loads(run(["solve", number_row, "--seed", seed, "--json"]).stdout)["options"] for seed in "112"
        )
        assert one == again != two
        given = ["--option", "length=2", "--option", "row=2,1"]
        assert "It starts with row=2,1." in run(["solve", number_row, *given]).stdout

    def test_a_seed_without_anything_to_draw_is_refused(self, number_row: str) -> None:
        for arguments in (["charge"], [number_row, "--option", "length=2", "--option", "row=2,1"]):
            done = run(["solve", *arguments, "--seed", "1"])
            assert (done.returncode, done.stdout) == (2, "")
            assert f"There is nothing to draw in {arguments[0]} with these options. Leave out --seed." in done.stderr

    def test_alpha_chase_is_solved_for_the_words_of_the_book(self) -> None:
        page = run(["solve", "alpha-chase"]).stdout
        assert "It starts with words=PLANT,GHOST." in page
        assert "win in 15: A, G, H, L, N, O, P, S, T\nloss in 16: every other move\n" in page


def test_the_size_of_a_game_of_one_state_is_told_in_plain_words() -> None:
    out = run(["solve", "crystal-capture", "--option", "crystals=1", "--option", "goal=1"]).stdout
    assert "\n1: Makes exactly 1 point and wins at once; there is no other move.\n" in out
    assert "\nUndecided states: 1. Solved or read from the cache in " in out
