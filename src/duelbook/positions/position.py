"""A position of the benchmark: a decision that matters, with the exact value of every move and the prompt that asks."""

from typing import Literal, NamedTuple

from msgspec import Struct, field

from duelbook.agents.llm.log import ChatMessage
from duelbook.compiled.source_hash import source_hash
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, SeatName, move_names, uses_word_list
from duelbook.games import make
from duelbook.match import Match
from duelbook.solve import Value

ValueName = Literal["win", "draw", "loss"]
Split = Literal["train", "test", "held-out"]

VALUES: dict[ValueName, Value] = {"win": Value.WIN, "draw": Value.DRAW, "loss": Value.LOSS}
VALUE_NAMES: dict[Value, ValueName] = {value: name for name, value in VALUES.items()}


DISTANCES = ("1", "2-6", "7+", "endless")  # plies to the end
CHOICES = ("2-7", "8-25", "26+")  # legal moves
SHARES = ("up to 1/4", "1/4 to 1/2", "above 1/2")  # of the legal moves that keep the value
STRATA = (*DISTANCES, *CHOICES, *SHARES)


class LegalMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A legal move with its exact value."""

    move: str
    value: ValueName  # for the player who makes it
    remoteness: int | None  # plies to the end after the move; None if play need not end
    regret: int  # what the move gives away, 0 to 2


class Strata(NamedTuple):
    """Where a position stands in each of the dimensions of the benchmark."""

    distance: str
    choices: str
    share: str


class DatasetPosition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the dataset (docs/positions.md)."""

    id: str
    split: Split
    game: str
    options: dict[str, int | str]
    dictionary: str  # hash of the word list; empty if the game uses none
    rules: str  # hash of the rules
    rules_by: str
    moves: list[str]  # from the start to the position
    seat: SeatName  # of the player to move
    ply: int
    text: str
    value: ValueName  # for the player to move
    remoteness: int | None
    legal: list[LegalMove]
    good: list[str]  # the moves that keep the value
    distance: str
    choices: str
    share: str
    chance_accuracy: float
    chance_regret: float
    group: str = field(name="class")
    cluster: str
    prompt: list[ChatMessage]

    def played(self) -> Match:
        """Return a match that stands at the position, or raise RefusedError if this version plays another game."""
        game = self.made()
        match = Match(game)
        try:
            for move in self.moves:
                match.play(move)
            same = source_hash(type(game)) == self.rules and game.render(match.state) == self.text
            same = same and list(move_names(game, match.state)) == [one.move for one in self.legal]
        except RefusedError:
            same = False
        if not same:
            raise RefusedError(f"The rules of {self.game} changed since the position {self.id} was written.")
        return match

    def made(self) -> AnyGame:
        """Return the game, or raise RefusedError if its word list is another one."""
        game = make(self.game, **self.options)
        if (game.digest if uses_word_list(game) else "") != self.dictionary:
            raise RefusedError(f"The word list of {self.game} changed since the position {self.id} was written.")
        return game

    def regret_of(self, move: str | None) -> int:
        """Return what the answer gives away. An answer without a legal move, None, counts as a loss."""
        if move is None:
            return VALUES[self.value] - Value.LOSS
        return next(one.regret for one in self.legal if one.move == move)

    @property
    def strata(self) -> Strata:
        return Strata(self.distance, self.choices, self.share)


def strata_of(remoteness: int | None, legal: int, good: int) -> Strata:
    """Return where a position stands: plies to the end, legal moves, and how many of these keep the value."""
    return Strata(
        DISTANCES[3 if remoteness is None else (remoteness > 1) + (remoteness > 6)],
        CHOICES[(legal > 7) + (legal > 25)],
        SHARES[(4 * good > legal) + (2 * good > legal)],
    )
