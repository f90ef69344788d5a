"""What Flag Chase says during a match."""

from collections.abc import Sequence

from duelbook import narration
from duelbook.game import Move, Player
from duelbook.games.flag_chase.rules import FlagChase, State, drawing, track
from duelbook.narration import Dialogue, Preview, Turn, Voice
from duelbook.text import plural


class Narration(narration.Narration[FlagChase, State]):
    """The texts of Flag Chase, as in its rule book."""

    def greeting(self) -> str:
        return f"Welcome to Flag Chase!\n\nInitial Track:\n{self.board(self.game.initial())}"

    def board(self, state: State) -> str:
        return drawing(self.game, *self._covered(state))

    def _covered(self, state: State) -> tuple[int, int]:
        """Return how far Player 1 and Player 2 have come."""
        left, right = (covered(state, seat) for seat in self.seating.seats())
        return left, right

    def heading(self, state: State, moves: Sequence[Move]) -> str:
        if not self.you(state):
            return f"{self.mover(state)} is at position {self._cell(state, state.mover)}."
        return f"{self.mover(state)}, you are at position {self._cell(state, state.mover)}."

    def _cell(self, state: State, seat: Player) -> int:
        """Return the cell of the player on this seat. Player 1 starts on cell 1 even when moving second (ALL-1)."""
        steps = covered(state, seat)
        return steps + 1 if self.seating.person(seat) == 0 else self.game.cells - steps

    def ask(self, state: State) -> Dialogue:
        *shorter, longest = map(str, range(1, self.game.stride + 1))
        strides = f"{', '.join(shorter)} or {longest}" if shorter else longest
        answer = yield f"Enter your move ({strides} {'cells' if shorter else 'cell'} forward): "
        return answer

    def explain(self, state: State, move: Move, voice: Voice) -> str:
        left = self.game.cells // 2 - state.mine - move - 1
        return f"leaves {plural(left, 'cell')} to the flag" if left > 0 else "reaches the flag"

    def preview(self, turn: Turn[State]) -> Preview:
        left = self.game.cells // 2 - turn.after.theirs
        if not left:
            return Preview("You would reach the flag.", result=self.preview_result(turn))
        cell = self._cell(turn.after, turn.before.mover)
        return Preview(f"You would stand on cell {cell}, {plural(left, 'cell')} from the flag.")

    def announce(self, turn: Turn[State]) -> str:
        mover, goal = turn.before.mover, self.game.cells // 2
        stride, moved = turn.move + 1, turn.after.theirs - turn.before.mine
        you, name = self.you(turn.before), self.mover(turn.before)
        who = "You move" if you else f"{name} moves"
        step = f"{who} {plural(moved, 'cell')} forward to cell {self._cell(turn.after, mover)}"
        if turn.after.theirs == goal:
            captures = "capture" if you else "captures"
            return "\n".join([*self._stopped(turn, stride, moved), f"{step} and {captures} the flag!"])
        updated = f"Updated Track:\n{track(self.game, *self._covered(turn.after))}"
        return updated if you else f"{step}.\n\n{updated}"

    def _stopped(self, turn: Turn[State], stride: int, moved: int) -> list[str]:
        """Return why the move was cut short: the opponent if they stand on a chosen cell, else the flag (FC-1)."""
        if moved == stride:
            return []
        opponent = 1 - turn.before.mover
        cannot = f"Cannot move {stride} cells forward."
        distance = self.game.cells - 1 - turn.before.mine - turn.before.theirs  # to the opponent
        if distance <= stride:
            cell = self._cell(turn.before, opponent)
            return [f"{cannot} Cell {cell} is occupied by {self.seating.name(opponent)}."]
        who = "You" if self.you(turn.before) else self.mover(turn.before)
        return [f"{cannot} {who} cannot move beyond cell {self.game.cells // 2 + 1}."]

    def ending_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        return self.who_won(state)

    def result_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        return f"{self.seating.name(self.game.outcome(state))} captures the flag and wins!"


def covered(state: State, seat: Player) -> int:
    """Return how many cells the player on this seat has moved so far."""
    return state.mine if state.mover == seat else state.theirs
