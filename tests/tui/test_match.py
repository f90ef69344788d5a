"""A match on the full screen: by keys, by mouse and by typing, of people and computers, from both seats."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events

from duelbook.game import Outcome, Reason
from duelbook.games import GAMES
from duelbook.history.store import History
from duelbook.play.arguments import PlayArguments
from duelbook.tui.board import BoardView
from duelbook.tui.dialogs import Confirmation, PageDialog
from duelbook.tui.home import HomeScreen
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.starting import start_match
from tests.support.full_screen import Person, at_screen
from tests.support.game_folders import short_variants
from tests.support.toy import STAIRCASE


def short_options(game: str) -> dict[str, str]:
    """Return options with which a match has few moves and nothing is left to choose."""
    return {name: str(value) for name, value in short_variants(game)[0].items()}


@pytest.mark.parametrize(("game", "first"), [(game, str(1 + number % 2)) for number, game in enumerate(GAMES)])
def test_a_person_plays_a_whole_match_by_keys_and_by_mouse(game: str, first: str) -> None:
    async def play(person: Person) -> None:
        match = await person.start(game, two="random", first=first, options=short_options(game))
        assert person.screen.board.shown.near == int(first) - 1  # the person sits below
        while not match.over:
            await person.press("enter")  # goes to the first piece, or presses the one at the cursor
            if not match.over:
                await person.click(person.choices()[-1])
        assert match.reason is Reason.RULES
        assert person.table.setup.people[match.outcome ^ (int(first) - 1)].name in person.text("result")
        record = History().record(1)
        assert (record.outcome, record.first) == (match.outcome, int(first) - 1)
        assert len(record.moves) == len(match.moves)
        assert record.people[1].agent == "random"

    at_screen(play, (60, 20))


def test_two_computers_are_watched_in_a_wide_window() -> None:
    async def watch(person: Person) -> None:
        match = await person.start("charge", one="greedy", two="random")
        assert match.outcome is not Outcome.UNDECIDED
        assert person.text("move-list").count("\n") == len(match.moves) - 1
        assert person.buttons() == ["Rematch", "Swap seats", "Review", "Menu"]

    at_screen(watch, (120, 40))


@pytest.mark.parametrize("game", [*STAIRCASE.values(), "tests.support.games.pits:Pits"])
def test_a_game_from_outside_has_the_general_board(game: str, use_games: Callable[[str], None]) -> None:
    use_games(game)

    async def play(person: Person) -> None:
        name = next(name for name in GAMES if GAMES[name].__module__ == game.partition(":")[0])
        match = await person.start(name, two="random")
        assert person.screen.conversation.narration.board(match.state).split("\n")[0].strip() in person.shown()
        while not match.over:
            await person.press("enter")
        assert History().record(1).reason is Reason.RULES

    at_screen(play)


def test_what_is_typed_is_a_move_a_command_or_told_to_be_wrong(tmp_path: Path) -> None:
    async def play(person: Person) -> None:
        match = await person.start("charge")
        await person.press(*"resi")  # no letter of it plays a card
        assert person.typed() == "resi"
        await person.press("escape")
        assert person.typed() == ""
        for character in "hand\r":  # in one burst, before the line has the focus
            person.app.post_message(events.Key("enter" if character == "\r" else character, character))
        await person.says("message", "Player 1's Hand: Charge x5, Block x2, Steal x1")
        assert person.typed() == ""
        for wrong in ("x" * 500, "[b]bold[/b]", "\u202e", "\x1b[31mred\x07"):
            await person.type(wrong)
            assert match.moves == []
            assert person.text("message")
        assert "\x1b" not in person.text("message")
        await person.type("  Charge   3 ")
        assert len(match.moves) == 1
        for word, told in (
            ("help", "take back your last move"),
            ("?", "digit, letter"),
            ("rules full", "build up charge with cards"),
            ("board", "Player 1's charge: 3"),
        ):
            await person.type(word)
            assert isinstance(person.screen, PageDialog)
            assert told in person.shown()
            await person.press("escape")
        await person.type(f"save {tmp_path / 'game.json'}")
        assert "Saved." in person.text("message")
        await person.type("quit")
        assert isinstance(person.screen, HomeScreen)

    at_screen(play)


def test_letters_play_at_once_at_the_board_and_never_in_the_line() -> None:
    async def play(person: Person) -> None:
        # A letter plays at once whatever is marked on its tile.
        match = await person.start("alpha-chase", options={"words": "GHOST,CHARM"})
        await person.press("t", "h", "b")  # of one word, of both, of none
        assert person.played == ["T", "H", "B"]
        await person.press("h")
        assert person.text("message").startswith("H has been taken.")
        await person.press("4")
        assert "'4' is not" in person.text("message")
        assert person.typed() == ""
        await person.press("o")
        assert len(match.moves) == 4

        # What is typed after a wrong line goes to the line and plays nothing.
        match = await person.start("alpha-chase", options={"words": "GHOST,CHARM"})
        await person.press("tab", *"hnit", "enter")
        assert person.text("message").endswith("Type 'hint' if you meant that.")
        assert person.screen.line.field.selected_text == "hnit", "to be corrected, or typed over"
        await person.press(*"hint")
        assert person.typed() == "hint"
        assert match.moves == []
        await person.press("enter")
        assert "(Press F2 again for the move.)" in person.text("message")
        assert person.typed() == ""
        assert person.screen.line.has_keys, "for another command: a letter would be a move on the board"
        await person.press("enter")
        assert person.screen.focused is person.screen.board
        await person.press("tab", *"save", "enter")
        assert person.text("message") == "Name the file to save to: save FILE"
        await person.press("end", *" s")
        assert person.typed() == "save s"
        await person.press("escape", "s")
        assert person.played == ["S"]

    at_screen(play, (100, 32))


def test_digits_and_clicks_play_in_flag_chase() -> None:
    async def play(person: Person) -> None:
        # A digit that is no move gets the reason and does not stay in the line.
        await person.start("flag-chase", options={"cells": "15"})
        await person.press("3")
        assert "'3' is not legal here." in person.text("message")
        assert person.typed() == ""
        await person.press("1")
        assert person.played == ["1"]
        await person.press(*"hint")  # no letter is a move: they are a word
        assert person.typed() == "hint"

        # The cells of flag chase are numbered as in its texts and can be clicked.
        await person.start("flag-chase", two="random", first="2", options={"cells": "21"})
        cells = [one for one in person.screen.board._active() if "›" in one.piece.text]
        assert [cell.piece.text.strip() for cell in cells] == ["›2‹", "›3‹"], "Player 1 starts on cell 1 (ALL-1)"
        await person.pilot.click(BoardView, offset=(cells[0].x + 1, cells[0].y + 1))
        await person.settle()
        assert person.played[1] == "1"

    at_screen(play)


def test_moves_in_steps_are_chosen_corrected_and_helped(tmp_path: Path) -> None:
    async def play(person: Person) -> None:
        # A move is chosen in steps and an answer taken back.
        match = await person.start("word-clash")
        await person.press("e")
        assert person.text("question") == "Place letter on ('self' or 'opponent'): "
        assert "Backspace: choose the first part again." in person.text("message")
        await person.press("t", "enter")  # a letter is no board
        assert "'t' is not a board" in person.text("message")
        assert person.text("message").endswith("Esc: back to the board.")
        await person.press("escape")
        assert "Backspace: choose the first part again." in person.text("message")
        await person.press("escape")  # leaves the answer, not the match
        assert person.text("question") == "Select a letter from A-Z: "
        await person.press("e", "f4")
        assert person.text("question") == "Select a letter from A-Z: "
        await person.type("q")
        await person.type("nowhere")
        assert "is not a board" in person.text("message")
        await person.type("opponent")
        await person.click("opponent 3")
        await person.press("t")
        await person.click("self 1")
        assert History().record(1).moves == ("Q opponent 3", "T self 1")
        await person.type("e self 2")
        assert len(match.moves) == 3

        # A digit only goes to a slot and enter plays it.
        match = await person.start("word-clash")
        await person.type("e self 2")  # the slot 2 of Player 1, so that only one board has it free
        await person.press("q", "2")
        assert len(match.moves) == 1, "nothing is played"
        assert "Your board would read" in person.text("message")
        await person.press("2", "enter")
        assert person.played[1] == "Q self 2"
        await person.press("t", "3", "3", "enter")
        assert person.played[2] == "T self 3", "the second time, the board that is drawn below"
        await person.press("t")
        await person.type("1")
        assert person.text("message").startswith("'1' is not a board")
        await person.press("f1")
        assert "part of the move is chosen already" in person.shown()

        # A hint and what is saved are shown also between the steps of a move.
        await person.start("word-clash")
        await person.press("e", "f2")
        hint, _, note = person.text("message").partition("\n")
        assert "(Press F2 again for the move.)" in hint
        assert "Backspace: choose the first part again." in note
        await person.press("backspace")
        assert person.text("message") == hint, "it stays until the next move"
        await person.press("e")
        await person.type("hint")
        assert person.text("message").startswith("Play ")
        await person.type(f"save {tmp_path / 'game.json'}")
        assert person.text("message").startswith("Saved.")

        # A wrong line is gone once an answer is given on the board.
        match = await person.start("word-clash")
        await person.type("А self 1")
        await person.press(*"e")
        assert (person.typed(), person.text("question")) == ("e", "Select a letter from A-Z: ")
        await person.press("enter")
        assert person.text("question") == "Place letter on ('self' or 'opponent'): "
        await person.type("nowhere")
        await person.press("shift+tab", *"no")  # typed at the board
        assert person.typed() == "no"
        await person.press("enter")
        await person.click("self 2")
        assert person.played == ["E self 2"]
        assert person.typed() == ""
        await person.type("nothing")
        await person.click("Q")
        assert person.typed() == ""

    at_screen(play)


def test_a_match_that_is_left_is_continued_from_the_first_screen() -> None:
    async def play(person: Person) -> None:
        await person.start("charge", two="random")
        await person.press("3")
        before = History().record(1)
        await person.press("escape")
        assert "Continue: Charge, against random, 2 moves" in person.shown()
        await person.press("home", "enter")
        screen = person.screen
        assert isinstance(screen, PlayScreen)
        assert person.table.record().moves == before.moves
        await person.press("2")
        assert len(History().record(1).moves) == 4
        assert len(History().games()) == 1

    at_screen(play)


def test_undo_and_resign_ask_where_they_must() -> None:
    async def play(person: Person) -> None:
        match = await person.start("flag-chase", options={"cells": "15"})
        await person.press("2", "f4")
        assert isinstance(person.screen, Confirmation)
        await person.press("y")
        assert match.moves == []
        await person.press("1", "f6")
        assert "Player 2, do you want to resign?" in person.shown()
        await person.press("n")
        assert person.text("message") == "The game goes on."
        await person.press("f6", "y")
        assert match.reason is Reason.RESIGNATION
        assert not {"f2", "f3", "f4", "f6"} & person.screen.active_bindings.keys()
        await person.press("f1")
        assert "go back; you can continue a match that is not over" in person.shown()

    at_screen(play)


def test_values_are_marks_and_a_line_and_hints_name_their_key() -> None:
    async def play(person: Person) -> None:
        await person.start("crystal-capture")
        assert not person.screen.query_one("#value-line").display
        await person.press("f3")
        assert "▲W" in person.shown()
        assert "▼L" in person.shown()
        assert person.text("value-line").startswith("Value ▀")
        await person.press("4")
        assert len(person.text("value-line").split()[1]) == 2
        await person.press("f3")
        assert "▲W" not in person.shown()
        await person.press("f2")
        assert "(Press F2 again for the move.)" in person.text("message")
        await person.press("f2")
        assert person.text("message").startswith("Play ")

    at_screen(play)


def test_time_is_given_by_a_key_where_there_is_somebody_to_give_it() -> None:
    async def play(person: Person) -> None:
        match = await person.start("charge", time_limit=60)
        await person.press("ctrl+g")
        assert match.given_seconds == 15
        assert person.text("message").startswith("Player 2 gives Player 1 15 seconds more.")
        await person.press("f1")
        assert "give your opponent more time for this turn" in person.shown()
        await person.press("escape")
        await person.start("charge", two="random", time_limit=60)
        assert "ctrl+g" not in person.screen.active_bindings

    at_screen(play)


def test_the_clock_is_shown_and_a_question_is_gone_when_the_time_is_up() -> None:
    async def play(person: Person) -> None:
        match = await person.start("charge", time_limit=60)
        screen = person.screen
        match.start_turn()
        screen._tick()
        assert "[1:00]" in person.text("title")
        await person.press("f6")
        assert screen in person.app._background_screens, "the clock is seen below the question"
        match.start_turn(61)
        screen._tick()
        await person.settle()
        assert person.screen is screen, "the question is gone"
        assert "has run out of time" in person.text("result")

    at_screen(play)


def test_after_a_match_the_next_one_is_offered() -> None:
    async def play(person: Person) -> None:
        match = await person.start("flag-chase", two="easy")
        while not match.over:
            await person.press("1" if "1" in person.choices() else "2")
        assert person.text("decision")
        await person.choose("Stronger")
        await person.until(lambda: person.table.match is not match)
        await person.settle()
        assert person.table.setup.people[1].agent == "medium"
        await person.press("f6", "y")
        await person.choose("Swap seats")
        await person.until(lambda: person.table.setup.first == 1)
        await person.settle()
        await person.press("f6", "y")
        await person.choose("Menu")
        await person.until(lambda: isinstance(person.screen, HomeScreen))

    at_screen(play)


def test_an_agent_that_cannot_play_leads_back_to_the_first_screen(use_games: Callable[[str], None]) -> None:
    use_games("tests.support.games.drop_four:DropFour")

    async def play(person: Person) -> None:
        start_match(person.app, PlayArguments("drop-four", agents=("human", "perfect")))
        await person.until(lambda: isinstance(person.screen, HomeScreen))
        await person.notified("too large")

    at_screen(play)


def test_it_can_be_left_and_ended_while_the_computer_thinks() -> None:
    async def play(person: Person) -> None:
        slow = PlayArguments("charge", agents=("human", "process:sleep 30"), first="1")
        start_match(person.app, slow)
        await person.settle()
        await person.pilot.press("3")
        await person.until(lambda: "Player 2 is thinking" in person.text("message"))
        await person.pilot.press("f4")  # taken back, though the computer has begun to think
        await person.until(lambda: person.screen.conversation.questions is not None)
        assert person.played == []
        await person.pilot.press("2")
        await person.until(lambda: "Player 2 is thinking" in person.text("message"))
        await person.pilot.press("escape")
        await person.until(lambda: isinstance(person.screen, HomeScreen))
        assert History().record(1).moves == ("charge 2",)
        start_match(person.app, PlayArguments(kept=1))  # and is ended while it thinks again
        await person.until(lambda: "Player 2 is thinking" in person.text("message"))

    at_screen(play)


def test_the_arrow_keys_reach_every_piece() -> None:
    async def play(person: Person) -> None:
        await person.start("charge")
        board, seen = person.screen.query_one(BoardView), set()
        for _ in person.choices():
            await person.pilot.press("right")
            seen.add(board._cursor)
        assert seen == set(person.choices())
        last = board._cursor
        await person.pilot.press("right")  # to the first one again
        assert board._cursor != last
        await person.pilot.press("left")
        assert board._cursor == last
        await person.pilot.press("up")
        assert board._cursor.startswith("charge")
        await person.pilot.press("down")
        assert not board._cursor.startswith("charge")
        assert person.text("message")  # what the move would do

    at_screen(play)
