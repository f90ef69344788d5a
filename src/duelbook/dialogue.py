"""The words for a match: those of the game where it has its own, else the general ones."""

import importlib
from dataclasses import replace

from duelbook.game import AnyGame
from duelbook.match import Match
from duelbook.narration import AnyNarration, Narration, Table
from duelbook.records.record import Reason


def narration_class(game: AnyGame) -> type[AnyNarration]:
    """Answer the dialogue in the game's folder, or the general one."""
    module = f"{type(game).__module__.rpartition('.')[0]}.narration"
    try:
        found: type[AnyNarration] = importlib.import_module(module).Narration
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return Narration
    return found


def ending(match: Match, narration: AnyNarration) -> str:
    """Answer how the match ended, by the rules or otherwise."""
    name = narration.table.name
    match match.reason:
        case Reason.RULES:
            return narration.ending(match.state, match.moves)
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
    narration = narration_class(match.game)(match.game, replace(table, humans=(False, False)))
    if match.reason is Reason.RULES:
        return narration.result(match.state, match.moves)
    return " ".join(ending(match, narration).split())
