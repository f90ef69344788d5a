"""Matches that are resumed: from a record in a file, or from the history."""

import shlex
from pathlib import Path
from typing import NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import Reason
from duelbook.games import name_of
from duelbook.play.arguments import PlayArguments
from duelbook.play.keeping import GameKeeper, keeper_of
from duelbook.records import load_record
from duelbook.records.record import Record


class Source(NamedTuple):
    """A match to resume, and where it comes from."""

    record: Record
    keeper: GameKeeper
    name: str  # for messages: the file, or the number of the game
    argument: str  # what `duelbook replay` takes
    is_foreign: bool  # may have been written by somebody else


def find_source(arguments: PlayArguments) -> Source:
    """Return the match that the arguments name, or raise RefusedError if it cannot be resumed in this way."""
    source = from_file(arguments.resume) if arguments.resume else from_history(arguments.kept or 0)
    _check(arguments, source)
    if source.is_foreign:
        _check_agents(arguments, source)
    return source


def from_file(path: Path) -> Source:
    """Return the match in a file."""
    record = load_record(path)
    return Source(record, keeper_of(record), f"'{path}'", shlex.quote(str(path)), is_foreign=True)


def from_history(number: int) -> Source:
    """Return the match of the history with this number."""
    from duelbook.history.store import History, Slot

    game = History().game(number)
    keeper = GameKeeper(Slot(game.number, game.version), helped=game.helped, imported=game.imported)
    return Source(History().record(number), keeper, f"Game {number} of your history", str(number), game.imported)


def _check(arguments: PlayArguments, source: Source) -> None:
    game = name_of(source.record.game)
    if source.record.reason is not Reason.UNFINISHED:
        what = f"The game in {source.name}" if arguments.resume else source.name
        raise RefusedError(f"{what} is over. Step through it with: duelbook replay {source.argument}")
    if arguments.game not in (None, game):
        raise RefusedError(
            f"{source.name} holds a game of {game}, not of {arguments.game}. Leave out '{arguments.game}'."
        )
    if arguments.options or arguments.first or arguments.seed is not None:
        raise RefusedError(
            "--resume cannot be combined with --option, --preset, --first or --seed, which the record determines."
        )


def _check_agents(arguments: PlayArguments, source: Source) -> None:
    """Raise RefusedError if a file, not the person, names a program to start or an endpoint to reach."""
    from duelbook.agents import is_external  # which a new game of two people does not need

    for number, (agent, person) in enumerate(zip(arguments.agents, source.record.people, strict=True), 1):
        if agent is None and is_external(person.agent):
            raise RefusedError(
                f"{source.name} names the agent '{person.agent}' for Player {number}. "
                f"If you trust it, add --p{number} {shlex.quote(person.agent)}"
            )
