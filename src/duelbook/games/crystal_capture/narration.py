"""What Crystal Capture says during a match."""

from collections.abc import Sequence

from duelbook import narration
from duelbook.game import PASS, Move, Outcome, Player
from duelbook.games.crystal_capture.rules import CrystalCapture, State, capturable, pool_text
from duelbook.narration import Dialogue, Preview, Turn, Voice
from duelbook.text import plural


class Narration(narration.Narration[CrystalCapture, State]):
    """The texts of Crystal Capture, as in its rule book."""

    separator = "------------------------"
    starter = "random"

    def greeting(self) -> str:
        return ""  # the heading of the first turn is the book's opening

    def board(self, state: State) -> str:
        points = (f"{self.seating.name(seat)} Points: {points_of(state, seat)}" for seat in self.seating.seats())
        return "\n".join((f"Available Crystals: {pool_text(state)}", *points))

    def heading(self, state: State, moves: Sequence[Move]) -> str:
        return f"{self.board(state)}\n"

    def ask(self, state: State) -> Dialogue:
        answer = yield f"{self.mover(state)}, choose a crystal to capture: "
        return answer

    def why(self, state: State, answer: str) -> str:
        if answer in pool_text(state).split(", "):
            return f"Crystal {answer} would take you beyond {self.game.goal} points."
        captured = answer in map(str, range(1, self.game.crystals + 1))
        return f"Crystal {answer} has been captured." if captured else ""

    def explain(self, state: State, move: Move, voice: Voice) -> str:
        if self.game.move_name(state, move) == PASS:
            return ""
        goal, crystal = self.game.goal, move + 1
        total, left = state.mine + crystal, state.pool & ~(1 << move)
        if total == goal:
            return f"makes exactly {plural(goal, 'point')}"
        if state.theirs + crystal == goal:
            return f"takes the crystal that {voice.opponent} {voice.verb(voice.opponent, 'need')}"
        if not capturable(left, goal - min(total, state.theirs)):
            return f"leaves no crystal to take, with {plural(total, 'point')} against {state.theirs},"
        if not capturable(left, goal - state.theirs):
            return f"leaves {voice.opponent} no crystal to take"
        return f"brings {voice.mover} to {plural(total, 'point')}"

    def preview(self, turn: Turn[State]) -> Preview:
        goal, total = self.game.goal, turn.after.theirs
        if self.game.move_name(turn.before, turn.move) == PASS:
            return Preview(f"No crystal fits: you would stay at {total} of {goal}.", result=self.preview_result(turn))
        over = self.game.outcome(turn.after) != Outcome.UNDECIDED and total != goal
        text = f"You would have {'exactly ' if total == goal else ''}{total} of {goal}"
        rest = f" against {turn.after.mine}, and no crystal would fit any more" if over else ""
        loses = self.game.outcome(turn.after) == 1 - turn.before.mover
        return Preview(f"{text}{rest}.", loses, self.preview_result(turn))

    def announce(self, turn: Turn[State]) -> str:
        name = self.game.move_name(turn.before, turn.move)
        mover = self.mover(turn.before)
        if name == PASS:
            return f"{mover} cannot capture any crystal without exceeding {self.game.goal} and passes."
        who = "You have" if self.you(turn.before) else f"{mover} has"
        return f"{who} captured crystal {name}.\n{mover} Points: {turn.after.theirs}"

    def ending_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        outcome = self.game.outcome(state)
        winner = self.seating.name(outcome) if outcome != Outcome.DRAW else ""
        if state.theirs == self.game.goal:
            points = plural(self.game.goal, "point")
            if self.seating.is_human(outcome):
                return f"Congratulations, {winner}! You have exactly {points} and win the game!"
            return f"{winner} has exactly {points} and wins the game!"
        return f"Neither player can capture another crystal.\n{self._deadlock(state, winner)}"

    def _deadlock(self, state: State, winner: str) -> str:
        if not winner:
            return "The game is a draw."
        if state.mine == state.theirs:
            return f"Both players have {plural(state.mine, 'point')}. {winner} moved second and wins the game!"
        return f"{winner} is closest to {self.game.goal} and wins the game!"


def points_of(state: State, seat: Player) -> int:
    """Return the points of the player on this seat."""
    return state.mine if state.mover == seat else state.theirs
