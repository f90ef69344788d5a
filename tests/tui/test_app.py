"""The interface as a whole: its size, its themes, how it ends, and where it cannot run."""

import os
import signal
import sys
import time
from pathlib import Path

import pexpect
import pytest

from duelbook.history.store import History
from duelbook.play.exit_codes import EXIT_FINISHED, EXIT_INTERRUPTED
from duelbook.tui.home import HomeScreen
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.themes import HIGH_CONTRAST, LIGHT, kept_theme
from tests.support.full_screen import Person, at_screen
from tests.support.keyboard import environment, run


def test_a_window_that_is_too_small_says_so_and_takes_no_keys_until_it_is_enlarged() -> None:
    async def play(person: Person) -> None:
        # A window that is too small says so and goes on when it is enlarged.
        await person.start("word-clash")
        before = person.shown()
        await person.pilot.resize_terminal(59, 20)
        await person.until(lambda: "This window has 59×20 characters. Enlarge it to 60×20." in person.shown())
        assert "Select a letter" not in person.shown()
        assert not person.screen.show_vertical_scrollbar
        await person.pilot.resize_terminal(60, 20)
        await person.until(lambda: "Select a letter" in person.shown())
        await person.until(lambda: len(person.choices()) == 36)
        await person.pilot.resize_terminal(80, 24)
        await person.until(lambda: person.shown() == before)
        await person.press("e")  # the board has the keys again
        assert "Place letter on ('self' or 'opponent'):" in person.shown()
        await person.press("escape")
        await person.press("escape")

        # A window that is too small takes no keys but those that leave it.
        match = await person.start("charge", two="random")
        await person.press("f6")
        await person.pilot.resize_terminal(50, 15)
        await person.until(lambda: "This window has 50×15 characters." in person.shown())
        assert "resign" not in person.shown()
        await person.press("y")
        assert not match.over
        await person.pilot.resize_terminal(80, 24)
        await person.until(lambda: "do you want to resign?" in person.shown())
        await person.press("n")
        await person.press("3")
        await person.press("escape")
        await person.pilot.resize_terminal(30, 8)
        await person.until(lambda: "This window has" in person.shown())
        assert "▆" not in person.shown()
        await person.press("enter")
        assert isinstance(person.screen, HomeScreen)

    at_screen(play)


def test_help_says_in_words_what_can_be_pressed_and_typed_on_the_screen_as_it_is_now() -> None:
    async def read(person: Person) -> str:
        await person.press("f1")
        shown = person.shown()
        await person.press("escape")
        return shown

    async def look(person: Person) -> None:
        await person.start("word-clash")
        shown = await read(person)
        assert "show the value of every move, or hide it" in shown
        assert shown.index("F2") < shown.index("F3") < shown.index("F7")
        assert "board            the position again" in shown
        assert "Backspace" not in shown
        await person.press("e")
        assert "Backspace        choose the part before again" in await read(person)
        await person.press("escape", "f6", "y")
        assert person.table.match.over
        shown = await read(person)
        assert "Words" not in shown
        assert "value of every move" not in shown

    at_screen(look, (80, 50))


def test_the_theme_is_chosen_and_kept() -> None:
    async def choose(person: Person) -> None:
        await person.press("f9")
        assert person.app.theme == LIGHT
        await person.press("f9")
        assert person.app.theme == HIGH_CONTRAST
        await person.press("f9", "f9")
        await person.start("charge")
        assert person.app.theme_variables["felt"] == "#2b5f50"

    at_screen(choose)
    assert kept_theme() == LIGHT

    async def look(person: Person) -> None:
        assert person.app.theme == LIGHT

    at_screen(look)


def test_without_colour_shapes_tell_everything_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def look(person: Person) -> None:
        assert person.app.no_color
        await person.start("crystal-capture")
        await person.press("f3")
        await person.press("5", "right")
        shown = person.shown()
        assert "●5" in shown  # who took it
        assert "▶ ◆ Player 2" in shown  # whose turn it is
        assert "[" in shown  # where the cursor is
        for line in person.app.screen._compositor.render_strips():
            styled = (segment.style for segment in line.apply_filter(person.app._filters[-1], None) if segment.style)  # type: ignore[arg-type]
            for style in styled:
                for colour in (style.color, style.bgcolor):
                    if colour and colour.triplet:
                        assert len(set(colour.triplet)) == 1  # grey

    at_screen(look)


def test_where_nothing_can_be_drawn_it_names_the_line_dialogue() -> None:
    told = run(["tui", "--screen-reader"])
    assert told.returncode == 0
    assert told.stdout.count("\n") == 1
    assert told.stdout.endswith("duelbook play\n")
    refused = run(["tui"])
    assert refused.returncode == 2
    assert refused.stderr == (
        "duelbook: The full-screen interface needs a terminal that can draw. "
        "The line dialogue has the same games: duelbook play\n"
    )


def test_without_the_extra_it_says_how_to_install_it() -> None:
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        [
            "-c",
            "import sys, duelbook.extras as e, duelbook.cli as c; e.find_spec = lambda name: None; "
            "sys.argv[1:] = ['tui']; c.main()",
        ],
        env=environment(TERM="xterm-256color"),
        encoding="utf-8",
        timeout=30,
        dimensions=(24, 200),
    )
    child.expect(pexpect.EOF)
    told = " ".join(str(child.before).split())
    assert "The extra 'tui' is not installed (textual is missing). Install it with: " in told


def spawn() -> "pexpect.spawn[str]":
    """Return the interface at a pseudo-terminal, at its first screen."""
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-m", "duelbook", "tui"],
        env=environment(TERM="xterm-256color"),
        encoding="utf-8",
        timeout=60,
        dimensions=(24, 80),
    )
    child.expect("exactly as their rule books say")
    return child


def test_a_match_that_is_killed_is_resumed_here_and_in_the_line_dialogue() -> None:
    child = spawn()
    child.send("\r")  # play
    child.expect("Seconds a turn")
    child.send("\r")  # start
    child.expect("choose your word")
    child.send("\r")
    child.expect("Enter a letter to select")
    child.send("z")
    child.expect("move 3")
    assert child.pid
    os.kill(child.pid, signal.SIGKILL)
    child.expect(pexpect.EOF)
    record = History().record(1)
    assert record.moves[0] == "Z"
    assert len(record.moves) == 2
    assert "Resumed after 2 moves." in run(["resume", "--once"], "quit\n").stdout

    async def resume(person: Person) -> None:
        await person.press("enter")
        assert isinstance(person.screen, PlayScreen)
        assert person.table.record().moves == record.moves

    at_screen(resume)


def test_ctrl_c_in_a_match_tells_the_way_back_also_with_a_dialog_open() -> None:
    async def play(person: Person) -> None:
        await person.start("charge", two="random")
        await person.press("3", "f6")
        await person.says("confirmation", "do you want to resign?")
        await person.pilot.press("ctrl+c")
        assert person.app.last_said == ["The game is kept. Resume it with: duelbook resume 1"]
        assert person.app.return_code == EXIT_INTERRUPTED

    at_screen(play)


def test_ctrl_z_leads_to_the_shell_and_ctrl_c_ends_it_without_an_error() -> None:
    child = spawn()
    child.send("\x1b")  # one Escape too many ends nothing
    child.send("\x1a")
    assert child.pid
    while Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.05)
    os.kill(child.pid, signal.SIGCONT)
    child.expect("exactly as their rule books say")
    child.send("\x03")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == EXIT_INTERRUPTED
    assert "Traceback" not in str(child.before)


@pytest.mark.parametrize("keys", ["\x11", "\x1b[F\r"], ids=["Ctrl-Q", "the menu"])
def test_leaving_it_is_no_interruption(keys: str) -> None:
    child = spawn()
    child.send(keys)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == EXIT_FINISHED


def test_a_bug_is_one_sentence_and_no_traceback() -> None:
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        [
            "-c",
            "import sys, duelbook.cli as c, duelbook.tui.home as h; h.HomeScreen._entries = lambda self: 1 / 0; "
            "sys.argv[1:] = ['tui']; sys.exit(c.main())",
        ],
        env=environment(TERM="xterm-256color"),
        encoding="utf-8",
        timeout=60,
    )
    child.expect("duelbook: This is a bug in Duelbook. Please report it")
    assert "ZeroDivisionError" not in str(child.before)  # as a traceback would have it
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 70


def test_the_first_screen_leads_everywhere_and_back() -> None:
    async def walk(person: Person) -> None:
        menu = person.screen.query_one("#menu")
        names = [menu.get_option_at_index(number).id for number in range(menu.option_count)]
        assert names == ["play", "network", "learn", "daily", "puzzles", "history", "theme", "quit"]
        for number in range(6):
            menu.highlighted = number
            await person.press("enter")
            assert not isinstance(person.screen, HomeScreen)
            await person.press("escape")
            assert isinstance(person.screen, HomeScreen)

    at_screen(walk)
