"""Questions before a game starts: which game, who plays, and the players' choices (Alpha Chase's words, AC-1)."""

import random
from collections.abc import Mapping
from shutil import get_terminal_size
from textwrap import fill

from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, HasChoices, random_choice, with_choices
from duelbook.games import GAMES, aim, find_rules, title
from duelbook.narration import Seating
from duelbook.options import PRESET, drawn_options
from duelbook.presets import presets_of
from duelbook.records.record import HUMAN
from duelbook.terminal.commands import HELP, QuitError, command_word
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import fold

MAX_LISTED_CHOICES = 40  # more do not fit on a screen


def ask_game(screen: Screen) -> str:
    """Return the name of the game that the person wants to play."""
    screen.say("Duelbook: two-player strategy games\n")
    return _pick("Choose a game", {name: f"{title(name)}: {aim(name)}" for name in GAMES}, screen)


def ask_preset(game: str, screen: Screen) -> dict[str, str]:
    """Return the preset that the person wants to play with, as an option. A game that has only one has no question."""
    presets = presets_of(find_rules(game))
    if len(presets) == 1:
        return {}
    return {PRESET: _pick("Which rules", {name: f"{one.title}: {one.about}" for name, one in presets.items()}, screen)}


def ask_players(screen: Screen) -> tuple[str, str]:
    """Return who plays as Player 1 and as Player 2."""
    from duelbook.agents import built_in_agents  # imported here so that a game starts sooner

    computers = {name: f"you against the computer, {name}: {kind.about}" for name, kind in built_in_agents().items()}
    opponent = _pick("Who plays", {HUMAN: "two people at this keyboard"} | computers, screen)
    screen.say(f"You can always type: {', '.join(HELP)}\n", NOTE)
    return HUMAN, opponent


def _pick(question: str, entries: Mapping[str, str], screen: Screen) -> str:
    """Ask for one of the entries, by number or by name."""
    names = list(entries)
    width = get_terminal_size().columns
    for number, text in enumerate(entries.values(), 1):
        screen.say(fill(f"{number:<4}{text}", width, subsequent_indent="    "))

    def complete(typed: str) -> list[str]:
        return starting_with(typed, (*names, "quit"))

    while True:
        answer = command_word(screen.ask(f"{question} (1-{len(names)})? ", candidates=complete, remember=False))
        if answer == "quit":
            raise QuitError
        for number, name in enumerate(names, 1):
            if answer in (str(number), name, fold(title(name))):
                screen.say()
                return name
        screen.say(f"Type a number from 1 to {len(names)}, a name such as {names[-1]}, or quit.", WARNING)


def ask_choices(game: HasChoices, seating: Seating, rng: random.Random, screen: Screen) -> AnyGame:
    """Let Player 1 and then Player 2 choose. Return the game with both choices."""
    screen.say(_offer(game))
    chosen: dict[int, str] = {}
    for seat in seating.seats():
        if seating.is_human(seat):
            chosen[seat] = _ask_choice(game, seating.name(seat), screen)
        else:
            chosen[seat] = random_choice(game, chosen.values(), rng)
            screen.say(f"{seating.name(seat)} chooses {chosen[seat]}.")
    screen.say()
    return with_choices(game, chosen[0], chosen[1])


def _offer(game: HasChoices) -> str:
    choices = game.choices()
    if len(choices) > MAX_LISTED_CHOICES:
        return f"There are {len(choices)} {game.chosen} to choose from. Type moves to list them."
    return "\n".join([f"{game.chosen.capitalize()} to choose from:", *_numbered(game)])


def _numbered(game: HasChoices) -> list[str]:
    return [f"{number} {choice}" for number, choice in enumerate(game.choices(), 1)]


def _ask_choice(game: HasChoices, name: str, screen: Screen) -> str:
    while True:
        text = screen.ask(
            f"{name}, choose your {game.choice} (number or {game.choice}): ",
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
    if word == "rules":
        rules_page(game, screen, drawn_options(type(game)))
    elif word == "moves":
        screen.say(fill("  ".join(_numbered(game)), 78, break_long_words=False))
    elif word == "help":
        screen.say(f"Type a {game.choice} or its number, or: moves (list all {game.chosen}), rules, quit")
    else:
        screen.say("The game has not started yet.", WARNING)
    if word.upper() in game.choices():
        screen.say(f'To choose it, put it in quotes: "{word.upper()}"', NOTE)
    return True
