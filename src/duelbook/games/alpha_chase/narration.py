"""What Alpha Chase says during a match."""

from collections.abc import Sequence

from duelbook import narration
from duelbook.game import Move, Outcome, Player
from duelbook.games.alpha_chase.rules import (
    ALPHABET,
    FIRST_LETTER,
    AlphaChase,
    Ending,
    State,
    TieBreak,
    letter_set,
    letters,
)
from duelbook.narration import Dialogue, Preview, Turn, Voice
from duelbook.text import fold, plural


class Narration(narration.Narration[AlphaChase, State]):
    """The texts of Alpha Chase, as in its rule book."""

    def greeting(self) -> str:
        return f"Welcome to Alpha Chase!\n\n{self._words()}\n\n{pool(self.game.initial())}"

    def _words(self) -> str:
        seating = self.seating
        return "\n".join(f"{seating.name(seat)}'s word: {self.game.words[seat]}" for seat in seating.seats())

    def board(self, state: State) -> str:
        sides = {state.mover: state.mine, 1 - state.mover: state.theirs}
        collected = (
            f"{self.seating.name(seat)} has collected: {letters(sides[seat])}" for seat in self.seating.seats()
        )
        return "\n".join((self._words(), *collected, pool(state)))

    def ask(self, state: State) -> Dialogue:
        answer = yield "Enter a letter to select: "
        return answer

    def why(self, state: State, answer: str) -> str:
        taken = fold(letters(state.mine | state.theirs)).split()
        return f"{answer.upper()} has been taken." if answer in taken else ""

    def explain(self, state: State, move: Move, voice: Voice) -> str:
        seats = state.mover, 1 - state.mover
        my_set, their_set = (self.game.sets[seat] for seat in seats)
        my_word, their_word = (self.game.words[seat] for seat in seats)
        mine, own, other = state.mine | 1 << move, my_set >> move & 1, their_set >> move & 1
        if own and not my_set & ~mine:
            return f"completes {voice.whose(voice.mover)} word"
        count = (my_set & mine).bit_count()
        if self.game.outcome(self.game.play(state, move)) != Outcome.UNDECIDED:
            against = (their_set & state.theirs).bit_count()
            return f"ends the game with {plural(count, 'letter')} of {my_word} against {against} of {their_word},"
        if own and other:
            return "is in both words"
        if own:
            return f"gives {voice.mover} {count} of the {my_set.bit_count()} letters of {my_word}"
        return f"takes a letter of {their_word} away from {voice.opponent}" if other else "is in neither word"

    def preview(self, turn: Turn[State]) -> Preview:
        state, taken = turn.before, letter(turn.move)
        my_word, their_word = self.game.words[state.mover], self.game.words[1 - state.mover]
        have = sum(taken == one or bool(state.mine & letter_set(one)) for one in my_word)
        own = f"You would have {have} of the {len(my_word)} letters of {my_word}"
        if taken in my_word:
            text = f"{own}{', and take one from your opponent' if taken in their_word else ''}."
        elif taken in their_word and not state.mine & letter_set(their_word):
            text = f"Your opponent could not complete {their_word} any more."
        elif taken in their_word:
            text = f"You would take another letter of {their_word} from your opponent."
        else:
            text = f"{taken} is in neither word."
        loses = self.game.outcome(turn.after) == 1 - state.mover
        return Preview(text, loses, self.preview_result(turn))

    def announce(self, turn: Turn[State]) -> str:
        taken = [*turn.earlier, turn.move][turn.before.mover :: 2]
        return (
            f"{self.mover(turn.before)} has selected '{letter(turn.move)}'.\n"
            f"Letters collected: {' '.join(map(letter, taken))}\n"
            f"{pool(turn.after)}"
        )

    def legal(self, state: State) -> str:
        return self.board(state)  # AC-6

    def ending_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        winner = f"Game Over.\n{self.who_won(state)}"
        if not letter_set(word := self.game.words[1 - state.mover]) & ~state.theirs:
            return f"{self.seating.name(1 - state.mover)} has completed the word {word}.\n\n{winner}"
        own = {seat: self._own_letters(seat, moves) for seat in self.seating.seats()}
        counts = [
            f"{self.seating.name(seat)} letters from their word: {', '.join(found) or 'none'} "
            f"({plural(len(found), 'letter')})."
            for seat, found in own.items()
        ]
        tie = [self._tie_break(state)] if len(own[0]) == len(own[1]) else []
        return "\n".join([self._why_over(), *counts, *tie, "", winner])

    def _why_over(self) -> str:
        """Return why a game is over in which nobody has completed their word (AC-4)."""
        return {
            Ending.SETTLED: "Nobody has completed their word, and no letter of either word is left.",
            Ending.EXHAUSTED: "Nobody has completed their word, and all letters are taken.",
            Ending.DEAD: "Neither player can complete their word any more.",
        }[self.game.ending]

    def result_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        seat = self.game.outcome(state)
        winner, word = self.seating.name(seat), self.game.words[seat]
        if not letter_set(word) & ~(state.mine if state.mover == seat else state.theirs):
            return f"{winner} has every letter of {word} and wins!"
        own, other = (len(self._own_letters(one, moves)) for one in (seat, 1 - seat))
        if own == other:
            return f"{self._tie_break(state)} {winner} wins!"
        count = plural(own, "letter")
        return f"Nobody has completed their word. {winner} wins with {count} of their word against {other}."

    def _own_letters(self, seat: Player, moves: Sequence[Move]) -> list[str]:
        return [letter(move) for move in moves[seat::2] if letter(move) in self.game.words[seat]]

    def _tie_break(self, state: State) -> str:
        winner = self.seating.name(self.game.outcome(state))
        if self.game.tie_break == TieBreak.FIRST_LETTER:
            return f"The count is tied: {winner} collected the first letter."
        if not (self._took_own(state, 0) or self._took_own(state, 1)):
            return f"The count is tied, and nobody took a letter of their own word: {winner} moved first."
        return f"The count is tied: {winner} was the first to take a letter of their own word."

    def _took_own(self, state: State, seat: Player) -> bool:
        taken = state.mine if state.mover == seat else state.theirs
        return bool(taken & letter_set(self.game.words[seat]))


def letter(move: Move) -> str:
    """Return the letter that the move takes."""
    return chr(FIRST_LETTER + move)


def pool(state: State) -> str:
    """Return the line that lists the letters that are still available."""
    return f"Available letters: {letters(ALPHABET & ~(state.mine | state.theirs))}"
