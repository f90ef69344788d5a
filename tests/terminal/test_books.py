"""The sample sessions of the rule books, line by line, at a real terminal.

They stand in the folders of the games, in `tests/session.txt`. The first line is the command. What a person types is
between « and ». Where a book's sample breaks its own rules, the game's rulings say what was changed.
`--once` leaves out what is offered after a game.
"""

from pathlib import Path

import pytest

from duelbook.play.exit_codes import EXIT_FINISHED
from tests.support.game_folders import sessions
from tests.support.keyboard import TYPED, at_terminal, session, shown, without_colour


def sample(game: str) -> tuple[str, str]:
    """Return the command of a book's session, and what is then shown and typed."""
    command, _, script = sessions()[game].read_text().partition("\n")
    return f"{command.removeprefix('$ duelbook ')} --once", script


@pytest.mark.parametrize("game", sessions())
def test_a_session_is_as_in_the_book(game: str, tmp_path: Path) -> None:
    command, script = sample(game)
    screen, code = session(command, script, XDG_DATA_HOME=str(tmp_path))
    assert screen == shown(script)
    assert code == EXIT_FINISHED


def test_a_colour_terminal_shows_the_same_words() -> None:
    """In the shortest of the sessions."""
    command, script = sample("flag-chase")
    screen, _ = at_terminal(command, *TYPED.findall(script), TERM="xterm-256color")
    assert "\x1b[1;32mPlayer 1 wins!\x1b[0m" in screen
    assert shown(without_colour(screen)) == shown(script)


def test_no_color_is_respected() -> None:
    command, script = sample("flag-chase")
    screen, _ = at_terminal(command, *TYPED.findall(script), TERM="xterm-256color", NO_COLOR="1")
    assert shown(screen) == shown(script)
