"""What the players choose before the first move, such as words (AC-1)."""

import random
from collections.abc import Collection, Mapping, Sequence
from textwrap import fill
from typing import NamedTuple

from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, HasChoices, Player, random_choice
from duelbook.narration import Seating
from duelbook.options import drawn_options
from duelbook.play.commands import HELP
from duelbook.play.conversation import Conversation
from duelbook.play.events import Ask, Asked, Ended, Kind, Output, Page, Say

MAX_LISTED = 40  # choices; more do not fit on a screen
MAX_DIGITS = 9  # of a number that may be one of the list
COLUMNS = 78  # of a list


class Chooser(NamedTuple):
    """A player who chooses."""

    seat: Player
    name: str  # empty for the only person
    is_person: bool = True  # the program chooses for all others


def choosers(seating: Seating) -> list[Chooser]:
    """Return Player 1 and Player 2 as those who choose, in this order."""
    return [Chooser(seat, seating.name(seat), seating.is_human(seat)) for seat in seating.seats()]


class Choosing(Conversation):
    """Players choose one after another. `chosen` holds what they chose, by seat."""

    def __init__(self, game: HasChoices, players: Sequence[Chooser], rng: random.Random) -> None:
        super().__init__()
        self.game, self.chosen = game, dict[Player, str]()
        self._players, self._rng = [*players], rng

    def start(self) -> Output:
        """Show what there is to choose from, and ask the first player."""
        yield Say(self._offer())
        yield from self._next()

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed at any time, and what it does."""
        return HELP

    @property
    def is_complete(self) -> bool:
        """True if all have chosen."""
        return not self._players

    @property
    def rules(self) -> tuple[AnyGame, Collection[str]]:
        """The game, and its options that are not known yet."""
        return self.game, drawn_options(type(self.game))

    def choices(self) -> Sequence[str]:
        """Return what can be chosen."""
        return self.game.choices()

    def words(self) -> dict[str, str]:
        """Return the commands that can be typed, and what they do."""
        return dict(self.commands)

    def _next(self) -> Output:
        while self._players and not self.ended:
            player = self._players[0]
            if player.is_person:
                who = f"{player.name}, choose" if player.name else "Choose"
                self.asked = Ask(
                    f"{who} your {self.game.choice} (number or {self.game.choice}): ", Asked.CHOICE, player.seat
                )
                yield self.asked
                return
            self.chosen[player.seat] = random_choice(self.game, self.chosen.values(), self._rng)
            yield Say(f"{player.name} chooses {self.chosen[player.seat]}.")
            del self._players[0]
        if not self.ended:
            yield Say("")
            yield self._end(Ended())

    def _answers(self) -> Sequence[str]:
        return self.choices()

    def _answer_other(self, text: str, asked: Ask) -> Output:
        try:
            self.chosen[asked.seat] = self._read(text)
        except RefusedError as error:
            yield Say(str(error), Kind.REFUSAL)
        else:
            del self._players[0]

    def _read(self, text: str) -> str:
        """Return the choice that is typed, itself or its number."""
        choices = self.game.choices()
        if text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS:
            check_range("The number", int(text), 1, len(choices))
            return choices[int(text) - 1]
        return self.game.check_choice(text.strip("'\""))

    def _command(self, name: str, value: str) -> Output:
        """Carry out a command. A choice of the same name needs quotes."""
        if name == "quit":
            yield from self.leave()
            return
        if name in ("rules", "rules full"):
            yield Page(name)
        elif name == "moves":
            yield Say(fill("  ".join(self._numbered()), COLUMNS, break_long_words=False))
        elif name == "help":
            yield Say(f"Type a {self.game.choice} or its number, or: moves (list all {self.game.chosen}), rules, quit")
        else:
            yield Say("The game has not started yet.", Kind.REFUSAL)
        if name.upper() in self.game.choices():
            yield Say(f'To choose it, put it in quotes: "{name.upper()}"', Kind.NOTE)

    def _offer(self) -> str:
        """Return the choices as text, or how many there are."""
        count = len(self.game.choices())
        if count > MAX_LISTED:
            return f"There are {count} {self.game.chosen} to choose from. Type moves to list them."
        return "\n".join([f"{self.game.chosen.capitalize()} to choose from:", *self._numbered()])

    def _numbered(self) -> list[str]:
        return [f"{number} {choice}" for number, choice in enumerate(self.game.choices(), 1)]
