"""One match between two agents, played to its end whatever they do."""

import operator
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from duelbook.agents import Agent, Forfeit, ForfeitKind, StoppedError, make_agent
from duelbook.game import AnyGame, IllegalMoveError, Move, Player, forced_pass
from duelbook.match import Match, ply_limit
from duelbook.records.record import Person, Record
from duelbook.text import MAX_NAME_CHARACTERS, sanitize

LONGEST_DETAIL = 300  # characters of what an agent says about its forfeit


class Forfeited(NamedTuple):
    """A match that an agent lost for want of a legal answer: who, how, and what happened in a line."""

    by: Player  # the seat
    kind: ForfeitKind
    detail: str


class Played(NamedTuple):
    """A match that is over."""

    record: Record  # without times, so that the same seed gives the same record
    forfeit: Forfeited | None  # then the record's reason is `forfeit`, and the other agent has won
    movers: tuple[Player, ...]  # whose each move was, by seat
    seconds: tuple[float, ...]  # that each move took

    def seconds_of(self, seat: Player) -> tuple[float, ...]:
        return tuple(took for mover, took in zip(self.movers, self.seconds, strict=True) if mover == seat)


def play_match(
    game: AnyGame,
    agents: tuple[str, str],
    *,
    first: int = 0,
    seed: int = 0,
    limit: int | None = None,
    name: str = "",
    make: Callable[[str, str], Agent] = make_agent,
) -> Played:
    """Answer the match between the agents of Player 1 and Player 2, of whom `first` (0 or 1) moves first.

    Whatever an agent does, there is a result: an answer that is no legal move, a timeout (`Forfeit` of that kind, or
    TimeoutError) and any other exception, also while the agent is made, are forfeits, which lose. A match that reaches
    the limit (by default that of `duelbook.match.ply_limit`) is undecided, with the reason `ply limit`.
    Only a StoppedError leaves the match undecided and is passed on: then no agent is to blame.
    Each agent gets a seed of its own, made of the seed and its number; `make` makes the agent on its first turn.
    An agent that keeps a log calls the match by its name there, or by its seed where it has no name.
    """
    match = Match(game, ply_limit=limit or ply_limit(game))
    players = _Players(agents, seed, name or str(seed), make)
    seconds, forfeit = [], None
    try:
        while not match.over and not forfeit:
            asked = time.perf_counter()
            forfeit = _turn(match, players, match.mover ^ first)
            seconds.append(round(time.perf_counter() - asked, 6))
    finally:
        players.close()
    record = replace(match.record(_people(agents), first, seed=seed), started=None, ended=None, seconds=())
    movers = tuple(game.mover(state) for state in match.states[: len(match.moves)])
    return Played(record, forfeit, movers, tuple(seconds[: len(match.moves)]))


class _Players:
    """The two agents, each made when it is first asked."""

    def __init__(self, names: tuple[str, str], seed: int, match: str, make: Callable[[str, str], Agent]) -> None:
        self._names, self._seed, self._match, self._make = names, seed, match, make
        self._made: dict[int, Agent] = {}

    def choose(self, number: int, match: Match) -> Move:
        if number not in self._made:
            agent = self._made[number] = self._make(self._names[number], f"{self._seed} {number}")
            if name_match := getattr(agent, "name_match", None):
                name_match(self._match)
        return self._made[number].choose(match)

    def close(self) -> None:
        for agent in self._made.values():
            with suppress(Exception):  # the match is over, and stands
                agent.close()


def _turn(match: Match, players: _Players, number: int) -> Forfeited | None:
    """Play the mover's move, or end the match with its forfeit."""
    mover = match.mover
    try:
        forced = forced_pass(match.game, match.state)
        match.play(_whole(players.choose(number, match)) if forced is None else forced)
        return None
    except StoppedError:  # nobody's fault, and nobody's loss
        raise
    except Forfeit as error:
        forfeit = Forfeited(mover, error.kind, _line(str(error)))
    except IllegalMoveError as error:
        forfeit = Forfeited(mover, ForfeitKind.ILLEGAL, _line(str(error)))
    except TimeoutError as error:
        forfeit = Forfeited(mover, ForfeitKind.TIMEOUT, _line(str(error) or "did not answer in time"))
    except (Exception, SystemExit) as error:
        forfeit = Forfeited(mover, ForfeitKind.ERROR, _line(f"{type(error).__name__}: {error}"))
    match.forfeit()
    return forfeit


def _whole(answer: object) -> Move:
    try:
        return operator.index(answer)  # type: ignore[arg-type] # whatever the agent said
    except TypeError:
        raise IllegalMoveError(repr(answer), ("a whole number",)) from None


def _line(text: str) -> str:
    return sanitize(" ".join(text.split()))[:LONGEST_DETAIL]


def _people(agents: tuple[str, str]) -> tuple[Person, Person]:
    """Answer the players by the names of their agents, where these are short and differ."""
    short = agents[0] != agents[1] and max(map(len, agents)) <= MAX_NAME_CHARACTERS
    one, two = (Person(agent if short else f"Player {number}", agent) for number, agent in enumerate(agents, 1))
    return one, two
