"""Step through a record, forwards and back."""

from duelbook.dialogue import ending, narration_class
from duelbook.errors import RefusedError
from duelbook.games import name_of, title
from duelbook.match import Match
from duelbook.narration import AnyNarration, Table
from duelbook.records.record import HUMAN, Person, Record
from duelbook.terminal.screen import REFUSAL, RESULT, Screen
from duelbook.text import fold, shorten


class Replay:
    """A record as a row of positions: number n stands after n moves."""

    def __init__(self, record: Record, screen: Screen) -> None:
        self._record = record
        self._match = Match.resumed(record)
        names = (record.people[0].name, record.people[1].name)
        self._talk: AnyNarration = narration_class(record.game)(record.game, Table(names, record.first, (False, False)))
        self._screen = screen
        self.last = len(record.moves)

    def show(self, number: int) -> None:
        """Show one position, and the move that led to it."""
        if not 0 <= number <= self.last:
            raise RefusedError(f"the record has positions 0 to {self.last}, not {number}")
        state, before = self._match.states[number], self._match.states[number - 1]
        played = f": {self._talk.mover(before)} played {self._record.moves[number - 1]}" if number else ""
        self._screen.say(f"Position {number} of {self.last}{played}\n\n{self._talk.board(state)}\n")
        if number == self.last:
            self._screen.say(f"{ending(self._match, self._talk)}\n", RESULT)

    def step(self) -> None:
        """Show who played, and then one position after another as the person asks."""
        one, two = map(_who, self._record.people)
        self._screen.say(f"{title(name_of(self._record.game))}: {one} against {two}\n")
        number = 0
        self.show(number)
        while (answer := self._ask()) != "quit":
            try:
                wanted = self._number(answer, number)
                self._screen.say()
                self.show(wanted)
                number = wanted
            except RefusedError as error:
                self._screen.say(str(error), REFUSAL)

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
            return int(answer)
        raise RefusedError(f"'{shorten(answer)}' is neither a number nor one of next, back, first, last, quit")


def _who(person: Person) -> str:
    return person.name if person.agent == HUMAN else f"{person.name} ({person.agent})"
