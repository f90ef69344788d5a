"""Puzzles in the terminal, and the progress that is kept."""

import re
from pathlib import Path

from duelbook.study.puzzle_bank import listed_places
from duelbook.study.puzzle_kinds import Kind
from tests.support.keyboard import lines, run


class TestDialogue:
    def test_the_puzzle_of_the_day_is_dated(self, tmp_path: Path) -> None:
        done = run(["puzzle", "--daily"], lines("quit"), XDG_DATA_HOME=str(tmp_path))
        assert done.stdout.startswith("Puzzle of 20")

    def test_the_seed_and_the_command_to_see_a_puzzle_again_are_shown_and_true(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        for arguments in (["charge", "--level", "2"], ["crystal-capture", "--kind", "trap"], []):
            shown = run(["puzzle", *arguments], lines("quit"), **where).stdout
            command = next(line for line in shown.splitlines() if line.startswith("(To see it again: "))
            assert re.search(r"--seed \d+\)$", command)
            again = command.removeprefix("(To see it again: duelbook ").removesuffix(")").split()
            assert run(again, lines("quit"), **where).stdout == shown

    def test_each_puzzle_comes_once_and_then_other_levels_and_kinds_are_offered(self, tmp_path: Path) -> None:
        listed = len(listed_places("crystal-capture", 2, Kind.WIN))
        done = run(
            ["puzzle", "crystal-capture", "--level", "2", "--seed", "1"],
            lines(*["next"] * 40, "harder", "quit"),
            XDG_DATA_HOME=str(tmp_path),
        )
        *shown, harder = re.findall(r"\(To see it again: duelbook (.*?)\)\n\n(.*?)\nOne move", done.stdout, re.DOTALL)
        assert listed <= len(shown) == len({board for _, board in shown}) < 40
        assert "--level 3" in harder[0]
        offered = "harder, easier, only-move, trap, quit"
        assert "You have seen every puzzle of level 2 of Crystal Capture. Try another level, kind" in done.stdout
        assert f"\nWhat now ({offered})? next\nType one of these: {offered}.\n" in done.stdout
        again, board = shown[-1]
        assert "--number " in again
        assert board in run(again.split(), "quit\n", XDG_DATA_HOME=str(tmp_path)).stdout


class TestDays:
    def test_a_day_without_a_puzzle_is_refused(self) -> None:
        for day in ("2999-01-01", "yesterday", "2026-02-30"):
            done = run(["puzzle", "--day", day])
            assert (done.returncode, done.stdout) == (2, "")
