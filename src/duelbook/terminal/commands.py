"""What a person may type at any prompt instead of an answer. No command costs the turn."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from duelbook.game import RefusedError, fold, forced_pass
from duelbook.games import name_of
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE

if TYPE_CHECKING:
    from duelbook.terminal.session import Session

HELP = {
    "help": "what you can type",
    "rules": "the rules of the game",
    "moves": "what is legal now",
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
            "undo": self._undo,
            "resign": self._resign,
            "quit": self._quit,
        }

    def carry_out(self, text: str) -> bool:
        """Carry the command out; tell whether the text was one."""
        word = fold(text)
        if word == "save" or word.startswith("save "):
            self._save(text.strip()[len("save") :].strip())
        elif word in self._commands:
            self._commands[word]()
        elif word in self._session.talk.commands():
            self._session.screen.say(self._session.talk.commands()[word](self._session.match.state))
        else:
            return False
        return True

    def _help(self) -> None:
        own = dict.fromkeys(self._session.talk.commands(), "your cards")
        width = max(map(len, HELP))
        lines = (f"  {name.ljust(width)}  {about}" for name, about in (HELP | own).items())
        self._session.screen.say("Answer the question, or type:\n" + "\n".join(lines))

    def _rules(self) -> None:
        rules_page(name_of(self._session.match.game), self._session.screen)

    def _moves(self) -> None:
        match = self._session.match
        self._session.screen.say(self._session.talk.legal(match.state, match.moves))

    def _resign(self) -> None:
        self._session.match.resign(self._session.speaker)
        self._session.screen.say()
        raise TurnEndedError

    def _quit(self) -> None:
        raise QuitError

    def _save(self, file: str) -> None:
        session = self._session
        path = Path(file).expanduser() if file else session.setup.record
        if path is None:
            session.refuse("Say where to: save FILE")
            return
        try:
            if path not in self._saved:
                check_new(path)
            session.save(path)
        except RefusedError as error:
            session.refuse(str(error))
            return
        self._saved.add(path)
        session.screen.say(f"Saved. Go on later with: duelbook play --resume {shlex.quote(str(path))}", NOTE)

    def _undo(self) -> None:
        """Take back to the last choice of a person; of two people, the other one has to agree."""
        session, match = self._session, self._session.match
        target = self._last_choice()
        if self._asking:
            session.refuse("Answer yes or no first.")
        elif target is None:
            session.refuse("There is no move of yours to take back.")
        elif not all(session.table.humans) or self._agreed(target):
            while len(match.moves) > target:
                match.undo()
            session.screen.say("Taken back.\n", NOTE)
            raise TurnEndedError

    def _last_choice(self) -> int | None:
        """Answer the latest ply at which a person had a choice."""
        session, match = self._session, self._session.match
        for ply in range(len(match.moves) - 1, -1, -1):
            state = match.states[ply]
            if session.table.is_human(match.game.mover(state)) and forced_pass(match.game, state) is None:
                return ply
        return None

    def _agreed(self, ply: int) -> bool:
        session, match = self._session, self._session.match
        name = match.game.move_name(match.states[ply], match.moves[ply])
        other = session.table.name(1 - session.speaker)
        self._asking = True
        try:
            while True:
                answer = fold(session.answer(f"{other}, do you agree to take back '{name}' (yes or no)? "))
                if answer in ("yes", "no"):
                    return answer == "yes"
                session.refuse("Answer yes or no.")
        finally:
            self._asking = False


def check_new(path: Path) -> None:
    """Refuse to write over a file that is there already."""
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise RefusedError(f"'{path}' exists already; give another name, or go on with it by --resume")
