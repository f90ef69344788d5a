"""What the players choose before a match starts, such as words (AC-1)."""

import random
from textwrap import fill

from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, HasChoices, random_choice, with_choices
from duelbook.narration import Seating
from duelbook.options import drawn_options
from duelbook.play.commands import HELP, command_word
from duelbook.terminal.commands import QuitError
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, WARNING, Screen

MAX_LISTED_CHOICES = 40  # more do not fit on a screen


def ask_choices(game: HasChoices, seating: Seating, rng: random.Random, screen: Screen) -> AnyGame:
    """Let Player 1 and then Player 2 choose. Return the game with both choices."""
    screen.say(offer(game))
    chosen: dict[int, str] = {}
    for seat in seating.seats():
        if seating.is_human(seat):
            chosen[seat] = ask_choice(game, seating.name(seat), screen)
        else:
            chosen[seat] = random_choice(game, chosen.values(), rng)
            screen.say(f"{seating.name(seat)} chooses {chosen[seat]}.")
    screen.say()
    return with_choices(game, chosen[0], chosen[1])


def offer(game: HasChoices) -> str:
    """Return the choices as text, or how many there are."""
    choices = game.choices()
    if len(choices) > MAX_LISTED_CHOICES:
        return f"There are {len(choices)} {game.chosen} to choose from. Type moves to list them."
    return "\n".join([f"{game.chosen.capitalize()} to choose from:", *_numbered(game)])


def _numbered(game: HasChoices) -> list[str]:
    return [f"{number} {choice}" for number, choice in enumerate(game.choices(), 1)]


def ask_choice(game: HasChoices, name: str, screen: Screen) -> str:
    """Return what the player chooses. A player without a name is the only one at the keyboard."""
    while True:
        text = screen.ask(
            f"{f'{name}, choose' if name else 'Choose'} your {game.choice} (number or {game.choice}): ",
            candidates=lambda typed: starting_with(typed, (*game.choices(), "help", "moves", "rules", "quit")),
            remember=False,
        )
        if _run_command(game, command_word(text, game.choices), screen):
            continue
        try:
            return _read_choice(game, text)
        except RefusedError as error:
            screen.say(str(error), WARNING)


def _read_choice(game: HasChoices, text: str) -> str:
    choices = game.choices()
    if text.isascii() and text.isdecimal() and len(text) < 9:
        check_range("The number", int(text), 1, len(choices))
        return choices[int(text) - 1]
    return game.check_choice(text.strip("'\""))


def _run_command(game: HasChoices, word: str, screen: Screen) -> bool:
    """Return True if the word is a command, after running it. A choice of the same name needs quotes."""
    if word.split(" ")[0] != "save" and word not in HELP:
        return False
    if word == "quit":
        raise QuitError
    if word in ("rules", "rules full"):
        rules_page(game, screen, drawn_options(type(game)), full=word == "rules full")
    elif word == "moves":
        screen.say(fill("  ".join(_numbered(game)), 78, break_long_words=False))
    elif word == "help":
        screen.say(f"Type a {game.choice} or its number, or: moves (list all {game.chosen}), rules, quit")
    else:
        screen.say("The game has not started yet.", WARNING)
    if word.upper() in game.choices():
        screen.say(f'To choose it, put it in quotes: "{word.upper()}"', NOTE)
    return True
