"""The list of games, and the rules of each."""

import pytest

from duelbook import GAMES
from tests.support.keyboard import at_terminal, run, session, without_colour


def test_games_lists_every_game_with_its_aim() -> None:
    done = run(["games"])
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(GAMES)
    assert all(len(line.split()) > 3 for line in done.stdout.splitlines())


def test_games_is_a_table_on_a_terminal() -> None:
    screen, code = at_terminal("games", TERM="xterm")
    assert "┃ game" in without_colour(screen)
    assert code == 0


def test_games_fits_into_a_narrow_terminal_without_unicode() -> None:
    screen, _ = session("games", "", TERM="xterm", COLUMNS="40", LANG="C", LC_ALL="", LC_CTYPE="")
    rows = without_colour(screen).splitlines()
    assert max(map(len, rows)) <= 40, screen
    assert "alphabet" in screen  # whole words


@pytest.mark.parametrize("game", GAMES)
def test_rules_prints_the_page_and_the_options(game: str) -> None:
    done = run(["rules", game])
    assert done.stdout.startswith("# ")
    assert "## Options" in done.stdout


def test_rules_are_formatted_on_a_terminal() -> None:
    screen, code = at_terminal("rules charge", TERM="xterm")
    assert "Options" in screen
    assert "## " not in screen
    assert code == 0


def test_games_and_rules_show_what_is_drawn_for_each_match(number_row: str) -> None:
    [line] = [line for line in run(["games"]).stdout.splitlines() if line.startswith(number_row)]
    assert "the higher sum wins. Drawn for each match: row." in line
    page = run(["rules", number_row]).stdout
    assert (
        "- `row`: whole numbers, separated by commas; drawn for each match, default `1,2,3,4,5,6,7,8` where nothing is "
        "drawn. The numbers, from left to right."
    ) in page
    assert (
        "; chosen by the players or drawn for each match, default `PLANT,GHOST`" in run(["rules", "alpha-chase"]).stdout
    )
