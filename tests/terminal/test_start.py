"""How a match is set up: who moves first, agents, names, resuming."""

import time
from pathlib import Path

import pytest

from duelbook.agents import KINDS, AgentKind
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch
from duelbook.records import load_record
from duelbook.solve import budget
from tests.support.keyboard import at_terminal, lines, run, without_colour


class TestWhoMovesFirst:
    """ALL-1."""

    def test_random_in_crystal_capture(self) -> None:
        shown = [run(["play", "crystal-capture", "--seed", str(seed)]).stdout.split("\n") for seed in range(8)]
        assert {lines[0] for lines in shown} == {f"Player {number} was drawn to move first." for number in (1, 2)}
        assert all(lines[6].startswith(lines[0][:8]) for lines in shown)


class TestAgents:
    @pytest.mark.parametrize("player", ["--p1", "--p2"])
    def test_an_empty_agent_is_an_error(self, player: str) -> None:
        done = run(["play", "charge", player, ""])
        assert done.stderr.startswith("duelbook: Unknown agent ''. Agents: ")
        assert (done.stdout, done.returncode) == ("", 2)

    def test_an_automatic_match_stops_at_the_ply_limit_and_nobody_wins(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """ALL-5."""
        monkeypatch.setattr("duelbook.play.setup.ply_limit", lambda game: 3)
        file = tmp_path / "game.json"
        done = run(["play", "charge", "--p1", "random", "--p2", "random", "--record", str(file), "--seed", "1"])
        assert "The match stops at the move limit of 3 moves. Nobody wins.\n" in done.stdout
        assert done.returncode == 0
        assert load_record(file).reason == "ply limit"

    def test_people_have_no_ply_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """ALL-5."""
        monkeypatch.setattr("duelbook.play.setup.ply_limit", lambda game: 3)
        done = run(["play", "charge", "--p2", "random"], lines(*["charge 1"] * 3))
        assert "move limit" not in done.stdout

    def test_an_agent_that_is_too_slow_loses_on_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """ALL-3."""
        clock = [0.0]

        class Slow(RandomAgent):
            def choose(self, match: ReadOnlyMatch) -> Move:
                clock[0] += 31
                return super().choose(match)

        monkeypatch.setitem(KINDS, "slow", AgentKind(Slow, "thinks too long"))
        monkeypatch.setattr(time, "monotonic", lambda: clock[0])
        done = run(["play", "charge", "--p1", "slow", "--time-limit", "30"])
        assert "Player 1 has run out of time.\n\nPlayer 2 wins!" in done.stdout

    def test_a_perfect_agent_in_a_game_that_is_too_large_is_an_error_before_the_first_turn(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(budget.VARIABLE, "1")  # which is full sooner
        done = run(["play", "crystal-capture", "--option", "crystals=30", "--option", "goal=59", "--p2", "perfect"])
        assert done.stderr.startswith("duelbook: This game is too large to be solved. It has more than ")
        assert (done.stdout, done.returncode) == ("", 2)


class TestNames:
    @pytest.mark.parametrize("name", ["\x1b[31mred", "a\x9b31m", "\u202eevil", "a\x07b", "a\u200bb", "\ue000"])
    def test_control_characters_are_replaced(self, name: str) -> None:
        done = run(["play", "charge", "--name1", name])
        assert done.returncode == 0
        assert not [character for character in done.stdout if not character.isprintable() and character != "\n"]
        assert "\ufffd" in done.stdout

    @pytest.mark.parametrize("name", ["", "   ", "x" * 33])
    def test_a_name_has_1_to_32_characters(self, name: str) -> None:
        done = run(["play", "charge", "--name1", name])
        assert "A name must have 1 to 32 characters" in done.stderr
        assert done.returncode == 2

    def test_two_players_have_two_names(self) -> None:
        for names in (["--name1", "Red", "--name2", "red"], ["--name1", "Player 2"]):
            done = run(["play", "charge", *names])
            assert "Both players are called" in done.stderr
            assert done.returncode == 2

    def test_square_brackets_are_plain_text(self) -> None:
        screen, _ = at_terminal("play charge --name1 [red]x[/] --name2 [/]", "quit", TERM="xterm")
        assert "[red]x[/]'s charge: 0" in without_colour(screen)


class TestResuming:
    def test_a_resumed_game_keeps_its_agents_and_its_time_limit(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        run(["play", "charge", "--p2", "greedy", "--time-limit", "60", "--record", str(file)], lines("charge 1"))
        run(["play", "--resume", str(file)], lines("charge 1"))
        record = load_record(file)
        assert len(record.moves) == 4
        assert (record.people[1].agent, record.time_limit) == ("greedy", 60)

    def test_a_level_plays_on_as_if_the_game_had_not_been_interrupted(self, tmp_path: Path) -> None:
        whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
        start = ["play", "charge", "--p2", "beginner", "--seed", "5", "--record"]
        run([*start, str(whole)], lines("charge 1", "charge 1", "charge 1"))
        run([*start, str(parts)], lines("charge 1"))
        run(["play", "--resume", str(parts)], lines("charge 1", "charge 1"))
        assert load_record(parts).moves == load_record(whole).moves
        assert load_record(parts).people[1].agent == "beginner"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["flag-chase"], "holds a game of charge, not of flag-chase. Leave out 'flag-chase'."),
            (["--option", "goal=3"], "--resume cannot be combined with --option, --preset, --first or --seed"),
            (["--first", "2"], "--resume cannot be combined with --option, --preset, --first or --seed"),
            (["--seed", "2"], "--resume cannot be combined with --option, --preset, --first or --seed"),
        ],
    )
    def test_a_resumed_game_stays_what_it_was(self, tmp_path: Path, arguments: list[str], message: str) -> None:
        file = tmp_path / "game.json"
        run(["play", "charge", "--record", str(file)], lines("charge 1"))
        done = run(["play", *arguments, "--resume", str(file)])
        assert message in done.stderr
        assert done.returncode == 2

    def test_the_record_may_be_the_same_file_by_another_path(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        run(["play", "charge", "--record", str(file)], lines("charge 1"))
        other = f"{tmp_path}/../{tmp_path.name}/game.json"
        run(["play", "--resume", str(file), "--record", other], lines("charge 2"))
        assert load_record(file).moves == ("charge 1", "charge 2")


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
