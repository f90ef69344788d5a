"""What Flag Chase says at the table."""

from collections.abc import Sequence

from duelbook import narration
from duelbook.game import Move, Player
from duelbook.games.flag_chase.rules import FlagChase, State, numbers, track
from duelbook.narration import Dialogue, Turn
from duelbook.text import plural


class Narration(narration.Narration[FlagChase, State]):
    def greeting(self) -> str:
        return f"Welcome to Flag Chase!\n\nInitial Track:\n{self.board(self.game.initial())}"

    def board(self, state: State) -> str:
        return f"{numbers(self.game)}\n{self._track(state)}"

    def _track(self, state: State) -> str:
        left, right = (covered(state, seat) for seat in self.table.seats())
        return track(self.game, left, right)

    def heading(self, state: State, moves: Sequence[Move]) -> str:
        if not self.you(state):
            return f"{self.mover(state)} is at position {self._cell(state, state.mover)}."
        return f"{self.mover(state)}, you are at position {self._cell(state, state.mover)}."

    def _cell(self, state: State, seat: Player) -> int:
        """Answer where a player stands; Player 1 starts on cell 1, whoever moves first (ALL-1)."""
        steps = covered(state, seat)
        return steps + 1 if self.table.person(seat) == 0 else self.game.cells - steps

    def ask(self, state: State) -> Dialogue:
        *fewer, most = map(str, range(1, self.game.stride + 1))
        strides = f"{', '.join(fewer)} or {most}" if fewer else most
        answer = yield f"Enter your move ({strides} {'cells' if fewer else 'cell'} forward): "
        return answer

    def announce(self, turn: Turn[State]) -> str:
        mover, goal = turn.before.mover, self.game.cells // 2
        stride, moved = turn.move + 1, turn.after.theirs - turn.before.mine
        you, name = self.you(turn.before), self.mover(turn.before)
        who = "You move" if you else f"{name} moves"
        step = f"{who} {plural(moved, 'cell')} forward to cell {self._cell(turn.after, mover)}"
        if turn.after.theirs == goal:
            captures = "capture" if you else "captures"
            return "\n".join([*self._stopped(turn, stride, moved), f"{step} and {captures} the flag!"])
        updated = f"Updated Track:\n{self._track(turn.after)}"
        return updated if you else f"{step}.\n\n{updated}"

    def _stopped(self, turn: Turn[State], stride: int, moved: int) -> list[str]:
        """Answer why a stride was cut short: the opponent's cell if they stand on it, else the flag (FC-1)."""
        if moved == stride:
            return []
        opponent = 1 - turn.before.mover
        cannot = f"Cannot move {stride} cells forward."
        reach = self.game.cells - 1 - turn.before.mine - turn.before.theirs  # from the mover to the opponent
        if reach <= stride:
            cell = self._cell(turn.before, opponent)
            return [f"{cannot} Cell {cell} is occupied by {self.table.name(opponent)}."]
        who = "You" if self.you(turn.before) else self.mover(turn.before)
        return [f"{cannot} {who} cannot move beyond cell {self.game.cells // 2 + 1}."]

    def result(self, state: State, moves: Sequence[Move]) -> str:
        return f"{self.table.name(self.game.outcome(state))} captures the flag and wins!"


def covered(state: State, seat: Player) -> int:
    return state.mine if state.mover == seat else state.theirs
