"""The menu for those who start without a game: which one, and who plays."""

from collections.abc import Mapping

from duelbook.agents import built_in
from duelbook.games import GAMES, aim, title
from duelbook.records.record import HUMAN
from duelbook.terminal.commands import HELP, QuitError
from duelbook.terminal.screen import NOTE, REFUSAL, Screen
from duelbook.text import fold


def choose_game(screen: Screen) -> str:
    """Ask which game to play; answer its name."""
    screen.say("Duelbook: two-player strategy games\n")
    return _pick("Choose a game", {name: f"{title(name)}: {aim(name)}" for name in GAMES}, screen)


def choose_players(screen: Screen) -> tuple[str, str]:
    """Ask who plays; answer the agents of Player 1 and Player 2."""
    against = {name: f"you against the computer, {name}: {kind.about}" for name, kind in built_in().items()}
    opponent = _pick("Who plays", {HUMAN: "two people at this keyboard"} | against, screen)
    screen.say(f"At every prompt of the game you can also type: {', '.join(HELP)}\n", NOTE)
    return HUMAN, opponent


def _pick(question: str, entries: Mapping[str, str], screen: Screen) -> str:
    """Ask for one of the entries, by number or by name."""
    names = list(entries)
    screen.say("\n".join(f"{number}  {text}" for number, text in enumerate(entries.values(), 1)))
    while True:
        answer = fold(screen.ask(f"{question} (1-{len(names)})? "))
        if answer == "quit":
            raise QuitError
        for number, name in enumerate(names, 1):
            if answer in (str(number), name, fold(title(name))):
                screen.say()
                return name
        screen.say(f"Type a number from 1 to {len(names)}, {', '.join(names)} or quit.", REFUSAL)
