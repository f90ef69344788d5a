"""Puzzles in the terminal, from the command line and from a script."""

from pathlib import Path

from duelbook.play.puzzle_request import today
from tests.support.keyboard import lines, run


def test_the_puzzle_of_the_day_is_that_of_today(tmp_path: Path) -> None:
    done = run(["puzzle", "--daily"], lines("quit"), XDG_DATA_HOME=str(tmp_path))
    assert done.stdout.startswith(f"Puzzle of {today()}: ")


def test_a_script_without_more_lines_is_not_asked_what_is_next(tmp_path: Path) -> None:
    where = {"XDG_DATA_HOME": str(tmp_path)}
    done = run(["puzzle", "flag-chase", "--seed", "1"], lines("2"), **where)
    assert done.stdout.endswith("\nRight: 2 wins in 1 move. It reaches the flag.\nSolved at the first try: 1 of 1.\n\n")
    assert (done.returncode, done.stderr) == (0, "")
    more = run(["puzzle", "flag-chase", "--seed", "1"], lines("2", "", "quit"), **where)
    assert more.stdout.count("\nWhat now (Enter for the next puzzle, quit)? ") == 1
    assert more.stdout.count("Puzzle: Flag Chase") == 2
