"""The choices before the start, in games where each player has one: Alpha Chase's words (AC-1)."""

import random
from textwrap import fill

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, HasChoices, any_choice, with_choices
from duelbook.games import name_of
from duelbook.narration import Table
from duelbook.terminal.commands import HELP, QuitError
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, REFUSAL, Screen
from duelbook.text import fold

ON_SCREEN = 40  # choices that fit a screen


def choose(game: HasChoices, table: Table, rng: random.Random, screen: Screen) -> AnyGame:
    """Let Player 1 and then Player 2 choose; answer the game with both choices."""
    screen.say(_offer(game))
    chosen: dict[int, str] = {}
    for seat in table.seats():
        if table.is_human(seat):
            chosen[seat] = _ask(game, table.name(seat), screen)
        else:
            chosen[seat] = any_choice(game, chosen.values(), rng)
            screen.say(f"{table.name(seat)} chooses {chosen[seat]}.")
    screen.say()
    return with_choices(game, chosen[0], chosen[1])


def _offer(game: HasChoices) -> str:
    choices = game.choices()
    if len(choices) > ON_SCREEN:
        return f"There are {len(choices)} {game.chosen} to choose from; the command moves lists them."
    return "\n".join([f"{game.chosen.capitalize()} to choose from:", *_numbered(game)])


def _numbered(game: HasChoices) -> list[str]:
    return [f"{number} {choice}" for number, choice in enumerate(game.choices(), 1)]


def _ask(game: HasChoices, name: str, screen: Screen) -> str:
    while True:
        text = screen.ask(f"{name}, choose your {game.choice} (number or {game.choice}): ")
        if _is_command(game, fold(text), screen):
            continue
        try:
            return _read(game, text)
        except RefusedError as error:
            screen.say(str(error), REFUSAL)


def _read(game: HasChoices, text: str) -> str:
    choices = game.choices()
    if text.isascii() and text.isdecimal() and len(text) < 9:
        if not 1 <= int(text) <= len(choices):
            raise RefusedError(f"the numbers go from 1 to {len(choices)}, not {text}")
        return choices[int(text) - 1]
    return game.check_choice(text.strip("'\""))


def _is_command(game: HasChoices, word: str, screen: Screen) -> bool:
    """Carry out a command; a choice of the same name has to be put in quotes."""
    if word.split(" ")[0] != "save" and word not in HELP:
        return False
    if word == "quit":
        raise QuitError
    if word == "rules":
        rules_page(name_of(game), screen)
    elif word == "moves":
        screen.say(fill("  ".join(_numbered(game)), 78, break_long_words=False))
    elif word == "help":
        screen.say("Type a choice or its number, or: moves (all choices), rules, quit")
    else:
        screen.say("The game has not begun.", REFUSAL)
    if word.upper() in game.choices():
        screen.say(f'To choose it, put it in quotes: "{word.upper()}"', NOTE)
    return True
