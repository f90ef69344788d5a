"""What a person may type at any prompt instead of an answer. No command costs the turn."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from duelbook.errors import RefusedError
from duelbook.game import Player
from duelbook.games import name_of
from duelbook.records.file import check_new, file_named
from duelbook.study.hints import hint
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE
from duelbook.text import fold

if TYPE_CHECKING:
    from duelbook.terminal.session import Session

HELP = {
    "help": "what you can type",
    "rules": "the rules of the game",
    "moves": "what is legal now",
    "hint": "the best move, and why",
    "undo": "take a move back",
    "save FILE": "save the game, to go on later with --resume FILE",
    "resign": "give the game up",
    "quit": "leave the game unfinished",
}


class QuitError(Exception):
    """The person leaves the match unfinished."""


class TurnEndedError(Exception):
    """The turn is over without a move: somebody resigned, or a move was taken back."""


class Commands:
    """The commands of one session."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._asking = False  # while the other player is asked to agree
        self._saved = {session.setup.record}  # files that hold this very match
        self._commands: dict[str, Callable[[], None]] = {
            "help": self._help,
            "rules": self._rules,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
        }

    def carry_out(self, text: str) -> bool:
        """Carry the command out; tell whether the text was one."""
        word = fold(text)
        if word == "save" or word.startswith("save "):
            self._save(text.strip()[len("save") :].strip().strip("\"'"))
        elif word in self._commands:
            self._commands[word]()
        elif word in self._session.narration.commands():
            self._session.screen.say(self._session.narration.commands()[word].answer(self._session.match.state))
        else:
            return False
        return True

    def _help(self) -> None:
        own = {name: command.about for name, command in self._session.narration.commands().items()}
        width = max(map(len, HELP))
        lines = (f"  {name.ljust(width)}  {about}" for name, about in (HELP | own).items())
        self._session.screen.say("Answer the question, or type:\n" + "\n".join(lines))

    def _rules(self) -> None:
        rules_page(name_of(self._session.match.game), self._session.screen)

    def _moves(self) -> None:
        self._session.screen.say(self._session.narration.legal(self._session.match.state))

    def _hint(self) -> None:
        game, state = self._session.match.game, self._session.match.state
        try:
            found = hint(game, state)
        except RefusedError as error:  # a game too large to be solved
            self._session.refuse(str(error))
        else:
            assert found
            self._session.screen.say(f"{found.move}: {found.why}")

    def _resign(self) -> None:
        self._session.match.resign(self._session.speaker)
        self._session.screen.say()
        raise TurnEndedError

    def _quit(self) -> None:
        raise QuitError

    def _save(self, file: str) -> None:
        session = self._session
        if not file and not session.setup.record:
            session.refuse("Say where to: save FILE")
            return
        try:
            path = file_named(file) if file else session.setup.record
            assert path
            if path not in self._saved:
                check_new(path)
            session.save(path)
        except RefusedError as error:
            session.refuse(str(error))
            return
        self._saved.add(path)
        session.screen.say(f"Saved. Go on later with: duelbook play --resume {shlex.quote(str(path))}", NOTE)

    def _undo(self) -> None:
        """Take back to the last choice of a person; two people both have to agree."""
        session, match = self._session, self._session.match
        target = match.last_choice([seat for seat in (0, 1) if session.table.is_human(seat)])
        if self._asking:
            session.refuse("Answer yes or no first.")
        elif target is None:
            session.refuse("There is no move of yours to take back.")
        elif not all(session.table.humans) or all(self._agrees(seat, target) for seat in session.table.seats()):
            match.undo_to(target)
            session.screen.say("Taken back.\n", NOTE)
            session.show_position()
            raise TurnEndedError
        else:
            session.screen.say("Not taken back.", NOTE)

    def _agrees(self, seat: Player, ply: int) -> bool:
        """Ask the player on the seat; meanwhile the prompt is theirs."""
        session, match = self._session, self._session.match
        name = match.game.move_name(match.states[ply], match.moves[ply])
        before, session.speaker, self._asking = session.speaker, seat, True
        try:
            while True:
                question = f"{session.table.name(seat)}, do you agree to take back '{name}' (yes or no)? "
                with session.untimed():
                    answer = fold(session.answer(question))
                if answer in ("yes", "no"):
                    return answer == "yes"
                session.refuse("Answer yes or no.")
        finally:
            session.speaker, self._asking = before, False
