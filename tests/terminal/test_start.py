"""How the command line sets up a match: what it refuses, what is drawn, and several matches."""

from pathlib import Path

import pytest

from duelbook.records import load_record
from duelbook.solve import budget
from tests.support.keyboard import at_terminal, lines, run, without_colour


class TestAgents:
    @pytest.mark.parametrize("player", ["--p1", "--p2"])
    def test_an_empty_agent_is_an_error(self, player: str) -> None:
        done = run(["play", "charge", player, ""])
        assert done.stderr.startswith("duelbook: Unknown agent ''. Agents: ")
        assert (done.stdout, done.returncode) == ("", 2)

    def test_a_perfect_agent_in_a_game_that_is_too_large_is_an_error_before_the_first_turn(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(budget.VARIABLE, "1")  # which is full sooner
        done = run(["play", "crystal-capture", "--option", "crystals=30", "--option", "goal=59", "--p2", "perfect"])
        assert done.stderr.startswith("duelbook: This game is too large to be solved. It has more than ")
        assert (done.stdout, done.returncode) == ("", 2)


class TestNames:
    def test_square_brackets_are_plain_text(self) -> None:
        screen, _ = at_terminal("play charge --name1 [red]x[/] --name2 [/]", "quit", TERM="xterm")
        assert "[red]x[/]'s charge: 0" in without_colour(screen)


class TestResuming:
    @pytest.mark.parametrize("arguments", [["--option", "goal=3"], ["--seed", "2"]])
    def test_a_resumed_game_stays_what_it_was(self, tmp_path: Path, arguments: list[str]) -> None:
        file = tmp_path / "game.json"
        run(["play", "charge", "--record", str(file)], lines("charge 1"))
        done = run(["play", *arguments, "--resume", str(file)])
        assert "--resume cannot be combined with --option, --preset, --first or --seed" in done.stderr
        assert done.returncode == 2


class TestDrawnStart:
    def test_the_seed_draws_the_start_which_is_shown_and_part_of_the_record(
        self, tmp_path: Path, number_row: str
    ) -> None:
        records = []
        for number, seed in enumerate("778"):
            file = tmp_path / f"{number}.json"
            agents = ["--p1", "greedy", "--p2", "random"]
            done = run(["play", number_row, *agents, "--seed", seed, "--record", str(file)])
            records.append(load_record(file))
            row = getattr(records[-1].game, "row")  # noqa: B009 - no game in general has a row
            assert done.stdout.startswith(f"Drawn for this match: row={','.join(map(str, row))}\n\nRow: ")
        assert records[0].game == records[1].game != records[2].game
        assert records[0].moves == records[1].moves


class TestSeveralMatches:
    def test_through_a_pipe_each_is_named_by_its_number(self, tmp_path: Path) -> None:
        done = run(["play", "flag-chase", "--matches", "2"], lines("2", "2"), XDG_DATA_HOME=str(tmp_path))
        for number in (1, 2):
            assert f"duelbook review {number} (or step through it with duelbook replay {number})\n\n" in done.stdout

    def test_all_have_the_same_start(self, tmp_path: Path) -> None:
        record = tmp_path / "game.json"
        agents = ["--p1", "greedy", "--p2", "perfect", "--seed", "4"]
        run(["play", "alpha-chase", "--matches", "2", "--record", str(record), *agents])
        first, second = (load_record(tmp_path / name) for name in ("game.json", "game-2.json"))
        assert first.game == second.game
        assert (first.first, second.first) == (0, 1)

    def test_a_record_that_exists_is_found_before_the_first_match(self, tmp_path: Path) -> None:
        (tmp_path / "game-2.json").write_text("mine")
        done = run(["play", "flag-chase", "--matches", "2", "--record", str(tmp_path / "game.json")])
        assert done.returncode == 2
        assert "game-2.json" in done.stderr
        assert not (tmp_path / "game.json").exists()
