"""The words for a match: those of the game where it has its own, else the general ones."""

import importlib
from dataclasses import replace

from duelbook.game import AnyGame
from duelbook.match import Match
from duelbook.record import Reason
from duelbook.talk import AnyTalk, Table, Talk


def talk_class(game: AnyGame) -> type[AnyTalk]:
    """Answer the dialogue in the game's folder, or the general one."""
    module = f"{type(game).__module__.rpartition('.')[0]}.talk"
    try:
        found: type[AnyTalk] = importlib.import_module(module).Talk
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return Talk
    return found


def ending(match: Match, talk: AnyTalk) -> str:
    """Answer how the match ended, by the rules or otherwise."""
    name = talk.table.name
    match match.reason:
        case Reason.RULES:
            return talk.ending(match.state, match.moves)
        case Reason.RESIGNATION:
            return f"{name(1 - match.outcome)} resigns.\n\n{name(match.outcome)} wins!"
        case Reason.TIME:
            return f"{name(1 - match.outcome)} has run out of time.\n\n{name(match.outcome)} wins!"
        case Reason.FORFEIT:
            return f"{name(1 - match.outcome)} forfeits the match.\n\n{name(match.outcome)} wins!"
        case Reason.PLY_LIMIT:
            return f"The match stops after {len(match.moves)} moves, the ply limit: nobody wins."
        case Reason.UNFINISHED:
            return "The game is unfinished."


def result(match: Match, table: Table) -> str | None:
    """Answer in one line, to nobody in particular, who won a match and why; nothing until it is over."""
    if not match.over:
        return None
    talk = talk_class(match.game)(match.game, replace(table, humans=(False, False)))
    if match.reason is Reason.RULES:
        return talk.result(match.state, match.moves)
    return " ".join(ending(match, talk).split())
