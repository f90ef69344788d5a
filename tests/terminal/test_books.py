"""The sample sessions of the rule books, line by line, at a real terminal.

They are in `sessions/`; what a person types is between « and ». Where a book's sample breaks its own rules, the
test names the ruling that applies.
"""

from pathlib import Path

from tests.support.keyboard import session, shown, without_colour

AFTER_THE_END = "\nTo review or replay a game, play it with --record FILE.\n"
AFTER_QUIT = "The game is unfinished. To keep one, type save FILE or play with --record FILE.\n"


def sample(game: str) -> str:
    return (Path(__file__).parent / "sessions" / f"{game}.txt").read_text()


def test_alpha_chase_as_in_its_book() -> None:
    """After the sample, the session continues as the book's worked game does (AC-4)."""
    screen, code = session("play alpha-chase --option words=PLANT,GHOST", sample("alpha-chase"))
    assert screen == shown(sample("alpha-chase")) + AFTER_THE_END
    assert code == 0


def test_word_clash_as_in_its_book() -> None:
    """After the sample, the session continues as the book's playthrough does, with one or several answers a turn."""
    screen, code = session("play word-clash", sample("word-clash"))
    assert screen == shown(sample("word-clash")) + AFTER_THE_END
    assert code == 0


def test_crystal_capture_as_in_its_book() -> None:
    """ALL-1: the book lets chance decide who moves first; in the sample it is Player 1."""
    screen, code = session("play crystal-capture --first 1", sample("crystal-capture"))
    assert screen == shown(sample("crystal-capture")) + AFTER_THE_END
    assert code == 0


def test_charge_as_in_its_book() -> None:
    """The sample stops in the middle of the game, so the person leaves there."""
    screen, code = session("play charge", sample("charge"))
    assert screen == shown(sample("charge")) + AFTER_QUIT
    assert code == 1


def test_flag_chase_as_in_its_book() -> None:
    """FC-2: Player 2 enters 1; the book's 2 would have reached the flag."""
    screen, code = session("play flag-chase", sample("flag-chase"))
    assert screen == shown(sample("flag-chase")) + AFTER_THE_END
    assert code == 0


def test_a_colour_terminal_shows_the_same_words() -> None:
    screen, _ = session("play flag-chase", sample("flag-chase"), TERM="xterm-256color")
    assert "\x1b[1;32mPlayer 1 wins!\x1b[0m" in screen
    assert without_colour(screen) == shown(sample("flag-chase")) + AFTER_THE_END


def test_no_color_is_respected() -> None:
    screen, _ = session("play flag-chase", sample("flag-chase"), TERM="xterm-256color", NO_COLOR="1")
    assert screen == shown(sample("flag-chase")) + AFTER_THE_END
