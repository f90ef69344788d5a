"""Exact values in the terminal: `duelbook solve`, and the values of moves while playing."""

import json

from duelbook.play.move_groups import named_together
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


class TestManyMoves:
    def test_the_rest_is_every_other_move(self) -> None:
        page = run(["solve", "alpha-chase"]).stdout
        assert "win in 15: A, G, H, L, N, O, P, S, T\nloss in 16: every other move\n" in page

    def test_a_description_holds_for_exactly_the_moves_that_it_names(self) -> None:
        legal = [f"{letter} {board} {place}" for letter in "ABCDE" for board in ("x", "y") for place in "123"]
        names = [name for name in legal if name.startswith(("A", "B")) or name.endswith("x 2")] + ["C y 3"]
        text = named_together(names, legal, lambda parts: " ".join(part or "*" for part in parts))
        assert text == "A * *, B * *, * x 2, C y 3"
        described = [item.split() for item in text.split(", ")]
        fitting = [
            name
            for name in legal
            if any(all(one in ("*", part) for one, part in zip(item, name.split(), strict=True)) for item in described)
        ]
        assert sorted(fitting) == sorted(names)

    def test_moves_without_anything_in_common_are_counted(self) -> None:
        legal = [str(number) for number in range(40)]
        assert named_together(legal[:20], legal, str).endswith("10, 11 and 8 more")
        assert named_together(legal, legal, str) == "any move"
        assert named_together(legal[:12], legal, str) == ", ".join(legal[:12])


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
        assert "It starts with words=PLANT,GHOST." in run(["solve", "alpha-chase"]).stdout


def test_the_size_of_a_game_of_one_state_is_told_in_plain_words() -> None:
    out = run(["solve", "crystal-capture", "--option", "crystals=1", "--option", "goal=1"]).stdout
    assert "\n1: Makes exactly 1 point and wins at once; there is no other move.\n" in out
    assert "\nUndecided states: 1. Solved or read from the cache in " in out
