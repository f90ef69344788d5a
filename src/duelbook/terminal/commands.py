"""Commands that a person can type at any prompt. No command costs the turn."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.narration import Command
from duelbook.play.commands import HELP, NO, SAVE, YES, read_command
from duelbook.records.file import check_new
from duelbook.terminal.line_editor import files_starting_with, starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, WARNING
from duelbook.text import fold

if TYPE_CHECKING:
    from duelbook.study.hints import HintSteps
    from duelbook.terminal.session import Session


class QuitError(Exception):
    """The person leaves the match unfinished."""


class TurnEndedError(Exception):
    """The turn ended without a move: a player resigned or forfeited, or a move was taken back."""


class Commands:
    """The commands of one session."""

    texts = HELP  # what `help` shows

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._confirming = False  # while a player is asked to answer yes or no
        self._hints: HintSteps | None = None
        self._saved = {session.setup.record}  # files that this match was saved to
        self._commands: dict[str, Callable[[], None]] = {
            "help": self._help,
            "rules": self._rules,
            "rules full": lambda: self._rules(full=True),
            "board": self._board,
            "moves": self._moves,
            "values": self._values,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
        }

    def run(self, text: str) -> bool:
        """Return True if the text is a command, after running it."""
        found = read_command(text, (*self.names(), SAVE), self._session.answers)
        if found is None:
            return False
        name, file = found
        if name == SAVE:
            self._save(file)
        elif name in self._commands:
            self._commands[name]()
        else:
            self._session.screen.say(self._game_commands()[name].answer(self._session.match.state))
        return True

    def candidates(self, typed: str) -> list[str]:
        """Return the answers and commands that begin with what is typed; after `save`, the files."""
        if fold(typed).startswith("save") and " " in typed.strip(" ") + typed[-1:]:
            return [f"save {file}" for file in files_starting_with(typed.partition(" ")[2].strip())]
        if self._confirming:
            return starting_with(typed, (YES[1], NO[1]))
        answers = self._session.answers()
        return starting_with(typed, (*answers, *self.names(), "save "))

    def names(self) -> list[str]:
        """Return the commands that can be typed, but for `save`, which takes a file."""
        return [*self._commands, *self._game_commands()]

    def _game_commands(self) -> dict[str, Command]:
        """Return the commands that only this game has, by name."""
        return self._session.narration.commands()

    def _help(self) -> None:
        own = {name: command.about for name, command in self._game_commands().items()}
        width = max(map(len, self.texts))
        lines = (f"  {name.ljust(width)}  {about}" for name, about in (self.texts | own).items())
        self._session.screen.say("Answer the question, or type:\n" + "\n".join(lines))

    def _rules(self, *, full: bool = False) -> None:
        rules_page(self._session.match.game, self._session.screen, full=full)

    def _board(self) -> None:
        self._session.screen.say(self._session.narration.board(self._session.match.state))

    def _moves(self) -> None:
        if self._is_premature():
            return
        self._session.screen.say(self._session.narration.legal(self._session.match.state))

    def _values(self) -> None:
        if not self._is_premature():
            self._session.show_values()

    def _hint(self) -> None:
        from duelbook.study.hints import HintSteps  # imported here so that a game starts sooner

        if self._is_premature():
            return
        session, self._hints = self._session, self._hints or HintSteps(self._session.find_hint)
        try:
            with session.working("Looking for the best move"):
                step = self._hints.next(session.match.game, session.match.state)
        except RefusedError as error:
            session.warn(str(error))
        except KeyboardInterrupt:
            session.screen.say("Stopped. Type a move, or hint to look for one again.", WARNING)
        else:
            session.note_help()
            session.screen.show_hint(step.text, step.note)

    def _is_premature(self) -> bool:
        """Return True, after saying so, if the player who is asked has moved already and the other one is next."""
        session = self._session
        if session.match.over or session.prompted == session.match.mover:
            return False
        you, following = (session.seating.name(seat) for seat in (session.prompted, session.match.mover))
        if session.seating.is_human(session.match.mover):
            session.warn(f"{you}, your move is made. Press Enter; then {following} can ask for this.")
        else:
            session.warn(f"It is the turn of {following}.")
        return True

    def _resign(self) -> None:
        session = self._session
        name = session.seating.name(session.prompted)
        if self._confirming:
            session.warn("Answer y or n first.")
        elif not session.screen.interactive or self.confirms(f"{name}, do you want to resign (y/n)? "):
            session.resign()
            session.screen.say()
            raise TurnEndedError
        else:
            session.screen.say("The game goes on.", NOTE)

    def _quit(self) -> None:
        raise QuitError

    def _save(self, file: str) -> None:
        session = self._session
        if not file and not session.setup.record:
            session.warn("Name the file to save to: save FILE")
            return
        try:
            path = full_path(file) if file else session.setup.record
            assert path
            if path not in self._saved:
                check_new(path)
            session.save(path)
        except RefusedError as error:
            session.warn(str(error))
            return
        self._saved.add(path)
        session.screen.say(self._saved_text(shlex.quote(str(path))), NOTE)

    def _saved_text(self, file: str) -> str:
        return f"Saved. Resume it later with: duelbook play --resume {file}"

    def _undo(self) -> None:
        """Take back the last answer of this turn, or moves up to the last one that a person chose.

        Between two people, the opponent of the player whose move is taken back has to agree.
        """
        session, match = self._session, self._session.match
        if self._confirming:
            session.warn("Answer y or n first.")
            return
        if session.take_back_answer():
            return
        target = match.last_choice([seat for seat in (0, 1) if session.seating.is_human(seat)])
        if target is None:
            session.warn("You have no move to take back.")
        elif not all(session.seating.humans) or self._agrees(target):
            match.undo_to(target)
            session.screen.say("Taken back.\n", NOTE)
            session.show_position()
            raise TurnEndedError
        else:
            session.screen.say("Not taken back.", NOTE)

    def _agrees(self, ply: int) -> bool:
        """Return True if the opponent of the player who made the move at this ply agrees to take it back."""
        session, match = self._session, self._session.match
        mover = match.game.mover(match.states[ply])
        name = match.game.move_name(match.states[ply], match.moves[ply])
        one, other = session.seating.name(mover), session.seating.name(1 - mover)
        before, session.prompted = session.prompted, 1 - mover
        try:
            with session.stopped_clock():  # which is not that of the player who is asked
                return self.confirms(f"{other}, may {one} take back '{name}' (y/n)? ")
        finally:
            session.prompted = before

    def confirms(self, question: str) -> bool:
        """Return True if the player who is asked answers yes."""
        self._confirming = True
        try:
            while True:
                answer = fold(self._session.ask(question))
                if answer in (*YES, *NO):
                    return answer in YES
                self._session.warn("Answer y or n.")
        finally:
            self._confirming = False
