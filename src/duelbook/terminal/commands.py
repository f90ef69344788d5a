"""Commands that a person can type at any prompt. No command costs the turn."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.game import Player
from duelbook.records.file import check_new
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, WARNING
from duelbook.text import fold

if TYPE_CHECKING:
    from duelbook.study.hints import HintSteps
    from duelbook.terminal.session import Session

HELP = {
    "help": "what you can type",
    "rules": "the rules of the game",
    "moves": "the legal moves",
    "hint": "help: first a nudge, then the best move, then why",
    "undo": "take back your last move",
    "save FILE": "save the game; resume it later with --resume FILE",
    "resign": "give up the game",
    "quit": "leave the game unfinished",
}


class QuitError(Exception):
    """The person leaves the match unfinished."""


class TurnEndedError(Exception):
    """The turn ended without a move: a player resigned or forfeited, or a move was taken back."""


class Commands:
    """The commands of one session."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._confirming = False  # while a player is asked to agree to taking a move back
        self._hints: HintSteps | None = None
        self._saved = {session.setup.record}  # files that this match was saved to
        self._commands: dict[str, Callable[[], None]] = {
            "help": self._help,
            "rules": self._rules,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
        }

    def run(self, text: str) -> bool:
        """Return True if the text is a command, after running it."""
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
        rules_page(self._session.match.game, self._session.screen)

    def _moves(self) -> None:
        self._session.screen.say(self._session.narration.legal(self._session.match.state))

    def _hint(self) -> None:
        from duelbook.study.hints import HintSteps  # imported here so that a game starts sooner

        session, self._hints = self._session, self._hints or HintSteps()
        try:
            with session.working("Looking for the best move"):
                step = self._hints.next(session.match.game, session.match.state)
        except RefusedError as error:  # the game is too large to solve
            session.warn(str(error))
        except KeyboardInterrupt:
            session.screen.say("Stopped. Type a move, or hint to look for one again.", WARNING)
        else:
            session.screen.show_hint(step.text, step.note)

    def _resign(self) -> None:
        self._session.match.resign(self._session.prompted)
        self._session.screen.say()
        raise TurnEndedError

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
        session.screen.say(f"Saved. Resume it later with: duelbook play --resume {shlex.quote(str(path))}", NOTE)

    def _undo(self) -> None:
        """Take back moves up to the last one that a person chose. Two people both have to agree."""
        session, match = self._session, self._session.match
        target = match.last_choice([seat for seat in (0, 1) if session.seating.is_human(seat)])
        if self._confirming:
            session.warn("Answer yes or no first.")
        elif target is None:
            session.warn("You have no move to take back.")
        elif not all(session.seating.humans) or all(self._agrees(seat, target) for seat in session.seating.seats()):
            match.undo_to(target)
            session.screen.say("Taken back.\n", NOTE)
            session.show_position()
            raise TurnEndedError
        else:
            session.screen.say("Not taken back.", NOTE)

    def _agrees(self, seat: Player, ply: int) -> bool:
        """Return True if the player on the seat agrees to take back the move at this ply."""
        session, match = self._session, self._session.match
        name = match.game.move_name(match.states[ply], match.moves[ply])
        before, session.prompted, self._confirming = session.prompted, seat, True
        try:
            while True:
                question = f"{session.seating.name(seat)}, do you agree to take back '{name}' (yes or no)? "
                with session.stopped_clock():
                    answer = fold(session.ask(question))
                if answer in ("yes", "no"):
                    return answer == "yes"
                session.warn("Answer yes or no.")
        finally:
            session.prompted, self._confirming = before, False
