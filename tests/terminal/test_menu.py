"""The questions before a game starts: the menu, and the choice of words in Alpha Chase (AC-1, AC-2, AC-3)."""

from pathlib import Path

import pytest

from duelbook import GAMES
from duelbook.agents import AGENTS
from duelbook.games import title
from duelbook.presets import presets_of
from duelbook.terminal.menu import LastChoice
from tests.support.keyboard import lines, run, session


class TestChoices:
    def test_each_player_picks_by_number_or_word(self) -> None:
        done = run(["play", "alpha-chase"], lines("4", "ghost"))
        assert done.stdout.startswith(
            "Words to choose from:\n1 BRAVE\n2 CHARM\n3 GHOST\n4 PLANT\n5 QUICK\n"
            "Player 1, choose your word (number or word): 4\n"
            "Player 2, choose your word (number or word): ghost\n\n"
            "Welcome to Alpha Chase!\n\nPlayer 1's word: PLANT\nPlayer 2's word: GHOST\n"
        )

    def test_a_bad_pick_gets_the_reason(self) -> None:
        done = run(["play", "alpha-chase"], lines("", "6", "0", "SPOON", "CRUST", "resign", "help", "quit"))
        for reason in (
            "'' is not a word of five letters",
            "The number must be from 1 to 5, not 6.",
            "The number must be from 1 to 5, not 0.",
            "'SPOON' repeats the letter O",
            "'CRUST' is not on the list of words",
            "The game has not started yet.",
        ):
            assert reason in done.stdout
        assert done.returncode == 0

    def test_player_1_chooses_first_even_if_player_2_moves_first(self) -> None:
        done = run(["play", "alpha-chase", "--first", "2"], lines("PLANT", "GHOST"))
        assert "Player 1's word: PLANT\nPlayer 2's word: GHOST\n" in done.stdout
        assert "Player 2's turn." in done.stdout

    def test_the_computer_picks_for_itself(self) -> None:
        """AC-8: another word than the one that the person has chosen."""
        for seed in range(12):
            done = run(["play", "alpha-chase", "--p2", "random", "--seed", str(seed)], lines("PLANT"))
            assert "Player 2 chooses " in done.stdout
            assert "Player 2 chooses PLANT" not in done.stdout

    def test_a_word_that_is_also_a_command_needs_quotes(self) -> None:
        arguments = ["play", "alpha-chase", "--option", "word_list=all"]
        done = run(arguments, lines("rules", '"rules"', "'moves'"))
        assert 'To choose it, put it in quotes: "RULES"' in done.stdout
        assert "Player 1's word: RULES\nPlayer 2's word: MOVES" in done.stdout


class TestMenu:
    @pytest.fixture(autouse=True)
    def fresh_data_folder(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """No last choice is remembered."""
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def test_it_asks_for_game_rules_opponent_and_who_starts(self) -> None:
        done = run(["play"], lines("99", "charge?", "", "char", "1", "99", "1", "2", "charge 1", "quit"))
        assert all(f"{number:<4}{title(name)}: " in done.stdout for number, name in enumerate(GAMES, 1))
        assert done.stdout.count(f"Choose a game (1-{len(GAMES)})? ") == 4
        assert "or quit. Did you mean 'charge'?\n" in done.stdout
        assert f"Which rules (1-{len(presets_of(GAMES['charge'])) + 1})? 1" in done.stdout
        assert done.stdout.count("Your opponent (1-8)? ") == 2
        assert "1   Player 1 starts.\n2   Player 2 starts.\n3   Chance decides who starts.\n" in done.stdout
        assert "To start such a match at once: duelbook play charge --first 2\n" in done.stdout
        assert "Player 1, play a card: quit" in done.stdout  # Player 2 moved first

    def test_help_where_a_value_is_typed_names_the_values_and_the_commands(self) -> None:
        done = run(
            ["play"], lines("charge", "custom", "?", "HELP", "back", "back", "charge", "1", "advanced", "search", "?")
        )
        assert "(You can also type help, back or quit.)\ngoal: " in done.stdout
        advice = "Type a value (1 to 60), back for the question before, or quit.\ngoal (1 to 60; Enter for 15): "
        assert done.stdout.count(advice) == 2
        assert "Type a value (1 to 12), back for the question before, or quit.\nDEPTH (1 to 12;" in done.stdout
        assert "must be a whole number" not in done.stdout

    def test_back_leads_to_the_question_before(self) -> None:
        answers = ("charge", "book", "easy", "back", "back", "custom", "12", "back", "back", "back", "flag-chase")
        done = run(["play"], lines(*answers, "book", "easy", "1", "quit"))
        assert done.stdout.count("goal: ") == 2
        assert done.stdout.count("Choose a game (1-5)? ") == 2
        assert done.stdout.count("Which rules") == 4
        assert done.stdout.count("Who starts (1-3)? ") == 2
        assert "To start such a match at once: duelbook play flag-chase --p2 easy --first 1\n" in done.stdout

    def test_back_to_the_rules_keeps_custom_ones(self) -> None:
        answers = ("flag-chase", "custom", "7", "3", "back", "", "easy", "1", "quit")
        done = run(["play"], lines(*answers))
        assert "(Enter: cells=7, stride=3)" in done.stdout
        assert "duelbook play flag-chase --option cells=7 --option stride=3 --p2 easy" in done.stdout

    def test_enter_takes_what_was_typed_before_going_back(self) -> None:
        custom = ("flag-chase", "custom", "7", "back", "", "3", "back", "custom", "", "back", "back", "custom", "")
        done = run(["play"], lines(*custom, "2", "easy", "1", "quit"))
        assert done.stdout.count("Enter for 5): ") == 1
        assert done.stdout.count("Enter for 7): ") == 4
        assert done.stdout.count("Enter for 3): ") == 2
        assert "duelbook play flag-chase --option cells=7 --p2 easy" in done.stdout  # 2 is the stride of the rule book

    def test_back_passes_over_what_is_not_asked(self) -> None:
        done = run(["play", "--option", "goal=21"], lines("charge", "back", "charge", "easy", "back", "quit"))
        assert done.stdout.count("Choose a game (1-5)? ") == 2
        assert done.stdout.count("Your opponent (1-8)? ") == 3

    def test_a_wrong_answer_to_who_starts_is_told_what_can_be_typed(self) -> None:
        done = run(["play"], lines("charge", "book", "easy", "21", "you", "quit"))
        assert done.stdout.count("Type a number from 1 to 3, a name such as random, back, or quit.\n") == 2

    def test_opponents_are_listed_by_strength_and_engines_and_programs_under_advanced(self) -> None:
        done = run(["play"], lines("charge", "book", "advanced", "back", "quit"))
        levels = ["beginner", "easy", "medium", "hard", "expert", "perfect"]
        listed = [f"{number:<4}{name}: {AGENTS[name].about}" for number, name in enumerate(levels, 2)]
        friend = "1   a friend at this keyboard"
        advanced = "8   advanced: search engines, programs and language models"
        assert done.stdout.count("\n".join([friend, *listed, advanced])) == 2
        others = [name for name in AGENTS if name not in levels]
        assert all(f"{number:<4}{name}: {AGENTS[name].about}" in done.stdout for number, name in enumerate(others, 1))

    def test_an_advanced_opponent_is_asked_for_its_parameter(self) -> None:
        done = run(["play"], lines("flag-chase", "book", "advanced", "search", "99", "x", "2", "1", "quit"))
        assert "DEPTH (1 to 12; Enter for 3): 99\nAgent 'search:99': DEPTH must be a whole number from 1" in done.stdout
        assert "duelbook play flag-chase --p2 search:2 --first 1\n" in done.stdout
        done = run(["play"], lines("flag-chase", "book", "advanced", "process", "", "true -X", "1", "quit"))
        assert "COMMAND is missing, as in 'process:./player.sh'." in done.stdout
        assert "duelbook play flag-chase --p2 'process:true -X' --first 1\n" in done.stdout

    def test_a_game_and_an_agent_may_be_named(self) -> None:
        done = run(["play"], lines("Flag Chase", "Book", "greedy", "1", "1"))
        assert "Player 2 moves 2 cells forward to cell 3 and captures the flag!\n\nPlayer 2 wins!" in done.stdout
        assert done.returncode == 0

    def test_custom_rules_ask_for_each_option_with_its_values(self) -> None:
        answers = lines("crystal-capture", "custom", "x", "3", "", "", "4", "6", "", "", "", "quit")
        done = run(["play"], answers)
        assert "crystals (1 to 30; Enter for 9): x\n" in done.stdout
        assert "Choose again." in done.stdout  # 15 points cannot be had with three crystals
        assert (
            "duelbook play crystal-capture --option crystals=4 --option goal=6 --p2 easy --first random" in done.stdout
        )
        assert "Available Crystals: 1, 2, 3, 4\n" in done.stdout

    def test_enter_repeats_the_last_choice_or_each_part_of_it(self) -> None:
        run(["play"], lines("charge", "quick", "hard", "2", "quit"))
        done = run(["play"], lines("", "quit"))
        assert "(Enter: the same as last time: Charge (quick), against hard, the computer starts)\n" in done.stdout
        assert "duelbook play charge --preset quick --p2 hard --first 2\n" in done.stdout
        done = run(["play"], lines("charge", "", "", "", "quit"))
        for default in ("quick", "hard", "the computer starts"):
            assert f"(Enter: {default})\n" in done.stdout
        done = run(["play"], lines("flag-chase", "", "", "", "quit"))
        assert "(Enter: long)\n" in done.stdout  # the rules that the game suggests
        assert "duelbook play flag-chase --preset long --p2 hard --first 1\n" in done.stdout

    def test_a_program_is_not_remembered_and_a_damaged_file_is_no_choice(self, tmp_path: Path) -> None:
        run(["play"], lines("flag-chase", "book", "advanced", "process", "true", "1", "quit"))
        file = tmp_path / "duelbook" / "menu.json"
        assert not file.exists()
        file.parent.mkdir(exist_ok=True)
        for damage in ("", "[]", '{"game": "gone"}', '{"game": "charge", "opponent": "process:true", "first": "1"}'):
            file.write_text(damage)
            done = run(["play"], lines("quit"))
            assert "last time" not in done.stdout
            assert done.stderr == ""

    def test_it_does_not_ask_for_players_that_the_command_names(self) -> None:
        done = run(["play", "--p2", "random"], lines("charge", "book", "quit"))
        assert "Your opponent" not in done.stdout
        assert "Player 1, play a card: quit" in done.stdout

    def test_the_last_choice_is_offered_at_a_real_terminal(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        game, rest = "game (1-5)? «flag-chase»\nrules (1-3)? «»\n", "opponent (1-8)? «beginner»\nstarts (1-3)? «»\n"
        session("play", f"{game}{rest}forward): «quit»\n", **where)
        screen, code = session("play", "game (1-5)? «»\nforward): «quit»\n", **where)
        assert "the same as last time: Flag Chase (long), against beginner, you start" in " ".join(screen.split())
        assert code == 0

    def test_options_that_the_chosen_game_does_not_have_are_refused_before_the_next_question(self) -> None:
        for wrong in (["--preset", "fair"], ["--option", "cells=4"]):
            done = run(["play", *wrong], lines("flag-chase", "1"))
            assert done.stderr.startswith("duelbook: ")
            assert "Your opponent" not in done.stdout

    def test_leaving_the_menu_is_leaving_unfinished(self) -> None:
        assert run(["play"], lines("quit")).returncode == 0
        assert run(["play"]).returncode == 0

    def test_ctrl_c_at_the_menu_and_at_the_choice_of_words_leaves_cleanly(self) -> None:
        for arguments, prompt in (("play", f"Choose a game (1-{len(GAMES)})? "), ("play alpha-chase", "word): ")):
            screen, code = session(arguments, f"{prompt}«^C»\n")
            assert code == 130
            assert "Traceback" not in screen


def test_the_last_choice_has_its_seconds_a_turn() -> None:
    last = LastChoice("charge", {}, "easy", "2", 30.0)
    assert last.text() == "Charge (book), against easy, the computer starts, 30 seconds a turn"
    assert last.command(None) == "duelbook play charge --p2 easy --first 2 --time-limit 30"
    assert last.is_possible()
    assert not LastChoice("charge", {}, "easy", "2", -1.0).is_possible()
