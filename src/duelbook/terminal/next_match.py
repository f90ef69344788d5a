"""The match that a person wants to play after another one, as arguments of `duelbook play`."""

import re
from dataclasses import replace
from pathlib import Path

from duelbook.game import AnyGame
from duelbook.games import name_of
from duelbook.options import drawn_options, write_options
from duelbook.records.record import HUMAN
from duelbook.terminal.after_game import NextStep, computer_level, levels
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.setup import Setup


def following(arguments: PlayArguments, setup: Setup, game: AnyGame, step: NextStep) -> PlayArguments:
    """Return the arguments of the next match, in which chance decides anew."""
    anew = replace(arguments, resume=None, kept=None, seed=None, record=next_record(setup.record))
    if step is NextStep.MENU:
        return replace(anew, game=None, options={}, agents=(None, None), first=None)
    level, change = computer_level(setup), {NextStep.STRONGER: 1, NextStep.WEAKER: -1}.get(step, 0)
    one, two = (
        person.agent if level is None or person.agent == HUMAN else levels()[level + change] for person in setup.people
    )
    return replace(
        anew,
        game=name_of(game),
        options=arguments.options if arguments.game else chosen_options(game),
        agents=(one, two),
        names=(setup.people[0].name, setup.people[1].name),
        first=str(2 - setup.first if step is NextStep.SWAP else 1 + setup.first),
        time_limit=setup.time_limit,
    )


def chosen_options(game: AnyGame) -> dict[str, str]:
    """Return the options of a game whose rules were chosen from a menu, without those that are drawn for each match."""
    drawn = drawn_options(type(game))
    return {name: str(value) for name, value in write_options(game).items() if name not in drawn}


def next_record(record: Path | None) -> Path | None:
    """Return the file for the record of the next match, which does not exist yet: `game-2.json` after `game.json`."""
    if record is None:
        return None
    stem, number = re.sub(r"-\d+$", "", record.stem), 2
    while (free := record.with_stem(f"{stem}-{number}")).exists():
        number += 1
    return free
