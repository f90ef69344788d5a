"""Step through a recorded game, forwards and back."""

from duelbook.errors import RefusedError, check_range
from duelbook.games import label, title
from duelbook.match import Match
from duelbook.narration import AnyNarration, Seating, narration_for
from duelbook.play.commands import command_word
from duelbook.records.record import Record, players_text
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.screen import RESULT, WARNING, Screen
from duelbook.text import shorten

PROMPT = "Enter for the next position, or back, first, last, a number, quit: "
WORDS = ("next", "back", "first", "last", "help", "quit")
HELP = """\
Type one of these:
  Enter or next  the position after the next move
  back           the position before
  first, last    the start, or the end with the result
  a number       the position after that many moves
  quit           leave"""


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
        note = "".join(f"\nThe program {note}" for note in self._record.notes if note.move == number)
        self._screen.say(f"Position {number} of {self.last}{played}{note}\n\n{self._narration.board(state)}\n")
        if number == self.last:
            match = self._match
            ending = self._narration.ending(match.state, match.moves, match.outcome, match.reason)
            self._screen.say(f"{ending}\n", RESULT)

    def step(self) -> None:
        """Show who played, then the positions that the person asks for; all of them if nobody is there to ask."""
        self._screen.say(f"{title(label(self._record.game))}: {players_text(self._record.people)}\n")
        number = 0
        self.show(number)
        if not self._screen.can_answer():
            for later in range(1, self.last + 1):
                self.show(later)
            return
        while (answer := self._ask()) != "quit":
            if answer == "help":
                self._screen.say(HELP)
                continue
            try:
                target = self._number(answer, number)
                self._screen.say()
                self.show(target)
                number = target
            except RefusedError as error:
                self._screen.say(str(error), WARNING)

    def _ask(self) -> str:
        try:
            word = command_word(self._screen.ask(PROMPT, candidates=lambda typed: starting_with(typed, WORDS)))
        except EOFError:
            return "quit"
        found = starting_with(word, WORDS)
        return found[0] if len(found) == 1 else word  # `b` is enough for back

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
        raise RefusedError(f"Type a number or one of {', '.join(WORDS)}, not '{shorten(answer)}'.")
