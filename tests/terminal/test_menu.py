"""The questions before a game starts: the menu, and the choice of words in Alpha Chase (AC-1, AC-2, AC-3)."""

from duelbook import GAMES
from duelbook.agents import AGENTS, built_in_agents
from duelbook.games import title
from duelbook.presets import presets_of
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
    def test_it_asks_for_the_game_then_for_the_rules_and_then_for_the_players(self) -> None:
        charge = str([*GAMES].index("charge") + 1)
        done = run(["play"], lines("99", "charge?", charge, "1", "99", "1", "charge 1", "quit"))
        assert all(f"{number:<4}{title(name)}: " in done.stdout for number, name in enumerate(GAMES, 1))
        assert done.stdout.count(f"Choose a game (1-{len(GAMES)})? ") == 3
        assert f"Which rules (1-{len(presets_of(GAMES['charge']))})? 1" in done.stdout
        assert done.stdout.count(f"Who plays (1-{len(built_in_agents()) + 1})? ") == 2
        assert "Player 2, play a card: " in done.stdout

    def test_it_offers_the_levels_first_from_the_weakest_to_perfect_each_with_its_line(self) -> None:
        done = run(["play", "--option", "goal=5"], lines("charge", "quit"), COLUMNS="200")
        names = ["beginner", "easy", "medium", "hard", "expert", "perfect", "random", "greedy", "search", "mcts"]
        offered = enumerate(names, 2)
        assert (
            "\n".join(f"{number:<4}you against the computer, {name}: {AGENTS[name].about}" for number, name in offered)
            in done.stdout
        )
        assert not any(":" in AGENTS[name].about for name in names)

    def test_a_game_and_an_agent_may_be_named(self) -> None:
        done = run(["play"], lines("Flag Chase", "Book", "greedy", "1"))
        assert "Player 2 moves 2 cells forward to cell 3 and captures the flag!\n\nPlayer 2 wins!" in done.stdout
        assert done.returncode == 0

    def test_it_does_not_ask_for_players_that_the_command_names(self) -> None:
        done = run(["play", "--p2", "random"], lines("charge"))
        assert "Who plays" not in done.stdout

    def test_options_that_the_chosen_game_does_not_have_are_refused_before_the_next_question(self) -> None:
        for wrong in (["--preset", "fair"], ["--option", "cells=4"]):
            done = run(["play", *wrong], lines("flag-chase", "1"))
            assert done.stderr.startswith("duelbook: ")
            assert "Who plays" not in done.stdout

    def test_leaving_the_menu_is_leaving_unfinished(self) -> None:
        assert run(["play"], lines("quit")).returncode == 0
        assert run(["play"]).returncode == 0

    def test_ctrl_c_at_the_menu_and_at_the_choice_of_words_leaves_cleanly(self) -> None:
        for arguments, prompt in (("play", f"Choose a game (1-{len(GAMES)})? "), ("play alpha-chase", "word): ")):
            screen, code = session(arguments, f"{prompt}«^C»\n")
            assert code == 130
            assert "Traceback" not in screen
