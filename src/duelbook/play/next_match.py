"""What a person can do after a match, and the match that they want to play next, as arguments of `duelbook play`."""

import re
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from duelbook.game import AnyGame
from duelbook.games import name_of
from duelbook.options import drawn_options, write_options
from duelbook.play.arguments import PlayArguments
from duelbook.play.setup import Setup
from duelbook.records.record import HUMAN, Record, only_person
from duelbook.text import fold


class NextStep(StrEnum):
    """What a person can do after a game, as they type it."""

    REMATCH = "rematch"
    SWAP = "swap seats"
    STRONGER = "stronger"
    WEAKER = "weaker"
    REVIEW = "review"
    MENU = "menu"
    LEAVE = "leave"


def own_result(record: Record, own: int | None = None) -> str:
    """Return how the game ended for one of the players, by default the only person: `You won. `, or an empty text."""
    own = only_person(record.people) if own is None else own
    if own is None or record.outcome not in (0, 1):
        return ""
    return "You won. " if record.outcome ^ record.first == own else "You lost. "


def levels() -> list[str]:
    """Return the names of the levels, the weakest first."""
    from duelbook.agents.levels import RATINGS  # which a game of two people does not need

    return list(RATINGS)


def offered_steps(setup: Setup) -> list[NextStep]:
    """Return what can be done next. Only a level has a stronger and a weaker one."""
    level = computer_level(setup)
    return [
        NextStep.REMATCH,
        NextStep.SWAP,
        *([NextStep.STRONGER] if level is not None and level + 1 < len(levels()) else []),
        *([NextStep.WEAKER] if level else []),
        NextStep.REVIEW,
        NextStep.MENU,
    ]


def computer_level(setup: Setup) -> int | None:
    """Return the place of the opponent among the levels, or None if it is not one of them."""
    agents = [person.agent for person in setup.people if person.agent != HUMAN]
    return levels().index(agents[0]) if len(agents) == 1 and agents[0] in levels() else None


def read_step(text: str, steps: list[NextStep]) -> NextStep | None:
    """Return the step that the text names: as a whole, or by its beginning if that is clear. None if it is not."""
    word = fold(text)
    if word in ("", "leave", "quit", "exit", "q", "no"):
        return NextStep.LEAVE
    found = [step for step in steps if step.startswith(word)]
    return found[0] if len(found) == 1 else None


def following(arguments: PlayArguments, setup: Setup, game: AnyGame, step: NextStep) -> PlayArguments:
    """Return the arguments of the next match, in which chance decides anew."""
    anew = replace(arguments, resume=None, kept=None, seed=None, matches=1, record=next_record(setup.record))
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
