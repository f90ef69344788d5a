"""What Last Stone says during a match."""

from collections.abc import Sequence

from duelbook import narration
from duelbook.game import Move
from duelbook.narration import Dialogue, Refusal, Turn
from duelbook.text import plural

from last_stone_game.rules import LastStone, State


class Narration(narration.Narration[LastStone, State]):
    """The texts of Last Stone. A player may type just the number."""

    def greeting(self) -> str:
        return f"Welcome to Last Stone!\n\n{self.board(self.game.initial())}"

    def ask(self, state: State) -> Dialogue:
        most = min(self.game.most, state.stones)
        answer = yield f"How many stones do you take (1 to {most})? " if most > 1 else "Take the last stone (1)? "
        while answer.strip().isdecimal() and not 1 <= int(answer) <= most:
            yield Refusal(f"You can take at most {plural(most, 'stone')}.")
            answer = yield "How many stones do you take? "
        return f"take {answer.strip()}" if answer.strip().isdecimal() else answer

    def announce(self, turn: Turn[State]) -> str:
        return f"{self.mover(turn.before)} takes {plural(turn.move + 1, 'stone')}.\n\n{self.board(turn.after)}"

    def ending_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        return f"{self.seating.name(self.game.outcome(state))} takes the last stone and wins!"
