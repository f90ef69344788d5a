"""What Charge says during a match."""

from collections.abc import Sequence

from duelbook import narration
from duelbook.game import Move, Player
from duelbook.games.charge.rules import Charge, Side, State, hand_text
from duelbook.narration import Command, Dialogue, Preview, Turn, Voice
from duelbook.text import fold, plural, quote


class Narration(narration.Narration[Charge, State]):
    """The texts of Charge, as in its rule book."""

    def greeting(self) -> str:
        return self._hands(self.game.initial())

    def _hands(self, state: State) -> str:
        seating = self.seating
        return "\n".join(f"{seating.name(seat)}'s Hand: {hand_text(side_of(state, seat))}" for seat in seating.seats())

    def board(self, state: State) -> str:
        return f"{self._totals(state)}\n{self._hands(state)}{self._block(state)}{self._gain(state)}"

    def _totals(self, state: State) -> str:
        seating = self.seating
        return "\n".join(f"{seating.name(seat)}'s charge: {side_of(state, seat).points}" for seat in seating.seats())

    def _block(self, state: State) -> str:
        return f"\n{self.mover(state)} is blocked this turn." if state.blocked else ""

    def _gain(self, state: State) -> str:
        opponent = self.seating.name(1 - state.mover)
        return f"\n{opponent} has just gained {plural(state.gain, 'point')}." if state.gain else ""

    def heading(self, state: State, moves: Sequence[Move]) -> str:
        turn = "" if len(moves) % 2 else f"Turn {len(moves) // 2 + 1}\n\n"
        return f"{turn}{self._sides(state)}{self._block(state)}"

    def recap(self, state: State, moves: Sequence[Move]) -> str:
        return self._gain(state).lstrip()

    def _sides(self, state: State) -> str:
        """Return a line for each player: the points, then the hand."""
        sides = {self.seating.name(seat): side_of(state, seat) for seat in self.seating.seats()}
        return "\n".join(f"{name}'s charge: {side.points} ({hand_text(side)})" for name, side in sides.items())

    def ask(self, state: State) -> Dialogue:
        answer = yield f"{self.mover(state)}, play a card: "
        card = fold(answer).removeprefix("play ")
        return f"charge {card}" if card.isascii() and card.isdecimal() else card

    def why(self, state: State, answer: str) -> str:
        card, _, amount = answer.partition(" ")
        held = {"charge": state.mine.charges, "block": state.mine.blocks, "steal": state.mine.steals}
        if card in held and not held[card]:
            return f"You hold no {card.capitalize()} Card."
        if card == "charge":
            wrong = f", not {quote(amount)}" if amount else "; say how many"
            return f"A Charge Card adds 1 to {self.game.biggest_charge} points{wrong}."
        return "You still hold Charge Cards." if card == "refresh" else ""

    def explain(self, state: State, move: Move, voice: Voice) -> str:
        name = self.game.move_name(state, move)
        if name == "block" and not state.theirs.charges:
            return f"blocks nothing, since {Voice.does(voice.opponent, 'have')} no Charge Card,"
        if name == "block":
            return f"stops a charge on {voice.whose(voice.opponent)} next turn"
        if name == "refresh":
            return "brings back all Charge Cards"
        if name == "steal" and not state.gain:
            return "has nothing to steal"
        if name != "steal" and state.blocked:
            return "waits out the block"
        amount = state.gain if name == "steal" else move + 1
        total = state.mine.points + amount
        steals = f"takes the {plural(amount, 'point')} that {voice.opponent} just gained" if name == "steal" else ""
        if total > self.game.goal:
            return f"{steals and f'{steals}, '}goes beyond {self.game.goal}, back to 0,"
        if total == self.game.goal:
            return f"{steals and f'{steals}, '}makes exactly {plural(self.game.goal, 'point')}"
        return steals or f"brings {voice.mover} to {plural(total, 'point')}"

    def preview(self, turn: Turn[State]) -> Preview:
        state, goal, name = turn.before, self.game.goal, self.game.move_name(turn.before, turn.move)
        result = self.preview_result(turn)
        if name == "block" and not state.theirs.charges:
            return Preview("There is nothing to block: your opponent has no Charge Card.", warning=True)
        if name == "block":
            return Preview("A charge on your opponent's next turn would add nothing.", result=result)
        if name == "refresh":
            return Preview(f"You would forfeit this turn and get {plural(self.game.charge_cards, 'Charge Card')} back.")
        if name == "steal" and not state.gain:
            return Preview("There is nothing to steal: your opponent gained nothing on their last turn.", warning=True)
        if name != "steal" and state.blocked:
            return Preview(f"You are blocked: this charge adds nothing, and you stay at {state.mine.points}.", True)
        amount = state.gain if name == "steal" else turn.move + 1
        total = state.mine.points + amount
        steals = f"You would take {plural(amount, 'point')} from your opponent. " if name == "steal" else ""
        if total > goal:
            return Preview(f"{steals}You would have {total}, over {goal}: back to 0.", True, result)
        return Preview(f"{steals}You would have {'exactly ' if total == goal else ''}{total} of {goal}.", result=result)

    def commands(self) -> dict[str, Command]:
        return {"hand": Command("your cards", lambda state: f"{self.mover(state)}'s Hand: {hand_text(state.mine)}")}

    def short_name(self, state: State, move: Move) -> str:
        return self.game.move_name(state, move).replace("charge ", "+").replace("refresh", "refr.")

    def announce(self, turn: Turn[State]) -> str:
        player, opponent = self.mover(turn.before), self.mover(turn.after)
        if turn.move < self.game.biggest_charge:
            return self._charge(turn, player)
        name = self.game.move_name(turn.before, turn.move)
        if name == "block":
            return f"{player} plays a Block Card. {opponent}'s next charge will be blocked."
        if name == "steal":
            return self._steal(turn, player, opponent)
        return f"{player} forfeits the turn and refreshes all Charge Cards."

    def _charge(self, turn: Turn[State], player: str) -> str:
        amount, had, has = turn.move + 1, turn.before.mine.points, turn.after.theirs.points
        card = f"{player} plays a Charge Card"
        if turn.before.blocked:
            return f"{card} but is blocked. Total charge remains at {has}."
        adding = f"{card} adding {plural(amount, 'point')}"
        if had + amount > self.game.goal:
            return f"{adding} to reach {had + amount}, exceeding the limit. {player}'s charge resets to 0."
        first_turn = len(turn.earlier) < 2
        return f"{adding}. Total charge: {has}." if first_turn else f"{adding}. Total charge: {had} + {amount} = {has}."

    def _steal(self, turn: Turn[State], player: str, opponent: str) -> str:
        gain, card = turn.before.gain, f"{player} plays a Steal Card"
        if not gain:
            return f"{card}, but {opponent} gained no charge points on their last turn. It has no effect."
        had, lost = turn.before.mine.points, turn.before.theirs.points
        resets = had + gain > self.game.goal
        over = f", exceeding the limit. {player}'s charge resets to 0." if resets else ""
        return (
            f"{card}, stealing {plural(gain, 'point')} from {opponent}.\n"
            f"Charge Updates:\n"
            f"{player}: {had} + {gain} = {had + gain}{over}\n"
            f"{opponent}: {lost} - {gain} = {lost - gain}"
        )

    def ending_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        return f"{self.seating.name(self.game.outcome(state))} wins the game!"

    def result_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        points = plural(self.game.goal, "point")
        return f"{self.seating.name(self.game.outcome(state))} has exactly {points} and wins the game!"


def side_of(state: State, seat: Player) -> Side:
    """Return the points and cards of the player on this seat."""
    return state.mine if state.mover == seat else state.theirs
