"""How a session starts: who moves first, agents, the choice of words, the menu."""

import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import GAMES
from duelbook.agents import built_in_agents
from duelbook.records.file import load
from tests.support.keyboard import environment, lines, piped

WORDS = ["--option", "words=PLANT,GHOST"]


def patched(setup: str, arguments: list[str], answers: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command after a line of Python that changes something."""
    script = f"{setup}\nimport sys\nfrom duelbook.__main__ import run\nsys.argv = {['duelbook', *arguments]!r}\nrun()"
    command = [sys.executable, "-c", script]
    return subprocess.run(command, input=answers, env=environment(), capture_output=True, text=True, check=False)


class TestWhoMovesFirst:
    """ALL-1."""

    def test_player_1_by_default_and_player_2_when_told(self) -> None:
        assert "Player 1, play a card" in piped(["play", "charge"]).stdout
        assert "Player 2, play a card" in piped(["play", "charge", "--first", "2"]).stdout

    def test_random_in_crystal_capture(self) -> None:
        openings = {piped(["play", "crystal-capture", "--seed", str(seed)]).stdout.split("\n")[4] for seed in range(8)}
        assert {opening[:8] for opening in openings} == {"Player 1", "Player 2"}

    def test_flag_chase_is_mirrored_so_that_p1_stays_on_cell_1(self) -> None:
        done = piped(["play", "flag-chase", "--first", "2"], lines("1", "1", "2"))
        assert "[P1][ ][F][ ][P2]\n\nPlayer 2, you are at position 5." in done.stdout
        assert "Updated Track:\n[P1][ ][F][P2][ ]\n\nPlayer 1, you are at position 1." in done.stdout
        assert "Cell 2 is occupied by Player 1.\nYou move 1 cell forward to cell 3 and capture the flag!" in done.stdout
        assert "Player 2 wins!" in done.stdout

    def test_words_are_named_by_person(self) -> None:
        done = piped(["play", "alpha-chase", *WORDS, "--first", "2"])
        assert "Player 1's word: GHOST\nPlayer 2's word: PLANT\n" in done.stdout
        assert "Player 2's turn." in done.stdout


class TestAgents:
    def test_an_agent_is_spoken_of_in_the_third_person(self) -> None:
        done = piped(["play", "crystal-capture", "--p1", "greedy", "--first", "1", "--seed", "3"])
        assert "\n\nPlayer 1 has captured crystal " in done.stdout
        assert "You have captured" not in done.stdout

    @pytest.mark.parametrize("game", GAMES)
    def test_two_agents_play_a_game_to_its_end(self, game: str) -> None:
        done = piped(["play", game, "--p1", "random", "--p2", "greedy", "--seed", "5"])
        assert done.returncode == 0
        assert "win" in done.stdout or "draw" in done.stdout
        assert done.stdout == piped(["play", game, "--p1", "random", "--p2", "greedy", "--seed", "5"]).stdout

    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("seat", ["1", "2"])
    def test_a_person_can_play_an_agent_from_either_seat(self, game: str, seat: str) -> None:
        words = WORDS if game == "alpha-chase" else []
        done = piped(["play", game, *words, "--first", seat, "--p2", "random", "--seed", "2"], lines("moves", "resign"))
        assert "Player 1 resigns." in done.stdout
        assert done.returncode == 0

    def test_an_automatic_match_stops_at_the_ply_limit_and_nobody_wins(self, tmp_path: Path) -> None:
        """ALL-5."""
        file = tmp_path / "game.json"
        done = patched(
            "import duelbook.terminal.start as start; start.ply_limit = lambda game: 3",
            ["play", "charge", "--p1", "random", "--p2", "random", "--record", str(file), "--seed", "1"],
        )
        assert "The match stops after 3 moves, the ply limit: nobody wins.\n" in done.stdout
        assert done.returncode == 0
        assert load(file).reason == "ply limit"

    def test_people_have_no_ply_limit(self) -> None:
        """ALL-5."""
        done = patched(
            "import duelbook.terminal.start as start; start.ply_limit = lambda game: 3",
            ["play", "charge", "--p2", "random"],
            lines(*["charge 1"] * 3),
        )
        assert "ply limit" not in done.stdout

    def test_an_agent_that_is_too_slow_loses_on_time(self) -> None:
        """ALL-3."""
        slow = """
import time
from duelbook.agents import AGENTS, AgentKind
from duelbook.agents.random_agent import RandomAgent
class Slow(RandomAgent):
    def choose(self, match):
        time.sleep(0.2)
        return super().choose(match)
AGENTS["slow"] = AgentKind(Slow, "thinks too long")
"""
        done = patched(slow, ["play", "charge", "--p1", "slow", "--time-limit", "0.1"])
        assert "Player 1 has run out of time.\n\nPlayer 2 wins!" in done.stdout


class TestChoosingWords:
    """AC-1, AC-2, AC-3."""

    def test_each_player_picks_by_number_or_word(self) -> None:
        done = piped(["play", "alpha-chase"], lines("4", "ghost"))
        assert done.stdout.startswith(
            "Words to choose from:\n1 BRAVE\n2 CHARM\n3 GHOST\n4 PLANT\n5 QUICK\n"
            "Player 1, choose your word (number or word): 4\n"
            "Player 2, choose your word (number or word): ghost\n\n"
            "Welcome to Alpha Chase!\n\nPlayer 1's word: PLANT\nPlayer 2's word: GHOST\n"
        )

    def test_bad_picks_are_refused_with_the_reason(self) -> None:
        done = piped(["play", "alpha-chase"], lines("", "6", "0", "SPOON", "CRUST", "resign", "help", "quit"))
        for reason in (
            "'' is not a word of five letters",
            "the numbers go from 1 to 5, not 6",
            "the numbers go from 1 to 5, not 0",
            "'SPOON' repeats the letter O",
            "'CRUST' is not on the list of words",
            "The game has not begun.",
        ):
            assert reason in done.stdout
        assert done.returncode == 1

    def test_words_go_to_people_whoever_moves_first(self) -> None:
        done = piped(["play", "alpha-chase", "--first", "2"], lines("PLANT", "GHOST"))
        assert "Player 1's word: PLANT\nPlayer 2's word: GHOST\n" in done.stdout
        assert "Player 2's turn." in done.stdout

    def test_the_computer_picks_for_itself(self) -> None:
        """AC-8: another word than the one that is chosen already."""
        for seed in range(12):
            done = piped(["play", "alpha-chase", "--p2", "random", "--seed", str(seed)], lines("PLANT"))
            assert "Player 2 chooses " in done.stdout
            assert "Player 2 chooses PLANT" not in done.stdout

    def test_a_word_that_is_also_a_command_goes_in_quotes(self) -> None:
        arguments = ["play", "alpha-chase", "--option", "word_list=all"]
        done = piped(arguments, lines("rules", '"rules"', "'moves'"))
        assert 'To choose it, put it in quotes: "RULES"' in done.stdout
        assert "Player 1's word: RULES\nPlayer 2's word: MOVES" in done.stdout


class TestMenu:
    def test_the_games_and_then_who_plays(self) -> None:
        done = piped(["play"], lines("99", "charge?", "4", "99", "1", "charge 1", "quit"))
        assert "1  Alpha Chase: " in done.stdout
        assert "5  Flag Chase: " in done.stdout
        assert done.stdout.count(f"Choose a game (1-{len(GAMES)})? ") == 3
        assert done.stdout.count(f"Who plays (1-{len(built_in_agents()) + 1})? ") == 2
        assert "Player 2, play a card: " in done.stdout

    def test_a_game_and_an_agent_may_be_named(self) -> None:
        done = piped(["play"], lines("Flag Chase", "greedy", "1"))
        assert "Player 2 moves 2 cells forward to cell 3 and captures the flag!\n\nPlayer 2 wins!" in done.stdout
        assert done.returncode == 0

    def test_who_plays_is_not_asked_when_it_was_said(self) -> None:
        done = piped(["play", "--p2", "random"], lines("charge"))
        assert "Who plays" not in done.stdout

    def test_leaving_the_menu_is_leaving_unfinished(self) -> None:
        assert piped(["play"], lines("quit")).returncode == 1
        assert piped(["play"]).returncode == 1
