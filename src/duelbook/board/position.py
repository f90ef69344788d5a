"""What a game draws its board from: a position, and how it came about."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from duelbook.game import AnyGame, Move, Outcome, Player, move_names


class Played(NamedTuple):
    """A move that was played."""

    seat: Player
    move: str


class Position:
    """A position of a game. The moves that led to it may be unknown."""

    def __init__(self, game: AnyGame, state: Any, history: Sequence[Played] = (), player_1: Player = 0) -> None:
        self.game: Any = game
        self.state = state
        self.history = history
        self.player_1 = player_1  # the seat of Player 1, whom texts may place by name (ALL-1)
        self.is_over = game.outcome(state) != Outcome.UNDECIDED
        self.mover: Player | None = None if self.is_over else game.mover(state)
        self.last = history[-1] if history else None

    @cached_property
    def legal(self) -> dict[str, Move]:
        """The legal moves by name; none after the end."""
        return {} if self.is_over else move_names(self.game, self.state)

    def played(self, seat: Player) -> list[str]:
        """Return the moves of this player."""
        return [move for player, move in self.history if player == seat]

    def player_of(self, move: str) -> Player | None:
        """Return who has played this move, or None if nobody has."""
        return next((player for player, played in self.history if played == move), None)

    def is_last(self, move: str) -> bool:
        """Return True if this was the last move."""
        return self.last is not None and self.last.move == move


def history_of(game: AnyGame, moves: Iterable[Move]) -> tuple[Any, list[Played]]:
    """Return the state after the moves, and the moves by name with those who played them."""
    state, history = game.initial(), []
    for move in moves:
        history.append(Played(game.mover(state), game.move_name(state, move)))
        state = game.play(state, move)
    return state, history
