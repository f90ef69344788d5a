"""The solution of a game: the exact value of every position and every move."""

from array import array
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

from duelbook.game import AnyGame, CountsSuccessors, Move, Outcome, Player, canonical_form
from duelbook.solve.packing import PackedIndex, packed_index

ENDLESS = -1  # the remoteness of a state from which neither player can force an end

PACKED_STATE_BYTES = 13  # its number, value and remoteness
STATE_BYTES = 300  # about as much as a state in a dictionary takes
SOLUTION_BYTES = 4_000  # the objects around the states


class Value(IntEnum):
    """What a state is worth to the player to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1


VALUES = (Value.DRAW, Value.WIN, Value.LOSS)  # indexed by their number; -1 is the last


class ScoredMove(NamedTuple):
    """A legal move with its value for the player who makes it."""

    move: Move
    value: Value
    remoteness: int | None  # plies to the end after the move; None if play is endless

    @property
    def plies(self) -> int | None:
        """The plies to the end, counting the move itself; None if play is endless."""
        return None if self.remoteness is None else self.remoteness + 1


class Index(Protocol):
    """The places of states in the arrays of a solution."""

    def __getitem__(self, state: Any, /) -> int:
        """Return the place of the state, or raise KeyError if it cannot be reached."""
        ...


class Solution:
    """The value of every reachable state of a game, by its canonical form."""

    def __init__(
        self,
        game: AnyGame,
        index: Index,
        values: "array[int]",
        remoteness: "array[int]",
        undecided: int,
        extra_turns: bool,
    ) -> None:
        self.game = game
        self._index = index
        self._values = values
        self._remoteness = remoteness
        self._undecided = undecided
        self.extra_turns = extra_turns  # in some state, a move leaves the turn with the same player
        self._canonical = canonical_form(game)
        self._following = game.following if isinstance(game, CountsSuccessors) else None

    def value(self, state: Any) -> Value:
        """Return the value for the player to move. DRAW means a draw by the rules or endless play."""
        return Value(self._values[self._at(state)])

    def remoteness(self, state: Any) -> int | None:
        """Return the plies to the end if the winner hurries and the loser delays; None if play is endless."""
        plies = self._remoteness[self._at(state)]
        return None if plies == ENDLESS else plies

    def is_endless(self, state: Any) -> bool:
        """Return True if no line of moves that keep the value reaches an end."""
        return self._remoteness[self._at(state)] == ENDLESS

    def moves(self, state: Any) -> list[ScoredMove]:
        """Return every legal move with its value and remoteness, best first."""
        scored = [self._score(state, move) for move in self.game.legal_moves(state)]
        return sorted(scored, key=_best_first)

    def count_moves(self, state: Any, player: Player) -> int | None:
        """Return how many moves the player makes until the end if both play best; None if play is endless."""
        plies = self.remoteness(state)
        if plies is None:
            return None
        if not self.extra_turns:
            return (plies + (self.game.mover(state) == player)) // 2
        count = 0
        while self.game.outcome(state) == Outcome.UNDECIDED:
            count += self.game.mover(state) == player
            state = self.game.play(state, self.moves(state)[0].move)
        return count

    def own_moves(self, state: Any, move: Move) -> int | None:
        """Return how many moves the mover makes until the end, beginning with this one; None if play is endless."""
        more = self.count_moves(self.game.play(state, move), self.game.mover(state))
        return None if more is None else more + 1

    def winning_share(self, state: Any) -> float:
        """Return the share of legal moves that win; 1 if there is no legal move."""
        if self._following and self.game.outcome(state) == Outcome.UNDECIDED:
            counts = self._following(state)
            winning = sum(count for child, count in counts.items() if self._values[self._index[child]] == Value.LOSS)
            return winning / sum(counts.values())
        scored = self.moves(state)
        return sum(move.value is Value.WIN for move in scored) / len(scored) if scored else 1.0

    def states(self) -> int:
        """Return the number of undecided states, or of classes of states if the game has canonical states."""
        return self._undecided

    def can_end(self) -> bool:
        """Return True if some state that can be reached is decided."""
        return self._undecided < len(self._values)

    def memory_bytes(self) -> int:
        """Return about how much memory the solution takes."""
        each = PACKED_STATE_BYTES if isinstance(self._index, PackedIndex) else STATE_BYTES
        return SOLUTION_BYTES + each * len(self._values)

    def packed(self) -> tuple[PackedIndex, "array[int]", "array[int]"]:
        """Return all states as sorted whole numbers, with their values and remoteness in the same order."""
        if isinstance(self._index, PackedIndex):
            return self._index, self._values, self._remoteness
        assert isinstance(self._index, Mapping)
        index, order = packed_index(self._index)
        values = array("b", (self._values[place] for place in order))
        return index, values, array("i", (self._remoteness[place] for place in order))

    def _score(self, state: Any, move: Move) -> ScoredMove:
        following = self.game.play(state, move)
        at = self._at(following)
        value, plies = self._values[at], self._remoteness[at]
        if self.game.mover(following) != self.game.mover(state):
            value = -value
        return ScoredMove(move, VALUES[value], None if plies == ENDLESS else plies)

    def _at(self, state: Any) -> int:
        return self._index[self._canonical(state) if self._canonical else state]


def _best_first(scored: ScoredMove) -> tuple[int, int, Move]:
    """Sort by value; then the quickest win, the quickest draw, the longest defence."""
    plies = scored.remoteness if scored.remoteness is not None else 1 << 30
    return -scored.value, -plies if scored.value is Value.LOSS else plies, scored.move
