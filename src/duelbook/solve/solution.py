"""The solution of a game: the exact value of every position and every move."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.extras import require_extra
from duelbook.features import number_names, numbers_of, state_from_numbers
from duelbook.game import AnyGame, CountsSuccessors, Move, Outcome, Player, canonical_form
from duelbook.solve.index import Index, PackedIndex, sorted_index
from duelbook.solve.progress import Meter
from duelbook.tables import data_frame, html_picture, html_table, paragraph, side_by_side

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENDLESS = -1  # the code, and the remoteness, of a state from which neither player can force an end
KIND_BITS = 2  # a code is the remoteness, and in its lowest bits the kind of the value:
LOSS, WIN, DRAW = 0, 1, 2
KIND_MASK = 3

STATE_BYTES = 300  # about as much as a state in a dictionary takes
SOLUTION_BYTES = 4_000  # the objects around the states


class Value(IntEnum):
    """What a state is worth to the player to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1


VALUES = (Value.LOSS, Value.WIN, Value.DRAW, Value.DRAW)  # by kind; the last is that of ENDLESS
OPPOSITES = (Value.WIN, Value.LOSS, Value.DRAW, Value.DRAW)


def code_of(value: int, remoteness: int) -> int:
    """Return value and remoteness as one number."""
    if remoteness == ENDLESS:
        return ENDLESS
    return remoteness << KIND_BITS | (DRAW if value == Value.DRAW else WIN if value == Value.WIN else LOSS)


class ScoredMove(NamedTuple):
    """A legal move with its value for the player who makes it."""

    move: Move
    value: Value
    remoteness: int | None  # plies to the end after the move; None if play is endless

    @property
    def plies(self) -> int | None:
        """The plies to the end, counting the move itself; None if play is endless."""
        return None if self.remoteness is None else self.remoteness + 1


class SolvedState(NamedTuple):
    """A state of a solution with its value for the player to move."""

    state: Any
    value: Value
    remoteness: int | None  # plies to the end; 0 if the game is over, None if play is endless


class SolutionArrays(NamedTuple):
    """A solution as arrays of numpy, one row for each state, in the order in which the solution iterates."""

    names: list[str]  # of the columns of `states`, as in `mine.points`
    states: "NDArray[np.int64]"  # the numbers of each state
    values: "NDArray[np.int8]"  # 1 for a win of the player to move, 0 for a draw, -1 for a loss
    remoteness: "NDArray[np.int32]"  # plies to the end; 0 if the game is over, -1 if play is endless


class Solution:
    """The value of every reachable state of a game, by its canonical form.

    Iterating over it gives every state with its value and remoteness, in ascending order of the numbers of the states;
    of states that play alike only the canonical one. The order does not depend on how the game was solved.
    """

    def __init__(
        self,
        game: AnyGame,
        index: Index,
        codes: Sequence[int],
        undecided: int,
        extra_turns: bool,
    ) -> None:
        self.game = game
        self._index = index
        self._codes = codes  # value and remoteness of each state (see `code_of`), by its place in the index
        self._undecided = undecided
        self.extra_turns = extra_turns  # in some state, a move leaves the turn with the same player
        self._canonical = canonical_form(game)
        self._following = game.following if isinstance(game, CountsSuccessors) else None

    def code(self, state: Any) -> int:
        """Return value and remoteness as one number (see `code_of`)."""
        return self._codes[self._index[self._canonical(state) if self._canonical else state]]

    def value(self, state: Any) -> Value:
        """Return the value for the player to move. DRAW means a draw by the rules or endless play."""
        return VALUES[self.code(state) & KIND_MASK]

    def remoteness(self, state: Any) -> int | None:
        """Return the plies to the end if the winner hurries and the loser delays; None if play is endless."""
        code = self.code(state)
        return None if code == ENDLESS else code >> KIND_BITS

    def is_endless(self, state: Any) -> bool:
        """Return True if no line of moves that keep the value reaches an end."""
        return self.code(state) == ENDLESS

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
            winning = sum(
                count for child, count in counts.items() if self._codes[self._index[child]] & KIND_MASK == LOSS
            )
            return winning / sum(counts.values())
        scored = self.moves(state)
        return sum(move.value is Value.WIN for move in scored) / len(scored) if scored else 1.0

    def states(self) -> int:
        """Return the number of undecided states, or of classes of states if the game has canonical states."""
        return self._undecided

    def __len__(self) -> int:
        """Return the number of all states, also of those in which the game is over."""
        return len(self._codes)

    def __iter__(self) -> Iterator[SolvedState]:
        for state, code in self._ordered():
            yield SolvedState(state, VALUES[code & KIND_MASK], None if code == ENDLESS else code >> KIND_BITS)

    def _ordered(self) -> Iterator[tuple[Any, int]]:
        """Return every state with its code, in ascending order of the states' numbers."""
        if isinstance(self._index, Mapping):
            yield from sorted((state, self._codes[place]) for state, place in self._index.items())
            return
        assert isinstance(self._index, PackedIndex)
        packing, like = self._index.packing, self.game.initial()
        rows = ((packing.unpack(key), code) for key, code in zip(self._index.keys(), self._codes, strict=True))
        for numbers, code in rows if packing.order == tuple(range(len(packing.order))) else sorted(rows):
            yield state_from_numbers(like, iter(numbers)), code

    def arrays(self) -> SolutionArrays:
        """Return all states, their values and their remoteness as arrays of numpy (extra `arena`)."""
        require_extra("arena")
        import numpy as np

        names = number_names(self.game.initial())
        if isinstance(self._index, PackedIndex):
            packing = self._index.packing
            keys, codes = np.fromiter(self._index.keys(), np.int64, len(self)), np.asarray(self._codes, np.int32)
            spans = zip(packing.lows, packing.sizes, packing.strides, strict=True)
            states = np.stack([low + keys // stride % size for low, size, stride in spans], axis=1)
            order = np.lexsort(states.T[::-1])
            states, codes = states[order], codes[order]
        else:
            rows = [([*numbers_of(state)], code) for state, code in self._ordered()]
            states, codes = np.array([row for row, _ in rows]), np.array([code for _, code in rows], np.int32)
        return SolutionArrays(names, states, np.array(VALUES, np.int8)[codes & KIND_MASK], codes >> KIND_BITS)

    def table(self) -> Any:
        """Return every state as a row: its numbers, its value and its remoteness (see `duelbook.tables.data_frame`)."""
        names = number_names(self.game.initial())
        return data_frame(
            {**dict(zip(names, numbers_of(state), strict=True)), "value": value.name.lower(), "remoteness": remoteness}
            for state, value, remoteness in self
        )

    def _repr_html_(self) -> str:
        """Return the start, its value, and the first moves with theirs, for notebooks."""
        from duelbook.board import position_svg

        start = self.game.initial()
        plies = self.remoteness(start)
        length = "play is endless" if plies is None else f"{plies} {'ply' if plies == 1 else 'plies'} to the end"
        counted = "classes of states" if self._canonical else "states"
        about = f"{self.value(start).name.capitalize()} for the player to move, {length}. {self.states():,} {counted}."
        moves = [
            {
                "move": self.game.move_name(start, scored.move),
                "value": scored.value.name.lower(),
                "plies": scored.plies,
            }
            for scored in self.moves(start)
        ]
        return paragraph(about) + side_by_side(
            html_picture(position_svg(self.game, start), "the start"), html_table(moves)
        )

    def can_end(self) -> bool:
        """Return True if some state that can be reached is decided."""
        return self._undecided < len(self._codes)

    def memory_bytes(self) -> int:
        """Return about how much memory the solution takes."""
        if isinstance(self._index, PackedIndex):
            return SOLUTION_BYTES + self._index.memory_bytes() + memoryview(self._codes).nbytes  # type: ignore[arg-type]
        return SOLUTION_BYTES + STATE_BYTES * len(self._codes)

    def packed(self, meter: Meter | None = None) -> tuple[PackedIndex, Sequence[int]]:
        """Return the states as numbers in order, and their codes in the same order."""
        if isinstance(self._index, PackedIndex):
            return self._index, self._codes
        assert isinstance(self._index, Mapping)
        index, order = sorted_index(self._index, meter)
        return index, array(memoryview(self._codes).format, (self._codes[place] for place in order))  # type: ignore[arg-type]

    def _score(self, state: Any, move: Move) -> ScoredMove:
        following = self.game.play(state, move)
        code = self.code(following)
        same_mover = self.game.mover(following) == self.game.mover(state)
        value = (VALUES if same_mover else OPPOSITES)[code & KIND_MASK]
        return ScoredMove(move, value, None if code == ENDLESS else code >> KIND_BITS)


def _best_first(scored: ScoredMove) -> tuple[int, int, Move]:
    """Sort by value; then the quickest win, the quickest draw, the longest defence."""
    plies = scored.remoteness if scored.remoteness is not None else 1 << 30
    return -scored.value, -plies if scored.value is Value.LOSS else plies, scored.move
