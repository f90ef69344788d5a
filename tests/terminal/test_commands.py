"""Answers and commands at the prompts of a game: none costs the turn, bad input gets a sentence (ALL-2)."""

from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.game import move_names
from duelbook.narration import Seating, narration_for
from duelbook.records import load_record
from tests.support.game_folders import brought, short_variants
from tests.support.keyboard import lines, run, run_process

WORDS = ["--option", "words=PLANT,GHOST"]
BAD_ANSWERS = ("", "no such move", "é", "\x1b[31m", "-1")  # in a game that brings none of its own


def arguments(game: str) -> list[str]:
    """Return the arguments for a game of two people in which Player 1 moves first and nothing is left to choose."""
    options = [part for key, value in short_variants(game)[0].items() for part in ("--option", f"{key}={value}")]
    return ["play", game, *options, "--first", "1"]


def prompt_and_answer(game: str) -> tuple[str, list[str]]:
    """Return the first question of a game, and what a person types to make a move and to end the turn."""
    rules = make(game, **short_variants(game)[0])
    narration, start = narration_for(rules, Seating()), rules.initial()
    return next(narration.ask(start)), [next(iter(move_names(rules, start))), *([""] if narration.pause() else [])]


@pytest.mark.parametrize("game", GAMES)
def test_bad_input_gets_a_sentence_and_the_same_question(game: str) -> None:
    prompt, good = prompt_and_answer(game)
    bad = brought(game, "answers", "BAD") or BAD_ANSWERS
    done = run(arguments(game), lines(*bad, *good, "quit", "quit"))
    _, *answers = done.stdout.split(prompt)
    assert len(answers) > len(bad)
    for typed, answer in zip(bad, answers, strict=False):
        echoed, *sentences = answer.rstrip("\n").split("\n")
        assert "\x1b" not in echoed
        assert len(sentences) == (2 if typed == bad[0] else 1)  # the first time, the command help is mentioned
        assert "Legal moves: " in sentences[0] or "not a" in sentences[0] or "Give a letter" in sentences[0]
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("typed", "meant"), [("chrage 3", "charge 3"), ("charge３", "charge 3"), ("chrage 9", ""), ("blok", "block")]
)
def test_a_slip_is_never_taken_for_another_number(typed: str, meant: str) -> None:
    """The ３ is fullwidth: a character that looks like the digit is no other digit."""
    done = run(["play", "charge"], lines(typed, "quit"))
    assert (f"Type '{meant}' if you meant that." in done.stdout) == bool(meant)
    assert ("if you meant that." in done.stdout) == bool(meant)


@pytest.mark.parametrize("game", GAMES)
def test_every_command_answers_and_none_costs_the_turn(game: str, tmp_path: Path) -> None:
    prompt, good = prompt_and_answer(game)
    commands = ["help", "RULES", " moves ", "undo", f"save {tmp_path / 'game.json'}", "save", "save /no/where/x"]
    commands += [f"save {tmp_path}", "board", "hnit"]
    done = run(arguments(game), lines(*commands, *good, "quit", "quit"))
    _, *answers = done.stdout.split(prompt)
    assert len(answers) >= len(commands) + 1
    assert "resign" in answers[0]
    assert "## Options" in answers[1]
    assert len(answers[2].splitlines()) >= 2
    assert "You have no move to take back." in answers[3]
    assert f"duelbook play --resume {tmp_path / 'game.json'}" in answers[4]
    assert "Name the file to save to: save FILE" in answers[5]
    assert "Cannot save to '/no/where/x': No such file or directory" in answers[6]
    assert f"'{tmp_path}' is a folder. Name a file in it." in answers[7]
    rules = make(game, **short_variants(game)[0])
    assert answers[8].startswith(f"board\n{narration_for(rules, Seating()).board(rules.initial())}\n")
    assert answers[9].splitlines()[1].endswith(" Type 'hint' if you meant that.")
    assert load_record(tmp_path / "game.json").moves == ()
    assert done.returncode == 0


@pytest.mark.parametrize("game", GAMES)
def test_resigning_finishes_the_game(game: str) -> None:
    done = run(arguments(game), lines(*prompt_and_answer(game)[1], "resign"))
    assert "Player 2 resigns.\n\nPlayer 1 wins!\n" in done.stdout
    assert done.returncode == 0


def test_who_resigns_before_ending_the_turn_with_enter_resigns_for_themselves() -> None:
    done = run(["play", "word-clash"], lines("E self 3", "resign"))
    assert "Player 1 resigns.\n\nPlayer 2 wins!\n" in done.stdout


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_input_leaves_the_game_unfinished(game: str) -> None:
    done = run(arguments(game))
    assert "The game is unfinished." in done.stdout
    assert done.returncode == 0
    assert done.stderr == ""


def test_stray_bytes_do_not_stop_a_game() -> None:
    done = run_process(["play", "charge"], b"\xff\xfe\x00\ncharge 3\n")
    assert "Total charge: 3." in done.stdout
    assert done.stderr == ""


def test_hand_shows_your_own_cards() -> None:
    """CH-7."""
    done = run(["play", "charge"], lines("charge 1", "block", "hand", "quit"))
    assert "Player 1, play a card: hand\nPlayer 1's Hand: Charge x4, Block x2, Steal x1\n" in done.stdout
    assert "hand" in run(["play", "charge"], lines("help")).stdout
    assert "'hand' is not legal here" in run(["play", "flag-chase"], lines("hand")).stdout


def test_moves_shows_both_collections_in_alpha_chase() -> None:
    """AC-6."""
    done = run(["play", "alpha-chase", *WORDS], lines("P", "G", "moves"))
    assert "Player 1 has collected: P\nPlayer 2 has collected: G\nAvailable letters: A B C D E F H" in done.stdout


def test_charge_names_the_allowed_amounts_for_an_amount_of_6() -> None:
    """CH-8, as in the worked game's turn 3."""
    done = run(["play", "charge"], lines("play charge 6", "play charge", "play charge 5"))
    assert (
        "A Charge Card adds 1 to 5 points, not '6'. Legal moves: charge 1, charge 2, charge 3, charge 4" in done.stdout
    )
    assert "A Charge Card adds 1 to 5 points; say how many. Legal moves:" in done.stdout
    assert "Player 1 plays a Charge Card adding 5 points. Total charge: 5." in done.stdout


def test_charge_takes_a_number_as_a_charge_card() -> None:
    done = run(["play", "charge"], lines("5", "7"))
    assert "Player 1 plays a Charge Card adding 5 points. Total charge: 5." in done.stdout
    assert "A Charge Card adds 1 to 5 points, not '7'." in done.stdout


@pytest.mark.parametrize(
    ("game", "before", "answer", "why"),
    [
        ("alpha-chase", ["p"], "P", "P has been taken. Legal moves: A, B, C"),
        ("crystal-capture", ["8", "7", "6"], "9", "Crystal 9 would take you beyond 15 points. Legal moves: 1, 2, 3"),
        ("crystal-capture", ["8"], "8", "Crystal 8 has been captured. Legal moves: 1, 2, 3, 4, 5, 6, 7, 9"),
        ("charge", ["steal", "block"], "play steal", "You hold no Steal Card. Legal moves: charge 1"),
        ("charge", [], "refresh", "You still hold Charge Cards. Legal moves: charge 1"),
        ("flag-chase", [], "", "Type a move. Legal moves: 1, 2"),
        ("charge", [], "chrage 3", "'chrage 3' is not legal here. Legal moves: charge 1, charge 2, charge 3, charge 4"),
    ],
)
def test_an_illegal_move_is_answered_with_the_reason_and_the_legal_moves(
    game: str, before: list[str], answer: str, why: str
) -> None:
    done = run(arguments(game), lines(*before, answer))
    assert f"{answer}\n{why}" in done.stdout


def test_word_clash_takes_the_whole_move_at_any_of_its_questions() -> None:
    """So a mistyped letter can be corrected. The beginning of a board's name is enough."""
    done = run(["play", "word-clash"], lines("X", "two whole words", "two words more", "E s 3", "", "O", "opp", "2"))
    assert "You placed 'O' in position 2 on your opponent's board." in done.stdout
    assert "'two' is not a letter from A to Z." in done.stdout
    assert "You placed 'E' in position 3 on your board." in done.stdout


def test_only_two_people_are_asked_to_press_enter() -> None:
    """WC-5."""
    prompt = "Press Enter to end your turn..."
    assert prompt in run(["play", "word-clash"], lines("E self 3", "")).stdout
    done = run(["play", "word-clash", "--p2", "random", "--seed", "1"], lines("E self 3", "F self 2", "quit"))
    assert prompt not in done.stdout
    assert done.stdout.count("Player 2 placed ") == 2


def test_charge_shows_both_hands_the_points_and_an_active_block_at_each_prompt() -> None:
    done = run(["play", "charge"], lines("charge 4", "block", "quit"))
    assert (
        "Turn 2\n\nPlayer 1's charge: 4 (Charge x4, Block x2, Steal x1)\n"
        "Player 2's charge: 0 (Charge x5, Block x1, Steal x1)\nPlayer 1 is blocked this turn.\nPlayer 1, play a card: "
    ) in done.stdout


def test_alpha_chase_announces_a_completed_word() -> None:
    done = run(["play", "alpha-chase", *WORDS], lines(*"PBLCADNET"))
    assert "Player 1 has completed the word PLANT.\n\nGame Over.\nPlayer 1 wins!\n" in done.stdout


def test_the_one_who_is_drawn_to_start_is_announced() -> None:
    for seed in "12345":
        done = run(["play", "crystal-capture", "--seed", seed], lines("quit"))
        name = done.stdout.partition(" was drawn to move first.\n")[0]
        assert f"\n{name}, choose a crystal" in done.stdout
    assert "drawn" not in run(["play", "crystal-capture", "--first", "2"], lines("quit")).stdout


class TestUndo:
    def test_between_two_people_the_opponent_of_the_one_who_moved_is_asked(self) -> None:
        answers = ("charge 3", "undo", "maybe", "n", "undo", "no", "undo", "Y", "charge 4", "undo", "yes")
        done = run(["play", "charge"], lines(*answers))
        assert done.stdout.count("Player 2, may Player 1 take back 'charge 3' (y/n)? ") == 4
        assert "Player 1, may" not in done.stdout
        assert "Answer y or n." in done.stdout
        assert done.stdout.count("\nTaken back.") == 2
        assert done.stdout.count("Not taken back.") == 2
        assert "Player 1 plays a Charge Card adding 4 points. Total charge: 4." in done.stdout

    def test_other_commands_wait_for_the_answer(self) -> None:
        done = run(["play", "charge"], lines("charge 3", "undo", "undo", "help", "resign", "y"))
        assert done.stdout.count("Answer y or n first.") == 2
        assert "Taken back." in done.stdout

    def test_among_several_questions_it_takes_back_the_last_answer(self) -> None:
        answers = ("E", "undo", "F", "self", "undo", "opponent", "3", "", "undo", "y")
        done = run(["play", "word-clash"], lines(*answers))
        assert (
            "Select a letter from A-Z: E\nPlace letter on ('self' or 'opponent'): undo\nTaken back.\nSelect"
            in done.stdout
        )
        assert (
            "self\nChoose position (1-5): undo\nTaken back.\nPlace letter on ('self' or 'opponent'): opp" in done.stdout
        )
        assert "You placed 'F' in position 3 on your opponent's board." in done.stdout
        assert "Player 2, may Player 1 take back 'F opponent 3' (y/n)? y\nTaken back." in done.stdout

    def test_against_an_agent_it_returns_to_your_last_turn(self) -> None:
        done = run(["play", "charge", "--p2", "random", "--seed", "1"], lines("charge 3", "undo", "charge 4"))
        assert "(y/n)" not in done.stdout
        assert "Taken back.\n\nTurn 1\n\nPlayer 1's charge: 0 (Charge x5" in done.stdout, "the position is shown once"
        assert "Total charge: 4." in done.stdout

    def test_an_agents_first_move_is_not_yours_to_take_back(self) -> None:
        done = run(["play", "charge", "--p1", "random"], lines("undo"))
        assert "You have no move to take back." in done.stdout

    def test_a_pass_is_taken_back_with_the_move_before_it(self) -> None:
        done = run(["play", "crystal-capture", "--first", "1"], lines("9", "1", "5", "2", "undo", "yes", "quit"))
        assert "Player 1, may Player 2 take back '2' (y/n)? " in done.stdout
        assert (
            "Taken back.\n\nAvailable Crystals: 2, 3, 4, 6, 7, 8\nPlayer 1 Points: 14\nPlayer 2 Points: 1\n\n"
            "Player 2, choose a crystal to capture: quit\n"
            "The game is kept. Resume it with: duelbook resume " in done.stdout
        )

    def test_it_works_where_a_turn_ends_with_enter(self) -> None:
        done = run(["play", "word-clash"], lines("E self 3", "undo", "yes", "E self 4", "x", "", "quit"))
        assert "Player 2, may Player 1 take back 'E self 3' (y/n)? " in done.stdout
        assert "Press Enter, or type a command." in done.stdout
        assert "Opponent's Board: [_, _, _, E, _]" in done.stdout
        assert "Taken back.\n\nPlayer 1's Turn\n\nYour Board: [_, _, _, _, _]\n" in done.stdout

    def test_the_position_is_shown_again(self) -> None:
        done = run(["play", "charge", "--first", "1"], lines("charge 3", "block", "undo", "y"))
        assert "Taken back.\n\nPlayer 1 has just gained 3 points.\n\nPlayer 1's charge: 3 (Charge x4" in done.stdout
        done = run(["play", "flag-chase"], lines("1", "undo", "yes"))
        assert "Taken back.\n\n[1][2][3][4][5]\n[P1][ ][F][ ][P2]\n\nPlayer 1, you are at position 1." in done.stdout


class TestHint:
    def test_it_gives_a_nudge_then_the_best_move_then_why(self) -> None:
        done = run(["play", "flag-chase"], lines("hint", "hint", "hint", "1", "hint"))
        assert "forward): hint\nYou can win at once.\n(Type hint again for the move.)\n" in done.stdout
        assert "forward): hint\nPlay 2.\n(Type hint again for the reason.)\n" in done.stdout
        assert "forward): hint\n2: reaches the flag and wins at once; every other move loses.\n" in done.stdout
        assert done.stdout.count("You can win at once.\n") == 2, "another position begins with a nudge"
        done = run(["play", "crystal-capture", "--first", "1"], lines(*["hint"] * 3, "8", *["hint"] * 3))
        assert "6: brings you to 6 points and wins in 3 of your moves. It threatens to win with 9" in done.stdout
        assert "7: every move loses; this one holds out longest (3 more turns). It sets a trap: only " in done.stdout

    def test_in_a_game_that_is_too_large_to_solve_it_says_so_and_play_continues(self) -> None:
        options = ["--option", "crystals=30", "--option", "goal=60", "--first", "1"]
        answers = lines("hint", "hint", "hint", "1")
        done = run(["play", "crystal-capture", *options], answers, DUELBOOK_SOLVE_MEGABYTES="20")
        assert ": an estimate, since this game is not solved: it scores about " in done.stdout
        assert "since this game is not solved.\n" in done.stdout
        assert "You have captured crystal 1." in done.stdout

    def test_a_player_whose_move_is_made_gets_no_help_that_is_meant_for_the_other(self) -> None:
        done = run(["play", "word-clash"], lines("E self 3", "hint", "moves", "", "moves"))
        assert done.stdout.count("Player 1, your move is made. Press Enter; then Player 2 can ask for this.\n") == 2
        assert done.stdout.count("Any letter from A to Z on these positions:") == 1

    def test_where_no_move_holds_out_longer_none_is_said_to(self) -> None:
        moves = lines("2", "1", "2", "1", "2", *["hint"] * 3)
        done = run(["play", "flag-chase", "--option", "cells=21"], moves)
        assert "Every move loses against best play. None holds out longer than another.\n" in done.stdout
        assert "1: every move loses (2 more turns)." in done.stdout


class TestValues:
    def test_they_are_shown_on_request(self) -> None:
        done = run(["play", "flag-chase"], lines("values", "1", "quit"))
        assert "forward): values\nwin in 1 move: 2\nloss in 1 move: 1\n" in done.stdout
        assert done.stdout.count("win in 1 move: 2\n") == 1


class TestAliases:
    """Other words for help and quit, where they cannot be a move."""

    def test_a_question_mark_is_help_and_q_and_exit_leave(self) -> None:
        for word in ("q", "exit", "Q"):
            done = run(["play", "charge"], lines("?", word, "charge 3"))
            assert "Answer the question, or type:" in done.stdout
            assert "Total charge" not in done.stdout

    def test_where_letters_are_moves_q_is_a_letter(self) -> None:
        done = run(["play", "alpha-chase", *WORDS], lines("q", "q", "exit"))
        assert "Player 1 has selected 'Q'." in done.stdout
        assert "Q has been taken." in done.stdout
        assert "You placed 'Q' in position 1" in run(["play", "word-clash"], lines("q", "self", "1")).stdout

    def test_they_work_before_a_game_and_in_a_puzzle(self) -> None:
        assert run(["play"], lines("exit")).stdout.count("Choose a game") == 1
        assert run(["play", "alpha-chase"], lines("?", "q")).stdout.count("choose your word") == 2
        assert "Type a move, or:" in run(["puzzle", "flag-chase", "--seed", "1"], lines("?", "q")).stdout


class TestSave:
    def test_another_file_is_never_overwritten(self, tmp_path: Path) -> None:
        file = tmp_path / "thesis.txt"
        file.write_text("years of work")
        assert "already exists" in run(["play", "charge"], lines(f"save {file}")).stdout
        assert file.read_text() == "years of work"

    def test_the_same_game_may_be_saved_again(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        done = run(["play", "charge"], lines(f"save {file}", "charge 1", f"save {file}"))
        assert done.stdout.count("Saved.") == 2
        assert load_record(file).moves == ("charge 1",)

    @pytest.mark.parametrize("name", ["~nobody-here/x", "x" * 300, "a\0b", "/no/where/x", "/dev/full/x", "."])
    def test_a_file_that_cannot_be_written_does_not_end_the_game(self, name: str) -> None:
        done = run(["play", "charge"], lines(f"save {name}", "charge 3", "quit"))
        assert "Saved." not in done.stdout
        assert "Total charge: 3." in done.stdout
        assert (done.returncode, done.stderr) == (0, "")
