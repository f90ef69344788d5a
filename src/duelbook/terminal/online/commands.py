"""The commands of a match of the service: some of them ask the service, and through it the opponent."""

from typing import TYPE_CHECKING

from duelbook.narration import Command
from duelbook.online.errors import ProblemError
from duelbook.play.commands import HELP, command_word
from duelbook.terminal.commands import Commands, TurnEndedError
from duelbook.terminal.screen import NOTE
from duelbook.text import clock_text, did_you_mean

if TYPE_CHECKING:
    from duelbook.terminal.online.session import OnlineSession

PLAYER_HELP = HELP | {
    "values": "against a computer: what each legal move is worth",
    "hint": "help against a computer: first a nudge, then the best move, then why",
    "undo": "ask to take back your last move, if there is no time limit",
    "claim": "win against an opponent who stays away, after a warning",
    "save FILE": "save the game so far as a record",
    "quit": "leave; the match stays, and you can come back",
}
WATCHED = ("help", "rules", "rules full", "board", "moves", "save FILE")
WATCHER_HELP = {name: PLAYER_HELP[name] for name in WATCHED} | {"quit": "stop watching"}


class OnlineCommands(Commands):
    """The commands of a player, or those of somebody who watches."""

    def __init__(self, session: "OnlineSession") -> None:
        super().__init__(session)
        self._online = session
        self.texts = PLAYER_HELP if session.is_player else WATCHER_HELP
        if session.is_player:
            self._commands["claim"] = self._claim
        else:
            self._commands = {name: run for name, run in self._commands.items() if name in WATCHER_HELP}

    def advice(self, text: str) -> str:
        """Return what somebody can do who types this while others are to move."""
        if command_word(text) in PLAYER_HELP:  # and not in the commands of somebody who watches
            return "You are watching; only the players can do that."
        watching = "" if self._online.is_player else "You are watching. "
        return f"{watching}You can type help, or wait.{did_you_mean(text, self._commands)}"

    @property
    def is_confirming(self) -> bool:
        """True while the player is asked to answer yes or no."""
        return self._confirming

    def _game_commands(self) -> dict[str, Command]:
        """Return the commands that only this game has: they are about the cards or the like of a player."""
        return super()._game_commands() if self._online.is_player else {}

    def _moves(self) -> None:
        """Show the legal moves, also those of the opponent."""
        session = self._online
        mover = session.match.mover
        turn = "" if mover == session.seat else f"It is the turn of {session.seating.name(mover)}.\n"
        session.screen.say(f"{turn}{session.narration.legal(session.match.state)}")

    def _saved_text(self, file: str) -> str:
        return f"Saved as a record. The match stays on the server. Review the record with: duelbook review {file}"

    def _values(self) -> None:
        if not self._refuses_help("values"):
            super()._values()

    def _hint(self) -> None:
        if not self._refuses_help("hints"):
            super()._hint()

    def _refuses_help(self, what: str) -> bool:
        """Return True, after saying so, if the opponent is a person."""
        if self._online.is_against_person:
            self._online.warn(f"There are no {what} in a match against a person. Review the game when it is over.")
        return self._online.is_against_person

    def _undo(self) -> None:
        """Take back the last answer of this turn, or ask to take back the last move; a computer agrees at once."""
        session = self._online
        if self._confirming:
            session.warn("Answer y or n first.")
            return
        if session.take_back_answer():
            return
        try:
            if session.ask_undo():
                session.screen.say(f"{session.opponent_name} is asked. You can go on meanwhile.", NOTE)
        except ProblemError as problem:
            session.warn(str(problem))
        session.check_position()

    def _claim(self) -> None:
        """Warn the absent opponent; once their time to come back has passed, claim the win."""
        session = self._online
        left = session.live.claim_left()
        try:
            if left is None:
                session.request("Warning your opponent", lambda match, token: session.client.act(match, token, "claim"))
                left = session.live.claim_left() or 0.0
            elif left <= 0:
                session.request("Claiming the win", lambda match, token: session.client.act(match, token, "claim"))
                raise TurnEndedError
        except ProblemError as problem:
            session.warn(str(problem))
        else:
            session.screen.say(
                f"{session.opponent_name} has {clock_text(left).strip('[]')} to come back. "
                "If they do not, type claim again and you win.",
                NOTE,
            )
