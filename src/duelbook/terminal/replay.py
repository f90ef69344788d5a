"""Step through a recorded game, forwards and back."""

from duelbook.errors import RefusedError, check_range
from duelbook.games import label, title
from duelbook.match import Match
from duelbook.narration import AnyNarration, Seating, narration_for
from duelbook.records.record import HUMAN, Person, Record
from duelbook.terminal.screen import RESULT, WARNING, Screen
from duelbook.text import fold, shorten


class Replay:
    """A record as a sequence of positions. Position n follows n moves."""

    def __init__(self, record: Record, screen: Screen) -> None:
        self._record = record
        self._match = Match.resumed(record)
        names = (record.people[0].name, record.people[1].name)
        seating = Seating(names, record.first, (False, False))
        self._narration: AnyNarration = narration_for(record.game, seating)
        self._screen = screen
        self.last = len(record.moves)

    def show(self, number: int) -> None:
        """Show one position, and the move that led to it."""
        check_range("The position", number, 0, self.last)
        state, before = self._match.states[number], self._match.states[number - 1]
        played = f": {self._narration.mover(before)} played {self._record.moves[number - 1]}" if number else ""
        self._screen.say(f"Position {number} of {self.last}{played}\n\n{self._narration.board(state)}\n")
        if number == self.last:
            match = self._match
            ending = self._narration.ending(match.state, match.moves, match.outcome, match.reason)
            self._screen.say(f"{ending}\n", RESULT)

    def step(self) -> None:
        """Show who played, then the positions that the person asks for."""
        one, two = map(_who, self._record.people)
        self._screen.say(f"{title(label(self._record.game))}: {one} against {two}\n")
        number = 0
        self.show(number)
        while (answer := self._ask()) != "quit":
            try:
                target = self._number(answer, number)
                self._screen.say()
                self.show(target)
                number = target
            except RefusedError as error:
                self._screen.say(str(error), WARNING)

    def _ask(self) -> str:
        try:
            return fold(self._screen.ask("Enter for the next position, or back, first, last, a number, quit: "))
        except EOFError:
            return "quit"

    def _number(self, answer: str, number: int) -> int:
        steps = {"": number + 1, "next": number + 1, "back": number - 1, "first": 0, "last": self.last}
        if steps.get(answer) == self.last + 1:
            raise RefusedError("This is the last position.")
        if steps.get(answer) == -1:
            raise RefusedError("This is the first position.")
        if answer in steps:
            return steps[answer]
        if answer.isascii() and answer.isdecimal() and len(answer) < 9:
            check_range("The position", int(answer), 0, self.last)
            return int(answer)
        raise RefusedError(f"Type a number or one of next, back, first, last, quit, not '{shorten(answer)}'.")


def _who(person: Person) -> str:
    return person.name if person.agent == HUMAN else f"{person.name} ({person.agent})"
